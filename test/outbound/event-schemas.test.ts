import assert from "node:assert/strict";
import { exampleOf, type JsonSchema } from "../../api/openapi/example.js";
import { type EventType, events, payloadSchema } from "../../src/platform/events/catalog.js";
import { validator } from "../support/json-schema.js";

/** Reference 04 §4, a field per line; `*` = required. */
const receiver = { "completed_by_user_external_id*": "string", "completed_at*": "date-time" };
const lot = { "lines[].lot_number": "string or null", "lines[].serial_number": "string or null" };
const properties = { properties: "0 or more", "properties[].name*": "string", "properties[].value*": "string" };
/** What a customer wants of the units of a line. */
const wishesOf = (line: string) =>
  Object.fromEntries(Object.entries(properties).map(([name, words]) => [`${line}.${name}`, words]));
/** Of items that ask for serial numbers. */
const serialsOf = (line: string) => ({
  [`${line}.serial_numbers`]: "0 or more",
  [`${line}.serial_numbers[]`]: "string",
});
const packages = {
  "packages*": "1 or more",
  "packages[].package_external_id*": "string",
  "packages[].weight_lb": "number or null",
  "packages[].dimensions_in": "object of number or null",
  "packages[].lines*": "1 or more",
  "packages[].lines[].item_external_id*": "string",
  "packages[].lines[].sku": "string",
  "packages[].lines[].quantity_packed*": "integer from 0",
  ...wishesOf("packages[].lines[]"),
  "packages[].lines[].lots": "0 or more",
  "packages[].lines[].lots[].lot_number*": "string",
  "packages[].lines[].lots[].expiry_date*": "date or null",
  "packages[].lines[].lots[].quantity*": "integer",
  ...serialsOf("packages[].lines[]"),
  "packages[].parcel_number": "integer",
  "packages[].box_code": "string",
  "packages[].carrier": "string",
  "packages[].service_level": "string",
  "packages[].tracking_number": "string",
};
const changes = {
  "changes*": "1 or more",
  "changes[].field*": "string",
  "changes[].old_value*": "string or null",
  "changes[].new_value*": "string or null",
};
const wanted = {
  "items*": "0 or more",
  "items[].item_external_id*": "string",
  "items[].sku*": "string",
  "items[].item_name*": "string",
  "items[].qty*": "integer",
};
const lotDecision = {
  "lot_external_id*": "string",
  "lot_number*": "string",
  "item_external_id*": "string",
  "sku*": "string",
  "expiry_date*": "date or null",
  "quantity_on_hand*": "integer",
  "condition*": "string",
  "reason*": "string",
  "decided_by_user_external_id*": "string",
  "decided_at*": "date-time",
};
const correctedLot = {
  "lot_external_id*": "string",
  "lot_number*": "string",
  "item_external_id*": "string",
  "sku*": "string",
  "production_date*": "date or null",
  "expiry_date*": "date or null",
  "quantity_on_hand*": "integer",
};
const holdDecision = {
  "hold_external_id*": "string",
  "item_external_id*": "string",
  "sku*": "string",
  "bin_external_id*": "string",
  "bin_code*": "string",
  "lot_number*": "string or null",
  "quantity*": "integer from 1",
  "condition*": "HOLD|QUARANTINE|DAMAGED",
  "reason*": "string",
  "decided_by_user_external_id*": "string",
  "decided_at*": "date-time",
};
const onItsWay = {
  "sales_order_external_id*": "string",
  "so_number*": "string",
  "package_external_id*": "string",
  "parcel_number*": "integer",
  "tracking_number*": "string",
  "carrier*": "string or null",
  "status*": "in_transit|out_for_delivery|available_for_pickup|exception|delivered|returned",
  "message*": "string or null",
  "place*": "string or null",
  "expected_day*": "date or null",
  "happened_at*": "date-time",
};
const recall = {
  "recall_external_id*": "string",
  "recall_id*": "integer",
  "reason*": "string",
  "lots*": "0 or more",
  "lots[].lot_external_id*": "string",
  "lots[].lot_number*": "string",
  "lots[].item_external_id*": "string",
  "lots[].sku*": "string",
  "lots[].quantity_on_hand*": "integer",
  serials: "1 or more",
  "serials[].serial_external_id*": "string",
  "serials[].serial_number*": "string",
  "serials[].item_external_id*": "string",
  "serials[].sku*": "string",
};
const reference: Record<EventType, [aggregate: string, fields: Record<string, string>]> = {
  "receipt.completed": [
    "purchase_order",
    {
      "receipt_external_id*": "string",
      "po_external_id*": "string",
      po_number: "string",
      "lines*": "exactly 1",
      "lines[].item_external_id*": "string",
      "lines[].sku": "string",
      "lines[].quantity_received*": "integer from 1",
      ...serialsOf("lines[]"),
      ...lot,
      ...receiver,
    },
  ],
  "return.received": [
    "sales_order",
    {
      "receipt_external_id*": "string",
      "so_external_id*": "string",
      so_number: "string",
      "parent_so_external_id*": "string or null",
      "warehouse_code*": "string",
      "bin_code*": "string",
      "lines*": "exactly 1",
      "lines[].item_external_id*": "string",
      "lines[].sku": "string",
      "lines[].quantity_received*": "integer from 1",
      ...serialsOf("lines[]"),
      "received_by_user_external_id*": "string",
      "received_at*": "date-time",
    },
  ],
  "inventoryadjusted.completed": [
    "inventory",
    {
      "adjustment_external_id*": "string",
      "item_external_id*": "string",
      "bin_external_id*": "string",
      "quantity_delta*": "integer",
      serial_numbers: "0 or more",
      "serial_numbers[]": "string",
      "reason_code*": "string",
      "applied_by_user_external_id*": "string or null",
      "applied_at*": "date-time",
    },
  ],
  "stock.expired": [
    "inventory",
    {
      "item_external_id*": "string",
      "sku*": "string",
      "bin_external_id*": "string",
      "bin_code*": "string",
      "lot_number*": "string or null",
      "expiry_date*": "date or null",
      "quantity_on_hand*": "integer",
      "expired_at*": "date-time",
    },
  ],
  "stock.too_old": [
    "inventory",
    {
      "item_external_id*": "string",
      "sku*": "string",
      "bin_external_id*": "string",
      "bin_code*": "string",
      "lot_number*": "string or null",
      "expiry_date*": "date",
      "min_days_at_shipping*": "integer from 0",
      "quantity_on_hand*": "integer",
      "found_at*": "date-time",
    },
  ],
  "stock.expiring": [
    "inventory",
    {
      "item_external_id*": "string",
      "sku*": "string",
      "bin_external_id*": "string",
      "bin_code*": "string",
      "lot_number*": "string or null",
      "expiry_date*": "date",
      "quantity_on_hand*": "integer",
      "days_left*": "integer from 0",
      "told_at*": "date-time",
    },
  ],
  "lot.held": ["inventory", lotDecision],
  "lot.released": ["inventory", lotDecision],
  "lot.corrected": [
    "inventory",
    {
      ...correctedLot,
      "former_lot_number*": "string or null",
      "reason*": "string or null",
      "corrected_by_user_external_id*": "string",
      "corrected_at*": "date-time",
    },
  ],
  "lot.merged": [
    "inventory",
    {
      ...correctedLot,
      "merged_lot_external_id*": "string",
      "merged_lot_number*": "string",
      "reason*": "string",
      "merged_by_user_external_id*": "string",
      "merged_at*": "date-time",
    },
  ],
  "stock.held": ["inventory", holdDecision],
  "stock.released": ["inventory", holdDecision],
  "inspection.due": [
    "inventory",
    {
      "inspection_external_id*": "string",
      "item_external_id*": "string",
      "sku*": "string",
      "lot_number*": "string or null",
      "quantity_open*": "integer from 0",
      "reason*": "string",
      "opened_at*": "date-time",
      "due_at*": "date-time or null",
      "is_overdue*": "boolean",
      "told_at*": "date-time",
    },
  ],
  "recall.opened": ["inventory", { ...recall, "opened_by_user_external_id*": "string", "opened_at*": "date-time" }],
  "recall.closed": [
    "inventory",
    {
      ...recall,
      "units_open*": "integer from 0",
      "close_reason*": "string or null",
      "closed_by_user_external_id*": "string",
      "closed_at*": "date-time",
    },
  ],
  "cycle_count.adjusted": [
    "cycle_count",
    {
      "cycle_count_external_id*": "string",
      "item_external_id*": "string",
      "bin_external_id*": "string",
      "counted_quantity*": "integer from 0",
      "system_quantity*": "integer from 0",
      "quantity_delta*": "integer",
      "counted_by_user_external_id*": "string",
      "counted_at*": "date-time",
    },
  ],
  "inventorytransfer.completed": [
    "transfer",
    {
      "transfer_external_id*": "string",
      to_number: "string",
      "from_warehouse_id*": "integer",
      "to_warehouse_id*": "integer",
      "lines*": "1 or more",
      "lines[].item_external_id*": "string",
      "lines[].sku": "string",
      "lines[].quantity*": "integer from 1",
      "lines[].lot_number": "string",
      "completed_at*": "date-time",
    },
  ],
  "pick.confirmed": [
    "sales_order",
    {
      "sales_order_external_id*": "string",
      so_number: "string",
      "lines*": "1 or more",
      "lines[].item_external_id*": "string",
      "lines[].sku": "string",
      "lines[].quantity_picked*": "integer from 0",
      ...wishesOf("lines[]"),
      ...lot,
      ...receiver,
    },
  ],
  "pack.confirmed": [
    "sales_order",
    { "sales_order_external_id*": "string", so_number: "string", ...packages, ...receiver },
  ],
  "ship.confirmed": [
    "sales_order",
    {
      "sales_order_external_id*": "string",
      so_number: "string",
      "tracking_numbers*": "0 or more",
      "tracking_numbers[]": "string",
      "carrier*": "string",
      "service_level*": "string or null",
      order_shipped: "boolean",
      ...packages,
      ...receiver,
    },
  ],
  "parcel.tracking_added": [
    "sales_order",
    {
      "sales_order_external_id*": "string",
      "so_number*": "string",
      "package_external_id*": "string",
      "parcel_number*": "integer",
      "carrier*": "string",
      "service_level*": "string or null",
      "tracking_number*": "string",
      "added_at*": "date-time",
    },
  ],
  "ship.voided": [
    "sales_order",
    {
      "sales_order_external_id*": "string",
      so_number: "string",
      "voided_at*": "date-time",
      "voided_by_user_external_id*": "string",
      "reason*": "string",
      "reverted_to_status*": "PICKED|PACKED|SHIPPED",
      package_external_id: "string",
      tracking_number: "string or null",
    },
  ],
  "parcel.in_transit": ["sales_order", onItsWay],
  "parcel.delivered": ["sales_order", onItsWay],
  "parcel.exception": ["sales_order", onItsWay],
  "carrier.collected": [
    "sales_order",
    {
      "sales_order_external_id*": "string",
      "so_number*": "string",
      "carrier*": "string",
      "collection_day*": "date",
      "packages*": "1 or more",
      "packages[].package_external_id": "string",
      "packages[].parcel_number": "integer",
      "packages[].tracking_number*": "string or null",
      "collected_by_user_external_id*": "string",
      "collected_at*": "date-time",
    },
  ],
  "salesorderedit.completed": [
    "sales_order",
    {
      "sales_order_external_id*": "string",
      "so_number*": "string",
      "status*": "string",
      ...changes,
      "edited_by_user_external_id*": "string",
      "edited_at*": "date-time",
    },
  ],
  "purchaseorderedit.completed": [
    "purchase_order",
    {
      "purchase_order_external_id*": "string",
      "po_number*": "string",
      "status*": "string",
      ...changes,
      "edited_by_user_external_id*": "string",
      "edited_at*": "date-time",
    },
  ],
  "receipt.cancelled": [
    "purchase_order",
    {
      "receipt_external_id*": "string",
      "po_external_id*": "string",
      po_number: "string",
      "lines*": "exactly 1",
      "lines[].item_external_id*": "string",
      "lines[].sku": "string",
      "lines[].quantity_reversed*": "integer from 1",
      ...lot,
      "cancelled_by_user_external_id*": "string",
      "cancelled_at*": "date-time",
      reason: "string or null",
    },
  ],
  "backorder.opened": [
    "sales_order",
    {
      "backorder_so_external_id*": "string",
      "backorder_so_number*": "string",
      "parent_so_external_id*": "string or null",
      "parent_so_number*": "string or null",
      "warehouse_id*": "integer",
      customer_name: "string or null",
      ...wanted,
      "opened_by_user_external_id*": "string",
      "opened_at*": "date-time",
    },
  ],
  "backorder.fulfillable": [
    "sales_order",
    {
      "backorder_so_external_id*": "string",
      "backorder_so_number*": "string",
      "parent_so_number*": "string",
      "warehouse_id*": "integer",
      customer_name: "string or null",
      ...wanted,
      "days_waiting*": "integer",
      "fulfillable_at*": "date-time",
      "source*": "receipt|adjustment|cycle_count|transfer|sync",
    },
  ],
  "backorder.cancelled": [
    "sales_order",
    {
      "backorder_so_external_id*": "string",
      "backorder_so_number*": "string",
      "parent_so_number*": "string",
      "warehouse_id*": "integer",
      "cancellation_reason*": "string",
      "cancelled_by_user_external_id*": "string",
      "cancelled_at*": "date-time",
    },
  ],
};

/** The schema in the words of the table above. */
function describeFields(schema: JsonSchema, place = ""): Record<string, string> {
  if (schema.properties) {
    assert.equal(schema.additionalProperties, false, `${place || "the payload"} takes unknown fields`);
    const path = place && `${place}.`;
    const fields = Object.entries(schema.properties).map(([name, field]) => {
      const mark = schema.required?.includes(name) ? "*" : "";
      const below = field.items ? describeFields(field.items, `${path}${name}[]`) : {};
      return { [`${path}${name}${mark}`]: inWords(field), ...below };
    });
    return Object.assign({}, ...fields);
  }
  return { [place]: inWords(schema) };
}

function inWords(field: JsonSchema): string {
  if (field.enum) return field.enum.join("|");
  if (field.anyOf) return field.anyOf.map(inWords).join(" or ");
  if (Array.isArray(field.type)) return field.type.join(" or ");
  if (field.type === "array") return field.maxItems === 1 ? "exactly 1" : `${field.minItems ?? 0} or more`;
  if (field.type === "object") return `object of ${inWords(field.additionalProperties as JsonSchema)}`;
  if (field.type !== "integer") return field.format ?? field.type ?? "anything";
  const least = field.minimum as number;
  return least === Number.MIN_SAFE_INTEGER ? "integer" : `integer from ${least}`;
}

describe("event payload schemas", () => {
  for (const [type, { aggregate }] of Object.entries(events) as [EventType, { aggregate: string }][]) {
    describe(type, () => {
      const schema = payloadSchema(type) as JsonSchema;
      const valid = validator(schema);
      const sample = exampleOf(schema);
      const [owner, fields] = reference[type];

      it("has the fields of the reference, and is strict at every level", () => {
        assert.equal(schema.$schema, "https://json-schema.org/draft/2020-12/schema");
        assert.deepEqual(describeFields(schema), fields);
        assert.equal(aggregate, owner);
      });

      it("takes a good payload", () => {
        assert.ok(valid(sample), JSON.stringify(valid.errors));
      });
    });
  }
});
