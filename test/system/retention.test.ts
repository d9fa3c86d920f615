import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { backUp } from "../../activities/maintenance/backup/back-up.js";
import { verifyBackup } from "../../activities/maintenance/backup/file.js";
import { restore } from "../../activities/maintenance/backup/restore.js";
import { sealAll } from "../../activities/outbound/sequencer.js";
import { taskQueue, temporalClient } from "../../api/http/workflow-updates.js";
import { migrations } from "../../migrations/index.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { verifyAuditLog } from "../../src/reports/audit/verify.js";
import { verifyFiles } from "../../src/reports/audit/verify-files.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { patient } from "../support/machine-speed.js";
import { consumerGroup, EVENTS, page, partner, poll } from "../support/polling.js";
import { audited, happened, month, numbers, readAll, retention } from "../support/retention.js";
import { databaseUrl, onServer } from "../support/servers.js";
import { until } from "../support/until.js";
import { delivery, newWebhook, subscribe, WEBHOOKS } from "../support/webhooks.js";

const program = fileURLToPath(new URL("../support/retire-rows.js", import.meta.url));

describe("retention", () => {
  const { folder, service, retire, whereRowsAre } = retention();

  describe("of events", () => {
    let reader: Caller;
    let warehouse_id: number;
    before(async () => {
      warehouse_id = await fixtures.warehouse();
      await consumerGroup("erp");
      reader = await partner(service, [warehouse_id]);
    });
    const kept = async () => (await whereRowsAre("integration_events", "event_id")).here;

    it("tells a poller whose place is gone, and begins with the first that is here", async () => {
      await happened(20, month(8), warehouse_id);
      await happened(10, month(1), warehouse_id);
      await readAll(30);
      assert.deepEqual(await retire(), { audit_log: 0, integration_events: 20 });
      assert.deepEqual((await whereRowsAre("integration_events", "event_id")).filed, numbers(1, 20));
      assert.deepEqual(await page(reader, {}), numbers(21, 30));
      assert.deepEqual(await page(reader, { after: 0, limit: 3 }), [21, 22, 23]);
      assert.deepEqual(await page(reader, { after: 20 }), numbers(21, 30));
      assert.deepEqual(await page(reader, { after: 25 }), numbers(26, 30));
      const { status, body } = await poll(reader, { after: 7 });
      const { epoch } = await reader.ok("GET", EVENTS);
      assert.deepEqual([status, body.error, body.resume_after, body.epoch], [400, "cursor_beyond_horizon", 20, epoch]);
      const group = await consumerGroup("erp");
      assert.deepEqual(await page(reader, { consumer_group: group }), numbers(21, 30));
      const late = await service.admin.post(WEBHOOKS, await newWebhook({ start_from: 7 }));
      assert.deepEqual([late.status, late.body.resume_after], [400, 20]);
      await service.admin.ok("POST", WEBHOOKS, await newWebhook({ start_from: 21 }));
    });

    it("keeps what somebody has not read, or is delivered, and says who", async () => {
      await happened(20, month(8));
      await happened(10, month(1));
      await readAll(30);
      const group = await consumerGroup("erp");
      const { subscription_id } = await subscribe(service.admin, { display_name: "Shop" });
      await db.run("update notification_progress set event_id = 19");
      const needed = async () => (await retire()).integration_events_needed_by;
      assert.deepEqual(await needed(), [`consumer group ${group}`, "notifications", "webhook Shop"]);
      await readAll(30);
      await db.run("update webhook_subscriptions set scanned_event_id = 30 where subscription_id = $1", [
        subscription_id,
      ]);
      await delivery(subscription_id, { status: "dlq", event_id: 20 });
      await db.run("update consumer_groups set last_cursor = 20");
      assert.deepEqual(await needed(), ["deliveries of webhook Shop"]);
      assert.equal((await kept()).length, 30);
      await db.run("truncate webhook_deliveries");
      assert.deepEqual(await retire(), { audit_log: 0, integration_events: 20 });
    });

    it("keeps the newest, however old", async () => {
      await happened(20, month(8));
      await readAll(20);
      assert.deepEqual(await retire(), { audit_log: 0, integration_events: 0 });
      assert.equal((await kept()).length, 20);
    });
  });

  describe("of movements", () => {
    const days = { auditRetentionDays: undefined, eventRetentionDays: undefined, movementRetentionDays: 90 };

    it("writes moves and adjustments to files, but no month in which an adjustment waits", async () => {
      const warehouse_id = await fixtures.warehouse();
      const { item_id } = await fixtures.item();
      const [bin_id, to_bin_id] = [await fixtures.bin(warehouse_id), await fixtures.bin(warehouse_id)];
      for (const at of [month(8), month(7), month(1)])
        await db.run(
          `with moved as (
             insert into bin_transfers (item_id, from_bin_id, to_bin_id, warehouse_id, quantity, transfer_type,
               transferred_at)
             select $1, $2, $3, $4, n, 'MOVE', ${at} from generate_series(1, 10) n
           )
           insert into inventory_adjustments (item_id, bin_id, warehouse_id, quantity_change, reason_code, status,
             adjusted_at)
           select $1, $2, $4, n, 'FOUND', case when n = 5 then 'PENDING' else 'APPROVED' end, ${at}
           from generate_series(1, 10) n`,
          [item_id, bin_id, to_bin_id, warehouse_id],
        );
      const first = await db.value<number>("select min(adjustment_id) from inventory_adjustments");
      await db.run("update inventory_adjustments set status = 'REJECTED' where adjustment_id = $1 + 4", [first]);
      assert.deepEqual(await retire(days), {
        ...{ bin_transfers: 20, inventory_adjustments: 10 },
        inventory_adjustments_needed_by: ["adjustments that wait for approval"],
      });
      await db.run("update inventory_adjustments set status = 'APPROVED'");
      assert.deepEqual(await retire(days), { bin_transfers: 0, inventory_adjustments: 10 });
      for (const [table, no] of [
        ["bin_transfers", "transfer_id"],
        ["inventory_adjustments", "adjustment_id"],
      ] as const) {
        const { filed, here } = await whereRowsAre(table, no);
        assert.deepEqual([filed.length, here.length], [20, 10]);
        assert.ok((filed.at(-1) as number) < (here[0] as number));
      }
    });
  });

  it("is off where nothing is set, for each table by itself", async () => {
    await audited(20, month(8));
    await audited(1, month(1));
    await sealAll();
    await happened(20, month(8));
    await happened(1, month(1));
    await readAll(21);
    assert.deepEqual(await retire({ auditRetentionDays: undefined, eventRetentionDays: undefined }), {});
    assert.deepEqual(await retire({ auditRetentionDays: undefined, eventRetentionDays: 36_500 }), {
      integration_events: 0,
    });
    assert.deepEqual(await retire({ auditRetentionDays: undefined }), { integration_events: 20 });
    assert.equal((await whereRowsAre("audit_log", "seal_no")).here.length, 21);
  });

  it("is a job, whose run says what it did", async () => {
    await audited(20, month(8));
    await audited(1, month(1));
    await sealAll();
    const done = await temporalClient().workflow.execute("maintenance", {
      ...{ taskQueue, workflowId: `retention-${taskQueue}` },
      args: ["retention"],
    });
    assert.deepEqual(done, { audit_log: 20, integration_events: 0 });
  });

  it("deletes nothing while the folder is away, and goes on when it is back", async () => {
    await audited(20, month(8));
    await audited(1, month(1));
    await sealAll();
    await assert.rejects(retire({ retentionFolder: join(folder, "away") }), { code: "ENOENT" });
    assert.equal((await whereRowsAre("audit_log", "seal_no")).here.length, 21);
    assert.deepEqual(await retire(), { audit_log: 20, integration_events: 0 });
  });

  it("deletes nothing whose file the disk has no room for, and leaves none that is cut off", async function () {
    const small = mkdtempSync(join(tmpdir(), "retention-small-"));
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", small], { stdio: "ignore" });
    } catch {
      this.skip(); // Only root may do so, and not everywhere.
    }
    try {
      await audited(10_000, month(8));
      await audited(1, month(1));
      await sealAll();
      await assert.rejects(retire({ retentionFolder: small }), { code: "ENOSPC" });
      assert.deepEqual(readdirSync(small), []);
      assert.equal((await whereRowsAre("audit_log", "seal_no")).here.length, 10_001);
    } finally {
      execFileSync("umount", [small]);
      rmSync(small, { recursive: true });
    }
    assert.deepEqual(await retire(), { audit_log: 10_000, integration_events: 0 });
  });

  it("is known to a restored backup, which goes on from there", async () => {
    await audited(20, month(8));
    await audited(20, month(7));
    await audited(1, month(1));
    await sealAll();
    const days = Math.ceil((await db.value<number>(`select extract(day from now() - (${month(6, "0 s")}))`)) as number);
    assert.deepEqual(await retire({ auditRetentionDays: days + 25 }), { audit_log: 20, integration_events: 0 });
    const path = join(folder, "backup.gz");
    const name = `restored_${randomUUID().replaceAll("-", "")}`;
    await backUp(service.config.databaseUrl, path, null);
    await onServer(`create database ${name}`);
    const other = { ...service.config, databaseUrl: databaseUrl(name) };
    try {
      await restore(await verifyBackup(path), { ...other, migrations, replace: false });
      await disconnect();
      connect(other.databaseUrl, 4);
      assert.deepEqual(await retire(other), { audit_log: 20, integration_events: 0 });
      await sealAll();
      assert.deepEqual(await verifyFiles(folder), { files: 2, rows: 40 });
      assert.equal((await verifyAuditLog()).broken, undefined);
    } finally {
      await disconnect();
      connect(service.config.databaseUrl, 16);
      await onServer(`drop database ${name}`);
    }
  });

  it("one run at a time", async () => {
    const client = new pg.Client(service.config.databaseUrl);
    await client.connect();
    await client.query("select pg_advisory_lock(7304)");
    await assert.rejects(retire(), /another worker/);
    await client.end();
  });

  it("loses no row, whenever it is killed, and has none twice in the end", async function () {
    this.timeout(patient(180_000));
    const [old, young] = [15_000, 100];
    await audited(old, month(8));
    await audited(old, month(7));
    await audited(young, month(1));
    await sealAll();
    await happened(old, month(8));
    await happened(young, month(1));
    await readAll(old + young);
    const here = async (table: string) =>
      Number((await db.row<{ n: number }>(`select count(*) as n from ${table}`))?.n);
    const start = () =>
      spawn(process.execPath, [program, service.config.databaseUrl, folder], {
        stdio: ["ignore", "inherit", "inherit"],
      });
    const parts = () => readdirSync(folder).filter((name) => name.endsWith(".part")).length > 0;
    const files = () => readdirSync(folder).filter((name) => name.endsWith(".gz")).length;
    /** Kills a run at a moment, and looks for each row. */
    const killedWhen = async (moment: () => boolean | Promise<boolean>) => {
      const child = start();
      const exit = once(child, "exit");
      await until(moment, 60_000);
      child.kill("SIGKILL");
      await exit;
      const audit = await whereRowsAre("audit_log", "seal_no");
      assert.deepEqual(audit.all.slice(0, 2 * old + young), numbers(1, 2 * old + young));
      const events = await whereRowsAre("integration_events", "event_id");
      assert.deepEqual(events.all, numbers(1, old + young));
      assert.equal((await verifyAuditLog()).broken, undefined);
    };
    await killedWhen(() => parts() || files() > 0);
    await killedWhen(() => files() > 0);
    const before = await here("audit_log");
    await killedWhen(async () => (await here("audit_log")) < before - 2_000);
    await killedWhen(async () => (await here("integration_events")) < old);
    const [code] = await once(start(), "exit");
    assert.equal(code, 0);
    for (const [table, no, total] of [
      ["audit_log", "seal_no", 2 * old],
      ["integration_events", "event_id", old],
    ] as const) {
      const { filed, here } = await whereRowsAre(table, no);
      assert.deepEqual(filed, numbers(1, total));
      assert.equal(here[0] ?? total + 1, total + 1);
    }
    assert.deepEqual(await verifyFiles(folder), { files: 2, rows: 2 * old });
    assert.ok(!parts());
  });
});
