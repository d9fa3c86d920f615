import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { newUpc } from "../support/gtins.js";
import { pluckAll } from "../support/pluck.js";
import { codeOfBin, codeOfWarehouse, openShop, orders, PATH, shopForEachTest, tillOf } from "../support/till.js";

describe("what tills read", () => {
  const at = shopForEachTest({ units: 7 });

  const ask = (query: string, till = at.shop.till) => till.get(`${PATH}/availability?${query}`);

  it("every answer says that the canonical model is a draft", async () => {
    for (const query of [`sku=${at.shop.sku}`, "sku=nothing", "sku="])
      assert.equal((await ask(query)).headers.get("x-service-canonical-model"), "DRAFT-v1");
  });

  describe("availability", () => {
    it("finds an item by its SKU and by its UPC, with what is free by warehouse and bin", async () => {
      const other = await bin(at.shop.warehouse_id, { type: "Staging" });
      await stock(at.shop.warehouse_id, other, at.shop.item_id, 3, "L1");
      await stock(at.shop.warehouse_id, other, at.shop.item_id, 2, "L2");
      await db.run("update inventory set quantity_allocated = 4 where inventory_id = $1", [at.shop.inventory_id]);
      const bins = [
        { bin_id: at.shop.bin, bin_name: at.shop.bin, qty: 3 },
        { bin_id: await codeOfBin(other), bin_name: await codeOfBin(other), qty: 5 },
      ].sort((a, b) => (a.bin_id < b.bin_id ? -1 : 1));
      const expected = {
        ...{ sku: at.shop.sku, name: `Item ${at.shop.sku}`, barcode: `UPC-${at.shop.sku}`, is_taxable: true },
        availability: [{ warehouse_id: at.shop.warehouse, warehouse_name: at.shop.warehouse, qty_available: 8, bins }],
      };
      for (const query of [`sku=${at.shop.sku}`, `barcode=UPC-${at.shop.sku}`]) {
        const { status, body } = await ask(query);
        assert.deepEqual([status, body], [200, expected]);
      }
    });

    it("finds an item by any form of its GTIN, unless several active ones have it", async () => {
      const upc = newUpc();
      await db.run("update items set upc = $2 where item_id = $1", [at.shop.item_id, `0${upc}`]);
      for (const code of [upc, `0${upc}`, `0100${upc}`])
        assert.equal((await ask(`barcode=${code}`)).body.sku, at.shop.sku, code);
      const other = await item({ upc });
      const { status, body } = await ask(`barcode=00${upc}`);
      assert.deepEqual([status, body.error_kind], [409, "ambiguous_barcode"]);
      assert.equal((await ask(`barcode=0${upc}`)).body.sku, at.shop.sku);
      assert.equal((await ask(`barcode=${upc}`)).body.sku, other.sku);
    });

    it("takes neither a SKU for a barcode nor the other way", async () => {
      assert.equal((await ask(`barcode=${at.shop.sku}`)).status, 404);
      assert.equal((await ask(`sku=UPC-${at.shop.sku}`)).status, 404);
    });

    it("leaves out bins and warehouses in which nothing is free, and what is archived", async () => {
      const closed = await bin(at.shop.warehouse_id);
      await stock(at.shop.warehouse_id, closed, at.shop.item_id, 5);
      await db.run("update bins set is_active = false where bin_id = $1", [closed]);
      await db.run("update inventory set quantity_on_hand = 0 where inventory_id = $1", [at.shop.inventory_id]);
      assert.deepEqual((await ask(`sku=${at.shop.sku}`)).body.availability, []);
    });

    it("shows the token's warehouses alone, in the order of their codes", async () => {
      const second = await warehouse();
      const third = await warehouse();
      for (const where of [second, third]) await stock(where, await bin(where), at.shop.item_id, 1);
      const { caller } = await tillOf(at.service, { warehouse_ids: [second, at.shop.warehouse_id] });
      const { body } = await ask(`sku=${at.shop.sku}`, caller);
      const shown = body.availability.map((one: { warehouse_id: string }) => one.warehouse_id);
      assert.deepEqual(shown, [at.shop.warehouse, await codeOfWarehouse(second)].sort());
    });

    it("knows an item that is nowhere, and no item that is only elsewhere, unknown or archived", async () => {
      const { sku } = await item();
      assert.deepEqual((await ask(`sku=${sku}`)).body.availability, []);
      const elsewhere = await openShop(at.service);
      const nowhere = await tillOf(at.service, { warehouse_ids: [] });
      await db.run("update items set is_active = false where item_id = $1", [at.shop.item_id]);
      for (const [query, till] of [
        [`sku=${elsewhere.sku}`, at.shop.till],
        ["sku=NO-SUCH-SKU", at.shop.till],
        ["barcode=0000", at.shop.till],
        [`sku=${at.shop.sku}`, at.shop.till],
        [`sku=${sku}`, nowhere.caller],
      ] as const) {
        const { status, body } = await ask(query, till);
        assert.deepEqual(
          [status, body],
          [404, { error_kind: "item_not_found", message: "No such item for this till", details: {} }],
        );
      }
    });

    it("refuses both, neither, and what cannot be a code", async () => {
      for (const [query, field] of [
        ["", "barcode|sku"],
        ["sku=A&barcode=B", "barcode|sku"],
        ["sku=", "sku"],
        [`sku=${"x".repeat(65)}`, "sku"],
        ["sku=a%20b", "sku"],
        ["barcode=a%2Fb", "barcode"],
        ["sku=A&sku=B", "sku"],
        ["sku=A&size=1", "size"],
      ]) {
        const { status, body } = await ask(query as string);
        assert.deepEqual([status, body.error_kind, body.details], [422, "invalid_query_param", { field }], query);
      }
    });
  });

  describe("validate-cart", () => {
    const line = (fields: object = {}) => ({
      ...{ sku: at.shop.sku, warehouse_id: at.shop.warehouse, bin_id: at.shop.bin, quantity: 1 },
      ...fields,
    });
    const validate = (lines: object[], till = at.shop.till) => till.post(`${PATH}/validate-cart`, { lines });

    it("says that a cart can be sold, and changes nothing", async () => {
      const { status, body } = await validate([line({ quantity: 3 }), line({ quantity: 4 })]);
      assert.deepEqual([status, body], [200, { valid: true }]);
      assert.equal(await orders(), 0);
    });

    it("names each line that cannot, with the first reason", async () => {
      const archived = await item();
      await db.run("update items set is_active = false where item_id = $1", [archived.item_id]);
      const elsewhere = await openShop(at.service);
      const closed = await warehouse();
      await db.run("update warehouses set is_active = false where warehouse_id = $1", [closed]);
      const lines = [
        line({ sku: "NO-SUCH-SKU", warehouse_id: "NO-SUCH" }),
        line({ sku: archived.sku, warehouse_id: "NO-SUCH" }),
        line({ warehouse_id: "NO-SUCH" }),
        line({ warehouse_id: await codeOfWarehouse(closed) }),
        line({ warehouse_id: elsewhere.warehouse, bin_id: "NO-SUCH" }),
        line({ bin_id: elsewhere.bin }),
        line({ quantity: 8 }),
        line(),
      ];
      const reasons = [
        ...["sku_not_found", "item_inactive", "warehouse_not_found", "warehouse_not_found", "warehouse_not_in_scope"],
        ...["bin_not_found", "insufficient_stock", "insufficient_stock"],
      ];
      const { status, body } = await validate(lines);
      assert.equal(status, 409);
      assert.deepEqual(body, {
        valid: false,
        conflicts: lines.map(({ quantity, ...sent }, line_index) => ({
          ...{ line_index, ...sent, requested_qty: quantity, reason: reasons[line_index] },
          ...(line_index === 6 && { available_qty: 7 }),
          ...(line_index === 7 && { available_qty: 0 }),
        })),
      });
    });

    it("sums the lines of one bin: each may have what those before it leave", async () => {
      await db.run("update inventory set quantity_allocated = 2 where inventory_id = $1", [at.shop.inventory_id]);
      const { body } = await validate([line({ quantity: 3 }), line({ quantity: 3 })]);
      assert.deepEqual(pluckAll(body.conflicts, "line_index", "available_qty"), [[1, 2]]);
    });

    it("refuses what is no cart", async () => {
      for (const [body, field, reason] of [
        [{}, "lines", "missing"],
        [{ lines: [] }, "lines", "too_short"],
        [{ lines: Array(201).fill(line()) }, "lines", "too_long"],
        [{ lines: [line({ quantity: 0 })] }, "lines.0.quantity", "greater_than_equal"],
        [{ lines: [line({ quantity: 10_001 })] }, "lines.0.quantity", "less_than_equal"],
        [{ lines: [line({ quantity: 1.5 })] }, "lines.0.quantity", "int_type"],
        [{ lines: [line({ sku: "" })] }, "lines.0.sku", "string_too_short"],
        [{ lines: [line({ sku: "x".repeat(51) })] }, "lines.0.sku", "string_too_long"],
        [{ lines: [line({ warehouse_id: "x".repeat(21) })] }, "lines.0.warehouse_id", "string_too_long"],
        [{ lines: [line({ bin_id: "x".repeat(51) })] }, "lines.0.bin_id", "string_too_long"],
        [{ lines: [line({ price: 1 })] }, "lines.0.price", "extra_forbidden"],
        [{ lines: [line()], note: "" }, "note", "extra_forbidden"],
      ] as const) {
        const { status, body: answer } = await at.shop.till.post(`${PATH}/validate-cart`, body);
        assert.deepEqual([status, answer.error_kind, answer.details], [422, "invalid_body", { field, reason }]);
      }
    });
  });

  describe("an order", () => {
    const read = (number: string, till = at.shop.till) =>
      till.get(`${PATH}/sales-orders/${encodeURIComponent(number)}`);

    it("is shown with its lines, whatever made it", async () => {
      const { so_id, so_number } = await salesOrder(at.shop.warehouse_id, [{ item_id: at.shop.item_id, quantity: 2 }]);
      const { status, body } = await read(so_number);
      assert.equal(status, 200);
      const { external_id, lines, ...order } = body;
      assert.match(external_id, /^[0-9a-f-]{36}$/);
      assert.deepEqual(order, {
        ...{ so_id: so_number, so_number, order_type: "sale", status: "OPEN", order_source: "web" },
        customer_name: "Customer",
        customer_phone: null,
        shipping_address: null,
        warehouse_code: at.shop.warehouse,
      });
      const [{ so_line_id, ...line }] = lines;
      assert.ok(Number.isInteger(so_line_id));
      assert.deepEqual(line, {
        ...{ item_id: at.shop.item_id, sku: at.shop.sku, item_name: `Item ${at.shop.sku}` },
        ...{ quantity_ordered: 2, quantity_shipped: 0, line_number: 1 },
      });
      const parts = { name: "Ada", line1: "1 Way", line2: null, city: "London", state: null };
      const address = { ...parts, postal_code: "N1", country: "GB", phone: null };
      await db.run(
        `update sales_orders set shipping_address_name = 'Ada', shipping_address_line1 = '1 Way',
           shipping_address_city = 'London', shipping_address_postal_code = 'N1', shipping_address_country = 'GB'
         where so_id = $1`,
        [so_id],
      );
      assert.deepEqual((await read(so_number)).body.shipping_address, address);
      await db.run("update sales_orders set shipping_address_line1 = '' where so_id = $1", [so_id]);
      assert.equal((await read(so_number)).body.shipping_address, null);
    });

    it("of another warehouse is as unknown as one that does not exist", async () => {
      const elsewhere = await openShop(at.service);
      const { so_number } = await salesOrder(elsewhere.warehouse_id, [{ item_id: at.shop.item_id, quantity: 2 }]);
      for (const number of [so_number, "NO-SUCH"]) {
        const { status, body } = await read(number);
        assert.deepEqual([status, body.error_kind], [404, "order_not_found"]);
      }
    });

    it("has a number of at most 64 characters", async () => {
      assert.equal((await read("x".repeat(64))).status, 404);
      const { status, body } = await read("x".repeat(65));
      assert.deepEqual([status, body.error_kind, body.details], [422, "invalid_so_number", { field: "so_number" }]);
    });
  });
});
