import assert from "node:assert/strict";
import { expireStock } from "../../activities/lots/expire.js";
import { tellExpiring } from "../../activities/lots/expiring.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { unique } from "../support/unique.js";

const LOTS = "/api/admin/lots";

describe("a lot", () => {
  const service = testService({ worker: true });
  afterEach(() => assertInvariants());

  /** Five units of a lot in one bin, and as many without lot in another one, which waves reach later. */
  async function goods(expiry_date: string | null = null) {
    const warehouse_id = await warehouse();
    const bin_id = await bin(warehouse_id, { pick_sequence: 1 });
    const other = await bin(warehouse_id, { pick_sequence: 2 });
    const { item_id, sku } = await item();
    const inventory_id = await stock(warehouse_id, bin_id, item_id, 5, "L-1");
    await db.run("update inventory set expiry_date = $2 where inventory_id = $1", [inventory_id, expiry_date]);
    await db.run("update lots set expiry_date = $2 where item_id = $1", [item_id, expiry_date]);
    await stock(warehouse_id, other, item_id, 5);
    const lot_id = await lotOf(item_id);
    return { warehouse_id, bin_id, other, item_id, sku, inventory_id, lot_id, path: `${LOTS}/${lot_id}` };
  }
  const lotOf = (item_id: number) => db.value<number>("select lot_id from lots where item_id = $1", [item_id]);
  const hold = (path: string, body = {}) => service.admin.ok("POST", `${path}/hold`, { reason: "complaint", ...body });
  const release = (path: string) => service.admin.ok("POST", `${path}/release`, { reason: "inspected" });
  const ordered = async (warehouse_id: number, item_id: number, quantity_ordered: number) => {
    const { sales_order } = await service.admin.ok("POST", "/api/admin/sales-orders", {
      ...{ so_number: `SO-${unique()}`, warehouse_id, lines: [{ item_id, quantity_ordered }] },
    });
    return sales_order.so_id as number;
  };
  /** Units that orders have reserved of the item, by bin. */
  const reserved = async (item_id: number) => {
    const rows = await db.rows<{ bin_id: number; units: number }>(
      `select bin_id, sum(quantity)::int as units from stock_reservations join inventory v using (inventory_id)
       where v.item_id = $1 group by bin_id`,
      [item_id],
    );
    return Object.fromEntries(rows.map(({ bin_id, units }) => [bin_id, units]));
  };
  const conditions = async (item_id: number) => {
    const rows = await db.rows<{ condition: string }>(
      "select condition from inventory where item_id = $1 and lot_number is not null order by bin_id",
      [item_id],
    );
    return pluck(rows, "condition");
  };
  const events = (type: string, entity_id: number) =>
    db.rows<{ warehouse_id: number; payload: Record<string, unknown> }>(
      `select warehouse_id, event_data(integration_events) as payload from integration_events
       where event_type = $1 and entity_id = $2 order by outbox_id`,
      [type, entity_id],
    );

  it("is known from its first units on, with their last day, where they lie, and what brought them", async () => {
    const warehouse_id = await warehouse();
    const [dock, second] = [await bin(warehouse_id), await bin(warehouse_id)];
    const { item_id, sku } = await item();
    const { po_id, po_number } = await purchaseOrder(warehouse_id, [{ item_id, quantity: 10 }]);
    const units = { item_id, quantity: 4, lot_number: "L-7", expiry_date: "2098-05-06" };
    await service.admin.ok("POST", "/api/receiving/receive", { po_id, items: [{ ...units, bin_id: dock }] });
    const { expiry_date: _, ...without } = units;
    await service.admin.ok("POST", "/api/receiving/receive", { po_id, items: [{ ...without, bin_id: second }] });
    const list = await service.admin.ok("GET", `${LOTS}?item_id=${item_id}`);
    assert.deepEqual(
      [list.total, list.lots[0].lot_number, list.lots[0].sku, list.lots[0].expiry_date, list.lots[0].quantity_on_hand],
      [1, "L-7", sku, "2098-05-06", 8],
    );
    const lot = await service.admin.ok("GET", `${LOTS}/${list.lots[0].lot_id}`);
    assert.deepEqual(pluck(lot.places, "bin_id"), [dock, second]);
    assert.deepEqual(pluck(lot.places, "expiry_date"), ["2098-05-06", "2098-05-06"], "who told no day gets the lot's");
    assert.deepEqual(pluck(lot.receipts, "po_number"), [po_number, po_number]);
  });

  it("that is held gives its reservations and picks to other stock, and is sold by nobody", async () => {
    const { warehouse_id, bin_id, other, item_id, inventory_id, lot_id, path } = await goods("2098-01-01");
    await ordered(warehouse_id, item_id, 2);
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 2 }]);
    const wave = await service.admin.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
    const { bin_code, lot_number, expiry_date } = wave.first_pick;
    assert.deepEqual([bin_code, lot_number, expiry_date], [await codeOf(bin_id), "L-1", "2098-01-01"]);
    const held = await hold(path, { condition: "QUARANTINE" });
    assert.deepEqual([held.condition, held.condition_reason], ["QUARANTINE", "complaint"]);
    assert.deepEqual(await reserved(item_id), { [other]: 2 });
    const { tasks } = await service.admin.ok("GET", `/api/picking/batch/${wave.batch_id}`);
    assert.deepEqual(
      tasks.map((task: { status: string; bin_code: string }) => [task.status, task.bin_code]),
      [
        ["SHORT", await codeOf(bin_id)],
        ["PENDING", await codeOf(other)],
      ],
    );
    assert.deepEqual(await conditions(item_id), ["QUARANTINE"]);
    const { inventory } = await service.admin.ok("GET", `/api/admin/inventory?item_id=${item_id}&condition=QUARANTINE`);
    assert.deepEqual(pluck(inventory, "inventory_id"), [inventory_id]);
    const [event] = await events("lot.held", lot_id as number);
    assert.deepEqual(
      [event?.warehouse_id, event?.payload.lot_number, event?.payload.quantity_on_hand, event?.payload.condition],
      [warehouse_id, "L-1", 5, "QUARANTINE"],
    );
    const last = tasks.at(-1) as { pick_task_id: number; sku: string };
    await service.admin.ok("POST", "/api/picking/confirm", {
      ...{ pick_task_id: last.pick_task_id, scanned_barcode: last.sku, quantity_picked: 2 },
    });
    await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id: wave.batch_id });
    const lacking = await ordered(warehouse_id, item_id, 3);
    const { lines } = await service.admin.ok("GET", `/api/admin/sales-orders/${lacking}`);
    assert.equal(lines[0].quantity_allocated, 1, "four of the five without lot were taken");
  });

  const codeOf = (bin_id: number) => db.value<string>("select bin_code from bins where bin_id = $1", [bin_id]);

  it("that is held leaves orders short where there is nothing else, and they get it when it is released", async () => {
    const { warehouse_id, bin_id, item_id, lot_id, path } = await goods();
    await ordered(warehouse_id, item_id, 10);
    await hold(path);
    const none = { ...(await reserved(item_id)) };
    assert.equal(none[bin_id], undefined);
    assert.equal(
      Object.values(none).reduce((a, b) => a + b, 0),
      5,
    );
    const released = await release(path);
    assert.deepEqual([released.condition, released.condition_reason], ["AVAILABLE", null]);
    assert.equal((await reserved(item_id))[bin_id], 5);
    assert.equal((await events("lot.released", lot_id as number)).length, 1);
    const again = await service.admin.post(`${path}/release`, { reason: "again" });
    assert.deepEqual([again.status, again.code], [409, "lot_not_held"]);
  });

  it("that is held is taken from transfer orders and from walks for them", async () => {
    const { warehouse_id, item_id, path, other } = await goods("2098-01-01");
    await db.run("update inventory set quantity_on_hand = 0 where bin_id = $1", [other]);
    const destination_warehouse_id = await warehouse();
    const transfer = async (quantity: number) => {
      const { to_id } = await service.admin.ok("POST", "/api/admin/transfer-orders", {
        ...{ source_warehouse_id: warehouse_id, destination_warehouse_id, lines: [{ item_id, quantity }] },
      });
      return `/api/admin/transfer-orders/${to_id}`;
    };
    const [walked, waiting] = [await transfer(3), await transfer(2)];
    await service.admin.ok("POST", `${walked}/start-picking`);
    await hold(path);
    const held = await db.value<number>(
      "select count(*)::int from transfer_reservations join inventory using (inventory_id) where item_id = $1",
      [item_id],
    );
    assert.equal(held, 0);
    for (const order of [walked, waiting]) {
      const { lines } = await service.admin.ok("GET", order);
      assert.deepEqual([lines[0].committed_qty, lines[0].status], [0, "SHORT_CLOSED"]);
    }
  });

  it("that is held holds what comes later: received, moved, and in another warehouse", async () => {
    const { warehouse_id, bin_id, item_id, path } = await goods();
    await hold(path, { condition: "DAMAGED" });
    const elsewhere = await warehouse();
    const [dock, shelf, far] = [await bin(warehouse_id), await bin(warehouse_id), await bin(elsewhere)];
    const { po_id } = await purchaseOrder(warehouse_id, [{ item_id, quantity: 5 }]);
    await service.admin.ok("POST", "/api/receiving/receive", {
      ...{ po_id, items: [{ item_id, quantity: 5, lot_number: "L-1", bin_id: dock }] },
    });
    await service.admin.ok("POST", "/api/transfers/move", {
      ...{ item_id, from_bin_id: bin_id, to_bin_id: shelf, quantity: 2, lot_number: "L-1" },
    });
    await service.admin.ok("POST", "/api/admin/inter-warehouse-transfer", {
      ...{ item_id, quantity: 1, from_bin_id: bin_id, to_bin_id: far },
      ...{ from_warehouse_id: warehouse_id, to_warehouse_id: elsewhere },
    });
    assert.deepEqual(await conditions(item_id), ["DAMAGED", "DAMAGED", "DAMAGED", "DAMAGED"]);
    await release(path);
    assert.deepEqual(await conditions(item_id), ["AVAILABLE", "AVAILABLE", "AVAILABLE", "AVAILABLE"]);
  });

  it("is held whole, whatever comes and goes meanwhile", async () => {
    const { warehouse_id, bin_id, item_id, path } = await goods();
    const { po_id } = await purchaseOrder(warehouse_id, [{ item_id, quantity: 100 }]);
    const shelves = await Promise.all(Array.from({ length: 6 }, () => bin(warehouse_id)));
    const receipts = shelves.map((shelf) =>
      service.admin.post("/api/receiving/receive", {
        ...{ po_id, items: [{ item_id, quantity: 2, lot_number: "L-1", bin_id: shelf }] },
      }),
    );
    const moves = shelves.slice(0, 3).map((to_bin_id) =>
      service.admin.post("/api/transfers/move", {
        ...{ item_id, from_bin_id: bin_id, to_bin_id, quantity: 1, lot_number: "L-1" },
      }),
    );
    const orders = [1, 2, 3].map(() => ordered(warehouse_id, item_id, 2));
    const answers = await Promise.all([hold(path), ...receipts, ...moves, ...orders]);
    for (const answer of answers.slice(1, 10)) assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual([...new Set(await conditions(item_id))], ["HOLD"]);
    const sold = await db.value<number>(
      "select coalesce(sum(quantity_allocated), 0)::int from inventory where item_id = $1 and lot_number is not null",
      [item_id],
    );
    assert.equal(sold, 0);
  });

  it("gets another last day in all bins, and what had expired is sold again", async () => {
    const { warehouse_id, bin_id, other, item_id, path } = await goods("2001-01-01");
    await db.run("update inventory set quantity_on_hand = 0 where bin_id = $1", [other]);
    await ordered(warehouse_id, item_id, 3);
    assert.deepEqual(await reserved(item_id), {});
    const early = await service.admin.put(path, { production_date: "2098-01-01", expiry_date: "2097-01-01" });
    assert.deepEqual([early.status, early.code], [400, "expires_before_production"]);
    const changed = await service.admin.ok("PUT", path, {
      ...{ expiry_date: "2098-01-01", supplier_lot: "S-1", notes: "read wrong", attributes: { origin: "Peru" } },
    });
    assert.deepEqual(
      [changed.expiry_date, changed.supplier_lot, changed.attributes],
      ["2098-01-01", "S-1", { origin: "Peru" }],
    );
    assert.deepEqual(await reserved(item_id), { [bin_id]: 3 });
    const audit = await db.row<{ details: { changed: Record<string, unknown> } }>(
      "select details from audit_log where entity_type = 'LOT' order by log_id desc limit 1",
    );
    assert.deepEqual(audit?.details.changed.expiry_date, { old: "2001-01-01", new: "2098-01-01" });
  });

  it("that expires loses its reservations and picks to other stock, and is told of once", async () => {
    const { warehouse_id, bin_id, other, item_id, inventory_id } = await goods("2098-01-01");
    await ordered(warehouse_id, item_id, 2);
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 2 }]);
    const wave = await service.admin.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
    await db.run("update inventory set expiry_date = now() - interval '2 days' where inventory_id = $1", [
      inventory_id,
    ]);
    assert.equal(await expireStock(), 1);
    assert.deepEqual(await reserved(item_id), { [other]: 2 });
    const { tasks } = await service.admin.ok("GET", `/api/picking/batch/${wave.batch_id}`);
    assert.deepEqual(pluck(tasks, "status"), ["SHORT", "PENDING"]);
    assert.deepEqual(await conditions(item_id), ["EXPIRED"]);
    assert.equal(await expireStock(), 0);
    const told = await events("stock.expired", inventory_id);
    assert.deepEqual(
      told.map(({ payload }) => [payload.lot_number, payload.quantity_on_hand]),
      [["L-1", 5]],
    );
    const expiring = await service.admin.ok(
      "GET",
      `/api/admin/inventory?expires_within=0&warehouse_id=${warehouse_id}`,
    );
    assert.deepEqual(pluck(expiring.inventory, "bin_id"), [bin_id]);
  });

  it("is told of 30 days, 7 days and one day before its last day, once each", async () => {
    const { inventory_id } = await goods("2098-01-01");
    const told = async () => pluck(pluck(await events("stock.expiring", inventory_id), "payload"), "days_left");
    const dayIn = (days: number) =>
      db.run(
        `update inventory set expiry_date = (now() at time zone current_setting('company.time_zone'))::date + $2::int
         where inventory_id = $1`,
        [inventory_id, days],
      );
    await dayIn(31);
    await tellExpiring();
    assert.deepEqual(await told(), []);
    await dayIn(20);
    for (const _ of [1, 2]) await tellExpiring();
    assert.deepEqual(await told(), [20]);
    await dayIn(1);
    for (const _ of [1, 2]) await tellExpiring();
    assert.deepEqual(await told(), [20, 1], "the last one alone, where it is late");
  });

  it("of units without a number expires as well, and what comes into the empty bin is good", async () => {
    const warehouse_id = await warehouse();
    const bin_id = await bin(warehouse_id);
    const { item_id } = await item();
    const row = await stock(warehouse_id, bin_id, item_id, 2);
    await db.run("update inventory set expiry_date = '2001-01-01' where inventory_id = $1", [row]);
    assert.equal(await expireStock(), 1);
    const condition = () => db.value<string>("select condition from inventory where inventory_id = $1", [row]);
    assert.equal(await condition(), "EXPIRED");
    await service.admin.ok("POST", "/api/admin/adjustments/direct", {
      ...{ item_id, bin_id, warehouse_id, quantity: 2, adjustment_type: "REMOVE", reason: "thrown away" },
    });
    const { po_id } = await purchaseOrder(warehouse_id, [{ item_id, quantity: 3 }]);
    await service.admin.ok("POST", "/api/receiving/receive", { po_id, items: [{ item_id, quantity: 3, bin_id }] });
    assert.equal(await condition(), "AVAILABLE");
    await ordered(warehouse_id, item_id, 3);
    assert.deepEqual(await reserved(item_id), { [bin_id]: 3 });
  });

  it("keeps its reservations where units had expired before, and its picks do not go to expired ones", async () => {
    const { warehouse_id, bin_id, other, item_id } = await goods("2098-01-01");
    await db.run("update inventory set quantity_on_hand = 0 where bin_id = $1", [other]);
    const [emptied, expired] = [await bin(warehouse_id), await bin(warehouse_id)];
    for (const [place, units] of [
      [emptied, 0],
      [expired, 1],
    ] as const) {
      const row = await stock(warehouse_id, place, item_id, units, "L-1");
      await db.run("update inventory set expiry_date = '2001-01-01', condition = 'EXPIRED' where inventory_id = $1", [
        row,
      ]);
    }
    const move = (to_bin_id: number, quantity: number) =>
      service.admin.post("/api/transfers/move", {
        ...{ item_id, from_bin_id: bin_id, to_bin_id, quantity, lot_number: "L-1" },
      });
    await ordered(warehouse_id, item_id, 5);
    assert.equal((await move(emptied, 2)).status, 200);
    assert.deepEqual(await reserved(item_id), { [bin_id]: 3, [emptied]: 2 });
    const [order] = await db.rows<{ so_id: number }>("select so_id from sales_orders where warehouse_id = $1", [
      warehouse_id,
    ]);
    await service.admin.ok("POST", "/api/picking/wave-create", { so_ids: [order?.so_id], warehouse_id });
    const refused = await move(expired, 1);
    assert.deepEqual([refused.status, refused.code], [400, "promised_to_picks"]);
  });

  it("is listed by condition, day and words, and shows its user the stock of the user's warehouses", async () => {
    const { warehouse_id, item_id, sku, path, lot_id } = await goods("2098-01-01");
    const elsewhere = await warehouse();
    await stock(elsewhere, await bin(elsewhere), item_id, 7, "L-1");
    const ids = async (query: string) => pluck((await service.admin.ok("GET", `${LOTS}?${query}`)).lots, "lot_id");
    assert.deepEqual(await ids(`q=${sku}`), [lot_id]);
    assert.deepEqual(await ids(`item_id=${item_id}&condition=HOLD`), []);
    assert.deepEqual(await ids(`item_id=${item_id}&expires_within=30`), []);
    assert.deepEqual(await ids(`item_id=${item_id}&expires_within=36500&in_stock=true`), [lot_id]);
    await hold(path);
    assert.deepEqual(await ids(`item_id=${item_id}&condition=HOLD`), [lot_id]);
    const user = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["inventory"] });
    const { quantity_on_hand, places } = await user.ok("GET", path);
    assert.deepEqual([quantity_on_hand, pluck(places, "warehouse_id")], [5, [warehouse_id]]);
    assert.equal((await user.post(`${path}/release`, { reason: "mine" })).status, 403);
    const unknown = `${LOTS}/2147483647`;
    assert.equal((await service.admin.get(unknown)).code, "lot_not_found");
    assert.equal((await service.admin.put(unknown, { notes: "none" })).code, "lot_not_found");
    assert.equal((await service.admin.post(`${unknown}/hold`, { reason: "none" })).code, "lot_not_found");
    assert.equal((await service.admin.post(`${unknown}/release`, { reason: "none" })).code, "lot_not_found");
    const stranger = await service.user({ warehouse_ids: [await warehouse()], page_keys: ["inventory"] });
    assert.equal((await stranger.get(path)).code, "lot_not_found");
    assert.equal((await stranger.ok("GET", LOTS)).total, 0);
  });

  it("and its places are expired after their last day by their warehouse's clock, whatever the job did", async () => {
    const { warehouse_id, item_id, path } = await goods();
    const today = (zone: string) => new Intl.DateTimeFormat("sv", { timeZone: zone }).format(Date.now());
    const early = "Pacific/Kiritimati";
    const late = "Pacific/Pago_Pago";
    // There it is always a later day than here.
    assert.notEqual(today(early), today(late));
    await db.run("update inventory set expiry_date = $2 where item_id = $1", [item_id, today(late)]);
    await db.run("update lots set expiry_date = $2 where item_id = $1", [item_id, today(late)]);
    const local = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["inventory"] });
    const told = async (zone: string) => {
      await db.run("update warehouses set timezone = $2 where warehouse_id = $1", [warehouse_id, zone]);
      const { places, ...lot } = await local.ok("GET", path);
      const [listed] = (await local.ok("GET", `${LOTS}?item_id=${item_id}`)).lots;
      return [lot.condition, lot.effective_condition, listed.effective_condition, places[0].effective_condition];
    };
    assert.deepEqual(await told(late), ["AVAILABLE", "AVAILABLE", "AVAILABLE", "AVAILABLE"]);
    assert.deepEqual(await told(early), ["AVAILABLE", "EXPIRED", "EXPIRED", "EXPIRED"]);
  });
});
