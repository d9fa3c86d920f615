import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { bin, item, stock, stockOf } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck } from "../support/pluck.js";
import {
  auditOf,
  card,
  cash,
  checkOut,
  codeOfBin,
  lineOf,
  openShop,
  orderOf,
  orders,
  saleOf,
  shopForEachTest,
  tillOf,
} from "../support/till.js";

describe("a counter sale", () => {
  const at = shopForEachTest();
  afterEach(() => assertInvariants());

  it("is a shipped order, takes its units from the shelf, and says nothing to other systems", async () => {
    const sale = saleOf(at.shop, {
      lines: [lineOf(at.shop, 3), lineOf(at.shop, 2)],
      ...{ external_txn_ref: "txn-1", customer_name: "Ada", customer_phone: "1", customer_email: "a@b.c" },
      ...{ order_origin: "store", memo: "  ", ship_method: "UPS", ship_address: "here" },
      shipping_address: { line1: "1 Way" },
      completed_at: "2026-05-06T14:00:00+02:00",
      payment_summary: {
        ...{ total_cents: 999_999_999_999, shipping_cents: 5 },
        tenders: [{ type: "cash", amount_cents: 999_999_999_999, amount_tendered_cents: 0, change_cents: 0 }],
      },
    });
    const { status, body } = await checkOut(at.shop.till, sale);
    assert.equal(status, 200);
    const order = await orderOf(body.so_number);
    assert.deepEqual(body, { so_id: `POS-${order.so_id}`, so_number: `POS-${order.so_id}`, replayed: false });
    const { lines, ...header } = order;
    const expected = {
      ...{ status: "SHIPPED", order_type: "sale", order_source: "pos", order_origin: "store", parent_so_id: null },
      ...{ warehouse_id: at.shop.warehouse_id, so_barcode: order.so_number, created_by: "cashier-7" },
      ...{ customer_name: "Ada", customer_phone: "1", customer_email: "a@b.c", memo: null, external_txn_ref: "txn-1" },
      ...{ ship_method: null, ship_address: null, shipping_address_line1: null, tracking_number: null },
      ...{ order_total: "9999999999.99", customer_shipping_paid: "0.05", shipped_at: "2026-05-06T12:00:00+00:00" },
    };
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, header[name]])), expected);
    for (const [i, quantity] of [3, 2].entries()) {
      const { so_line_id, so_id, ...line } = lines[i];
      assert.deepEqual(line, {
        item_id: at.shop.item_id,
        quantity_ordered: quantity,
        quantity_allocated: quantity,
        quantity_picked: quantity,
        ...{ quantity_packed: quantity, quantity_shipped: quantity, quantity_received: 0, line_number: i + 1 },
        ...{ status: "SHIPPED", original_so_line_id: null, properties: [] },
      });
    }
    assert.deepEqual(await stockOf(at.shop.inventory_id), { on_hand: 5, allocated: 0 });
    assert.deepEqual(await db.rows("select from integration_events where entity_id = $1", [order.so_id]), []);
  });

  it("leaves the audit row that refunds read, by its cashier, with brand and last digits alone of a card", async () => {
    const sale = saleOf(at.shop, {
      lines: [lineOf(at.shop, 2, { fulfillment_note: "gift" })],
      external_txn_ref: "txn-2",
      payment_summary: {
        ...{ method: "split", total_cents: 2405, shipping_cents: 5 },
        tenders: [card(1400), { ...cash(1005), external_ref: null }],
      },
    });
    const { body } = await checkOut(at.shop.till, sale);
    const { so_id, so_number } = await orderOf(body.so_number);
    const { user_id, warehouse_id, details } = await auditOf(so_id);
    assert.deepEqual([user_id, warehouse_id], ["cashier-7", at.shop.warehouse_id]);
    assert.deepEqual(details, {
      ...{ idempotency_key: sale.idempotency_key, external_txn_ref: "txn-2", terminal_id: "till-2", so_number },
      ...{ token: `system:wms_token:${at.shop.token_id}`, order_type: "sale", completed_at: "2026-05-06T12:00:00Z" },
      ...{ subtotal_cents: 1000, tax_cents: 200, shipping_cents: 5, total_cents: 2405, payment_method: "split" },
      tenders: [
        { type: "card", amount_cents: 1400, card_brand: "visa", card_last4: "4242" },
        { type: "cash", amount_cents: 1005, amount_tendered_cents: 1105, change_cents: 100 },
      ],
      ...{ header_warehouse: at.shop.warehouse, is_phone_order: false, backorder: false },
      lines: [
        {
          ...lineOf(at.shop, 2, { fulfillment_note: "gift" }),
          item_id: at.shop.item_id,
          lots: [{ lot_number: null, expiry_date: null, bin_id: at.shop.bin_id, quantity: 2 }],
        },
      ],
    });
  });

  it("takes lots that expire first, then the oldest, and never what is reserved", async () => {
    const lots = [];
    for (const [lot, expires] of [
      ["late", "2030-01-01"],
      ["soon", "2029-01-01"],
      ["soon too", "2029-01-01"],
    ]) {
      const id = await stock(at.shop.warehouse_id, at.shop.bin_id, at.shop.item_id, 2, lot);
      await db.run("update inventory set expiry_date = $2 where inventory_id = $1", [id, expires]);
      lots.push(id);
    }
    const { sku } = at.shop;
    const phone = saleOf(at.shop, { is_phone_order: true, lines: [lineOf(at.shop, 1)] });
    assert.equal((await checkOut(at.shop.till, phone)).status, 200);
    const { status, body } = await checkOut(at.shop.till, saleOf({ ...at.shop, sku }, { lines: [lineOf(at.shop, 6)] }));
    assert.equal(status, 200);
    const left = await Promise.all([...lots, at.shop.inventory_id].map(stockOf));
    assert.deepEqual(pluck(left, "on_hand"), [0, 1, 0, 9]);
    assert.deepEqual(left[1], { on_hand: 1, allocated: 1 });
    const { so_id } = await orderOf(body.so_number);
    assert.deepEqual((await auditOf(so_id)).details.lines[0].lots, [
      { lot_number: "soon", expiry_date: "2029-01-01", bin_id: at.shop.bin_id, quantity: 1 },
      { lot_number: "soon too", expiry_date: "2029-01-01", bin_id: at.shop.bin_id, quantity: 2 },
      { lot_number: "late", expiry_date: "2030-01-01", bin_id: at.shop.bin_id, quantity: 2 },
      { lot_number: null, expiry_date: null, bin_id: at.shop.bin_id, quantity: 1 },
    ]);
  });

  it("may be of several warehouses of the token, and of a staging bin; the first line's is the order's", async () => {
    const other = await openShop(at.service);
    const dock = await bin(at.shop.warehouse_id, { type: "Staging" });
    const onDock = await stock(at.shop.warehouse_id, dock, at.shop.item_id, 1);
    const { caller } = await tillOf(at.service, { warehouse_ids: [at.shop.warehouse_id, other.warehouse_id] });
    const lines = [lineOf(other), lineOf(at.shop), lineOf({ ...at.shop, bin: await codeOfBin(dock) })];
    const { body } = await checkOut(caller, saleOf(at.shop, { lines }));
    const order = await orderOf(body.so_number);
    assert.equal(order.warehouse_id, other.warehouse_id);
    assert.deepEqual((await stockOf(onDock)).on_hand, 0);
    assert.deepEqual((await stockOf(other.inventory_id)).on_hand, 9);
  });

  it("gets another number where an older system's order has it already", async () => {
    const { body } = await checkOut(at.shop.till, saleOf(at.shop));
    const next = Number(body.so_number.slice(4)) + 1;
    const reference = { so_number: `POS-${next + 1}`, lines: [{ sku: at.shop.sku, quantity: 1 }] };
    assert.equal((await at.shop.till.post("/api/v1/pos/reference-orders", reference)).status, 201);
    const { status, body: second } = await checkOut(at.shop.till, saleOf(at.shop));
    assert.deepEqual([status, second.so_number], [200, `POS-${next + 2}`]);
  });

  describe("is refused, and changes nothing,", () => {
    const refused = async (fields: object, expected: object, till = at.shop.till) => {
      const before = await orders();
      const sale = saleOf(at.shop, fields);
      const { status, body } = await checkOut(till, sale);
      const { message, ...rest } = body;
      assert.ok(message);
      assert.deepEqual({ status, ...rest }, expected);
      assert.equal(await orders(), before);
      assert.deepEqual(await stockOf(at.shop.inventory_id), { on_hand: 10, allocated: 0 });
      const logged = await db.rows("select from command_log where command_id = $1", [`pos:${sale.idempotency_key}`]);
      assert.deepEqual(logged, []);
    };

    it("when a line's units are not there, those of one bin summed", async () => {
      const place = { failed_line_index: 1, sku: at.shop.sku, warehouse_id: at.shop.warehouse, bin_id: at.shop.bin };
      const details = { ...place, available_qty: 4 };
      await refused(
        { lines: [lineOf(at.shop, 6), lineOf(at.shop, 5)] },
        { status: 422, error_kind: "fulfillment_failed", details },
      );
    });

    it("when its SKU or its bin is unknown or archived", async () => {
      const archived = await item();
      await db.run("update items set is_active = false where item_id = $1", [archived.item_id]);
      await stock(at.shop.warehouse_id, at.shop.bin_id, archived.item_id, 5);
      const closed = await bin(at.shop.warehouse_id);
      await stock(at.shop.warehouse_id, closed, at.shop.item_id, 5);
      await db.run("update bins set is_active = false where bin_id = $1", [closed]);
      for (const wrong of [
        { sku: "NO-SUCH" },
        { sku: archived.sku },
        { bin_id: "NO-SUCH" },
        { bin_id: await codeOfBin(closed) },
      ]) {
        const place = { sku: at.shop.sku, warehouse_id: at.shop.warehouse, bin_id: at.shop.bin, ...wrong };
        const details = { failed_line_index: 0, ...place };
        await refused(
          { lines: [lineOf(at.shop, 1, wrong)] },
          { status: 422, error_kind: "fulfillment_failed", details },
        );
      }
    });

    it("when a warehouse is unknown or not the token's", async () => {
      const elsewhere = await openShop(at.service);
      for (const warehouse_id of ["NO-SUCH", elsewhere.warehouse]) {
        const error = "warehouse_not_in_scope";
        await refused(
          { lines: [lineOf(at.shop), lineOf(at.shop, 1, { warehouse_id })] },
          { status: 403, error, error_kind: error, details: { line_index: 1, warehouse_id } },
        );
      }
      const { caller } = await tillOf(at.service, { warehouse_ids: [] });
      const error = "warehouse_not_in_scope";
      const details = { line_index: 0, warehouse_id: at.shop.warehouse };
      await refused({}, { status: 403, error, error_kind: error, details }, caller);
    });

    it("when a replacement or an exchange names no order, or none that it may see", async () => {
      const elsewhere = await openShop(at.service);
      const { body } = await checkOut(elsewhere.till, saleOf(elsewhere));
      for (const order_type of ["replacement", "exchange"]) {
        for (const parent_so_number of [undefined, null, ""])
          await refused(
            { order_type, parent_so_number },
            { status: 422, error_kind: "parent_so_required", details: { field: "parent_so_number" } },
          );
        for (const parent_so_number of ["NO-SUCH", body.so_number])
          await refused(
            { order_type, parent_so_number },
            { status: 404, error_kind: "parent_so_not_found", details: {} },
          );
      }
    });

    it("with the first field that is wrong", async () => {
      const line = (fields: object) => ({ lines: [lineOf(at.shop, 1, fields)] });
      const paid = (payment_summary: object) => ({ payment_summary });
      const tender = (fields: object) => paid({ tenders: [{ ...card(1200), ...fields }] });
      const coins = (fields: object) => paid({ tenders: [{ ...cash(1200), ...fields }] });
      const long = (length: number) => "x".repeat(length);
      const wrong: [object, string, string][] = [
        [{ idempotency_key: undefined }, "idempotency_key", "missing"],
        [{ idempotency_key: "1" }, "idempotency_key", "string_pattern_mismatch"],
        [{ idempotency_key: "5a1d0e3c-9a57-1c8e-8f0e-2b9b1c7d4e11" }, "idempotency_key", "string_pattern_mismatch"],
        [{ external_txn_ref: long(129) }, "external_txn_ref", "string_too_long"],
        [{ cashier_id: undefined }, "cashier_id", "missing"],
        [{ cashier_id: " " }, "cashier_id", "string_too_short"],
        [{ cashier_id: long(101) }, "cashier_id", "string_too_long"],
        [{ terminal_id: "" }, "terminal_id", "string_too_short"],
        [{ terminal_id: long(101) }, "terminal_id", "string_too_long"],
        [{ completed_at: undefined }, "completed_at", "missing"],
        [{ completed_at: "yesterday" }, "completed_at", "string_pattern_mismatch"],
        [paid({ method: "cheque" }), "payment_summary.method", "enum"],
        [paid({ subtotal_cents: -1 }), "payment_summary.subtotal_cents", "greater_than_equal"],
        [paid({ tax_cents: 0.5 }), "payment_summary.tax_cents", "int_type"],
        [paid({ total_cents: 1_000_000_000_000 }), "payment_summary.total_cents", "less_than_equal"],
        [paid({ shipping_cents: -1 }), "payment_summary.shipping_cents", "greater_than_equal"],
        [paid({ discount_cents: 1 }), "payment_summary.discount_cents", "extra_forbidden"],
        [paid({ tenders: [] }), "payment_summary.tenders", "too_short"],
        [paid({ tenders: Array(9).fill(cash(1)) }), "payment_summary.tenders", "too_long"],
        [tender({ type: "cheque" }), "payment_summary.tenders.0.type", "value_error"],
        [tender({ card_brand: "" }), "payment_summary.tenders.0.card_brand", "string_too_short"],
        [tender({ card_brand: long(51) }), "payment_summary.tenders.0.card_brand", "string_too_long"],
        [tender({ card_last4: "123" }), "payment_summary.tenders.0.card_last4", "string_pattern_mismatch"],
        [tender({ card_last4: "12a4" }), "payment_summary.tenders.0.card_last4", "string_pattern_mismatch"],
        [tender({ auth_code: undefined }), "payment_summary.tenders.0.auth_code", "missing"],
        [tender({ auth_code: long(51) }), "payment_summary.tenders.0.auth_code", "string_too_long"],
        [tender({ external_ref: null }), "payment_summary.tenders.0.external_ref", "string_type"],
        [tender({ external_ref: long(129) }), "payment_summary.tenders.0.external_ref", "string_too_long"],
        [tender({ cvv: "123" }), "payment_summary.tenders.0.cvv", "extra_forbidden"],
        [tender({ change_cents: 1 }), "payment_summary.tenders.0.change_cents", "extra_forbidden"],
        [coins({ external_ref: "ch_1" }), "payment_summary.tenders.0.external_ref", "value_error"],
        [coins({ change_cents: undefined }), "payment_summary.tenders.0.change_cents", "missing"],
        [coins({ amount_tendered_cents: -1 }), "payment_summary.tenders.0.amount_tendered_cents", "greater_than_equal"],
        [coins({ card_last4: "4242" }), "payment_summary.tenders.0.card_last4", "extra_forbidden"],
        [{ lines: [] }, "lines", "too_short"],
        [{ lines: Array(201).fill(lineOf(at.shop)) }, "lines", "too_long"],
        [line({ sku: "" }), "lines.0.sku", "string_too_short"],
        [line({ sku: long(51) }), "lines.0.sku", "string_too_long"],
        [line({ warehouse_id: "" }), "lines.0.warehouse_id", "value_error"],
        [line({ warehouse_id: long(21) }), "lines.0.warehouse_id", "string_too_long"],
        [line({ bin_id: null }), "lines.0.bin_id", "value_error"],
        [line({ bin_id: long(51) }), "lines.0.bin_id", "string_too_long"],
        [line({ quantity: 0 }), "lines.0.quantity", "greater_than_equal"],
        [line({ quantity: 10_001 }), "lines.0.quantity", "less_than_equal"],
        [line({ unit_price_cents: undefined }), "lines.0.unit_price_cents", "missing"],
        [line({ tax_cents: -1 }), "lines.0.tax_cents", "greater_than_equal"],
        [line({ line_total_cents: "x" }), "lines.0.line_total_cents", "int_type"],
        [line({ fulfillment_note: long(501) }), "lines.0.fulfillment_note", "string_too_long"],
        [line({ discount: 1 }), "lines.0.discount", "extra_forbidden"],
        [{ customer_name: long(201) }, "customer_name", "string_too_long"],
        [{ customer_phone: long(51) }, "customer_phone", "string_too_long"],
        [{ customer_email: long(201) }, "customer_email", "string_too_long"],
        [{ ship_address: long(501) }, "ship_address", "string_too_long"],
        [{ order_origin: long(65) }, "order_origin", "string_too_long"],
        [{ ship_method: long(51) }, "ship_method", "string_too_long"],
        [{ memo: long(4097) }, "memo", "string_too_long"],
        ...Object.entries({ name: 200, line1: 200, line2: 200, city: 100, state: 100, postal_code: 32 }).map(
          ([part, width]): [object, string, string] => [
            { shipping_address: { [part]: long(width + 1) } },
            `shipping_address.${part}`,
            "string_too_long",
          ],
        ),
        [{ shipping_address: { country: long(65) } }, "shipping_address.country", "string_too_long"],
        [{ shipping_address: { phone: long(65) } }, "shipping_address.phone", "string_too_long"],
        [{ shipping_address: { email: "" } }, "shipping_address.email", "extra_forbidden"],
        [{ order_type: "refund" }, "order_type", "enum"],
        [{ parent_so_number: long(65) }, "parent_so_number", "string_too_long"],
        [{ returned_items: [{ sku: at.shop.sku, quantity: 1 }] }, "returned_items", "value_error"],
        [{ returned_items: [{ sku: at.shop.sku, quantity: 0 }] }, "returned_items.0.quantity", "greater_than_equal"],
        [{ backorder: "yes" }, "backorder", "bool_type"],
        [{ backorder: true, is_phone_order: true }, "backorder", "value_error"],
        [
          { is_phone_order: true, lines: [lineOf(at.shop), lineOf(at.shop, 1, { warehouse_id: "B" })] },
          "lines.1.warehouse_id",
          "value_error",
        ],
        [{ total: 1 }, "total", "extra_forbidden"],
      ];
      for (const [fields, field, reason] of wrong) {
        const { status, body } = await checkOut(at.shop.till, saleOf(at.shop, fields));
        assert.deepEqual([status, body.error_kind, body.details], [422, "invalid_body", { field, reason }], field);
      }
      assert.deepEqual(await stockOf(at.shop.inventory_id), { on_hand: 10, allocated: 0 });
    });

    it("when its body is larger than a till may send", async () => {
      const { status, body } = await checkOut(at.shop.till, saleOf(at.shop, { memo: "x".repeat(257 * 1024) }));
      assert.deepEqual([status, body.error_kind, body.details], [413, "body_too_large", { max_body_kb: 256 }]);
    });
  });
});
