import { t } from "../../../texts/scan-counting.js";
import type { Task } from "../../task.js";

export default {
  order: 60,
  path: "count",
  needs: "count",
  title: () => t("count"),
  icon: "count",
  waiting: ({ count }) => count.total,
  load: () => import("./count.js"),
} satisfies Task;
