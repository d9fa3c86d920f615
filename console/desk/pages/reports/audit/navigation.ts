import { t } from "../../../../texts/audit.js";
import type { NavigationPart } from "../../../navigation.js";

export default {
  group: "administration",
  order: 40,
  pages: [
    { path: "audit", needs: "audit-log", title: () => t("audit"), load: () => import("./audit.js") },
    { path: "audit/:log_id", needs: "audit-log", load: () => import("./entry.js") },
  ],
} satisfies NavigationPart;
