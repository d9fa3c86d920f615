import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { startApi } from "../support/api-process.js";
import { db } from "../support/db.js";
import { type LossyProxy, openProxy } from "../support/proxy.js";
import { killRoles, roleEnv, startRole } from "../support/roles.js";
import { createDatabase, databaseUrl } from "../support/servers.js";
import { until } from "../support/until.js";

/** The six connections that operations.md counts, by their `application_name`: those of the API, then the worker's. */
const OWN = [
  "warehouse session_changes,wms_token_changes",
  "warehouse integration_events_visible",
  "warehouse integration_events_visible",
  "warehouse webhook_subscription_changes",
  "warehouse channel_news",
  "warehouse webhook locks",
];
const POOL = "warehouse";

/** Two ways to one database: by a proxy, as there would be a pooler, and past it. */
describe("with DATABASE_DIRECT_URL", () => {
  let proxy: LossyProxy;
  before(async () => {
    const name = `t_${randomUUID().replaceAll("-", "")}`;
    await createDatabase(name);
    const direct = databaseUrl(name);
    connect(direct, 1);
    await db.run("set application_name = 'this test'");
    proxy = await openProxy(direct);
    const pepper = randomUUID();
    const more = { DATABASE_DIRECT_URL: direct, SERVICE_TOKEN_PEPPER: pepper, TEMPORAL_TASK_QUEUE: name };
    startRole([process.execPath, "dist/workers/main.js"], roleEnv(proxy.url, more));
    const { caller } = await startApi(proxy.url, pepper, more);
    await until(async () => (await caller.get("/api/ready")).status === 200, 30_000);
  });
  after(async () => {
    killRoles();
    await disconnect();
    await proxy.close();
  });

  const connections = () =>
    db.rows<{ name: string; port: number }>(
      `select application_name as name, client_port as port from pg_stat_activity
       where datname = current_database() and application_name like 'warehouse%'`,
    );

  it("listeners and locks of a session go past the pooler, and statements through it", async () => {
    const namesOf = async () => (await connections()).map(({ name }) => name);
    await until(async () => (await namesOf()).filter((name) => name !== POOL).length === OWN.length, 30_000);
    await until(async () => (await namesOf()).includes(POOL));
    const found = await connections();
    const through = found.filter(({ port }) => proxy.carries(port)).map(({ name }) => name);
    const past = found.filter(({ port }) => !proxy.carries(port)).map(({ name }) => name);
    assert.deepEqual([...new Set(through)], [POOL]);
    assert.deepEqual(past.sort(), [...OWN].sort());
  });
});
