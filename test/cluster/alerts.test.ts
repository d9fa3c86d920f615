import assert from "node:assert/strict";
import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type Server } from "node:tls";
import { Client, Connection } from "@temporalio/client";
import { freePort } from "../../src/launcher/free-port.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { certificate, expired, key } from "../support/certificates.js";
import { commandOf } from "../support/compose.js";
import { db } from "../support/db.js";
import { firing, promtool } from "../support/promtool.js";
import { endRole, killRoles, roleEnv, startRole } from "../support/roles.js";
import { type Sample, scrape } from "../support/scrape.js";
import { openStack, type Stack } from "../support/stack.js";
import { until } from "../support/until.js";

const DAY_S = 86_400;

/** Each fault is caused, what Prometheus would read then is read, and Prometheus's own program evaluates the rules. */
describe("the alerts", function () {
  this.timeout(25 * 60_000);
  let program: string;
  let stack: Stack;
  let site: Server;
  let backups: string;
  let backup: string;
  let archive: string;
  let ports: { api: number; second: number; worker: number; temporal: number };
  let second: ChildProcess;
  /** What Prometheus finds: by job, the ports. */
  let targets: [job: string, port: number][];
  let first: Sample[];
  let well: Sample[];

  before(async function () {
    const found = promtool();
    if (!found) return this.skip();
    program = found;
    backups = mkdtempSync(join(tmpdir(), "warehouse-backups-"));
    backup = join(backups, "warehouse-1.gz");
    writeFileSync(backup, "");
    archive = mkdtempSync(join(tmpdir(), "warehouse-archive-"));
    for (const part of ["wal", "base"]) writeFileSync(join(archive, `newest-${part}`), "");
    site = createServer({ cert: certificate, key }, (socket) => socket.on("error", () => {})).listen(0, "127.0.0.1");
    await once(site, "listening");
    ports = { api: await freePort(), second: await freePort(), worker: await freePort(), temporal: await freePort() };
    stack = await openStack({
      SERVICE_METRICS_PORT: `${ports.api}`,
      SERVICE_WORKER_METRICS_PORT: `${ports.worker}`,
      SERVICE_TEMPORAL_METRICS_PORT: `${ports.temporal}`,
      SERVICE_BACKUP_FOLDER: backups,
      SERVICE_ARCHIVE_FOLDER: archive,
      SERVICE_SITE_ADDRESS: "partner.test",
      SERVICE_SITE_TLS_AT: `127.0.0.1:${(site.address() as AddressInfo).port}`,
    });
    connect(stack.databaseUrl, 4);
    targets = [
      ["warehouse-api", ports.api],
      ["warehouse-api", ports.second],
      ["warehouse-worker", ports.worker],
      ["warehouse-worker-temporal", ports.temporal],
    ];
    await startSecond();
    first = await measured();
    const done = runs(first, "done");
    await stack.reconcile();
    await until(async () => {
      well = await measured();
      return runs(well, "done") > done;
    }, 90_000);
  });
  after(async () => {
    killRoles();
    site?.close();
    if (!stack) return;
    await disconnect();
    await stack.close();
  });

  async function startSecond(): Promise<void> {
    const more = {
      ...{ TEMPORAL_ADDRESS: stack.temporalAddress, PORT: `${await freePort()}` },
      SERVICE_METRICS_PORT: `${ports.second}`,
    };
    second = startRole(commandOf("api"), roleEnv(stack.databaseUrl, more));
    await until(() => scrape(ports.second).then(Boolean, () => false), 40_000);
  }

  /** What Prometheus has after it has read all targets. */
  async function measured(): Promise<Sample[]> {
    const read = targets.map(async ([job, port]) => {
      const labels = { job, instance: `${job}:${port}` };
      const samples = await Promise.race([
        scrape(port),
        once(AbortSignal.timeout(5_000), "abort").then(() => null),
      ]).catch(() => null);
      const up = { name: "up", labels, value: samples ? 1 : 0 };
      return [up, ...(samples ?? []).map((sample) => ({ ...sample, labels: { ...sample.labels, ...labels } }))];
    });
    return (await Promise.all(read)).flat();
  }
  const sum = (samples: Sample[], name: string, labels: Record<string, string> = {}) =>
    samples
      .filter(
        (one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
      )
      .reduce((total, { value }) => total + value, 0);
  const runs = (samples: Sample[], outcome: string) =>
    sum(samples, "maintenance_runs_total", { name: "reconcile", outcome });
  /** Waits for what shows the fault; then which alerts fire. */
  async function alertsOnce(shows: (samples: Sample[]) => boolean): Promise<string[]> {
    const begun = await measured();
    let faulty: Sample[] = [];
    const shown = async () => {
      faulty = await measured();
      return shows(faulty);
    };
    await until(shown, 120_000, 1_000);
    // Nobody waits for the job of every minute: it goes on, unless it has failed since.
    const fails = runs(faulty, "failed") > runs(begun, "failed");
    return firing(program, first, well, withRuns(faulty, fails ? runs(faulty, "done") - runs(begun, "done") : 1));
  }
  /** As if reconcile had been done so often each minute. */
  const withRuns = (samples: Sample[], more: number) =>
    samples.map((one) =>
      one.name === "maintenance_runs_total" && one.labels.outcome === "done"
        ? { ...one, value: sum(well, one.name, one.labels) + more }
        : one,
    );

  /** The alerts while a file has this age, as a metric tells it. */
  async function alertsOfAge(file: string, seconds: number, metric: string, labels = {}): Promise<string[]> {
    const age = (samples: Sample[]) => sum(samples, metric, labels);
    const now = Date.now() / 1_000;
    utimesSync(file, now, now - seconds);
    const alerts = await alertsOnce((samples) => age(samples) >= seconds);
    utimesSync(file, now, now);
    await until(async () => age(await measured()) < seconds, 60_000, 1_000);
    return alerts;
  }

  it("are none while all is well", async () => {
    assert.deepEqual(await alertsOnce(() => true), []);
  });

  it("ReplicaDown: one of two APIs hangs, then it is gone", async () => {
    second.kill("SIGSTOP");
    assert.deepEqual(await alertsOnce((samples) => sum(samples, "up") === 3), ["ReplicaDown"]);
    await endRole(second, "SIGKILL");
    targets.splice(1, 1);
    assert.deepEqual(await alertsOnce((samples) => sum(samples, "up") === 3), ["ReplicaDown"]);
    targets.splice(1, 0, ["warehouse-api", ports.second]);
    await startSecond();
  });

  it("TemporalDown: its server is away", async () => {
    const back = await stack.takeAway("Temporal");
    try {
      const alerts = await alertsOnce((samples) => sum(samples, "warehouse_temporal_reachable") === 0);
      assert.deepEqual(alerts, ["TemporalDown"]);
    } finally {
      await back();
    }
  });

  it("BackupOld: none was written for two days", async () => {
    assert.deepEqual(await alertsOfAge(backup, 2 * DAY_S, "warehouse_backup_age_seconds"), ["BackupOld"]);
  });

  it("ArchiveStopped: it stands still", async () => {
    const alerts = await alertsOfAge(join(archive, "newest-wal"), 3_600, "warehouse_archive_age_seconds", {
      part: "wal",
    });
    assert.deepEqual(alerts, ["ArchiveStopped"]);
  });

  it("ArchiveBaseOld: no base backup was taken for two days", async () => {
    const base = join(archive, "newest-base");
    const alerts = await alertsOfAge(base, 2 * DAY_S, "warehouse_archive_age_seconds", { part: "base" });
    assert.deepEqual(alerts, ["ArchiveBaseOld"]);
  });

  it("ProbeFailed: the folder of the archive is gone", async () => {
    const read = (samples: Sample[]) => sum(samples, "warehouse_probe_success", { probe: "archive" });
    renameSync(archive, `${archive}-away`);
    assert.deepEqual(await alertsOnce((samples) => read(samples) === 0), ["ProbeFailed"]);
    renameSync(`${archive}-away`, archive);
    await until(async () => read(await measured()) === 1, 60_000, 1_000);
  });

  it("CertificateEnds: it was not renewed", async () => {
    site.setSecureContext({ cert: expired, key });
    assert.deepEqual(await alertsOnce((samples) => sum(samples, "warehouse_certificate_left_ratio") < 0), [
      "CertificateEnds",
    ]);
    site.setSecureContext({ cert: certificate, key });
    await until(async () => sum(await measured(), "warehouse_certificate_left_ratio") > 0, 60_000, 1_000);
  });

  it("DiskFull, DiskFills: a disk without room", async function () {
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", backups], { stdio: "ignore" });
    } catch {
      this.skip(); // Only root may do so, and not everywhere.
    }
    const left = (samples: Sample[]) => sum(samples, "warehouse_disk_free_ratio", { folder: "backups" });
    try {
      writeFileSync(join(backups, "warehouse-2.gz"), Buffer.alloc(1_020_000));
      assert.deepEqual(await alertsOnce((samples) => left(samples) < 0.05), ["DiskFills", "DiskFull"]);
    } finally {
      execFileSync("umount", [backups]);
    }
    await until(async () => left(await measured()) > 0.05, 60_000, 1_000);
  });

  it("ReconcileStopped: it fails each time", async () => {
    await db.run("alter table transfer_orders rename to transfer_orders_away");
    assert.deepEqual(await alertsOnce((samples) => runs(samples, "failed") > 0), ["ReconcileStopped"]);
    await db.run("alter table transfer_orders_away rename to transfer_orders");
  });

  it("WorkflowTasksFail: a workflow that no worker knows", async () => {
    const connection = await Connection.connect({ address: stack.temporalAddress });
    const unknown = await new Client({ connection }).workflow.start("unknown", {
      ...{ taskQueue: "warehouse", workflowId: "unknown" },
    });
    const alerts = await alertsOnce((samples) => sum(samples, "temporal_workflow_task_execution_failed_total") > 0);
    assert.deepEqual(alerts, ["WorkflowTasksFail"]);
    await unknown.terminate();
    await connection.close();
  });
});
