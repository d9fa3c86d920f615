import assert from "node:assert/strict";
import { endSalesToOrders } from "../../activities/sales-orders/end-sales.js";
import { type AgingSite, agingSite, agingUnits, dayPasses, reserved, tasks } from "../support/aging-stock.js";
import { db } from "../support/db.js";
import { fresh, push, sender } from "../support/inbound.js";
import { assertInvariants } from "../support/invariants.js";
import { documentWith, useMappings } from "../support/mappings.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { unique } from "../support/unique.js";
import { startWave } from "../support/walk.js";

describe("the least days that an order asks for", function () {
  this.timeout(120_000);
  const service = testService({ worker: true });
  afterEach(() => assertInvariants());
  /** What is too old of the tests before. */
  beforeEach(() => endSalesToOrders());

  const site = () => agingSite(null);
  /** An order of some units, as a person at the desk makes it. */
  async function order({ warehouse_id, item_id }: AgingSite, quantity_ordered: number, days: number | null = null) {
    const { sales_order } = await service.admin.ok("POST", "/api/admin/sales-orders", {
      ...{ so_number: `SO-${unique()}`, warehouse_id, lines: [{ item_id, quantity_ordered }] },
      min_days_at_shipping: days,
    });
    assert.equal(sales_order.min_days_at_shipping, days);
    return sales_order as { so_id: number; so_number: string };
  }
  const detail = (so_id: number) => service.admin.ok("GET", `/api/admin/sales-orders/${so_id}`);
  const ask = (so_id: number, min_days_at_shipping: number | null) =>
    service.admin.ok("PUT", `/api/admin/sales-orders/${so_id}`, { min_days_at_shipping });
  const reservedFor = (so_id: number) =>
    db.value<number>("select sum(quantity_allocated)::int from sales_order_lines where so_id = $1", [so_id]);

  it("are kept by its reservations, and others get what is too old for it", async () => {
    const at = await site();
    await agingUnits(at, "TEN", 5, 10);
    await agingUnits(at, "FORTY", 3, 40);
    const late = await order(at, 5, 30);
    assert.deepEqual(await reserved(at), { FORTY: 3 });
    const { next_step } = await detail(late.so_id);
    assert.deepEqual([next_step.code, next_step.missing], ["wait_for_stock", [{ sku: at.sku, units: 2 }]]);
    assert.equal(next_step.message, `Waits for stock with at least 30 days left: 2 of ${at.sku} missing`);
    await order(at, 4);
    assert.deepEqual(await reserved(at), { FORTY: 3, TEN: 4 });
    const { sales_orders } = await service.admin.ok(
      "GET",
      `/api/admin/sales-orders?warehouse_id=${at.warehouse_id}&work=ready_to_pick`,
    );
    assert.ok(!pluck(sales_orders, "so_id").includes(late.so_id), "it can't be picked yet");
  });

  it("are kept by waves, and by picks at the desk", async () => {
    const at = await site();
    await agingUnits(at, "TEN", 5, 10);
    await agingUnits(at, "FORTY", 3, 40);
    const [some, strict] = [await order(at, 2), await order(at, 2, 30)];
    await startWave(service.admin, at.warehouse_id, [some.so_id, strict.so_id]);
    assert.deepEqual(await tasks(at), { TEN: 2, FORTY: 2 });

    const other = await order(at, 2, 30);
    const { lines } = await detail(other.so_id);
    const { so_line_id } = lines[0];
    const path = `/api/admin/sales-orders/${other.so_id}`;
    const { bins } = await service.admin.ok("GET", `${path}/lines/${so_line_id}/available-bins`);
    assert.deepEqual(
      [bins[0].quantity_available, pluck(bins[0].lots, "quantity_available")],
      [1, [0, 1]],
      "of the one that is good for it",
    );
    const refused = await service.admin.post(`${path}/admin-pick`, {
      lines: [{ so_line_id, bin_id: at.bin_id, quantity: 2 }],
    });
    assert.deepEqual([refused.status, refused.body.kind], [409, "insufficient_available"]);
    await service.admin.ok("POST", `${path}/admin-pick`, { lines: [{ so_line_id, bin_id: at.bin_id, quantity: 1 }] });
    const { pick_tasks } = await detail(other.so_id);
    assert.deepEqual(pluck(pick_tasks, "lot_number"), ["FORTY"]);
    const wave = await service.admin.post("/api/picking/wave-create", {
      so_ids: [other.so_id],
      warehouse_id: at.warehouse_id,
    });
    assert.equal(wave.status, 409, "nothing is left but what is too old for it");
  });

  it("end its promises when a day passes, and not those of others", async () => {
    const at = await site();
    await agingUnits(at, "TEN", 6, 10);
    await agingUnits(at, "FORTY", 4, 40);
    const held = await order(at, 1, 10);
    const [some, strict] = [await order(at, 2), await order(at, 2, 10)];
    await startWave(service.admin, at.warehouse_id, [some.so_id, strict.so_id]);
    assert.deepEqual([await reserved(at), await tasks(at)], [{ TEN: 1 }, { TEN: 4 }]);
    assert.equal(await endSalesToOrders(), 0);
    await dayPasses(at);
    assert.equal(await endSalesToOrders(), 2);
    assert.deepEqual([await reserved(at), await tasks(at)], [{ FORTY: 1 }, { TEN: 2, FORTY: 2 }]);
    assert.equal(await reservedFor(held.so_id), 1);
    assert.equal(await endSalesToOrders(), 0);
    const audited = await db.value(
      `select details->>'reason' from audit_log
       where entity_type = 'SO' and entity_id = $1 and action_type = 'SO_ALLOCATION_RELEASED'`,
      [held.so_id],
    );
    assert.equal(audited, "too_old");
  });

  it("are held against the scan of a picker, whose task is taken back", async () => {
    const at = await site();
    await agingUnits(at, "TEN", 2, 10);
    await agingUnits(at, "FORTY", 2, 40);
    const { so_id } = await order(at, 2, 10);
    const { first_pick } = await startWave(service.admin, at.warehouse_id, [so_id]);
    await dayPasses(at);
    const pick = (pick_task_id: number) => ({ pick_task_id, scanned_barcode: at.sku, quantity_picked: 2 });
    const refused = await service.admin.post("/api/picking/confirm", pick(first_pick?.pick_task_id as number));
    assert.deepEqual([refused.status, refused.code], [409, "units_past_sale"]);
    assert.deepEqual(await tasks(at), { FORTY: 2 });
    const next = await db.value<number>(
      "select pick_task_id from pick_tasks where item_id = $1 and status = 'PENDING'",
      [at.item_id],
    );
    await service.admin.ok("POST", "/api/picking/confirm", pick(next as number));
  });

  it("are held against a lot that the picker takes instead", async () => {
    const at = await site();
    await db.run("update items set lot_picking = 'any_of_bin' where item_id = $1", [at.item_id]);
    await agingUnits(at, "TEN", 2, 10);
    await agingUnits(at, "FORTY", 2, 40);
    const { so_id } = await order(at, 2, 30);
    const { first_pick } = await startWave(service.admin, at.warehouse_id, [so_id]);
    const refused = await service.admin.post("/api/picking/confirm", {
      ...{ pick_task_id: first_pick?.pick_task_id, scanned_barcode: at.sku, quantity_picked: 2, lot_number: "TEN" },
    });
    assert.deepEqual([refused.status, refused.code], [400, "lot_not_free"]);
    assert.deepEqual(await tasks(at), { FORTY: 2 });
  });

  it("are looked at again when a wave is cancelled", async () => {
    const at = await site();
    await agingUnits(at, "TEN", 2, 10);
    const { so_id } = await order(at, 2, 10);
    const { batch_id } = await startWave(service.admin, at.warehouse_id, [so_id]);
    await dayPasses(at);
    await service.admin.ok("POST", "/api/picking/cancel-batch", { batch_id });
    assert.deepEqual(await reserved(at), {});
  });

  it("may be changed: the order gets other units, more, or waits", async () => {
    const at = await site();
    await agingUnits(at, "TEN", 5, 10);
    await agingUnits(at, "FORTY", 1, 40);
    const { so_id } = await order(at, 2);
    assert.deepEqual(await reserved(at), { TEN: 2 });
    await ask(so_id, 30);
    assert.deepEqual(await reserved(at), { FORTY: 1 });
    const { sales_order } = await detail(so_id);
    assert.equal(sales_order.min_days_at_shipping, 30);
    await ask(so_id, 10);
    assert.deepEqual(await reserved(at), { TEN: 1, FORTY: 1 });
    await ask(so_id, 90);
    assert.deepEqual(await reserved(at), {});
    await ask(so_id, null);
    assert.deepEqual(await reserved(at), { TEN: 2 });
    assert.deepEqual(
      await service.admin.ok("PUT", `/api/admin/sales-orders/${so_id}`, { min_days_at_shipping: null }),
      {
        unchanged: true,
      },
    );
  });

  it("do not keep what arrives from those that come after it", async () => {
    const at = await site();
    const [strict, some] = [await order(at, 1, 30), await order(at, 1)];
    const waiting = await order(at, 1, 5);
    await agingUnits(at, "TEN", 2, 10);
    const lot_id = await db.value<number>("select lot_id from lots where item_id = $1", [at.item_id]);
    const because = { reason: "looked at" };
    await service.admin.ok("POST", `/api/admin/lots/${lot_id}/hold`, { condition: "HOLD", ...because });
    await service.admin.ok("POST", `/api/admin/lots/${lot_id}/release`, because);
    const held = await Promise.all([strict, some, waiting].map(({ so_id }) => reservedFor(so_id)));
    assert.deepEqual(held, [0, 1, 1]);
  });

  it("go with its backorder, which waits for units that are fresh enough", async () => {
    const at = await site();
    await agingUnits(at, "FORTY", 1, 40);
    const { so_id } = await order(at, 2, 30);
    const { lines } = await detail(so_id);
    const { backorder_so } = await service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/partial-fulfill`, {
      lines: [{ so_line_id: lines[0].so_line_id, short_qty: 1 }],
    });
    const child = await detail(backorder_so.so_id);
    assert.deepEqual([child.sales_order.status, child.sales_order.min_days_at_shipping], ["WAITING_STOCK", 30]);
    await agingUnits(at, "TEN", 5, 10);
    const arrive = (quantity: number, expiry_date: string) =>
      service.admin.ok("POST", "/api/admin/adjustments/direct", {
        ...{ item_id: at.item_id, bin_id: at.bin_id, warehouse_id: at.warehouse_id },
        ...{ adjustment_type: "ADD", quantity, reason: "found", lot_number: `L-${expiry_date}`, expiry_date },
      });
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    await arrive(3, inDays(12));
    assert.equal((await detail(child.sales_order.so_id)).sales_order.status, "WAITING_STOCK");
    await arrive(1, inDays(60));
    assert.equal((await detail(child.sales_order.so_id)).sales_order.status, "OPEN");
  });

  it("come with a push, and are changed by one", async () => {
    const at = await site();
    await agingUnits(at, "TEN", 5, 10);
    await agingUnits(at, "FORTY", 5, 40);
    const says = (canonical: string, type = "string") => ({ canonical, type, source_path: `$.${canonical}` });
    const named = { ...says("item_id", "uuid"), cross_system_lookup: { source_type: "item" }, required: true };
    const items = { canonical_type: "item", adopt_by: "sku", fields: [says("sku"), says("item_name")] };
    const sales_orders = {
      canonical_type: "sales_order",
      fields: [says("so_number"), says("warehouse_id", "integer"), says("min_days_at_shipping", "integer")],
      line_items: {
        ...{ source_path: "$.lines", canonical_path: "lines" },
        fields: [named, { ...says("quantity_ordered", "integer"), required: true }],
      },
    };
    await useMappings({ shop: documentWith({ items, sales_orders }, "shop") });
    const shop = await sender(service, { warehouse_ids: [at.warehouse_id] });
    const milk = fresh("item");
    await push(shop, "items", milk, "1", { sku: at.sku, item_name: "Milk" });
    const id = fresh("order");
    const body = { so_number: fresh("SO"), warehouse_id: at.warehouse_id };
    const lines = [{ item_id: milk, quantity_ordered: 3 }];
    const send = async (version: string, more: object) => {
      const answer = await push(shop, "sales_orders", id, version, { ...body, ...more });
      assert.ok([200, 201].includes(answer.status), JSON.stringify(answer.body));
    };
    await send("1", { min_days_at_shipping: 30, lines });
    assert.deepEqual(await reserved(at), { FORTY: 3 });
    await send("2", { min_days_at_shipping: 50 });
    assert.deepEqual(await reserved(at), {});
    await send("3", { min_days_at_shipping: 5 });
    assert.deepEqual(await reserved(at), { TEN: 3 });
    const wrong = await push(shop, "sales_orders", id, "4", { ...body, min_days_at_shipping: -1 });
    assert.equal(wrong.status, 422);
  });

  it("are whole numbers from 0 on", async () => {
    const at = await site();
    const { so_id } = await order(at, 1, 0);
    for (const min_days_at_shipping of [-1, 1.5, 36_501, "soon"]) {
      const made = await service.admin.post("/api/admin/sales-orders", {
        ...{ so_number: `SO-${unique()}`, warehouse_id: at.warehouse_id, min_days_at_shipping },
        lines: [{ item_id: at.item_id, quantity_ordered: 1 }],
      });
      const edited = await service.admin.put(`/api/admin/sales-orders/${so_id}`, { min_days_at_shipping });
      assert.deepEqual([made.status, edited.status], [400, 400], String(min_days_at_shipping));
    }
  });
});
