import type { FloorWork } from "../../../../client/src/index.js";
import { t } from "../../../texts/scan-picking.js";
import type { Task } from "../../task.js";
import { leave } from "./leave.js";
import { sends } from "./sends.js";

/** Of the most urgent the service says how many can be picked; of the others nobody knows yet. */
const toPick = ({ total, looked_at = 0, covered = looked_at }: FloorWork["pick"]) =>
  looked_at > 0 ? total - looked_at + covered : total;

export default {
  order: 30,
  path: "pick",
  needs: "pick",
  title: () => t("pick"),
  icon: "pick",
  waiting: ({ pick, wave, transfer }) => toPick(pick) + wave.total + transfer.total,
  load: () => import("./pick.js"),
  sends,
  leave,
  tells: ["pick"],
} satisfies Task;
