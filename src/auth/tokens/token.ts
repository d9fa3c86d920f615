/** An integration token, as a request that carries it is judged (spec 2.4). Empty lists give access to nothing. */
export interface Token {
  token_id: number;
  token_name: string;
  /** Whose records it pushes; null for a token that pushes none. */
  source_system: string | null;
  inbound_resources: string[];
  event_types: string[];
  endpoints: string[];
  warehouse_ids: number[];
  /** The program that it is of; null for a token of none. */
  connector_id: string | null;
  mapping_override: boolean;
  mapping_overrides: Record<string, unknown>;
  expires_at: string;
}
