import { CollectionEnded, CollectionNotFound } from "../../../src/carriers/collections/problems.js";
import { collectionById } from "../../../src/carriers/collections/queries.js";
import type { Collection } from "../../../src/carriers/collections/shapes.js";
import { type Actor, checkWarehouse } from "../../../src/platform/actor.js";
import type { Tx } from "../../command.js";

/** The locked collection; whoever loads a parcel shares the lock with others that do. */
export async function lockCollection(tx: Tx, collectionId: number, how: "update" | "share" = "update") {
  const there = await tx.row({}, `select from carrier_collections where collection_id = $1 for ${how}`, [collectionId]);
  return there && collectionById(tx, collectionId);
}

/** The same for a person; refused where it has left, or nothing was in it. */
export async function lockUnderWay(
  tx: Tx,
  collectionId: number,
  by: Actor,
  how: "update" | "share" = "update",
): Promise<Collection> {
  const collection = await lockCollection(tx, collectionId, how);
  if (!collection) throw CollectionNotFound();
  checkWarehouse(by, collection.warehouse_id);
  const { status, collected_at, collection_day } = collection;
  if (status === "cancelled" || collected_at !== null) throw CollectionEnded({ collection_day });
  return collection;
}
