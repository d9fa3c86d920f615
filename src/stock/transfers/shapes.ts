import { z } from "zod";
import { LabelOfItem } from "../../platform/barcodes/shapes.js";
import * as field from "../../platform/fields/index.js";
import { AnyText, ExternalId, Id, Text, Time, Units } from "../../platform/fields.js";

const OtherId = Id.meta({ examples: [2] });

/** Units of an item to be moved from one bin to another bin of the same warehouse. */
export const BinTransfer = z
  .strictObject({
    item_id: field.ItemId,
    from_bin_id: field.FromBinId,
    to_bin_id: OtherId.describe("Id of the bin that units come into."),
    quantity: field.MovedUnitCount,
    lot_number: field.GivenLot.nullish(),
    scanned_barcode: LabelOfItem.nullish(),
  })
  .refine((move) => move.from_bin_id !== move.to_bin_id, "Source and destination bin are the same");
export type BinTransfer = z.infer<typeof BinTransfer>;

export const BinTransferWithReason = BinTransfer.safeExtend({
  reason: Text(500, "Bin too full").nullish().describe("Why, in the words of the user."),
});
export type BinTransferWithReason = z.infer<typeof BinTransferWithReason>;

export const BinTransferDone = z.strictObject({
  message: field.Done,
  transfer_id: field.TransferId,
  item: z
    .strictObject({ sku: field.Sku, item_name: field.ItemName })
    .describe("The item that was asked for or written."),
  from_bin: z
    .strictObject({ bin_code: field.BinCode, remaining_quantity: Units.describe("Units that are left in the bin.") })
    .describe("The bin that units leave."),
  to_bin: z
    .strictObject({ bin_code: field.BinCode, new_quantity: Units.describe("Units on hand afterwards.") })
    .describe("The bin that units come into."),
  quantity_moved: Units.describe("Units that were moved."),
});
export type BinTransferDone = z.infer<typeof BinTransferDone>;

export const NewInterWarehouseTransfer = z
  .strictObject({
    item_id: field.ItemId,
    from_bin_id: field.FromBinId,
    from_warehouse_id: field.FromWarehouseId,
    to_bin_id: OtherId.describe("Id of the bin that units come into."),
    to_warehouse_id: OtherId.describe("Id of the warehouse that units come into."),
    quantity: field.MovedUnitCount,
    reason: Text(500, "closer to the customers").nullish().describe("Why, in the words of the user."),
  })
  .refine((move) => move.from_bin_id !== move.to_bin_id, "Source and destination bin are the same");
export type NewInterWarehouseTransfer = z.infer<typeof NewInterWarehouseTransfer>;

const between = {
  transfer_id: field.TransferId,
  item_id: field.ItemId,
  sku: field.Sku,
  from_bin_id: field.FromBinId,
  from_bin_code: AnyText("A-01-02").describe("Code of the bin that units leave."),
  from_warehouse_id: field.FromWarehouseId,
  to_bin_id: Id.describe("Id of the bin that units come into."),
  to_bin_code: AnyText("B-02-01").describe("Code of the bin that units come into."),
  to_warehouse_id: Id.describe("Id of the warehouse that units come into."),
  quantity: field.UnitCount,
  transferred_at: Time.describe("When the units were moved."),
};

export const InterWarehouseTransferDone = z.strictObject({
  ...between,
  reason: field.Reason.nullable(),
  lots: z
    .array(
      z.strictObject({ transfer_id: field.TransferId, lot_number: field.Lot.nullable(), quantity: field.UnitCount }),
    )
    .optional()
    .describe("Where units of several lots were moved: the movement of each; the transfer's id is that of the first."),
});
export type InterWarehouseTransferDone = z.infer<typeof InterWarehouseTransferDone>;

export const InterWarehouseTransfer = z
  .strictObject({
    ...between,
    external_id: ExternalId,
    lot_number: field.Lot.nullable(),
    item_name: field.ItemName,
    from_warehouse_name: AnyText("Columbus").describe("Name of the warehouse that units leave."),
    from_warehouse_code: AnyText("WH1").describe("Code of the warehouse that units leave."),
    to_warehouse_name: AnyText("Dayton").describe("Name of the warehouse that units come into."),
    to_warehouse_code: AnyText("WH2").describe("Code of the warehouse that units come into."),
    transferred_by: AnyText("ann").nullable().describe("Who moved the units."),
    status: z.literal("completed").describe("Where the record stands in its life."),
  })
  .meta({
    id: "InterWarehouseTransfer",
    description: "Units of an item that were moved to another warehouse, or to another bin.",
  });
export type InterWarehouseTransfer = z.infer<typeof InterWarehouseTransfer>;
