import { setTimeout as sleep } from "node:timers/promises";
import { loadMappings } from "../../activities/inbound/load-mappings.js";
import { putSourceSystems } from "../../activities/inbound/source-systems.js";
import type { Config } from "../../src/config/config.js";
import { databaseUnavailable, sqlState } from "../../src/db/db.js";
import { MappingError } from "../../src/inbound/documents.js";
import { log } from "../../src/log.js";

const UNDEFINED_TABLE = "42P01";
const AGAIN_AFTER_MS = 1_000;

/**
 * What records of other systems need before the API listens: the list of source systems, and their mapping documents,
 * which have to fit it. Waits for a database that is not there or not migrated yet; a fault in a document ends the
 * process.
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
      await sleep(AGAIN_AFTER_MS);
    }
  }
}

/** As for any other fault of the configuration: said whole, exit code 78 (EX_CONFIG). */
function exitWith(error: MappingError): never {
  console.error(error.message);
  process.exit(78);
}
