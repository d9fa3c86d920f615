import { t } from "../../../../texts/scan-load.js";
import type { Task } from "../../../task.js";

export default {
  order: 55,
  path: "load",
  needs: "ship",
  title: () => t("load"),
  icon: "ship",
  load: () => import("./load.js"),
} satisfies Task;
