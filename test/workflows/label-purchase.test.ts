import assert from "node:assert/strict";
import proto from "@temporalio/proto";
import { LABEL_STAGE, type LabelAttempted, type LabelEnded, labelAttributes } from "../../src/carriers/workflow.js";
import { Stage } from "../../src/platform/temporal/search-attributes.js";
import { until } from "../support/until.js";
import {
  detailsOf,
  eventsOf,
  listedAs,
  type Running,
  refusalOf,
  summariesOf,
  workflowEnvironment,
} from "../support/workflow-environment.js";

const { EventType } = proto.temporal.api.enums.v1;

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

  describe("that was told at its start what it buys", () => {
    const known = {
      ...{ what: "label of SO-1, parcel 2", so_number: "SO-1", warehouse_id: 1, warehouse_code: "MAIN", attempts: 0 },
    };
    const attributes = [...labelAttributes(known), { key: Stage, value: LABEL_STAGE }];
    const bought: LabelAttempted = { ended: "bought", why: null };
    const begin = (start: Running["start"]) =>
      start("labelPurchase", [7, known, true], undefined, undefined, attributes);
    const { EVENT_TYPE_WORKFLOW_TASK_COMPLETED: TASKS, EVENT_TYPE_ACTIVITY_TASK_SCHEDULED: ACTIVITIES } = EventType;

    it("makes its first attempt within its first task", async () => {
      const { asked, activities } = attempts();
      await run({ ...activities, beginLabel: async () => bought }, async ({ start }) => {
        const handle = await begin(start);
        assert.deepEqual(await handle.result(), { purchase_id: 7, ended: "bought" });
        const listed = await listedAs(handle);
        assert.deepEqual([listed.status, listed.stage, listed.outcome], ["COMPLETED", "ended", "bought"]);
        const count = await eventsOf(handle);
        assert.deepEqual([count(TASKS), count(ACTIVITIES), asked], [1, 0, []]);
        assert.deepEqual(await summariesOf(handle), ["Attempt 1 of 30: label of SO-1, parcel 2"]);
      });
    });

    it("makes further ones where the Temporal UI shows them", async () => {
      const { asked, activities } = attempts({ ended: "bought", why: null });
      await run({ ...activities, beginLabel: async () => again(2, 50) }, async ({ start }) => {
        const handle = await begin(start);
        assert.equal(((await handle.result()) as { ended: string }).ended, "bought");
        assert.deepEqual(asked, [7]);
        assert.ok((await summariesOf(handle)).includes("Attempt 2 of 30: label of SO-1, parcel 2"));
      });
    });

    const failing = (message: string) => async () => {
      throw new Error(message);
    };
    for (const [what, beginLabel] of [
      ["takes longer", async () => null],
      ["fails otherwise than by the carrier's answer", failing("No connection to the database")],
    ] as const)
      it(`goes on where the Temporal UI shows it when the first attempt ${what}`, async () => {
        const { asked, activities } = attempts({ ended: "bought", why: null });
        await run({ ...activities, beginLabel }, async ({ start }) => {
          const handle = await begin(start);
          assert.equal(((await handle.result()) as { ended: string }).ended, "bought");
          assert.deepEqual([asked, (await eventsOf(handle))(ACTIVITIES)], [[7], 1]);
          const first = "Attempt 1 of 30: label of SO-1, parcel 2";
          assert.deepEqual((await summariesOf(handle)).slice(0, 2), [first, first]);
        });
      });

    it("fails at a fault of its first attempt, with its row as it is", async () => {
      const { asked, activities } = attempts();
      const beginLabel = async () => {
        throw new TypeError("undefined is not a function");
      };
      await run({ ...activities, beginLabel }, async ({ start }) => {
        const handle = await begin(start);
        assert.match(await refusalOf(handle.result()), /is not settled with the carrier yet: undefined is not/);
        assert.deepEqual(await listedAs(handle), { status: "FAILED", stage: "ended", outcome: "failed" });
        assert.deepEqual(asked, []);
      });
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

  it("says that it is to be taken back, from its row or as an attempt tells", async () => {
    const describeLabel = async () => ({ ...(await doubles.describeLabel()), takes_back: true });
    for (const [described, took, first] of [
      [describeLabel, {}, "Attempt 1 of 30 to take it back: label of SO-1, parcel 2"],
      [doubles.describeLabel, { takes_back: true }, "Attempt 1 of 30: label of SO-1, parcel 2"],
    ] as const) {
      const { activities } = attempts({ ...again(2, LONG_MS), ...took }, { ended: "voided", why: "not paid back yet" });
      await run({ ...activities, describeLabel: described }, async ({ start }) => {
        const handle = await start("labelPurchase", [7]);
        await until(async () => /attempt 1 to take it back failed: No connection/.test(await detailsOf(handle)));
        await handle.signal("changed");
        await handle.result();
        assert.match(await detailsOf(handle), /ended: voided\n.*not paid back yet/);
        const summaries = await summariesOf(handle);
        assert.equal(summaries[1], first);
        assert.ok(summaries.includes("Attempt 2 of 30 to take it back: label of SO-1, parcel 2"), `${summaries}`);
      });
    }
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
