import { randomUUID } from "node:crypto";
import {
  type CollectionToDo,
  collectionById,
  contentsOfCollection,
  type ManifestOf,
} from "../../../src/carriers/collections/queries.js";
import type { Collection } from "../../../src/carriers/collections/shapes.js";
import type { CollectionAttempted } from "../../../src/carriers/collections/workflow.js";
import { nextAfter } from "../../../src/carriers/next-attempt.js";
import { db } from "../../../src/platform/db/db.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import { command } from "../../command.js";
import { entityOf } from "../begin-collection.js";
import { askForManifest, putOnManifest } from "./close.js";
import { leave } from "./hand-over.js";
import { lockCollection } from "./lock.js";

/** What is stored of a manifest on its way. */

const LONGEST = { reason: 500, id: 128 };
const ANY_NUMBER = 2_147_483_647;

/**
 * From now on the carrier may have made the manifest. False where nothing is to be asked any more. Labels that were
 * taken back meanwhile are left out: carriers refuse all of a manifest for one of them. What it has no room for is left
 * for a further one.
 * @param most Labels that the carrier takes on a manifest.
 */
export async function beginToAsk({ collection_id: collectionId, manifest_number }: ManifestOf, most = ANY_NUMBER) {
  await db.run(
    `update label_purchases set manifested_with = null
     where manifested_with = $1 and manifest_number = $2 and (status <> 'bought' or purchase_id in (
       select purchase_id from label_purchases
       where manifested_with = $1 and manifest_number = $2 and status = 'bought' order by purchase_id offset $3))`,
    [collectionId, manifest_number, most],
  );
  const begun = await db.run(
    `update carrier_collections set asking_at = now(), updated_at = now()
     where collection_id = $1 and status = 'manifesting'`,
    [collectionId],
  );
  return begun === 1;
}

/** None was made, the carrier says: it may be asked again. */
export const notMade = (collectionId: number) =>
  db.run("update carrier_collections set asking_at = null where collection_id = $1 and remote_id is null", [
    collectionId,
  ]);

/** It is made: known from now on, whatever becomes of this process. */
export const storeManifest = (collectionId: number, remoteId: string) =>
  db.run(
    `update carrier_collections set remote_id = $2, updated_at = now()
     where collection_id = $1 and remote_id is null`,
    [collectionId, remoteId.slice(0, LONGEST.id)],
  );

/** The carrier takes back what it said: there is none, and it may be asked for anew. */
export const forgetManifest = (collectionId: number) =>
  db.run(
    `update carrier_collections set remote_id = null, asking_at = null
     where collection_id = $1 and status = 'manifesting'`,
    [collectionId],
  );

export const storeFile = ({ collection_id, manifest_number }: ManifestOf, content: Buffer) =>
  db.run(
    `insert into collection_manifests (collection_id, manifest_number, content) values ($1, $2, $3)
     on conflict do nothing`,
    [collection_id, manifest_number, content],
  );

/** What a manifest ends with. */
export interface End {
  status: "manifested" | "manifest_failed";
  why?: string;
}

/**
 * Ends the way of a manifest, as the system user. What it had no room for, or was loaded meanwhile, gets a further one.
 * Where parcels are not scanned as they are loaded, all of the collection goes with the last one.
 */
export function settleManifest(
  { collection_id, manifest_number }: CollectionToDo,
  { status, why }: End,
): Promise<null> {
  // Repeated after a lost answer, it finds the row that it wrote.
  const by = systemActor(`collection-${collection_id}:${randomUUID()}`);
  return command("carriers.settleManifest", by, { collection_id, status, why }, async (tx) => {
    const collection = await lockCollection(tx, collection_id);
    if (collection?.status !== "manifesting") return null;
    const isThere = status === "manifested";
    await tx.run(
      `update carrier_collections
       set status = :status, last_error = :why, attempts = attempts + 1,
           manifested_at = case when :is_there then now() end, updated_at = now()
       where collection_id = :collection_id`,
      { collection_id, status, why: why?.slice(0, LONGEST.reason) ?? null, is_there: isThere },
    );
    const { carrier, collection_day: day, parcels } = collection;
    tx.audit({
      ...{ action: isThere ? "MANIFEST" : "MANIFEST_FAILED", ...entityOf(collection) },
      details: { carrier, day, parcels, manifest_number, ...(why !== undefined && { why }) },
    });
    const now = (await collectionById(tx, collection_id)) as Collection;
    if (now.manifest === "house") await putOnManifest(tx, collection_id, manifest_number);
    else if (isThere && now.without_manifest > 0) {
      await askForManifest(tx, now);
      return null;
    }
    if (isThere && !collection.scan_out && collection.collected_at === null) {
      const gone = await contentsOfCollection(tx, collection_id);
      await leave(tx, collection, { driver_name: null, signature: null, gone, not_collected: [] }, by);
    }
    return null;
  });
}

/** After an attempt that came to no end: when the next one is due. */
export async function settleFailure(
  { collection_id, attempts: made }: CollectionToDo,
  error: Error,
): Promise<CollectionAttempted> {
  const why = error.message;
  const { attempts, wait_ms } = nextAfter(made, error);
  await db.run(
    `update carrier_collections
     set attempts = :attempts, last_error = :why, due_at = now() + :wait_ms * interval '1 millisecond',
         updated_at = now()
     where collection_id = :collection_id and status = 'manifesting'`,
    { collection_id, attempts, why: why.slice(0, LONGEST.reason), wait_ms },
  );
  return { why, next: { attempt: attempts + 1, wait_ms } };
}
