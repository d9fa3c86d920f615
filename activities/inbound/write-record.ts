import { randomUUID } from "node:crypto";
import type { Resource } from "../../src/auth/tokens/scope.js";
import type { Mapped } from "../../src/inbound/apply.js";
import { canonicalTypes, columns } from "../../src/inbound/columns.js";
import { fitInto, missing } from "../../src/inbound/fit.js";
import { constraintViolation, LockHeld, OrderRetired, StaleVersion } from "../../src/inbound/problems.js";
import { type StoredState, storedState } from "../../src/inbound/queries.js";
import type { Push, PushKey, Written } from "../../src/inbound/shapes.js";
import { isStale, type VersionCompare } from "../../src/inbound/versions.js";
import type { Actor } from "../../src/platform/actor.js";
import { bool } from "../../src/platform/db/columns.js";
import type { DomainError } from "../../src/platform/problem.js";
import { command, type Tx } from "../command.js";
import { type Adoption, adopt } from "./adopt.js";
import { writeCanonical } from "./canonical.js";
import { type Decided, decideLink } from "./decide-link.js";
import {
  checkSenderBin,
  checkSenderWarehouse,
  type FromShop,
  type Incoming,
  overridesOf,
  type RecordSender,
} from "./incoming.js";
import { changedSince, lastDocument, saidByNow } from "./last-document.js";
import { lockName } from "./links.js";
import { resolve } from "./lookups.js";
import { recordingRefusal } from "./refusals.js";
import { stage } from "./staging.js";

/** The canonical model may still change (docs/interface.md, Versions). */
const WARNING = "The canonical model is a draft (DRAFT-v1) and may break at v2.0";

/** A record of another system, as it was sent. */
export interface Sent {
  resource: Resource;
  push: Push;
  sender: RecordSender;
  versions: VersionCompare;
  /** Its values by column; called once the record is locked. */
  mapped: () => Mapped;
  /** How to find an existing record when the sender never sent it; without, it is a new one. */
  adoption?: Adoption | undefined;
  /**
   * For a connector: what people changed here stays, so only columns are written in which the source differs from its
   * own previous version.
   */
  shop?: FromShop | undefined;
  /** For an item that may have lost its link just now: no item is created for it. */
  mayOwn?: boolean | undefined;
}

/** What was written. */
export interface WriteOutcome {
  written: Written;
  repeated: boolean;
  /** The question that a person has to decide. */
  question?: DomainError | undefined;
  /** The item lost its link, and nothing else was written until it is known which item it is. */
  undecided?: boolean;
}

/**
 * Writes a record of another system (docs/interface.md, Inbound). A repeat
 * of an accepted version gets the earlier answer and changes nothing. Otherwise one transaction writes the record with
 * its lines, the payload as it was sent and as it was mapped, the cross-system mapping and the audit row. A refusal is
 * recorded with its reason.
 */
export async function writeRecord(sent: Sent, by: Actor): Promise<WriteOutcome> {
  const { resource, push, sender } = sent;
  const pushKey = pushKeyOf(sent);
  return recordingRefusal(resource, push, sender, () =>
    command(`inbound.${resource}`, by, pushKey, (tx) => writeWithin(tx, sent, by)),
  );
}

/**
 * Writes records of different ids in one transaction, for a sender of many. When one of them is refused, or leaves a
 * question, none is written and no refusal is recorded: the sender then writes them one by one.
 * @returns For each, whether it was a repeat.
 */
export const writeRecords = (records: Sent[], by: Actor): Promise<boolean[]> =>
  command("inbound.records", by, records.map(pushKeyOf), (tx) =>
    Promise.all(
      records.map(async (sent) => {
        const { repeated, question } = await writeWithin(tx, sent, by);
        if (question) throw question;
        return repeated;
      }),
    ),
  );

const pushKeyOf = ({ push: { external_id, external_version }, sender: { source_system } }: Sent): PushKey => ({
  source_system,
  external_id,
  external_version,
});

/** Writes a record in the transaction of the caller, who records a refusal where one is to be recorded. */
export async function writeWithin(tx: Tx, sent: Sent, by: Actor): Promise<WriteOutcome> {
  const { resource, push, sender, versions, adoption, shop, mayOwn = true } = sent;
  const pushKey = pushKeyOf(sent);
  let [, stored] = await tx.inOrder([lockRecord(tx, resource, pushKey), storedState(tx, resource, pushKey)]);
  const own = adoption?.own;
  // A question about an item of a shop may have been decided since, also for the same version.
  if (stored.answer && own === undefined) return { written: stored.answer, repeated: true };
  if (!stored.answer) refuseStale(versions, pushKey, stored);
  if (stored.retired !== null) {
    // A shop goes on changing its old orders, which concerns nobody here.
    if (shop) return { written: writtenOf(resource, stored), repeated: true };
    throw OrderRetired({ number: stored.retired });
  }
  const mapped = sent.mapped();
  await resolve(tx, mapped);
  const unknown = { resource, sender, pushKey, stored, mapped };
  const decided: Decided =
    adoption && own !== undefined ? await decideLink(tx, unknown, { ...adoption, own }, mayOwn) : {};
  const { question } = decided;
  if (decided.unlinked) {
    if (question) return { written: writtenOf(resource, stored), repeated: false, question, undecided: true };
    stored = await storedState(tx, resource, pushKey);
  }
  if (stored.answer) return { written: stored.answer, repeated: true, question };
  const adoptedBy =
    adoption && !stored.exists && (await adopt(tx, { ...unknown, stored }, adoption)) ? adoption.by : undefined;
  if (adoptedBy) {
    // It may have been linked before, and then it has versions.
    stored = await storedState(tx, resource, pushKey);
    if (stored.answer) return { written: stored.answer, repeated: true, question };
    refuseStale(versions, pushKey, stored);
  }
  const canonicalId = stored.canonical_id ?? randomUUID();
  const about = { resource, push, sender, pushKey, stored, canonicalId, shop };
  const said = valuesOf(about, mapped);
  if ("warehouse_id" in said) checkSenderWarehouse(sender, said.warehouse_id);
  if (said.default_bin_id) await checkSenderBin(tx, sender, said.default_bin_id);
  const last = shop && (await lastDocument(tx, resource, stored));
  const incoming: Incoming = { ...about, said, last };
  const values = changedSince(last, said);
  const written = writtenOf(resource, stored, canonicalId);
  const document = saidByNow(last, {
    ...{ ...said, ...linesOf(mapped) },
    ...(decided.said !== undefined && { sku: decided.said }),
  });
  const writing = writeCanonical(tx, incoming, values, mapped.lines, by);
  const staging = shop ? writing.then((done) => stageDocument(done.remembered)) : stageDocument();
  const [{ warehouseId }] = await Promise.all([writing, staging]);
  if (!last || mapped.lines || Object.keys(values).length > 0)
    auditPush(tx, incoming, values, warehouseId, adoptedBy, by);
  return { written, repeated: false, question };

  function stageDocument(remembered = {}) {
    return stage(tx, incoming, { ...document, ...remembered }, written);
  }
}

const writtenOf = (
  resource: Resource,
  { inbound_id, received_at, canonical_id }: StoredState,
  canonicalId = canonical_id as string,
): Written => ({
  inbound_id,
  canonical_id: canonicalId,
  canonical_type: canonicalTypes[resource],
  received_at,
  warning: WARNING,
});

/**
 * Locks a record of a source system, also one that does not exist yet; a concurrent push of the same record gets
 * `lock_held`.
 */
async function lockRecord(tx: Tx, resource: Resource, { source_system, external_id }: PushKey): Promise<void> {
  const lock = await tx.row({ held: bool }, "select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as held", [
    lockName(resource, source_system, external_id),
  ]);
  if (!lock?.held) throw LockHeld();
}

function refuseStale(
  compare: VersionCompare,
  { external_version }: PushKey,
  { current_version, current_received_at }: StoredState,
): void {
  if (current_version === null) return;
  if (!isStale(compare, external_version, current_version)) return;
  throw StaleVersion({ external_version, current_version }, { current_version, current_received_at });
}

/**
 * The values to write: as mapped, then overridden by the sender's token, then converted to the types of their columns.
 */
function valuesOf(incoming: Omit<Incoming, "said">, mapped: Mapped): Record<string, unknown> {
  const { resource, sender, stored } = incoming;
  const values = { ...mapped.values };
  if ("warehouse_id" in columns[resource]) {
    values.warehouse_id ??= stored.exists ? undefined : sender.warehouse_ids[0];
    if (values.warehouse_id === undefined) delete values.warehouse_id;
  }
  Object.assign(values, overridesOf(incoming));
  const { values: fitted, faults } = fitInto(columns[resource], values);
  if (!stored.exists) for (const column of missing(columns[resource], values)) faults.push(`${column}: is needed`);
  if (faults.length > 0) throw constraintViolation(faults.join("; "));
  return fitted;
}

const linesOf = ({ lines }: Mapped) => lines && { lines: lines.map((line) => line.values) };

function auditPush(
  tx: Tx,
  incoming: Incoming,
  values: Record<string, unknown>,
  warehouseId: number | null,
  adoptedBy: string | undefined,
  by: Actor,
): void {
  const { resource, pushKey, stored } = incoming;
  tx.audit({
    action: stored.exists ? "UPDATE" : "CREATE",
    entity: `INBOUND_${canonicalTypes[resource].toUpperCase()}`,
    entityId: stored.inbound_id,
    warehouseId,
    details: {
      source_system: pushKey.source_system,
      external_id: pushKey.external_id,
      field_set: Object.keys(values).sort(),
      override_fields: Object.keys(overridesOf(incoming)).sort(),
      source_txn_id: by.requestId,
      ...(adoptedBy && { adopted_by: adoptedBy }),
    },
  });
}
