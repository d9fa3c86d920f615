import { t } from "../../../texts/system.js";
import type { NavigationPart } from "../../navigation.js";

export default {
  group: "administration",
  order: 30,
  pages: [{ path: "settings", needs: "settings", title: () => t("settings"), load: () => import("./settings.js") }],
} satisfies NavigationPart;
