import { randomUUID } from "node:crypto";
import type { Actor } from "../../src/actor.js";
import type { Token } from "../../src/auth/tokens/token.js";
import { applyMapping, type Mapped } from "../../src/inbound/apply.js";
import { canonicalTypes, columns, type Resource } from "../../src/inbound/columns.js";
import { documentOf } from "../../src/inbound/documents.js";
import { fitInto, missing } from "../../src/inbound/fit.js";
import { broken, LockHeld, MappingNotLoaded, StaleVersion } from "../../src/inbound/problems.js";
import { firstAnswer, type Known, knownOf, type Triple, type Written } from "../../src/inbound/queries.js";
import { isStale } from "../../src/inbound/versions.js";
import { command, type Tx } from "../command.js";
import { writeCanonical } from "./canonical.js";
import type { Incoming, Push } from "./incoming.js";
import { resolve } from "./lookups.js";
import { refusing } from "./refusals.js";
import { stage } from "./staging.js";
import { refuseElsewhere } from "./warehouse-scope.js";

const WARNING = "The canonical model is a draft (DRAFT-v1) and may break at v2.0";

/**
 * Takes a record of another system (spec 4.1, in the order of reference 04 §5.1). The same three of source system,
 * external id and version again get the first answer and change nothing. Otherwise the record, its lines, what came and
 * what it became, the name the source has for it and the audit row are written together, or none of it, and why is
 * noted.
 */
export async function takePush(
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
  const triple = { source_system, external_id, external_version };
  const first = await firstAnswer(resource, triple);
  if (first) return { written: first, repeated: true };
  return refusing(resource, triple, token, () =>
    command(`inbound.${resource}`, by, triple, async (tx) => {
      const [, known] = await Promise.all([lockRecord(tx, resource, triple), knownOf(tx, resource, triple)]);
      if (known.answer) return { written: known.answer, repeated: true };
      refuseStale(document.version_compare, triple, known);
      const canonicalId = known.canonical_id ?? randomUUID();
      const incoming = { resource, push, token, triple, known, canonicalId };
      const mapped = applyMapping(mapping, source_payload);
      await resolve(tx, mapped);
      const values = valuesOf(incoming, mapped);
      if ("warehouse_id" in values) refuseElsewhere(token, values.warehouse_id);
      const written = {
        inbound_id: known.inbound_id,
        canonical_id: canonicalId,
        canonical_type: canonicalTypes[resource],
        received_at: known.received_at,
        warning: WARNING,
      };
      const [warehouseId] = await Promise.all([
        writeCanonical(tx, incoming, values, mapped.lines, by),
        stage(tx, incoming, { ...values, ...linesOf(mapped) }, written),
      ]);
      tell(tx, incoming, values, warehouseId, by);
      return { written, repeated: false };
    }),
  );
}

/** One at a time for each record of a source system; who comes meanwhile is told to come again. */
async function lockRecord(tx: Tx, resource: Resource, { source_system, external_id }: Triple): Promise<void> {
  const lock = await tx.row<{ held: boolean }>("select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as held", [
    JSON.stringify([resource, source_system, external_id]),
  ]);
  if (!lock?.held) throw LockHeld();
}

function refuseStale(
  compare: Parameters<typeof isStale>[0],
  { external_version }: Triple,
  { current_version, current_received_at }: Known,
): void {
  if (current_version === null) return;
  if (!isStale(compare, external_version, current_version)) return;
  throw StaleVersion({ external_version, current_version }, { current_version, current_received_at });
}

/** The columns that are written: mapped, then as the token wants them, and as the table takes them. */
function valuesOf(incoming: Incoming, mapped: Mapped): Record<string, unknown> {
  const { resource, token, known } = incoming;
  const values = { ...mapped.values };
  if ("warehouse_id" in columns[resource]) {
    values.warehouse_id ??= known.exists ? undefined : token.warehouse_ids[0];
    if (values.warehouse_id === undefined) delete values.warehouse_id;
  }
  Object.assign(values, overridesOf(incoming));
  const { values: fitted, faults } = fitInto(columns[resource], values);
  if (!known.exists) for (const column of missing(columns[resource], values)) faults.push(`${column}: is needed`);
  if (faults.length > 0) throw broken(faults.join("; "));
  return fitted;
}

/**
 * What the token says of this resource: a token for several may have overrides that only some of them have a column
 * for.
 */
function overridesOf({ resource, token }: Incoming): Record<string, unknown> {
  if (!token.mapping_override) return {};
  return Object.fromEntries(
    Object.entries(token.mapping_overrides).filter(([column]) => Object.hasOwn(columns[resource], column)),
  );
}

const linesOf = ({ lines }: Mapped) => lines && { lines: lines.map((line) => line.values) };

function tell(
  tx: Tx,
  incoming: Incoming,
  values: Record<string, unknown>,
  warehouseId: number | null,
  by: Actor,
): void {
  const { resource, triple, known } = incoming;
  tx.audit({
    action: known.exists ? "UPDATE" : "CREATE",
    entity: `INBOUND_${canonicalTypes[resource].toUpperCase()}`,
    entityId: known.inbound_id,
    warehouseId,
    details: {
      source_system: triple.source_system,
      external_id: triple.external_id,
      field_set: Object.keys(values).sort(),
      override_fields: Object.keys(overridesOf(incoming)).sort(),
      source_txn_id: by.requestId,
    },
  });
}
