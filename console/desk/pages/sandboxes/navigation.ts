import { t } from "../../../texts/sandboxes.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  group: "integrations",
  pages: [{ path: "sandboxes", needs: "ADMIN", title: () => t("sandboxes"), load: () => import("./sandboxes.js") }],
} satisfies NavigationPart;
