import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { AnyText, Moment, Text, Units } from "../platform/fields.js";
import { OrderStatus } from "../platform/statuses.js";
import { OrderType } from "../sales-orders/shapes.js";
import { GivenSerials } from "../serials/shapes.js";

/** Requests and answers of tills: docs/interface.md, Tills. A till identifies places by their codes. */

const eg = <S extends z.ZodType>(schema: S, example: unknown): S => schema.meta({ examples: [example] });
const given = (max: number, example: string) => eg(z.string().trim().min(1).max(max), example);

/** Money: whole cents, never a fraction. */
const Cents = eg(z.int().min(0).max(999_999_999_999), 1990);
export const IdempotencyKey = eg(
  z.uuidv4().describe("Made by the till for each sale or refund. The same key again gets the first answer."),
  "5a1d0e3c-9a57-4c8e-8f0e-2b9b1c7d4e11",
);
const TillSku = eg(z.string().min(1).max(50), "KETTLE-1").describe("Stock keeping unit: the item's own code, unique.");
const WarehouseCode = eg(z.string().min(1).max(20).describe("Code of the warehouse."), "MAIN");
const BinCode = eg(z.string().min(1).max(50).describe("Code of the bin."), "A-01-1");
const TillQuantity = eg(z.int().min(1).max(10_000), 2);
/** The number of an order: tills use no other id. */
export const OrderNumber = eg(z.string().describe("Number of the sales order."), "POS-1001");
export const CashierId = given(100, "cashier-7").describe("Who stands at the till; the user of the audit row.");
export const TerminalId = given(100, "till-2").describe("Which till it is.");
export const TransactionRef = eg(
  z.string().max(128).nullish().describe("The payment's own reference; null for cash."),
  "txn_3PqLkz",
);
export const CompletedAt = Moment.describe("When it was paid, by the clock of the till.");

/** A line of a cart, and the place of its units. */
export const CartLine = z
  .strictObject({
    sku: TillSku,
    warehouse_id: WarehouseCode,
    bin_id: BinCode,
    quantity: TillQuantity.describe("How many units."),
  })
  .meta({ id: "CartLine", description: "Units of an item in one bin." });
export type CartLine = z.infer<typeof CartLine>;

const SkuQuantity = z
  .strictObject({ sku: TillSku, quantity: TillQuantity.describe("How many units.") })
  .meta({ id: "SkuQuantity", description: "Units of an item, wherever they lie." });

/**
 * The details of a card payment: nothing else is accepted, so that no card number gets in (docs/interface.md, Tills).
 */
const CardTender = z
  .strictObject({
    type: z.literal("card").describe("Always this one: the customer pays in this way."),
    amount_cents: Cents.describe("What was paid in this way, in cents."),
    card_brand: given(50, "visa").describe("Who issued the card, such as visa."),
    card_last4: eg(z.string().regex(/^\d{4}$/, "Expected four digits"), "4242").describe("Last digits of the card."),
    auth_code: given(50, "A1B2C3").describe("The processor's approval. It is not kept."),
    external_ref: given(128, "ch_3PqLkz").describe("The processor's reference. It is not kept."),
  })
  .meta({ id: "CardTender", description: "What was paid by one card." });
const CashTender = z
  .strictObject({
    type: z.literal("cash").describe("Always this one: the customer pays in this way."),
    amount_cents: Cents.describe("What was paid in this way, in cents."),
    amount_tendered_cents: Cents.describe("What the customer gave."),
    change_cents: Cents.describe("What the customer got back."),
    external_ref: z.null().optional().describe("Cash has no reference."),
  })
  .meta({ id: "CashTender", description: "What was paid in cash." });
export const Tender = z.discriminatedUnion("type", [CardTender, CashTender]).meta({ id: "Tender" });
export type Tender = z.infer<typeof Tender>;

const PaymentMethod = z.enum(["card", "cash", "split"]);
export const PaymentSummary = z
  .strictObject({
    method: PaymentMethod.describe("How it was paid."),
    subtotal_cents: Cents.describe("Sum of the lines without tax, in cents."),
    tax_cents: Cents.describe("The tax in it, in cents."),
    total_cents: Cents.describe("What was paid, in cents."),
    shipping_cents: Cents.default(0).describe("What of it was paid for shipping, in cents."),
    tenders: z.array(Tender).min(1).max(8).describe("The payments, one entry for each."),
  })
  .meta({ id: "PaymentSummary", description: "The money, as the till reckoned it; it is not recomputed." });
export type PaymentSummary = z.infer<typeof PaymentSummary>;

const ShippingAddress = z
  .strictObject({
    name: Text(200, "Ada Lovelace").nullish().describe("Name of the record, for people."),
    line1: Text(200, "12 St James's Square").nullish().describe("Street and number."),
    line2: Text(200, "Flat 2").nullish().describe("More of the address, such as a floor."),
    city: Text(100, "London").nullish().describe("Town of the address."),
    state: Text(100, "London").nullish().describe("State or region."),
    postal_code: Text(32, "SW1Y 4JH").nullish().describe("Code of the post for the place."),
    country: Text(64, "GB").nullish().describe("Country, by its name or its code."),
    phone: Text(64, "+44 20 7946 0000").nullish().describe("Telephone number, as people write it."),
  })
  .meta({ id: "TillShippingAddress", description: "Where a phone order goes." });

const SaleLine = z
  .strictObject({
    ...CartLine.shape,
    warehouse_id: eg(z.string().max(20).nullish().describe("Code of the warehouse; of a backorder none."), "MAIN"),
    bin_id: eg(z.string().max(50).nullish().describe("Code of the bin; of a backorder none."), "A-01-1"),
    unit_price_cents: Cents.describe("Price of one unit, in cents."),
    tax_cents: Cents.describe("The tax in it, in cents."),
    line_total_cents: Cents.describe("What was paid for the line, in cents."),
    lot_number: field.GivenLot.nullish().describe("Lot of the units at hand; without it, what expires first."),
    fulfillment_note: Text(500, "gift wrap").nullish().describe("A word to whoever hands the goods over."),
    serial_numbers: GivenSerials.nullish(),
  })
  .meta({ id: "SaleLine", description: "Units of an item that were sold, and the bin they are taken from." });

const SaleType = OrderType.extract(["sale", "replacement", "exchange"]).describe("Whether it is sold or comes back.");

const saleExample = {
  ...{ idempotency_key: "5a1d0e3c-9a57-4c8e-8f0e-2b9b1c7d4e11", external_txn_ref: "txn_3PqLkz" },
  ...{ cashier_id: "cashier-7", terminal_id: "till-2", completed_at: "2026-05-06T12:00:00Z" },
  payment_summary: {
    ...{ method: "card", subtotal_cents: 3980, tax_cents: 796, total_cents: 4776, shipping_cents: 0 },
    tenders: [
      {
        ...{ type: "card", amount_cents: 4776, card_brand: "visa", card_last4: "4242" },
        ...{ auth_code: "A1B2C3", external_ref: "ch_3PqLkz" },
      },
    ],
  },
  lines: [
    {
      ...{ sku: "KETTLE-1", warehouse_id: "MAIN", bin_id: "A-01-1", quantity: 2 },
      ...{ unit_price_cents: 1990, tax_cents: 796, line_total_cents: 4776 },
    },
  ],
  ...{ customer_name: "Ada Lovelace", order_origin: "store", order_type: "sale" },
};

export const Sale = z
  .strictObject({
    idempotency_key: IdempotencyKey,
    external_txn_ref: TransactionRef,
    cashier_id: CashierId,
    terminal_id: TerminalId,
    completed_at: CompletedAt,
    payment_summary: PaymentSummary,
    lines: z.array(SaleLine).min(1).max(200).describe("The lines, each for one item."),
    is_phone_order: z.boolean().default(false).describe("Stock is reserved, and the order is picked and shipped."),
    backorder: z.boolean().default(false).describe("Nothing is taken: the order waits for stock."),
    customer_name: field.GivenCustomerName.nullish(),
    customer_phone: Text(50, "+44 20 7946 0000").nullish().describe("The customer's telephone number."),
    customer_email: Text(200, "ada@example.com").nullish().describe("The customer's email address."),
    ship_address: Text(500, "12 St James's Square, London")
      .nullish()
      .describe("Address that the order goes to, in one text."),
    shipping_address: ShippingAddress.nullish().describe("Where the order goes; null where nothing is known of it."),
    order_origin: Text(64, "store").nullish().describe("Where the order came from, as a web shop."),
    ship_method: Text(50, "UPS Ground").nullish().describe("How the order is to be shipped."),
    memo: Text(4096, "call before delivery").nullish().describe("Note on the order."),
    order_type: SaleType.default("sale"),
    parent_so_number: Text(64, "POS-1000")
      .nullish()
      .describe("Of a replacement or an exchange: the order that it belongs to."),
    returned_items: z
      .array(SkuQuantity)
      .max(200)
      .nullish()
      .describe("Of an exchange: what comes back; a return is made for it."),
  })
  .superRefine((sale, { addIssue }) => {
    const refuse = (path: (string | number)[], message: string) => addIssue({ code: "custom", path, message });
    const { backorder, is_phone_order, lines, order_type, returned_items } = sale;
    if (backorder && is_phone_order) refuse(["backorder"], "A phone order is no backorder");
    if (returned_items?.length && order_type !== "exchange") refuse(["returned_items"], "Only of an exchange");
    for (const [i, line] of lines.entries())
      if (line.serial_numbers?.length && (backorder || is_phone_order))
        refuse(["lines", i, "serial_numbers"], "Only of units that are handed over");
    if (backorder) return;
    for (const [i, line] of lines.entries()) {
      if (!line.warehouse_id) refuse(["lines", i, "warehouse_id"], "Only a backorder has no warehouse");
      else if (!line.bin_id) refuse(["lines", i, "bin_id"], "Only a backorder has no bin");
      else if (is_phone_order && line.warehouse_id !== lines[0]?.warehouse_id)
        refuse(["lines", i, "warehouse_id"], "A phone order is picked in one warehouse");
    }
  })
  .meta({ id: "Sale", description: "A sale that was paid at a till.", examples: [saleExample] });
export type Sale = z.infer<typeof Sale>;
export type SaleLine = Sale["lines"][number];

export const SaleRecorded = z
  .strictObject({
    so_id: OrderNumber,
    so_number: OrderNumber,
    replayed: z.literal(false).describe("Also in a replay, which has the header X-Idempotent-Replay."),
  })
  .meta({ id: "SaleRecorded", description: "The order that a sale became." });
export type SaleRecorded = z.infer<typeof SaleRecorded>;

export const CartReason = z.enum([
  ...["sku_not_found", "item_inactive", "warehouse_not_found", "warehouse_not_in_scope", "bin_not_found"],
  "insufficient_stock",
] as const);
export type CartReason = z.infer<typeof CartReason>;

export const CartConflict = z
  .strictObject({
    line_index: eg(z.int().describe("Place of the line in the cart, from 0."), 0),
    sku: TillSku,
    warehouse_id: WarehouseCode,
    bin_id: BinCode,
    requested_qty: TillQuantity.describe("Units that were asked for."),
    reason: CartReason.describe("Why the line cannot be sold."),
    available_qty: Units.optional().describe("What is free for this line after those before it."),
  })
  .meta({ id: "CartConflict", description: "A line of a cart that cannot be sold." });
export type CartConflict = z.infer<typeof CartConflict>;

export const ValidCart = z
  .strictObject({ valid: z.literal(true).describe("That it can.") })
  .meta({ id: "ValidCart", description: "All of the cart can be sold." });
export const InvalidCart = z
  .strictObject({
    valid: z.literal(false).describe("That not all of it can be sold."),
    conflicts: z.array(CartConflict).min(1).describe("The lines that cannot be sold."),
  })
  .meta({ id: "InvalidCart", description: "What of the cart cannot be sold, and why." });

export const Availability = z
  .strictObject({
    sku: field.Sku,
    name: eg(z.string(), "Copper kettle").describe("Name of the item."),
    barcode: AnyText("0400000000015").nullable().describe("UPC of the item."),
    is_taxable: z.literal(true).describe("Always true: tills reckon the tax."),
    availability: z
      .array(
        z.strictObject({
          warehouse_id: eg(z.string().describe("Code of the warehouse."), "MAIN"),
          warehouse_name: field.WarehouseName,
          qty_available: Units.describe("Units that are free in the warehouse."),
          bins: z
            .array(
              z.strictObject({
                bin_id: eg(z.string().describe("Code of the bin."), "A-01-1"),
                bin_name: eg(z.string(), "A-01-1").describe("Code of the bin, for people."),
                qty: field.Qty,
              }),
            )
            .describe("The bins, one entry for each."),
        }),
      )
      .describe("Where units are free, by warehouse."),
  })
  .meta({ id: "Availability", description: "Where units of an item are free to be sold." });
export type Availability = z.infer<typeof Availability>;

const MaybeText = z.string().nullable();
export const TillOrder = z
  .strictObject({
    so_id: OrderNumber,
    so_number: OrderNumber,
    external_id: AnyText("4711").describe("UUID of the order, or the id in the source system that it comes from."),
    order_type: OrderType,
    status: OrderStatus,
    order_source: eg(z.string(), "pos").describe("What made the order, such as web, pos or reference."),
    customer_name: field.CustomerName.nullable(),
    customer_phone: field.CustomerPhone.nullable(),
    shipping_address: z
      .strictObject({
        ...{
          name: MaybeText.meta({ description: "Who gets the parcel.", examples: ["Columbus"] }),
          line1: eg(z.string(), "12 St James's Square").describe("Street and number."),
          line2: eg(MaybeText, "Flat 2").describe("More of the address, such as a floor."),
        },
        ...{
          city: eg(MaybeText, "London").describe("Town of the address."),
          state: eg(MaybeText, "London").describe("State or region."),
          postal_code: eg(MaybeText, "SW1Y 4JH").describe("Code of the post for the place."),
        },
        ...{
          country: eg(MaybeText, "GB").describe("Country, by its name or its code."),
          phone: field.Phone.nullable(),
        },
      })
      .nullable()
      .describe("Where the order goes; null where nothing is known of it."),
    warehouse_code: field.WarehouseCode,
    lines: z
      .array(
        z.strictObject({
          so_line_id: field.SoLineId,
          item_id: field.ItemId,
          sku: field.Sku,
          item_name: field.ItemName,
          quantity_ordered: field.QuantityOrdered,
          quantity_shipped: field.QuantityShipped,
          line_number: field.NumberOfLine,
        }),
      )
      .describe("The lines, each for one item."),
  })
  .meta({ id: "TillOrder", description: "A sales order as a till sees it." });
export type TillOrder = z.infer<typeof TillOrder>;

export const ReferenceOrder = z
  .strictObject({
    so_number: given(128, "OLD-1001").describe("Number of the sales order, unique."),
    customer_name: field.GivenCustomerName.nullish(),
    lines: z.array(SkuQuantity).min(1).max(200).describe("The lines, each for one item."),
  })
  .meta({ id: "ReferenceOrder", description: "A sale of another system, to be referred to." });
export type ReferenceOrder = z.infer<typeof ReferenceOrder>;

const Reference = { so_id: OrderNumber, so_number: OrderNumber };
export const ReferenceCreated = z
  .strictObject({
    ...Reference,
    created: z.literal(true).describe("Whether the order was made; false when it was there before."),
    skipped_skus: z.array(eg(z.string(), "KETTLE-9")).describe("SKUs that no item has; their lines were left out."),
  })
  .meta({ id: "ReferenceCreated", description: "The order that was made." });
export const ReferenceExisting = z
  .strictObject({
    ...Reference,
    created: z.literal(false).describe("Whether the order was made; false when it was there before."),
  })
  .meta({ id: "ReferenceExisting", description: "The order that had the number already." });
export type ReferenceAnswer = z.infer<typeof ReferenceCreated> | z.infer<typeof ReferenceExisting>;
