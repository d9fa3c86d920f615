import assert from "node:assert/strict";
import pg from "pg";
import {
  clearDeliveries,
  clearSecrets,
  clearSnapshots,
  reclaimDeliveries,
} from "../../activities/maintenance/webhook-hygiene.js";
import { webhookReceivers } from "../../activities/outbound/receivers.js";
import { taskQueue, temporalClient } from "../../api/http/workflow-updates.js";
import { lockKey } from "../../src/outbound/sending.js";
import { db } from "../support/db.js";
import { pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { deliveriesOf, delivery, subscribe, WEBHOOKS } from "../support/webhooks.js";

interface Run {
  job: string;
  status: string;
  rows_changed: number;
  finished: boolean;
  error_message: string | null;
}

describe("the hygiene of webhooks", () => {
  const service = testService({ worker: true, env: { DISPATCHER_ENABLED: "false" } });
  let subscription_id: string;
  beforeEach(async () => {
    await db.run("truncate hygiene_runs, webhook_deliveries");
    subscription_id = (await subscribe(service.admin)).subscription_id;
  });

  const runs = () =>
    db.rows<Run>(
      `select job, status, rows_changed, finished_at is not null as finished, error_message
       from hygiene_runs order by run_id`,
    );
  const run = (job: string, rows_changed: number): Run => ({
    ...{ job, status: "succeeded", rows_changed, finished: true },
    error_message: null,
  });
  const statuses = async (id = subscription_id) => (await deliveriesOf(id)).map(({ status }) => status);

  it("deletes deliveries that ended 90 days ago, and no other", async () => {
    for (const status of ["succeeded", "failed", "dlq"] as const)
      await delivery(subscription_id, { status, age: "90 days 1 minute" });
    await delivery(subscription_id, { status: "succeeded", age: "89 days" });
    await delivery(subscription_id, { status: "pending", age: "100 days" });
    await delivery(subscription_id, { status: "in_flight", age: "100 days" });
    assert.equal(await clearDeliveries(), 3);
    assert.deepEqual(await statuses(), ["succeeded", "pending", "in_flight"]);
    assert.deepEqual(await runs(), [run("webhook_deliveries", 3)]);
  });

  it("deletes many in batches", async () => {
    await db.run(
      `insert into webhook_deliveries (subscription_id, event_id, status, completed_at)
       select $1, n, 'succeeded', now() - interval '91 days' from generate_series(1, 12000) n`,
      [subscription_id],
    );
    assert.equal(await clearDeliveries(), 12_000);
    assert.deepEqual(await runs(), [run("webhook_deliveries", 12_000)]);
  });

  it("forgets the secret before once its day is over", async () => {
    const path = `${WEBHOOKS}/${subscription_id}/rotate-secret`;
    await service.admin.ok("POST", path);
    assert.equal(await clearSecrets(webhookReceivers), 0);
    await db.run(
      `update webhook_secrets set expires_at = now() - interval '1 second'
       where subscription_id = $1 and generation = 2`,
      [subscription_id],
    );
    assert.equal(await clearSecrets(webhookReceivers), 1);
    assert.deepEqual(
      await db.rows("select generation from webhook_secrets where subscription_id = $1", [subscription_id]),
      [{ generation: 1 }],
    );
    assert.deepEqual(await runs(), [run("webhook_secrets", 0), run("webhook_secrets", 1)]);
  });

  describe("gives back what a sender", () => {
    it("took long ago and never finished", async () => {
      await delivery(subscription_id, { status: "in_flight", age: "3 minutes" });
      await delivery(subscription_id, { status: "in_flight", age: "1 minute" });
      await delivery(subscription_id, { status: "succeeded", age: "1 hour" });
      assert.equal(await reclaimDeliveries(120), 1);
      assert.deepEqual(await statuses(), ["pending", "in_flight", "succeeded"]);
      assert.deepEqual(await runs(), [run("webhook_in_flight", 1)]);
    });

    it("still works on only when it is gone", async () => {
      await delivery(subscription_id, { status: "in_flight", age: "1 hour" });
      const sender = new pg.Client(service.config.databaseUrl);
      await sender.connect();
      try {
        await sender.query(`select pg_advisory_lock(${lockKey("webhook", "$1")})`, [subscription_id]);
        assert.equal(await reclaimDeliveries(120), 0);
        assert.deepEqual(await statuses(), ["in_flight"]);
      } finally {
        await sender.end();
      }
      assert.equal(await reclaimDeliveries(120), 1);
      assert.deepEqual(await statuses(), ["pending"]);
    });

    it("left of a revoked one as failed, so that it can be purged", async () => {
      await delivery(subscription_id, { status: "in_flight" });
      const path = `${WEBHOOKS}/${subscription_id}`;
      await service.admin.ok("DELETE", path);
      // A sender that was stopped gives back what it did not send.
      await delivery(subscription_id, { status: "pending" });
      assert.equal((await service.admin.delete(`${path}?purge=true`)).status, 409);
      assert.equal(await reclaimDeliveries(120), 2);
      assert.deepEqual(pluckAll(await deliveriesOf(subscription_id), "status", "error_detail"), [
        ["failed", "The subscription was revoked"],
        ["failed", "The subscription was revoked"],
      ]);
      assert.equal((await service.admin.delete(`${path}?purge=true`)).status, 200);
    });
  });

  it("says of a run that was cut off that it was, and keeps runs as long as deliveries", async () => {
    await db.run("insert into hygiene_runs (job) values ('webhook_secrets')");
    await db.run(
      `insert into hygiene_runs (job, status, started_at, finished_at)
       select 'webhook_secrets', 'succeeded', now() - interval '91 days', now() - interval '91 days'`,
    );
    await clearSecrets(webhookReceivers);
    assert.deepEqual(await runs(), [
      { job: "webhook_secrets", status: "failed", rows_changed: 0, finished: true, error_message: "It was cut off" },
      run("webhook_secrets", 0),
    ]);
  });

  it("says of a run that failed why", async () => {
    await db.run("alter table webhook_secrets rename to webhook_secrets_away");
    try {
      await assert.rejects(clearSecrets(webhookReceivers), /webhook_secrets/);
    } finally {
      await db.run("alter table webhook_secrets_away rename to webhook_secrets");
    }
    const [failed] = await runs();
    assert.deepEqual([failed?.status, failed?.finished], ["failed", true]);
    assert.match(failed?.error_message ?? "", /webhook_secrets/);
  });

  it("counts cleaned inventory scans", async () => {
    assert.equal(await clearSnapshots(), 0);
    assert.deepEqual(await runs(), [run("snapshot_scans", 0)]);
  });

  it("is run by the jobs of maintenance", async () => {
    await delivery(subscription_id, { status: "dlq", age: "91 days" });
    await delivery(subscription_id, { status: "in_flight", age: "3 minutes" });
    for (const [job, done] of [
      ["webhook-retention", { deliveries: 1, channel_items: 0, notifications: 0 }],
      ["webhook-secrets", { secrets: 0, channel_secrets: 0 }],
      ["webhook-reclaim", { deliveries: 1 }],
      ["snapshot-cleanup", { rows: 0 }],
    ] as const)
      assert.deepEqual(
        await temporalClient().workflow.execute("maintenance", {
          ...{ taskQueue, workflowId: `${job}-${subscription_id}` },
          args: [job],
        }),
        done,
      );
    assert.equal((await runs()).length, 7);
  });
});
