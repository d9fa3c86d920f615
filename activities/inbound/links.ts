import { z } from "zod";
import type { Resource } from "../../src/auth/tokens/scope.js";
import { canonicalTypes } from "../../src/inbound/columns.js";
import { CanonicalTypeName, type PushKey } from "../../src/inbound/shapes.js";
import { int, text } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";

/** An id of a source system, and the record that it names. */
export const Link = z.strictObject({
  source_system: text,
  source_type: CanonicalTypeName,
  source_id: text,
  canonical_id: text,
});
export type Link = z.infer<typeof Link>;

export const StoredLink = Link.extend({ mapping_id: int });
export type StoredLink = z.infer<typeof StoredLink>;

export const linkOf = (
  resource: Resource,
  { source_system, external_id }: Pick<PushKey, "source_system" | "external_id">,
  canonical_id: string,
): Link => ({ source_system, source_type: canonicalTypes[resource], source_id: external_id, canonical_id });

/** The lock that is held while an id of a source is pushed, or unlinked from its record. */
export const lockName = (resource: Resource, source_system: string, source_id: string): string =>
  JSON.stringify([resource, source_system, source_id]);

/**
 * Inserts links. The result lacks those whose id is linked to a record already, and those whose record has another id
 * of that source.
 */
export function insertLinks(tx: Tx, links: Link[]): Promise<StoredLink[]> {
  return tx.rows(
    StoredLink,
    `insert into cross_system_mappings (source_system, source_type, source_id, canonical_type, canonical_id)
     select source_system, source_type, source_id, source_type, canonical_id
     from unnest($1::text[], $2::text[], $3::text[], $4::uuid[])
       as l(source_system, source_type, source_id, canonical_id)
     where not exists (select from cross_system_mappings m
                       where m.canonical_id = l.canonical_id and m.source_system = l.source_system)
     order by source_system, source_type, source_id
     on conflict do nothing
     returning mapping_id, source_system, source_type, source_id, canonical_id`,
    [
      links.map((link) => link.source_system),
      links.map((link) => link.source_type),
      links.map((link) => link.source_id),
      links.map((link) => link.canonical_id),
    ],
  );
}

export function auditLink(
  tx: Tx,
  action: "LINK" | "UNLINK",
  { mapping_id, source_system, source_type, source_id, canonical_id }: StoredLink,
  warehouseId: number | null,
  more: Record<string, unknown> = {},
): void {
  const details = { source_system, source_type, source_id, canonical_id, ...more };
  tx.audit({ action, entity: "SOURCE_LINK", entityId: mapping_id, warehouseId, details });
}
