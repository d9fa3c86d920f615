import { z } from "zod";
import type { Resource } from "../auth/tokens/scope.js";
import { bool, int, text, time } from "../platform/db/columns.js";
import { db, type Sql } from "../platform/db/db.js";
import type { Lookup } from "./apply.js";
import { MetRow } from "./attempts.js";
import { canonicalTypes, columns } from "./columns.js";
import { CanonicalTypeName, type PushKey, SourceSystem, Written } from "./shapes.js";

/** The table of each resource, and its column with the canonical id. */
export const canonicalTables = {
  customers: { table: "customers", key: "canonical_id" },
  items: { table: "items", key: "external_id" },
  vendors: { table: "vendors", key: "canonical_id" },
  purchase_orders: { table: "purchase_orders", key: "external_id" },
  sales_orders: { table: "sales_orders", key: "external_id" },
} as const satisfies Record<Resource, { table: string; key: string }>;

/** SQL: the warehouse of a record, null for one that belongs to none. */
export const warehouseOf = (resource: Resource): string =>
  "warehouse_id" in columns[resource] ? "warehouse_id" : "null::int as warehouse_id";

/**
 * The answer to an accepted push; undefined when it was not accepted yet, or when the id is linked to another record
 * now.
 */
export async function earlierAnswer(
  resource: Resource,
  { source_system, external_id, external_version }: PushKey,
): Promise<Written | undefined> {
  const earlier = await db.row(
    { answer: Written },
    `select answer from inbound_${resource} i
       join cross_system_mappings m using (source_system, canonical_id)
     where source_system = $1 and external_id = $2 and external_version = $3
       and m.source_type = $4 and m.source_id = $2`,
    [source_system, external_id, external_version, canonicalTypes[resource]],
  );
  return earlier?.answer;
}

/** What is stored of a record before a push is written. */
export const StoredState = z.strictObject({
  /** The answer to this very push, when a concurrent request has written it. */
  answer: Written.nullable(),
  /** The current version; null for a new record. */
  current_id: int.nullable(),
  current_version: text.nullable(),
  current_received_at: time.nullable(),
  /** The record's id in the service, and whether its row still exists. */
  canonical_id: text.nullable(),
  exists: bool,
  /** The number of an order that was here, and was retired. */
  retired: text.nullable(),
  /** For the new version; its time is never before that of the current one, even if its request began earlier. */
  inbound_id: int,
  received_at: time,
});
export type StoredState = z.infer<typeof StoredState>;

/**
 * Reads the stored state of a record, in one statement; the caller holds the record's lock. Only versions of the record
 * that the id is linked to now count.
 */
export async function storedState(
  sql: Sql,
  resource: Resource,
  { source_system, external_id, external_version }: PushKey,
): Promise<StoredState> {
  const { table, key } = canonicalTables[resource];
  const state = await sql.row(
    StoredState,
    `select (select answer from inbound_${resource}
             where source_system = $1 and external_id = $2 and external_version = $3
               and canonical_id = m.canonical_id) as answer,
            c.inbound_id as current_id, c.external_version as current_version, c.received_at as current_received_at,
            m.canonical_id, exists (select from ${table} where ${key} = m.canonical_id) as exists,
            (select number from retired_orders where external_id = m.canonical_id) as retired,
            nextval('inbound_${resource}_inbound_id_seq') as inbound_id,
            greatest(clock_timestamp(), c.received_at) as received_at
     from (select) push
     left join cross_system_mappings m
       on m.source_system = $1 and m.source_type = $4 and m.source_id = $2
     left join inbound_${resource} c on c.source_system = $1 and c.external_id = $2 and c.status = 'applied'
       and c.canonical_id = m.canonical_id`,
    [source_system, external_id, external_version, canonicalTypes[resource]],
  );
  return state as StoredState;
}

/** The canonical id of a record of a source system. */
export const Resolved = z.strictObject({
  source_system: text,
  source_type: CanonicalTypeName,
  source_id: text,
  canonical_id: text,
});
export type Resolved = z.infer<typeof Resolved>;

/** Resolves lookups with one statement; the result lacks records that are not known. */
export function resolveLookups(
  sql: Sql,
  lookups: Pick<Lookup, "source_system" | "source_type" | "source_id">[],
): Promise<Resolved[]> {
  return sql.rows(
    Resolved,
    `select source_system, source_type, source_id, canonical_id
     from unnest($1::text[], $2::text[], $3::text[]) as l(source_system, source_type, source_id)
     join cross_system_mappings using (source_system, source_type, source_id)`,
    [
      lookups.map((lookup) => lookup.source_system),
      lookups.map((lookup) => lookup.source_type),
      lookups.map((lookup) => lookup.source_id),
    ],
  );
}

/** A lookup as a name. */
export const lookupName = ({ source_system, source_type, source_id }: Omit<Resolved, "canonical_id">) =>
  JSON.stringify([source_system, source_type, source_id]);

/**
 * The canonical ids of items for lookups that name them by SKU. The result lacks SKUs that no item has, and those of an
 * item that another id of the source is linked to, unless the SKU is all that the source knows.
 */
export async function itemsBySku(sql: Sql, lookups: Lookup[]): Promise<Map<string, string>> {
  const named = lookups.filter(({ sku }) => sku);
  if (named.length === 0) return new Map();
  const items = await sql.rows(
    { n: int, external_id: text },
    `select n, i.external_id
     from unnest($1::text[], $2::text[], $3::boolean[]) with ordinality as l(sku, source_system, alone, n)
       join items i on i.sku = l.sku
     where alone or not exists (select from cross_system_mappings m
                                where m.canonical_id = i.external_id and m.source_system = l.source_system)`,
    [
      named.map(({ sku }) => sku),
      named.map(({ source_system }) => source_system),
      named.map(({ sku_alone }) => sku_alone === true),
    ],
  );
  return new Map(items.map(({ n, external_id }) => [lookupName(named[n - 1] as Lookup), external_id]));
}

/** The record of a source system with this id, or the one with a canonical id. */
export function metRecord(
  resource: Resource,
  { source_system, external_id }: Pick<PushKey, "source_system" | "external_id">,
  canonicalId: string | null = null,
): Promise<MetRow | undefined> {
  const { table, key } = canonicalTables[resource];
  // The first column is the one that people use to name the record.
  const [name] = Object.keys(columns[resource]);
  return db.row(
    MetRow,
    `select r.${key} as canonical_id, r.${name} as name, c.external_version, c.received_at,
            ${"warehouse_id" in columns[resource] ? "r.warehouse_id" : "null::int as warehouse_id"}
     from ${table} r left join inbound_${resource} c
       on c.source_system = $1 and c.external_id = $2 and c.status = 'applied' and c.canonical_id = r.${key}
     where r.${key} = coalesce($4, (select canonical_id from cross_system_mappings
                                    where source_system = $1 and source_type = $3 and source_id = $2))`,
    [source_system, external_id, canonicalTypes[resource], canonicalId],
  );
}

/** The systems that may push records, by name. */
export function sourceSystems(): Promise<SourceSystem[]> {
  return db.rows(
    SourceSystem,
    "select source_system, kind from inbound_source_systems_allowlist order by source_system",
  );
}
