import { openProblem, problem } from "../../platform/problem.js";

/** Refusals of collections: docs/collections.md. */

export const CollectionNotFound = problem("collection_not_found", 404, "Collection not found");
export const CollectionEnded = openProblem("collection_ended", 409, "The collection of {collection_day} has ended");
export const CollectionEmpty = problem("collection_empty", 409, "Nothing is in the collection");
export const ManifestNotFound = problem("manifest_not_found", 404, "The carrier drew no such manifest");

export const NothingByThisCode = problem("nothing_by_this_code", 404, "No parcel and no shipment has this code");
export const ShipFirst = openProblem("ship_first", 409, "{what} is {status}, not shipped");
export const OtherCarrier = openProblem("other_carrier", 409, "{what} goes with {goes_with}, not with {carrier}");
export const LabelTakenBack = openProblem("label_taken_back", 409, "The label of {what} was taken back");
export const ParcelRecalled = openProblem(
  "parcel_recalled",
  409,
  "In {what} are {units}, which recall {recall_id} has",
);
export const AlreadyCollected = openProblem(
  "already_collected",
  409,
  "{what} went with the collection of {collection_day}",
);
export const NotLoaded = openProblem("not_loaded", 409, "{what} is not loaded");
