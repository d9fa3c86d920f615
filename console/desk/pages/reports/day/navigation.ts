import { t } from "../../../../texts/day.js";
import type { NavigationPart } from "../../../navigation.js";

export default {
  order: 10,
  title: () => t("today"),
  pages: [
    { path: "day", needs: "dashboard", title: () => t("day"), load: () => import("./day.js") },
    {
      path: "productivity",
      needs: "dashboard",
      title: () => t("productivity"),
      load: () => import("./productivity.js"),
    },
  ],
} satisfies NavigationPart;
