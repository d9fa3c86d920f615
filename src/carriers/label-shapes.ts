import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { AnyText, Id, Name, QueryInt, Text, Time } from "../platform/fields.js";
import { type LabelPurchaseStatus, labelPurchaseStates } from "../platform/states.js";
import { ContentKind } from "../shipping/customs/shapes.js";
import { CostMinor, Currency } from "../shipping/measures.js";
import { ParcelId } from "../shipping/parcels/shapes.js";
import { refunds, refusals } from "./carrier.js";
import { AccountId, LabelFormat } from "./shapes.js";

/** Labels that are bought of carriers: docs/carriers.md. */

export const PurchaseIdParam = QueryInt.describe("Id of the label.");

const Status = z.enum(Object.keys(labelPurchaseStates) as LabelPurchaseStatus[]).meta({
  id: "LabelPurchaseStatus",
  description:
    "Where it stands: `pending` until it is bought or refused, `voiding` until the carrier has taken it back; " +
    "`written_off` where it does not, and somebody decided to go on without the label.",
});
const Fault = z
  .strictObject({
    field: AnyText("shipping_address_line1").describe("The field of the order."),
    message: AnyText("House number is missing").describe("What is wrong with it."),
  })
  .meta({ id: "AddressFault", description: "What a carrier finds wrong with an address." });
const Reason = AnyText("Rule Light: the cheapest").describe("Why this service was chosen.");
const CarrierOf = AnyText("USPS").describe("Who carries the parcel.");
const Service = AnyText("Priority").describe("The carrier's service.");

const ParcelRate = z
  .strictObject({
    account_id: AccountId,
    account_name: AnyText("EasyPost, main").describe("What people call the account."),
    carrier: CarrierOf,
    service: Service,
    cost_minor: CostMinor,
    cost_currency: Currency,
    days: z
      .int()
      .nullable()
      .meta({ description: "Days on the way; null where nobody says.", examples: [2] }),
    chosen: z.boolean().describe("Whether a label would be bought for it now."),
  })
  .meta({ id: "ParcelRate", description: "What a service asks for a parcel." });

export const ParcelRates = z
  .strictObject({
    rates: z.array(ParcelRate).describe("The services, the cheapest first."),
    reason: Reason.nullable().describe("Why the chosen one is; null where none is."),
    messages: z
      .array(z.string())
      .meta({ description: "Why others have no rate.", examples: [["FedEx: no service to this address"]] }),
  })
  .meta({ id: "ParcelRates", description: "What the services of all accounts ask for a parcel; nothing is bought." });
export type ParcelRates = z.infer<typeof ParcelRates>;

const wanted = {
  account_id: AccountId.optional().describe("With this account alone; otherwise with any of the warehouse."),
  carrier: Name(100, "USPS").optional().describe("By this carrier alone."),
  service: Name(100, "Priority").optional().describe("By this service alone; otherwise as rules say."),
  customs_contents: ContentKind.optional().describe("Why it is sent, as customs are told; by default a sale of goods."),
};
export const RatesWanted = z.strictObject(wanted);
export type RatesWanted = z.infer<typeof RatesWanted>;

export const NewLabel = z
  .strictObject({
    ...wanted,
    station: Text(64, "Bench 1").optional().describe("The station whose printer draws it, if its device has one."),
    tracking_number: Name(255, "1Z999AA10123456784").optional().describe("Of a label that was bought by hand."),
    cost_minor: CostMinor.optional().describe("Of a label that was bought by hand."),
    cost_currency: Currency.optional().describe("Of a label that was bought by hand."),
  })
  .refine(
    ({ cost_minor, cost_currency }) => (cost_minor === undefined) === (cost_currency === undefined),
    "cost_minor and cost_currency go together",
  )
  .meta({ id: "NewLabel", description: "Which label is to be bought for a parcel." });
export type NewLabel = z.infer<typeof NewLabel>;

export const Label = z
  .strictObject({
    purchase_id: Id.describe("Id of the label."),
    parcel_id: ParcelId,
    so_id: field.SoId,
    so_number: field.SoNumber,
    parcel_number: z.int().describe("Which parcel of its order it is, from 1."),
    purchase_number: z.int().describe("Which label of its parcel it is, from 1; those that were not bought count."),
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    status: Status,
    account_id: AccountId.nullable().describe("The account that it is bought with; null until one was chosen."),
    carrier: CarrierOf.nullable(),
    service: Service.nullable(),
    reason: Reason.nullable(),
    tracking_number: field.TrackingNumber.nullable(),
    cost_minor: CostMinor.nullable(),
    cost_currency: AnyText("USD").nullable().describe("Currency of the cost, by its ISO 4217 code."),
    label_format: LabelFormat.nullable().describe("How it is drawn; null while it is not stored."),
    refund: z
      .enum(refunds)
      .nullable()
      .describe("How far the carrier's refund is; null without one. Of one that is `rejected`, the label is paid."),
    refusal: z.enum(refusals).nullable().describe("What the carrier refuses; null where it does not."),
    faults: z.array(Fault).describe("What the carrier finds wrong with the address, by field."),
    attempts: z
      .int()
      .nonnegative()
      .meta({ description: "Attempts that ended.", examples: [1] }),
    last_error: AnyText("No connection (ECONNREFUSED)").nullable().describe("Why the last attempt failed, in words."),
    requested_by: AnyText("ann").describe("Who asked for it."),
    created_at: field.CreatedAt,
    bought_at: Time.nullable().describe("When it was known that it is bought."),
    completed_at: Time.nullable().describe("When it came to its end; null while something is to be done."),
  })
  .meta({ id: "Label", description: "A label that is bought of a carrier for a parcel." });
export type Label = z.infer<typeof Label>;

export const WrittenOff = z
  .strictObject({ reason: Text(500, "The carrier's support says that it cannot be taken back").describe("Why.") })
  .meta({ id: "LabelWriteOff", description: "Why a label is given up that its carrier does not take back." });
export type WrittenOff = z.infer<typeof WrittenOff>;

export const CarrierCost = z
  .strictObject({
    carrier: CarrierOf,
    service: Service.nullable(),
    cost_currency: AnyText("USD")
      .nullable()
      .describe("Currency of the costs; null for labels whose cost is not known."),
    labels: z
      .int()
      .nonnegative()
      .meta({ description: "Labels that were bought.", examples: [40] }),
    voided: z
      .int()
      .nonnegative()
      .meta({ description: "Of these, taken back; not those whose refund the carrier rejected.", examples: [1] }),
    cost_minor: z
      .int()
      .nonnegative()
      .meta({ description: "Of those that were not, in the smallest unit of the currency.", examples: [51_800] }),
    mean_minor: z
      .int()
      .nonnegative()
      .nullable()
      .meta({ description: "Of one of them, rounded.", examples: [1328] }),
  })
  .meta({ id: "CarrierCost", description: "What labels of a service cost." });
export type CarrierCost = z.infer<typeof CarrierCost>;
