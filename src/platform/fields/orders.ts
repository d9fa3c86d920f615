import { z } from "zod";
import {
  AnyText,
  Barcode,
  Day,
  Id,
  LineNumber,
  Name,
  OrderQuantity,
  QueryInt,
  Text,
  Time,
  Units,
  Weight,
} from "../fields.js";

/** Fields of orders and of the work on them. */

const UUID = "3f2b6c1e-9a4d-4c58-8f0e-5d7a1b2c3d4e";
/** A record as events name it. */
export const RefTo = (record: string) =>
  AnyText(UUID).describe(`Id of the ${record} in its source system, else our UUID.`);
/** A user as events name them. */
export const UserBy = (deed: string) => AnyText(UUID).describe(`UUID of the user by whom it was ${deed}.`);

export const PoId = Id.describe("Id of the purchase order.");
export const PoIdParam = QueryInt.describe("Id of the purchase order.");
export const GivenPoNumber = Name(128, "PO-1001").describe("Number of the purchase order, unique.");
export const PoNumber = AnyText("PO-2001").describe("Number of the purchase order, unique.");
export const PoBarcode = Name(128, "PO-1001").describe("What the scanner reads on the purchase order.");
export const PoLineId = Id.describe("Id of the purchase order's line.");
export const ExpectedDate = Day.describe("The day on which the goods should come.");
export const GivenQuantityOrdered = OrderQuantity.describe("Units that the line orders.");
export const QuantityOrdered = Units.describe("Units that the line orders.");
export const QuantityReceived = Units.describe("Units that were booked in so far.");
export const QuantityRemaining = Units.describe("Units that are still to come.");
export const ReceiptId = Id.describe("Id of the receipt: units of one item booked in at one time.");
export const ReceiptIdParam = QueryInt.describe("Id of the receipt: units of one item booked in at one time.");
export const ReceiptIds = z.array(Id).describe("Ids of the receipts, one for each item sent.");
export const ReceivedAt = Time.describe("When it was received.");
export const SoId = Id.describe("Id of the sales order.");
export const SoIdParam = QueryInt.describe("Id of the sales order.");
export const GivenSoNumber = Name(128, "SO-1001").describe("Number of the sales order, unique.");
export const SoNumber = AnyText("SO-1001").describe("Number of the sales order, unique.");
export const SoBarcode = AnyText("SO-1001").describe("What the scanner reads on the sales order.");
export const SoLineId = Id.describe("Id of the sales order's line.");
export const ExcludeSoIds = z.array(Id).describe("Ids of sales orders to leave out.");
export const OrderDate = Day.describe("When the order was placed.");
export const GivenOrderOrigin = Text(64, "web").describe("Where the order came from, as a web shop.");
export const OrderOrigin = AnyText("web").describe("Where the order came from, as a web shop.");
export const CustomerName = AnyText("Mary Miller").describe("Name of the customer, as on the parcel.");
export const GivenCustomerName = Text(200, "Ada Lovelace").describe("Name of the customer, as on the parcel.");
export const CustomerPhone = AnyText("+1 555 0100").describe("The customer's telephone number.");
export const CustomerAddress = AnyText("12 Main Street, Springfield, IL 62701").describe("The customer's address.");
export const ShipAddress = AnyText("12 Main Street, Springfield, IL 62701").describe(
  "Address that the order goes to, in one text.",
);
export const ShipByDate = Day.describe("The day by which the order must leave.");
export const ShipMethod = AnyText("UPS Ground").describe("How the order is to be shipped.");
export const Memo = AnyText("Gift wrap, please").describe("Note on the order.");
export const Notes = AnyText("Call before delivery").describe("Notes on the record.");
export const Priority = z.int().describe("The bin's rank among the item's preferred bins; 1 is the first.");
export const CountOfLines = z.int().describe("How many lines.");
export const GivenNumberOfLine = LineNumber.describe("Number of the line in the order.");
export const NumberOfLine = z.int().describe("Number of the line in the order.");
export const LineCount = z.int().describe("How many lines.");
export const TotalLines = z.int().describe("How many lines.");
export const ParentSoId = Id.describe("Id of the order that it was split from or belongs to; null otherwise.");
export const ParentSoNumber = AnyText("SO-1000").describe("Number of the order that it was split from.");
export const BackorderOpenedAt = Time.describe("When the order began to wait for stock.");
export const CancellationReason = AnyText("Customer changed their mind").describe("Why it was cancelled.");
export const VoidedAt = Time.describe("When the shipment or the return was voided.");
export const QuantityPicked = Units.describe("Units that were picked so far.");
export const QuantityPacked = Units.describe("Units that were packed so far.");
export const QuantityShipped = Units.describe("Units that left with a carrier.");
export const QuantityToPick = Units.describe("Units to pick.");
export const Qty = Units.describe("How many units.");
export const Shortage = Units.describe("Units that were missing.");
export const BatchId = Id.describe("Id of the wave.");
export const BatchIdParam = QueryInt.describe("Id of the wave.");
export const BatchNumber = AnyText("BATCH-20260506-001").describe("Number of the wave.");
export const PickTaskId = Id.describe("Id of the pick task: units of one item from one bin.");
export const ToteNumber = AnyText("TOTE-12").describe("The tote that the order's units go into.");
export const AssignedTo = AnyText("ann").describe("Who works on it.");
export const TotalOrders = z.int().describe("How many orders.");
export const TotalItems = Units.describe("How many units.");
export const TotalPicks = z.int().describe("How many pick tasks.");
export const TotalUnits = Units.describe("How many units.");
export const TotalQuantity = Units.describe("How many units.");
export const ScannedBarcode = Barcode.describe("What the scanner read.");
export const PrintedAt = Time.describe("When the picking ticket was printed.");
export const RequirePacking = z.boolean().describe("Whether orders are packed before they are shipped.");
export const CalculatedWeightLbs = Weight.describe("Weight of all units, in pounds.");
export const Carrier = AnyText("UPS").describe("Who carries the parcel.");
export const TrackingNumber = AnyText("1Z999AA10123456784").describe("The carrier's number of the parcel.");
export const FulfillmentId = Id.describe("Id of the shipment.");
export const ShippedAt = Time.describe("When it was shipped.");
export const ReleasedAllocation = Units.describe("Units that are no longer reserved.");
export const DaysWaiting = z.int().describe("For how many days the order has waited.");
export const BackorderSoNumber = AnyText("SO-1001-B1").describe("Number of the waiting order.");
export const ToLineId = Id.describe("Id of a transfer order's line.");
export const ToApprovalId = Id.describe("Id of the approval: picks that were submitted together.");
export const SourceWarehouseId = Id.describe("Id of the warehouse that sends.");
export const DestinationWarehouseId = Id.describe("Id of the warehouse that receives.");
export const RequestedQty = Units.describe("Units that were asked for.");
export const CommittedQty = Units.describe("Units that the line holds, or held, at the source.");
export const BackorderSoExternalId = RefTo("backorder sales order");
export const BinExternalId = RefTo("bin");
export const CancelledByUserExternalId = UserBy("cancelled");
export const CompletedByUserExternalId = UserBy("completed");
export const EditedByUserExternalId = UserBy("edited");
export const ItemExternalId = RefTo("item");
export const ParentSoExternalId = RefTo("parent sales order");
export const PoExternalId = RefTo("purchase order");
export const ReceiptExternalId = RefTo("receipt");
export const SalesOrderExternalId = RefTo("sales order");
export const IsShort = z
  .boolean()
  .describe("Whether less was picked than is ordered, and nobody has decided what becomes of it.");
