import { z } from "zod";
import type { Resource } from "../../src/auth/tokens/scope.js";
import { adoptionKeys, type CanonicalType, columns, resourceOf } from "../../src/inbound/columns.js";
import { RecordLinked, RecordNotFound, SourceIdLinked, SourceSystemNotFound } from "../../src/inbound/problems.js";
import { canonicalTables, warehouseOf } from "../../src/inbound/queries.js";
import { warehousesUnlessAll } from "../../src/master-data/warehouses/queries.js";
import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import type { Sql } from "../../src/platform/db/db.js";
import { DomainError } from "../../src/platform/problem.js";
import type { Tx } from "../command.js";
import { auditLink, insertLinks, Link, type StoredLink } from "./links.js";

/** An id of a source system, and the record that it is to name: by its UUID, or by its key, such as SKU or number. */
export interface WantedLink {
  source_system: string;
  source_type: CanonicalType;
  source_id: string;
  canonical_id?: string | undefined;
  code?: string | undefined;
}

const Found = z.strictObject({ canonical_id: text, code: text, warehouse_id: int.nullable() });
type Found = z.infer<typeof Found>;

/** Links ids to records that the actor may see; returns for each its link, or why there is none. */
export async function linkRecords(tx: Tx, wanted: WantedLink[], by: Actor): Promise<(StoredLink | DomainError)[]> {
  const types = [...new Set(wanted.map((link) => link.source_type))];
  const warehouseIds = await warehousesUnlessAll(by, tx);
  const [systems, ...records] = await tx.inOrder([
    tx.rows(
      { source_system: text },
      "select source_system from inbound_source_systems_allowlist where source_system = any($1) for key share",
      [wanted.map((link) => link.source_system)],
    ),
    ...types.map((type) => recordsOf(tx, type, wanted, warehouseIds)),
  ]);
  const known = new Set(systems.map((system) => system.source_system));
  const byName = new Map(types.map((type, i) => [type, namesOf(records[i] ?? [])]));
  const found = wanted.map((link): Found | DomainError => {
    if (!known.has(link.source_system)) return SourceSystemNotFound();
    const record = String(link.canonical_id ?? link.code);
    const [one, another] = byName.get(link.source_type)?.get(record) ?? [];
    // Only files name records by keys that several of them may have.
    if (another)
      return new DomainError("several_records", 409, {
        error: `Several records are called ${record}: name the canonical_id`,
      });
    return one ?? RecordNotFound({ source_type: link.source_type, record });
  });
  const links = wanted.flatMap((link, i): Link[] => {
    const record = found[i] as Found | DomainError;
    return record instanceof DomainError ? [] : [{ ...link, canonical_id: record.canonical_id }];
  });
  const inserted = new Map(
    (await insertLinks(tx, links)).map((link) => [`${nameOf(link)} ${link.canonical_id}`, link]),
  );
  const inTheWay = inserted.size < links.length ? await taken(tx, links) : [];
  return wanted.map((link, i) => {
    const record = found[i] as Found | DomainError;
    if (record instanceof DomainError) return record;
    const key = `${nameOf(link)} ${record.canonical_id}`;
    const made = inserted.get(key);
    if (!made) return refusalOf({ ...link, canonical_id: record.canonical_id }, inTheWay);
    // The same link again is no fault: it exists already.
    inserted.delete(key);
    auditLink(tx, "LINK", made, record.warehouse_id);
    return made;
  });
}

/** The named records of a type, locked against deletion; in these warehouses, or in all. */
function recordsOf(
  sql: Sql,
  type: CanonicalType,
  wanted: WantedLink[],
  warehouseIds: number[] | null,
): Promise<Found[]> {
  const resource = resourceOf(type);
  const { table, key } = canonicalTables[resource];
  const named = wanted.filter((link) => link.source_type === type);
  const scoped = "warehouse_id" in columns[resource];
  return sql.rows(
    Found,
    `select ${key} as canonical_id, ${codeOf(resource)} as code, ${warehouseOf(resource)}
     from ${table} where (${key} = any($1::uuid[]) or ${codeOf(resource)} = any($2::text[]))
       and ($3::int[] is null ${scoped ? "or warehouse_id = any($3)" : ""})
     order by ${key} for key share`,
    [named.flatMap((link) => link.canonical_id ?? []), named.flatMap((link) => link.code ?? []), warehouseIds],
  );
}

const codeOf = (resource: Resource): string => adoptionKeys[resource][0];

/** Records by UUID and by code. */
function namesOf(records: Found[]): Map<string, Found[]> {
  const names = new Map<string, Found[]>();
  for (const record of records)
    for (const name of [record.canonical_id, record.code]) names.set(name, [...(names.get(name) ?? []), record]);
  return names;
}

type SourceName = Pick<Link, "source_system" | "source_type" | "source_id">;

const nameOf = ({ source_system, source_type, source_id }: SourceName) =>
  JSON.stringify([source_system, source_type, source_id]);

/** Existing links that have an id or a record in common with these. */
const taken = (sql: Sql, links: Link[]): Promise<Link[]> =>
  sql.rows(
    Link,
    `select m.source_system, m.source_type, m.source_id, m.canonical_id
     from unnest($1::text[], $2::text[], $3::text[]) as l(source_system, source_type, source_id)
       join cross_system_mappings m using (source_system, source_type, source_id)
     union
     select m.source_system, m.source_type, m.source_id, m.canonical_id
     from unnest($1::text[], $4::uuid[]) as l(source_system, canonical_id)
       join cross_system_mappings m using (source_system, canonical_id)
     order by source_id`,
    [
      links.map((link) => link.source_system),
      links.map((link) => link.source_type),
      links.map((link) => link.source_id),
      links.map((link) => link.canonical_id),
    ],
  );

function refusalOf(link: Link, inTheWay: Link[]): DomainError {
  const { source_system, source_type, source_id, canonical_id } = link;
  const other = inTheWay.find((one) => one.source_system === source_system && one.canonical_id === canonical_id);
  const isIdTaken = !other || inTheWay.some((one) => nameOf(one) === nameOf(link));
  return isIdTaken
    ? SourceIdLinked({ source_system, source_type, source_id })
    : RecordLinked({ source_system, source_type, source_id: other.source_id });
}
