import { z } from "zod";
import * as field from "../fields/index.js";
import { AnyText } from "../fields.js";

/** Units of a stock row whose last day comes. */
const PassingStock = {
  item_external_id: field.ItemExternalId,
  sku: field.Sku,
  bin_external_id: field.BinExternalId,
  bin_code: field.BinCode,
  lot_number: field.Lot.nullable(),
  expiry_date: field.ExpiryDate,
  quantity_on_hand: field.QuantityOnHand,
};

/**
 * Every event type with its description, aggregate and payload (docs/interface.md, Events). All types have version 1.
 * `payloadSchema` returns a payload's JSON Schema 2020-12.
 */
const Ref = z.string();
/** The name that people use for the record whose id is beside it. Events from before the field was added lack it. */
const Known = z.string().optional();
/** The customer's wishes for the units; left out where there are none. */
const Properties = z
  .array(
    z.strictObject({
      name: AnyText("Columbus").describe("What the customer chooses, by its name, such as Engraving."),
      value: AnyText("true").describe("What the customer chose, such as the text."),
    }),
  )
  .optional()
  .describe("What the customer wants of the units, such as an engraving; left out where that is nothing.");
/** The lots of the units of a line; left out where they have none. */
const Lots = z
  .array(z.strictObject({ lot_number: field.Lot, expiry_date: field.ExpiryDate.nullable(), quantity: field.UnitCount }))
  .optional()
  .describe("The lots of the units, what expires first at the front; left out where they have none.");
/** Of items that ask for serial numbers; left out elsewhere. */
const Serials = z.array(field.SerialNumber).optional().describe("The serial numbers of the units.");
const Line = <K extends string>(quantity: K, least: number) =>
  z.strictObject({
    item_external_id: field.ItemExternalId,
    sku: field.Sku.optional(),
    [quantity]: z.int().min(least).describe("Units of the item that the event is of."),
  } as { item_external_id: typeof Ref; sku: typeof Known } & Record<K, z.ZodInt>);
const LotLine = <K extends string>(quantity: K, least: number) =>
  z.strictObject({
    ...Line(quantity, least).shape,
    lot_number: field.Lot.nullish(),
    serial_number: field.SerialNumber.nullish(),
  });
const Package = z.strictObject({
  package_external_id: field.RefTo("package"),
  weight_lb: z.number().nullish().describe("Weight in pounds."),
  dimensions_in: z.record(z.string(), z.number()).nullish().describe("Length, width and height in inches."),
  lines: z
    .array(Line("quantity_packed", 0).extend({ properties: Properties, lots: Lots, serial_numbers: Serials }))
    .min(1)
    .describe("The lines, each for one item."),
  parcel_number: z
    .int()
    .optional()
    .describe("Which parcel of its order it is; this and what follows is left out where an order goes as a whole."),
  box_code: AnyText("M").optional().describe("Code of the box; left out where none was named."),
  carrier: field.Carrier.optional(),
  service_level: AnyText("Ground").optional().describe("How fast the carrier delivers."),
  tracking_number: field.TrackingNumber.optional(),
});
/** Where a parcel is, by its carrier. */
const OnItsWay = z.strictObject({
  sales_order_external_id: field.SalesOrderExternalId,
  so_number: field.SoNumber,
  package_external_id: field.RefTo("package"),
  parcel_number: z.int().describe("Which parcel of its order it is."),
  tracking_number: field.TrackingNumber,
  carrier: field.Carrier.nullable(),
  status: z
    .enum(["in_transit", "out_for_delivery", "available_for_pickup", "exception", "delivered", "returned"])
    .describe("Where it is now."),
  message: AnyText("Delivered, front door").nullable().describe("What the carrier says, in its words."),
  place: AnyText("Springfield, IL, US").nullable().describe("Where it was scanned; null where nobody says."),
  expected_day: z.iso.date().nullable().describe("The day on which it is delivered, as the carrier thinks."),
  happened_at: z.iso.datetime({ offset: true }).describe("When it was scanned."),
});
/** The items that an order waits for, or did. */
const Wanted = z.array(
  z.strictObject({
    item_external_id: field.ItemExternalId,
    sku: field.Sku,
    item_name: field.ItemName,
    qty: z.int().describe("How many units."),
  }),
);
const Change = z.strictObject({
  field: AnyText("ship_method").describe("Name of the field."),
  old_value: AnyText("UPS Ground").nullable().describe("What it was."),
  new_value: AnyText("UPS Next Day").nullable().describe("What it is now."),
});
/** A changed field, in events and in the audit log. */
export type Change = z.infer<typeof Change>;
/** What was decided about a lot. */
const LotDecision = z.strictObject({
  lot_external_id: field.RefTo("lot"),
  lot_number: AnyText("LOT-7").describe("The number that the units carry."),
  item_external_id: field.ItemExternalId,
  sku: field.Sku,
  expiry_date: field.ExpiryDate.nullable(),
  quantity_on_hand: z.int().describe("Units of the lot in the warehouse."),
  condition: field.StockCondition,
  reason: field.Reason,
  decided_by_user_external_id: field.UserBy("decided"),
  decided_at: z.iso.datetime().describe("When it was decided."),
});
/** What is known of a lot, by its number as it is now. */
const CorrectedLot = {
  lot_external_id: field.RefTo("lot"),
  lot_number: AnyText("LOT-7").describe("The number that the units carry from now on."),
  item_external_id: field.ItemExternalId,
  sku: field.Sku,
  production_date: field.ProductionDate.nullable(),
  expiry_date: field.ExpiryDate.nullable(),
  quantity_on_hand: z.int().describe("Units of the lot in the warehouse."),
};
/** What was decided about a part of what lies in a bin. */
const HoldDecision = z.strictObject({
  hold_external_id: field.RefTo("hold"),
  item_external_id: field.ItemExternalId,
  sku: field.Sku,
  bin_external_id: field.BinExternalId,
  bin_code: field.BinCode,
  lot_number: field.Lot.nullable(),
  quantity: z.int().min(1).describe("Units that were held or released."),
  condition: field.HeldCondition,
  reason: field.Reason,
  decided_by_user_external_id: field.UserBy("decided"),
  decided_at: z.iso.datetime().describe("When it was decided."),
});
/** Lots that are called back. */
const RecallOfLots = {
  recall_external_id: field.RefTo("recall"),
  recall_id: z.int().describe("Id of the recall."),
  reason: field.Reason,
  lots: z
    .array(
      z.strictObject({
        lot_external_id: field.RefTo("lot"),
        lot_number: field.Lot,
        item_external_id: field.ItemExternalId,
        sku: field.Sku,
        quantity_on_hand: field.QuantityOnHand,
      }),
    )
    .describe("The lots, each with the units that lie in the warehouse of the event."),
  serials: z
    .array(
      z.strictObject({
        serial_external_id: field.RefTo("serial"),
        serial_number: field.SerialNumber,
        item_external_id: field.ItemExternalId,
        sku: field.Sku,
      }),
    )
    .min(1)
    .optional()
    .describe(
      "Units that are called back by their serial numbers, which were last seen in the warehouse of the event.",
    ),
};
/** The changes of an edit, field by field. */
const Changes = z.array(Change).min(1).describe("What was changed, field by field.");

export const events = {
  "receipt.completed": {
    summary: "Units of a purchase order were received",
    aggregate: "purchase_order",
    payload: z.strictObject({
      receipt_external_id: field.ReceiptExternalId,
      po_external_id: field.PoExternalId,
      po_number: field.PoNumber.optional(),
      lines: z
        .array(LotLine("quantity_received", 1).extend({ serial_numbers: Serials }))
        .length(1)
        .describe("The lines, each for one item."),
      completed_by_user_external_id: field.CompletedByUserExternalId,
      completed_at: field.CompletedAtInEvent,
    }),
  },
  "return.received": {
    summary: "Units of a return order came back",
    aggregate: "sales_order",
    payload: z.strictObject({
      receipt_external_id: field.ReceiptExternalId,
      so_external_id: field.RefTo("sales order"),
      so_number: field.SoNumber.optional(),
      parent_so_external_id: field.ParentSoExternalId.nullable(),
      warehouse_code: field.WarehouseCode,
      bin_code: field.BinCode,
      lines: z
        .array(Line("quantity_received", 1).extend({ serial_numbers: Serials }))
        .length(1)
        .describe("The lines, each for one item."),
      received_by_user_external_id: field.UserBy("received"),
      received_at: z.iso.datetime().describe("When it was received."),
    }),
  },
  "inventoryadjusted.completed": {
    summary: "Stock was corrected",
    aggregate: "inventory",
    payload: z.strictObject({
      adjustment_external_id: field.RefTo("adjustment"),
      item_external_id: field.ItemExternalId,
      bin_external_id: field.BinExternalId,
      quantity_delta: field.QuantityDelta,
      serial_numbers: Serials,
      reason_code: field.ReasonCode,
      applied_by_user_external_id: AnyText("3f2b6c1e-9a4d-4c58-8f0e-5d7a1b2c3d4e")
        .nullable()
        .describe("UUID of the user by whom it was applied."),
      applied_at: z.iso.datetime().describe("When it was applied."),
    }),
  },
  "stock.expired": {
    summary: "Units were not sold before the end of their last day",
    aggregate: "inventory",
    payload: z.strictObject({
      ...PassingStock,
      expiry_date: field.ExpiryDate.nullable(),
      expired_at: z.iso.datetime().describe("When it was found."),
    }),
  },
  "stock.too_old": {
    summary: "Units have fewer days left than their item must have when it is shipped",
    aggregate: "inventory",
    payload: z.strictObject({
      ...PassingStock,
      min_days_at_shipping: z.int().min(0).describe("Days that units of the item must have left."),
      found_at: z.iso.datetime().describe("When it was found."),
    }),
  },
  "stock.expiring": {
    summary: "Units are near their last day: told 30 days, 7 days and one day before it",
    aggregate: "inventory",
    payload: z.strictObject({
      ...PassingStock,
      days_left: z.int().min(0).describe("Days until the last day, by the clock of the warehouse; 0 on that day."),
      told_at: z.iso.datetime().describe("When it was found."),
    }),
  },
  "lot.held": {
    summary: "A lot is not sold until it is released; one event for each warehouse that knows it",
    aggregate: "inventory",
    payload: LotDecision,
  },
  "lot.released": {
    summary: "A lot that was held is sold again; one event for each warehouse that knows it",
    aggregate: "inventory",
    payload: LotDecision,
  },
  "lot.corrected": {
    summary: "A lot has another number or other days; one event for each warehouse that knows it",
    aggregate: "inventory",
    payload: z.strictObject({
      ...CorrectedLot,
      former_lot_number: AnyText("LOT-T").nullable().describe("The number until now; null where it stays."),
      reason: field.Reason.nullable(),
      corrected_by_user_external_id: field.UserBy("corrected"),
      corrected_at: z.iso.datetime().describe("When it was corrected."),
    }),
  },
  "lot.merged": {
    summary: "Units of a lot are of another from now on; one event for each warehouse that knows one of them",
    aggregate: "inventory",
    payload: z.strictObject({
      ...CorrectedLot,
      merged_lot_external_id: field.RefTo("lot that ended"),
      merged_lot_number: AnyText("LOT-T").describe("The number of the lot that ended."),
      reason: field.Reason,
      merged_by_user_external_id: field.UserBy("merged"),
      merged_at: z.iso.datetime().describe("When they were merged."),
    }),
  },
  "stock.held": {
    summary: "Units in a bin are not sold until they are released, or are held for another reason than before",
    aggregate: "inventory",
    payload: HoldDecision,
  },
  "stock.released": {
    summary: "Units in a bin that were held are sold again",
    aggregate: "inventory",
    payload: HoldDecision,
  },
  "inspection.due": {
    summary: "Goods in quarantine wait for a decision: a reminder, or the end of the time for it",
    aggregate: "inventory",
    payload: z.strictObject({
      inspection_external_id: field.RefTo("inspection"),
      item_external_id: field.ItemExternalId,
      sku: field.Sku,
      lot_number: field.Lot.nullable(),
      quantity_open: z.int().min(0).describe("Units that are still to be decided about, in all warehouses."),
      reason: field.Reason,
      opened_at: z.iso.datetime({ offset: true }).describe("Since when they wait."),
      due_at: z.iso.datetime({ offset: true }).nullable().describe("Until when it is to be decided, if it is."),
      is_overdue: z.boolean().describe("Whether that time is over."),
      told_at: z.iso.datetime().describe("When it was told."),
    }),
  },
  "recall.opened": {
    summary: "Lots or serials are called back; one event for each warehouse that knows one of them",
    aggregate: "inventory",
    payload: z.strictObject({
      ...RecallOfLots,
      opened_by_user_external_id: field.UserBy("opened"),
      opened_at: z.iso.datetime().describe("When it was opened."),
    }),
  },
  "recall.closed": {
    summary: "A recall has ended; one event for each warehouse that knows one of its lots or serials",
    aggregate: "inventory",
    payload: z.strictObject({
      ...RecallOfLots,
      units_open: z.int().min(0).describe("Units that were not accounted for: it was closed by force."),
      close_reason: AnyText("the rest is lost").nullable().describe("What was said when it was closed."),
      closed_by_user_external_id: field.UserBy("closed"),
      closed_at: z.iso.datetime().describe("When it was closed."),
    }),
  },
  "cycle_count.adjusted": {
    summary: "Stock was corrected to what was counted",
    aggregate: "cycle_count",
    payload: z.strictObject({
      cycle_count_external_id: field.RefTo("cycle count"),
      item_external_id: field.ItemExternalId,
      bin_external_id: field.BinExternalId,
      counted_quantity: z.int().min(0).describe("Units that were counted; null until then."),
      system_quantity: z.int().min(0).describe("Units that should have been there."),
      quantity_delta: field.QuantityDelta,
      counted_by_user_external_id: field.UserBy("counted"),
      counted_at: z.iso.datetime().describe("When it was counted."),
    }),
  },
  "inventorytransfer.completed": {
    summary: "Units were moved to another bin or warehouse",
    aggregate: "transfer",
    payload: z.strictObject({
      transfer_external_id: field.RefTo("transfer"),
      to_number: field.ToNumber.optional(),
      from_warehouse_id: z.int().describe("Id of the warehouse that units leave."),
      to_warehouse_id: z.int().describe("Id of the warehouse that units come into."),
      lines: z
        .array(Line("quantity", 1).extend({ lot_number: field.Lot.optional() }))
        .min(1)
        .describe("The lines, each for one item; of a movement between warehouses with its lot, if it has one."),
      completed_at: field.CompletedAtInEvent,
    }),
  },
  "pick.confirmed": {
    summary: "A sales order was picked",
    aggregate: "sales_order",
    payload: z.strictObject({
      sales_order_external_id: field.SalesOrderExternalId,
      so_number: field.SoNumber.optional(),
      lines: z
        .array(LotLine("quantity_picked", 0).extend({ properties: Properties }))
        .min(1)
        .describe("The lines, each for one item."),
      completed_by_user_external_id: field.CompletedByUserExternalId,
      completed_at: field.CompletedAtInEvent,
    }),
  },
  "pack.confirmed": {
    summary: "A sales order was packed",
    aggregate: "sales_order",
    payload: z.strictObject({
      sales_order_external_id: field.SalesOrderExternalId,
      so_number: field.SoNumber.optional(),
      packages: z.array(Package).min(1).describe("The parcels."),
      completed_by_user_external_id: field.CompletedByUserExternalId,
      completed_at: field.CompletedAtInEvent,
    }),
  },
  "ship.confirmed": {
    summary: "A sales order was handed to a carrier",
    aggregate: "sales_order",
    payload: z.strictObject({
      sales_order_external_id: field.SalesOrderExternalId,
      so_number: field.SoNumber.optional(),
      tracking_numbers: z.array(AnyText("1Z999AA10123456784")).describe("The carrier's numbers of the parcels."),
      carrier: field.Carrier,
      service_level: AnyText("Ground").nullable().describe("How fast the carrier delivers."),
      packages: z.array(Package).min(1).describe("The parcels."),
      order_shipped: z
        .boolean()
        .optional()
        .describe("Of parcels: whether nothing of the order is left to ship; left out where it goes as a whole."),
      completed_by_user_external_id: field.CompletedByUserExternalId,
      completed_at: field.CompletedAtInEvent,
    }),
  },
  "parcel.tracking_added": {
    summary: "A parcel that was shipped without a tracking number got one: its label was bought later",
    aggregate: "sales_order",
    payload: z.strictObject({
      sales_order_external_id: field.SalesOrderExternalId,
      so_number: field.SoNumber,
      package_external_id: field.RefTo("package").describe("The parcel, as in `ship.confirmed`."),
      parcel_number: z.int().describe("Which parcel of its order it is, from 1."),
      carrier: field.Carrier,
      service_level: AnyText("Ground").nullable().describe("How fast the carrier delivers."),
      tracking_number: field.TrackingNumber,
      added_at: z.iso.datetime().describe("When it was known."),
    }),
  },
  "ship.voided": {
    summary: "A shipment was undone",
    aggregate: "sales_order",
    payload: z.strictObject({
      sales_order_external_id: field.SalesOrderExternalId,
      so_number: field.SoNumber.optional(),
      voided_at: z.iso.datetime().describe("When the shipment or the return was voided."),
      voided_by_user_external_id: field.UserBy("voided"),
      reason: field.Reason,
      reverted_to_status: z.enum(["PICKED", "PACKED", "SHIPPED"]).describe("Where the order stands now."),
      package_external_id: field
        .RefTo("package")
        .optional()
        .describe("The parcel; left out where an order went as a whole."),
      tracking_number: field.TrackingNumber.nullish().describe("That of the parcel."),
    }),
  },
  "parcel.in_transit": {
    summary: "A carrier has a parcel on its way, or goes on after a problem",
    aggregate: "sales_order",
    payload: OnItsWay,
  },
  "parcel.delivered": {
    summary: "A parcel was delivered",
    aggregate: "sales_order",
    payload: OnItsWay,
  },
  "parcel.exception": {
    summary: "A carrier has a problem with a parcel, or sends it back",
    aggregate: "sales_order",
    payload: OnItsWay,
  },
  "carrier.collected": {
    summary: "A carrier fetched parcels of a sales order",
    aggregate: "sales_order",
    payload: z.strictObject({
      sales_order_external_id: field.SalesOrderExternalId,
      so_number: field.SoNumber,
      carrier: field.Carrier,
      collection_day: z.iso.date().describe("The day of the collection, by the clock of the warehouse."),
      packages: z
        .array(
          z.strictObject({
            package_external_id: field
              .RefTo("package")
              .optional()
              .describe("The parcel; this and its number are left out where the order went as a whole."),
            parcel_number: z.int().optional().describe("Which parcel of its order it is."),
            tracking_number: field.TrackingNumber.nullable(),
          }),
        )
        .min(1)
        .describe("Those of its parcels that went."),
      collected_by_user_external_id: field.UserBy("handed over"),
      collected_at: z.iso.datetime().describe("When they left."),
    }),
  },
  "salesorderedit.completed": {
    summary: "A sales order was edited",
    aggregate: "sales_order",
    payload: z.strictObject({
      sales_order_external_id: field.SalesOrderExternalId,
      so_number: field.SoNumber,
      status: z.string(),
      changes: Changes,
      edited_by_user_external_id: field.EditedByUserExternalId,
      edited_at: field.EditedAt,
    }),
  },
  "purchaseorderedit.completed": {
    summary: "A purchase order was edited",
    aggregate: "purchase_order",
    payload: z.strictObject({
      purchase_order_external_id: field.RefTo("purchase order"),
      po_number: field.PoNumber,
      status: z.string(),
      changes: Changes,
      edited_by_user_external_id: field.EditedByUserExternalId,
      edited_at: field.EditedAt,
    }),
  },
  "receipt.cancelled": {
    summary: "A receipt was taken back",
    aggregate: "purchase_order",
    payload: z.strictObject({
      receipt_external_id: field.ReceiptExternalId,
      po_external_id: field.PoExternalId,
      po_number: field.PoNumber.optional(),
      lines: z.array(LotLine("quantity_reversed", 1)).length(1).describe("The lines, each for one item."),
      cancelled_by_user_external_id: field.CancelledByUserExternalId,
      cancelled_at: field.CancelledAt,
      reason: field.Reason.nullish(),
    }),
  },
  "backorder.opened": {
    summary: "A sales order began to wait for stock",
    aggregate: "sales_order",
    payload: z.strictObject({
      backorder_so_external_id: field.BackorderSoExternalId,
      backorder_so_number: field.BackorderSoNumber,
      parent_so_external_id: field.ParentSoExternalId.nullable(),
      parent_so_number: field.ParentSoNumber.nullable(),
      warehouse_id: field.WarehouseIdInEvent,
      customer_name: field.CustomerName.nullish(),
      items: Wanted.describe("The items, one entry for each."),
      opened_by_user_external_id: field.UserBy("opened"),
      opened_at: z.iso.datetime().describe("When it was opened."),
    }),
  },
  "backorder.fulfillable": {
    summary: "There is stock enough for a waiting sales order",
    aggregate: "sales_order",
    payload: z.strictObject({
      backorder_so_external_id: field.BackorderSoExternalId,
      backorder_so_number: field.BackorderSoNumber,
      parent_so_number: field.ParentSoNumber,
      warehouse_id: field.WarehouseIdInEvent,
      customer_name: field.CustomerName.nullish(),
      items: Wanted.describe("The items, one entry for each."),
      days_waiting: field.DaysWaiting,
      fulfillable_at: z.iso.datetime().describe("When there was stock enough."),
      source: z.enum(["receipt", "adjustment", "cycle_count", "transfer", "sync"]).describe("What raised the stock."),
    }),
  },
  "backorder.cancelled": {
    summary: "A waiting sales order was cancelled",
    aggregate: "sales_order",
    payload: z.strictObject({
      backorder_so_external_id: field.BackorderSoExternalId,
      backorder_so_number: field.BackorderSoNumber,
      parent_so_number: field.ParentSoNumber,
      warehouse_id: field.WarehouseIdInEvent,
      cancellation_reason: field.CancellationReason,
      cancelled_by_user_external_id: field.CancelledByUserExternalId,
      cancelled_at: field.CancelledAt,
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
