/** The texts of a return in the Temporal UI. */

import { type Details, reasonOf } from "../../src/platform/temporal/details.js";
import { type ReturnOutcome, type ReturnStarted, returnWorkflowId, type UnitsOf } from "../../src/returns/workflow.js";
import type { Ending } from "../process.js";

export type ReturnEnded = "received" | "voided" | "refused" | "repeated";
type ReturnEnding = Ending<ReturnEnded>;

const NEXT = {
  received: "nothing here: what came is in stock",
  voided: "nothing here: what it named may be returned anew",
};

export const titleOf = (rows: ReturnStarted | undefined, soId: number): string =>
  rows ? `${rows.so_number} in ${rows.warehouse_code}` : `Return ${soId}`;

const listed = (units: UnitsOf[]): string => units.map(({ sku, units }) => `${units} × ${sku}`).join(", ");

export const received = (came: UnitsOf, by: string): string => `${listed([came])} received by ${by}`;

/**
 * @param last What came last, and by whom.
 * @param stays Why it could not be cancelled, where that was requested in the Temporal UI.
 */
export function waits(rows: ReturnStarted, last: string, stays: string | undefined): Details {
  const { received, expected, original_so_number, made_by } = rows;
  const part = received > 0;
  const more = expected.units > expected.first.reduce((sum, one) => sum + one.units, 0) ? ", …" : "";
  const came = part ? `; ${received} unit(s) have come${last ? `. Last: ${last}` : ""}` : "";
  const asked = stays ? `. Cancellation was requested in the Temporal UI and refused: ${stays}` : "";
  const voids = part ? "" : ", or an admin voids it";
  return {
    where: `${titleOf(rows, rows.so_id)} waits for ${expected.units} unit(s): ${listed(expected.first)}${more}${came}`,
    why: `${made_by} expects goods of ${original_so_number} back${asked}`,
    next: `what comes is received${voids}; it may wait for the days of setting returns_expire_days`,
  };
}

export const allReceived = (last: string): ReturnEnding => ({
  ended: "received",
  why: `all has come. Last: ${last}`,
  next: NEXT.received,
});

export const voided = (by: string): ReturnEnding => ({ ended: "voided", why: `voided by ${by}`, next: NEXT.voided });

export const BY_OPERATOR: ReturnEnding = {
  ...{ ended: "voided", byOperator: true },
  ...{ why: "cancellation was requested in the Temporal UI", next: NEXT.voided },
};

export const expired = (ended: ReturnOutcome, days: number): ReturnEnding => ({
  ended,
  why: `nothing came for ${days} days (setting returns_expire_days)`,
  next: NEXT[ended],
});

/** How a return has ended, by its rows. */
export const found = (ended: ReturnOutcome): ReturnEnding => ({
  ended,
  why: `its rows say that it was ${ended}`,
  next: NEXT[ended],
});

export const repeated = ({ so_id, so_number }: ReturnStarted): ReturnEnding => ({
  ended: "repeated",
  why: `the same request had made return ${so_number} before`,
  next: `see ${returnWorkflowId(so_id)}`,
});

export const refused = (error: unknown): ReturnEnding => ({
  ended: "refused",
  why: reasonOf(error),
  next: "nothing was changed: what the reason names is put right, and the return is made again",
});
