import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { DayText, Edit, Name, Text, Units } from "../platform/fields.js";
import { OrderStatus } from "../platform/statuses.js";
import { type AddressColumn, addressFields } from "./addresses.js";
import { MinDays, SalesOrder, SalesOrderLine } from "./shapes.js";

/** Requests and answers of edits of a sales order and of its lines: docs/interface.md, Sales orders. */

/** Text that null or "" clears. */
const Clearable = (max: number, example: string) => Text(max, example).nullable();
/** A day that null or "" clears. */
const ClearableDay = z
  .union([DayText, z.literal("")])
  .nullable()
  .meta({ examples: ["2026-05-06"] });
const EditedFields = z
  .array(z.string())
  .meta({ description: "The fields that were changed.", examples: [["ship_method", "memo"]] });
const Unchanged = z
  .strictObject({ unchanged: field.Unchanged })
  .meta({ id: "NothingChanged", description: "All fields had these values already." });

export const SalesOrderEdit = Edit({
  so_number: field.GivenSoNumber,
  so_barcode: Clearable(128, "SO-1001").describe("What the scanner reads on the sales order."),
  customer_name: Clearable(256, "Ada Lovelace").describe("Name of the customer, as on the parcel."),
  customer_phone: Clearable(64, "+44 20 7946 0000").describe("The customer's telephone number."),
  customer_email: Clearable(255, "ada@example.com").describe("The customer's email address."),
  customer_address: Clearable(512, "12 St James's Square, London").describe("The customer's address."),
  ship_method: Clearable(100, "UPS Ground").describe("How the order is to be shipped."),
  ship_address: Clearable(512, "12 St James's Square, London").describe("Address that the order goes to, in one text."),
  ship_by_date: ClearableDay.describe("The day by which the order must leave."),
  min_days_at_shipping: MinDays.nullable(),
  priority: z
    .int()
    .min(0)
    .max(10)
    .meta({ description: "Rank; among orders higher ones go first.", examples: [5] }),
  memo: Clearable(4096, "leave at the door").describe("Note on the order."),
  source_system: Clearable(64, "shopify").describe("The system that the record comes from."),
  status: OrderStatus,
  carrier: Text(100, "UPS").trim().nullable().describe("Who carries the parcel."),
  tracking_number: Text(255, "1Z999AA10123456784").trim().nullable().describe("The carrier's number of the parcel."),
  shipped_at: ClearableDay.describe("When it was shipped."),
  order_origin: Clearable(64, "web").describe("Where the order came from, as a web shop."),
}).meta({
  id: "SalesOrderEdit",
  description: "Changes of a sales order's header; null or an empty text clears a field.",
});
export type SalesOrderEdit = z.infer<typeof SalesOrderEdit>;

export const EditedSalesOrder = SalesOrder.pick({
  so_id: true,
  so_number: true,
  so_barcode: true,
  customer_name: true,
  status: true,
  warehouse_id: true,
  ship_method: true,
  ship_address: true,
  source_system: true,
  created_at: true,
})
  .extend({ edited_fields: EditedFields })
  .meta({ id: "EditedSalesOrder", description: "A sales order after an edit, and the fields that changed." });
export type EditedSalesOrder = z.infer<typeof EditedSalesOrder>;

export const HeaderEdited = z.union([EditedSalesOrder, Unchanged]);
export type HeaderEdited = z.infer<typeof HeaderEdited>;

export const AddressEdit = Edit(
  Object.fromEntries(
    Object.entries(addressFields).map(([column, { width, description }]) => [
      column,
      Clearable(width, "London").describe(description),
    ]),
  ) as Record<AddressColumn, ReturnType<typeof Clearable>>,
).meta({
  id: "SalesOrderAddressEdit",
  description: "Corrections of a sales order's billing and shipping address; null or an empty text clears a field.",
});
export type AddressEdit = z.infer<typeof AddressEdit>;

export const AddressEdited = z.union([z.strictObject({ so_id: field.SoId, edited_fields: EditedFields }), Unchanged]);
export type AddressEdited = z.infer<typeof AddressEdited>;

const Memo = z
  .string()
  .nullable()
  .meta({ description: "Note on the order.", examples: ["Gift wrap, please"] });
export const MemoEdit = z.strictObject({ memo: Text(4096, "called the customer").describe("Note on the order.") });
export type MemoEdit = z.infer<typeof MemoEdit>;
export const MemoEdited = z.union([
  z.strictObject({ so_id: field.SoId, memo: Memo }),
  Unchanged.extend({ memo: Memo }),
]);
export type MemoEdited = z.infer<typeof MemoEdited>;

export const OrderHold = z
  .strictObject({ reason: Name(500, "The payment is being checked").describe("Why, for who meets it at the order.") })
  .meta({ id: "OrderHold", description: "Why an order is to be held." });

export const HeldByHand = z
  .strictObject({ so_id: field.SoId, hold_reason: z.literal("by_hand").describe("What holds it now.") })
  .meta({ id: "HeldByHand", description: "An order that somebody holds." });
export type HeldByHand = z.infer<typeof HeldByHand>;

export const HoldReleased = z
  .strictObject({
    so_id: field.SoId,
    hold_reason: z.null().describe("Why the order may not be picked, packed or shipped; null where nothing holds it."),
  })
  .meta({ id: "HoldReleased", description: "An order that was held, and is held no more." });
export type HoldReleased = z.infer<typeof HoldReleased>;

export const ReleasedFromReview = z.strictObject({
  so_id: field.SoId,
  status: z.literal("OPEN").describe("Where the order stands now."),
});
export type ReleasedFromReview = z.infer<typeof ReleasedFromReview>;

export const NewSalesOrderLine = z.strictObject({
  item_id: field.ItemId,
  quantity_ordered: field.GivenQuantityOrdered,
});
export type NewSalesOrderLine = z.infer<typeof NewSalesOrderLine>;

export const AddedLine = z
  .strictObject({
    so_line_id: field.SoLineId,
    so_id: field.SoId,
    ...SalesOrderLine.pick({
      item_id: true,
      sku: true,
      quantity_ordered: true,
      quantity_allocated: true,
      quantity_picked: true,
      quantity_packed: true,
      quantity_shipped: true,
      line_number: true,
    }).shape,
  })
  .meta({ id: "AddedSalesOrderLine", description: "A line that was added to a sales order." });
export type AddedLine = z.infer<typeof AddedLine>;

export const LineEdit = z.strictObject({ quantity_ordered: field.GivenQuantityOrdered }).meta({ id: "OrderLineEdit" });
export type LineEdit = z.infer<typeof LineEdit>;
export const ChangedLine = z.strictObject({
  so_line_id: field.SoLineId,
  quantity_ordered: field.QuantityOrdered,
  released_allocation: field.ReleasedAllocation,
});
export type ChangedLine = z.infer<typeof ChangedLine>;
export const DeletedLine = z.strictObject({
  so_line_id: field.SoLineId,
  deleted: field.Deleted,
  released_allocation: field.ReleasedAllocation,
});
export type DeletedLine = z.infer<typeof DeletedLine>;

export const AllocationChange = z.strictObject({ delta: Units.describe("Units added; negative when removed.") });
export type AllocationChange = z.infer<typeof AllocationChange>;
export const LineAllocation = z.strictObject({
  unchanged: field.Unchanged.optional(),
  so_line_id: field.SoLineId,
  quantity_allocated: field.QuantityAllocated,
});
export type LineAllocation = z.infer<typeof LineAllocation>;

const LineBin = z
  .strictObject({
    bin_id: field.BinId,
    bin_code: field.BinCode,
    zone_name: field.ZoneName,
    quantity_on_hand: field.QuantityOnHand,
    quantity_allocated: field.QuantityAllocated,
    quantity_available: field.QuantityAvailable,
    preferred_priority: z.int().nullable().describe("The bin's rank among the item's preferred bins; 1 is first."),
    lots: z
      .array(
        z.strictObject({
          lot_number: field.Lot,
          expiry_date: field.ExpiryDate.nullable(),
          quantity_available: field.QuantityAvailable,
        }),
      )
      .optional()
      .describe("The lots that lie there, what expires first; left out where none has a lot."),
  })
  .meta({ id: "LineBin", description: "A bin that holds the item of a sales order line." });
export const LineBins = z.strictObject({
  warehouse_id: field.WarehouseId,
  item_id: field.ItemId,
  bins: z.array(LineBin).describe("The bins, one entry for each."),
});
export type LineBins = z.infer<typeof LineBins>;
