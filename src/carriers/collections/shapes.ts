import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Barcode, CappedLimit, Day, Id, Name, QueryBool, QueryInt, Time } from "../../platform/fields.js";
import { SlipPrint } from "../../platform/labels/shapes.js";
import { list } from "../../platform/list.js";
import { type CollectionStatus, collectionStates } from "../../platform/states.js";
import { ParcelId } from "../../shipping/parcels/shapes.js";
import { AccountId } from "../shapes.js";

/** What a carrier fetches on a day: docs/collections.md. */

const CollectionId = Id.describe("Which collection of a carrier it is.");
export const CollectionIdParam = QueryInt.describe("Which collection of a carrier it is.");
const Status = z.enum(Object.keys(collectionStates) as CollectionStatus[]).meta({
  id: "CollectionStatus",
  description:
    "How far its manifest is: `open` as long as labels are added, `manifesting` while the carrier is asked for it.",
});
const CarrierOf = AnyText("USPS").describe("Who fetches the parcels.");
const CollectionDay = AnyText("2026-05-06").describe("The day of the collection, by the clock of the warehouse.");
const count = (what: string, example: number) =>
  z
    .int()
    .nonnegative()
    .meta({ description: what, examples: [example] });

const ManifestNumber = z.int().meta({ description: "Counts the manifests of a collection.", examples: [1] });

export const Collection = z
  .strictObject({
    collection_id: CollectionId,
    external_id: field.RefTo("collection"),
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    account_id: AccountId,
    account_name: AnyText("EasyPost, main").describe("What people call the account."),
    carrier: CarrierOf,
    collection_day: CollectionDay,
    status: Status,
    scan_out: z.boolean().describe("Whether each parcel is scanned as it is loaded; else all go with the manifest."),
    cut_off_at: Time.nullable().describe("When its manifest is asked for; null: when somebody closes it."),
    parcels: count("Parcels in it.", 20),
    loaded: count("Of these, scanned as they were loaded.", 14),
    without_manifest: count(
      "Of these, with a label and on no manifest, though one was asked for: they get a further one.",
      0,
    ),
    manifest_number: ManifestNumber.describe("Which of its manifests it is at: from 2 on a further one."),
    manifest: z
      .enum(["carrier", "house"])
      .nullable()
      .meta({ description: "Who drew its manifest; null while there is none.", examples: ["carrier"] }),
    attempts: count("Attempts to get the manifest that ended.", 1),
    last_error: AnyText("No connection (ECONNREFUSED)").nullable().describe("Why the last attempt failed, in words."),
    manifested_at: Time.nullable().describe("When its manifest was there."),
    driver_name: AnyText("Jo Miller").nullable().describe("Who fetched it; null where nobody said."),
    signature: AnyText("J. Miller").nullable().describe("What the driver signed with."),
    collected_at: Time.nullable().describe("When it left."),
    collected_by: AnyText("ann").nullable().describe("Who handed it over."),
    created_at: field.CreatedAt,
    updated_at: field.UpdatedAt,
  })
  .meta({ id: "Collection", description: "What a carrier fetches of a warehouse on a day." });
export type Collection = z.infer<typeof Collection>;

export const collectionList = list(
  ...(["c.collection_id", "c.collection_id", "c.collection_day", "c.carrier", "c.cut_off_at"] as const),
  "c.updated_at",
);
export const CollectionFilters = z.object({
  ...collectionList.parameters,
  warehouse_id: field.WarehouseIdParam.optional(),
  account_id: QueryInt.optional().describe("Of this carrier account."),
  carrier: Name(100, "USPS").optional().describe("Of this carrier, in any case."),
  day: Day.optional().describe("Of this day."),
  status: Status.optional().describe("In this status."),
  collected: QueryBool.optional().describe("Whether it has left."),
});
export type CollectionFilters = z.infer<typeof CollectionFilters>;

export const CollectedParcel = z
  .strictObject({
    so_id: field.SoId,
    so_number: field.SoNumber,
    parcel_id: ParcelId.nullable().describe("The parcel; null where an order went as a whole."),
    external_id: field.RefTo("parcel").nullable(),
    parcel_number: z
      .int()
      .nullable()
      .meta({ description: "Which parcel of its order it is.", examples: [1] }),
    tracking_number: field.TrackingNumber.nullable(),
    is_shipped: z.boolean().describe("Whether it is shipped: only then it is loaded."),
    on_manifest: z.boolean().describe("Whether it is on the manifest of this collection or an earlier one."),
    manifest_number: ManifestNumber.nullable().describe("Which manifest of this collection has it; null: none does."),
    loaded_at: Time.nullable().describe("When it was scanned as it was loaded."),
    loaded_by: AnyText("ann").nullable().describe("Who scanned it."),
    left_behind_at: Time.nullable().describe("When a collection first left without it."),
  })
  .meta({ id: "CollectedParcel", description: "A parcel of a collection, or an order that went as a whole." });
export type CollectedParcel = z.infer<typeof CollectedParcel>;

export const ManifestPrint = z.object({
  ...SlipPrint.shape,
  manifest_number: QueryInt.optional().describe("Which of several; by default the newest that the carrier drew."),
});

export const ContentsFilters = z.object({
  loaded: QueryBool.optional().describe("Whether it was scanned as it was loaded."),
  limit: CappedLimit(1000).default(1000).describe("The most parcels of an answer."),
});

export const StoredManifest = z
  .strictObject({
    manifest_number: ManifestNumber,
    parcels: count("Parcels on it.", 20),
    stored_at: Time.describe("When it came."),
  })
  .meta({ id: "StoredManifest", description: "A manifest as the carrier drew it." });
export type StoredManifest = z.infer<typeof StoredManifest>;

export const CollectionContents = z
  .strictObject({
    collection: Collection,
    manifests: z.array(StoredManifest).describe("What the carrier drew; more than one where parcels came late."),
    contents: z.array(CollectedParcel).describe("Its parcels; those that are not loaded stand first."),
  })
  .meta({ id: "CollectionContents", description: "A collection with what is in it." });

export const NewCollection = z
  .strictObject({
    account_id: AccountId,
    carrier: Name(100, "USPS").describe("Who fetches the parcels, as labels name it."),
  })
  .meta({ id: "NewCollection", description: "A collection that somebody begins." });
export type NewCollection = z.infer<typeof NewCollection>;

export const CollectionScan = z
  .strictObject({ scanned_barcode: Barcode.describe("The parcel's code, or its tracking number.") })
  .meta({ id: "CollectionScan", description: "A parcel at the truck." });

export const LoadedParcel = z
  .strictObject({
    ...CollectedParcel.pick({ so_id: true, so_number: true, parcel_id: true, parcel_number: true }).shape,
    ...CollectedParcel.pick({ tracking_number: true, on_manifest: true }).shape,
    is_loaded: z.boolean().describe("Whether it is loaded now."),
    parcels: Collection.shape.parcels,
    loaded: Collection.shape.loaded,
    without_manifest: Collection.shape.without_manifest,
  })
  .meta({ id: "LoadedParcel", description: "What was scanned at the truck, and how much is loaded." });
export type LoadedParcel = z.infer<typeof LoadedParcel>;

export const HandOver = z
  .strictObject({
    driver_name: Name(150, "Jo Miller").nullable().default(null).describe("Who fetches it."),
    signature: Name(500, "J. Miller").nullable().default(null).describe("What the driver signs with, as text."),
  })
  .meta({ id: "HandOver", description: "A collection that leaves." });
export type HandOver = z.infer<typeof HandOver>;

export const HandedOver = z
  .strictObject({
    collection: Collection,
    not_collected: z
      .array(CollectedParcel)
      .describe("What was not loaded: it stays for the next collection of the carrier."),
  })
  .meta({ id: "HandedOver", description: "A collection that has left, and what it left behind." });
export type HandedOver = z.infer<typeof HandedOver>;
