import { db } from "../db.js";
import type { Token } from "./token.js";

/** A token that may be used now, for how long still, and whether its last use was noted over a minute ago. */
export interface UsableToken {
  token: Token;
  lasts_ms: number;
  unnoted: boolean;
}

export function usableToken(hash: string): Promise<UsableToken | undefined> {
  return db.row<UsableToken>(
    `select json_build_object(
              'token_id', token_id, 'token_name', token_name, 'source_system', source_system,
              'inbound_resources', inbound_resources, 'event_types', event_types, 'endpoints', endpoints,
              'warehouse_ids', warehouse_ids, 'connector_id', connector_id, 'mapping_override', mapping_override,
              'mapping_overrides', mapping_overrides, 'expires_at', expires_at) as token,
            (extract(epoch from expires_at - now()) * 1000)::bigint as lasts_ms,
            coalesce(last_used_at < now() - interval '1 minute', true) as unnoted
     from wms_tokens where token_hash = $1 and status = 'active' and revoked_at is null and expires_at > now()`,
    [hash],
  );
}

/** A token as its keepers see it: not even its overrides, only their names (reference 04 §1.2). */
export interface TokenRecord {
  token_id: number;
  token_name: string;
  warehouse_ids: number[];
  event_types: string[];
  endpoints: string[];
  connector_id: string | null;
  status: "active" | "revoked";
  created_at: string;
  rotated_at: string;
  expires_at: string;
  revoked_at: string | null;
  last_used_at: string | null;
  rotation_status: "none" | "recommended" | "overdue";
  source_system: string | null;
  inbound_resources: string[];
  mapping_override: boolean;
  mapping_overrides_keys: string[];
}

export const TOKEN = `token_id, token_name, warehouse_ids, event_types, endpoints, connector_id, status, created_at,
  rotated_at, expires_at, revoked_at, last_used_at,
  case when rotated_at <= now() - interval '90 days' then 'overdue'
       when rotated_at <= now() - interval '75 days' then 'recommended' else 'none' end as rotation_status,
  source_system, inbound_resources, mapping_override,
  array(select key from jsonb_object_keys(mapping_overrides) as key order by key collate "C") as mapping_overrides_keys`;

/** Which tokens somebody may see and change: those that reach no warehouse of others. A null is for all. */
export const WITHIN = "($1::int[] is null or warehouse_ids <@ $1)";

/** All tokens that the keeper may see, newest first; not paged (reference 04 §1.2). */
export function tokens(warehouseIds: number[] | null): Promise<TokenRecord[]> {
  return db.rows<TokenRecord>(
    `select ${TOKEN} from wms_tokens where ${WITHIN} order by token_id desc`,
    [warehouseIds],
  );
}
