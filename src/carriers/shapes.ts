import { z } from "zod";
import { DescribedConfig, describeConfig } from "../connectors/shapes.js";
import { countryCode } from "../platform/address/country.js";
import * as field from "../platform/fields/index.js";
import { AnyText, Edit, Id, Name, QueryInt, Text } from "../platform/fields.js";
import { list } from "../platform/list.js";
import { ClockTime, WeekDays } from "../platform/week.js";
import { type Carrier, labelFormats, type Operation, operations } from "./carrier.js";

/** Accounts with carriers: docs/carriers.md. */

export const AccountId = Id.describe("Id of the carrier account.");
export const AccountIdParam = QueryInt.describe("Id of the carrier account.");
export const LabelFormat = z.enum(labelFormats).meta({ description: "How its labels are drawn.", examples: ["pdf"] });
const CarrierName = Name(48, "easypost").describe("The carrier service, by its name in the list of carriers.");

export const CarrierDescription = z
  .strictObject({
    carrier: AnyText("easypost").describe("Its name."),
    title: AnyText("EasyPost").describe("What people call it."),
    config_schema: DescribedConfig.describe("What it has to be told, by field."),
    operations: z.array(z.enum(operations)).meta({ description: "What it can do.", examples: [["rates", "buy"]] }),
    label_formats: z.array(LabelFormat).meta({ description: "How it draws labels.", examples: [["pdf", "zpl"]] }),
    services: z
      .array(
        z.strictObject({
          carrier: AnyText("USPS").describe("Who carries the parcel."),
          service: AnyText("Priority").describe("The carrier's service."),
        }),
      )
      .describe("Services that can be asked for; it may have others."),
  })
  .meta({ id: "CarrierDescription", description: "A carrier service, what it has to be told, and what it can do." });
export type CarrierDescription = z.infer<typeof CarrierDescription>;

export const describeCarrier = (carrier: Carrier): CarrierDescription => ({
  ...{ carrier: carrier.name, title: carrier.title, config_schema: describeConfig(carrier.config) },
  operations: operations.filter((name: Operation) => carrier[name] !== undefined),
  label_formats: [...carrier.formats],
  services: [...carrier.services],
});

const line = (most: number, example: string, what: string) => Name(most, example).describe(what);
/** As carriers take it. */
const ShipFrom = z
  .strictObject({
    name: line(200, "Acme Fulfilment", "Who sends."),
    line1: line(200, "417 Montgomery Street", "Street and number."),
    line2: line(200, "Floor 5", "Floor, flat.").nullable().default(null),
    city: line(100, "San Francisco", "Town."),
    state: line(100, "CA", "State or region, mostly as a code.").nullable().default(null),
    postal_code: line(32, "94104", "Postal (ZIP) code.").nullable().default(null),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, "Expected a code of two capitals, as US")
      .refine((code) => countryCode(code) !== undefined, "Expected the code of a country, as US")
      .meta({ description: "Country, as a code of two letters.", examples: ["US"] }),
    phone: line(64, "+1 555 0100", "Telephone number.").nullable().default(null),
    email: line(255, "dock@example.com", "E-mail address.").nullable().default(null),
  })
  .meta({ id: "ShipFrom", description: "The address that parcels are sent from." });

const CheckAddress = z.boolean().describe("Whether it checks where a parcel goes before a label is bought, if it can.");

const CollectionAt = ClockTime.meta({
  examples: ["16:00"],
  description:
    "When its carriers stop taking parcels for the day, by the clock of the warehouse, and get the manifest.",
});
const CollectionDays = WeekDays.describe("The days of the week on which they come, 1 for Monday to 7 for Sunday.");
const ScanOut = z
  .boolean()
  .describe("Whether each parcel is scanned as it is loaded; otherwise all of them go with the manifest.");
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

export const CarrierAccount = z
  .strictObject({
    account_id: AccountId,
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    account_name: AnyText("EasyPost, main").describe("What people call the account, once in a warehouse."),
    carrier: AnyText("easypost").describe("The carrier service, by its name in the list of carriers."),
    ship_from: ShipFrom,
    label_format: LabelFormat,
    check_address: CheckAddress,
    collection_at: AnyText("16:00")
      .nullable()
      .describe("When its carriers stop taking parcels for the day; null: collections are begun by people."),
    collection_days: CollectionDays,
    scan_out: ScanOut,
    is_active: field.IsActive,
    updated_at: field.UpdatedAt,
    webhook_path: AnyText("/api/v1/carriers/webhooks/3f2b6c1e-9a4d-4c58-8f0e-5d7a1b2c3d4e").describe(
      "Where the carrier sends webhooks to, if it has any: a path of this service that nobody guesses.",
    ),
  })
  .meta({ id: "CarrierAccount", description: "An account with a carrier; never its credentials." });
export type CarrierAccount = z.infer<typeof CarrierAccount>;

export const accountList = list("a.account_id", "a.account_id", "a.account_name", "a.warehouse_id", "a.updated_at");
export const AccountFilters = z.object({
  ...accountList.parameters,
  warehouse_id: field.WarehouseIdParam.optional(),
});
export type AccountFilters = z.infer<typeof AccountFilters>;

const fields = {
  account_name: Name(128, "EasyPost, main").describe("What people call the account, once in a warehouse."),
  config: z.record(Text(128, "api_key"), z.string().min(1).max(10_000)).meta({
    description:
      "The fields of the carrier's config_schema to set; others stay as they are. Stored encrypted, never shown.",
    examples: [{ api_key: "EZTK-4711" }],
  }),
  ship_from: ShipFrom,
  label_format: LabelFormat,
  check_address: CheckAddress,
  collection_at: CollectionAt.nullable(),
  collection_days: CollectionDays,
  scan_out: ScanOut,
};

export const NewCarrierAccount = z.strictObject({
  ...fields,
  warehouse_id: field.WarehouseId,
  carrier: CarrierName,
  config: fields.config.default({}),
  label_format: fields.label_format.default("pdf"),
  check_address: fields.check_address.default(true),
  collection_at: fields.collection_at.default(null),
  collection_days: fields.collection_days.default(EVERY_DAY),
  scan_out: fields.scan_out.default(false),
});
export type NewCarrierAccount = z.infer<typeof NewCarrierAccount>;

export const CarrierAccountChanges = Edit({ ...fields, is_active: field.IsActive });
export type CarrierAccountChanges = z.infer<typeof CarrierAccountChanges>;

export const TestedAccount = z
  .strictObject({
    connected: z.boolean().describe("Whether it answered and accepted the credentials."),
    message: AnyText("Connected: the key is accepted").describe("What it said, for people."),
  })
  .meta({ id: "TestedCarrierAccount", description: "What came of a test of a carrier account." });
