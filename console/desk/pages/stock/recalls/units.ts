import type { RecallDetail, RecallOrder } from "../../../../../client/src/index.js";
import { t } from "../../../../texts/lots.js";

export type RecallState = keyof RecallDetail["units"];

/** Where units of a recall are, as people call it, those to do something about first (docs/recall.md). */
export const states = (): Record<Exclude<RecallState, "known">, string> => ({
  to_count: t("toCount"),
  picked: t("pickedUnits"),
  to_tell: t("toTell"),
  found: t("foundUnits"),
  returned: t("returned"),
  told: t("told"),
  destroyed: t("destroyed"),
  adjusted_out: t("adjustedOut"),
});

/** Which lots and units of a recall an order had. */
export const whatOf = ({ lot_numbers, serial_numbers }: RecallOrder) => [...lot_numbers, ...serial_numbers].join(", ");
