import { t } from "../../../../texts/scan-putaway.js";
import type { Task } from "../../../task.js";

export default {
  order: 20,
  path: "putaway",
  needs: "putaway",
  title: () => t("putAway"),
  icon: "putAway",
  waiting: ({ putaway }) => putaway.total,
  load: () => import("./putaway.js"),
} satisfies Task;
