import assert from "node:assert/strict";
import type { PushAttempted, PushEnded } from "../../src/connectors/pushes/push.js";
import { Connector, SoNumbers } from "../../src/platform/temporal/search-attributes.js";
import { until } from "../support/until.js";
import { detailsOf, listedAs, refusalOf, summariesOf, workflowEnvironment } from "../support/workflow-environment.js";

const again = (wait_ms: number): PushAttempted => ({ why: "HTTP status 500", wait_ms });
const LONG_MS = 7_200_000;

const doubles = {
  describePush: async () => ({
    ...{ kind: "ship" as const, connector: "shop", so_number: "SO-1", warehouse_id: 1, warehouse_code: "MAIN" },
    missing_attributes: [],
  }),
  giveUpPush: async () => ({ ended: "cancelled" as const, why: null }),
};

describe("the workflow of a push", () => {
  const run = workflowEnvironment();

  /** Attempts that end like this, one after the other; `asked` has the number that each was given. */
  function attempts(...outcomes: PushAttempted[]) {
    const asked: number[] = [];
    const pushShipment = async (_pushId: number, attempt: number) => {
      asked.push(attempt);
      return outcomes[asked.length - 1] as PushAttempted;
    };
    return { asked, activities: { ...doubles, pushShipment } };
  }

  const outcomeOf = { pushed: "pushed", skipped: "skipped", disabled: "stopped" };
  for (const ended of ["pushed", "skipped", "disabled"] satisfies PushEnded[])
    it(`tries until it is told that the push is ${ended}, and waits in between as it is told`, async () => {
      const { asked, activities } = attempts(again(75), again(150), { ended, why: "so it is" });
      await run(activities, async ({ start }) => {
        const handle = await start("fulfillmentPush", [7]);
        assert.deepEqual(await handle.result(), { push_id: 7, ended });
        assert.deepEqual(asked, [1, 2, 3]);
        const { events } = await handle.fetchHistory();
        const waits = (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
          timer ? [Number(timer.startToFireTimeout?.nanos) / 1e6] : [],
        );
        assert.deepEqual(waits, [75, 150]);
        const listed = await listedAs(handle);
        assert.deepEqual([listed.status, listed.stage, listed.outcome], ["COMPLETED", "ended", outcomeOf[ended]]);
      });
    });

  it("can be found and read while it waits", async () => {
    const { activities } = attempts(again(LONG_MS));
    await run(activities, async ({ start }) => {
      const handle = await start("fulfillmentPush", [7]);
      const details = new RegExp(
        "Where:\\*\\* the shipment of SO-1 waits .*\n.*attempt 1 failed: HTTP status 500\n" +
          ".*attempt 2 of 3 at \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC$",
      );
      await until(async () => details.test(await detailsOf(handle)));
      assert.equal((await listedAs(handle)).stage, "retrying");
      const { typedSearchAttributes: found } = await handle.describe();
      assert.deepEqual([found.get(Connector), found.get(SoNumbers)], ["shop", ["SO-1"]]);
      const summaries = await summariesOf(handle);
      assert.ok(summaries.includes("Attempt 1 of 3: tells shop of the shipment of SO-1"), `${summaries}`);
      assert.ok(summaries.every(Boolean), `${summaries}`);
    });
  });

  it("fails at once at a fault of ours, which says what is tried again from the rows", async () => {
    let asked = 0;
    const pushShipment = async () => {
      asked++;
      throw new TypeError("x is not a function");
    };
    await run({ ...doubles, pushShipment }, async ({ start }) => {
      const handle = await start("fulfillmentPush", [7]);
      assert.equal(
        await refusalOf(handle.result()),
        "shop has not been told of the shipment of SO-1 yet: x is not a function",
      );
      assert.equal(asked, 1);
      assert.deepEqual(await listedAs(handle), { status: "FAILED", stage: "ended", outcome: "failed" });
      assert.match(
        await detailsOf(handle),
        /stopped at a fault; later pushes of its order wait too\n.*x is not a function\n.*tried again every minute/,
      );
    });
  });

  it("ends as the push did that had ended before it could be given up", async () => {
    const { activities } = attempts(again(LONG_MS));
    const giveUpPush = async () => ({ ended: "pushed" as const, why: null });
    await run({ ...activities, giveUpPush }, async ({ start }) => {
      const handle = await start("fulfillmentPush", [7]);
      await until(async () => /waits/.test(await detailsOf(handle)));
      await handle.cancel();
      assert.deepEqual(await handle.result(), { push_id: 7, ended: "pushed" });
    });
  });

  it("goes on with an attempt that the database was away for", async () => {
    const { activities } = attempts({ ended: "pushed", why: null });
    let asked = 0;
    const pushShipment = async (pushId: number, attempt: number) => {
      if (++asked === 1) throw new Error("the database is away");
      return activities.pushShipment(pushId, attempt);
    };
    await run({ ...activities, pushShipment }, async ({ start }) => {
      const handle = await start("fulfillmentPush", [7]);
      assert.deepEqual(await handle.result(), { push_id: 7, ended: "pushed" });
      assert.equal(asked, 2);
    });
  });
});
