import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { sealAll } from "../../activities/outbound/sequencer.js";
import { migrations } from "../../migrations/index.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { migrate } from "../../src/platform/db/migrate.js";
import { verifyAuditLog } from "../../src/reports/audit/verify.js";
import { verifyFiles } from "../../src/reports/audit/verify-files.js";
import { db } from "../support/db.js";
import { audited, filesOf, happened, month, numbers, readAll, retention, tamper } from "../support/retention.js";
import { onServer } from "../support/servers.js";

const program = fileURLToPath(new URL("../../workers/audit-verify.js", import.meta.url));

describe("retention of the audit log", () => {
  const { folder, service, retire, rowsIn, whereRowsAre } = retention();

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
    await Promise.all([retiring, ...Array.from({ length: 3 }, verifyAll)]);
  });

  it("is checked by commands, the service's and sha256sum", async () => {
    await audited(30, month(8));
    await audited(10, month(1));
    await sealAll();
    await retire();
    await sealAll();
    const run = () =>
      promisify(execFile)(process.execPath, [program, folder], {
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
    await tamper("update audit_log set user_id = 'eve' where log_id = 5");
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
    await tamper("insert into audit_seals values (7, 7, '', '')");
    assert.equal((await verifyAuditLog()).broken?.seal_no, 7);
    await tamper("delete from audit_seals where seal_no = 7");
    assert.equal((await verifyAuditLog()).broken, undefined);
    await db.run("update retired_files set last_no = last_no + 2");
    await tamper("delete from audit_seals where seal_no <= 32");
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
      await assert.rejects(client.query("delete from audit_log where log_id = 31"), own);
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
