import assert from "node:assert/strict";
import type { LabelAttempted, LabelEnded } from "../../src/carriers/workflow.js";
import { until } from "../support/until.js";
import { detailsOf, listedAs, refusalOf, summariesOf, workflowEnvironment } from "../support/workflow-environment.js";

const again = (attempt: number, wait_ms: number): LabelAttempted => ({
  ...{ why: "No connection", next: { attempt, wait_ms } },
});
const LONG_MS = 7_200_000;

const doubles = {
  describeLabel: async () => ({
    ...{ what: "label of SO-1, parcel 2", so_number: "SO-1", warehouse_id: 1, warehouse_code: "MAIN", attempts: 0 },
    missing_attributes: [],
  }),
  giveUpLabel: async () => ({ ended: "cancelled" as const, why: null }),
};

describe("the workflow of a label", () => {
  const run = workflowEnvironment();

  /** Attempts that end like this, one after the other. */
  function attempts(...outcomes: LabelAttempted[]) {
    const asked: number[] = [];
    const attemptLabel = async (purchaseId: number) => {
      asked.push(purchaseId);
      return outcomes[asked.length - 1] as LabelAttempted;
    };
    return { asked, activities: { ...doubles, attemptLabel } };
  }

  const outcomeOf = { bought: "bought", voided: "voided", withdrawn: "stopped", gone: "stopped" };
  for (const ended of ["bought", "voided", "withdrawn", "gone"] satisfies LabelEnded[])
    it(`tries until it is told that the label is ${ended}`, async () => {
      const { asked, activities } = attempts(again(2, 50), again(3, 50), { ended, why: null });
      await run(activities, async ({ start }) => {
        const handle = await start("labelPurchase", [7]);
        assert.deepEqual(await handle.result(), { purchase_id: 7, ended });
        assert.deepEqual(asked, [7, 7, 7]);
        const listed = await listedAs(handle);
        assert.deepEqual([listed.status, listed.stage, listed.outcome], ["COMPLETED", "ended", outcomeOf[ended]]);
        const summaries = await summariesOf(handle);
        assert.ok(summaries.includes("Attempt 3 of 30: label of SO-1, parcel 2"), `${summaries}`);
      });
    });

  for (const [ended, said] of [
    ["failed", "was not bought"],
    ["void_failed", "was not taken back"],
  ] as const)
    it(`fails with the reason where it ${said}`, async () => {
      const { activities } = attempts({ ended, why: "The carrier does not know the address" });
      await run(activities, async ({ start }) => {
        const handle = await start("labelPurchase", [7]);
        assert.equal(
          await refusalOf(handle.result()),
          `label of SO-1, parcel 2 ${said}: The carrier does not know the address`,
        );
        assert.deepEqual(await listedAs(handle), { status: "FAILED", stage: "ended", outcome: "failed" });
      });
    });

  it("can be read while it waits, beyond the usual attempts, too, and looks at its row when told", async () => {
    const { asked, activities } = attempts(again(32, LONG_MS), { ended: "withdrawn", why: null });
    const describeLabel = async () => ({ ...(await doubles.describeLabel()), attempts: 30 });
    await run({ ...activities, describeLabel }, async ({ start }) => {
      const handle = await start("labelPurchase", [7]);
      await until(async () => /attempt 31 failed: No connection\n.*attempt 32 of/.test(await detailsOf(handle)));
      assert.equal((await listedAs(handle)).stage, "retrying");
      await handle.signal("changed");
      assert.equal(((await handle.result()) as { ended: string }).ended, "withdrawn");
      assert.equal(asked.length, 2);
    });
  });

  it("gives it up when it is cancelled in the UI, unless it had ended before", async () => {
    for (const [given, expected] of [
      [{ ended: "cancelled" as const, why: null }, "CANCELLED"],
      [{ ended: "bought" as const, why: null }, "COMPLETED"],
    ] as const) {
      const { activities } = attempts(again(2, LONG_MS));
      await run({ ...activities, giveUpLabel: async () => given }, async ({ start }) => {
        const handle = await start("labelPurchase", [7]);
        await until(async () => /waits/.test(await detailsOf(handle)));
        await handle.cancel();
        await handle.result().catch(() => {});
        assert.equal((await listedAs(handle)).status, expected);
      });
    }
  });
});
