import assert from "node:assert/strict";
import { releaseBatch } from "../../activities/picking/release-waves.js";
import { takeBatchId } from "../../src/picking/queries.js";
import { LostReason } from "../../src/picking/waves/shapes.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { WhyOrder } from "../../src/sales-orders/why-shapes.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { pickFloor } from "../support/pick-floor.js";
import { unique } from "../support/unique.js";
import { unusableStock } from "../support/unusable-stock.js";

describe("why an order waits", () => {
  const { at } = pickFloor();
  /** A house of its own for each test. */
  let here: number;
  let item_id: number;
  let sku: string;
  beforeEach(async () => {
    here = await warehouse();
    ({ item_id, sku } = await item());
  });

  const why = (so_id: number) => at().service.admin.ok("GET", `/api/admin/sales-orders/${so_id}/why`);
  const shelve = async (units: number) => stock(here, await bin(here), item_id, units);
  const order = (quantity = 1) => salesOrder(here, [{ item_id, quantity }]);
  const admin = () => at().service.admin;
  const codeAndHold = async (so_id: number) => {
    const { code, hold } = await why(so_id);
    return [code, hold];
  };

  it("is nothing where it can be picked", async () => {
    await shelve(5);
    const { so_id, so_number } = await order();
    const { as_of, ...answer } = await why(so_id);
    assert.ok(as_of);
    assert.deepEqual(answer, {
      ...{ so_id, so_number, code: "pick", words: "Ready to be picked" },
      ...{ hold: null, wave: null, left_out: null, lacks: [] },
    });
    assert.equal((await admin().get("/api/admin/sales-orders/999999/why")).code, "so_not_found");
  });

  it("says where the units are that it lacks, why they are not for it, and whose they are", async () => {
    const unusable = await unusableStock(admin(), here, item_id);
    const free = await shelve(2);
    const { so_id } = await order(5);
    await db.run("update sales_orders set min_days_at_shipping = 90 where so_id = $1", [so_id]);
    const { code, lacks } = await why(so_id);
    assert.deepEqual([code, lacks.length, lacks[0].sku, lacks[0].units], ["wait_for_stock", 1, sku, 3]);
    type Row = (typeof rows)[number];
    const rows: { bin_id: number; reason: string | null; quantity_available: number }[] = lacks[0].stock;
    const found = new Map(rows.map((row) => [row.bin_id, row.reason]));
    assert.deepEqual(
      unusable.bins.map(([bin_id]) => [bin_id, found.get(bin_id)]),
      unusable.bins,
    );
    assert.deepEqual(new Set(unusable.bins.map(([, reason]) => reason)), new Set(reasonsOfStock()));
    const [first] = lacks[0].stock;
    assert.deepEqual([first.inventory_id, first.reason, first.quantity_available], [free, null, 2]);
    assert.ok(rows.slice(1).every((row: Row) => row.quantity_available === 0));
    assert.deepEqual(lacks[0].stock.find((row: Row) => row.bin_id === unusable.reserved).reserved_for, [
      { number: unusable.reserved_for, units: 4 },
    ]);
  });
  const reasonsOfStock = () => WhyOrder.shape.lacks.element.shape.stock.element.shape.reason.unwrap().options;

  it("says which purchase order brings what it lacks first", async () => {
    const { so_id } = await order(5);
    const coming = async () => (await why(so_id)).lacks[0].coming;
    assert.equal(await coming(), null);
    const expected = async (to: number, expected_date: string | null, quantity: number) => {
      const po = await purchaseOrder(to, [{ item_id, quantity }]);
      await db.run("update purchase_orders set expected_date = $2 where po_id = $1", [po.po_id, expected_date]);
      return po;
    };
    await expected(here, null, 9);
    await expected(await warehouse(), "2026-01-01", 9);
    const { po_id, po_number } = await expected(here, "2026-12-05", 4);
    const first = { po_id, po_number, expected_date: "2026-12-05" };
    assert.deepEqual(await coming(), { ...first, quantity_remaining: 4 });
    const received = { item_id, quantity: 3, bin_id: await bin(here, { type: "Staging" }) };
    await admin().ok("POST", "/api/receiving/receive", { po_id, items: [received] });
    assert.deepEqual(await coming(), { ...first, quantity_remaining: 1 });
    await db.run("update purchase_orders set status = 'CLOSED' where po_id = $1", [po_id]);
    assert.deepEqual([(await coming()).expected_date, (await coming()).quantity_remaining], [null, 9]);
  });

  it("counts what is reserved for itself as its own", async () => {
    await shelve(2);
    const { sales_order } = await admin().ok("POST", "/api/admin/sales-orders", {
      ...{ so_number: `SO-${unique()}`, warehouse_id: here, lines: [{ item_id, quantity_ordered: 3 }] },
    });
    const { code, lacks } = await why(sales_order.so_id);
    assert.deepEqual([code, lacks[0].units], ["wait_for_stock", 1]);
    const [{ reason, quantity_available, quantity_reserved, reserved_for }] = lacks[0].stock;
    assert.deepEqual([reason, quantity_available, quantity_reserved, reserved_for], [null, 2, 0, []]);
  });

  it("says what a picker did not find", async () => {
    await shelve(5);
    const { so_id } = await order(3);
    const { first_pick, batch_id } = await admin().ok("POST", "/api/picking/wave-create", {
      ...{ so_ids: [so_id], warehouse_id: here },
    });
    await admin().ok("POST", "/api/picking/short", { pick_task_id: first_pick.pick_task_id, quantity_available: 1 });
    await admin().ok("POST", "/api/picking/complete-batch", { batch_id });
    const { code, wave, lacks } = await why(so_id);
    assert.deepEqual(
      [code, wave, lacks[0].units, lacks[0].stock[0].reason, lacks[0].stock[0].quantity_doubted],
      ["picked_short", null, 2, "in_doubt", 4],
    );
  });

  it("says what holds it, and who", async () => {
    await shelve(5);
    const { so_id } = await order();
    const set = (columns: string) => db.run(`update sales_orders set ${columns} where so_id = $1`, [so_id]);
    const unknown = { by: null, by_name: null, since: null, note: null };
    await set("hold_reason = 'differs_from_shop'");
    assert.deepEqual(await codeAndHold(so_id), ["held_differs_from_shop", { reason: "differs_from_shop", ...unknown }]);
    await set("hold_reason = 'on_hold_in_shop'");
    await db.run(
      `insert into audit_log (action_type, entity_type, entity_id, user_id, warehouse_id, details)
       values ('SO_HELD', 'SO', $1, 'system:connector:shop-1', $2, '{}')`,
      [so_id, here],
    );
    const [code, { since, ...hold }] = await codeAndHold(so_id);
    assert.ok(since);
    assert.deepEqual(
      [code, hold],
      [
        "held_on_hold_in_shop",
        { reason: "on_hold_in_shop", by: "system:connector:shop-1", by_name: "shop-1", note: null },
      ],
    );
    await set("hold_reason = null, status = 'FRAUD_REVIEW'");
    assert.deepEqual(await codeAndHold(so_id), ["review", { reason: "review", ...unknown }]);
  });

  it("says which wave it is in, and how that was made", async () => {
    await shelve(9);
    const by = "admin";
    const waveOf = async (so_id: number) => {
      const { code, wave } = await why(so_id);
      const { batch_id, batch_number, made_at, by_name, ...made } = wave;
      assert.ok(code === "in_wave" && batch_id && batch_number && made_at && by_name);
      return made;
    };
    const [picked, released, planned] = [await order(), await order(), await order()];
    await db.run("update sales_orders set ship_method = 'Van' where so_id = $1", [released.so_id]);
    await db.run("update sales_orders set ship_method = 'Bicycle' where so_id = $1", [planned.so_id]);
    await admin().ok("POST", "/api/picking/wave-create", { so_ids: [picked.so_id], warehouse_id: here });
    const plan = (ship_method: string) => ({ warehouse_id: here, filter: { ship_method } });
    await admin().ok("POST", "/api/admin/waves/release", plan("Van"));
    const template_name = unique();
    const { template_id } = await admin().ok("POST", "/api/admin/wave-templates", {
      ...{ warehouse_id: here, template_name, times: ["14:00"], plan: { filter: { ship_method: "Bicycle" } } },
    });
    await admin().ok("POST", `/api/admin/wave-templates/${template_id}/run`);
    assert.deepEqual(
      [await waveOf(picked.so_id), await waveOf(released.so_id), await waveOf(planned.so_id)],
      [
        { made_by: "picker", template_name: null, assigned_to: by, by },
        { made_by: "release", template_name: null, assigned_to: null, by },
        { made_by: "template", template_name, assigned_to: null, by },
      ],
    );
  });

  it("says why a wave that was planned with it left it out, while it is in none", async () => {
    await shelve(2);
    const [lacking, held, taken, review] = [await order(9), await order(), await order(), await order()];
    const set = (so_id: number, columns: string) =>
      db.run(`update sales_orders set ${columns} where so_id = $1`, [so_id]);
    await set(held.so_id, "hold_reason = 'on_hold_in_shop'");
    await set(review.so_id, "status = 'FRAUD_REVIEW'");
    const { batch_id } = await admin().ok("POST", "/api/picking/wave-create", {
      ...{ so_ids: [taken.so_id], warehouse_id: here },
    });
    const soIds = [lacking, held, taken, review].map(({ so_id }) => so_id);
    const batch = { batchId: await takeBatchId(), warehouseId: here, combine: true, soIds };
    await releaseBatch(batch, systemActor(unique()));
    assert.equal((await why(taken.so_id)).left_out, null, "it is in the other wave");
    await admin().ok("POST", "/api/picking/cancel-batch", { batch_id });
    const reasons = [];
    for (const so_id of soIds) reasons.push((await why(so_id)).left_out.reason);
    assert.deepEqual(reasons, ["lacks_stock", "held", "in_batch", "not_open"]);
    assert.deepEqual(WhyOrder.shape.left_out.unwrap().shape.reason.options, LostReason.options);
    const { entries } = await admin().ok("GET", `/api/admin/sales-orders/${lacking.so_id}/story`);
    const told = entries.find(({ name }: { name: string }) => name === "SO_LEFT_OUT");
    assert.equal(told.details.reason, "lacks_stock");
  });

  it("says nothing of stock for what comes back", async () => {
    const { so_id } = await order();
    await db.run("update sales_orders set order_type = 'return' where so_id = $1", [so_id]);
    const { code, lacks } = await why(so_id);
    assert.deepEqual([code, lacks], ["wait_for_return", []]);
  });
});
