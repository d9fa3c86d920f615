import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { db } from "../support/db.js";
import { item, salesOrder, stockOf } from "../support/fixtures.js";
import { json, operations } from "../support/operations.js";
import { pickFloor } from "../support/pick-floor.js";
import { tokenCaller } from "../support/tokens.js";

/** Spec 3.1: fulfilment is for every type of order but returns. */
describe("a return or a refund", () => {
  const { at, shelved } = pickFloor();

  /** An item that is on none of them. */
  let other: number;
  before(async () => {
    other = (await item()).item_id;
  });

  /** One with a line, in some status; from PICKED on it has picked units. */
  async function ofType(order_type: string, status: string) {
    const goods = await shelved(5);
    const order = await salesOrder(at().warehouse_id, [{ item_id: goods.item_id, quantity: 3 }]);
    const line = await db.row<{ so_line_id: number }>(
      `with o as (update sales_orders set order_type = $2, status = $3, tracking_number = '1Z' where so_id = $1)
       update sales_order_lines set quantity_picked = $4, quantity_allocated = $4 where so_id = $1
         returning so_line_id`,
      [order.so_id, order_type, status, status === "OPEN" ? 0 : 3],
    );
    return { ...goods, ...order, so_line_id: line?.so_line_id ?? 0 };
  }
  type Order = Awaited<ReturnType<typeof ofType>>;

  interface Asked {
    /** In which status it would go on with a sale. */
    status: string;
    /** 400 unless it refuses otherwise. */
    refusal?: number;
    body?: object;
  }
  const atStation = () => ({ operator_username: at().service.admin.username, idempotency_key: randomUUID() });
  /** All that picks, packs or ships. */
  const routes: Record<string, (order: Order, warehouse_id: number) => Asked> = {
    "POST /api/picking/wave-validate": ({ so_number }, warehouse_id) => ({
      status: "OPEN",
      body: { so_barcode: so_number, warehouse_id },
    }),
    "POST /api/picking/wave-create": ({ so_id }, warehouse_id) => ({
      status: "OPEN",
      body: { so_ids: [so_id], warehouse_id },
    }),
    "POST /api/picking/create-batch": ({ so_number }, warehouse_id) => ({
      status: "OPEN",
      body: { so_identifiers: [so_number], warehouse_id },
    }),
    // These find no order to pick.
    "POST /api/admin/waves/plan": ({ so_id }, warehouse_id) => ({
      ...{ status: "OPEN", refusal: 200, body: { so_ids: [so_id], warehouse_id } },
    }),
    "POST /api/admin/waves/release": ({ so_id }, warehouse_id) => ({
      ...{ status: "OPEN", refusal: 200, body: { so_ids: [so_id], warehouse_id } },
    }),
    "PATCH /api/admin/sales-orders/:so_id/lines/:so_line_id/allocation": () => ({ status: "OPEN", body: { delta: 3 } }),
    "POST /api/admin/sales-orders/:so_id/admin-pick": (order) => ({
      ...{ status: "OPEN", refusal: 422 },
      body: { lines: [{ ...lineOf(order), quantity: 3 }] },
    }),
    "GET /api/admin/sales-orders/:so_id/picking-ticket": () => ({ status: "OPEN" }),
    "POST /api/admin/sales-orders/mark-printed": ({ so_id }) => ({ status: "OPEN", body: { so_ids: [so_id] } }),
    "GET /api/packing/order/:so_number": () => ({ status: "PICKED" }),
    "POST /api/packing/verify": ({ so_id, sku }) => ({ status: "PICKED", body: { so_id, scanned_barcode: sku } }),
    "POST /api/packing/complete": ({ so_id }) => ({ status: "PICKED", body: { so_id } }),
    "POST /api/packing/parcels": ({ so_id }) => ({ status: "PICKED", body: { so_id } }),
    "POST /api/packing/parcels/rest": ({ so_id }) => ({ status: "PICKED", body: { so_id, weight_lbs: 1 } }),
    "POST /api/shipping/parcels/ship": ({ so_id }) => ({ status: "PACKED", refusal: 409, body: { so_id } }),
    "GET /api/shipping/order/:so_number": () => ({ status: "PACKED" }),
    "POST /api/shipping/fulfill": ({ so_id }) => ({
      status: "PACKED",
      body: { so_id, tracking_number: "1Z", carrier: "UPS" },
    }),
    "POST /api/admin/sales-orders/:so_id/admin-ship": () => ({ status: "PACKED", refusal: 422, body: {} }),
    "PUT /api/admin/sales-orders/:so_id": () => ({ status: "PACKED", refusal: 422, body: { status: "SHIPPED" } }),
    "POST /api/admin/sales-orders/:so_id/lines": () => ({
      status: "OPEN",
      body: { item_id: other, quantity_ordered: 1 },
    }),
    "PATCH /api/admin/sales-orders/:so_id/lines/:so_line_id": () => ({ status: "OPEN", body: { quantity_ordered: 1 } }),
    "DELETE /api/admin/sales-orders/:so_id/lines/:so_line_id": () => ({ status: "OPEN" }),
    "POST /api/admin/sales-orders/:so_id/cancel": () => ({ status: "OPEN" }),
    "POST /api/admin/sales-orders/:so_id/revert-status": () => ({ status: "PACKED", body: { new_status: "PICKED" } }),
    "POST /api/admin/sales-orders/:so_id/push-to-queue": () => ({ status: "OPEN", refusal: 409 }),
    "POST /api/admin/sales-orders/:so_id/create-rma": ({ item_id }) => ({
      ...{ status: "SHIPPED", body: { lines: [{ item_id, quantity: 1 }] } },
    }),
    "POST /api/admin/sales-orders/:so_id/partial-fulfill": ({ so_line_id }) => ({
      ...{ status: "OPEN", refusal: 422, body: { lines: [{ so_line_id, short_qty: 1 }] } },
    }),
    "POST /api/admin/sales-orders/:so_id/cancel-backorder": () => ({ status: "OPEN", refusal: 422, body: {} }),
    "POST /api/admin/sales-orders/:so_id/hold": () => ({ status: "OPEN", refusal: 409, body: { reason: "wait" } }),
    "POST /api/admin/sales-orders/:so_id/release-hold": () => ({ status: "OPEN", refusal: 409, body: {} }),
    "POST /api/admin/sales-orders/:so_id/short-decision": () => ({
      ...{ status: "PICKED", refusal: 409, body: { decision: "ship_short" } },
    }),
    "POST /api/v1/station/orders/:so_number/ship": () => ({
      ...{ status: "PACKED", refusal: 410, body: { ...atStation(), tracking: "1Z", carrier: "UPS" } },
    }),
    "POST /api/v1/station/orders/:so_number/void-ship": () => ({
      ...{ status: "SHIPPED", refusal: 409, body: { ...atStation(), reason: "wrong parcel" } },
    }),
  };
  /** What else names an order: it changes nothing of how it is fulfilled, or is for returns. */
  const harmless = [
    ...["PATCH /api/admin/sales-orders/:so_id/address", "PATCH /api/admin/sales-orders/:so_id/memo"],
    ...["POST /api/receiving/receive-return", "POST /api/admin/sales-orders/:so_id/receive-return"],
    ...["POST /api/admin/sales-orders/:so_id/void-return"],
    "POST /api/admin/sales-orders/:so_id/close-return",
    "POST /api/admin/sales-orders/:so_id/return-receipts/:receipt_id/reverse",
    ...["POST /api/admin/sales-orders", "POST /api/v1/pos/reference-orders"],
    "POST /api/admin/recalls/:recall_id/told",
  ];
  const lineOf = ({ so_line_id, bin_id }: Order) => ({ so_line_id, bin_id });

  for (const [route, asked] of Object.entries(routes))
    it(`is refused by ${route}, and stays as it is`, async () => {
      const { service, warehouse_id } = at();
      const [method = "", path = ""] = route.split(" ");
      const scope = { endpoints: ["station.dispatch"], warehouse_ids: [warehouse_id] };
      const caller = path.includes("/station/") ? (await tokenCaller(service, scope)).caller : service.admin;
      for (const order_type of ["return", "refund"]) {
        const { status } = asked({} as Order, 0);
        const order = await ofType(order_type, status);
        const { refusal = 400, body } = asked(order, warehouse_id);
        const answer = await caller.call(
          method,
          path.replace(/:(\w+)/g, (_, name) => String(order[name as keyof Order])),
          body,
        );
        assert.equal(answer.status, refusal, JSON.stringify(answer.body));
        const what = `Sales order ${order.so_number} is a ${order_type}: it is not picked, packed or shipped`;
        if (answer.code === "return_not_fulfillable") assert.equal(answer.body.error, what);
        assert.deepEqual(await stockOf(order.inventory_id), { on_hand: 5, allocated: 0 });
        assert.deepEqual(await db.rows("select status from sales_orders where so_id = $1", [order.so_id]), [
          { status },
        ]);
      }
    });

  it("is tried with every route that changes a sales order", () => {
    const orders = /"?\b(so_id|so_ids|so_number|so_barcode|so_identifiers)\b/;
    const unknown = operations
      .filter(({ name, operation }) =>
        orders.test(JSON.stringify([name, json(operation.requestBody)?.schema.properties])),
      )
      .map(({ name }) => name.replace(/^\w+/, (method) => method.toUpperCase()))
      .filter((name) => !name.startsWith("GET ") && !(name in routes) && !harmless.includes(name));
    assert.deepEqual(unknown, [], "say in this file how a return is refused there");
  });

  it("is passed by in a scan, with the word that scanners look for", async () => {
    const order = await ofType("return", "OPEN");
    const { body } = await at().picker.post("/api/picking/wave-validate", {
      ...{ barcode: order.so_number, warehouse_id: at().warehouse_id },
    });
    assert.equal(body.valid, false);
  });

  it("keeps a whole wave from being made", async () => {
    const goods = await shelved(5);
    const { warehouse_id, picker } = at();
    const sale = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 1 }]);
    const back = await ofType("return", "OPEN");
    const { status } = await picker.post("/api/picking/wave-create", {
      ...{ so_ids: [sale.so_id, back.so_id], warehouse_id },
    });
    assert.equal(status, 400);
    assert.equal((await stockOf(goods.inventory_id)).allocated, 0);
  });
});
