import { resourceOf } from "../../src/inbound/columns.js";
import { sourceLink } from "../../src/inbound/links/queries.js";
import type { DeletedSourceLink, NewSourceLink, SourceLink } from "../../src/inbound/links/shapes.js";
import { LinkNotFound } from "../../src/inbound/problems.js";
import { warehousesUnlessAll } from "../../src/master-data/warehouses/queries.js";
import type { Actor } from "../../src/platform/actor.js";
import { DomainError } from "../../src/platform/problem.js";
import { command } from "../command.js";
import { linkRecords } from "./link-records.js";
import { auditLink, lockName, StoredLink } from "./links.js";

/** Links an id of a source system to an existing record. */
export function addSourceLink(input: NewSourceLink, by: Actor): Promise<SourceLink> {
  return command("source-links.add", by, input, async (tx) => {
    const [linked] = await linkRecords(tx, [input], by);
    if (linked instanceof DomainError) throw linked;
    return (await sourceLink(tx, (linked as StoredLink).mapping_id, null)) as SourceLink;
  });
}

/** Unlinks an id of a source system from its record, between two pushes of it. */
export function removeSourceLink(link_id: number, by: Actor): Promise<DeletedSourceLink> {
  return command("source-links.remove", by, { link_id }, async (tx) => {
    const link = await sourceLink(tx, link_id, await warehousesUnlessAll(by, tx));
    if (!link) throw LinkNotFound();
    const { source_type, source_system, source_id, warehouse_id } = link;
    const [, removed] = await tx.inOrder([
      tx.run("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
        lockName(resourceOf(source_type), source_system, source_id),
      ]),
      tx.row(
        StoredLink,
        `delete from cross_system_mappings where mapping_id = $1
         returning mapping_id, source_system, source_type, source_id, canonical_id`,
        [link_id],
      ),
    ]);
    if (!removed) throw LinkNotFound();
    auditLink(tx, "UNLINK", removed, warehouse_id);
    return { link_id, deleted: true };
  });
}
