import type { WavesReleased } from "../../../client/src/index.js";
import { t } from "../../texts/waves.js";

/** Why orders were planned, and could not be released a moment later. */
const lostReasons = {
  held: "lostHeld",
  in_batch: "lostInBatch",
  lacks_stock: "lostStock",
  not_open: "lostNotOpen",
} as const;

export const lostText = ({ reason, so_number }: WavesReleased["lost"][number]) =>
  t(lostReasons[reason], { number: so_number });

/** Why orders are in no wave. */
const reasons = {
  held: "held",
  in_batch: "in_batch",
  in_review: "in_review",
  nothing_to_pick: "nothing_to_pick",
  other_zone: "other_zone",
  too_many: "too_many",
  waiting_stock: "waiting_stock",
} as const;

export const leftOutText = ({ reason, orders }: WavesReleased["left_out"][number]) => t(reasons[reason], { orders });
