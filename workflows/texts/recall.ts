/** The texts of a recall in the Temporal UI. */

import { type Details, reasonOf } from "../../src/platform/temporal/details.js";
import { openUnits, type RecallState, recallWorkflowId } from "../../src/recalls/workflow.js";
import type { Ending } from "../process.js";

export type RecallEnded = "closed" | "refused" | "repeated";
type RecallEnding = Ending<RecallEnded>;

/** How many lots the Temporal UI names. */
const SHOWN_LOTS = 10;

export const titleOf = (recallId: number): string => `Recall ${recallId}`;

export const summaryOfCount = (countId: number, bin: string, recallId: number): string =>
  `Count ${countId} of bin ${bin}, for recall ${recallId}`;

/** @param stays Why it goes on though its cancellation was requested in the Temporal UI. */
export function waits(state: RecallState, stays: string | undefined): Details {
  const { lots, units, opened_by, reason } = state;
  const open = openUnits(units);
  const named = lots.slice(0, SHOWN_LOTS).join("; ") + (lots.length > SHOWN_LOTS ? "; …" : "");
  const accounted = `${units.found} found, ${units.returned} returned, ${units.told} with customers who were told`;
  const gone = `${units.destroyed} destroyed, ${units.adjusted_out} not found by a count`;
  return {
    where:
      `${titleOf(state.recall_id)} of ${named}: ${open} of ${units.known} unit(s) are open (${units.to_count} to ` +
      `count, ${units.picked} picked for orders, ${units.to_tell} with customers to tell); ${accounted}, ${gone}`,
    why: `opened by ${opened_by}: ${reason}${stays ? `. ${stays}` : ""}`,
    next:
      open > 0
        ? "bins are counted, picked orders are taken back, customers are told; it waits as long as that takes"
        : "an admin closes it: each unit is accounted for",
  };
}

export const STAYS = "Cancellation was requested in the Temporal UI and refused: units are open";

export const closed = (by: string): RecallEnding => ({
  ended: "closed",
  why: `closed by ${by}`,
  next: "nothing here: its lots stay held until they are released",
});

export const repeated = ({ recall_id }: RecallState): RecallEnding => ({
  ended: "repeated",
  why: `the same request had opened recall ${recall_id} before`,
  next: `see ${recallWorkflowId(recall_id)}`,
});

export const refused = (error: unknown): RecallEnding => ({
  ended: "refused",
  why: reasonOf(error),
  next: "nothing was changed: what the reason names is put right, and the recall is opened again",
});
