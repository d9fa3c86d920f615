import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { bin, item, shippedOrder, stock, stockOf, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluckAll } from "../support/pluck.js";
import {
  auditOf,
  checkOut,
  codeOfWarehouse,
  lineOf,
  openShop,
  orderOf,
  orders,
  PATH,
  saleOf,
  shopForEachTest,
  tillOf,
} from "../support/till.js";

describe("what else a till may record", () => {
  const at = shopForEachTest();
  afterEach(() => assertInvariants());

  const eventsOf = (so_id: number) =>
    db.rows<{ event_type: string; payload: object }>(
      "select event_type, event_data(e) as payload from integration_events e where entity_id = $1",
      [so_id],
    );

  describe("a phone order", () => {
    const phone = (fields: object = {}) =>
      saleOf(at.shop, { is_phone_order: true, lines: [lineOf(at.shop, 4)], ...fields });

    it("is open, reserves its units in the bin it names, and is sent where it says", async () => {
      const fuller = await stock(at.shop.warehouse_id, await bin(at.shop.warehouse_id), at.shop.item_id, 50);
      const sale = phone({
        ...{ ship_method: "UPS", ship_address: "1 Way, London", memo: "ring twice" },
        shipping_address: { name: "Ada", line1: "1 Way", city: "London", phone: "1" },
      });
      const { status, body } = await checkOut(at.shop.till, sale);
      assert.equal(status, 200);
      const { lines, ...order } = await orderOf(body.so_number);
      const expected = {
        so_number: `POS-${order.so_id}`,
        status: "OPEN",
        order_type: "sale",
        shipped_at: null,
        memo: "ring twice",
        ...{ ship_method: "UPS", ship_address: "1 Way, London", shipping_address_name: "Ada" },
        ...{ shipping_address_line1: "1 Way", shipping_address_city: "London", shipping_address_phone: "1" },
        ...{ shipping_address_state: null, order_total: "12.00", customer_shipping_paid: "0.00" },
      };
      assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, order[name]])), expected);
      const { quantity_ordered, quantity_allocated, quantity_picked, status: line } = lines[0];
      assert.deepEqual([quantity_ordered, quantity_allocated, quantity_picked, line], [4, 4, 0, "PENDING"]);
      assert.deepEqual(await stockOf(at.shop.inventory_id), { on_hand: 10, allocated: 4 });
      assert.deepEqual(await stockOf(fuller), { on_hand: 50, allocated: 0 });
      assert.deepEqual(await eventsOf(order.so_id), []);
      const { details } = await auditOf(order.so_id);
      assert.deepEqual([details.is_phone_order, details.ship_method, details.lines[0].sku], [true, "UPS", at.shop.sku]);
    });

    it("takes no more than is free, so that reserved units are not sold over the counter", async () => {
      assert.equal((await checkOut(at.shop.till, phone())).status, 200);
      const place = { failed_line_index: 0, sku: at.shop.sku, warehouse_id: at.shop.warehouse, bin_id: at.shop.bin };
      for (const is_phone_order of [true, false]) {
        const { status, body } = await checkOut(
          at.shop.till,
          saleOf(at.shop, { is_phone_order, lines: [lineOf(at.shop, 7)] }),
        );
        assert.deepEqual([status, body.details], [422, { ...place, available_qty: 6 }]);
      }
      assert.deepEqual(await stockOf(at.shop.inventory_id), { on_hand: 10, allocated: 4 });
    });

    it("is cancelled like any order, which frees its units", async () => {
      const { body } = await checkOut(at.shop.till, phone());
      const { so_id } = await orderOf(body.so_number);
      await at.service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/cancel`);
      assert.deepEqual(await stockOf(at.shop.inventory_id), { on_hand: 10, allocated: 0 });
    });
  });

  describe("a backorder", () => {
    const line = (fields: object = {}) => lineOf(at.shop, 20, { warehouse_id: "", bin_id: null, ...fields });
    const waiting = (fields: object = {}) => saleOf(at.shop, { backorder: true, lines: [line()], ...fields });
    const setting = (code: string) =>
      at.service.admin.ok("PUT", "/api/admin/settings", { settings: { BACKORDER_WAREHOUSE_CODE: code } });
    afterEach(() => db.run("delete from app_settings where key = 'BACKORDER_WAREHOUSE_CODE'"));

    it("waits for stock in the warehouse of the setting; nothing is reserved, and others are told", async () => {
      await setting(at.shop.warehouse);
      const { sku, warehouse_id: _w, bin_id: _b, ...without } = line();
      const other = await item();
      const lines = [line(), { ...without, sku: other.sku, quantity: 2 }];
      const { status, body } = await checkOut(at.shop.till, waiting({ customer_name: "Ada", lines }));
      assert.equal(status, 200);
      const order = await orderOf(body.so_number);
      const { so_id, so_number, external_id, warehouse_id } = order;
      assert.deepEqual(
        [so_number, order.status, order.order_type, warehouse_id, order.shipped_at, order.parent_so_id],
        [`POS-${so_id}`, "WAITING_STOCK", "sale", at.shop.warehouse_id, null, null],
      );
      assert.ok(order.backorder_opened_at);
      for (const { status, quantity_allocated } of order.lines)
        assert.deepEqual([status, quantity_allocated], ["PENDING", 0]);
      assert.deepEqual(await stockOf(at.shop.inventory_id), { on_hand: 10, allocated: 0 });
      const [event, ...others] = await eventsOf(so_id);
      assert.deepEqual(others, []);
      const items = await db.rows<{ sku: string; external_id: string; item_name: string }>(
        "select sku, external_id, item_name from items where sku = any($1)",
        [[sku, other.sku]],
      );
      const wanted = (of: string, qty: number) => {
        const known = items.find((one) => one.sku === of);
        return { item_external_id: known?.external_id, sku: of, item_name: known?.item_name, qty };
      };
      assert.equal(event?.event_type, "backorder.opened");
      const { opened_at, ...payload } = event.payload as { opened_at: string };
      assert.equal(new Date(opened_at).getTime(), new Date(order.backorder_opened_at).getTime());
      assert.deepEqual(payload, {
        ...{ backorder_so_external_id: external_id, backorder_so_number: so_number, warehouse_id },
        ...{ parent_so_external_id: null, parent_so_number: null, customer_name: "Ada" },
        items: [wanted(sku, 20), wanted(other.sku, 2)],
        opened_by_user_external_id: "cashier-7",
      });
      const { details } = await auditOf(so_id);
      assert.deepEqual([details.backorder, details.header_warehouse], [true, at.shop.warehouse]);
    });

    it("names a cashier who is a user by the user's external id", async () => {
      await setting(at.shop.warehouse);
      const { username, userId } = await at.service.user();
      const { body } = await checkOut(at.shop.till, waiting({ cashier_id: username }));
      const [event] = await eventsOf((await orderOf(body.so_number)).so_id);
      const user = await db.row<{ external_id: string }>("select external_id from users where user_id = $1", [userId]);
      const payload = event?.payload as { opened_by_user_external_id: string } | undefined;
      assert.equal(payload?.opened_by_user_external_id, user?.external_id);
    });

    it("is opened by stock that covers it", async () => {
      await setting(at.shop.warehouse);
      const { body } = await checkOut(at.shop.till, waiting());
      const arrived = { item_id: at.shop.item_id, bin_id: at.shop.bin_id, warehouse_id: at.shop.warehouse_id };
      await at.service.admin.ok("POST", "/api/admin/adjustments/direct", {
        ...arrived,
        ...{ adjustment_type: "ADD", quantity: 10, reason: "found" },
      });
      assert.equal((await orderOf(body.so_number)).status, "OPEN");
    });

    it("needs a warehouse: set, active and the token's; the only one where none is set", async () => {
      const refused = async (till = at.shop.till) => {
        const before = await orders();
        const { status, body } = await checkOut(till, waiting());
        assert.deepEqual([status, body.error_kind, body.details], [422, "backorder_warehouse_unavailable", {}]);
        assert.equal(await orders(), before);
      };
      await warehouse();
      await refused();
      await setting("");
      await refused();
      const elsewhere = await openShop(at.service);
      await setting(elsewhere.warehouse);
      await refused();
      const closed = await warehouse();
      const { caller } = await tillOf(at.service, { warehouse_ids: [closed, at.shop.warehouse_id] });
      await setting(await codeOfWarehouse(closed));
      await db.run("update warehouses set is_active = false where warehouse_id = $1", [closed]);
      await refused(caller);
      await db.run("delete from app_settings where key = 'BACKORDER_WAREHOUSE_CODE'");
      await db.run("update warehouses set is_active = warehouse_id = $1", [at.shop.warehouse_id]);
      assert.equal((await checkOut(caller, waiting())).status, 200);
      await db.run("update warehouses set is_active = true");
    });

    it("is of items that exist", async () => {
      await setting(at.shop.warehouse);
      const { status, body } = await checkOut(at.shop.till, waiting({ lines: [line(), line({ sku: "NO-SUCH" })] }));
      const details = { failed_line_index: 1, sku: "NO-SUCH", warehouse_id: "", bin_id: "" };
      assert.deepEqual([status, body.error_kind, body.details], [422, "fulfillment_failed", details]);
    });
  });

  describe("a replacement or an exchange", () => {
    const of = (parent_so_number: string, order_type: string, fields: object = {}) =>
      saleOf(at.shop, { order_type, parent_so_number, ...fields });

    it("is a child of its order, counted by kind, over the counter or by phone", async () => {
      const { body } = await checkOut(at.shop.till, saleOf(at.shop));
      const parent = await orderOf(body.so_number);
      for (const [order_type, is_phone_order, suffix] of [
        ["replacement", false, "REPLACEMENT"],
        ["replacement", true, "REPLACEMENT-2"],
        ["exchange", false, "EXCHANGE"],
        ["replacement", false, "REPLACEMENT-3"],
      ] as const) {
        const { body: child } = await checkOut(at.shop.till, of(parent.so_number, order_type, { is_phone_order }));
        assert.deepEqual(child, {
          ...{ so_id: `${parent.so_number}-${suffix}`, so_number: `${parent.so_number}-${suffix}`, replayed: false },
        });
        const order = await orderOf(child.so_number);
        assert.deepEqual(
          [order.order_type, order.parent_so_id, order.status, order.order_source],
          [order_type, parent.so_id, is_phone_order ? "OPEN" : "SHIPPED", "pos"],
        );
        assert.equal((await auditOf(order.so_id)).details.parent_so_number, parent.so_number);
      }
    });

    it("may be of an order that no till made, but of no return", async () => {
      const { so_number } = await shippedOrder(at.shop.warehouse_id, [{ item_id: at.shop.item_id, quantity: 1 }]);
      const returned_items = [{ sku: at.shop.sku, quantity: 1 }];
      assert.equal((await checkOut(at.shop.till, of(so_number, "exchange", { returned_items }))).status, 200);
      const { status, body } = await checkOut(at.shop.till, of(`${so_number}-RMA`, "replacement"));
      assert.deepEqual([status, body.error_kind], [404, "parent_so_not_found"]);
    });

    it("has a return for what comes back, made with it", async () => {
      const other = await item();
      await stock(at.shop.warehouse_id, at.shop.bin_id, other.item_id, 5);
      const lines = [
        lineOf(at.shop, 3),
        lineOf({ ...at.shop, sku: other.sku }, 2),
        lineOf({ ...at.shop, sku: other.sku }, 2),
      ];
      const { body } = await checkOut(at.shop.till, saleOf(at.shop, { lines }));
      const parent = await orderOf(body.so_number);
      const returned_items = [
        { sku: at.shop.sku, quantity: 1 },
        { sku: other.sku, quantity: 3 },
        { sku: at.shop.sku, quantity: 1 },
      ];
      const { body: made } = await checkOut(at.shop.till, of(parent.so_number, "exchange", { returned_items }));
      const rma = await orderOf(`${parent.so_number}-RMA`);
      assert.deepEqual(
        [rma.order_type, rma.status, rma.parent_so_id, rma.warehouse_id, rma.created_by, rma.order_source],
        ["return", "OPEN", parent.so_id, at.shop.warehouse_id, "cashier-7", "pos"],
      );
      assert.deepEqual(
        rma.lines.map((line: { item_id: number; quantity_ordered: number; original_so_line_id: number | null }) => [
          ...[line.item_id, line.quantity_ordered, line.original_so_line_id],
        ]),
        [
          [at.shop.item_id, 2, parent.lines[0].so_line_id],
          [other.item_id, 3, null],
        ],
      );
      assert.equal((await auditOf(rma.so_id, "CREATE")).user_id, "cashier-7");
      const exchange = await orderOf(made.so_number);
      assert.equal((await auditOf(exchange.so_id)).details.rma_so_number, rma.so_number);
      assert.equal((await stockOf(at.shop.inventory_id)).on_hand, 6);
    });

    it("takes back no more than was shipped and is not on its way back already", async () => {
      const { body } = await checkOut(at.shop.till, saleOf(at.shop, { lines: [lineOf(at.shop, 3)] }));
      const { so_number } = body;
      const other = await item();
      const refused = async (sku: string, quantity: number, error_kind: string, details: object) => {
        const before = await orders();
        const answer = await checkOut(at.shop.till, of(so_number, "exchange", { returned_items: [{ sku, quantity }] }));
        assert.deepEqual([answer.status, answer.body.error_kind, answer.body.details], [422, error_kind, details]);
        assert.equal(await orders(), before);
      };
      await refused("NO-SUCH", 1, "returned_item_unknown_sku", { sku: "NO-SUCH" });
      const on = { sku: other.sku, parent_so_number: so_number };
      await refused(other.sku, 1, "returned_item_not_on_parent", on);
      const first = of(so_number, "exchange", { returned_items: [{ sku: at.shop.sku, quantity: 2 }] });
      assert.equal((await checkOut(at.shop.till, first)).status, 200);
      const asked = { sku: at.shop.sku, shipped: 3, remaining: 1, requested: 2 };
      await refused(at.shop.sku, 2, "returned_quantity_exceeds_remaining", asked);
      const last = of(so_number, "exchange", { returned_items: [{ sku: at.shop.sku, quantity: 1 }] });
      assert.equal((await checkOut(at.shop.till, last)).status, 200);
      assert.equal((await orderOf(`${so_number}-RMA-2`)).status, "OPEN");
    });

    it("takes nothing back of an order that has not been shipped", async () => {
      const { body } = await checkOut(at.shop.till, saleOf(at.shop, { is_phone_order: true }));
      const returned_items = [{ sku: at.shop.sku, quantity: 1 }];
      const answer = await checkOut(at.shop.till, of(body.so_number, "exchange", { returned_items }));
      const details = { sku: at.shop.sku, shipped: 0, remaining: 0, requested: 1 };
      assert.deepEqual([answer.status, answer.body.details], [422, details]);
    });
  });

  describe("a sale of another system", () => {
    const refer = (body: object, till = at.shop.till) => till.post(`${PATH}/reference-orders`, body);
    const old = (fields: object = {}) => ({
      ...{ so_number: `OLD-${at.shop.sku}`, lines: [{ sku: at.shop.sku, quantity: 2 }] },
      ...fields,
    });

    it("is stored as shipped, without stock and without event", async () => {
      const lines = [
        { sku: "GONE", quantity: 1 },
        { sku: at.shop.sku, quantity: 2 },
        { sku: at.shop.sku, quantity: 3 },
      ];
      const { status, body } = await refer(old({ customer_name: "Ada", lines: [...lines, lines[0]] }));
      const so_number = `OLD-${at.shop.sku}`;
      assert.deepEqual([status, body], [201, { so_id: so_number, so_number, created: true, skipped_skus: ["GONE"] }]);
      const order = await orderOf(so_number);
      const { order_source, order_origin, warehouse_id, customer_name, order_type } = order;
      assert.deepEqual(
        [order.status, order_type, order_source, order_origin, warehouse_id, customer_name],
        ["SHIPPED", "sale", "reference", "Reference", at.shop.warehouse_id, "Ada"],
      );
      assert.deepEqual(pluckAll(order.lines, "quantity_shipped", "status"), [
        [2, "SHIPPED"],
        [3, "SHIPPED"],
      ]);
      assert.deepEqual(await stockOf(at.shop.inventory_id), { on_hand: 10, allocated: 0 });
      assert.deepEqual(await eventsOf(order.so_id), []);
      const { user_id, details } = await auditOf(order.so_id, "POS_REFERENCE_INGEST");
      assert.deepEqual([user_id, details.skipped_skus], [`system:wms_token:${at.shop.token_id}`, ["GONE"]]);
    });

    it("is stored once, also when several tills send it at once", async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => refer(old())));
      assert.deepEqual(answers.map(({ status, body }) => [status, body.created]).sort(), [
        ...Array(7).fill([200, false]),
        [201, true],
      ]);
      const again = await refer(old({ lines: [{ sku: "OTHER", quantity: 1 }] }));
      const so_number = `OLD-${at.shop.sku}`;
      assert.deepEqual([again.status, again.body], [200, { so_id: so_number, so_number, created: false }]);
    });

    it("goes to the token's first warehouse, and its number may be of no other", async () => {
      const other = await openShop(at.service);
      const { caller } = await tillOf(at.service, { warehouse_ids: [other.warehouse_id, at.shop.warehouse_id] });
      assert.equal((await refer(old(), caller)).status, 201);
      assert.equal((await orderOf(`OLD-${at.shop.sku}`)).warehouse_id, other.warehouse_id);
      const { status, body } = await refer(old());
      assert.deepEqual([status, body.error_kind, body.details], [409, "reference_ingest_conflict", {}]);
    });

    it("needs a warehouse", async () => {
      const { caller } = await tillOf(at.service, { warehouse_ids: [] });
      const { status, body } = await refer(old(), caller);
      assert.deepEqual([status, body.error_kind], [403, "no_warehouse_scope"]);
    });

    it("is refused with the first field that is wrong", async () => {
      for (const [fields, field, reason] of [
        [{ so_number: undefined }, "so_number", "missing"],
        [{ so_number: " " }, "so_number", "string_too_short"],
        [{ so_number: "x".repeat(129) }, "so_number", "string_too_long"],
        [{ customer_name: "x".repeat(201) }, "customer_name", "string_too_long"],
        [{ lines: [] }, "lines", "too_short"],
        [{ lines: Array(201).fill({ sku: "A", quantity: 1 }) }, "lines", "too_long"],
        [{ lines: [{ sku: "", quantity: 1 }] }, "lines.0.sku", "string_too_short"],
        [{ lines: [{ sku: "A", quantity: 0 }] }, "lines.0.quantity", "greater_than_equal"],
        [{ lines: [{ sku: "A", quantity: 1, bin_id: "B" }] }, "lines.0.bin_id", "extra_forbidden"],
        [{ total: 1 }, "total", "extra_forbidden"],
      ] as const) {
        const { status, body } = await refer(old(fields));
        assert.deepEqual([status, body.error_kind, body.details], [422, "invalid_body", { field, reason }]);
      }
    });
  });
});
