import { t } from "../../../texts/scan-picking.js";
import type { Task } from "../../task.js";
import { sends } from "./sends.js";

export default {
  order: 30,
  path: "pick",
  needs: "pick",
  title: () => t("pick"),
  icon: "pick",
  waiting: ({ pick, wave, transfer }) => pick.total + wave.total + transfer.total,
  load: () => import("./pick.js"),
  sends,
  tells: ["pick"],
} satisfies Task;
