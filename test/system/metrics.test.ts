import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type Server } from "node:tls";
import { Client, Connection } from "@temporalio/client";
import { freePort } from "../../src/launcher/free-port.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { certificate, key } from "../support/certificates.js";
import { db } from "../support/db.js";
import { alerts, panels, scraped } from "../support/monitoring.js";
import { readQuery } from "../support/promql.js";
import { type Sample, scrape } from "../support/scrape.js";
import { type Floor, openFloor, pickAll, startWave } from "../support/shift.js";
import { openStack, type Stack } from "../support/stack.js";
import { until } from "../support/until.js";

describe("the metrics", function () {
  this.timeout(240_000);
  let stack: Stack;
  let floor: Floor;
  /** Shows a certificate, as the proxy does. */
  let site: Server;
  let ports: { api: number; worker: number; temporal: number };
  before(async () => {
    ports = { api: await freePort(), worker: await freePort(), temporal: await freePort() };
    const backups = mkdtempSync(join(tmpdir(), "warehouse-backups-"));
    writeFileSync(join(backups, "warehouse-1.gz"), "");
    const archive = mkdtempSync(join(tmpdir(), "warehouse-archive-"));
    writeFileSync(join(archive, "newest-wal"), "");
    site = createServer({ cert: certificate, key }, (socket) => socket.on("error", () => {})).listen(0, "127.0.0.1");
    await once(site, "listening");
    stack = await openStack({
      SERVICE_BACKUP_FOLDER: backups,
      SERVICE_RETENTION_FOLDER: ".",
      SERVICE_ARCHIVE_FOLDER: archive,
      SERVICE_SITE_ADDRESS: "partner.test",
      SERVICE_SITE_TLS_AT: `127.0.0.1:${(site.address() as AddressInfo).port}`,
      SERVICE_METRICS_PORT: `${ports.api}`,
      SERVICE_WORKER_METRICS_PORT: `${ports.worker}`,
      SERVICE_TEMPORAL_METRICS_PORT: `${ports.temporal}`,
    });
    connect(stack.databaseUrl, 4);
    floor = await openFloor(stack, 2);
    await work();
    await failingTask();
  });
  after(async () => {
    site?.close();
    await disconnect();
    await stack?.close();
  });

  /** A wave that is walked to its end and one that is open, a refusal, and something of each kind that waits. */
  async function work() {
    const [one, other] = floor.scanners;
    if (!one || !other) throw new Error("nobody is there");
    const wave = await startWave(floor, one);
    await pickAll(one, wave);
    await one.caller.post("/api/picking/complete-batch", wave);
    await startWave(floor, other);
    await one.caller.get(`/api/lookup/item/${floor.items[0]?.sku}`);
    await one.caller.with({ authorization: "" }).get("/api/lookup/item/secret-1");
    await one.caller.get("/api/no-such-route/secret-2");
    const { warehouse_id } = floor;
    await db.run(
      `insert into sync_state (connector_name, warehouse_id, sync_type, sync_status, consecutive_errors,
        last_success_at)
       values ('a-shop', $1, 'orders', 'error', 4, now() - interval '2 hours')`,
      [warehouse_id],
    );
    await db.run(
      `insert into connector_schedules (connector_name, warehouse_id, sync_type, interval_minutes, enabled)
       values ('a-shop', $1, 'orders', 10080, true)`,
      [warehouse_id],
    );
    await db.run(
      `insert into connector_circuits (connector_name, warehouse_id, failures, open_until)
       values ('a-shop', $1, 5, now())`,
      [warehouse_id],
    );
    await db.run(
      `insert into connector_refusals (connector_name, warehouse_id, sync_type, external_id, external_version, record,
        error_kind, error_message)
       values ('a-shop', $1, 'orders', '1', '1', '{}', 'unknown', 'unknown')`,
      [warehouse_id],
    );
    await db.run(
      `insert into channels (channel_id, display_name, delivery_url, status, pause_reason)
       values ('market', 'Market', 'https://market.example.com', 'paused', 'manual')`,
    );
    await db.run(
      `insert into sales_orders (so_number, so_barcode, warehouse_id, customer_name, order_date, status)
       values ('W-1', 'W-1', $1, 'Customer', current_date, 'WAITING_STOCK')`,
      [warehouse_id],
    );
  }

  /** Of a workflow that no worker knows: the Temporal SDK counts failures only once there are some. */
  async function failingTask() {
    const connection = await Connection.connect({ address: stack.temporalAddress });
    const { workflow } = new Client({ connection });
    const unknown = await workflow.start("unknown", { taskQueue: "warehouse", workflowId: "unknown" });
    const failed = "temporal_workflow_task_execution_failed_total";
    await until(async () => Number(figure(await scrape(ports.temporal), failed)) > 0, 30_000);
    await unknown.terminate();
    await connection.close();
  }

  const figure = (samples: Sample[], name: string, labels: Record<string, string> = {}) =>
    samples.find(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    )?.value;

  it("of the API time each request by method, route and status, and have no id or code in them", async () => {
    let samples: Sample[] = [];
    const count = (labels: Record<string, string>) =>
      figure(samples, "http_server_request_duration_seconds_count", labels);
    // A request is counted a moment after it has ended.
    await until(async () => {
      samples = await scrape(ports.api);
      return count({ method: "GET", route: "none", status: "404" }) === 1;
    });
    assert.equal(count({ method: "POST", route: "/api/picking/wave-create", status: "200" }), 2);
    assert.equal(count({ method: "GET", route: "/api/lookup/item/:barcode", status: "200" }), 1);
    assert.equal(count({ method: "GET", route: "/api/lookup/item/:barcode", status: "401" }), 1);
    assert.equal(count({ method: "GET", route: "none", status: "404" }), 1);
    assert.ok(!JSON.stringify(samples).includes("secret"));
    assert.equal(figure(samples, "security_refusals_total", { status: "401" }), 1);
  });

  it("of both processes tell their connections, memory and processor time", async () => {
    for (const port of [ports.api, ports.worker]) {
      const samples = await scrape(port);
      assert.equal(figure(samples, "db_pool_size"), 16);
      const used = figure(samples, "db_pool_connections", { state: "used" });
      const idle = figure(samples, "db_pool_connections", { state: "idle" });
      assert.ok(Number(used) + Number(idle) <= 16, `${used} + ${idle}`);
      assert.equal(figure(samples, "db_pool_waiting"), 0);
      assert.ok(Number(figure(samples, "process_resident_memory_bytes")) > 1e7);
      assert.ok(Number(figure(samples, "process_cpu_seconds_total")) > 0);
    }
  });

  it("of the worker tell what waits in the database, and those of the API do not", async () => {
    // What was read is kept for five seconds.
    await until(async () => figure(await scrape(ports.worker), "warehouse_orders_waiting_for_stock") === 1);
    const samples = await scrape(ports.worker);
    const value = (name: string, labels = {}) => figure(samples, `warehouse_${name}`, labels);
    const shop = { connector: "a-shop" };
    assert.equal(value("database_reachable"), 1);
    assert.equal(value("pick_waves_open"), 1);
    assert.equal(value("channels", { status: "paused" }), 1);
    assert.equal(value("connector_sync_failures", { ...shop, type: "orders" }), 4);
    assert.equal(value("connector_syncs_running", shop), 0);
    assert.equal(value("connector_refusals", shop), 1);
    const age = Number(value("connector_sync_age_seconds", { ...shop, type: "orders" }));
    assert.ok(age >= 7_200 && age < 10_000, `${age}`);
    for (const { name } of await scrape(ports.api)) assert.doesNotMatch(name, /^warehouse_/);
  });

  it("of the worker tell what it needs around it", async () => {
    const samples = await scrape(ports.worker);
    const value = (name: string, labels = {}) => Number(figure(samples, `warehouse_${name}`, labels));
    assert.equal(value("temporal_reachable"), 1);
    for (const folder of ["service", "backups", "archive", "retention"]) {
      const free = value("disk_free_ratio", { folder });
      assert.ok(free > 0 && free <= 1, `${folder}: ${free}`);
    }
    assert.ok(value("backup_age_seconds") < 1_000);
    assert.ok(value("archive_age_seconds", { part: "wal" }) < 1_000);
    assert.equal(value("archive_age_seconds", { part: "base" }), Number.POSITIVE_INFINITY);
    assert.ok(value("certificate_left_ratio") > 0.5);
  });

  it("of the worker count what the maintenance jobs did", async () => {
    const job = { name: "reconcile", outcome: "done" };
    await until(async () => Number(figure(await scrape(ports.worker), "maintenance_runs_total", job)) > 0, 90_000);
  });

  it("of the Temporal SDK are on a port of their own", async () => {
    const samples = await scrape(ports.temporal);
    assert.equal(figure(samples, "temporal_workflow_completed_total", { workflow_type: "pickWave" }), 1);
  });

  it("that dashboard and alerts read are all there, with the labels that they select and group by", async () => {
    const jobs: Record<string, Sample[]> = {
      "warehouse-api": await scrape(ports.api),
      "warehouse-worker": await scrape(ports.worker),
      "warehouse-worker-temporal": await scrape(ports.temporal),
    };
    // Prometheus adds these, and has this metric of each target.
    const labels = new Map([["up", new Set(["job", "instance"])]]);
    for (const { name, labels: own } of Object.values(jobs).flat()) {
      const known = labels.get(name) ?? new Set(["job", "instance"]);
      for (const label of Object.keys(own)) known.add(label);
      labels.set(name, known);
    }
    const texts = [
      ...panels().flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      ...alerts().map(({ expr }) => expr),
    ];
    const queries = texts.map(readQuery);
    assert.ok(queries.length > 60, `${queries.length}`);
    for (const { text, metrics, groupedBy } of queries) {
      assert.ok(metrics.length > 0, text);
      for (const { name, labels: selected } of metrics) {
        const known = labels.get(name);
        assert.ok(known, `no metric ${name}: ${text}`);
        for (const label of [...selected, ...groupedBy])
          assert.ok(known.has(label), `${name} has no ${label}: ${text}`);
      }
    }
  });

  it("are all described, and each alert with what to do", () => {
    const page = readFileSync(new URL("../../../docs/monitoring.md", import.meta.url), "utf8");
    for (const { alert } of alerts()) assert.ok(page.includes(`| \`${alert}\``), alert);
  });

  it("each have a line in the documentation", async () => {
    const page = readFileSync(new URL("../../../docs/monitoring.md", import.meta.url), "utf8");
    for (const { name } of [...(await scrape(ports.api)), ...(await scrape(ports.worker))]) {
      const documented = name.replace(/_(bucket|sum|count)$/, "");
      assert.ok(page.includes(`| \`${documented}\``), documented);
    }
  });

  it("are read by Prometheus where the compose file serves them", () => {
    assert.deepEqual(
      scraped().map(({ job, targets }) => [job, ...targets]),
      [
        ["warehouse-api", "api:9464"],
        ["warehouse-worker", "worker:9464"],
        ["warehouse-worker-temporal", "worker:9465"],
        ["temporal", "temporal:9090"],
      ],
    );
  });

  it("go on while the database is away, and say so", async () => {
    const back = await stack.takeAway("Postgres");
    try {
      await until(async () => figure(await scrape(ports.worker), "warehouse_database_reachable") === 0, 30_000);
      assert.ok((await scrape(ports.api)).length > 0);
    } finally {
      await back();
    }
    await until(async () => figure(await scrape(ports.worker), "warehouse_database_reachable") === 1, 30_000);
  });
});
