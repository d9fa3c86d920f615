import assert from "node:assert/strict";
import fc from "fast-check";
import type { Attempted, StuckDelivery } from "../../src/outbound/webhooks/delivery.js";
import { EventId, SubscriptionId } from "../../src/temporal/search-attributes.js";
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

  it("can be found and read while it waits, and stops when it is told", async () => {
    const { asked, doubles } = attempts(again(3, LONG_MS));
    await run(doubles, async ({ start }) => {
      const handle = await start("webhookDelivery", [stuck]);
      await until(async () => (await detailsOf(handle)) === "5xx 503. Attempt 3 of 8 in 7200 s");
      const { typedSearchAttributes: found } = await handle.describe();
      assert.deepEqual([found.get(SubscriptionId), found.get(EventId)], ["s-1", "42"]);
      await handle.signal("stop");
      assert.deepEqual(await handle.result(), {
        ...{ event_id: 42, ended: "stopped" },
      });
      assert.equal(asked.length, 1);
    });
  });

  it("finishes the attempt that is under way before it stops", async () => {
    for (const [outcome, ended] of [
      [{ ended: "succeeded" }, "succeeded"],
      [again(2, LONG_MS), "stopped"],
    ] as [Attempted, string][]) {
      let finish = () => {};
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      let asked = 0;
      const attemptDelivery = async () => {
        asked++;
        await finished;
        return outcome;
      };
      await run({ attemptDelivery }, async ({ start }) => {
        const handle = await start("webhookDelivery", [stuck]);
        await until(() => asked === 1);
        await handle.signal("stop");
        finish();
        assert.equal((await handle.result()).ended, ended);
      });
      assert.equal(asked, 1);
    }
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
