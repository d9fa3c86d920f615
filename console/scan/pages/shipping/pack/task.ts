import { t } from "../../../../texts/scan-pack.js";
import type { Task } from "../../../task.js";

export default {
  order: 40,
  path: "pack",
  needs: "pack",
  title: () => t("pack"),
  icon: "pack",
  waiting: ({ pack }) => pack.total,
  load: () => import("./pack.js"),
} satisfies Task;
