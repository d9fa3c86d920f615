import { t } from "../../../texts/system.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  order: 85,
  title: () => t("service"),
  pages: [{ path: "settings", needs: "settings", title: () => t("settings"), load: () => import("./settings.js") }],
} satisfies NavigationPart;
