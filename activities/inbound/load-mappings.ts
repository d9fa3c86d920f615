import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { isConnectorSystem } from "../../src/connectors/registry.js";
import {
  checkAgainst,
  loadDocuments,
  type MappingDocument,
  MappingError,
  useDocuments,
} from "../../src/inbound/documents.js";
import { text } from "../../src/platform/db/columns.js";
import { db, type Sql } from "../../src/platform/db/db.js";
import { log } from "../../src/platform/log.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { command } from "../command.js";

/**
 * Loads the mapping documents of a folder into this process and checks them against the allowlist of source systems
 * (docs/interface.md, Inbound); throws a MappingError. Without a folder there are none; one that is missing is a fault
 * where a system needs it. Warns of each allowed system without a document; those of connectors have none.
 */
export async function loadMappings(folder: string | undefined): Promise<void> {
  const listed = (
    await db.rows(
      { source_system: text },
      "select source_system from inbound_source_systems_allowlist order by source_system",
    )
  ).map(({ source_system }) => source_system);
  const pushing = listed.filter((system) => !isConnectorSystem(system));
  const isMissing = folder !== undefined && !existsSync(folder);
  if (isMissing && pushing.length > 0)
    throw new MappingError([`SERVICE_INBOUND_MAPPINGS_DIR: expected the path of a folder that exists, not ${folder}`]);
  if (isMissing) log.warn({ folder }, "the folder SERVICE_INBOUND_MAPPINGS_DIR is not there, and nobody needs it yet");
  const documents = folder && !isMissing ? await loadDocuments(folder) : new Map<string, MappingDocument>();
  const without = new Set(checkAgainst(listed, documents));
  for (const source_system of pushing.filter((system) => without.has(system)))
    log.warn(
      { source_system },
      `no mapping document ${source_system}.yaml in SERVICE_INBOUND_MAPPINGS_DIR: ` +
        "its pushes are answered 503 until there is one and the service was started again",
    );
  await auditChanges([...documents.values()]);
  useDocuments(documents);
}

/**
 * Writes audit rows MAPPING_DOCUMENT_LOAD (docs/interface.md, Inbound) for documents that changed since they were last
 * loaded. Every process loads them at every start, and rows without a change would hide the others.
 */
async function auditChanges(documents: MappingDocument[]): Promise<void> {
  if ((await changed(db, documents)).length === 0) return;
  const by = { ...systemActor(`mappings:${randomUUID()}`), username: "system:mapping_loader" };
  await command("mappings.load", by, {}, async (tx) => {
    // Of processes that start at the same time, the second one sees the rows of the first.
    await tx.run("select pg_advisory_xact_lock(hashtextextended('mapping documents', 0))");
    for (const document of await changed(tx, documents)) {
      tx.later.run(
        `insert into mapping_loads (source_system, sha256) values ($1, $2)
         on conflict (source_system) do update set sha256 = excluded.sha256, loaded_at = now()`,
        [document.source_system, document.sha256],
      );
      tx.audit({
        action: "MAPPING_DOCUMENT_LOAD",
        entity: "MAPPING_DOCUMENT",
        entityId: 0,
        details: {
          source_system: document.source_system,
          path: document.path,
          sha256: document.sha256,
          mapping_version: document.mapping_version,
          version_compare: document.version_compare,
          resource_count: Object.keys(document.resources).length,
        },
      });
    }
  });
}

/** The documents whose content differs from the one that was loaded last. */
async function changed(sql: Sql, documents: MappingDocument[]): Promise<MappingDocument[]> {
  const last = await sql.rows({ source_system: text, sha256: text }, "select source_system, sha256 from mapping_loads");
  return documents.filter(
    ({ source_system, sha256 }) => !last.some((row) => row.source_system === source_system && row.sha256 === sha256),
  );
}
