import assert from "node:assert/strict";
import type { NotificationAttempted, NotificationEnded } from "../../src/outbound/sending.js";
import { LONG_HISTORY } from "../support/servers.js";
import { until } from "../support/until.js";
import { detailsOf, listedAs, refusalOf, workflowEnvironment } from "../support/workflow-environment.js";

const retried = { notification_id: 7, webhook_id: 3, event_type: "backorder.opened" };
const again = (attempt: number, wait_ms: number): NotificationAttempted => ({
  ...{ failure: "5xx 503", next: { attempt, wait_ms } },
});
const LONG_MS = 7_200_000;

const doubles = {
  readDestination: async () => ({
    ...{ host_preview: "chat.example.com", warehouse_id: 1, warehouse_code: "MAIN", failure: "5xx 503" },
    missing_attributes: [],
  }),
  giveUpNotification: async () => ({ ended: "cancelled" as const }),
};

describe("the workflow of a notification", () => {
  const run = workflowEnvironment();

  /** Attempts that end like this, one after the other, the last one always. */
  function attempts(...outcomes: NotificationAttempted[]) {
    let asked = 0;
    const attemptNotification = async () => outcomes[Math.min(++asked, outcomes.length) - 1] as NotificationAttempted;
    return { ...doubles, attemptNotification };
  }

  for (const ended of ["succeeded", "stopped", "gone", "disabled"] satisfies NotificationEnded[])
    it(`tries until it is told that it ended ${ended}, and waits before each attempt as it was told`, async () => {
      await run(attempts(again(2, 75), again(3, 150), { ended }), async ({ start }) => {
        const handle = await start("notificationDelivery", [retried]);
        assert.deepEqual(await handle.result(), { notification_id: 7, ended });
        const { events } = await handle.fetchHistory();
        const waits = (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
          timer ? [Number(timer.startToFireTimeout?.nanos) / 1e6] : [],
        );
        assert.deepEqual(waits, [75, 150]);
        assert.equal((await listedAs(handle)).outcome, ended === "succeeded" ? "delivered" : "stopped");
      });
    });

  it("fails at once at a fault of ours, which says what is tried again from the rows", async () => {
    let asked = 0;
    const attemptNotification = async () => {
      asked++;
      throw new TypeError("x is not a function");
    };
    await run({ ...doubles, attemptNotification }, async ({ start }) => {
      const handle = await start("notificationDelivery", [retried]);
      assert.equal(
        await refusalOf(handle.result()),
        "chat.example.com has not got message 7 (backorder.opened) yet: x is not a function",
      );
      assert.equal(asked, 1);
      assert.deepEqual(await listedAs(handle), { status: "FAILED", stage: "ended", outcome: "failed" });
      assert.match(
        await detailsOf(handle),
        /stopped at a fault; other messages go on\n.*x is not a function\n.*tried again every minute/,
      );
    });
  });

  it("begins a new history when its own grew long, and goes on", async () => {
    await run(attempts(again(2, LONG_MS)), async ({ client, start }) => {
      const { workflowId } = await start("notificationDelivery", [retried]);
      const newest = client.workflow.getHandle(workflowId);
      const { runId } = await newest.describe();
      await until(async () => {
        for (let n = 0; n < 20; n++) await newest.signal("destinationChanged");
        return (await newest.describe()).runId !== runId;
      }, 60_000);
      const what = /message 7 \(backorder.opened\) to chat.example.com waits/;
      await until(async () => what.test(await detailsOf(newest)));
      assert.ok((await newest.describe()).historyLength < LONG_HISTORY);
      await newest.terminate();
    });
  });
});
