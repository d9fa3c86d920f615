import { z } from "zod";
import { LabelOfItem } from "../../platform/barcodes/shapes.js";
import * as field from "../../platform/fields/index.js";
import { AnyText, ExternalId, Id, QueryInt, Time, Units } from "../../platform/fields.js";
import { list } from "../../platform/list.js";
import { ReplenishmentStatus } from "../../platform/statuses.js";

/** Tasks to carry units from reserve bins to pick faces: docs/replenishment.md. */

const ReplenishmentId = Id.describe("Id of the task, by which routes name it.");
export const ReplenishmentIdParam = QueryInt.describe("Id of the task, by which routes name it.");

export const Replenishment = z
  .strictObject({
    replenishment_id: ReplenishmentId,
    external_id: ExternalId,
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    item_id: field.ItemId,
    sku: field.Sku,
    item_name: field.ItemName,
    upc: field.Upc.nullable(),
    lot_number: field.Lot.nullable(),
    from_bin_id: field.FromBinId,
    from_bin_code: AnyText("R-01-02").describe("Code of the bin that units leave."),
    from_bin_barcode: AnyText("R-01-02").describe("What the scanner reads there."),
    to_bin_id: Id.describe("Id of the bin that units come into."),
    to_bin_code: AnyText("A-01-01").describe("Code of the bin that units come into."),
    to_bin_barcode: AnyText("A-01-01").describe("What the scanner reads there."),
    quantity: field.UnitCount,
    quantity_done: Units.describe("Units of them that are in the pick face."),
    is_urgent: z.boolean().describe("Whether orders that are to be picked need the units."),
    status: ReplenishmentStatus,
    assigned_to: field.AssignedTo.nullable(),
    created_at: Time.describe("When the task was made."),
    updated_at: field.UpdatedAt,
  })
  .meta({ id: "Replenishment", description: "Units to be carried from a reserve bin to a pick face." });
export type Replenishment = z.infer<typeof Replenishment>;

export const replenishmentList = list(
  "r.replenishment_id",
  ...["r.replenishment_id", "r.quantity", "r.is_urgent", "r.status", "r.assigned_to", "r.created_at", "r.updated_at"],
  ...["i.sku", "f.bin_code as from_bin_code", "t.bin_code as to_bin_code"],
);
export const ReplenishmentFilters = z.object({
  ...replenishmentList.parameters,
  warehouse_id: field.WarehouseIdParam.optional(),
  item_id: field.ItemIdParam.optional(),
  status: ReplenishmentStatus.optional(),
});
export type ReplenishmentFilters = z.infer<typeof ReplenishmentFilters>;

export const ReplenishmentChoice = z.strictObject({
  warehouse_id: field.WarehouseId,
  replenishment_id: ReplenishmentId.optional().describe("This task; without it the most urgent one."),
});
export type ReplenishmentChoice = z.infer<typeof ReplenishmentChoice>;

export const ReplenishmentInBody = z
  .strictObject({ replenishment_id: ReplenishmentId })
  .meta({ id: "ReplenishmentInBody", description: "A task to fill up a pick face." });

export const Carried = z.strictObject({
  replenishment_id: ReplenishmentId,
  quantity: field.MovedUnitCount,
  scanned_barcode: LabelOfItem.nullish(),
});
export type Carried = z.infer<typeof Carried>;

const CountId = field.CountId.nullable();

export const CarriedDone = z.strictObject({
  message: field.Done,
  task: Replenishment,
  transfer_id: field.TransferId,
  count_id: CountId.describe("The count of the reserve bin, where these were its last units; null without one."),
});
export type CarriedDone = z.infer<typeof CarriedDone>;

export const ReplenishmentShort = z.strictObject({
  message: field.Done,
  task: Replenishment,
  count_id: CountId.describe("The new count of the reserve bin; null where one was open, or its row is empty."),
});
export type ReplenishmentShort = z.infer<typeof ReplenishmentShort>;
