import type { FloorWork } from "../../../../client/src/index.js";
import { t } from "../../../texts/scan-picking.js";
import type { Task } from "../../task.js";
import { leave } from "./leave.js";
import { sends } from "./sends.js";

/** Of so many orders, the most urgent, the service says how many can be picked. */
const LOOKED_AT = 100;
const toPick = ({ total, covered = Math.min(total, LOOKED_AT) }: FloorWork["pick"]) =>
  covered + Math.max(0, total - LOOKED_AT);

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
