import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import pg from "pg";
import { backUp } from "../../activities/maintenance/backup/back-up.js";
import { verifyBackup } from "../../activities/maintenance/backup/file.js";
import { restore } from "../../activities/maintenance/backup/restore.js";
import { retireRows } from "../../activities/maintenance/retirement/retire.js";
import { sealAll, sequenceAll } from "../../activities/outbound/sequencer.js";
import { taskQueue, temporalClient } from "../../api/http/workflow-updates.js";
import { migrations } from "../../migrations/index.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { migrate } from "../../src/platform/db/migrate.js";
import { verifyAuditLog } from "../../src/reports/audit/verify.js";
import { verifyFiles } from "../../src/reports/audit/verify-files.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { consumerGroup, EVENTS, newest, page, partner, poll } from "../support/polling.js";
import { databaseUrl, onServer } from "../support/servers.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";
import { delivery, newWebhook, subscribe, WEBHOOKS } from "../support/webhooks.js";

/** The first moment of the month so many months ago, and a time after it. */
const month = (ago: number, plus = "1 hour") =>
  `date_trunc('month', now()) - interval '${ago} months' + interval '${plus}'`;

const program = (file: string) => fileURLToPath(new URL(file, import.meta.url));

describe("retention", () => {
  const folder = mkdtempSync(join(tmpdir(), "retention-"));
  const service = testService({
    worker: true,
    env: {
      ...{ DISPATCHER_ENABLED: "false", SERVICE_RETENTION_FOLDER: folder },
      ...{ SERVICE_AUDIT_RETENTION_DAYS: "90", SERVICE_EVENT_RETENTION_DAYS: "90" },
    },
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Does to the log what only the database's owner can. */
  async function tamper(statement: string): Promise<void> {
    await db.run("alter table audit_log disable trigger all");
    await db.run(statement);
    await db.run("alter table audit_log enable trigger all");
  }
  beforeEach(async () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    await tamper("truncate audit_log restart identity");
    await db.run("truncate retired_files, integration_events, consumer_groups, webhook_deliveries, webhook_secrets");
    await db.run("update webhook_subscriptions set status = 'revoked', pause_reason = null");
    await db.run("update sequencer_state set last_no = 0, head = ''");
    await readAll(0);
  });

  const retire = (settings: object = {}, signal = new AbortController().signal) =>
    retireRows({ ...service.config, ...settings }, signal, 0);

  /** Audit rows of a time, with texts that a file might alter. */
  const audited = (rows: number, at: string) =>
    db.run(
      `insert into audit_log (action_type, entity_type, entity_id, user_id, device_id, warehouse_id, details,
         created_at)
       select 'PICK', 'SO', n, case when n % 3 > 0 then 'Größe, "ann"' || chr(10) || chr(1) end,
              case n % 3 when 0 then '' when 1 then null else E'\\\\x27; 日本' end, nullif(n % 4, 0),
              case when n % 5 > 0 then jsonb_build_object('n', n, 'quantity', 5.0, 'text', E'a\\\\b\\t"c"') end,
              ${at} + n * interval '1 microsecond'
       from generate_series(1, ${rows}) n`,
    );
  const happened = async (rows: number, at: string, warehouse_id = 1) => {
    const before = await newest();
    await db.run(
      `insert into integration_events (event_type, aggregate_type, aggregate_external_id, entity_type, entity_id,
         warehouse_id, source_txn_id, payload)
       select 'ship.confirmed', 'sales_order', gen_random_uuid(), 'sales_order', n, ${warehouse_id},
         gen_random_uuid(), '{}' from generate_series(1, ${rows}) n`,
    );
    await sequenceAll();
    await db.run(`update integration_events set visible_at = ${at} where event_id > $1`, [before]);
  };
  /** The service's own readers have read up to an event. */
  const readAll = async (upTo: number) => {
    await db.run("update notification_progress set event_id = $1", [upTo]);
    await db.run("update fulfillment_push_progress set event_id = $1", [upTo]);
  };

  const filesOf = (table: string) =>
    db.column<string>("select file_name from retired_files where table_name = $1 order by last_no", [table]);
  const rowsIn = (name: string): Record<string, string>[] =>
    parse(gunzipSync(readFileSync(join(folder, name))), { columns: true });
  /** The numbers of the rows of a table that are in its files, those that are not deleted, and both together. */
  async function whereRowsAre(table: string, no: string) {
    const filed = (await filesOf(table)).flatMap((name) => rowsIn(name).map((row) => Number(row[no])));
    const here = await db.column<number>(`select ${no} from ${table} where ${no} is not null order by ${no}`);
    return { filed, here, all: [...new Set([...filed, ...here])].sort((a, b) => a - b) };
  }
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

  describe("of the audit log", () => {
    it("writes whole months to files, and the chain goes through files and database", async () => {
      await audited(30, month(8));
      await audited(20, month(7));
      // It was begun in the month before, and committed in this one.
      await audited(1, month(7, "-1 second"));
      await audited(9, month(7, "2 hours"));
      await audited(10, month(1));
      await sealAll();
      const { head } = await verifyAuditLog();

      assert.deepEqual(await retire(), { audit_log: 60, integration_events: 0 });
      const { filed, here } = await whereRowsAre("audit_log", "seal_no");
      assert.deepEqual([filed, here], [numbers(1, 60), numbers(61, 70)]);
      const files = await filesOf("audit_log");
      assert.deepEqual(
        files.map((name) => rowsIn(name).length),
        [30, 30],
      );
      for (const name of files) assert.match(name, /^audit_log-\d{4}-\d\d-[0-9a-f]{12}\.csv\.gz$/);

      await sealAll();
      const verified = await verifyAuditLog();
      // Two rows say that months were retired.
      assert.deepEqual([verified.retired_to, verified.verified, verified.broken], [60, 12, undefined]);
      assert.notEqual(verified.head, head);
      assert.deepEqual(await verifyFiles(folder), { files: 2, rows: 60 });
      assert.deepEqual(await retire(), { audit_log: 0, integration_events: 0 });
    });

    it("says in the log itself which rows went where", async () => {
      await audited(30, month(8));
      await audited(1, month(1));
      await sealAll();
      await retire();
      const [file] = await db.rows(
        "select file_name, first_no, last_no, row_count, byte_count, sha256 from retired_files",
      );
      const told = await db.row<{ user_id: string; details: Record<string, unknown> }>(
        "select user_id, details from audit_log where action_type = 'ROWS_RETIRE'",
      );
      const { file_name, first_no, last_no, row_count, byte_count, sha256 } = told?.details ?? {};
      assert.deepEqual({ file_name, first_no, last_no, row_count, byte_count, sha256 }, file);
      assert.equal(told?.user_id, "system:retention");
    });

    it("is sound to whoever verifies it while rows are retired", async () => {
      await audited(20_000, month(8));
      await audited(10, month(1));
      await sealAll();
      let over = false;
      const retiring = retire().finally(() => (over = true));
      const verifyAll = async () => {
        while (!over) assert.equal((await verifyAuditLog()).broken, undefined);
      };
      await Promise.all([retiring, ...Array.from({ length: 8 }, verifyAll)]);
    });

    it("is checked by commands, the service's and sha256sum", async () => {
      await audited(30, month(8));
      await audited(10, month(1));
      await sealAll();
      await retire();
      await sealAll();
      const run = () =>
        promisify(execFile)(process.execPath, [program("../../workers/audit-verify.js"), folder], {
          env: { ...process.env, DATABASE_URL: service.config.databaseUrl },
        });
      const { stdout } = await run();
      assert.deepEqual(stdout.replace(/[0-9a-f]{64}/, "…").split("\n"), [
        "Files of the audit log: 30 rows in 1 files are sound.",
        "Audit log: 11 rows are sound from place 31 of the chain on, 0 not sealed yet.",
        ...["Head: …", ""],
      ]);
      const [file = ""] = await filesOf("audit_log");
      const sums = await promisify(execFile)("sha256sum", ["--check", `${file}.sha256`], { cwd: folder });
      assert.equal(sums.stdout, `${file}: OK\n`);
      writeFileSync(join(folder, file), readFileSync(join(folder, file)).subarray(0, -40));
      await assert.rejects(run(), { code: 1, stderr: new RegExp(`^Files of the audit log: ${file}: `) });
    });

    for (const [what, alter] of [
      ["a row altered", (text: string) => text.replace('SO,2,"Größe, ""ann""', 'SO,2,"Größe, ""eve""')],
      ["a row taken out", (text: string) => text.replace(/^3,PICK.*\n/m, "")],
      ["null become empty", (text: string) => text.replace("3,PICK,SO,3,,", '3,PICK,SO,3,"",')],
    ] as const)
      it(`finds in a file ${what}`, async () => {
        await audited(30, month(8));
        await audited(10, month(1));
        await sealAll();
        await retire();
        const [file = ""] = await filesOf("audit_log");
        const text = gunzipSync(readFileSync(join(folder, file))).toString();
        const altered = alter(text);
        assert.notEqual(altered, text);
        writeFileSync(join(folder, file), gzipSync(altered));
        assert.match((await verifyFiles(folder)).broken ?? "", /does not follow place [12] of the chain/);
      });

    it("retires nothing of a log that is not sound", async () => {
      await audited(30, month(8));
      await audited(10, month(1));
      await sealAll();
      await tamper("update audit_log set user_id = 'eve' where seal_no = 5");
      await assert.rejects(retire(), /not sound after place 4/);
      assert.deepEqual(await filesOf("audit_log"), []);
      assert.equal((await whereRowsAre("audit_log", "seal_no")).here.length, 40);
    });

    it("notices rows that are put where others were retired, and what was retired without a file", async () => {
      await audited(30, month(8));
      await audited(10, month(1));
      await sealAll();
      await retire();
      await sealAll();
      await tamper(
        `insert into audit_log (action_type, entity_type, entity_id, seal_no, row_hash)
         values ('PICK', 'SO', 1, 7, '')`,
      );
      assert.equal((await verifyAuditLog()).broken?.seal_no, 7);
      await tamper("delete from audit_log where seal_no = 7");
      assert.equal((await verifyAuditLog()).broken, undefined);
      await db.run("update retired_files set last_no = last_no + 2");
      await tamper("delete from audit_log where seal_no <= 32");
      assert.equal((await verifyAuditLog()).broken?.why, "altered");
      assert.match((await verifyFiles(folder)).broken ?? "", /ends at place 30/);
    });

    it("is retired by the role of the workers, which can delete no other rows, where migrate lets it", async () => {
      const name = `app_${randomUUID().slice(0, 8)}`;
      await onServer(`create role ${name} login password 'own'`);
      const owner = service.config.databaseUrl;
      const url = new URL(owner);
      Object.assign(url, { username: name, password: "own" });
      const client = new pg.Client(url.href);
      const own = { code: "42501" };
      try {
        await migrate(owner, migrations, name, true);
        await audited(30, month(8));
        await audited(10, month(1));
        await sealAll();
        await happened(20, month(8));
        await happened(10, month(1));
        await readAll(30);
        await client.connect();
        await disconnect();
        connect(url.href, 4);
        assert.deepEqual(await retire({ databaseUrl: url.href }), { audit_log: 30, integration_events: 20 });
        await client.query("update retired_files set last_no = 40 where table_name = 'audit_log'");
        const { rows } = await client.query("select * from delete_retired_audit(0, 1000)");
        assert.deepEqual(rows, [{ upto: null, removed: 0 }]);
        await assert.rejects(client.query("delete from audit_log where seal_no = 31"), own);
        await migrate(owner, migrations, name);
        await assert.rejects(client.query("select * from delete_retired_audit(0, 1000)"), own);
        await assert.rejects(retire({ databaseUrl: url.href }), own);
      } finally {
        await client.end();
        await disconnect();
        connect(owner, 16);
        await db.run(`drop owned by ${name}`);
        await onServer(`drop role ${name}`);
      }
    });
  });

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
    this.timeout(180_000);
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
      spawn(process.execPath, [program("../support/retire-rows.js"), service.config.databaseUrl, folder], {
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
