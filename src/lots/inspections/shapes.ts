import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, ExternalId, Id, Name, Time, Units } from "../../platform/fields.js";
import { list } from "../../platform/list.js";
import { GivenSerials } from "../../serials/shapes.js";
import { StockHold } from "../../stock/holds/shapes.js";

/** Inspections: docs/inspection.md. */

const InspectionStatus = z
  .enum(["OPEN", "CLOSED"])
  .describe("OPEN while there are units to decide about, then CLOSED.");

export const Decision = z
  .enum(["release", "hold", "damage", "return_to_supplier"])
  .describe(
    "What becomes of units: release sells them again, hold and damage keep them as HOLD or DAMAGED, " +
      "return_to_supplier takes them out of stock.",
  );
export type Decision = z.infer<typeof Decision>;

export const InspectionParams = z.strictObject({ inspection_id: field.InspectionIdParam });

export const Inspection = z
  .strictObject({
    inspection_id: field.InspectionId,
    external_id: ExternalId,
    item_id: field.ItemId,
    item_external_id: ExternalId,
    sku: field.Sku,
    item_name: field.ItemName,
    warehouse_id: Id.nullable().describe("Id of the warehouse; null where it is of a lot, in all warehouses."),
    warehouse_code: AnyText("MAIN").nullable().describe("Code of the warehouse; null where it is of a lot."),
    lot_id: Id.nullable().describe("Id of the lot that is inspected as a whole; null where it is of units in bins."),
    lot_number: field.Lot.nullable(),
    reason: AnyText("complaint 17").describe("Why the goods are inspected."),
    status: InspectionStatus,
    quantity: Units.describe("Units when it was opened."),
    quantity_open: Units.describe("Units that are still to be decided about."),
    opened_by: AnyText("rita").describe("Who put the goods in quarantine."),
    opened_at: Time.describe("When that was."),
    reminded_at: Time.nullable().describe("When it was last reminded of; null before that."),
    due_at: Time.nullable().describe("Until when it is to be decided; null without a deadline."),
    is_overdue: z.boolean().describe("Whether it is open although `due_at` is over."),
    closed_at: Time.nullable().describe("When there was nothing left to decide."),
  })
  .meta({ id: "Inspection", description: "Goods in quarantine that wait for a decision." });
export type Inspection = z.infer<typeof Inspection>;

export const InspectionDecision = z
  .strictObject({
    decision: Decision,
    quantity: Units.describe("Units that were decided about."),
    reason: AnyText("seal is whole").describe("Why."),
    decided_by: AnyText("rita").describe("Who decided."),
    decided_at: Time.describe("When it was decided."),
  })
  .meta({ id: "InspectionDecision", description: "What was decided about units of an inspection." });

export const InspectionDetail = Inspection.extend({
  holds: z.array(StockHold).describe("The units, bin by bin; none where it is of a lot."),
  decisions: z.array(InspectionDecision).describe("What was decided, the oldest first."),
}).meta({ id: "InspectionDetail", description: "An inspection with its units and its decisions." });
export type InspectionDetail = z.infer<typeof InspectionDetail>;

export const inspectionList = list(
  "inspection_id",
  ...["inspection_id", "sku", "opened_at", "due_at", "closed_at", "n.quantity"],
);

export const InspectionFilters = z.object({
  ...inspectionList.parameters,
  warehouse_id: field.WarehouseIdParam.optional(),
  item_id: field.ItemIdParam.optional(),
  lot_id: field.LotIdParam.optional(),
  status: InspectionStatus.optional(),
  q: field.SearchParam.optional(),
});
export type InspectionFilters = z.infer<typeof InspectionFilters>;

export const NewDecision = z
  .strictObject({
    decision: Decision,
    quantity: z
      .int()
      .positive()
      .max(2_147_483_647)
      .nullish()
      .describe("How many units; by default all that are open. A lot is decided about as a whole."),
    reason: Name(500, "seal is whole").describe("Why."),
    serial_numbers: GivenSerials.nullish().describe(
      "The serial numbers, or labels, of the units that go back to the supplier, where units of the item have any.",
    ),
  })
  .refine(({ decision, serial_numbers }) => decision === "return_to_supplier" || !serial_numbers?.length, {
    path: ["serial_numbers"],
    error: "Only units that go back to the supplier are named",
  })
  .meta({ examples: [{ decision: "release", quantity: 3, reason: "seal is whole" }] });
export type NewDecision = z.infer<typeof NewDecision>;
