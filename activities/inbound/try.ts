import { randomUUID } from "node:crypto";
import type { Resource } from "../../src/auth/tokens/scope.js";
import type { Mapped } from "../../src/inbound/apply.js";
import type { InboundAttempt, MetRow, Tried } from "../../src/inbound/attempts.js";
import { columns } from "../../src/inbound/columns.js";
import { documentOf } from "../../src/inbound/documents.js";
import { mapInThread } from "../../src/inbound/map-payload.js";
import { LockHeld, MappingDocumentInvalid, MappingNotLoaded } from "../../src/inbound/problems.js";
import { metRecord } from "../../src/inbound/queries.js";
import type { VersionCompare } from "../../src/inbound/versions.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { int, object } from "../../src/platform/db/columns.js";
import { db, transaction } from "../../src/platform/db/db.js";
import { DomainError, WarehouseDenied } from "../../src/platform/problem.js";
import { ConcurrentChange, type Tx } from "../command.js";
import { adoptionIn } from "./adopt.js";
import { refusalOf } from "./refusals.js";
import { asMapped, OrderLeft, triedLookups, warningsOf } from "./tried-values.js";
import { type Sent, writeWithin } from "./write-record.js";

/** The version of an attempt that names none: as text it is above all others, and it is neither a time nor a number. */
const NEWEST = "\u{10ffff}";

/**
 * What a push would do. It is written and rolled back, so the answer is exactly the one that a push would get.
 * `warehouseIds` are the warehouses that the caller sees, null for all.
 */
export async function tryPush(attempt: InboundAttempt, warehouseIds: number[] | null, by: Actor): Promise<Tried> {
  const { resource, source_system, source_payload, external_id = randomUUID(), external_version = NEWEST } = attempt;
  const pushKey = { source_system, external_id };
  const met = await metRecord(resource, pushKey);
  checkVisible(attempt, met, warehouseIds, by);
  const warehouse_ids = await warehousesFor(attempt, warehouseIds, by);
  const { versions, adoptBy, apply } = await translated(attempt, by);
  if (!versions || !apply) return refused(MappingNotLoaded({ source_system, resource }), met);
  const mapped = await refusable(async () => apply());
  const lookups = mapped.result ? await triedLookups(mapped.result) : [];
  const sent: Sent = {
    resource,
    push: { external_id, external_version, source_payload },
    sender: { token_id: null, source_system, warehouse_ids, mapping_override: false, mapping_overrides: {} },
    versions,
    adoption: adoptionIn({ adopt_by: adoptBy }),
    mapped: () => {
      if (mapped.refusal) throw mapped.refusal;
      // The write replaces values by ids in it.
      return structuredClone(mapped.result);
    },
  };
  const written = await refusable(() => writtenAndUndone(sent, { ...by, role: "USER", warehouseIds: warehouse_ids }));
  const left = written.result?.left;
  const warnings = await warningsOf(attempt, versions, mapped.result, lookups, left);
  const seen = { lookups, warnings };
  const asIs = asMapped(mapped.result, lookups);
  if (written.refusal) return { ...refused(written.refusal, met), ...asIs, ...seen };
  const { canonical_id, payload } = written.result;
  if (!payload) return { outcome: "repeat", ...asIs, ...seen, existing: shown(met), refusal: null };
  const existing = met ?? (await metRecord(resource, pushKey, canonical_id));
  const { lines = null, ...values } = payload;
  return {
    outcome: met ? "update" : existing ? "adopt" : "create",
    values,
    lines: lines as Tried["lines"],
    ...seen,
    existing: shown(existing),
    refusal: null,
  };
}

/**
 * A user who does not see every warehouse tries only orders, and only those in own warehouses. A partner tries what its
 * token may push, of its own records.
 */
function checkVisible(
  { resource }: InboundAttempt,
  met: MetRow | undefined,
  warehouseIds: number[] | null,
  by: Actor,
): void {
  if (warehouseIds === null) return;
  const isOfWarehouse = "warehouse_id" in columns[resource];
  if (!isOfWarehouse && by.connectorId === undefined) throw WarehouseDenied();
  if (isOfWarehouse && met && !warehouseIds.includes(met.warehouse_id as number)) throw WarehouseDenied();
}

/** The warehouses of the token that would send the push. */
async function warehousesFor(
  { warehouse_id }: InboundAttempt,
  warehouseIds: number[] | null,
  by: Actor,
): Promise<number[]> {
  if (warehouse_id !== undefined) {
    checkWarehouse(by, warehouse_id);
    return [warehouse_id];
  }
  if (warehouseIds) return warehouseIds;
  const all = await db.rows({ warehouse_id: int }, "select warehouse_id from warehouses order by warehouse_id");
  return all.map((row) => row.warehouse_id);
}

interface Translated {
  versions?: VersionCompare | undefined;
  adoptBy?: string | undefined;
  /** Gives the values, or throws the refusal; undefined where no document maps the resource. */
  apply?: (() => Mapped) | undefined;
}

/** By the document of the attempt, else by the loaded one; in a thread, because either may need long. */
async function translated(attempt: InboundAttempt, by: Actor): Promise<Translated> {
  const { source_system, resource, source_payload: payload, mapping_document: draft } = attempt;
  const loaded = documentOf(source_system);
  if (draft === undefined && !loaded?.resources[resource]) return {};
  const document = draft === undefined ? { document: loaded?.raw } : { draft };
  const work = { source_system, resource, payload, ...document };
  const { faults, version_compare, mapping, mapped } = await mapInThread(work, {
    key: `try ${by.connectorId ?? by.userId}`,
  });
  if (faults) throw MappingDocumentInvalid({}, { faults });
  return { versions: version_compare ?? loaded?.version_compare, adoptBy: mapping?.adopt_by, apply: mapped };
}

type Refusable<T> = { result: T; refusal?: undefined } | { result?: undefined; refusal: DomainError };

async function refusable<T>(run: () => Promise<T>): Promise<Refusable<T>> {
  try {
    return { result: await run() };
  } catch (error) {
    const refusal = error instanceof ConcurrentChange ? LockHeld() : refusalOf(error);
    if (!(refusal instanceof DomainError)) throw refusal;
    return { refusal };
  }
}

interface Undone {
  canonical_id: string;
  /** As it would be stored; undefined for a repeat. */
  payload?: Record<string, unknown> | undefined;
  /** Undefined for what is no order, and for a repeat. */
  left?: OrderLeft | undefined;
}

/** Thrown to roll back what was written. */
class Undo extends Error {
  constructor(readonly undone: Undone) {
    super();
  }
}

async function writtenAndUndone(sent: Sent, by: Actor): Promise<Undone> {
  const nothing = () => {};
  try {
    return await transaction(async (sql) => {
      const tx: Tx = { ...sql, now: new Date().toISOString(), audit: nothing, emit: nothing, atEnd: nothing };
      // The document of a system that is not on the allowlist yet can be tried too.
      await tx.later.run(
        "insert into inbound_source_systems_allowlist (source_system, kind) values ($1, 'manual_import') " +
          "on conflict do nothing",
        [sent.sender.source_system],
      );
      const { written, repeated } = await writeWithin(tx, sent, by);
      // Also waits for statements of `tx.later`.
      const row = await tx.row(
        { payload: object },
        `select canonical_payload as payload from inbound_${sent.resource} where inbound_id = $1`,
        [written.inbound_id],
      );
      const { canonical_id } = written;
      if (repeated) throw new Undo({ canonical_id });
      throw new Undo({ canonical_id, payload: row?.payload, left: await orderLeft(tx, sent.resource, canonical_id) });
    });
  } catch (error) {
    if (error instanceof Undo) return error.undone;
    throw error;
  }
}

const ORDER_LEFT: Partial<Record<Resource, string>> = {
  purchase_orders: `select status, (select count(*) from purchase_order_lines l where l.po_id = o.po_id) as lines
    from purchase_orders o where external_id = $1`,
  sales_orders: `select status, (select count(*) from sales_order_lines l where l.so_id = o.so_id) as lines
    from sales_orders o where external_id = $1`,
};

async function orderLeft(tx: Tx, resource: Resource, canonicalId: string): Promise<OrderLeft | undefined> {
  const text = ORDER_LEFT[resource];
  return text ? tx.row(OrderLeft, text, [canonicalId]) : undefined;
}

const shown = (met: MetRow | undefined): Tried["existing"] => {
  if (!met) return null;
  const { warehouse_id: _, ...record } = met;
  return record;
};

function refused({ kind, status, body }: DomainError, met: MetRow | undefined): Tried {
  return {
    outcome: kind === "stale_version" ? "stale" : "refused",
    ...{ values: null, lines: null, lookups: [], warnings: [] },
    existing: shown(met),
    refusal: { http_status: status, error_kind: kind, ...body },
  };
}
