import { db, type Sql } from "../db/db.js";
import type { Lookup } from "./apply.js";
import { canonicalTypes, type Resource } from "./columns.js";
import type { PushKey, Written } from "./shapes.js";

/** Where the rows of a resource stand, and which column events and senders know them by. */
export const canonicalTables = {
  customers: { table: "customers", key: "canonical_id" },
  items: { table: "items", key: "external_id" },
  vendors: { table: "vendors", key: "canonical_id" },
  purchase_orders: { table: "purchase_orders", key: "external_id" },
  sales_orders: { table: "sales_orders", key: "external_id" },
} as const satisfies Record<Resource, { table: string; key: string }>;

/** The answer to a push that was taken before, in one round trip. */
export async function earlierAnswer(
  resource: Resource,
  { source_system, external_id, external_version }: PushKey,
): Promise<Written | undefined> {
  const first = await db.row<{ answer: Written }>(
    `select answer from inbound_${resource} where source_system = $1 and external_id = $2 and external_version = $3`,
    [source_system, external_id, external_version],
  );
  return first?.answer;
}

/** What is here of a record before it is written. */
export interface StoredState {
  /** Of the very push, when another request was faster. */
  answer: Written | null;
  /** The version that counts, if there is one. */
  current_id: number | null;
  current_version: string | null;
  current_received_at: string | null;
  /** The row that the record is here, and whether that row still stands. */
  canonical_id: string | null;
  exists: boolean;
  /** For the version that is to be written: never received before the one that it follows, whoever began first. */
  inbound_id: number;
  received_at: string;
}

/** What is here of a record, in one statement; the caller holds the record's lock. */
export async function storedState(
  sql: Sql,
  resource: Resource,
  { source_system, external_id, external_version }: PushKey,
): Promise<StoredState> {
  const { table, key } = canonicalTables[resource];
  const known = await sql.row<StoredState>(
    `select (select answer from inbound_${resource}
             where source_system = $1 and external_id = $2 and external_version = $3) as answer,
            c.inbound_id as current_id, c.external_version as current_version, c.received_at as current_received_at,
            m.canonical_id, exists (select from ${table} where ${key} = m.canonical_id) as exists,
            nextval('inbound_${resource}_inbound_id_seq') as inbound_id,
            greatest(clock_timestamp(), c.received_at) as received_at
     from (select) push
     left join inbound_${resource} c on c.source_system = $1 and c.external_id = $2 and c.status = 'applied'
     left join cross_system_mappings m
       on m.source_system = $1 and m.source_type = $4 and m.source_id = $2`,
    [source_system, external_id, external_version, canonicalTypes[resource]],
  );
  return known as StoredState;
}

/** A record that a source system names, and what it is here. */
export interface Resolved extends Pick<Lookup, "source_system" | "source_type" | "source_id"> {
  canonical_id: string;
}

/** Finds what all these lookups name, in one statement; what is not among the rows is not known. */
export function resolveLookups(
  sql: Sql,
  lookups: Pick<Lookup, "source_system" | "source_type" | "source_id">[],
): Promise<Resolved[]> {
  return sql.rows<Resolved>(
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
