import { t } from "../../../../texts/scan-replenish.js";
import type { Task } from "../../../task.js";

export default {
  order: 25,
  path: "replenish",
  needs: "putaway",
  title: () => t("replenish"),
  icon: "replenish",
  waiting: ({ replenish }) => replenish.total,
  load: () => import("./replenish.js"),
} satisfies Task;
