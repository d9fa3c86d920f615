import { randomUUID } from "node:crypto";
import type { Actor } from "../../src/actor.js";
import { documentOf } from "../../src/inbound/documents.js";
import type { SourceSystem } from "../../src/inbound/source-systems/kinds.js";
import {
  MappingDocumentMissing,
  SourceSystemExists,
  SourceSystemInUse,
  SourceSystemNotFound,
} from "../../src/inbound/source-systems/problems.js";
import { systemActor } from "../../src/system-actor.js";
import { type AuditEntry, command } from "../command.js";
import { unlessNamed } from "../edit.js";

/** Lets a system push records whose mapping document this process has loaded. */
export function addSourceSystem(
  input: SourceSystem & { notes?: string | null | undefined },
  by: Actor,
): Promise<SourceSystem> {
  return command("source-systems.add", by, input, async (tx) => {
    const { source_system, kind, notes = null } = input;
    const added = await tx.row<SourceSystem>(
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

/** Takes a system that nothing names off the list. */
export function removeSourceSystem(
  source_system: string,
  by: Actor,
): Promise<{ source_system: string; deleted: true }> {
  return command("source-systems.remove", by, { source_system }, async (tx) => {
    const removed = await unlessNamed(
      tx.row<SourceSystem>(
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

/**
 * Puts the systems that the configuration names on the list; others stay on it. Any number of processes may do it at
 * once.
 */
export async function putSourceSystems(systems: SourceSystem[]): Promise<void> {
  if (systems.length === 0) return;
  const by = systemActor(randomUUID());
  await command("source-systems.put", by, systems, async (tx) => {
    const put = await tx.rows<SourceSystem & { added: boolean }>(
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

/** The audit trail counts its entities; a source system has no number, so its name stands in the details. */
const entry = ({ source_system, kind }: SourceSystem): Omit<AuditEntry, "action"> => ({
  entity: "SOURCE_SYSTEM",
  entityId: 0,
  details: { source_system, kind },
});
