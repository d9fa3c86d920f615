import { t } from "../../../texts/scan-look-up.js";
import type { Task } from "../../task.js";

export default {
  order: 80,
  path: "look-up",
  title: () => t("lookUp"),
  icon: "lookUp",
  load: () => import("./look-up.js"),
} satisfies Task;
