import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { AnyText, ExternalId, Id, Name, QueryInt, Text, Time, Units } from "../platform/fields.js";
import { list, withTotals } from "../platform/list.js";
import { OrderStatus } from "../platform/statuses.js";
import { BinOfSerial, GivenSerials, SerialId } from "../serials/shapes.js";

const RecallId = Id.describe("Id of the recall.");
export const RecallParams = z.strictObject({ recall_id: QueryInt.describe("Id of the recall.") });

const RecallStatus = z.enum(["OPEN", "CLOSED"]).describe("OPEN until somebody closes it.");
const Reason = Name(500, "glass in the jar");

export const Recall = z
  .strictObject({
    recall_id: RecallId,
    external_id: ExternalId,
    reason: AnyText("glass in the jar").describe("Why the goods are called back."),
    status: RecallStatus,
    lot_count: z.int().describe("How many lots it is of."),
    serial_count: z.int().describe("How many units it is of that are called back by their serial numbers."),
    opened_by: AnyText("rita").describe("Name of the user who opened it."),
    opened_at: Time.describe("When it was opened."),
    closed_by: AnyText("rita").nullable().describe("Name of the user who closed it."),
    closed_at: Time.nullable().describe("When it was closed."),
    close_reason: AnyText("the rest is lost").nullable().describe("What was said when it was closed."),
  })
  .meta({ id: "Recall", description: "Lots and serials that are called back." });
export type Recall = z.infer<typeof Recall>;

const UnitState = z
  .enum(["to_count", "found", "returned", "picked", "to_tell", "told", "destroyed", "adjusted_out"])
  .describe("Where it is, as one of the `units` of the recall.");

const RecallUnits = z
  .strictObject({
    known: Units.describe("All units: those that were known when the lot was held, and what came since."),
    to_count: Units.describe("Lie in a bin that was not counted since the opening. Open."),
    found: Units.describe("Lie in a bin that was counted since."),
    returned: Units.describe("Came back as a return since, and lie in a bin."),
    picked: Units.describe("Are picked for orders that have not been shipped. Open: take them back."),
    to_tell: Units.describe("Are with customers who were not told. Open."),
    told: Units.describe("Are with customers who were told."),
    destroyed: Units.describe("Were destroyed."),
    adjusted_out: Units.describe("Were taken off the books otherwise: a count did not find them."),
  })
  .meta({ id: "RecallUnits", description: "Where the units of a recall are; each is in one state." });

export const RecalledLot = z
  .strictObject({
    lot_id: field.LotId,
    lot_number: AnyText("LOT-7").describe("The number that the units carry."),
    item_id: field.ItemId,
    sku: field.Sku,
    item_name: field.ItemName,
    condition: field.StockCondition,
  })
  .meta({ id: "RecalledLot", description: "A lot that is called back." });

export const RecallPlace = z
  .strictObject({
    inventory_id: field.InventoryId,
    lot_id: field.LotId,
    lot_number: AnyText("LOT-7").describe("The number that the units carry."),
    sku: field.Sku,
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    bin_id: field.BinId,
    bin_code: field.BinCode,
    quantity_on_hand: field.QuantityOnHand,
    found: Units.describe("Of these, units that were counted."),
    returned: Units.describe("Of these, units that came back as a return."),
    to_count: Units.describe("Of these, units that are still to be counted."),
    count_id: field.CountId.nullable().describe("The newest count of the bin since the opening."),
  })
  .meta({ id: "RecallPlace", description: "Where units of a recall lie." });

export const RecalledSerial = z
  .strictObject({
    serial_id: SerialId,
    item_id: field.ItemId,
    sku: field.Sku,
    item_name: field.ItemName,
    serial_number: field.SerialNumber,
    lot_number: field.Lot.nullable(),
    warehouse_id: field.WarehouseId,
    warehouse_code: AnyText("WH1").describe("Short code of the warehouse where it was last seen."),
    unit_state: UnitState,
    bins: z.array(BinOfSerial).describe("While it is in stock: the bins of its warehouse that hold its item."),
    so_id: field.SoId.nullable(),
    so_number: field.SoNumber.nullable(),
    customer_name: field.CustomerName.nullable(),
  })
  .meta({ id: "RecalledSerial", description: "A unit that is called back by its serial number." });

export const RecallDetail = Recall.extend({
  units: RecallUnits,
  units_open: Units.describe("Units that are not accounted for: to count, picked, or with customers to tell."),
  lots: z.array(RecalledLot.extend({ units: RecallUnits })).describe("The lots, with where their units are."),
  places: z.array(RecallPlace).describe("Where units lie, at most 2000 rows, those to count first."),
  serials: z.array(RecalledSerial).describe("The units that are called back by their serial numbers."),
}).meta({ id: "RecallDetail", description: "A recall with where its units are." });
export type RecallDetail = z.infer<typeof RecallDetail>;

export const RecallOrder = z
  .strictObject({
    so_id: field.SoId,
    so_number: field.SoNumber,
    status: OrderStatus,
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    customer_name: field.CustomerName.nullable(),
    customer_email: AnyText("ada@example.com").nullable().describe("Where the customer gets mail."),
    customer_phone: field.CustomerPhone.nullable(),
    customer_address: field.CustomerAddress.nullable().describe("Where the order went, in one text."),
    lot_numbers: z.array(AnyText("LOT-7")).describe("Lots of the recall that the order has had units of."),
    serial_numbers: z.array(field.SerialNumber).describe("Serials of the recall that the order has had."),
    picked: Units.describe("Units that are picked and have not left."),
    to_tell: Units.describe("Units with the customer, who was not told."),
    told: Units.describe("Units with the customer, who was told."),
    returned: Units.describe("Units that came back."),
    told_at: Time.nullable().describe("When the customer was told."),
    told_by: AnyText("rita").nullable().describe("Name of the user who noted it."),
    note: AnyText("by telephone").nullable().describe("How the customer was told."),
  })
  .meta({ id: "RecallOrder", description: "An order that has had units of a recall." });

export const recallList = list("r.recall_id", "r.recall_id", "r.opened_at", "r.closed_at", "r.reason");
export const RecallFilters = z.object({
  ...recallList.parameters,
  status: RecallStatus.optional(),
  lot_id: field.LotIdParam.optional(),
  q: field.SearchParam.optional(),
});
export type RecallFilters = z.infer<typeof RecallFilters>;

export const recallOrderList = withTotals(list("o.so_id", "o.so_id", "o.so_number", "o.customer_name", "o.told_at"), {
  picked: { says: "Units that are picked and not shipped." },
  to_tell: { says: "Units that customers have who were not told." },
  told: { says: "Units that customers have who were told." },
  returned: { says: "Units that came back." },
});
export const RecallOrderFilters = z.object({
  ...recallOrderList.parameters,
  state: z
    .enum(["open", "picked", "to_tell", "told", "returned"])
    .optional()
    .describe("Only orders with units in that state; `open` are picked ones and those to tell."),
});
export type RecallOrderFilters = z.infer<typeof RecallOrderFilters>;

export const RecallOpened = z.strictObject({ message: field.Done, recall_id: RecallId });

/** What a command has made of a recall; the same when it is repeated. */
export const RecallDone = z
  .strictObject({
    message: field.Done,
    recall_id: RecallId,
    units: RecallUnits,
    units_open: Units.describe("Units that are not accounted for: to count, picked, or with customers to tell."),
  })
  .meta({ id: "RecallDone", description: "What a command has made of a recall." });

export const NewRecall = z
  .strictObject({
    lot_ids: z.array(Id).min(1).max(20).optional().describe("The lots that are called back."),
    item_id: field.ItemId.optional().describe("The item of the serial numbers."),
    serial_numbers: z
      .array(Text(100, "SN-0001"))
      .min(1)
      .max(100)
      .optional()
      .describe("The serial numbers, or GS1 labels, of units of the item that are called back one by one."),
    reason: Reason.describe("Why the goods are called back."),
  })
  .superRefine(({ lot_ids, item_id, serial_numbers }, { addIssue }) => {
    if (!lot_ids && !serial_numbers)
      addIssue({ code: "custom", path: ["lot_ids"], message: "A recall needs lot_ids or serial_numbers" });
    if ((item_id === undefined) !== (serial_numbers === undefined))
      addIssue({ code: "custom", path: ["item_id"], message: "item_id and serial_numbers go together" });
  });

export const ToldOrders = z.strictObject({
  so_ids: z.array(Id).min(1).max(500).describe("Orders whose customers were told."),
  note: Text(500, "by mail").nullish().describe("How they were told."),
});
export type ToldOrders = z.infer<typeof ToldOrders>;

export const Destruction = z.strictObject({
  inventory_id: field.InventoryId,
  quantity: field.MovedUnitCount.optional().describe("How many units; all that lie there when left out."),
  reason: Reason.describe("How and why they were destroyed."),
  serial_numbers: GivenSerials.nullish().describe(
    "The serial numbers, or labels, of the units, where units of the item have any.",
  ),
});
export type Destruction = z.infer<typeof Destruction>;

export const RecallClosing = z.strictObject({
  reason: Text(500, "the rest is lost").nullish().describe("What is to be known of the end."),
  force: z.boolean().default(false).describe("Closes it although units are not accounted for; needs a reason."),
});
export type RecallClosing = z.infer<typeof RecallClosing>;
