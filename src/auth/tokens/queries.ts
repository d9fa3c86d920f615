import { z } from "zod";
import { type Actor, visibleWarehouses } from "../../platform/actor.js";
import { bool, int, text } from "../../platform/db/columns.js";
import { db, type Sql } from "../../platform/db/db.js";
import { type TokenManager, uncovered } from "./coverage.js";
import { TokenRecord } from "./shapes.js";
import { Token } from "./token.js";

/** A valid token, for how long it stays valid, and whether `last_used_at` is over a minute old. */
export const UsableToken = z.strictObject({ token: Token, lasts_ms: int, unnoted: bool });
export type UsableToken = z.infer<typeof UsableToken>;

export function usableToken(hash: string): Promise<UsableToken | undefined> {
  return db.row(
    UsableToken,
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

/** The columns of a `TokenRecord`; of the overrides only the keys (docs/interface.md, Tokens). */
export const TOKEN = `token_id, token_name, warehouse_ids, event_types, endpoints, connector_id, status, created_at,
  rotated_at, expires_at, revoked_at, last_used_at,
  case when rotated_at <= now() - interval '90 days' then 'overdue'
       when rotated_at <= now() - interval '75 days' then 'recommended' else 'none' end as rotation_status,
  source_system, inbound_resources, mapping_override,
  array(select key from jsonb_object_keys(mapping_overrides) as key
    order by key collate "C") as mapping_overrides_keys`;

/** The rights that limit which tokens the actor may manage; null for an ADMIN, who may manage all. */
export async function tokenManagerOf(sql: Sql, by: Actor): Promise<TokenManager | null> {
  if (by.role === "ADMIN") return null;
  if (by.pageKeys) return { warehouse_ids: by.warehouseIds, page_keys: by.pageKeys };
  const granted = await sql.rows(
    { page_key: text },
    "select page_key::text from user_page_permissions where user_id = $1",
    [by.userId],
  );
  const page_keys = granted.map(({ page_key }) => page_key);
  return { warehouse_ids: by.warehouseIds, page_keys };
}

/** Whether a token may be seen and changed: one whose access exceeds the manager's is for ADMIN only. */
export const mayManage = (manager: TokenManager | null, token: TokenRecord): boolean =>
  manager === null || uncovered(token, manager).length === 0;

/** All tokens that the actor may see, newest first; not paged (docs/interface.md, Tokens). */
export async function tokens(by: Actor): Promise<TokenRecord[]> {
  const [all, manager] = await Promise.all([
    db.rows(
      TokenRecord,
      `select ${TOKEN} from wms_tokens where $1::int[] is null or warehouse_ids <@ $1 order by token_id desc`,
      [visibleWarehouses(by)],
    ),
    tokenManagerOf(db, by),
  ]);
  return all.filter((token) => mayManage(manager, token));
}
