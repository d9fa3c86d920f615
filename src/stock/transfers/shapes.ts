import { z } from "zod";
import { LabelOfItem } from "../../platform/barcodes/shapes.js";
import { ExternalId, Id, LotNumber, Quantity, Text, Time, Units } from "../../platform/fields.js";

const OtherId = Id.meta({ examples: [2] });

/** Units of an item to be moved from one bin to another bin of the same warehouse. */
export const BinTransfer = z
  .strictObject({
    item_id: Id,
    from_bin_id: Id,
    to_bin_id: OtherId,
    quantity: Quantity,
    lot_number: LotNumber.nullish(),
    scanned_barcode: LabelOfItem.nullish(),
  })
  .refine((move) => move.from_bin_id !== move.to_bin_id, "Source and destination bin are the same");
export type BinTransfer = z.infer<typeof BinTransfer>;

export const BinTransferWithReason = BinTransfer.safeExtend({
  reason: Text(500, "Bin too full").nullish(),
});
export type BinTransferWithReason = z.infer<typeof BinTransferWithReason>;

export const BinTransferDone = z.strictObject({
  message: z.string(),
  transfer_id: Id,
  item: z.strictObject({ sku: z.string(), item_name: z.string() }),
  from_bin: z.strictObject({ bin_code: z.string(), remaining_quantity: Units }),
  to_bin: z.strictObject({ bin_code: z.string(), new_quantity: Units }),
  quantity_moved: Units,
});
export type BinTransferDone = z.infer<typeof BinTransferDone>;

export const NewInterWarehouseTransfer = z
  .strictObject({
    item_id: Id,
    from_bin_id: Id,
    from_warehouse_id: Id,
    to_bin_id: OtherId,
    to_warehouse_id: OtherId,
    quantity: Quantity,
    reason: Text(500, "closer to the customers").nullish(),
  })
  .refine((move) => move.from_bin_id !== move.to_bin_id, "Source and destination bin are the same");
export type NewInterWarehouseTransfer = z.infer<typeof NewInterWarehouseTransfer>;

const between = {
  transfer_id: Id,
  item_id: Id,
  sku: z.string(),
  from_bin_id: Id,
  from_bin_code: z.string(),
  from_warehouse_id: Id,
  to_bin_id: Id,
  to_bin_code: z.string(),
  to_warehouse_id: Id,
  quantity: Units,
  transferred_at: Time,
};

export const InterWarehouseTransferDone = z.strictObject({ ...between, reason: z.string().nullable() });
export type InterWarehouseTransferDone = z.infer<typeof InterWarehouseTransferDone>;

export const InterWarehouseTransfer = z
  .strictObject({
    ...between,
    external_id: ExternalId,
    item_name: z.string(),
    from_warehouse_name: z.string(),
    from_warehouse_code: z.string(),
    to_warehouse_name: z.string(),
    to_warehouse_code: z.string(),
    transferred_by: z.string().nullable(),
    status: z.literal("completed"),
  })
  .meta({
    id: "InterWarehouseTransfer",
    description: "Units of an item that were moved to another warehouse, or to another bin.",
  });
export type InterWarehouseTransfer = z.infer<typeof InterWarehouseTransfer>;
