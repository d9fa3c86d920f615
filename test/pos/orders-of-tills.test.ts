import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { counter } from "../support/counter.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { json, operations } from "../support/operations.js";
import { tokenCaller } from "../support/tokens.js";

/** What is done to sales orders elsewhere must not bring goods back that a refund brought back already. */
describe("what is done to a sale that was refunded, or to its credit memo", () => {
  const { at, shelved, sold, refund } = counter();

  interface Named {
    so_id: number;
    so_number: string;
    so_line_id: number;
    item_id: number;
    bin_id: number;
    sku: string;
  }
  const kinds = {
    "a sale refunded in part": { refunded: 1, names: "sale" },
    "a sale refunded as a whole": { refunded: 3, names: "sale" },
    "a credit memo": { refunded: 1, names: "memo" },
  };
  type Kind = keyof typeof kinds;

  async function made(kind: Kind): Promise<Named> {
    const { refunded, names } = kinds[kind];
    const mug = await shelved();
    const sale = await sold([mug.units(3)]);
    const { body } = await refund(sale.so_number, { lines: [mug.units(refunded)] });
    const so_number = names === "sale" ? sale.so_number : body.refund_so_id;
    const [order] = await db.rows<{ so_id: number; so_line_id: number }>(
      "select so_id, so_line_id from sales_orders join sales_order_lines using (so_id) where so_number = $1",
      [so_number],
    );
    return { ...mug, so_number, ...(order as { so_id: number; so_line_id: number }) };
  }

  /** Where the orders stand, their lines and the stock. */
  const goods = ({ item_id }: Named) =>
    db.rows(
      `select to_jsonb(so) as row from (select so_id, status, order_total, refund_so_id, voided_at from sales_orders) so
       where so_id in (select so_id from sales_order_lines where item_id = $1)
       union all select to_jsonb(l) from sales_order_lines l where item_id = $1
       union all select to_jsonb(v) from inventory v where item_id = $1
       order by row`,
      [item_id],
    );

  const atStation = () => ({ operator_username: at().service.admin.username, idempotency_key: randomUUID() });

  const routes: Record<string, (order: Named, other: number) => object | undefined> = {
    "POST /api/picking/wave-validate": ({ so_number }) => ({ so_barcode: so_number, warehouse_id: at().here }),
    "POST /api/picking/wave-create": ({ so_id }) => ({ so_ids: [so_id], warehouse_id: at().here }),
    "POST /api/picking/create-batch": ({ so_number }) => ({ so_identifiers: [so_number], warehouse_id: at().here }),
    "POST /api/admin/waves/plan": ({ so_id }) => ({ so_ids: [so_id], warehouse_id: at().here }),
    "POST /api/admin/waves/release": ({ so_id }) => ({ so_ids: [so_id], warehouse_id: at().here }),
    "PATCH /api/admin/sales-orders/:so_id/lines/:so_line_id/allocation": () => ({ delta: 1 }),
    "POST /api/admin/sales-orders/:so_id/admin-pick": ({ so_line_id, bin_id }) => ({
      lines: [{ so_line_id, bin_id, quantity: 1 }],
    }),
    "GET /api/packing/order/:so_number": () => undefined,
    "POST /api/packing/verify": ({ so_id, sku }) => ({ so_id, scanned_barcode: sku }),
    "POST /api/packing/complete": ({ so_id }) => ({ so_id }),
    "POST /api/packing/parcels": ({ so_id }) => ({ so_id }),
    "POST /api/packing/parcels/rest": ({ so_id }) => ({ so_id }),
    "POST /api/shipping/parcels/ship": ({ so_id }) => ({ so_id }),
    "POST /api/shipping/fulfill": ({ so_id }) => ({ so_id, tracking_number: "1Z", carrier: "UPS" }),
    "POST /api/admin/sales-orders/:so_id/admin-ship": () => ({}),
    "POST /api/admin/sales-orders/:so_id/lines": (_, other) => ({ item_id: other, quantity_ordered: 1 }),
    "PATCH /api/admin/sales-orders/:so_id/lines/:so_line_id": () => ({ quantity_ordered: 1 }),
    "DELETE /api/admin/sales-orders/:so_id/lines/:so_line_id": () => undefined,
    "POST /api/admin/sales-orders/:so_id/cancel": () => ({}),
    "POST /api/admin/sales-orders/:so_id/revert-status": () => ({ new_status: "PACKED" }),
    "POST /api/admin/sales-orders/:so_id/push-to-queue": () => ({}),
    "POST /api/admin/sales-orders/:so_id/create-rma": ({ item_id }) => ({ lines: [{ item_id, quantity: 3 }] }),
    "POST /api/admin/sales-orders/:so_id/receive-return": ({ item_id, bin_id }) => ({
      ...{ item_id, bin_id, quantity: 1, warehouse_id: at().here },
    }),
    "POST /api/receiving/receive-return": ({ so_id, item_id, bin_id }) => ({
      ...{ so_id, item_id, bin_id, quantity: 1, warehouse_id: at().here },
    }),
    "POST /api/admin/sales-orders/:so_id/void-return": () => ({}),
    "POST /api/admin/sales-orders/:so_id/close-return": () => ({}),
    "POST /api/admin/sales-orders/:so_id/return-receipts/:receipt_id/reverse": () => ({}),
    "POST /api/admin/sales-orders/:so_id/hold": () => ({ reason: "wait" }),
    "POST /api/admin/sales-orders/:so_id/release-hold": () => ({}),
    "POST /api/admin/sales-orders/:so_id/short-decision": () => ({ decision: "wait" }),
    "POST /api/admin/sales-orders/:so_id/partial-fulfill": ({ so_line_id }) => ({
      lines: [{ so_line_id, short_qty: 1 }],
    }),
    "POST /api/admin/sales-orders/:so_id/cancel-backorder": () => ({}),
    "PUT /api/admin/sales-orders/:so_id": () => ({ status: "SHIPPED" }),
    "POST /api/v1/station/orders/:so_number/ship": () => ({ ...atStation(), tracking: "1Z", carrier: "UPS" }),
    "POST /api/v1/station/orders/:so_number/void-ship": () => ({ ...atStation(), reason: "wrong parcel" }),
  };
  /** These change nothing of goods. */
  const harmless = [
    ...["PATCH /api/admin/sales-orders/:so_id/address", "PATCH /api/admin/sales-orders/:so_id/memo"],
    ...["POST /api/admin/sales-orders/mark-printed", "POST /api/admin/sales-orders"],
    ...["POST /api/v1/pos/checkout", "POST /api/v1/pos/reference-orders", "POST /api/v1/pos/refund"],
    "POST /api/admin/recalls/:recall_id/told",
  ];

  for (const [route, bodyOf] of Object.entries(routes))
    it(`moves no goods by ${route}`, async () => {
      const [method = "", path = ""] = route.split(" ");
      const other = (await fixtures.item()).item_id;
      const { service, here } = at();
      const station = await tokenCaller(service, { endpoints: ["station.dispatch"], warehouse_ids: [here] });
      const caller = path.includes("/station/") ? station.caller : service.admin;
      for (const kind of Object.keys(kinds) as Kind[]) {
        const order = await made(kind);
        const before = await goods(order);
        const answer = await caller.call(
          method,
          path.replace(/:(\w+)/g, (_, name) => String(order[name as keyof Named])),
          bodyOf(order, other),
        );
        const { status, body } = answer;
        const isNothing = body.valid === false || body.unchanged === true || body.batches?.length === 0;
        const refused = (status >= 400 && status < 500) || isNothing;
        // What was handed over may still get a shipment, which moves no goods.
        const shipped = kind === "a sale refunded in part" && route.endsWith("admin-ship");
        assert.ok(refused || shipped, `${kind}: ${status} ${JSON.stringify(body)}`);
        assert.deepEqual(await goods(order), before, kind);
      }
    });

  it("is tried with every route that changes a sales order", () => {
    const orders = /"?\b(so_id|so_ids|so_number|so_barcode|so_identifiers|original_so_id)\b/;
    const unknown = operations
      .filter(({ name, operation }) =>
        orders.test(JSON.stringify([name, json(operation.requestBody)?.schema.properties])),
      )
      .map(({ name }) => name.replace(/^\w+/, (method) => method.toUpperCase()))
      .filter((name) => !name.startsWith("GET ") && !(name in routes) && !harmless.includes(name));
    assert.deepEqual(unknown, [], "say in this file what becomes of a refunded sale there");
  });
});
