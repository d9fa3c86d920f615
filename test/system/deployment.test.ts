import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import proto from "@temporalio/proto";
import pg from "pg";
import { freePort } from "../../src/launcher/free-port.js";
import { waveWorkflowId } from "../../src/picking/wave.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { verifyAuditLog } from "../../src/reports/audit/verify.js";
import { type Answer, Caller } from "../support/caller.js";
import { commandOf, environmentOf, healthCheckOf } from "../support/compose.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { PASSWORD, person } from "../support/people.js";
import { endRole, killRoles, runRole, startRole } from "../support/roles.js";
import { Scanner } from "../support/scanner.js";
import { databaseUrl, onServer } from "../support/servers.js";
import { countBatchesApart } from "../support/service.js";
import { until } from "../support/until.js";

/** Asks one API after the other, as a load balancer does. */
class Balanced extends Caller {
  static #turn = 0;
  constructor(private readonly callers: Caller[]) {
    super("", {}, "", 0);
  }
  override with(headers: Record<string, string>): Caller {
    return new Balanced(this.callers.map((caller) => caller.with(headers)));
  }
  override call(method: string, path: string, body?: unknown): Promise<Answer> {
    const caller = this.callers[Balanced.#turn++ % this.callers.length];
    return (caller as Caller).call(method, path, body);
  }
}

describe("docker-compose.yml, its commands run as plain processes", function () {
  this.timeout(120_000);
  /**
   * Instead of `warehouse` in the names of the database and of its two roles, which can nothing else; and the task
   * queue.
   */
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  const given = {
    WAREHOUSE_DB_PASSWORD: randomUUID(),
    WAREHOUSE_APP_DB_PASSWORD: randomUUID(),
    SERVICE_ADMIN_PASSWORD: PASSWORD,
    JWT_SECRET: randomUUID(),
    SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
    SERVICE_TOKEN_PEPPER: randomUUID(),
    SITE_ADDRESS: "http://127.0.0.1",
  };
  const apis: { caller: Caller; env: NodeJS.ProcessEnv; role: ChildProcess }[] = [];
  const workers: ChildProcess[] = [];
  let engine: Client;
  /** As the role of API and workers. */
  let application: pg.Client;
  let warehouse_id: number;
  let goods: { item_id: number; sku: string };

  const own = (role: string) => role.replace(/^warehouse/, name);
  /** The service's environment, with this machine's addresses instead of those in the compose network. */
  function here(service: string): Record<string, string> {
    const env = environmentOf(service, given);
    const url = new URL(env.DATABASE_URL as string);
    url.host = new URL(databaseUrl(name)).host;
    url.pathname = name;
    url.username = own(url.username);
    const role = env.SERVICE_DATABASE_APP_ROLE;
    return {
      ...env,
      ...(role && { SERVICE_DATABASE_APP_ROLE: own(role) }),
      DATABASE_URL: url.href,
      TEMPORAL_ADDRESS: process.env.TEST_TEMPORAL_ADDRESS as string,
      TEMPORAL_TASK_QUEUE: name,
      HOST: "127.0.0.1",
      SERVICE_INBOUND_MAPPINGS_DIR: "",
      // Containers have these ports for themselves, processes of one machine have not.
      ...{ SERVICE_METRICS_PORT: "", SERVICE_WORKER_METRICS_PORT: "", SERVICE_TEMPORAL_METRICS_PORT: "" },
    };
  }
  async function startApi(): Promise<void> {
    const env = { ...here("api"), PORT: `${await freePort()}` };
    const caller = new Caller(`http://127.0.0.1:${env.PORT}`, {}, "", 0);
    apis.push({ caller, env, role: startRole(commandOf("api"), env) });
  }
  /** Signs in by way of one API and works by way of all. */
  async function balanced(username: string): Promise<Caller> {
    const callers = apis.map(({ caller }) => caller);
    const { token } = await (callers[0] as Caller).ok("POST", "/api/auth/login", { username, password: PASSWORD });
    return new Balanced(callers).with({ authorization: `Bearer ${token}` });
  }

  before(async () => {
    await onServer(`create role ${name} login password '${given.WAREHOUSE_DB_PASSWORD}'`);
    await onServer(`create role ${name}_app login password '${given.WAREHOUSE_APP_DB_PASSWORD}'`);
    await onServer(`create database ${name} owner ${name}`);
    await onServer(`revoke all on database ${name} from public`);
    await onServer(`grant connect on database ${name} to ${name}_app`);
    engine = new Client({
      connection: await Connection.connect({ address: process.env.TEST_TEMPORAL_ADDRESS as string }),
    });
    // As the owner of the tables.
    connect(here("migrate").DATABASE_URL as string, 4);
    assert.equal(await runRole(commandOf("migrate"), here("migrate")), 0);
    application = new pg.Client(here("api").DATABASE_URL);
    await application.connect();
    await countBatchesApart();
    warehouse_id = await warehouse();
    goods = await item();
    await stock(warehouse_id, await bin(warehouse_id), goods.item_id, 1_000);
    for (let i = 0; i < 2; i++) {
      await startApi();
      workers.push(startRole(commandOf("worker"), here("worker")));
    }
    const ready = ({ caller }: { caller: Caller }) =>
      caller.get("/api/ready").then(
        ({ status }) => status === 200,
        () => false,
      );
    await until(async () => (await Promise.all(apis.map(ready))).every(Boolean), 90_000);
  });
  after(async () => {
    killRoles();
    await application.end();
    await disconnect();
    await engine.connection.close();
    await onServer(`drop database ${name} with (force)`);
    await onServer(`drop role ${name}_app, ${name}`);
  });

  const order = async () => (await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 2 }])).so_id;
  /** Makes a wave over an order, picks it and completes it; gives the wave. */
  async function walk(scanner: Scanner): Promise<number> {
    const { batch_id } = await scanner.post("/api/picking/wave-create", { so_ids: [await order()], warehouse_id });
    const { pick_task_id } = await scanner.get(`/api/picking/batch/${batch_id}/next`);
    await scanner.post("/api/picking/confirm", { pick_task_id, scanned_barcode: goods.sku, quantity_picked: 2 });
    await scanner.post("/api/picking/complete-batch", { batch_id });
    return batch_id;
  }

  /** Waits for the end of a wave's process, which fails when it is another one. */
  const completed = (batch_id: number) => engine.workflow.getHandle(waveWorkflowId(batch_id)).result();

  it("two workers poll", async () => {
    const pollers = async () => {
      const found = await engine.workflowService.describeTaskQueue({
        namespace: "default",
        taskQueue: { name },
        taskQueueType: proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
      });
      return found.pollers.map(({ identity }) => Number.parseInt(`${identity}`, 10));
    };
    await until(async () => (await pollers()).length === 2);
    assert.deepEqual(
      (await pollers()).toSorted((a, b) => a - b),
      workers.map(({ pid }) => pid as number).toSorted((a, b) => a - b),
    );
  });

  it("a login at one API holds at the other, which completes the first one's wave", async () => {
    const scanner = new Scanner(await balanced("admin"));
    const batch_id = await walk(scanner);
    assert.equal(scanner.asked, 4, "in turn, each answered at once");
    await completed(batch_id);
  });

  it("workers note no call stacks of a wave's promises", async () => {
    const batch_id = await walk(new Scanner(await balanced("admin")));
    await completed(batch_id);
    await assert.rejects(engine.workflow.getHandle(waveWorkflowId(batch_id)).query("__stack_trace"), /not enabled/);
  });

  it("the health checks tell who works", async () => {
    const [first] = apis;
    assert.equal(await runRole(healthCheckOf("api"), first?.env ?? {}), 0);
    const nobody = { ...first?.env, PORT: `${await freePort()}` };
    assert.equal(await runRole(healthCheckOf("api"), nobody), 1);
    const polls = healthCheckOf("worker");
    assert.equal(await runRole(polls, here("worker")), 0);
    const idle = { ...here("worker"), TEMPORAL_TASK_QUEUE: `${name}_idle` };
    assert.equal(await runRole(polls, idle), 1);
  });

  it("the others go on where a killed API and a killed worker stopped", async () => {
    const scanners: Scanner[] = [];
    for (let i = 0; i < 4; i++) scanners.push(new Scanner(await balanced((await person()).username)));
    const walking = scanners.map(async (scanner) => [await walk(scanner), await walk(scanner), await walk(scanner)]);
    await until(() => scanners.some(({ accepted }) => accepted.length >= 4));
    await endRole(workers.shift() as ChildProcess, "SIGKILL");
    await endRole(apis.shift()?.role as ChildProcess, "SIGKILL");

    const waves = (await Promise.all(walking)).flat();
    assert.equal(waves.length, 12);
    await Promise.all(waves.map(completed));
    assert.deepEqual(await db.rows("select status, count(*) from sales_orders group by 1"), [
      { status: "PICKED", count: 14 },
    ]);
    await assertInvariants();
  });

  it("the audit log is sealed and whole", async () => {
    const sealed = async () => (await application.query("select from audit_unsealed")).rowCount === 0;
    await until(sealed, 10_000);
    const { verified, broken } = await verifyAuditLog();
    assert.equal(broken, undefined);
    assert.ok(verified > 0);
  });

  for (const deed of [
    "alter table audit_log disable trigger all",
    "alter table audit_log disable trigger audit_log_append_only",
    "drop trigger audit_log_append_only on audit_log",
    "create or replace function audit_log_refuse_change() returns trigger language plpgsql as 'begin return new; end'",
    "set session_replication_role = replica",
    "create table audit_log_2 (log_id bigint)",
    "create temporary table audit_log (log_id bigint)",
    "truncate audit_log",
    "drop table audit_log",
    "delete from audit_log where log_id = 1",
    "update audit_log set user_id = 'eve' where log_id = 1",
    "update audit_log set details = '{}'",
    "update audit_log set row_hash = sha256('') where log_id = 1",
    "update audit_seals set row_hash = sha256('') where seal_no = 1",
    "delete from audit_seals where seal_no = 1",
    "truncate audit_seals",
    "insert into audit_log (action_type, entity_type, entity_id, created_at) values ('PICK', 'SO', 1, '2020-01-01')",
    "insert into audit_log (action_type, entity_type, entity_id, seal_no, row_hash) values ('PICK', 'SO', 1, 0, '')",
    "delete from knex_migrations",
  ])
    it(`the role of API and workers may not: ${deed}`, () =>
      assert.rejects(
        application.query(deed),
        (error: { code?: string }) => error.code === "42501" || assert.fail(`${error}`),
      ));

  it("the role of API and workers has the rows of every other table, those of later migrations too", async () => {
    await db.run("create table of_a_later_migration (id serial)");
    const { rows } = await application.query(
      `select relname from pg_class
         where relnamespace = 'public'::regnamespace and relname !~ '^(knex_migrations|audit_(log|seals)$)'
           and case when relkind = 'S' then not has_sequence_privilege(oid, 'usage')
                    when relkind = 'r' then not (has_table_privilege(oid, 'select')
                      and has_table_privilege(oid, 'insert')
                                                 and has_table_privilege(oid, 'update')
                                                   and has_table_privilege(oid, 'delete')) end`,
    );
    await db.run("drop table of_a_later_migration");
    assert.deepEqual(rows, []);
  });

  it("migrate runs again, and refuses to grant to nobody or to the owner", async () => {
    const migrate = (SERVICE_DATABASE_APP_ROLE: string) =>
      runRole(commandOf("migrate"), { ...here("migrate"), SERVICE_DATABASE_APP_ROLE });
    assert.equal(await migrate(`${name}_app`), 0);
    assert.equal(await migrate(name), 1);
    assert.equal(await migrate("nobody"), 1);
  });

  it("a backup is written at once; its restore gives the application its rights, none to the audit log", async () => {
    const folder = mkdtempSync(join(tmpdir(), "warehouse-backups-"));
    const inFolder = (command: string[]) => command.map((word) => word.replaceAll("/backups", folder));
    const old = join(folder, "warehouse-old.gz");
    writeFileSync(old, "");
    utimesSync(old, 0, 0);
    const newest = inFolder(healthCheckOf("backup"));
    assert.equal(await runRole(newest, {}), 1, "none of these days");
    const again = startRole(inFolder(commandOf("backup")), here("backup"));
    await until(() => readdirSync(folder).join() !== "warehouse-old.gz" && !existsSync(old), 30_000);
    await endRole(again);
    assert.equal(await runRole(newest, {}), 0);

    const [file = ""] = readdirSync(folder);
    const restored = `${name}_r`;
    await onServer(`create database ${restored} owner ${name}`);
    const of = (url: string) => url.replace(new RegExp(`/${name}$`), `/${restored}`);
    const env = { ...here("backup"), DATABASE_URL: of(here("backup").DATABASE_URL as string) };
    assert.equal(await runRole(["node", "dist/workers/restore.js", join(folder, file)], env), 0);
    rmSync(folder, { recursive: true });
    const client = new pg.Client(of(here("api").DATABASE_URL as string));
    await client.connect();
    assert.equal((await client.query("update items set sku = sku")).rowCount, 1);
    await assert.rejects(client.query("delete from audit_log"), /permission denied/);
    await client.end();
    await onServer(`drop database ${restored}`);
  });

  it("SIGTERM ends the rest in order", async () => {
    const rest = [...workers, ...apis.map(({ role }) => role)];
    assert.equal(rest.length, 2);
    for (const role of rest) assert.deepEqual(await endRole(role), [0, null]);
  });
});
