import { t } from "../../../../texts/scan-ship.js";
import type { Task } from "../../../task.js";

export default {
  order: 50,
  path: "ship",
  needs: "ship",
  title: () => t("ship"),
  icon: "ship",
  waiting: ({ ship }) => ship.total,
  load: () => import("./ship.js"),
} satisfies Task;
