import assert from "node:assert/strict";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, stock, stockOf, warehouse } from "../support/fixtures.js";
import { fresh, push, pushedItem, sender, useTestMappings } from "../support/inbound.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";

interface Line {
  item_id: number;
  quantity_ordered: number;
  quantity_allocated: number;
  line_number: number;
}

describe("inbound orders", () => {
  const service = testService({ worker: true });
  let shop: Caller;
  let warehouse_id: number;
  /** Another one that the source may send to. */
  let other: number;
  let picker: Caller;
  before(async () => {
    await useTestMappings();
    warehouse_id = await warehouse();
    other = await warehouse();
    shop = await sender(service, { warehouse_ids: [warehouse_id, other] });
    picker = await service.user({ warehouse_ids: [warehouse_id] });
  });
  afterEach(() => assertInvariants());

  /** An item with units on shelves, and how the source and we call it. */
  async function goods(...quantities: number[]) {
    const { external_id, item_id } = await pushedItem(shop);
    const rows: number[] = [];
    for (const quantity of quantities) rows.push(await stock(warehouse_id, await bin(warehouse_id), item_id, quantity));
    return { external_id, item_id, rows };
  }
  const line = (item_id: string, quantity_ordered: number, more = {}) => ({ item_id, quantity_ordered, ...more });

  /** Pushes versions of one order, from 1 on. */
  function order(kind: "sales_orders" | "purchase_orders") {
    const id = fresh("order");
    let version = 0;
    const number = kind === "sales_orders" ? { so_number: id } : { po_number: id };
    return { id, push: (fields: object = {}) => push(shop, kind, id, ++version, { ...number, ...fields }) };
  }
  interface Header {
    so_id: number;
    status: string;
    warehouse_id: number;
    memo: string | null;
    order_source: string;
    source_system: string;
    created_by: string;
    so_barcode: string;
    order_date: string;
    latest_inbound_id: number;
    updated_at: string;
  }
  const salesOrder = (id: string) =>
    db.row<Header>("select * from sales_orders where so_number = $1", [id]) as Promise<Header>;
  const soLines = (id: string) =>
    db.rows<Line>(
      `select item_id, quantity_ordered, quantity_allocated, line_number from sales_order_lines join sales_orders
        using (so_id)
       where so_number = $1 order by line_number`,
      [id],
    );
  const soLineIds = (id: string) =>
    db.column<number>(
      "select so_line_id from sales_order_lines join sales_orders using (so_id) where so_number = $1 order by 1",
      [id],
    );
  const purchaseOrder = (id: string) =>
    db.row("select * from purchase_orders where po_number = $1", [id]) as Promise<{
      po_id: number;
      status: string;
      notes: string | null;
    }>;
  const poLines = (id: string) =>
    db.rows<{ po_line_id: number; quantity_ordered: number; unit_cost: string }>(
      `select po_line_id, quantity_ordered, unit_cost from purchase_order_lines join purchase_orders using (po_id)
       where po_number = $1 order by line_number`,
      [id],
    );
  const isRefused = ({ status, body }: Answer, expected: number, kind: string, says = /./) => {
    assert.deepEqual([status, body.error_kind], [expected, kind]);
    assert.match(body.message, says);
  };
  const setting = (key: string, value: string) =>
    service.admin.ok("PUT", "/api/admin/settings", { settings: { [key]: value } });

  describe("for sale", () => {
    it("are written with what the service knows of every order", async () => {
      const { id, push } = order("sales_orders");
      assert.equal((await push()).status, 201);
      const row = await salesOrder(id);
      assert.deepEqual(
        [row.status, row.order_source, row.source_system, row.so_barcode],
        ["OPEN", "inbound", "shop", id],
      );
      assert.match(row.created_by, /^system:wms_token:\d+$/);
      assert.ok(row.order_date);
      await push({ memo: "more" });
      const { latest_inbound_id, updated_at, ...changed } = await salesOrder(id);
      assert.deepEqual({ ...row, ...changed }, { ...row, memo: "more" });
      assert.ok(latest_inbound_id > row.latest_inbound_id && updated_at > row.updated_at);
    });

    it("reserve stock, of each item the fullest bin first", async () => {
      const { external_id, rows } = await goods(3, 8, 5);
      const { id, push } = order("sales_orders");
      await push({ lines: [line(external_id, 10)] });
      const [small, full, middle] = await Promise.all(rows.map(stockOf));
      assert.deepEqual([small?.allocated, full?.allocated, middle?.allocated], [0, 8, 2]);
      assert.equal((await soLines(id))[0]?.quantity_allocated, 10);
    });

    it("are written also when stock does not suffice, and hold what there is", async () => {
      const { external_id } = await goods(3);
      const { id, push } = order("sales_orders");
      assert.equal((await push({ lines: [line(external_id, 10)] })).status, 201);
      assert.equal((await soLines(id))[0]?.quantity_allocated, 3);
    });

    it("are refused by name where they order what is not active, and taken once it is again", async () => {
      const { external_id, item_id } = await goods(3);
      const { push } = order("sales_orders");
      const lines = [line(external_id, 2)];
      const active = (is_active: boolean) =>
        db.row<{ sku: string }>("update items set is_active = $2 where item_id = $1 returning sku", [
          item_id,
          is_active,
        ]);
      const archived = await active(false);
      const because = new RegExp(`Item ${archived?.sku} is not active`);
      isRefused(await push({ lines }), 422, "canonical_constraint_violation", because);
      await active(true);
      await db.run("update warehouses set is_active = false where warehouse_id = $1", [warehouse_id]);
      isRefused(await push({ lines }), 422, "canonical_constraint_violation", /^Warehouse \S+ is not active/);
      await db.run("update warehouses set is_active = true where warehouse_id = $1", [warehouse_id]);
      assert.equal((await push({ lines })).status, 201);
    });

    it("number their lines by place where the source does not", async () => {
      const [a, b] = [await goods(), await goods()];
      const { id, push } = order("sales_orders");
      await push({ lines: [line(a.external_id, 1), line(b.external_id, 2)] });
      assert.deepEqual(pluckAll(await soLines(id), "line_number", "item_id"), [
        [1, a.item_id],
        [2, b.item_id],
      ]);
    });

    it("keep lines and reservations when a newer version has the same lines, in whatever order", async () => {
      const [a, b] = [await goods(5), await goods(5)];
      const { id, push } = order("sales_orders");
      const lines = [line(a.external_id, 1, { line_number: 1 }), line(b.external_id, 2, { line_number: 2 })];
      await push({ lines });
      const before = await soLineIds(id);
      const answer = await push({ lines: lines.toReversed(), memo: "quickly" });
      assert.equal(answer.status, 201);
      assert.deepEqual(await soLineIds(id), before);
      assert.deepEqual(pluck(await soLines(id), "quantity_allocated"), [1, 2]);
      assert.equal((await salesOrder(id)).memo, "quickly");
    });

    it("keep lines when a newer version has none", async () => {
      const { external_id } = await goods(5);
      const { id, push } = order("sales_orders");
      await push({ lines: [line(external_id, 1)] });
      assert.equal((await push({ lines: [], memo: "x" })).status, 201);
      assert.equal((await push({ memo: "y" })).status, 201);
      assert.equal((await soLines(id)).length, 1);
      assert.equal((await salesOrder(id)).memo, "y");
    });

    it("do not change lines that hold stock: 409 lines_in_flight, and the header stays too", async () => {
      const { external_id } = await goods(5);
      const { id, push } = order("sales_orders");
      await push({ lines: [line(external_id, 1)], memo: "before" });
      const answer = await push({ lines: [line(external_id, 2)], memo: "after" });
      isRefused(answer, 409, "lines_in_flight", new RegExp(id));
      assert.equal((await salesOrder(id)).memo, "before");
      assert.deepEqual(
        await db.rows("select external_version, status from inbound_sales_orders where external_id = $1", [id]),
        [{ external_version: "1", status: "applied" }],
      );
    });

    it("replace lines for which nothing was begun, and reserve for the new ones", async () => {
      const empty = await goods();
      const full = await goods(9);
      const { id, push } = order("sales_orders");
      await push({ lines: [line(empty.external_id, 2)] });
      const answer = await push({ lines: [line(full.external_id, 4), line(empty.external_id, 1)] });
      assert.equal(answer.status, 201);
      assert.deepEqual(pluckAll(await soLines(id), "item_id", "quantity_allocated"), [
        [full.item_id, 4],
        [empty.item_id, 0],
      ]);
    });

    it("replace lines whose walk came to nothing, and forget its tasks", async () => {
      const { external_id, item_id } = await goods();
      const { id, push } = order("sales_orders");
      await push({ lines: [line(external_id, 2)] });
      await stock(warehouse_id, await bin(warehouse_id), item_id, 2);
      const { so_id } = await salesOrder(id);
      const { batch_id, first_pick } = await picker.ok("POST", "/api/picking/wave-create", {
        so_ids: [so_id],
        warehouse_id,
      });
      isRefused(await push({ lines: [line(external_id, 1)] }), 409, "lines_in_flight");
      await picker.ok("POST", "/api/picking/short", { pick_task_id: first_pick.pick_task_id });
      isRefused(await push({ lines: [line(external_id, 1)] }), 409, "lines_in_flight");
      await picker.ok("POST", "/api/picking/cancel-batch", { batch_id });
      // The picker looked for the units in vain: they are promised to nobody, so nothing is in the way.
      assert.equal((await push({ lines: [line(external_id, 1)] })).status, 201);
    });

    it("refuse a line whose item is not here: 409 cross_system_lookup_miss", async () => {
      const { id, push } = order("sales_orders");
      const answer = await push({ lines: [line("no-such-item", 1)] });
      isRefused(answer, 409, "cross_system_lookup_miss");
      assert.deepEqual(answer.body.missing, { source_system: "shop", source_type: "item", source_id: "no-such-item" });
      assert.equal(await salesOrder(id), undefined);
    });

    it("name an item as the source does when it was deleted here", async () => {
      const { external_id, item_id } = await goods();
      await db.run("delete from items where item_id = $1", [item_id]);
      const { push } = order("sales_orders");
      const answer = await push({ lines: [line(external_id, 1)] });
      isRefused(answer, 409, "cross_system_lookup_miss");
      assert.equal(answer.body.missing.source_id, external_id);
    });

    it("say which line has which wrong quantity", async () => {
      const { external_id } = await goods();
      for (const quantity of [0, -1, 1.5, "many", 2_000_000]) {
        const answer = await order("sales_orders").push({
          lines: [line(external_id, 1), line(external_id, quantity as number)],
        });
        isRefused(answer, 422, "canonical_constraint_violation", /lines\[1\]\.quantity_ordered/);
      }
    });

    it("are cancelled in the name of the source, and stay cancelled", async () => {
      const { external_id, rows } = await goods(5);
      const { id, push } = order("sales_orders");
      await push({ lines: [line(external_id, 3)] });
      assert.equal((await push({ status: "CANCELLED" })).status, 201);
      const { status, so_id } = await salesOrder(id);
      assert.equal(status, "CANCELLED");
      assert.equal((await stockOf(rows[0] as number)).allocated, 0);
      const audits = await db.rows<{ user_id: string; details: { source: string } }>(
        "select user_id, details from audit_log where action_type = 'CANCEL' and entity_id = $1",
        [so_id],
      );
      assert.deepEqual(
        audits.map((a) => [a.user_id, a.details.source]),
        [["inbound:shop", "inbound"]],
      );
      await push({ status: "CANCELLED", memo: "again" });
      await push({ status: "OPEN", lines: [line(external_id, 4)], memo: "no" });
      const after = await salesOrder(id);
      assert.deepEqual([after.status, after.memo], ["CANCELLED", "no"]);
      assert.equal((await soLines(id))[0]?.quantity_ordered, 3);
    });

    it("that come cancelled are written so, and hold no stock", async () => {
      const { external_id, rows } = await goods(5);
      const { id, push } = order("sales_orders");
      await push({ status: "CANCELLED", lines: [line(external_id, 3)] });
      assert.equal((await salesOrder(id)).status, "CANCELLED");
      assert.equal((await stockOf(rows[0] as number)).allocated, 0);
    });

    it("that were shipped are not cancelled: 422 that says so", async () => {
      const { id, push } = order("sales_orders");
      await push({ status: "SHIPPED" });
      const answer = await push({ status: "CANCELLED", memo: "late" });
      isRefused(answer, 422, "canonical_constraint_violation", /status/);
      assert.equal((await salesOrder(id)).memo, null);
    });

    it("go no further than the floor brings them, whatever status the source has", async () => {
      const { id, push } = order("sales_orders");
      isRefused(
        await order("sales_orders").push({ status: "PACKED" }),
        422,
        "canonical_constraint_violation",
        /status/,
      );
      await push();
      assert.equal((await push({ status: "SHIPPED" })).status, 201);
      assert.equal((await salesOrder(id)).status, "OPEN");
    });

    it("do not leave a warehouse in which they hold stock", async () => {
      const { external_id } = await goods(5);
      const held = order("sales_orders");
      const free = order("sales_orders");
      await held.push({ lines: [line(external_id, 1)] });
      await free.push();
      isRefused(await held.push({ warehouse_id: other }), 409, "lines_in_flight");
      assert.equal((await free.push({ warehouse_id: other })).status, 201);
      assert.equal((await salesOrder(free.id)).warehouse_id, other);
      assert.equal((await free.push()).status, 201);
      assert.equal((await salesOrder(free.id)).warehouse_id, other);
    });

    const address = (which: string, line1: string) => ({
      [`${which}_address_line1`]: line1,
      [`${which}_address_city`]: "Bern",
    });

    it("are held for review when they go elsewhere than their bill, at their first receipt", async () => {
      await setting("fraud_review_billing_shipping", "true");
      try {
        const { external_id } = await goods(5);
        const { id, push } = order("sales_orders");
        const elsewhere = { ...address("billing", "Main Street 1"), ...address("shipping", "Side Street 2") };
        await push({ ...elsewhere, lines: [line(external_id, 2)] });
        assert.equal((await salesOrder(id)).status, "FRAUD_REVIEW");
        assert.equal((await soLines(id))[0]?.quantity_allocated, 2);
        const { so_id } = await salesOrder(id);
        await service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/push-to-queue`);
        await push({ ...elsewhere, memo: "still elsewhere" });
        assert.equal((await salesOrder(id)).status, "OPEN");
        const same = order("sales_orders");
        await same.push({ ...address("billing", " MAIN  street 1"), ...address("shipping", "Main Street 1 ") });
        const oneOnly = order("sales_orders");
        await oneOnly.push(address("billing", "Main Street 1"));
        for (const { id } of [same, oneOnly]) assert.equal((await salesOrder(id)).status, "OPEN");
      } finally {
        await setting("fraud_review_billing_shipping", "false");
      }
    });

    it("are not held while the setting is off", async () => {
      const { id, push } = order("sales_orders");
      await push({ ...address("billing", "A"), ...address("shipping", "B") });
      assert.equal((await salesOrder(id)).status, "OPEN");
    });
  });

  describe("to vendors", () => {
    const receive = async (id: string, quantity: number) => {
      const { po_id } = await purchaseOrder(id);
      const lines = await db.row<{ item_id: number }>("select item_id from purchase_order_lines where po_id = $1", [
        po_id,
      ]);
      return service.admin.ok("POST", "/api/receiving/receive", {
        po_id,
        items: [{ item_id: lines?.item_id, quantity, bin_id: await bin(warehouse_id) }],
      });
    };

    it("replace lines until something is received: then 409 lines_in_flight", async () => {
      const { external_id } = await goods();
      const { id, push } = order("purchase_orders");
      await push({ lines: [line(external_id, 5)] });
      assert.equal((await push({ lines: [line(external_id, 6)] })).status, 201);
      assert.deepEqual(pluck(await poLines(id), "quantity_ordered"), [6]);
      await receive(id, 2);
      const moved = { warehouse_id: other };
      for (const change of [{ lines: [line(external_id, 7)] }, moved])
        isRefused(await push({ ...change, notes: "x" }), 409, "lines_in_flight");
      assert.equal((await purchaseOrder(id)).notes, null);
    });

    it("learn what the same lines cost, also after receiving", async () => {
      const { external_id } = await goods();
      const { id, push } = order("purchase_orders");
      await push({ lines: [line(external_id, 5, { unit_cost: "1.10" })] });
      const [before] = await poLines(id);
      await receive(id, 2);
      await push({ lines: [line(external_id, 5, { unit_cost: "1.20" })] });
      assert.deepEqual(await poLines(id), [{ ...before, unit_cost: "1.2000" }]);
    });

    it("are as far as their lines say, unless their source closes them", async () => {
      const { external_id } = await goods();
      const { id, push } = order("purchase_orders");
      await push({ status: "RECEIVED", lines: [line(external_id, 5)] });
      const status = async () => (await purchaseOrder(id)).status;
      assert.equal(await status(), "OPEN");
      await receive(id, 2);
      await push({ status: "OPEN" });
      assert.equal(await status(), "PARTIAL");
      isRefused(await push({ status: "ARCHIVED" }), 422, "canonical_constraint_violation", /status/);
      await push({ status: "CLOSED" });
      assert.equal(await status(), "CLOSED");
      await push({ status: "OPEN" });
      assert.equal(await status(), "CLOSED");
      await push({ status: "ARCHIVED" });
      assert.equal(await status(), "ARCHIVED");
    });
  });
});
