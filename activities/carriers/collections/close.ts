import { CollectionEmpty, CollectionNotFound } from "../../../src/carriers/collections/problems.js";
import { collectionById } from "../../../src/carriers/collections/queries.js";
import type { Collection } from "../../../src/carriers/collections/shapes.js";
import { type Actor, checkWarehouse } from "../../../src/platform/actor.js";
import { collectionStates, mayBecome } from "../../../src/platform/states.js";
import { command, type Tx } from "../../command.js";
import { entityOf } from "../begin-collection.js";
import { lockCollection } from "./lock.js";

/** From now on labels go to the next collection, and this one gets its manifest. */

/** Closes a collection, or has a manifest that was refused asked for again; one that is closed stays as it is. */
export function closeCollection(collection_id: number, by: Actor): Promise<Collection> {
  return command("carriers.closeCollection", by, { collection_id }, async (tx) => {
    const collection = await lockCollection(tx, collection_id);
    if (!collection) throw CollectionNotFound();
    checkWarehouse(by, collection.warehouse_id);
    if (!mayBecome(collectionStates, collection.status, "manifesting")) return collection;
    if (collection.parcels === 0) throw CollectionEmpty();
    await askForManifest(tx, collection);
    return (await collectionById(tx, collection_id)) as Collection;
  });
}

/** Closes a collection at its cut-off, as the system user; one that nothing is in has ended. */
export function closeAtCutOff(collection_id: number, by: Actor): Promise<null> {
  return command("carriers.closeAtCutOff", by, { collection_id }, async (tx) => {
    const collection = await lockCollection(tx, collection_id);
    if (collection?.status !== "open") return null;
    if (collection.parcels > 0) await askForManifest(tx, collection);
    else await cancelEmpty(tx, collection);
    return null;
  });
}

/** Its manifest is to have the labels that are on no other. */
export async function askForManifest(tx: Tx, collection: Collection): Promise<void> {
  const { collection_id, carrier, collection_day: day, parcels } = collection;
  await tx.run(
    `update carrier_collections
     set status = 'manifesting', attempts = 0, due_at = now(), asking_at = null, remote_id = null, last_error = null,
         updated_at = now()
     where collection_id = $1`,
    [collection_id],
  );
  await tx.run(
    `update label_purchases set manifested_with = $1
     where collection_id = $1 and manifested_with is null and status = 'bought'`,
    [collection_id],
  );
  tx.audit({ action: "COLLECTION_CLOSE", ...entityOf(collection), details: { carrier, day, parcels } });
}

async function cancelEmpty(tx: Tx, collection: Collection): Promise<void> {
  const { collection_id, carrier, collection_day: day } = collection;
  await tx.run("update carrier_collections set status = 'cancelled', updated_at = now() where collection_id = $1", [
    collection_id,
  ]);
  tx.audit({ action: "COLLECTION_CANCEL", ...entityOf(collection), details: { carrier, day } });
}
