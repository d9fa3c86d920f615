import { t } from "../../../../texts/scan-ship.js";
import type { Task } from "../../../task.js";

export default {
  order: 50,
  path: "ship",
  needs: "ship",
  title: () => t("ship"),
  icon: "ship",
  load: () => import("./ship.js"),
} satisfies Task;
