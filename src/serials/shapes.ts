import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { AnyText, ExternalId, Id, QueryInt, SearchText, Text, Time } from "../platform/fields.js";
import { list } from "../platform/list.js";

/** What an item asks: serial numbers never, at receipt, or when a unit leaves. */
export const SerialPolicy = z.enum(["none", "at_receipt", "at_shipping"]);

/** Serial numbers in a request: as many as units. */
export const GivenSerials = z
  .array(Text(100, "SN-0001"))
  .max(1000)
  .describe("A serial number for each unit, or the GS1 label of the unit (AI 21), as the scanner read it.");

export const SerialNumbers = z.array(field.SerialNumber).describe("The serial numbers of the units.");

export const SerialId = Id.describe("Id of the unit, as long as the house knows it.");

export const SerialParams = z.strictObject({ serial_id: QueryInt.describe("Id of the unit.") });

const SerialStep = z
  .strictObject({
    kind: AnyText("PACKED").describe(
      "RECEIVED, RECEIPT_REVERSED, PACKED, UNPACKED, SHIPPED, SHIP_VOIDED, RETURNED, RETURN_REVERSED, " +
        "ADJUSTED_OUT, FOUND, SENT_BACK or DESTROYED.",
    ),
    at: Time.describe("When it happened."),
    username: AnyText("ann").describe("Who did it."),
    warehouse_id: field.WarehouseId,
    order_number: AnyText("PO-1001").nullable().describe("Number of the purchase or sales order."),
    so_id: field.SoId.nullable(),
    customer_name: field.CustomerName.nullable(),
    receipt_id: field.ReceiptId.nullable(),
    fulfillment_id: field.FulfillmentId.nullable(),
    carrier: field.Carrier.nullable(),
    tracking_number: field.TrackingNumber.nullable(),
  })
  .meta({ id: "SerialStep", description: "What happened to a serial." });

export const BinOfSerial = z
  .strictObject({ bin_id: field.BinId, bin_code: field.BinCode })
  .meta({ id: "BinOfSerial", description: "A bin that a unit may lie in." });

const SerialState = z
  .enum(["IN_STOCK", "PACKED", "SHIPPED", "GONE"])
  .describe(
    "IN_STOCK until it is packed and when it came back, PACKED, SHIPPED, or GONE when its receipt was taken back, " +
      "a correction took it, it went back to its supplier, or was destroyed.",
  );

export const Serial = z
  .strictObject({
    serial_id: SerialId,
    external_id: ExternalId,
    item_id: field.ItemId,
    sku: field.Sku,
    item_name: field.ItemName,
    serial_number: field.SerialNumber,
    state: SerialState,
    warehouse_id: field.WarehouseId,
    warehouse_code: AnyText("WH1").describe("Short code of the warehouse where it was last seen."),
    lot_number: field.Lot.nullable(),
    bins: z
      .array(BinOfSerial)
      .describe(
        "While it is IN_STOCK: the bins of its warehouse that hold its item. Unless it was picked it is in one.",
      ),
    so_id: field.SoId.nullable(),
    so_number: field.SoNumber.nullable(),
    customer_name: field.CustomerName.nullable(),
    steps: z.array(SerialStep).describe("Its life in the caller's warehouses, from the beginning."),
  })
  .meta({ id: "Serial", description: "One unit of an item with serial numbers, and its life." });
export type Serial = z.infer<typeof Serial>;

export const ListedSerial = Serial.omit({ bins: true, steps: true })
  .extend({ created_at: field.CreatedAt, updated_at: field.UpdatedAt })
  .meta({ id: "ListedSerial", description: "One unit of an item with serial numbers." });

export const serialList = list("s.serial_id", "s.serial_id", "s.serial_number", "s.created_at");

export const SerialFilters = z.object({
  ...serialList.parameters,
  item_id: field.ItemIdParam.optional(),
  sku: SearchText("MUG-01").optional().describe("Stock keeping unit of the item, exactly."),
  lot_number: SearchText("LOT-7").optional().describe("Lot of the units, exactly."),
  state: SerialState.optional(),
  warehouse_id: field.WarehouseIdParam.optional(),
  so_id: field.SoIdParam.optional(),
  q: field.SearchParam.optional(),
});
export type SerialFilters = z.infer<typeof SerialFilters>;
