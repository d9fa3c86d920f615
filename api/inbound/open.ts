import { loadMappings } from "../../activities/inbound/load-mappings.js";
import { putSourceSystems } from "../../activities/inbound/source-systems.js";
import { MappingError } from "../../src/inbound/documents.js";
import type { Config } from "../../src/platform/config/config.js";

/**
 * Adds the configured source systems to the allowlist and loads the mapping documents, before the API listens. When a
 * document has a fault, prints all faults and exits with 78 (EX_CONFIG), as for other configuration errors.
 */
export async function openInbound(config: Pick<Config<"api">, "sourceSystems" | "inboundMappingsDir">): Promise<void> {
  try {
    await putSourceSystems(config.sourceSystems);
    await loadMappings(config.inboundMappingsDir);
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    console.error(error.message);
    process.exit(78);
  }
}
