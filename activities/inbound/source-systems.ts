import { randomUUID } from "node:crypto";
import { documentOf } from "../../src/inbound/documents.js";
import {
  MappingDocumentMissing,
  SourceSystemExists,
  SourceSystemInUse,
  SourceSystemNotFound,
} from "../../src/inbound/problems.js";
import { type DeletedSourceSystem, type NewSourceSystem, SourceSystem } from "../../src/inbound/shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { bool } from "../../src/platform/db/columns.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { type AuditEntry, command } from "../command.js";
import { refusingReferenced } from "../edit.js";

/** Allows a system to push records; this API process must have loaded its mapping document. */
export function addSourceSystem(input: NewSourceSystem, by: Actor): Promise<SourceSystem> {
  return command("source-systems.add", by, input, async (tx) => {
    const { source_system, kind, notes = null } = input;
    const added = await tx.row(
      SourceSystem,
      `insert into inbound_source_systems_allowlist (source_system, kind, notes) values ($1, $2, $3)
       on conflict do nothing returning source_system, kind`,
      [source_system, kind, notes],
    );
    if (!added) throw SourceSystemExists({ source_system });
    if (!documentOf(source_system)) throw MappingDocumentMissing({ source_system, kind });
    tx.audit({ action: "CREATE", ...entry(added) });
    return added;
  });
}

/** Removes a system that has no tokens and has pushed nothing. */
export function removeSourceSystem(source_system: string, by: Actor): Promise<DeletedSourceSystem> {
  return command("source-systems.remove", by, { source_system }, async (tx) => {
    const removed = await refusingReferenced(
      tx.row(
        SourceSystem,
        "delete from inbound_source_systems_allowlist where source_system = $1 returning source_system, kind",
        [source_system],
      ),
      SourceSystemInUse({ source_system }),
    );
    if (!removed) throw SourceSystemNotFound();
    tx.audit({ action: "DELETE", ...entry(removed) });
    return { source_system, deleted: true };
  });
}

/** Adds the configured systems to the allowlist; others stay on it. Several processes may do this at the same time. */
export async function putSourceSystems(systems: SourceSystem[]): Promise<void> {
  if (systems.length === 0) return;
  const by = systemActor(randomUUID());
  await command("source-systems.put", by, systems, async (tx) => {
    const put = await tx.rows(
      { ...SourceSystem.shape, added: bool },
      `insert into inbound_source_systems_allowlist as list (source_system, kind)
       select distinct on (source_system) source_system, kind
       from jsonb_to_recordset($1) as given (source_system text, kind text) order by source_system
       on conflict (source_system) do update set kind = excluded.kind where list.kind <> excluded.kind
       returning source_system, kind, xmax = 0 as added`,
      [JSON.stringify(systems)],
    );
    for (const { added, ...system } of put) tx.audit({ action: added ? "CREATE" : "UPDATE", ...entry(system) });
  });
}

/** A source system has no numeric id: its audit rows have its name in the details. */
const entry = ({ source_system, kind }: SourceSystem): Omit<AuditEntry, "action"> => ({
  entity: "SOURCE_SYSTEM",
  entityId: 0,
  details: { source_system, kind },
});
