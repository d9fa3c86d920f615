import { randomUUID } from "node:crypto";
import type { Actor } from "../../src/actor.js";
import type { Token } from "../../src/auth/tokens/token.js";
import { applyMapping, type Mapped } from "../../src/inbound/apply.js";
import { canonicalTypes, columns, type Resource } from "../../src/inbound/columns.js";
import { documentOf } from "../../src/inbound/documents.js";
import { fitInto, missing } from "../../src/inbound/fit.js";
import { constraintViolation, LockHeld, MappingNotLoaded, StaleVersion } from "../../src/inbound/problems.js";
import { earlierAnswer, type StoredState, storedState } from "../../src/inbound/queries.js";
import type { Push, PushKey, Written } from "../../src/inbound/shapes.js";
import { isStale } from "../../src/inbound/versions.js";
import { command, type Tx } from "../command.js";
import { writeCanonical } from "./canonical.js";
import type { Incoming } from "./incoming.js";
import { resolve } from "./lookups.js";
import { recordingRefusal } from "./refusals.js";
import { stage } from "./staging.js";
import { checkTokenWarehouse } from "./warehouse-scope.js";

/** The canonical model may still change (spec 9). */
const WARNING = "The canonical model is a draft (DRAFT-v1) and may break at v2.0";

/**
 * Writes a record of another system (spec 4.1, in the order of reference 04 §5.1). A repeat of an accepted push gets
 * the earlier answer and changes nothing. Otherwise one transaction writes the record with its lines, the payload as it
 * was sent and as it was mapped, the cross-system mapping and the audit row. A refusal is recorded with its reason.
 */
export async function writePush(
  resource: Resource,
  push: Push,
  token: Token,
  by: Actor,
): Promise<{ written: Written; repeated: boolean }> {
  const source_system = token.source_system as string;
  const document = documentOf(source_system);
  const mapping = document?.resources[resource];
  if (!document || !mapping) throw MappingNotLoaded({ source_system, resource });
  const { external_id, external_version, source_payload } = push;
  const pushKey = { source_system, external_id, external_version };
  const earlier = await earlierAnswer(resource, pushKey);
  if (earlier) return { written: earlier, repeated: true };
  return recordingRefusal(resource, pushKey, token, () =>
    command(`inbound.${resource}`, by, pushKey, async (tx) => {
      const [, stored] = await Promise.all([lockRecord(tx, resource, pushKey), storedState(tx, resource, pushKey)]);
      if (stored.answer) return { written: stored.answer, repeated: true };
      refuseStale(document.version_compare, pushKey, stored);
      const canonicalId = stored.canonical_id ?? randomUUID();
      const incoming = { resource, push, token, pushKey, stored, canonicalId };
      const mapped = applyMapping(mapping, source_payload);
      await resolve(tx, mapped);
      const values = valuesOf(incoming, mapped);
      if ("warehouse_id" in values) checkTokenWarehouse(token, values.warehouse_id);
      const written = {
        inbound_id: stored.inbound_id,
        canonical_id: canonicalId,
        canonical_type: canonicalTypes[resource],
        received_at: stored.received_at,
        warning: WARNING,
      };
      const [warehouseId] = await Promise.all([
        writeCanonical(tx, incoming, values, mapped.lines, by),
        stage(tx, incoming, { ...values, ...linesOf(mapped) }, written),
      ]);
      auditPush(tx, incoming, values, warehouseId, by);
      return { written, repeated: false };
    }),
  );
}

/** Locks a record of a source system, also one that does not exist yet; a concurrent push of it gets `lock_held`. */
async function lockRecord(tx: Tx, resource: Resource, { source_system, external_id }: PushKey): Promise<void> {
  const lock = await tx.row<{ held: boolean }>("select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as held", [
    JSON.stringify([resource, source_system, external_id]),
  ]);
  if (!lock?.held) throw LockHeld();
}

function refuseStale(
  compare: Parameters<typeof isStale>[0],
  { external_version }: PushKey,
  { current_version, current_received_at }: StoredState,
): void {
  if (current_version === null) return;
  if (!isStale(compare, external_version, current_version)) return;
  throw StaleVersion({ external_version, current_version }, { current_version, current_received_at });
}

/** The values to write: as mapped, then overridden by the token, then converted to the types of their columns. */
function valuesOf(incoming: Incoming, mapped: Mapped): Record<string, unknown> {
  const { resource, token, stored } = incoming;
  const values = { ...mapped.values };
  if ("warehouse_id" in columns[resource]) {
    values.warehouse_id ??= stored.exists ? undefined : token.warehouse_ids[0];
    if (values.warehouse_id === undefined) delete values.warehouse_id;
  }
  Object.assign(values, overridesOf(incoming));
  const { values: fitted, faults } = fitInto(columns[resource], values);
  if (!stored.exists) for (const column of missing(columns[resource], values)) faults.push(`${column}: is needed`);
  if (faults.length > 0) throw constraintViolation(faults.join("; "));
  return fitted;
}

/** The token's overrides for columns of this resource: a token for several resources may have others too. */
function overridesOf({ resource, token }: Incoming): Record<string, unknown> {
  if (!token.mapping_override) return {};
  return Object.fromEntries(
    Object.entries(token.mapping_overrides).filter(([column]) => Object.hasOwn(columns[resource], column)),
  );
}

const linesOf = ({ lines }: Mapped) => lines && { lines: lines.map((line) => line.values) };

function auditPush(
  tx: Tx,
  incoming: Incoming,
  values: Record<string, unknown>,
  warehouseId: number | null,
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
    },
  });
}
