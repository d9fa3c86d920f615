import { z } from "zod";
import { AnyText, Day, Id, IntText, LotNumber, OrderQuantity, Quantity, QueryInt, Time, Units } from "../fields.js";

/** Fields of stock, movements and counts. */

export const InventoryId = Id.describe("Id of the row of stock: one item and lot in one bin.");
export const GivenUnitCount = OrderQuantity.describe("How many units.");
export const MovedUnitCount = Quantity.describe("How many units.");
export const UnitCount = Units.describe("How many units.");
export const QuantityOnHand = Units.describe("Units that lie in the bin.");
export const QuantityAllocated = Units.describe("Units that are reserved for orders.");
export const QuantityAvailable = Units.describe("Units on hand that no order has reserved.");
export const GivenLot = LotNumber.describe("Lot of the units; null where lots are not kept.");
export const Lot = AnyText("LOT-7").describe("Lot of the units; null where lots are not kept.");
export const SerialNumber = AnyText("SN-0001").describe("Serial number of the unit.");
export const ExpiryDate = Day.describe(
  "The day when the units expire, the earliest of them; null where it is not known.",
);
export const ProductionDate = Day.describe("The day on which the units were made; null where it is not known.");
export const StockCondition = AnyText("AVAILABLE").describe(
  "AVAILABLE, or why the units are not sold: HOLD, QUARANTINE or DAMAGED, as their lot, or EXPIRED.",
);
export const EffectiveCondition = AnyText("AVAILABLE").describe(
  "The same, or that of the zone (DAMAGED, QUARANTINE), or of holds on all of the units; AVAILABLE otherwise.",
);
export const LotId = Id.describe("Id of the record of units that were made together.");
export const LotIdParam = QueryInt.describe("Id of the record of units that were made together.");
export const HeldCondition = z
  .enum(["HOLD", "QUARANTINE", "DAMAGED"])
  .describe("Why units are not sold: HOLD, QUARANTINE or DAMAGED.");
export const HoldId = Id.describe("Id of the hold: units of a stock row that are not sold.");
export const HoldIdParam = QueryInt.describe("Id of the hold.");
export const InventoryIdParam = QueryInt.describe("Id of the stock row: an item's lot in a bin.");
export const InspectionId = Id.describe("Id of the inspection that decides about the units.");
export const InspectionIdParam = QueryInt.describe("Id of the inspection.");
export const QuantityHeld = Units.describe("Units that are on hold now: they are sold to nobody.");
export const StockConditionParam = z
  .enum(["AVAILABLE", "HOLD", "QUARANTINE", "DAMAGED", "EXPIRED"])
  .describe("Only stock in this condition.");
export const ExpiresWithinParam = IntText(z.int().nonnegative().max(36_500)).describe(
  "Only units that are there and expire within so many days, or have expired.",
);
export const FromBinId = Id.describe("Id of the bin that units leave.");
export const FromWarehouseId = Id.describe("Id of the warehouse that units leave.");
export const TransferId = Id.describe("Id of the movement.");
export const AdjustmentId = Id.describe("Id of the correction of stock.");
export const QuantityChange = Units.describe("Units added; negative when removed.");
export const QuantityDelta = z.int().describe("Units added; negative when removed.");
export const Reason = AnyText("Damaged in the aisle").describe("Why, in the words of the user.");
export const ReasonCode = AnyText("DAMAGED").describe("Why, as a code.");
export const AdjustedAt = Time.describe("When the stock was corrected.");
export const CountId = Id.describe("Id of the cycle count.");
export const CountIdParam = QueryInt.describe("Id of the cycle count.");
export const CountLineId = Id.describe("Id of the count's line: one item in the bin.");
export const CountedQuantity = Units.describe("Units that were counted; null until then.");
export const ExpectedQuantity = Units.describe("Units that should be there; null in a blind count.");
export const Variance = Units.describe("Counted less expected units.");
export const Unexpected = z.boolean().describe("Whether the item was found though none was expected.");
