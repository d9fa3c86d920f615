import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../src/launcher/free-port.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { endRole } from "../support/roles.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";

const PATH = `${process.env.PATH}:/usr/sbin`;
const found = spawnSync("pgbouncer", ["--version"], { env: { ...process.env, PATH } }).status === 0;

describe("behind PgBouncer", () => {
  let service: TestService;
  let bouncer: ChildProcess;
  let folder: string;
  before(async function () {
    if (!found) {
      console.log("    PgBouncer is not tested: no pgbouncer on this machine (Debian: apt-get install pgbouncer)");
      return this.skip();
    }
    service = await openService({ worker: true, env: { SERVICE_COMPANY_TIMEZONE: "America/New_York" } });
    const direct = new URL(service.config.databaseUrl);
    const port = await freePort();
    folder = mkdtempSync(join(tmpdir(), "warehouse-pgbouncer-"));
    const config = join(folder, "pgbouncer.ini");
    const { hostname, port: postgres, username, password } = direct;
    const login = `${username && ` user=${username}`}${password && ` password=${password}`}`;
    writeFileSync(
      config,
      `[databases]
* = host=${hostname} port=${postgres}${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = session
`,
    );
    chmodSync(folder, 0o755);
    // It refuses to run as root.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    bouncer = spawn("pgbouncer", [config], { ...nobody, stdio: "ignore", env: { ...process.env, PATH } });
    await disconnect();
    const pooled = new URL(direct);
    pooled.port = `${port}`;
    // The test server's socket.
    pooled.search = "";
    connect(pooled.href, 8, "America/New_York");
    await until(() =>
      db.row("select 1").then(
        () => true,
        () => false,
      ),
    );
  });
  after(async () => {
    if (!found) return;
    await disconnect();
    await endRole(bouncer, "SIGKILL");
    connect(service.config.databaseUrl);
    await service.close();
    rmSync(folder, { recursive: true });
  });

  it("has the settings of every session", async () => {
    const names = ["TimeZone", "company.time_zone", "plan_cache_mode", "lock_timeout", "statement_timeout"];
    const [found] = await db.rows(`select ${names.map((name, i) => `current_setting('${name}') as s${i}`).join()}`);
    assert.deepEqual(Object.values(found as object), ["UTC", "America/New_York", "force_generic_plan", "10s", "30s"]);
  });

  it("does a whole wave", async () => {
    const warehouse_id = await warehouse();
    const picker = await service.user({ warehouse_ids: [warehouse_id] });
    const { item_id, sku } = await item();
    await stock(warehouse_id, await bin(warehouse_id), item_id, 5);
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 5 }]);
    const { batch_id, first_pick } = await picker.ok("POST", "/api/picking/wave-create", {
      so_ids: [so_id],
      warehouse_id,
    });
    const { pick_task_id } = first_pick;
    await picker.ok("POST", "/api/picking/confirm", { pick_task_id, scanned_barcode: sku, quantity_picked: 5 });
    await picker.ok("POST", "/api/picking/complete-batch", { batch_id });
  });
});
