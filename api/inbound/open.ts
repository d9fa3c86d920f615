import { setTimeout as sleep } from "node:timers/promises";
import { loadMappings } from "../../activities/inbound/load-mappings.js";
import { putSourceSystems } from "../../activities/inbound/source-systems.js";
import type { Config } from "../../src/config/config.js";
import { databaseUnavailable, sqlState } from "../../src/db/db.js";
import { MappingError } from "../../src/inbound/documents.js";
import { log } from "../../src/log.js";

const UNDEFINED_TABLE = "42P01";
const RETRY_AFTER_MS = 1_000;

/**
 * Adds the configured source systems to the allowlist and loads the mapping documents, before the API listens. Waits
 * for the database to be available and migrated; exits when a document has a fault.
 */
export async function openInbound(config: Pick<Config<"api">, "sourceSystems" | "inboundMappingsDir">): Promise<void> {
  for (;;) {
    try {
      await putSourceSystems(config.sourceSystems);
      return await loadMappings(config.inboundMappingsDir);
    } catch (error) {
      if (error instanceof MappingError) exitWith(error);
      if (!databaseUnavailable(error) && sqlState(error) !== UNDEFINED_TABLE) throw error;
      log.warn({ err: error }, "waiting for the database");
      await sleep(RETRY_AFTER_MS);
    }
  }
}

/** As for other configuration errors: prints all faults and exits with 78 (EX_CONFIG). */
function exitWith(error: MappingError): never {
  console.error(error.message);
  process.exit(78);
}
