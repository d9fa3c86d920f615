import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadMappings } from "../../activities/inbound/load-mappings.js";
import { putSourceSystems } from "../../activities/inbound/source-systems.js";
import { useDocuments } from "../../src/inbound/documents.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, stock, warehouse } from "../support/fixtures.js";
import { openService, type TestService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";

const demo = (path: string) => fileURLToPath(new URL(`../../../demo/${path}`, import.meta.url));
const body = (name: string) => JSON.parse(readFileSync(demo(`pushes/${name}.json`), "utf8"));

describe("the demo's shop", () => {
  let service: TestService;
  let shop: Caller;
  let warehouse_id: number;
  before(async () => {
    service = await openService();
    warehouse_id = await warehouse();
    await putSourceSystems([{ source_system: "acme-shop", kind: "manual_import" }]);
    await loadMappings(demo("mappings"));
    const made = await tokenCaller(service, {
      source_system: "acme-shop",
      warehouse_ids: [warehouse_id],
      inbound_resources: ["items", "vendors", "customers", "purchase_orders", "sales_orders"],
    });
    shop = made.caller;
  });
  after(async () => {
    useDocuments(new Map());
    await service.close();
  });

  const push = async (resource: string, what: object) => {
    const answer = await shop.post(`/api/v1/inbound/${resource}`, what);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body as { canonical_id: string };
  };

  it("pushes its export as it is, and it is an order of ours", async () => {
    const item = await push("items", body("item"));
    const vendor = await push("vendors", body("vendor"));
    const customer = await push("customers", body("customer"));
    await push("purchase_orders", body("purchase-order"));
    const found = await db.row<{ item_id: number; weight_lbs: string; barcode_aliases: string[] }>(
      "select item_id, weight_lbs, barcode_aliases from items where external_id = $1",
      [item.canonical_id],
    );
    assert.equal(found?.weight_lbs, "2.7558");
    assert.deepEqual(found?.barcode_aliases, ["4006381333931"]);
    await stock(warehouse_id, await bin(warehouse_id), found?.item_id as number, 5);

    const { canonical_id } = await push("sales_orders", body("sales-order"));
    const order = await db.row<Record<string, unknown>>(
      `select so_number, status, customer_id, order_total, customer_shipping_paid, currency, priority, warehouse_id,
              order_date, shipping_address_name, shipping_address_line2, source_system,
              (select json_agg(json_build_array(item_id, quantity_ordered, quantity_allocated, line_number))
               from sales_order_lines l where l.so_id = s.so_id) as lines
       from sales_orders s where external_id = $1`,
      [canonical_id],
    );
    assert.deepEqual(order, {
      so_number: "ACME-1001",
      status: "OPEN",
      customer_id: customer.canonical_id,
      order_total: "131.18",
      customer_shipping_paid: "5.90",
      currency: "USD",
      priority: 10,
      warehouse_id,
      order_date: "2026-05-06",
      shipping_address_name: "Bo Lee",
      shipping_address_line2: "Apt 4",
      source_system: "acme-shop",
      lines: [[found?.item_id, 2, 2, 1]],
    });
    const bought = await db.row<Record<string, unknown>>(
      `select po_number, vendor_id, expected_date, (select json_agg(unit_cost::text) from purchase_order_lines l
       where l.po_id = p.po_id) as costs from purchase_orders p where po_number = 'ACME-PO-7001'`,
    );
    assert.deepEqual(bought, {
      po_number: "ACME-PO-7001",
      vendor_id: vendor.canonical_id,
      expected_date: "2026-05-20",
      costs: ["31.5000"],
    });
  });

  it("cancels its order by a later version", async () => {
    const order = body("sales-order");
    const cancelled_at = "2026-05-07T08:00:00-04:00";
    await push("sales_orders", {
      ...order,
      external_version: cancelled_at,
      source_payload: { ...order.source_payload, cancelled_at },
    });
    const now = await db.row<{ status: string }>("select status from sales_orders where so_number = 'ACME-1001'");
    assert.equal(now?.status, "CANCELLED");
  });

  it("is told which field does not fit", async () => {
    const order = body("sales-order");
    const wrong = async (change: object) => {
      const { status, body } = await shop.post("/api/v1/inbound/sales_orders", {
        ...order,
        external_id: "other",
        source_payload: { ...order.source_payload, order_number: 1002, ...change },
      });
      assert.equal(status, 422);
      return body;
    };
    assert.deepEqual(await wrong({ total_price: "131.185" }), {
      error_kind: "mapping_apply_error",
      message: "sales_orders.order_total: 131.185 has more than 2 decimal places",
    });
    assert.deepEqual(await wrong({ order_number: undefined }), {
      error_kind: "mapping_apply_error",
      message: 'sales_orders.so_number: the payload has no "order_number" there',
    });
    const { error_kind, message } = await wrong({ currency: "US dollars" });
    assert.equal(error_kind, "canonical_constraint_violation");
    assert.match(message, /currency: is longer than 8 characters/);
  });
});
