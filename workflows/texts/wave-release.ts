/** The texts of a release by the clock in the Temporal UI. */

import type { ScheduledRun, TemplateStart } from "../../src/picking/waves/template-run.js";
import { clock, type Details } from "../../src/platform/temporal/details.js";
import type { Ending, Timer } from "../process.js";

export type ReleaseEnded = "completed" | "cancelled" | "skipped";
type ReleaseEnding = Ending<ReleaseEnded>;

const MINUTE_MS = 60_000;

export const titleOf = ({ template_name, warehouse_code }: TemplateStart) => `${template_name} in ${warehouse_code}`;

const lateness = (minutes: number) => (minutes > 0 ? `, ${minutes} min late` : "");

/** @param at When it was released. */
const released = ({ orders, batches, short }: ScheduledRun, at: number) =>
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

export const waiting = (start: TemplateStart, run: ScheduledRun, late: number, { summary }: Timer): Details => ({
  where: `${titleOf(start)}: ${released(run, Date.now())}${lateness(late)}`,
  why: "it waits for its cut-off",
  next: summary,
});

export const completed = (runs: ScheduledRun[], late: number): ReleaseEnding => ({
  ended: "completed",
  why:
    runs.map((run, i) => `${i > 0 ? "at the cut-off " : ""}${released(run, Date.now())}`).join("; ") + lateness(late),
  next: "nothing here: the batches wait for pickers",
});

export const skipped: ReleaseEnding = {
  ended: "skipped",
  why: "the template is gone or was switched off",
  next: "nothing here: nothing was released",
};

export const cancelled: ReleaseEnding = {
  ended: "cancelled",
  why: "cancellation was requested in the Temporal UI",
  next: "nothing here: what was released stays, what came in since waits for the next release",
};
