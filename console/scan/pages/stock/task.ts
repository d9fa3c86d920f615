import { t } from "../../../texts/scan-stock.js";
import type { Task } from "../../task.js";

export default {
  order: 70,
  path: "move",
  needs: "transfer",
  title: () => t("move"),
  icon: "move",
  load: () => import("./move.js"),
} satisfies Task;
