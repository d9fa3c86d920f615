import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { DEMO_PASSWORD, loadDemo } from "../../demo/load.js";
import type { Actor } from "../../src/platform/actor.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";

describe("demo data", () => {
  const service = testService({ worker: true });
  let by: Actor;
  let picker: Caller;
  before(async () => {
    by = {
      userId: service.admin.userId,
      username: service.admin.username,
      externalId: randomUUID(),
      role: "ADMIN",
      warehouseIds: [],
      requestId: randomUUID(),
      commandId: randomUUID(),
    };
    await assert.rejects(loadDemo(endingAfter(100, by)), /killed/);
    assert.equal(await isLoaded(), false, "part of it is not all of it");
    await loadDemo(by);
    const { token } = await service.anyone.ok("POST", "/api/auth/login", {
      username: "picker",
      password: DEMO_PASSWORD,
    });
    picker = service.anyone.with({ authorization: `Bearer ${token}` });
  });
  afterEach(() => assertInvariants());

  /** An actor who can take so many steps and no more. */
  function endingAfter(steps: number, actor: Actor): Actor {
    let left = steps;
    return Object.defineProperty({ ...actor }, "requestId", {
      enumerable: true,
      get() {
        if (left-- === 0) throw new Error("killed");
        return actor.requestId;
      },
    });
  }

  /** What the next start looks at. */
  const isLoaded = async () => (await db.rows("select from command_log where command_id = 'demo:loaded'")).length === 1;

  const tables = [
    "warehouses",
    "zones",
    "bins",
    "items",
    "users",
    "inventory",
    "purchase_orders",
    "sales_orders",
    "audit_log",
    "integration_events",
  ];
  const counts = () =>
    db.row<Record<string, number>>(`select ${tables.map((t) => `(select count(*) from ${t}) as ${t}`)}`);
  const values = (text: string) => db.column<unknown>(text);
  const idOf = async (text: string) => (await db.value<number>(text)) as number;
  const MAIN = "select warehouse_id as id from warehouses where warehouse_code = 'MAIN'";

  it("is whole although the first attempt was killed", async () => {
    const made = await counts();
    assert.deepEqual([made?.warehouses, made?.items, made?.users], [2, 40, 3]);
    const { demo } = await service.admin.ok("GET", "/api/admin/demo");
    assert.deepEqual([demo.warehouse_codes, demo.items, demo.is_loaded], [["MAIN", "VIRTUAL"], 40, true]);
  });

  it("is not loaded a second time", async () => {
    assert.equal(await isLoaded(), true);
    const before = await counts();
    await loadDemo(by);
    assert.deepEqual(await counts(), before);
  });

  it("has zones and bins of every type, and items of every kind", async () => {
    assert.deepEqual(await values("select distinct zone_type as value from zones order by 1"), [
      "DAMAGE",
      "QUALITY",
      "RECEIVING",
      "SHIPPING",
      "STAGING",
      "STORAGE",
    ]);
    assert.deepEqual(await values("select distinct bin_type as value from bins order by 1"), [
      "Pickable",
      "PickableStaging",
      "Staging",
    ]);
    assert.deepEqual(await values("select count(distinct category) as value from items"), [10]);
    for (const kind of [
      "upc is null",
      "upc is null and barcode_aliases = '[]'",
      "weight_lbs is null",
      "barcode_aliases <> '[]'",
    ]) {
      const [count] = await values(`select count(*) as value from items where ${kind}`);
      assert.equal(Number(count) > 0, !kind.includes("and"), kind);
    }
    assert.deepEqual(await values("select upc as value from items where item_id = (select min(item_id) from items)"), [
      "0400000000015",
    ]);
    assert.deepEqual(await values("select count(distinct lot_number) > 1 as value from inventory"), [true]);
  });

  it("has open orders of varied shape", async () => {
    assert.deepEqual(
      await values(
        `select count(*) as value from purchase_orders join purchase_order_lines using (po_id)
          where purchase_orders.status = 'OPEN'
         group by po_id order by po_number`,
      ),
      [10, 3, 8, 5, 1],
    );
    assert.deepEqual(
      await values(
        `select count(*) as value from sales_orders join sales_order_lines using (so_id)
          where sales_orders.status = 'OPEN'
         group by so_id order by so_number`,
      ),
      [1, 1, 1, 1, 1, 3, 4, 3, 5, 4, 2, 2, 2, 2, 2, 4, 4, 4, 1, 1],
    );
    assert.deepEqual(
      await values(
        `select quantity_ordered || ' of ' || quantity_allocated as value from sales_order_lines
          where quantity_ordered > 50`,
      ),
      ["99 of 10", "999 of 200"],
    );
    await assertEventsMatchSchemas();
  });

  it("goes from the dock to the parcel on every floor route", async () => {
    const warehouse_id = await idOf(MAIN);
    const bin = (code: string) => idOf(`select bin_id as id from bins where bin_code = '${code}'`);
    // Lookups.
    assert.equal((await picker.ok("GET", "/api/lookup/item/0400000000015")).item.sku, "MUG-BLUE");
    assert.equal((await picker.ok("GET", "/api/lookup/item/NAPKIN-LINEN")).item.sku, "TEX-NAPKIN");
    assert.ok((await picker.ok("GET", "/api/lookup/bin/A-01")).items.length > 1);
    assert.equal((await picker.ok("GET", "/api/lookup/so/SO-1001")).sales_order.lines.length, 1);
    assert.ok((await picker.ok("GET", "/api/lookup/item/search?q=mug")).length >= 4);
    assert.ok((await picker.ok("GET", "/api/lookup/bin/search?q=bulk")).length === 2);
    // Receiving, and back.
    const { purchase_order, lines } = await picker.ok("GET", "/api/receiving/po/PO-1005");
    const { receipt_ids } = await picker.ok("POST", "/api/receiving/receive", {
      po_id: purchase_order.po_id,
      items: [{ item_id: lines[0].item_id, quantity: 40, bin_id: await bin("RECV-02") }],
    });
    await picker.ok("POST", "/api/receiving/cancel", { po_id: purchase_order.po_id, receipt_ids });
    // Put-away.
    const { pending_items } = await picker.ok("GET", `/api/putaway/pending/${warehouse_id}`);
    const waiting = pending_items.find((p: { sku: string }) => p.sku === "TEA-MINT");
    const { suggested_bin } = await picker.ok("GET", `/api/putaway/suggest/${waiting.item_id}`);
    assert.equal(suggested_bin.bin_code, "D-03");
    await picker.ok("POST", "/api/putaway/confirm", {
      item_id: waiting.item_id,
      from_bin_id: waiting.bin_id,
      to_bin_id: suggested_bin.bin_id,
      quantity: waiting.quantity,
      lot_number: waiting.lot_number,
    });
    await picker.ok("POST", "/api/putaway/update-preferred", {
      item_id: waiting.item_id,
      bin_id: suggested_bin.bin_id,
    });
    // A walk through all aisles.
    const so_ids = await values(
      "select so_id as value from sales_orders where so_number between 'SO-1016' and 'SO-1018'",
    );
    await picker.ok("POST", "/api/picking/wave-validate", { so_barcode: "SO-1016", warehouse_id });
    const wave = await picker.ok("POST", "/api/picking/wave-create", { so_ids, warehouse_id });
    assert.equal(wave.total_orders, 3);
    const aisles = new Set<string>();
    for (;;) {
      const task = await picker.ok("GET", `/api/picking/batch/${wave.batch_id}/next`);
      if (task.message) break;
      aisles.add(task.aisle);
      await picker.ok("POST", "/api/picking/confirm", {
        pick_task_id: task.pick_task_id,
        scanned_barcode: task.upc,
        quantity_picked: task.quantity_to_pick,
      });
    }
    assert.deepEqual([...aisles], ["A", "B", "C", "D"]);
    await picker.ok("POST", "/api/picking/complete-batch", { batch_id: wave.batch_id });
    // Packing and shipping.
    const toPack = await picker.ok("GET", "/api/packing/order/SO-1016");
    const { so_id } = toPack.sales_order;
    for (const { upc, quantity_picked } of toPack.lines) {
      await picker.ok("POST", "/api/packing/verify", { so_id, scanned_barcode: upc, quantity: quantity_picked });
    }
    await picker.ok("POST", "/api/packing/complete", { so_id });
    await picker.ok("GET", "/api/shipping/order/SO-1016");
    await picker.ok("POST", "/api/shipping/fulfill", { so_id, tracking_number: "1Z999", carrier: "UPS" });
    assert.deepEqual(await values("select status as value from sales_orders where so_number = 'SO-1016'"), ["SHIPPED"]);
    await assertEventsMatchSchemas();
  });

  it("has two items for three of five orders, and orders that nobody can pick", async () => {
    const warehouse_id = await idOf(MAIN);
    const so_ids = await values(
      `select so_id as value from sales_orders where so_number between 'SO-1011' and 'SO-1015'
        or so_number >= 'SO-1019'`,
    );
    const { status, body } = await picker.post("/api/picking/wave-create", { so_ids, warehouse_id });
    assert.deepEqual([status, body.error], [409, "insufficient_coverage"]);
    assert.deepEqual(pluck(body.unpickable, "so_number"), ["SO-1014", "SO-1015", "SO-1019", "SO-1020"]);
  });

  it("is removed by an administrator, and its users have no warehouse then", async () => {
    await service.admin.ok("DELETE", "/api/admin/demo");
    const left = await counts();
    assert.deepEqual([left?.warehouses, left?.items, left?.sales_orders, left?.users], [0, 0, 0, 3]);
    assert.deepEqual((await picker.ok("GET", "/api/auth/me")).warehouse_ids, []);
    assert.equal((await service.admin.ok("GET", "/api/admin/demo")).demo, null);
  });
});
