import { t } from "../../../texts/agents.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  group: "integrations",
  order: 60,
  pages: [
    { path: "agent-approvals", needs: "ADMIN", title: () => t("approvals"), load: () => import("./approvals.js") },
    { path: "agent-approvals/:approval_id", load: () => import("./approval.js") },
  ],
} satisfies NavigationPart;
