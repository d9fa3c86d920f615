import { z } from "zod";

/**
 * Every event type with what it tells, its aggregate and its payload (docs/interface.md, Events). All types are at
 * version 1.
 * `payloadSchema` gives a payload as JSON Schema 2020-12.
 */
const Ref = z.string();
const Moment = z.iso.datetime();
/** What people call the record whose id stands beside it. Events from before it was added are without. */
const Known = z.string().optional();
/** What a customer wants of the units; left out where it is nothing. */
const Properties = z
  .array(z.strictObject({ name: z.string(), value: z.string() }))
  .optional()
  .describe("What the customer wants of the units, such as an engraving; left out where that is nothing.");
const Line = <K extends string>(quantity: K, least: number) =>
  z.strictObject({
    item_external_id: Ref,
    sku: Known,
    [quantity]: z.int().min(least).describe("Units of the item that the event is of."),
  } as { item_external_id: typeof Ref; sku: typeof Known } & Record<K, z.ZodInt>);
const LotLine = <K extends string>(quantity: K, least: number) =>
  z.strictObject({
    ...Line(quantity, least).shape,
    lot_number: z.string().nullish(),
    serial_number: z.string().nullish(),
  });
const Package = z.strictObject({
  package_external_id: Ref,
  weight_lb: z.number().nullish(),
  dimensions_in: z.record(z.string(), z.number()).nullish(),
  lines: z.array(Line("quantity_packed", 0).extend({ properties: Properties })).min(1),
});
/** The items that an order waits for, or waited for. */
const Wanted = z.array(
  z.strictObject({
    item_external_id: Ref,
    sku: z.string(),
    item_name: z.string(),
    qty: z.int(),
  }),
);
const Change = z.strictObject({
  field: z.string(),
  old_value: z.string().nullable(),
  new_value: z.string().nullable(),
});
/** A changed field, in events and in the audit log. */
export type Change = z.infer<typeof Change>;
/** The changes of an edit, field by field. */
const Changes = z.array(Change).min(1);

export const events = {
  "receipt.completed": {
    summary: "Units of a purchase order were received",
    aggregate: "purchase_order",
    payload: z.strictObject({
      receipt_external_id: Ref,
      po_external_id: Ref,
      po_number: Known,
      lines: z.array(LotLine("quantity_received", 1)).length(1),
      completed_by_user_external_id: Ref,
      completed_at: Moment,
    }),
  },
  "return.received": {
    summary: "Units of a return order came back",
    aggregate: "sales_order",
    payload: z.strictObject({
      receipt_external_id: Ref,
      so_external_id: Ref,
      so_number: Known,
      parent_so_external_id: Ref.nullable(),
      warehouse_code: z.string(),
      bin_code: z.string(),
      lines: z.array(Line("quantity_received", 1)).length(1),
      received_by_user_external_id: Ref,
      received_at: Moment,
    }),
  },
  "inventoryadjusted.completed": {
    summary: "Stock was corrected",
    aggregate: "inventory",
    payload: z.strictObject({
      adjustment_external_id: Ref,
      item_external_id: Ref,
      bin_external_id: Ref,
      quantity_delta: z.int(),
      reason_code: z.string(),
      applied_by_user_external_id: Ref.nullable(),
      applied_at: Moment,
    }),
  },
  "cycle_count.adjusted": {
    summary: "Stock was corrected to what was counted",
    aggregate: "cycle_count",
    payload: z.strictObject({
      cycle_count_external_id: Ref,
      item_external_id: Ref,
      bin_external_id: Ref,
      counted_quantity: z.int().min(0),
      system_quantity: z.int().min(0),
      quantity_delta: z.int(),
      counted_by_user_external_id: Ref,
      counted_at: Moment,
    }),
  },
  "inventorytransfer.completed": {
    summary: "Units were moved to another bin or warehouse",
    aggregate: "transfer",
    payload: z.strictObject({
      transfer_external_id: Ref,
      to_number: Known,
      from_warehouse_id: z.int(),
      to_warehouse_id: z.int(),
      lines: z.array(Line("quantity", 1)).min(1),
      completed_at: Moment,
    }),
  },
  "pick.confirmed": {
    summary: "A sales order was picked",
    aggregate: "sales_order",
    payload: z.strictObject({
      sales_order_external_id: Ref,
      so_number: Known,
      lines: z.array(LotLine("quantity_picked", 0).extend({ properties: Properties })).min(1),
      completed_by_user_external_id: Ref,
      completed_at: Moment,
    }),
  },
  "pack.confirmed": {
    summary: "A sales order was packed",
    aggregate: "sales_order",
    payload: z.strictObject({
      sales_order_external_id: Ref,
      so_number: Known,
      packages: z.array(Package).min(1),
      completed_by_user_external_id: Ref,
      completed_at: Moment,
    }),
  },
  "ship.confirmed": {
    summary: "A sales order was handed to a carrier",
    aggregate: "sales_order",
    payload: z.strictObject({
      sales_order_external_id: Ref,
      so_number: Known,
      tracking_numbers: z.array(z.string()),
      carrier: z.string(),
      service_level: z.string().nullable(),
      packages: z.array(Package).min(1),
      completed_by_user_external_id: Ref,
      completed_at: Moment,
    }),
  },
  "ship.voided": {
    summary: "A shipment was undone",
    aggregate: "sales_order",
    payload: z.strictObject({
      sales_order_external_id: Ref,
      so_number: Known,
      voided_at: Moment,
      voided_by_user_external_id: Ref,
      reason: z.string(),
      reverted_to_status: z.enum(["PICKED", "PACKED", "SHIPPED"]),
    }),
  },
  "salesorderedit.completed": {
    summary: "A sales order was edited",
    aggregate: "sales_order",
    payload: z.strictObject({
      sales_order_external_id: Ref,
      so_number: z.string(),
      status: z.string(),
      changes: Changes,
      edited_by_user_external_id: Ref,
      edited_at: Moment,
    }),
  },
  "purchaseorderedit.completed": {
    summary: "A purchase order was edited",
    aggregate: "purchase_order",
    payload: z.strictObject({
      purchase_order_external_id: Ref,
      po_number: z.string(),
      status: z.string(),
      changes: Changes,
      edited_by_user_external_id: Ref,
      edited_at: Moment,
    }),
  },
  "receipt.cancelled": {
    summary: "A receipt was taken back",
    aggregate: "purchase_order",
    payload: z.strictObject({
      receipt_external_id: Ref,
      po_external_id: Ref,
      po_number: Known,
      lines: z.array(LotLine("quantity_reversed", 1)).length(1),
      cancelled_by_user_external_id: Ref,
      cancelled_at: Moment,
      reason: z.string().nullish(),
    }),
  },
  "backorder.opened": {
    summary: "A sales order began to wait for stock",
    aggregate: "sales_order",
    payload: z.strictObject({
      backorder_so_external_id: Ref,
      backorder_so_number: z.string(),
      parent_so_external_id: Ref.nullable(),
      parent_so_number: z.string().nullable(),
      warehouse_id: z.int(),
      customer_name: z.string().nullish(),
      items: Wanted,
      opened_by_user_external_id: Ref,
      opened_at: Moment,
    }),
  },
  "backorder.fulfillable": {
    summary: "There is stock enough for a waiting sales order",
    aggregate: "sales_order",
    payload: z.strictObject({
      backorder_so_external_id: Ref,
      backorder_so_number: z.string(),
      parent_so_number: z.string(),
      warehouse_id: z.int(),
      customer_name: z.string().nullish(),
      items: Wanted,
      days_waiting: z.int(),
      fulfillable_at: Moment,
      source: z.enum(["receipt", "adjustment", "cycle_count", "transfer", "sync"]),
    }),
  },
  "backorder.cancelled": {
    summary: "A waiting sales order was cancelled",
    aggregate: "sales_order",
    payload: z.strictObject({
      backorder_so_external_id: Ref,
      backorder_so_number: z.string(),
      parent_so_number: z.string(),
      warehouse_id: z.int(),
      cancellation_reason: z.string(),
      cancelled_by_user_external_id: Ref,
      cancelled_at: Moment,
    }),
  },
} as const;

export type EventType = keyof typeof events;
export type Payload<T extends EventType> = z.infer<(typeof events)[T]["payload"]>;

export const eventTypes = Object.keys(events) as EventType[];

/** The JSON Schema (2020-12) of a type's payload. */
export function payloadSchema(type: EventType): object {
  return { title: `Payload of ${type}`, ...z.toJSONSchema(events[type].payload) };
}
