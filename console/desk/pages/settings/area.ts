import { t } from "../../../texts/settings.js";
import type { Area } from "../../area.js";

export default {
  order: 85,
  title: () => t("service"),
  pages: [{ path: "settings", needs: "settings", title: () => t("settings"), load: () => import("./settings.js") }],
} satisfies Area;
