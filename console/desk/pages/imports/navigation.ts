import { t } from "../../../texts/imports.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  order: 60,
  title: () => t("system"),
  pages: [{ path: "imports", needs: "imports", title: () => t("imports"), load: () => import("./imports.js") }],
} satisfies NavigationPart;
