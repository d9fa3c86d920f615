import { t } from "../../../texts/carriers.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  group: "integrations",
  order: 10,
  pages: [
    { path: "carriers", needs: "ADMIN", title: () => t("accounts"), load: () => import("./accounts.js") },
    { path: "carrier-rules", needs: "ADMIN", title: () => t("rules"), load: () => import("./rules.js") },
  ],
} satisfies NavigationPart;
