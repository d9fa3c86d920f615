import { randomUUID } from "node:crypto";
import { senderAddress } from "../../../src/carriers/address.js";
import { CarrierRefused, ManifestNotMade, type ManifestToMake } from "../../../src/carriers/carrier.js";
import {
  type CollectionToDo,
  labelsForManifest,
  lostLabels,
  type ManifestOf,
  readCollection,
} from "../../../src/carriers/collections/queries.js";
import {
  type CollectionActivities,
  type CollectionAttempted,
  type CollectionSummary,
  type CollectionWait,
  LOOK_AGAIN_MS,
  nameOfCollection,
} from "../../../src/carriers/collections/workflow.js";
import { isFinal, isLast } from "../../../src/carriers/next-attempt.js";
import { accountById, type StoredAccount } from "../../../src/carriers/queries.js";
import { SourceError } from "../../../src/connectors/connector.js";
import { databaseBusy, databaseUnavailable } from "../../../src/platform/db/db.js";
import { DomainError } from "../../../src/platform/problem.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import { withHeartbeat } from "../../heartbeat.js";
import type { UnderLock } from "../../outbound/engine.js";
import { type OpenAccount, openAccount } from "../account.js";
import { type LabelOptions, readably } from "../attempt-label.js";
import { fileOf, printOnce } from "../documents.js";
import { closeAtCutOff } from "./close.js";
import { moveCollection } from "./move.js";
import {
  beginToAsk,
  type End,
  forgetManifest,
  notMade,
  settleFailure,
  settleManifest,
  storeFile,
  storeManifest,
} from "./settle.js";

/** A worker that was killed during an attempt is missed after five times that. */
const HEARTBEAT_MS = 2_000;
/** As collection_manifests has it. */
const LARGEST_MANIFEST = 4 * 1024 * 1024;

export const collectionActivities = (options: LabelOptions, underLock: UnderLock): CollectionActivities => ({
  attemptManifest: (collectionId) =>
    withHeartbeat(HEARTBEAT_MS, (cancelled) =>
      underLock("collection", collectionId, (lost) =>
        attemptManifest(collectionId, options, AbortSignal.any([cancelled, lost])),
      ),
    ),
});

/** What the workflow of a collection shows. */
export async function describeCollection(collectionId: number): Promise<CollectionSummary> {
  const collection = await readCollection(collectionId, 0);
  if (!collection) return { what: "a collection that is gone", warehouse_id: null, warehouse_code: null, attempts: 0 };
  const { warehouse_id, warehouse_code, attempts } = collection;
  return { what: nameOfCollection(collection), warehouse_id, warehouse_code, attempts };
}

/**
 * Does what is next for a collection, if it is due: closes it at its cut-off, has its manifest made, and waits for the
 * truck. Used only under its lock. What a carrier may have made is looked for before it is asked again, once no request
 * can be under way any more.
 */
export async function attemptManifest(
  collectionId: number,
  options: LabelOptions,
  signal: AbortSignal,
): Promise<CollectionAttempted> {
  for (;;) {
    signal.throwIfAborted();
    const collection = await readCollection(collectionId, options.connectorHttpTimeoutMs);
    if (!collection) return { ended: "gone", why: null };
    const { status, attempts, wait_ms, settles_ms, remote_id, last_error: why, is_collected } = collection;
    if (status === "cancelled") return { ended: "empty", why };
    if (status === "manifest_failed") return { ended: status, why };
    if (status === "manifested") return is_collected ? { ended: "collected", why } : waits(collection, "truck");
    if (status === "open") {
      if (collection.on_closed_day && (await moveCollection(collectionId, moving(collectionId)))) continue;
      if (collection.cut_off_ms === null) return waits(collection, "closing");
      if (collection.cut_off_ms > 0) return waits(collection, "cut_off", collection.cut_off_ms);
      await closeAtCutOff(collectionId, systemActor(`collection-${collectionId}:cut-off`));
      continue;
    }
    const wait = remote_id === null ? Math.max(wait_ms, settles_ms) : wait_ms;
    if (wait > 0) return { why, next: { attempt: attempts + 1, wait_ms: wait } };
    const attempted = await step(collection, options, signal);
    if (attempted) return attempted;
  }
}

const moving = (collectionId: number) => systemActor(`collection-${collectionId}:move:${randomUUID()}`);

const waits = (
  { loaded, parcels, ...of }: CollectionToDo,
  waits_for: CollectionWait,
  wait_ms = LOOK_AGAIN_MS,
): CollectionAttempted => ({
  what: nameOfCollection(of),
  why: waits_for === "truck" ? `${loaded} of ${parcels} loaded` : `parcels in it: ${parcels}`,
  next: { attempt: 1, wait_ms, waits_for },
});

/** Does what is next for the manifest; undefined where the row says what comes then. */
async function step(
  collection: CollectionToDo,
  options: LabelOptions,
  signal: AbortSignal,
): Promise<CollectionAttempted | undefined> {
  try {
    const end = await makeManifest(collection, options, signal);
    if (end) await settleManifest(collection, end);
    return undefined;
  } catch (error) {
    if (signal.aborted || databaseUnavailable(error) || databaseBusy(error)) throw error;
    const end = await endAfter(collection, error);
    if (end) await settleManifest(collection, end);
    if (end) return undefined;
    return settleFailure(collection, error as Error);
  }
}

/** How a failure ends it; undefined where another attempt may help, or has to find out whether one was made. */
async function endAfter({ attempts, ...of }: CollectionToDo, error: unknown): Promise<End | undefined> {
  if (!(error instanceof SourceError || error instanceof DomainError)) throw error;
  if (error instanceof ManifestNotMade) await forgetManifest(of.collection_id);
  const now = await readCollection(of.collection_id, 0);
  const why = error.message;
  const [final, last] = [isFinal(error), isLast(attempts, error)];
  // It is there, and only its file is not: that is asked for again by \`close\`.
  if (now?.remote_id != null) return final ? { status: "manifest_failed", why } : last ? madeWithout(why) : undefined;
  if (now?.asking) return undefined;
  // The carrier refuses all of it for one label that was taken back meanwhile: without that it may be another matter.
  if (final && !last && (await lostLabels(of))) return undefined;
  return final || last ? { status: "manifest_failed", why } : undefined;
}

const madeWithout = (why: string): End => ({ status: "manifested", why });

/** Has the manifest made, unless it is, and stores it. Without an end, the row says what comes next. */
async function makeManifest(
  collection: CollectionToDo,
  options: LabelOptions,
  signal: AbortSignal,
): Promise<End | undefined> {
  const { collection_id, warehouse_id, account_id, remote_id, manifest_number: number } = collection;
  const stored = (await accountById(account_id)) as StoredAccount;
  const account = await openAccount(stored, options, signal);
  const { carrier } = account;
  if (!carrier.manifest) return { status: "manifested" };
  if (remote_id !== null) {
    if (!collection.stored) await fetchFile(collection, remote_id, account);
    const what = { document: "manifest" as const, record_ids: [collection_id], warehouse_id };
    await printOnce(what, `collection-${collection_id}${number > 1 ? `:${number}` : ""}`, options);
    return { status: "manifested" };
  }
  const most = carrier.manifestLimit?.(account.config);
  if (!collection.asking && !(await beginToAsk(collection, most))) return undefined;
  const { key, carrier: name } = collection;
  const wanted = {
    key,
    carrier: name,
    from: senderAddress(stored.ship_from),
    labels: await labelsForManifest(collection),
  };
  if (wanted.labels.length === 0) {
    await notMade(collection_id);
    return { status: "manifested" };
  }
  if (collection.asking) {
    const found = await readably(account, () => carrier.findManifest?.(account, wanted));
    await (found === undefined ? notMade(collection_id) : storeManifest(collection_id, found));
    return undefined;
  }
  await askOnce(collection_id, account, wanted);
  return undefined;
}

/**
 * Asks for the manifest. A carrier that refuses it may do so because it has made it, by a request that was taken for
 * lost: so it is looked for before the refusal is believed.
 */
async function askOnce(collectionId: number, account: OpenAccount, wanted: ManifestToMake): Promise<void> {
  const { carrier } = account;
  try {
    await storeManifest(collectionId, (await readably(account, () => carrier.manifest?.(account, wanted))) as string);
  } catch (error) {
    if (!(error instanceof CarrierRefused)) throw error;
    const before = await readably(account, () => carrier.findManifest?.(account, wanted));
    await (before === undefined ? notMade(collectionId) : storeManifest(collectionId, before));
    if (before === undefined) throw error;
  }
}

async function fetchFile(of: ManifestOf, remoteId: string, account: OpenAccount): Promise<void> {
  const content = await readably(account, () => account.carrier.manifestFile?.(account, remoteId));
  await storeFile(of, fileOf("manifest", content, LARGEST_MANIFEST));
}
