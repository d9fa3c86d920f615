import { CollectionEmpty, CollectionNotFound } from "../../../src/carriers/collections/problems.js";
import { collectionById } from "../../../src/carriers/collections/queries.js";
import type { Collection } from "../../../src/carriers/collections/shapes.js";
import { type Actor, checkWarehouse } from "../../../src/platform/actor.js";
import { bool, int } from "../../../src/platform/db/columns.js";
import { collectionStates, mayBecome } from "../../../src/platform/states.js";
import { command, type Tx } from "../../command.js";
import { entityOf } from "../begin-collection.js";
import { lockCollection } from "./lock.js";

/** From now on labels go to the next collection, and this one gets its manifest. */

/**
 * Closes a collection, has a manifest that was refused asked for again, or a further one for what was loaded since. One
 * that lacks nothing stays as it is.
 */
export function closeCollection(collection_id: number, by: Actor): Promise<Collection> {
  return command("carriers.closeCollection", by, { collection_id }, async (tx) => {
    const collection = await lockCollection(tx, collection_id);
    if (!collection) throw CollectionNotFound();
    checkWarehouse(by, collection.warehouse_id);
    const { status, without_manifest } = collection;
    if (!mayBecome(collectionStates, status, "manifesting")) return collection;
    if (status === "manifested" && without_manifest === 0) return collection;
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

/**
 * Its manifest is to have the labels that are on no other. Behind one that is there it is a further one, with a key of
 * its own. Of one that failed and that the carrier has made all the same, the file alone is asked for.
 */
export async function askForManifest(tx: Tx, collection: Collection): Promise<void> {
  const { collection_id, carrier, collection_day: day, parcels, status } = collection;
  const asked = await tx.row(
    AskedRow,
    `update carrier_collections
     set status = 'manifesting', attempts = 0, due_at = now(), last_error = null, manifested_at = null,
         asking_at = case when not $2::bool then asking_at end, remote_id = case when not $2::bool then remote_id end,
         manifest_number = manifest_number + $2::bool::int,
         key = case when $2::bool then gen_random_uuid() else key end,
         updated_at = now()
     where collection_id = $1 returning manifest_number, remote_id is not null as is_made`,
    [collection_id, status === "manifested"],
  );
  if (asked && !asked.is_made) await putOnManifest(tx, collection_id, asked.manifest_number);
  tx.audit({ action: "COLLECTION_CLOSE", ...entityOf(collection), details: { carrier, day, parcels } });
}

const AskedRow = { manifest_number: int, is_made: bool };

/** Puts the labels of a collection that are on no manifest on this one. */
export const putOnManifest = (tx: Tx, collectionId: number, manifestNumber: number) =>
  tx.run(
    `update label_purchases set manifested_with = $1, manifest_number = $2
     where collection_id = $1 and manifested_with is null and status = 'bought'`,
    [collectionId, manifestNumber],
  );

async function cancelEmpty(tx: Tx, collection: Collection): Promise<void> {
  const { collection_id, carrier, collection_day: day } = collection;
  await tx.run("update carrier_collections set status = 'cancelled', updated_at = now() where collection_id = $1", [
    collection_id,
  ]);
  tx.audit({ action: "COLLECTION_CANCEL", ...entityOf(collection), details: { carrier, day } });
}
