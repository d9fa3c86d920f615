import assert from "node:assert/strict";
import fc from "fast-check";
import type { Attempted, StuckDelivery } from "../../src/outbound/webhooks/delivery.js";
import { EventId, SubscriptionId } from "../../src/temporal/search-attributes.js";
import { LONG_HISTORY } from "../support/servers.js";
import { until } from "../support/until.js";
import { detailsOf, refusalOf, workflowEnvironment } from "../support/workflow-environment.js";

const stuck: StuckDelivery = {
  ...{ subscription_id: "s-1", first_delivery_id: 7, event_id: 42 },
  event_type: "ship.confirmed",
};
const again = (attempt: number, wait_ms: number): Attempted => ({
  ...{ failure: "5xx 503", next: { attempt, wait_ms } },
});
const LONG_MS = 7_200_000;

describe("the workflow of a webhook delivery", () => {
  const run = workflowEnvironment();

  /** Attempts that end like this, one after the other, the last one always. */
  function attempts(...outcomes: Attempted[]) {
    const asked: StuckDelivery[] = [];
    const attemptDelivery = async (delivery: StuckDelivery) => {
      asked.push(delivery);
      return outcomes[Math.min(asked.length, outcomes.length) - 1] as Attempted;
    };
    return { asked, doubles: { attemptDelivery } };
  }

  it("tries until an attempt ends it, and waits before each as it was told", async () => {
    const ends = ["succeeded", "dlq", "failed", "paused"] as const;
    const asked = ends.map(() => 0);
    /** Of the delivery that its event numbers. */
    const attemptDelivery = async ({ event_id: i }: StuckDelivery) => {
      const attempt = (asked[i] as number) + 1;
      asked[i] = attempt;
      if (attempt < 3) return again(attempt + 1, attempt * 75);
      return { ended: ends[i] as (typeof ends)[number] };
    };
    await run({ attemptDelivery }, async ({ start }) => {
      const endsAs = async (ended: string, event_id: number) => {
        const handle = await start("webhookDelivery", [{ ...stuck, event_id }]);
        assert.deepEqual(await handle.result(), { event_id, ended });
        const { events } = await handle.fetchHistory();
        assert.deepEqual(
          (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
            timer ? [Number(timer.startToFireTimeout?.nanos) / 1e6] : [],
          ),
          [75, 150],
        );
      };
      await Promise.all(ends.map(endsAs));
    });
    assert.deepEqual(asked, [3, 3, 3, 3]);
  });

  it("can be found and read while it waits, and looks at once when its subscription was changed", async () => {
    const { asked, doubles } = attempts(again(3, LONG_MS), again(3, LONG_MS - 1_000_000), { ended: "paused" });
    await run(doubles, async ({ start }) => {
      const handle = await start("webhookDelivery", [stuck]);
      await until(async () => (await detailsOf(handle)) === "5xx 503. Attempt 3 of 8 in 7200 s");
      const { typedSearchAttributes: found } = await handle.describe();
      assert.deepEqual([found.get(SubscriptionId), found.get(EventId)], ["s-1", "42"]);
      await handle.signal("changed");
      await until(async () => (await detailsOf(handle)) === "5xx 503. Attempt 3 of 8 in 6200 s");
      await handle.signal("changed");
      assert.deepEqual(await handle.result(), { event_id: 42, ended: "paused" });
      assert.equal(asked.length, 3);
    });
  });

  it("looks once more when its subscription was changed during the attempt that ended it", async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let asked = 0;
    const attemptDelivery = async (): Promise<Attempted> => {
      asked++;
      await finished;
      return { ended: asked === 1 ? "paused" : "succeeded" };
    };
    await run({ attemptDelivery }, async ({ start }) => {
      const handle = await start("webhookDelivery", [stuck]);
      await until(() => asked === 1);
      await handle.signal("changed");
      finish();
      assert.equal((await handle.result()).ended, "succeeded");
    });
    assert.equal(asked, 2);
  });

  it("begins a new history when its own grew long, and goes on", async () => {
    const { doubles } = attempts(again(2, LONG_MS));
    await run(doubles, async ({ client, start }) => {
      const { workflowId } = await start("webhookDelivery", [stuck]);
      const newest = client.workflow.getHandle(workflowId);
      const { runId } = await newest.describe();
      await until(async () => {
        for (let n = 0; n < 20; n++) await newest.signal("changed");
        return (await newest.describe()).runId !== runId;
      }, 60_000);
      await until(async () => (await detailsOf(newest)) !== "");
      assert.ok((await newest.describe()).historyLength < LONG_HISTORY);
      await newest.terminate();
    });
  });

  it("looks again at once when its subscription had changed, and again when an attempt broke off", async () => {
    let asked = 0;
    const attemptDelivery = async (): Promise<Attempted> => {
      asked++;
      if (asked === 1) return {};
      if (asked === 2) throw new Error("the worker lost its locks");
      return { ended: "succeeded" };
    };
    await run({ attemptDelivery }, async ({ start }) => {
      const handle = await start("webhookDelivery", [stuck]);
      assert.equal((await handle.result()).ended, "succeeded");
    });
    assert.equal(asked, 3);
  });

  it("ends when an operator cancels it while it waits", async () => {
    const { doubles } = attempts(again(2, LONG_MS));
    await run(doubles, async ({ start }) => {
      const handle = await start("webhookDelivery", [stuck]);
      await until(async () => (await detailsOf(handle)) !== "");
      await handle.cancel();
      assert.match(await refusalOf(handle.result()), /cancell?ed/);
    });
  });

  it("makes as many attempts as it takes, whatever they say meanwhile", async () => {
    let script: Attempted[] = [];
    let asked = 0;
    const attemptDelivery = async () => script[asked++] as Attempted;
    await run({ attemptDelivery }, async ({ start }) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.oneof(
              fc.constant({}),
              fc.integer({ min: 1, max: 20 }).map((ms) => again(2, ms)),
            ),
            { maxLength: 7 },
          ),
          fc.constantFrom("succeeded", "dlq", "revoked", "deleted"),
          async (before, ended) => {
            script = [...before, { ended } as Attempted];
            asked = 0;
            const handle = await start("webhookDelivery", [stuck]);
            assert.equal((await handle.result()).ended, ended);
            assert.equal(asked, script.length);
          },
        ),
        { numRuns: 10 },
      );
    });
  });
});
