/** The texts of a warehouse's replenishment in the Temporal UI. */

import type { Looked, WaitingReleased } from "../../src/picking/replenishment/workflow.js";
import { clock, type Details, reasonOf } from "../../src/platform/temporal/details.js";
import type { Ending, Timer } from "../process.js";

export type ReplenishmentEnded = "completed" | "refused";
type ReplenishmentEnding = Ending<ReplenishmentEnded>;

/** How long to wait where only what is told counts: a signal may have been lost. */
const LOOK_ANYWAY_MS = 12 * 3_600_000;

export const STAYS = "the warehouse has pick faces; setting replenishment_look_minutes 0 stops regular looks";

export const titleOf = ({ warehouse_code }: Looked) => `Replenishment of ${warehouse_code}`;

const counts = ({ faces, open, urgent, waves }: Looked) =>
  `${faces} pick face(s), ${open} task(s) open, ${urgent} urgent, ${waves} wave(s) wait`;

export const nextLook = ({ look_ms }: Looked): Timer => {
  const ms = look_ms ?? LOOK_ANYWAY_MS;
  return { ms, summary: `Looks at the pick faces again at ${clock(Date.now() + ms)}` };
};

/** @param stays Why it could not be cancelled, where that was requested in the Temporal UI. */
export function waits(
  looked: Looked,
  { released, batches }: Pick<WaitingReleased, "released" | "batches">,
  { summary }: Timer,
  stays: string | undefined,
): Details {
  const went = released > 0 ? `; ${released} wave(s) went on in ${batches} batch(es)` : "";
  const asked = stays ? `. Cancellation was requested in the Temporal UI and refused: ${stays}` : "";
  return {
    where: `${titleOf(looked)}: ${counts(looked)}`,
    why: `its last look made ${looked.made} task(s)${went}${asked}`,
    next: `${summary}, or when a task ends or a release waits for one`,
  };
}

export const completed = (): ReplenishmentEnding => ({
  ended: "completed",
  why: "the warehouse has no pick face, no open task and no wave that waits",
  next: "nothing here: the first pick face begins it anew",
});

export const refused = (error: unknown): ReplenishmentEnding => ({
  ended: "refused",
  why: reasonOf(error),
  next: "nothing was changed",
});
