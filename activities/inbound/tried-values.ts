import { z } from "zod";
import type { Mapped } from "../../src/inbound/apply.js";
import type { InboundAttempt, Tried, TriedLookup } from "../../src/inbound/attempts.js";
import { lookupName, resolveLookups, sourceSystems } from "../../src/inbound/queries.js";
import { isComparable, type VersionCompare } from "../../src/inbound/versions.js";
import { int, text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";

/** The result of a mapping, as shown to people who write mappings. */

/** Header and lines, each with the names of its columns in messages. */
const partsOf = (mapped: Mapped) => [
  { record: mapped, prefix: "" },
  ...(mapped.lines ?? []).map((record, i) => ({ record, prefix: `lines[${i}].` })),
];

/** The lookups of a mapping, each with the record that it finds. */
export async function triedLookups(mapped: Mapped): Promise<TriedLookup[]> {
  const lookups = partsOf(mapped).flatMap(({ record, prefix }) =>
    record.lookups.map((lookup) => ({ lookup, field: prefix + lookup.column })),
  );
  if (lookups.length === 0) return [];
  const found = await resolveLookups(
    db,
    lookups.map(({ lookup }) => lookup),
  );
  const ids = new Map(found.map((row) => [lookupName(row), row.canonical_id]));
  return lookups.map(({ field, lookup }) => {
    const { source_system, source_type, source_id, required } = lookup;
    return {
      field,
      source_system,
      source_type,
      source_id,
      required,
      canonical_id: ids.get(lookupName(lookup)) ?? null,
    };
  });
}

/** The values as the mapping gave them, with the ids that the lookups found. */
export function asMapped(mapped: Mapped | undefined, lookups: TriedLookup[]): Pick<Tried, "values" | "lines"> {
  if (!mapped) return { values: null, lines: null };
  const ids = new Map(lookups.map(({ field, canonical_id }) => [field, canonical_id]));
  const [header, ...lines] = partsOf(mapped).map(({ record, prefix }) =>
    Object.fromEntries(
      Object.entries(record.values).map(([column, value]) => [column, ids.get(prefix + column) ?? value]),
    ),
  );
  return { values: header ?? null, lines: mapped.lines ? lines : null };
}

const KEEPS_LINES = "the payload has no lines, so the order keeps those that it has";

/** The order as the push would leave it. */
export const OrderLeft = z.strictObject({ status: text, lines: int });
export type OrderLeft = z.infer<typeof OrderLeft>;

/** Warnings about what is valid, but probably not intended. */
export async function warningsOf(
  { source_system, external_version }: Pick<InboundAttempt, "source_system" | "external_version">,
  versions: VersionCompare,
  mapped: Mapped | undefined,
  lookups: TriedLookup[],
  left: OrderLeft | undefined,
): Promise<string[]> {
  const listed = (await sourceSystems()).some((system) => system.source_system === source_system);
  const missed = lookups.filter(({ required, canonical_id }) => !required && canonical_id === null);
  const comparable = external_version === undefined || isComparable(versions, external_version);
  const status = mapped?.values.status ?? left?.status;
  return [
    ...(listed ? [] : [`${source_system} is not on the list of source systems, so it has no tokens that push`]),
    ...(comparable ? [] : [`external_version: ${external_version} is no ${versions}, so it is compared as text`]),
    ...(left && status !== left.status ? [`status: the order is ${left.status}, not ${status}`] : []),
    ...(mapped?.lines?.length === 0 ? [left?.lines ? KEEPS_LINES : "the order has no lines"] : []),
    ...missed.map(
      ({ field, source_type, source_id, source_system }) =>
        `${field}: stays empty, because ${source_system} has not sent ${source_type} ${source_id}`,
    ),
  ];
}
