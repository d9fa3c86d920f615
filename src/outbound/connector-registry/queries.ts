import { db } from "../../db/db.js";
import type { Connector } from "./shapes.js";

export const CONNECTOR = "connector_id, display_name, created_at, updated_at";

/** The connectors of the registry, by id. */
export function connectors(): Promise<Connector[]> {
  return db.rows<Connector>(`select ${CONNECTOR} from connectors order by connector_id`);
}
