import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Client, Connection } from "@temporalio/client";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { transaction } from "../../src/platform/db/db.js";
import { maintenanceQueue } from "../../src/platform/temporal/maintenance.js";
import { OUTCOMES, STAGES } from "../../src/platform/temporal/search-attributes.js";
import { db } from "../support/db.js";
import { emit, got, rowsOf, subscribe } from "../support/deliveries.js";
import { warehouse } from "../support/fixtures.js";
import { destination, messagesTo, NOTIFICATIONS, openBackorder } from "../support/notifications.js";
import type { TestService } from "../support/service.js";
import { codeOf, openShownFloor } from "../support/shown-floor.js";
import { openSink, type Sink } from "../support/sink.js";
import { endsCancelled, TIME, temporalUi } from "../support/temporal-ui.js";
import { until } from "../support/until.js";

/**
 * Temporal's own UI, as somebody sees it who has never seen the code: maintenance, and what is sent to partners and
 * people. Each test brings processes into a state, and looks for the texts that answer: where is it, why is it there,
 * what comes next and when. `TEST_SCREENSHOTS=<folder>` keeps pictures of all of them.
 */
describe("the Temporal UI shows", function () {
  this.timeout(120_000);
  const ui = temporalUi();

  let service: TestService;
  const sinks: Sink[] = [];

  /** Opens a service for the tests of a suite, which waits so long before the attempts of a message. */
  function floorWith(retryDelays: string) {
    let close: () => Promise<void>;
    before(async () => {
      ({ service, close } = await openShownFloor(retryDelays));
    });
    after(async () => {
      await close();
      for (const sink of sinks.splice(0)) await sink.stop();
    });
  }

  async function openFailing(failures: number): Promise<Sink> {
    const sink = await openSink();
    sinks.push(sink);
    sink.answerNext(...Array(failures).fill(500));
    return sink;
  }

  /**
   * A webhook of a warehouse of its own, whose first event fails so often; its sink, and the id of the workflow that
   * tries again.
   */
  async function stuck(failures: number) {
    const [sink, warehouse_id] = [await openFailing(failures), await warehouse()];
    const { subscription_id } = await subscribe(service.admin, sink.url, {
      display_name: "Acme ERP",
      subscription_filter: { warehouse_ids: [warehouse_id] },
    });
    await db.run(
      `update webhook_subscriptions set last_delivered_event_id = last_no, scanned_event_id = last_no
       from sequencer_state where name = 'events' and subscription_id = $1`,
      [subscription_id],
    );
    await emit(warehouse_id);
    await until(async () => (await rowsOf(subscription_id)).length > 1, 30_000);
    const [first] = await rowsOf(subscription_id);
    return { sink, warehouse_id, subscription_id, id: `webhook-delivery-${first?.delivery_id}` };
  }

  /** The same for a message to a notification destination. */
  async function unheard(failures: number) {
    const [sink, warehouse_id] = [await openFailing(failures), await warehouse()];
    const fields = { url: sink.url, event_filter: ["backorder.cancelled"] };
    const { webhook_id } = await destination(service.admin, warehouse_id, fields);
    await openBackorder(warehouse_id);
    await until(async () => (await messagesTo(webhook_id)).length > 0);
    const [message] = await messagesTo(webhook_id);
    return { sink, warehouse_id, webhook_id, id: `notification-${message?.notification_id}` };
  }

  describe("what is tried at once:", () => {
    floorWith("100,100,100,100,100,100,100");

    /** Starts a job on the task queue of maintenance; gives the workflow's id. */
    async function job(name: string) {
      const workflowId = `maintenance-${name}-${service.config.temporalTaskQueue}`;
      const taskQueue = maintenanceQueue(service.config.temporalTaskQueue);
      await temporalClient().workflow.start("maintenance", {
        workflowId,
        taskQueue,
        args: [name],
        workflowExecutionTimeout: "30 minutes",
        staticSummary: name,
      });
      return workflowId;
    }

    it("maintenance under way, done, and failed", async () => {
      await transaction(async (tx) => {
        await tx.run("lock table webhook_secrets in access exclusive mode");
        await ui.look("maintenance-running", await job("webhook-secrets"), {
          list: ["RUNNING", "maintenance"],
          page: ["Forgets webhook secrets that were replaced 24 hours ago"],
          details: ["under way", "its schedule starts it, 1 hour after the last time", TIME],
        });
      });
      await ui.check("maintenance-done", await job("purge"), {
        list: ["COMPLETED", "maintenance"],
        details: [/it did: commands: \d+/],
      });
      await ui.check("maintenance-failed", await job("sweep"), {
        list: ["FAILED", "maintenance"],
        page: [/No such job: sweep/],
      });
    });

    it("an event that was delivered in the end, and one that was not: a dead letter", async () => {
      const [delivered, dead] = await Promise.all([stuck(2), stuck(8)]);
      await got(delivered.sink, 3, 60_000);
      await ui.check("delivery-delivered", delivered.id, {
        list: ["COMPLETED", "delivered"],
        details: [/Acme ERP: event \d+/, "the partner accepted it"],
      });
      // The first attempt was not the workflow's.
      assert.equal(delivered.sink.received.length, 3);
      await got(dead.sink, 8, 60_000);
      await ui.check("delivery-dead-letter", dead.id, {
        list: ["FAILED", "dead-lettered"],
        page: [/Acme ERP did not take event \d+/, "Attempt 8 of 8 to Acme ERP"],
        details: ["all 8 attempts failed, the last one: Error at the destination (HTTP 500)", "replay the dead letter"],
      });
      // Nothing tries again what was given up.
      assert.equal(dead.sink.received.length, 8);
    });

    it("a notification that was delivered in the end, and one that was not: a dead letter", async () => {
      const [delivered, dead] = await Promise.all([unheard(2), unheard(8)]);
      await got(delivered.sink, 3, 60_000);
      await ui.check("notification-delivered", delivered.id, {
        list: ["COMPLETED", "delivered"],
        details: [/message \d+ \(backorder.cancelled\) to 127\.0\.0\.1/, "the destination accepted it"],
      });
      await got(dead.sink, 8, 60_000);
      await ui.check("notification-dead-letter", dead.id, {
        list: ["FAILED", "dead-lettered"],
        page: [/127\.0\.0\.1\S* did not take message \d+ \(backorder\.cancelled\): all 8/],
        details: [
          "all 8 attempts failed, the last one: Error at the destination (HTTP 500)",
          "mend the cause, and send a test message to the destination",
        ],
      });
    });
  });

  describe("what waits:", () => {
    floorWith("100,3600000,100,100,100,100,100");

    it("an event with its next attempt, and given up in the UI: the next event is sent", async () => {
      const { id, sink, warehouse_id, subscription_id } = await stuck(2);
      await ui.look("delivery-retrying", id, {
        list: ["RUNNING", "retrying"],
        page: [/Error at the destination \(HTTP 500\): attempt 3 of 8 at/],
        details: [/Acme ERP: event \d+/, "attempt 2 failed: Error at the destination (HTTP 500)", TIME],
      });
      await ui.requestCancellation(id);
      await endsCancelled(id);
      await ui.check("delivery-cancelled-in-ui", id, {
        list: ["CANCELED", "cancelled"],
        page: ["Gives the event up for the Temporal UI: a dead letter"],
        details: ["cancellation was requested in the Temporal UI", "replay the dead letter"],
      });
      const statuses = (await rowsOf(subscription_id)).map(({ status }) => status);
      assert.deepEqual(statuses, ["failed", "failed", "dlq"]);
      await emit(warehouse_id, 1, 2);
      await got(sink, 3, 30_000);
    });

    it("a notification with its next attempt, and given up in the UI", async () => {
      const { id, warehouse_id, webhook_id } = await unheard(2);
      await ui.look("notification-retrying", id, {
        list: ["RUNNING", "retrying", await codeOf(warehouse_id)],
        page: [/Error at the destination \(HTTP 500\): attempt 3 of 8 at/],
        details: [
          /message \d+ \(backorder.cancelled\) to 127\.0\.0\.1\S* waits for its next attempt; other messages go on/,
          "attempt 2 failed: Error at the destination (HTTP 500)",
          /attempt 3 of 8 at/,
          TIME,
        ],
      });
      await ui.requestCancellation(id);
      await endsCancelled(id);
      await ui.check("notification-cancelled-in-ui", id, {
        list: ["CANCELED", "cancelled"],
        details: ["cancellation was requested in the Temporal UI", "this message is not sent again"],
      });
      assert.equal((await messagesTo(webhook_id))[0]?.status, "dlq");
      const by = "select user_id from audit_log where action_type = 'NOTIFICATION_GIVE_UP' and entity_id = $1";
      assert.deepEqual(await db.column(by, [webhook_id]), ["system"]);
    });

    it("notifications whose destination was switched off, and deleted", async () => {
      const [off, deleted] = await Promise.all([unheard(2), unheard(2)]);
      await got(off.sink, 2);
      await service.admin.ok("PATCH", `${NOTIFICATIONS}/${off.webhook_id}`, { enabled: false });
      await ui.check("notification-switched-off", off.id, {
        list: ["COMPLETED", "stopped"],
        details: ["the destination was switched off", "nothing: the message is not sent again"],
      });
      await got(deleted.sink, 2);
      await service.admin.ok("DELETE", `${NOTIFICATIONS}/${deleted.webhook_id}`);
      await ui.check("notification-destination-deleted", deleted.id, {
        list: ["COMPLETED", "stopped"],
        details: ["the destination was deleted", "nothing: the message is not sent again"],
      });
    });
  });

  it("what docs/operations.md explains: every stage and outcome, and views that the server understands", async () => {
    const text = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");
    const [, page = ""] = /## Reading the workflows in the Temporal UI([\s\S]*?)\n## /.exec(text) ?? [];
    for (const word of [...STAGES, ...OUTCOMES]) assert.ok(page.includes(`| \`${word}\` `), word);
    const [, views = ""] = /### Views to make once([\s\S]*?)### /.exec(page) ?? [];
    const queries = [...views.matchAll(/\| `(.+?)`\s+\|$/gm)].map(([, query]) => query as string);
    assert.ok(queries.length > 8);
    const client = new Client({
      connection: await Connection.connect({ address: process.env.TEST_TEMPORAL_ADDRESS ?? "" }),
    });
    for (const query of queries) await client.workflow.count(query);
    await client.connection.close();
  });
});
