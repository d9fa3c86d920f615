import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import type { DeliveryAttempted, GivenUp, StuckDelivery, StuckPartner } from "../../src/outbound/sending.js";
import { Connector, EventId, SubscriptionId } from "../../src/platform/temporal/search-attributes.js";
import type { ToldMissing } from "../../workflows/process.js";
import { LONG_HISTORY } from "../support/servers.js";
import { until } from "../support/until.js";
import { detailsOf, listedAs, refusalOf, summariesOf, workflowEnvironment } from "../support/workflow-environment.js";

const stuck: StuckDelivery = {
  ...{ subscription_id: "s-1", first_delivery_id: 7, event_id: 42 },
  event_type: "ship.confirmed",
};
const again = (attempt: number, wait_ms: number): DeliveryAttempted => ({
  ...{ failure: "5xx 503", next: { attempt, wait_ms } },
});
const LONG_MS = 7_200_000;

/** Whom the event is for, and what a cancellation does. */
const partner = {
  readPartner: async (): Promise<StuckPartner & ToldMissing> => ({
    ...{ display_name: "Acme", connector_id: "acme-erp", by_aggregate: false, failure: "5xx 503" },
    missing_attributes: [],
  }),
  giveUpDelivery: async (): Promise<GivenUp> => ({ ended: "cancelled" }),
};

describe("the workflow of a webhook delivery", () => {
  const run = workflowEnvironment();

  /** Attempts that end like this, one after the other, the last one always. */
  function attempts(...outcomes: DeliveryAttempted[]) {
    const asked: StuckDelivery[] = [];
    const attemptDelivery = async (delivery: StuckDelivery) => {
      asked.push(delivery);
      return outcomes[Math.min(asked.length, outcomes.length) - 1] as DeliveryAttempted;
    };
    return { asked, doubles: { ...partner, attemptDelivery } };
  }

  it("tries until an attempt ends it, and waits before each as it was told", async () => {
    const ends = ["succeeded", "paused", "revoked", "deleted"] as const;
    const asked = ends.map(() => 0);
    /** Of the delivery that its event numbers. */
    const attemptDelivery = async ({ event_id: i }: StuckDelivery) => {
      const attempt = (asked[i] as number) + 1;
      asked[i] = attempt;
      if (attempt < 3) return again(attempt + 1, attempt * 75);
      return { ended: ends[i] as (typeof ends)[number] };
    };
    await run({ ...partner, attemptDelivery }, async ({ start }) => {
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
      const due = /attempt 3 of 8 at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/;
      await until(async () => due.test(await detailsOf(handle)));
      assert.match(
        await detailsOf(handle),
        new RegExp(
          String.raw`Where:\*\* Acme: event 42 \(ship.confirmed\) waits .*\n` +
            String.raw`.*Why:\*\* attempt 2 failed: Error at the destination \(HTTP 503\)\n`,
        ),
      );
      const [, looks, timer] = await summariesOf(handle);
      assert.equal(looks, "Looks which attempt is due");
      assert.match(String(timer), /^Error at the destination \(HTTP 503\): attempt 3 of 8 at /);
      const { typedSearchAttributes: found } = await handle.describe();
      assert.deepEqual(
        [found.get(SubscriptionId), found.get(EventId), found.get(Connector)],
        ["s-1", "42", "acme-erp"],
      );
      assert.deepEqual(await listedAs(handle), { status: "RUNNING", stage: "retrying", outcome: undefined });
      await handle.signal("changed");
      await until(() => asked.length === 2);
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
    const attemptDelivery = async (): Promise<DeliveryAttempted> => {
      asked++;
      await finished;
      return { ended: asked === 1 ? "paused" : "succeeded" };
    };
    await run({ ...partner, attemptDelivery }, async ({ start }) => {
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
      const { workflowId } = await start("webhookDelivery", [stuck], randomUUID(), "Event 42");
      const newest = client.workflow.getHandle(workflowId);
      const { runId } = await newest.describe();
      await until(async () => {
        for (let n = 0; n < 20; n++) await newest.signal("changed");
        return (await newest.describe()).runId !== runId;
      }, 60_000);
      // Temporal does not keep the summary: the details have to say what the new run is about.
      await until(async () => /Acme: event 42 \(ship.confirmed\) waits/.test(await detailsOf(newest)));
      const described = await newest.describe();
      assert.ok(described.historyLength < LONG_HISTORY);
      assert.equal(await described.staticSummary(), undefined);
      await newest.terminate();
    });
  });

  it("fails when there is nothing left to send", async () => {
    const { doubles } = attempts({ ended: "failed" });
    await run(doubles, async ({ start }) => {
      const handle = await start("webhookDelivery", [stuck]);
      assert.match(await refusalOf(handle.result()), /Acme never got event 42/);
      assert.equal((await listedAs(handle)).outcome, "failed");
    });
  });

  it("fails at once at a fault of ours, which says what is tried again from the rows", async () => {
    let asked = 0;
    const attemptDelivery = async (): Promise<DeliveryAttempted> => {
      asked++;
      throw new TypeError("x is not a function");
    };
    await run({ ...partner, attemptDelivery }, async ({ start }) => {
      const handle = await start("webhookDelivery", [stuck]);
      assert.equal(
        await refusalOf(handle.result()),
        "Acme has not got event 42 (ship.confirmed) yet: x is not a function",
      );
      assert.equal(asked, 1);
      assert.deepEqual(await listedAs(handle), { status: "FAILED", stage: "ended", outcome: "failed" });
      assert.match(
        await detailsOf(handle),
        /stopped at a fault; events behind it wait too\n.*x is not a function\n.*tried again every minute/,
      );
    });
  });

  it("looks again at once when its subscription had changed, and again when an attempt broke off", async () => {
    let asked = 0;
    const attemptDelivery = async (): Promise<DeliveryAttempted> => {
      asked++;
      if (asked === 1) return {};
      if (asked === 2) throw new Error("the worker lost its locks");
      return { ended: "succeeded" };
    };
    await run({ ...partner, attemptDelivery }, async ({ start }) => {
      const handle = await start("webhookDelivery", [stuck]);
      assert.equal((await handle.result()).ended, "succeeded");
    });
    assert.equal(asked, 3);
  });

  it("lets an attempt that is under way decide when its cancellation is requested", async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let asked = 0;
    const attemptDelivery = async (): Promise<DeliveryAttempted> => {
      asked++;
      await finished;
      return { ended: "succeeded" };
    };
    await run({ ...partner, attemptDelivery }, async ({ start }) => {
      const handle = await start("webhookDelivery", [stuck]);
      await until(() => asked === 1);
      await handle.cancel();
      finish();
      assert.equal((await handle.result()).ended, "succeeded");
    });
  });

  it("makes as many attempts as it takes, whatever they say meanwhile", async () => {
    let script: DeliveryAttempted[] = [];
    let asked = 0;
    const attemptDelivery = async () => script[asked++] as DeliveryAttempted;
    await run({ ...partner, attemptDelivery }, async ({ start }) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.oneof(
              fc.constant({}),
              fc.integer({ min: 1, max: 20 }).map((ms) => again(2, ms)),
            ),
            { maxLength: 7 },
          ),
          fc.constantFrom("succeeded", "paused", "revoked", "deleted"),
          async (before, ended) => {
            script = [...before, { ended } as DeliveryAttempted];
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
