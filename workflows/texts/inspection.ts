/** The texts of an inspection in the Temporal UI. */

import type { InspectionState } from "../../src/lots/inspections/workflow.js";
import { clock, type Details, reasonOf } from "../../src/platform/temporal/details.js";
import type { Ending, Timer } from "../process.js";

export type InspectionEnded = "closed" | "refused";
type InspectionEnding = Ending<InspectionEnded>;

/** How long to wait before looking at the rows again when nothing is due: a signal may have been lost. */
const LOOK_AGAIN_MS = 12 * 3_600_000;
/** How many decisions are named. */
const SHOWN_DECISIONS = 10;

export const REMINDED = "it waits for long: a reminder was told";
export const OVERDUE = "its time is over: that was told";
export const STAYS = "people decide about goods";

export const titleOf = ({ inspection_id, sku, lot_number, warehouse_code }: InspectionState): string => {
  const lot = lot_number ? `, lot ${lot_number}` : "";
  return `Inspection ${inspection_id} of ${sku}${lot} in ${warehouse_code ?? "all warehouses"}`;
};

const listed = (decided: string[]): string =>
  `${decided.slice(-SHOWN_DECISIONS).join(", ")}${decided.length > SHOWN_DECISIONS ? ", …" : ""}`;

/** When something is told next, on the workflow's clock; null = never. */
interface Told {
  remindAt: number | null;
  dueAt: number | null;
}

/** @param stays Why it could not be cancelled, where that was requested in the Temporal UI. */
export function waits(
  state: InspectionState,
  because: string | undefined,
  { remindAt, dueAt }: Told,
  stays: string | undefined,
): Details {
  const { open, decided, opened_by, reason } = state;
  const told = because ? `; ${because}` : "";
  const asked = stays ? `. Cancellation was requested in the Temporal UI and refused: ${stays}` : "";
  const until = dueAt === null ? "" : ` by ${clock(dueAt)}`;
  const reminder = remindAt === null ? "no reminder is told" : `a reminder is told at ${clock(remindAt)}`;
  return {
    where: `${titleOf(state)}: ${open} unit(s) to decide about${decided.length > 0 ? `; ${listed(decided)}` : ""}`,
    why: `${opened_by} put them in quarantine: ${reason}${told}${asked}`,
    next: `somebody decides${until}: release, hold, damage or return_to_supplier; ${reminder}`,
  };
}

export function nextLook(remindAt: number | null, dueAt: number | null): Timer {
  const tells = [remindAt, dueAt].filter((at) => at !== null);
  const at = Math.min(...tells, Date.now() + LOOK_AGAIN_MS);
  const what = tells.includes(at) ? "Tells that the goods still wait for a decision" : "Looks at the rows again";
  return { ms: Math.max(1_000, at - Date.now()), summary: `${what} at ${clock(at)}` };
}

export const closed = (state: InspectionState): InspectionEnding => ({
  ended: "closed",
  why: state.decided.length > 0 ? listed(state.decided) : "its units are not there any more",
  next: "nothing here: what was released is sold, the rest is not in stock or on hold",
});

export const refused = (error: unknown): InspectionEnding => ({
  ended: "refused",
  why: reasonOf(error),
  next: "nothing was changed: there is no such inspection",
});
