import assert from "node:assert/strict";
import type { JsonSchema } from "../../api/openapi/example.js";
import { fieldOf } from "../support/operations.js";

/**
 * The largest value of fields of requests: of texts the number of characters. That each route refuses more than its
 * schema says is shown by hostile.test.ts.
 */
const largest: Record<string, Record<string, number>> = {
  "post /api/admin/warehouses": { warehouse_code: 32, address: 512 },
  "put /api/admin/warehouses/:warehouse_id": { warehouse_code: 32, address: 512 },
  "put /api/admin/zones/:zone_id": { zone_code: 32 },
  "put /api/admin/bins/:bin_id": { bin_barcode: 128, aisle: 32 },
  "post /api/admin/vendors": {
    ...{ vendor_name: 256, contact_name: 256, email: 255, billing_address: 1000, tax_id: 64, payment_terms: 64 },
  },
  "put /api/admin/vendors/:canonical_id": {
    ...{ vendor_name: 256, contact_name: 256, email: 255, billing_address: 1000, tax_id: 64, payment_terms: 64 },
  },
  "post /api/admin/items": { sku: 128, weight_lbs: 99_999 },
  "put /api/admin/items/:item_id": { item_name: 256, description: 1000 },
  "post /api/admin/preferred-bins": { priority: 100 },
  "put /api/admin/preferred-bins/:preferred_bin_id": { priority: 100 },
  "post /api/admin/connector-registry": { connector_id: 64, display_name: 128 },
  "post /api/admin/tokens": { token_name: 128, connector_id: 64 },
  "post /api/auth/login": { username: 150, password: 256 },
  "post /api/auth/change-password": { new_password: 256 },
  "post /api/admin/sales-orders": {
    ...{ so_number: 128, so_barcode: 128, customer_name: 256, customer_phone: 64, customer_email: 255 },
    ...{ customer_address: 512, ship_method: 100, ship_address: 512, order_origin: 64, memo: 4096 },
    "lines.quantity_ordered": 1_000_000,
  },
  "put /api/admin/sales-orders/:so_id": {
    ...{ so_number: 128, so_barcode: 128, customer_name: 256, customer_phone: 64, customer_email: 255 },
    ...{ customer_address: 512, ship_method: 100, ship_address: 512, order_origin: 64, memo: 4096 },
    ...{ source_system: 64, carrier: 100, tracking_number: 255, priority: 10 },
  },
  "post /api/admin/sales-orders/:so_id/lines": { quantity_ordered: 1_000_000 },
  "post /api/admin/purchase-orders": { po_number: 128, "lines.quantity_ordered": 1_000_000 },
  "put /api/admin/purchase-orders/:po_id": { vendor_name: 256 },
  "post /api/admin/adjustments/direct": { quantity: 1_000_000, reason: 500 },
  "post /api/transfers/move": { quantity: 100_000, reason: 500 },
  "post /api/inventory/cycle-count/submit": { "lines.counted_quantity": 1_000_000 },
};

const largestOf = ({ anyOf, ...schema }: JsonSchema): unknown =>
  schema.maxLength ?? schema.maximum ?? anyOf?.map(largestOf).find((limit) => limit !== undefined);

describe("the OpenAPI document limits", () => {
  for (const [route, limits] of Object.entries(largest))
    it(route, () => {
      const found = Object.keys(limits).map((field) => [field, largestOf(fieldOf(route, `body.${field}`) ?? {})]);
      assert.deepEqual(Object.fromEntries(found), limits);
    });
});
