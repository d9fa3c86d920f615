import { db } from "../db.js";

/** A name that owns consumer groups, webhooks and tokens. */
export interface Connector {
  connector_id: string;
  display_name: string;
  created_at: string;
  updated_at: string;
}

export const CONNECTOR = "connector_id, display_name, created_at, updated_at";

/** The connectors of the registry, by id. */
export function connectors(): Promise<Connector[]> {
  return db.rows<Connector>(
    `select ${CONNECTOR} from connectors order by connector_id`,
  );
}
