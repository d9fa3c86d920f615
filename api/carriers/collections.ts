import type { Response } from "express";
import { z } from "zod";
import { beginCollection as begin } from "../../activities/carriers/begin-collection.js";
import { closeCollection as close } from "../../activities/carriers/collections/close.js";
import { handOver } from "../../activities/carriers/collections/hand-over.js";
import { loadParcel, unloadParcel } from "../../activities/carriers/collections/load.js";
import { readManifest } from "../../src/carriers/collections/manifest.js";
import {
  AlreadyCollected,
  CollectionEmpty,
  CollectionEnded,
  CollectionNotFound,
  LabelTakenBack,
  ManifestNotFound,
  NothingByThisCode,
  NotLoaded,
  OtherCarrier,
  ParcelRecalled,
  ShipFirst,
} from "../../src/carriers/collections/problems.js";
import {
  collectionById,
  collections,
  contentsOfCollection,
  storedManifests,
} from "../../src/carriers/collections/queries.js";
import {
  Collection,
  CollectionContents,
  CollectionFilters,
  CollectionIdParam,
  CollectionScan,
  ContentsFilters,
  HandedOver,
  HandOver,
  LoadedParcel,
  ManifestPrint,
  NewCollection,
} from "../../src/carriers/collections/shapes.js";
import { nameOfCollection, startOfCollection } from "../../src/carriers/collections/workflow.js";
import { CarrierAccountInactive, CarrierAccountNotFound, LabelOfOtherFormat } from "../../src/carriers/problems.js";
import { type Actor, checkWarehouse, shownWarehouses } from "../../src/platform/actor.js";
import { db } from "../../src/platform/db/db.js";
import { paged } from "../../src/platform/fields.js";
import { SizeNotOnRoll, slipPrint } from "../../src/platform/labels/shapes.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import type { changed } from "../../workflows/carrier-collection.js";
import { AFile, FileAnswer, printouts, threadCaller } from "../http/file-answer.js";
import { floor, route } from "../http/route.js";
import { tellFromRows } from "../http/workflow-updates.js";

/** What carriers fetch: docs/collections.md. */

const CHANGED: typeof changed.name = "changed";

const params = z.strictObject({ collection_id: CollectionIdParam });
const unknown = [CollectionNotFound, WarehouseDenied];

/** Tells the workflow of a collection to look at its row, and starts it; else the job `reconcile` does. */
function tell(collection: Collection, res: Response): void {
  const start = startOfCollection(collection.collection_id, nameOfCollection(collection));
  res.setHeader("X-Service-Workflow-Id", start.workflowId);
  tellFromRows("carrierCollection", start, { warehouseId: collection.warehouse_id, signal: CHANGED });
}

async function ofCaller(collectionId: number, by: Actor): Promise<Collection> {
  const collection = await collectionById(db, collectionId);
  if (!collection) throw CollectionNotFound();
  checkWarehouse(by, collection.warehouse_id);
  return collection;
}

export const listCollections = route("get /api/shipping/collections", {
  for: floor("ship"),
  summary: "What carriers fetch, by account, carrier and day, the newest day first",
  query: CollectionFilters,
  answers: { 200: paged("collections", Collection, "The collections, one entry for each.") },
  run: async ({ query, by }) => collections(query, shownWarehouses(by, query.warehouse_id)),
});

export const beginCollection = route("post /api/shipping/collections", {
  for: floor("ship"),
  summary: "Begins a collection with the labels of today; gives the one that is open",
  body: NewCollection,
  answers: { 200: Collection },
  errors: [CarrierAccountNotFound, CarrierAccountInactive, WarehouseDenied],
  run: async ({ body, by, res }) => {
    const collection = await begin(body, by);
    tell(collection, res);
    return collection;
  },
});

export const getCollection = route("get /api/shipping/collections/:collection_id", {
  for: floor("ship"),
  summary: "A collection with what is in it, what is not loaded first",
  params,
  query: ContentsFilters,
  answers: { 200: CollectionContents },
  errors: unknown,
  run: async ({ params: { collection_id }, query, by }) => {
    const collection = await ofCaller(collection_id, by);
    const [manifests, contents] = await Promise.all([
      storedManifests(collection_id),
      contentsOfCollection(db, collection_id, query),
    ]);
    return { collection, manifests, contents };
  },
});

export const getManifest = route("get /api/shipping/collections/:collection_id/manifest", {
  for: floor("ship"),
  summary: "The manifest of a collection: as its carrier drew it (PDF), else the house's own, as PDF or ZPL",
  params,
  query: ManifestPrint,
  files: printouts,
  answers: { 200: AFile },
  errors: [...unknown, CollectionEmpty, ManifestNotFound, SizeNotOnRoll, LabelOfOtherFormat],
  run: async ({ params: { collection_id }, query, by, res }) => {
    const how = slipPrint(query);
    const manifest = await readManifest(await ofCaller(collection_id, by), query.manifest_number);
    return new FileAnswer(await manifest.draw(how, threadCaller(by, res)));
  },
});

export const scanIntoCollection = route("post /api/shipping/collections/:collection_id/scan", {
  for: floor("ship"),
  summary: "Loads a parcel, by its code or tracking number; the same one again changes nothing",
  params,
  body: CollectionScan,
  answers: { 200: LoadedParcel },
  errors: [
    ...[...unknown, CollectionEnded, NothingByThisCode, ShipFirst, LabelTakenBack, OtherCarrier, ParcelRecalled],
    AlreadyCollected,
  ],
  run: ({ params, body, by }) => loadParcel({ ...params, ...body }, by),
});

export const takeOffCollection = route("post /api/shipping/collections/:collection_id/take-off", {
  for: floor("ship"),
  summary: "Takes down a parcel that was loaded by mistake",
  params,
  body: CollectionScan,
  answers: { 200: LoadedParcel },
  errors: [...unknown, CollectionEnded, NothingByThisCode, NotLoaded],
  run: ({ params, body, by }) => unloadParcel({ ...params, ...body }, by),
});

export const closeCollection = route("post /api/shipping/collections/:collection_id/close", {
  for: floor("ship"),
  summary: "Has the manifest made now, in the background; labels go to the next collection from now on",
  params,
  answers: { 202: Collection },
  errors: [...unknown, CollectionEmpty],
  run: async ({ params, by, res }) => {
    const collection = await close(params.collection_id, by);
    tell(collection, res);
    return collection;
  },
});

export const handOverCollection = route("post /api/shipping/collections/:collection_id/hand-over", {
  for: floor("ship"),
  summary: "A collection leaves; answers what was not loaded, which stays for the next one",
  params,
  body: HandOver,
  answers: { 200: HandedOver },
  errors: [...unknown, CollectionEnded, CollectionEmpty],
  run: async ({ params, body, by, res }) => {
    const handed = await handOver({ ...params, ...body }, by);
    tell(handed.collection, res);
    return handed;
  },
});
