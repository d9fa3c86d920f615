import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import type { TestService } from "../support/service.js";
import { openTwoWarehouses } from "../support/two-warehouses.js";

describe("import of orders", () => {
  let service: TestService;
  let importer: Caller;
  let warehouse_id: number;
  let elsewhere: number;
  let mug: Awaited<ReturnType<typeof fixtures.item>>;
  let bowl: Awaited<ReturnType<typeof fixtures.item>>;
  before(async () => {
    ({ service, user: importer, warehouse_id, elsewhere } = await openTwoWarehouses(["imports"]));
    [mug, bowl] = await Promise.all([fixtures.item(), fixtures.item()]);
  });
  after(() => service.close());

  const send = (type: string, records: object[], fields: object = { warehouse_id }, caller = importer) =>
    caller.ok("POST", `/api/admin/import/${type}`, { records, ...fields });
  const poOf = async (number: string) => {
    const po = await db.row<{ po_id: number }>("select po_id from purchase_orders where po_number = $1", [number]);
    return po && service.admin.ok("GET", `/api/admin/purchase-orders/${po.po_id}`);
  };
  const soOf = async (number: string) => {
    const so = await db.row<{ so_id: number }>("select so_id from sales_orders where so_number = $1", [number]);
    return so && service.admin.ok("GET", `/api/admin/sales-orders/${so.so_id}`);
  };
  const linesOf = ({ lines }: { lines: { line_number: number; sku: string; quantity_ordered: number }[] }) =>
    lines.map(({ line_number, sku, quantity_ordered }) => [line_number, sku, quantity_ordered]);

  it("makes the rows of one number one purchase order, described by its first row", async () => {
    const answer = await send("purchase-orders", [
      { po_number: "PO-1", sku: mug.sku, quantity: "5", vendor: "Harbor", expected_date: "2026-05-06" },
      { po_number: "PO-2", sku: mug.sku, quantity_expected: 7 },
      { po_number: "PO-1", sku: bowl.sku, quantity: 2, colour: "" },
    ]);
    assert.deepEqual(answer, {
      message: "Imported 3 of 3 record(s)",
      total: 3,
      imported: 3,
      skipped: 0,
      warnings: [],
      errors: [],
    });
    const po = await poOf("PO-1");
    assert.deepEqual(linesOf(po), [
      [1, mug.sku, 5],
      [2, bowl.sku, 2],
    ]);
    const { vendor_name, expected_date, po_barcode, status } = po.purchase_order;
    assert.deepEqual([vendor_name, expected_date, po_barcode, status], ["Harbor", "2026-05-06", "PO-1", "OPEN"]);
    assert.deepEqual(linesOf(await poOf("PO-2")), [[1, mug.sku, 7]]);
    assert.deepEqual(
      await db.rows(
        "select action_type, entity_id, user_id from audit_log where entity_type = 'PO' order by log_id limit 1",
      ),
      [{ action_type: "CREATE", entity_id: po.purchase_order.po_id, user_id: importer.username }],
    );
  });

  it("makes the rows of one number one sales order, with its addresses and without reservation", async () => {
    const inventory = await fixtures.stock(warehouse_id, await fixtures.bin(warehouse_id), mug.item_id, 50);
    const { imported } = await send("sales-orders", [
      {
        so_number: "SO-1",
        sku: mug.sku,
        quantity: 5,
        customer: "Ada",
        customer_phone: "020 7946",
        customer_address: "1 Square",
        shipping_address_city: "London",
        billing_address_postal_code: "SW1",
      },
      { so_number: "SO-1", sku: bowl.sku, quantity_ordered: "2" },
    ]);
    assert.equal(imported, 2);
    const so = await soOf("SO-1");
    assert.deepEqual(linesOf(so), [
      [1, mug.sku, 5],
      [2, bowl.sku, 2],
    ]);
    const { customer_name, customer_phone, customer_address, status, ...header } = so.sales_order;
    assert.deepEqual(
      [customer_name, customer_phone, customer_address, status],
      ["Ada", "020 7946", "1 Square", "OPEN"],
    );
    assert.deepEqual([header.shipping_address_city, header.billing_address_postal_code], ["London", "SW1"]);
    assert.deepEqual(await fixtures.stockOf(inventory), { on_hand: 50, allocated: 0 });
  });

  for (const [type, number, label, of] of [
    ["purchase-orders", "po_number", "Purchase order", poOf],
    ["sales-orders", "so_number", "Sales order", soOf],
  ] as const) {
    describe(type, () => {
      const row = (name: string, fields: object = {}) => ({
        [number]: `${type}-${name}`,
        sku: mug.sku,
        quantity: 1,
        ...fields,
      });
      const errors = async (records: object[], fields?: object, caller?: Caller) =>
        (await send(type, records, fields, caller)).errors;

      it("imports each row by itself and reports what was wrong with the others", async () => {
        const answer = await send(type, [
          row("rows"),
          row("rows", { sku: "NOWHERE" }),
          row("rows", { quantity: 0 }),
          row("rows", { quantity: 1_000_001 }),
          row("rows", { sku: undefined }),
          row("rows", { sku: "=cmd()" }),
          { sku: mug.sku, quantity: 1 },
          row("rows", { sku: bowl.sku }),
        ]);
        assert.deepEqual([answer.total, answer.imported, answer.skipped], [8, 2, 6]);
        assert.deepEqual(pluck(answer.errors, "row"), [2, 3, 4, 5, 6, 7]);
        assert.equal(answer.errors[0].error, "Item NOWHERE not found");
        assert.deepEqual(linesOf(await of(`${type}-rows`)), [
          [1, mug.sku, 1],
          [2, bowl.sku, 1],
        ]);
      });

      it("leaves an order that is there already as it is", async () => {
        await send(type, [row("once")]);
        assert.deepEqual(await errors([row("once"), row("once", { sku: bowl.sku })]), [
          { row: 1, error: `${label} ${type}-once already exists` },
          { row: 2, error: `${label} ${type}-once already exists` },
        ]);
        assert.deepEqual(linesOf(await of(`${type}-once`)), [[1, mug.sku, 1]]);
      });

      it("takes the warehouse of the row before that of the request", async () => {
        const answer = await send(type, [row("there", { warehouse_id: elsewhere })], { warehouse_id }, service.admin);
        assert.equal(answer.imported, 1);
        const [order] = Object.values(await of(`${type}-there`)) as { warehouse_id: number }[];
        assert.equal(order?.warehouse_id, elsewhere);
      });

      it("refuses rows with no, an unknown or another user's warehouse, or a second one for an order", async () => {
        assert.deepEqual(await errors([row("none")], {}), [{ row: 1, error: "warehouse_id: required" }]);
        assert.deepEqual(await errors([row("unknown", { warehouse_id: 999_999 })], {}, service.admin), [
          { row: 1, error: "Warehouse 999999 not found" },
        ]);
        assert.deepEqual(await errors([row("denied", { warehouse_id: elsewhere })]), [
          { row: 1, error: "Access denied for this warehouse" },
        ]);
        assert.deepEqual(
          await errors([row("two"), row("two", { warehouse_id: elsewhere })], { warehouse_id }, service.admin),
          [{ row: 2, error: `Other rows of ${type}-two are for warehouse ${warehouse_id}` }],
        );
      });

      it("imports 5000 rows at once", async () => {
        const records = Array.from({ length: 5000 }, (_, i) => row(`many-${i >> 1}`));
        assert.equal((await send(type, records)).imported, 5000);
      });
    });
  }

  it("refuses a purchase order's day that does not exist", async () => {
    const { errors } = await send("purchase-orders", [
      { po_number: "PO-9", sku: mug.sku, quantity: 1, expected_date: "2026-02-30" },
    ]);
    assert.deepEqual(errors, [{ row: 1, error: "expected_date: not a date as YYYY-MM-DD" }]);
  });
});
