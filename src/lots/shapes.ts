import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { AnyText, Day, Edit, ExternalId, LotNumber, Name, QueryBool, Text, Units } from "../platform/fields.js";
import { list, withTotals } from "../platform/list.js";

/** What people may put a lot in; what expired is found by a job, row by row. */
const LotCondition = z
  .enum(["AVAILABLE", ...field.HeldCondition.options])
  .describe("AVAILABLE, or why none of the lot is sold: HOLD, QUARANTINE or DAMAGED.");

export const LotParams = z.strictObject({ lot_id: field.LotIdParam });

const AttributeName = Name(100, "origin");
const AttributeValue = Text(1000, "Peru");

export const Lot = z
  .strictObject({
    lot_id: field.LotId,
    external_id: ExternalId,
    item_id: field.ItemId,
    item_external_id: ExternalId,
    sku: field.Sku,
    item_name: field.ItemName,
    lot_number: AnyText("LOT-7").describe("The number that the units carry."),
    production_date: field.ProductionDate.nullable(),
    expiry_date: field.ExpiryDate.nullable(),
    supplier_lot: AnyText("S-2026-118").nullable().describe("The supplier's own number of the lot."),
    condition: LotCondition,
    effective_condition: AnyText("AVAILABLE").describe(
      "The same, or EXPIRED after its last day, by the clock of the caller's warehouses.",
    ),
    condition_reason: AnyText("complaint 17").nullable().describe("Why the lot is not sold."),
    notes: AnyText("arrived warm").nullable().describe("Free text about the record."),
    attributes: z.record(AttributeName, AttributeValue).describe("What else is known of the lot, by name."),
    quantity_on_hand: Units.describe("Units of the lot in the caller's warehouses."),
    created_at: field.CreatedAt,
    updated_at: field.UpdatedAt,
  })
  .meta({ id: "Lot", description: "A lot of an item: units that were made together." });
export type Lot = z.infer<typeof Lot>;

export const LotPlace = z
  .strictObject({
    inventory_id: field.InventoryId,
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    bin_id: field.BinId,
    bin_code: field.BinCode,
    quantity_on_hand: field.QuantityOnHand,
    quantity_allocated: field.QuantityAllocated,
    expiry_date: field.ExpiryDate.nullable(),
    condition: field.StockCondition,
    effective_condition: field.EffectiveCondition,
  })
  .meta({ id: "LotPlace", description: "Where units of a lot lie." });

export const LotReceipt = z
  .strictObject({
    receipt_id: field.ReceiptId,
    warehouse_id: field.WarehouseId,
    po_number: field.PoNumber.nullable(),
    so_number: field.SoNumber.nullable(),
    vendor_name: field.VendorName.nullable(),
    quantity_received: Units.describe("Units that came."),
    received_by: AnyText("rita").nullable().describe("Name of the user who received them."),
    received_at: z.iso.datetime({ offset: true }).describe("When they came."),
  })
  .meta({ id: "LotReceipt", description: "A receipt that brought units of a lot, from a vendor or as a return." });

export const LotDetail = Lot.extend({
  places: z.array(LotPlace).describe("Where its units lie, in the caller's warehouses."),
  receipts: z.array(LotReceipt).describe("What brought units of it, the newest 200 first."),
}).meta({ id: "LotDetail", description: "A lot with where it lies and where it came from." });
export type LotDetail = z.infer<typeof LotDetail>;

export const lotList = withTotals(
  list(
    "l.lot_id",
    ...["l.lot_id", "l.lot_number", "l.expiry_date", "l.production_date", "l.condition", "l.created_at"],
    "l.updated_at",
  ),
  { quantity_on_hand: { says: "Units on hand in the caller's warehouses." } },
);

export const LotFilters = z.object({
  ...lotList.parameters,
  item_id: field.ItemIdParam.optional(),
  condition: LotCondition.optional(),
  expires_within: field.ExpiresWithinParam.optional(),
  in_stock: QueryBool.default(false).describe("Only lots of which units are there."),
  q: field.SearchParam.optional(),
});
export type LotFilters = z.infer<typeof LotFilters>;

export const LotChanges = Edit({
  lot_number: LotNumber.describe("The number that the units carry; another one is that of all that tells of them."),
  production_date: Day.nullable().describe("The day on which the units were made."),
  expiry_date: Day.nullable().describe("The last day on which the units are sold, in all bins."),
  supplier_lot: Text(100, "S-2026-118").nullable().describe("The supplier's own number of the lot."),
  notes: Text(2000, "arrived warm").nullable().describe("Free text about the record."),
  attributes: z
    .record(AttributeName, AttributeValue)
    .refine((attributes) => Object.keys(attributes).length <= 50, "At most 50 attributes")
    .describe("What else is known of the lot, by name; takes the place of what was known."),
  reason: Name(500, "7 read as T").describe("Why it is corrected, for the audit log and the event."),
});
export type LotChanges = z.infer<typeof LotChanges>;

const Reason = Name(500, "complaint 17");

export const LotHold = z.strictObject({
  condition: field.HeldCondition.default("HOLD").describe("What the lot is put in."),
  reason: Reason.describe("Why the lot is not sold."),
});
export type LotHold = z.infer<typeof LotHold>;

export const LotMerge = z.strictObject({
  into_lot_id: field.LotId.describe("The lot that the units are of from now on."),
  reason: Reason.describe("Why they are one lot."),
});
export type LotMerge = z.infer<typeof LotMerge>;

export const LotRelease = z.strictObject({ reason: Reason.describe("Why the lot is sold again.") });
export type LotRelease = z.infer<typeof LotRelease>;
