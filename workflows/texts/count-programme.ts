/** The texts of a count programme in the Temporal UI. */

import { fractionText } from "../../src/counting/programmes/fraction.js";
import type { MadeCounts, NothingMade, ProgrammeStart } from "../../src/counting/programmes/run.js";
import { type Details, lateness } from "../../src/platform/temporal/details.js";
import type { Ending } from "../process.js";

export type ProgrammeEnded = "completed" | "skipped";
type ProgrammeEnding = Ending<ProgrammeEnded>;

export const titleOf = ({ warehouse_code }: ProgrammeStart) => `Count programme of ${warehouse_code}`;

export const summaryOfCount = (countId: number, bin: string) =>
  `Count ${countId} of bin ${bin}, by the count programme`;

export const making = (start: ProgrammeStart, late: number): Details => ({
  where: `${titleOf(start)}: makes the counts that are due`,
  why: `its schedule started it${lateness(late)}`,
  next: "people count",
});

function madeText({ counts, made, waiting }: MadeCounts): string {
  const parts = [
    made.doubt && `${made.doubt} by doubt`,
    made.class_a && `${made.class_a} of class A`,
    made.class_b && `${made.class_b} of class B`,
    made.class_c && `${made.class_c} of class C`,
    made.empty && `${made.empty} empty`,
  ].filter(Boolean);
  const by = parts.length > 0 ? `: ${parts.join(", ")}` : "";
  return `${counts.length} count(s) made${by}; ${waiting} bin(s) are due and wait`;
}

export const completed = (run: MadeCounts, late: number): ProgrammeEnding => ({
  ended: "completed",
  why:
    `${madeText(run)}${lateness(late)}. Seen within their intervals: ${fractionText(run.seen)} bin(s); ` +
    `right in 90 days: ${fractionText(run.right)} line(s)`,
  next: "nothing here: people count, and what waits is due the next time",
});

const WHY_NOT = {
  deleted: "the programme was deleted",
  paused: "the programme was paused",
  warehouse_inactive: "the warehouse is not active",
};

export const skipped = ({ nothing_made }: NothingMade): ProgrammeEnding => ({
  ended: "skipped",
  why: WHY_NOT[nothing_made],
  next:
    nothing_made === "warehouse_inactive"
      ? "no count was made: the schedule goes on, and makes counts again once the warehouse is active"
      : "nothing here: no count was made",
});
