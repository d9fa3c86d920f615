import { t } from "../../../../texts/scan-returns.js";
import type { Task } from "../../../task.js";

export default {
  order: 25,
  path: "returns",
  needs: "receive",
  title: () => t("returns"),
  icon: "returns",
  load: () => import("./returns.js"),
} satisfies Task;
