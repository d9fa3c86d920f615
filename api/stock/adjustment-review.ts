import { randomUUID } from "node:crypto";
import { z } from "zod";
import { approveCount, rejectCount } from "../../activities/counting/index.js";
import * as activities from "../../activities/stock/adjustment-review.js";
import { refuseCountedAgain } from "../../src/counting/counted-again.js";
import { refuseOwnCounts } from "../../src/counting/own-counts.js";
import { CountedAgain, OwnCount } from "../../src/counting/problems.js";
import { openCountIn } from "../../src/counting/queries.js";
import { countWorkflowId } from "../../src/counting/workflow.js";
import { type Actor, shownWarehouses, visibleWarehouses } from "../../src/platform/actor.js";
import { db } from "../../src/platform/db/db.js";
import { wholeList } from "../../src/platform/list.js";
import { DomainError, WorkflowEngineUnavailable } from "../../src/platform/problem.js";
import { groupBy } from "../../src/platform/values.js";
import { unadjustable } from "../../src/serials/problems.js";
import { adjustmentsById, pendingAdjustments } from "../../src/stock/adjustments/queries.js";
import { Adjustment, Decision, ReviewAnswer, type ReviewResult } from "../../src/stock/adjustments/shapes.js";
import { ExpiryRequired, LotNotKept, LotRequired, PromisedToPicks } from "../../src/stock/problems.js";
import type * as count from "../../workflows/cycle-count.js";
import { page, route } from "../http/route.js";
import { runUpdate, type WorkflowCall } from "../http/workflow-updates.js";

/** The review of PENDING adjustments by an admin: docs/interface.md, Adjustments. */

export const listPendingAdjustments = route("get /api/admin/adjustments/pending", {
  for: page("count-approvals"),
  summary: "All pending adjustments, the oldest first",
  query: z.object(wholeList(Adjustment)),
  answers: {
    200: z.strictObject({
      adjustments: z.array(Adjustment).describe("Corrections of stock, each of one item in one bin."),
    }),
  },
  run: async ({ by }) => ({ adjustments: await pendingAdjustments(shownWarehouses(by)) }),
});

/** Whether an adjustment of more units is approved. */
async function approvesMoreThan(units: number, decisions: Decision[]): Promise<boolean> {
  const approved = decisions.filter(({ action }) => action === "approve");
  const found = await adjustmentsById(
    approved.map(({ adjustment_id }) => adjustment_id),
    null,
  );
  return found.some(({ quantity_change }) => Math.abs(quantity_change) > units);
}

const MOST_DECISIONS = 5_000;
/** How many cycle counts are updated concurrently. */
const AT_ONCE = 8;

export const reviewAdjustments = route("post /api/admin/adjustments/review", {
  for: page("count-approvals"),
  stepUp: ({ decisions }, { adjustmentUnits }) => adjustmentUnits > 0 && approvesMoreThan(adjustmentUnits, decisions),
  summary:
    "Approves or rejects adjustments; those that are not pending are skipped. An error ends the review: " +
    "decisions made before it are kept, and `decisions` says in both answers what each adjustment is now",
  body: z.strictObject({
    decisions: z.array(Decision).min(1).max(MOST_DECISIONS).describe("What is decided for each adjustment."),
  }),
  answers: { 200: ReviewAnswer },
  errors: [
    ...[OwnCount, CountedAgain, PromisedToPicks, LotRequired, LotNotKept, ExpiryRequired, ...unadjustable],
    WorkflowEngineUnavailable,
  ],
  run: async ({ body, by, res }) => {
    // When an adjustment is listed twice, its first decision counts.
    const decisions = new Map(body.decisions.toReversed().map((decision) => [decision.adjustment_id, decision]));
    const found = (await adjustmentsById([...decisions.keys()], visibleWarehouses(by))).map((adjustment) => ({
      ...adjustment,
      ...(decisions.get(adjustment.adjustment_id) as Decision),
    }));
    const isCounted = ({ cycle_count_id }: (typeof found)[number]) => cycle_count_id !== null;
    const counted = found.filter(isCounted);
    await refuseOwnCounts(
      db,
      counted.filter((a) => a.status === "PENDING" && a.action === "approve"),
      by,
    );
    await refuseCountedAgain(
      db,
      counted.filter((a) => a.action === "approve").map((a) => a.adjustment_id),
    );
    const decided = async () =>
      (await adjustmentsById([...decisions.keys()], visibleWarehouses(by))).map(
        ({ adjustment_id, status, quantity_change }) => ({ adjustment_id, status, quantity_change }),
      );
    try {
      const ofCounts = await reviewCounts({ by, res }, counted);
      const others = found.filter((adjustment) => !isCounted(adjustment));
      const result = await activities.reviewAdjustments(
        others.map(({ adjustment_id, action, serial_numbers, lot_number }) => ({
          ...{ adjustment_id, action, serial_numbers, lot_number },
        })),
        ofCounts,
        by,
      );
      return { ...result, decisions: await decided() };
    } catch (error) {
      // Some may be decided by now, also the one whose update did not answer.
      if (error instanceof DomainError) error.body.decisions = await decided();
      throw error;
    }
  },
});

/** Applies the decisions on adjustments that cycle counts made, one workflow update for each count and action. */
async function reviewCounts(
  caller: WorkflowCall,
  counted: (Decision & { cycle_count_id: number | null })[],
): Promise<ReviewResult> {
  const result: ReviewResult = { approved: 0, rejected: 0 };
  const counts = [...groupBy(counted, (a) => a.cycle_count_id as number)];
  for (let i = 0; i < counts.length; i += AT_ONCE) {
    const outcomes = await Promise.allSettled(
      counts.slice(i, i + AT_ONCE).map(([countId, decisions]) => reviewCount(caller, countId, decisions)),
    );
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") throw outcome.reason;
      result.approved += outcome.value.approved;
      result.rejected += outcome.value.rejected;
    }
  }
  return result;
}

/** Applies the decisions on one count's adjustments through updates of its workflow. */
async function reviewCount(caller: WorkflowCall, countId: number, decisions: Decision[]): Promise<ReviewResult> {
  const decide = async (action: Decision["action"]): Promise<number> => {
    const ids = decisions.filter((decision) => decision.action === action).map((decision) => decision.adjustment_id);
    if (ids.length === 0) return 0;
    const by = withDerivedCommandId(caller.by, `${action} ${countId}`);
    const named = decisions.filter((one) => action === "approve" && (one.serial_numbers?.length || one.lot_number));
    const serials = Object.fromEntries(named.map((one) => [one.adjustment_id, one.serial_numbers ?? []]));
    const lots = Object.fromEntries(
      named.flatMap(({ adjustment_id, lot_number }) => (lot_number ? [[adjustment_id, lot_number]] : [])),
    );
    const activity = action === "approve" ? approveCount : rejectCount;
    const { resolved } = await runUpdate<typeof count.cycleCount, typeof count.approve>(
      { ...caller, by },
      {
        workflow: "cycleCount",
        workflowId: countWorkflowId(countId),
        args: [countId, by],
        openIn: () => openCountIn(countId),
      },
      action,
      named.length > 0 ? [by, ids, serials, lots] : [by, ids],
      () => activity({ count_id: countId, adjustment_ids: ids, ...(named.length > 0 && { serials, lots }) }, by),
    );
    return resolved;
  };
  return { approved: await decide("approve"), rejected: await decide("reject") };
}

/**
 * An actor whose command id is derived from the request's, because each update is a command of its own. A repeated
 * request gets the same ids, so each command is executed once.
 */
const withDerivedCommandId = (by: Actor, name: string): Actor => ({
  ...by,
  commandId: `${name}/${by.commandId}`,
  ...(by.keyed && { keyed: { ...by.keyed, attemptId: randomUUID() } }),
});
