import { db } from "../../platform/db/db.js";
import { SourceSystem } from "./shapes.js";

/** The systems that may push records, by name. */
export function sourceSystems(): Promise<SourceSystem[]> {
  return db.rows(
    SourceSystem,
    "select source_system, kind from inbound_source_systems_allowlist order by source_system",
  );
}
