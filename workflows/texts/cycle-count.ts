/** The texts of a count in the Temporal UI. */

import type { CountCreated, CountSubmitted } from "../../src/counting/shapes.js";
import { countWorkflowId } from "../../src/counting/workflow.js";
import { type Details, reasonOf } from "../../src/platform/temporal/details.js";
import type { Ending } from "../process.js";

export type CountEnded = "approved" | "rejected" | "no variance" | "cancelled" | "refused" | "repeated";
type CountEnding = Ending<CountEnded>;

/** What happened to the stock. */
const STOCK = {
  approved: "nothing here: stock was changed by what was approved",
  rejected: "nothing here: stock stays as it was",
  "no variance": "nothing here: stock is as expected",
  cancelled: "nothing here: stock stays as it was; count the bin again when it is to be counted",
};

const binOf = (countId: number, binCode: string) => `Count ${countId} of bin ${binCode}`;

export const titleOf = (countId: number, binCode?: string, warehouseCode?: string): string =>
  binCode ? `${binOf(countId, binCode)} in ${warehouseCode}` : `Count ${countId}`;

export const summaryOf = (countId: number, binCode: string, startedBy: string): string =>
  `${binOf(countId, binCode)}, by ${startedBy}`;

export const toCount = (title: string, { lines, assigned_to }: CountCreated, askedBy: string): Details => ({
  where: `${title} is to be counted: ${lines} item(s) expected in the bin`,
  why: `${askedBy} asked for it`,
  next: `${assigned_to ?? "whoever comes by"} counts and submits; there is no time limit`,
});

export const toReview = (title: string, why: string): Details => ({
  where: `${title} waits for an admin's decision`,
  why,
  next: "an admin other than the counter approves or rejects; there is no time limit",
});

export const differences = ({ lines_with_variance, total_lines }: CountSubmitted["summary"], by: string): string =>
  `${lines_with_variance} of ${total_lines} line(s) differ, counted by ${by}`;

export const differencesBefore = (by: string | null): string => `differences were counted by ${by}`;

export const partlyDecided = (pending: number, by: string): string =>
  `${pending} adjustment(s) are still to be decided, others were by ${by}`;

export const asExpected = (by: string): CountEnding => ({
  ended: "no variance",
  why: `counted by ${by}, as expected`,
  next: STOCK["no variance"],
});

export const decided = (ended: "approved" | "rejected", by: string): CountEnding => ({
  ended,
  why: `decided by ${by}`,
  next: STOCK[ended],
});

/** How a count had ended, or was ended just now, for the person who cancelled it in the Temporal UI. */
export const cancelledOr = (ended: keyof typeof STOCK): CountEnding => ({
  ended,
  why: ended === "cancelled" ? "cancellation was requested in the Temporal UI" : "its rows say so",
  next: STOCK[ended],
});

export const repeated = (earlier: number): CountEnding => ({
  ended: "repeated",
  why: `the same request had made count ${earlier} before`,
  next: `see ${countWorkflowId(earlier)}`,
});

export const refused = (error: unknown): CountEnding => ({
  ended: "refused",
  why: reasonOf(error),
  next: "nothing was changed: what the reason names is put right, and the count is begun again",
});
