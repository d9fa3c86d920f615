import type { Lookup, Mapped } from "../../src/inbound/apply.js";
import { LookupMiss } from "../../src/inbound/problems.js";
import { itemsBySku, lookupName, resolveLookups } from "../../src/inbound/queries.js";
import type { Tx } from "../command.js";

type SourceRecord = Pick<Lookup, "source_system" | "source_type" | "source_id">;

/**
 * Resolves all lookups of header and lines with one query: their values become the ids of this service. A record that
 * its source has not sent yet is a 409 where it is required, and null elsewhere.
 */
export async function resolve(tx: Tx, mapped: Mapped): Promise<void> {
  const parts = [mapped, ...(mapped.lines ?? [])];
  const lookups = parts.flatMap((part) => part.lookups);
  if (lookups.length === 0) return;
  const found = await resolveLookups(tx, lookups);
  const ids = new Map(found.map((row) => [lookupName(row), row.canonical_id]));
  const bySku = await itemsBySku(
    tx,
    lookups.filter((lookup) => !ids.has(lookupName(lookup))),
  );
  for (const { values, lookups } of parts)
    for (const lookup of lookups) {
      const id = ids.get(lookupName(lookup)) ?? bySku.get(lookupName(lookup));
      if (!id && lookup.required) throw lookupMiss(lookup);
      values[lookup.column] = id ?? null;
    }
}

export function lookupMiss({ source_system, source_type, source_id }: SourceRecord) {
  const missing = { source_system, source_type, source_id };
  return LookupMiss(missing, { missing });
}
