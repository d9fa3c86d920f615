import { randomUUID } from "node:crypto";
import { z } from "zod";
import { reviewAdjustments } from "../activities/adjustment-review.js";
import { approveCount, rejectCount } from "../activities/cycle-counts/index.js";
import { type Actor, scopeOf } from "../src/actor.js";
import {
  adjustmentsNamed,
  pendingAdjustments,
} from "../src/adjustments/queries.js";
import type { Decided, Decision } from "../src/adjustments/review.js";
import { countWorkflowId } from "../src/cycle-counts/count.js";
import { OwnCount } from "../src/cycle-counts/problems.js";
import { isCountOpen } from "../src/cycle-counts/queries.js";
import { refuseOwnCounts } from "../src/cycle-counts/separation.js";
import { db } from "../src/db.js";
import { groupBy } from "../src/group.js";
import { EngineUnavailable } from "../src/problem.js";
import { PromisedToPicks } from "../src/stock-problems.js";
import type * as count from "../workflows/cycle-count.js";
import { AdjustmentLine } from "./adjustment-line.js";
import { Id } from "./fields.js";
import { type Asking, step } from "./process.js";
import { page, route } from "./route.js";

/** What waits for an admin's decision: spec 4.6, reference 03 §8. */

export const listPending = route("get /api/admin/adjustments/pending", {
  for: page("count-approvals"),
  summary: "All adjustments that wait for a decision, the oldest first",
  answers: { 200: z.strictObject({ adjustments: z.array(AdjustmentLine) }) },
  run: async ({ by }) => ({
    adjustments: await pendingAdjustments(scopeOf(by)),
  }),
});

const MOST_DECISIONS = 5_000;
/** So many counts are asked at the same time. */
const AT_ONCE = 8;

export const review = route("post /api/admin/adjustments/review", {
  for: page("count-approvals"),
  summary:
    "Approves or rejects adjustments; those that are not pending are passed over. A refusal ends the review: what was decided before stays",
  body: z.strictObject({
    decisions: z
      .array(
        z.strictObject({
          adjustment_id: Id,
          action: z.enum(["approve", "reject"]),
        }),
      )
      .min(1)
      .max(MOST_DECISIONS),
  }),
  answers: {
    200: z.strictObject({ approved: z.int(), rejected: z.int() }),
  },
  errors: [OwnCount, PromisedToPicks, EngineUnavailable],
  run: async ({ body, by, res }) => {
    // Of an adjustment that is named twice, the first decision counts.
    const actions = new Map(
      body.decisions
        .toReversed()
        .map(({ adjustment_id, action }) => [adjustment_id, action]),
    );
    const named = (
      await adjustmentsNamed([...actions.keys()], scopeOf(by))
    ).map((adjustment) => ({
      ...adjustment,
      action: actions.get(adjustment.adjustment_id) as Decision["action"],
    }));
    const isCounted = ({ cycle_count_id }: (typeof named)[number]) =>
      cycle_count_id !== null;
    const counted = named.filter(isCounted);
    await refuseOwnCounts(
      db,
      counted.filter((a) => a.status === "PENDING" && a.action === "approve"),
      by,
    );
    const ofCounts = await reviewCounts({ by, res }, counted);
    const others = named.filter((adjustment) => !isCounted(adjustment));
    return reviewAdjustments(
      others.map(({ adjustment_id, action }) => ({ adjustment_id, action })),
      ofCounts,
      by,
    );
  },
});

/** Decides on adjustments of counts, count by count. */
async function reviewCounts(
  asking: Asking,
  counted: (Decision & { cycle_count_id: number | null })[],
): Promise<Decided> {
  const decided: Decided = { approved: 0, rejected: 0 };
  const counts = [...groupBy(counted, (a) => a.cycle_count_id as number)];
  for (let i = 0; i < counts.length; i += AT_ONCE) {
    const outcomes = await Promise.allSettled(
      counts
        .slice(i, i + AT_ONCE)
        .map(([countId, decisions]) => reviewCount(asking, countId, decisions)),
    );
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") throw outcome.reason;
      decided.approved += outcome.value.approved;
      decided.rejected += outcome.value.rejected;
    }
  }
  return decided;
}

/** Decides on adjustments of one count through its process, which waits for that. */
async function reviewCount(
  asking: Asking,
  countId: number,
  decisions: Decision[],
): Promise<Decided> {
  const decide = async (action: Decision["action"]): Promise<number> => {
    const ids = decisions
      .filter((decision) => decision.action === action)
      .map((decision) => decision.adjustment_id);
    if (ids.length === 0) return 0;
    const by = commandWithin(asking.by, `${action} ${countId}`);
    const directly = action === "approve" ? approveCount : rejectCount;
    const { resolved } = await step<
      typeof count.cycleCount,
      typeof count.approve
    >(
      { ...asking, by },
      {
        workflow: "cycleCount",
        workflowId: countWorkflowId(countId),
        args: [countId, by],
        isOpen: () => isCountOpen(countId),
      },
      action,
      [by, ids],
      () => directly({ count_id: countId, adjustment_ids: ids }, by),
    );
    return resolved;
  };
  return {
    approved: await decide("approve"),
    rejected: await decide("reject"),
  };
}

/** A command of its own, named after the request's: the same request again finds it done. */
const commandWithin = (by: Actor, name: string): Actor => ({
  ...by,
  commandId: `${name}/${by.commandId}`,
  ...(by.keyed && { keyed: { ...by.keyed, attemptId: randomUUID() } }),
});
