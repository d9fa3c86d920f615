import { z } from "zod";
import { DayText, Edit, Id, Name, OrderQuantity, Text, Units } from "../platform/fields.js";
import { OrderStatus } from "../platform/statuses.js";
import { type AddressColumn, addressWidths } from "./addresses.js";
import { SalesOrder, SalesOrderLine } from "./shapes.js";

/** What edits of a sales order and of its lines take and answer: docs/interface.md, Sales orders. */

/** Text that null or "" clears. */
const Clearable = (max: number, example: string) => Text(max, example).nullable();
/** A day that null or "" clears. */
const ClearableDay = z
  .union([DayText, z.literal("")])
  .nullable()
  .meta({ examples: ["2026-05-06"] });
const EditedFields = z.array(z.string()).meta({ examples: [["ship_method", "memo"]] });
const Unchanged = z
  .strictObject({ unchanged: z.literal(true) })
  .meta({ id: "NothingChanged", description: "All fields had these values already." });

export const SalesOrderEdit = Edit({
  so_number: Name(128, "SO-1001"),
  so_barcode: Clearable(128, "SO-1001"),
  customer_name: Clearable(256, "Ada Lovelace"),
  customer_phone: Clearable(64, "+44 20 7946 0000"),
  customer_email: Clearable(255, "ada@example.com"),
  customer_address: Clearable(512, "12 St James's Square, London"),
  ship_method: Clearable(100, "UPS Ground"),
  ship_address: Clearable(512, "12 St James's Square, London"),
  ship_by_date: ClearableDay,
  priority: z
    .int()
    .min(0)
    .max(10)
    .meta({ examples: [5] }),
  memo: Clearable(4096, "leave at the door"),
  source_system: Clearable(64, "shopify"),
  status: OrderStatus,
  carrier: Text(100, "UPS").trim().nullable(),
  tracking_number: Text(255, "1Z999AA10123456784").trim().nullable(),
  shipped_at: ClearableDay,
  order_origin: Clearable(64, "web"),
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
    Object.entries(addressWidths).map(([column, width]) => [column, Clearable(width, "London")]),
  ) as Record<AddressColumn, ReturnType<typeof Clearable>>,
).meta({
  id: "SalesOrderAddressEdit",
  description: "Corrections of a sales order's billing and shipping address; null or an empty text clears a field.",
});
export type AddressEdit = z.infer<typeof AddressEdit>;

export const AddressEdited = z.union([z.strictObject({ so_id: Id, edited_fields: EditedFields }), Unchanged]);
export type AddressEdited = z.infer<typeof AddressEdited>;

const Memo = z.string().nullable();
export const MemoEdit = z.strictObject({ memo: Text(4096, "called the customer") });
export type MemoEdit = z.infer<typeof MemoEdit>;
export const MemoEdited = z.union([z.strictObject({ so_id: Id, memo: Memo }), Unchanged.extend({ memo: Memo })]);
export type MemoEdited = z.infer<typeof MemoEdited>;

export const HoldReleased = z
  .strictObject({ so_id: Id, hold_reason: z.null() })
  .meta({ id: "HoldReleased", description: "An order that was held, and is held no more." });
export type HoldReleased = z.infer<typeof HoldReleased>;

export const ReleasedFromReview = z.strictObject({ so_id: Id, status: z.literal("OPEN") });
export type ReleasedFromReview = z.infer<typeof ReleasedFromReview>;

export const NewSalesOrderLine = z.strictObject({ item_id: Id, quantity_ordered: OrderQuantity });
export type NewSalesOrderLine = z.infer<typeof NewSalesOrderLine>;

export const AddedLine = z
  .strictObject({
    so_line_id: Id,
    so_id: Id,
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

export const LineEdit = z.strictObject({ quantity_ordered: OrderQuantity }).meta({ id: "OrderLineEdit" });
export type LineEdit = z.infer<typeof LineEdit>;
export const ChangedLine = z.strictObject({ so_line_id: Id, quantity_ordered: Units, released_allocation: Units });
export type ChangedLine = z.infer<typeof ChangedLine>;
export const DeletedLine = z.strictObject({ so_line_id: Id, deleted: z.literal(true), released_allocation: Units });
export type DeletedLine = z.infer<typeof DeletedLine>;

export const AllocationChange = z.strictObject({ delta: Units });
export type AllocationChange = z.infer<typeof AllocationChange>;
export const LineAllocation = z.strictObject({
  unchanged: z.literal(true).optional(),
  so_line_id: Id,
  quantity_allocated: Units,
});
export type LineAllocation = z.infer<typeof LineAllocation>;

const LineBin = z
  .strictObject({
    bin_id: Id,
    bin_code: z.string(),
    zone_name: z.string(),
    quantity_on_hand: Units,
    quantity_allocated: Units,
    quantity_available: Units,
    preferred_priority: z.int().nullable(),
  })
  .meta({ id: "LineBin", description: "A bin that holds the item of a sales order line." });
export const LineBins = z.strictObject({ warehouse_id: Id, item_id: Id, bins: z.array(LineBin) });
export type LineBins = z.infer<typeof LineBins>;
