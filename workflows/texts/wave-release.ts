/** The texts of a release by the clock in the Temporal UI. */

import type { NotReleased, ScheduledRun, TemplateStart } from "../../src/picking/waves/template-run.js";
import { clock, type Details, lateness } from "../../src/platform/temporal/details.js";
import type { Ending, Timer } from "../process.js";

export type ReleaseEnded = "completed" | "cancelled" | "skipped";
type ReleaseEnding = Ending<ReleaseEnded>;
/** What a run came to, and when. */
type Released = ScheduledRun & { at: number };
export type Run = Released | (NotReleased & { at: number });

const MINUTE_MS = 60_000;

export const titleOf = ({ template_name, warehouse_code }: TemplateStart) => `${template_name} in ${warehouse_code}`;

const released = ({ orders, batches, short, at }: Released) =>
  `released at ${clock(at)}: ${orders} order(s) in ${batches} batch(es), ${short} short of stock`;

export const cutOffTimer = (minutes: number): Timer => ({
  ms: minutes * MINUTE_MS,
  summary: `Releases what came in meanwhile at the cut-off, ${clock(Date.now() + minutes * MINUTE_MS)}`,
});

export const releasing = (start: TemplateStart, late: number): Details => ({
  where: `${titleOf(start)}: plans and releases`,
  why: `its schedule started it${lateness(late)}`,
  next: "pickers take the batches",
});

export const waiting = (start: TemplateStart, run: Released, late: number, { summary }: Timer): Details => ({
  where: `${titleOf(start)}: ${released(run)}${lateness(late)}`,
  why: "it waits for its cut-off",
  next: `${summary}, unless the template is paused or deleted by then`,
});

const WHY_NOT = {
  deleted: "the template was deleted",
  paused: "the template was paused",
  warehouse_inactive: "the warehouse is not active",
};

export const completed = (runs: Run[], late: number): ReleaseEnding => ({
  ended: "completed",
  why:
    runs
      .map((run, i) => {
        const what = "not_released" in run ? `nothing more: ${WHY_NOT[run.not_released]}` : released(run);
        return `${i > 0 ? "at the cut-off " : ""}${what}`;
      })
      .join("; ") + lateness(late),
  next: "nothing here: the batches wait for pickers",
});

export const skipped = ({ not_released }: NotReleased): ReleaseEnding => ({
  ended: "skipped",
  why: WHY_NOT[not_released],
  next:
    not_released === "warehouse_inactive"
      ? "nothing was released: the schedule goes on, and releases again once the warehouse is active"
      : "nothing here: nothing was released",
});

export const cancelled = (run: Released): ReleaseEnding => ({
  ended: "cancelled",
  why: `cancellation was requested in the Temporal UI; ${released(run)}`,
  next: "nothing here: what was released stays, what came in since waits for the next release",
});
