import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import type { Caller } from "../support/caller.js";
import { closedParcel, insertAccount, insertLabel } from "../support/carrier-requests.js";
import { db } from "../support/db.js";
import { differing, everything } from "../support/everything.js";
import { bin, item, purchaseOrder, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";
import { until } from "../support/until.js";

const DEMO = "/api/admin/demo";

/** Notes of who was there. */
const NOTES = ["last_login", "last_used_at"];
/** What only ever grows, and what channels are still to be told, by ids. */
const GROWING = [
  ...["audit_log", "audit_seals", "audit_unsealed", "availability_changes", "command_log", "integration_events"],
  "sequencer_state",
];

describe("the demo that is thrown away", () => {
  const service = testService({ worker: true });
  const load = () => service.admin.ok("POST", DEMO);
  const remove = () => service.admin.delete(DEMO);
  const shown = async () => (await service.admin.ok("GET", DEMO)).demo;
  const idOf = async (sql: string) => (await db.value<number>(sql)) as number;
  const demoBin = (code: string) => idOf(`select bin_id from bins where bin_code = '${code}'`);
  const demoItem = (sku: string) => idOf(`select item_id from items where sku = 'DEMO-${sku}'`);
  const running = async () => (await db.value<number>("select count(*)::int from pick_batches")) as number;

  afterEach(async () => {
    await assertInvariants();
    if (await shown()) assert.equal((await remove()).status, 200);
  });

  it("is in warehouses of its own, once, and says how much it is", async () => {
    assert.equal(await shown(), null);
    assert.equal((await remove()).code, "no_demo");
    const mark = await auditMark();
    await load();
    const { made_at, ...demo } = await shown();
    assert.deepEqual(demo, {
      made_by: "admin",
      is_loaded: true,
      warehouse_codes: ["DEMO", "DEMO-VIRTUAL"],
      bins: 22,
      items: 40,
      units: demo.units,
      sales_orders: 20,
      purchase_orders: 6,
    });
    assert.ok(demo.units > 1_000);
    assert.equal((await service.admin.post(DEMO)).code, "demo_there");
    assert.equal(await idOf("select count(*)::int from items where sku not like 'DEMO-%'"), 0);
    await service.admin.ok("DELETE", DEMO);
    const rows = (await auditSince(mark)).filter((row) => row.action_type.startsWith("DEMO_"));
    assert.deepEqual(pluckAll(rows, "action_type", "user_id"), [
      ["DEMO_LOAD", "admin"],
      ["DEMO_REMOVE", "admin"],
    ]);
  });

  it("stays while a carrier's label was bought in it", async () => {
    await load();
    const main = await idOf("select warehouse_id from warehouses where warehouse_code = 'DEMO'");
    const { so_id } = await salesOrder(main, []);
    const parcel = await closedParcel(so_id);
    const label = await insertLabel(parcel, await insertAccount(main));
    const { status, code, body } = await remove();
    assert.deepEqual([status, code], [409, "demo_in_use"]);
    assert.match(body.error, /label 1Z/);
    await service.admin.ok("POST", `/api/packing/labels/${label}/void`);
  });

  it("is an administrator's alone", async () => {
    const user = await service.user({ page_keys: ["warehouses", "settings"] });
    for (const answer of [await user.get(DEMO), await user.post(DEMO), await user.delete(DEMO)])
      assert.equal(answer.status, 403);
  });

  it("leaves no trace but in what only ever grows, whatever was done with it", async () => {
    const here = await warehouse();
    const clerk = await service.user({ role: "USER", warehouse_ids: [here] });
    await stock(here, await bin(here), (await item()).item_id, 7);
    const before = await everything(NOTES);
    await load();
    const main = await idOf("select warehouse_id from warehouses where warehouse_code = 'DEMO'");
    const virtual = await idOf("select warehouse_id from warehouses where warehouse_code = 'DEMO-VIRTUAL'");
    await db.run("update users set warehouse_ids = $2 where user_id = $1", [clerk.userId, [here, main]]);
    await workIn(service.admin, main, virtual);
    await assertInvariants();
    const find = async () => JSON.stringify(await service.admin.ok("GET", "/api/admin/search?q=DEMO-MUG"));
    assert.match(await find(), /DEMO-MUG-BLUE/);
    assert.deepEqual(await workSince(1), ["admin", "hours"]);
    await service.admin.ok("DELETE", DEMO);
    assert.deepEqual(
      differing(before, await everything(NOTES)).filter((table) => !GROWING.includes(table)),
      [],
    );
    assert.doesNotMatch(await find(), /DEMO-MUG-BLUE/);
    // The figures of all warehouses together count in the audit log.
    assert.deepEqual(await workSince(2), []);
    // It can be had again.
    await load();
    assert.equal((await shown()).sales_orders, 20);
  });

  /** Who worked since so many days (a range is answered anew after a minute), or whether an hour of today has work. */
  async function workSince(days: number): Promise<string[]> {
    const day = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
    const range = `start=${day(-days)}&end=${day(1)}`;
    const { users } = await service.admin.ok("GET", `/api/v1/dashboard/productivity?${range}`);
    const { hours } = await service.admin.ok("GET", "/api/v1/dashboard/day");
    const isBusy = hours.some((hour: { received: number; picked: number }) => hour.received + hour.picked > 0);
    return [...users.map(({ username }: { username: string }) => username), ...(isBusy ? ["hours"] : [])];
  }

  /** Something of every kind: a shipped order, an open wave, a count, moves, a hold, a transfer, a printer. */
  async function workIn(by: Caller, main: number, virtual: number): Promise<void> {
    const so_ids = (numbers: string) =>
      db.column<number>(`select so_id from sales_orders where so_number in (${numbers}) order by 1`);
    const [first] = await so_ids("'DEMO-SO-1016'");
    const wave = await by.ok("POST", "/api/picking/wave-create", { so_ids: [first], warehouse_id: main });
    for (;;) {
      const task = await by.ok("GET", `/api/picking/batch/${wave.batch_id}/next`);
      if (task.message) break;
      await by.ok("POST", "/api/picking/confirm", {
        ...{ pick_task_id: task.pick_task_id, scanned_barcode: task.sku, quantity_picked: task.quantity_to_pick },
      });
    }
    await by.ok("POST", "/api/picking/complete-batch", { batch_id: wave.batch_id });
    const { parcel_id } = await by.ok("POST", "/api/packing/parcels/rest", { so_id: first });
    await insertLabel(parcel_id, await insertAccount(main), "voided");
    await by.ok("POST", "/api/packing/complete", { so_id: first });
    await by.ok("POST", "/api/shipping/fulfill", { so_id: first, tracking_number: "1Z999", carrier: "UPS" });
    // Left open, with its workflow.
    await by.ok("POST", "/api/picking/wave-create", { so_ids: await so_ids("'DEMO-SO-1017'"), warehouse_id: main });
    const shelf = await demoBin("A-01");
    await by.ok("POST", "/api/inventory/cycle-count/create", { warehouse_id: main, bin_ids: [shelf] });
    const item_id = await demoItem("MUG-BLUE");
    const spare = await demoBin("BULK-02");
    await by.ok("POST", "/api/transfers/move", { item_id, from_bin_id: shelf, to_bin_id: spare, quantity: 2 });
    await by.ok("POST", "/api/admin/preferred-bins", { item_id, bin_id: spare });
    await by.ok("POST", "/api/admin/transfer-orders", {
      ...{ source_warehouse_id: main, destination_warehouse_id: virtual },
      lines: [{ item_id, quantity: 3 }],
    });
    await by.ok("PUT", "/api/admin/settings", { settings: { BACKORDER_WAREHOUSE_CODE: "DEMO" } });
    await by.ok("POST", "/api/admin/printers", {
      ...{ warehouse_id: main, printer_name: "Bench", kind: "printnode", api_key: "44784dd8d88be963" },
      ...{ address: "https://api.printnode.com/printers/70", format: "pdf", size: "A4", documents: [] },
    });
    // Something of somebody's own, in its warehouses.
    const own = await salesOrder(main, [{ item_id, quantity: 1 }]);
    await purchaseOrder(main, [{ item_id, quantity: 5 }]);
    assert.ok(own.so_id > 0);
  }

  it("ends the workflows of its warehouses", async () => {
    await load();
    const main = await idOf("select warehouse_id from warehouses where warehouse_code = 'DEMO'");
    const so_ids = await db.column<number>("select so_id from sales_orders where so_number = 'DEMO-SO-1017'");
    const { headers } = await service.admin.post("/api/picking/wave-create", { so_ids, warehouse_id: main });
    const handle = temporalClient().workflow.getHandle(String(headers.get("x-service-workflow-id")));
    // Temporal lists what it began a moment later.
    const query = `WarehouseId = ${main} and ExecutionStatus = "Running"`;
    await until(async () => (await temporalClient().workflow.count(query)).count > 0);
    await service.admin.ok("DELETE", DEMO);
    assert.equal((await handle.describe()).status.name, "TERMINATED");
    assert.equal(await running(), 0);
  });

  it("stays whole while anything outside of it depends on it", async () => {
    await load();
    const whole = await everything(NOTES);
    const main = await idOf("select warehouse_id from warehouses where warehouse_code = 'DEMO'");
    const item_id = await demoItem("MUG-BLUE");
    const here = await warehouse();
    const shelf = await bin(here);
    const refused = async (why: RegExp) => {
      const before = await everything(NOTES);
      const { status, code, body } = await remove();
      assert.deepEqual([status, code], [409, "demo_in_use"]);
      assert.match(body.error, why);
      assert.deepEqual(differing(before, await everything(NOTES)), []);
    };
    const { so_id } = await salesOrder(here, [{ item_id, quantity: 1 }]);
    await refused(/other warehouses/);
    await db.run("delete from sales_order_lines where so_id = $1", [so_id]);
    await stock(here, shelf, item_id, 1);
    await refused(/other warehouses/);
    await db.run("delete from inventory where bin_id = $1", [shelf]);
    await db.run(`insert into sync_state (connector_name, warehouse_id, sync_type) values ('shopify', $1, 'orders')`, [
      main,
    ]);
    await refused(/connector/);
    await db.run("delete from sync_state");
    const { token_id } = await tokenCaller(service, { warehouse_ids: [main] });
    await refused(/token/);
    await db.run("delete from wms_tokens where token_id = $1", [token_id]);
    await db.run("insert into inbound_source_systems_allowlist (source_system, kind) values ('erp', 'internal_tool')");
    await db.run(
      `insert into cross_system_mappings (source_system, source_type, source_id, canonical_type, canonical_id)
       select 'erp', 'item', 'M-1', 'item', external_id from items where item_id = $1`,
      [item_id],
    );
    await refused(/source link erp M-1/);
    await db.run("delete from cross_system_mappings");
    assert.ok(whole.length > 100);
    assert.equal((await remove()).status, 200);
  });

  it("is finished when it is asked for again, or removed, after it was interrupted", async () => {
    for (const end of ["POST", "DELETE"] as const) {
      await load();
      await db.run("update demos set loaded_at = null, warehouse_ids = '{}', item_ids = '{}'");
      await db.run("delete from command_log where command_id like 'demo:%:noted'");
      assert.equal((await shown()).is_loaded, false);
      await service.admin.ok(end, DEMO);
      assert.equal((await shown())?.sales_orders, end === "POST" ? 20 : undefined);
      if (end === "POST") await service.admin.ok("DELETE", DEMO);
    }
    assert.equal(await idOf("select count(*)::int from items where sku like 'DEMO-%'"), 0);
  });
});
