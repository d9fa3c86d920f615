import { z } from "zod";
import { arrayOf, bool, int, text } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { anyOf, builder } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import { SESSION_USER, SessionUser } from "../queries.js";
import { type KeyFilters, keyList, PersonalKey } from "./shapes.js";

/** The columns of a `PersonalKey`, from `personal_keys k join users u`. */
export const KEY = `key_id, username, key_name, k.page_keys, k.functions, is_read_only, made_at, expires_at,
  k.last_used_at, (select client_name from oauth_clients c where c.client_id = k.client_id) as agent_name`;

/** The keys of a user, newest first. */
export const keysOf = (userId: number): Promise<PersonalKey[]> =>
  db.rows(
    PersonalKey,
    `select ${KEY} from personal_keys k join users u using (user_id) where user_id = $1 order by key_id desc`,
    [userId],
  );

/** The keys of all users, by id. */
export function keys(filters: KeyFilters) {
  const { q } = filters;
  const query = builder("personal_keys as k").joinRaw("join users u using (user_id)").select(builder.raw(KEY));
  query.orderBy("key_id");
  if (q) query.where(anyOf(q, ["key_name", "username"], "u.external_id"));
  return listPage(PersonalKey, "keys", query, filters, keyList);
}

/**
 * A key that opens something, with its user as the database has them, for how long it still does, and whether
 * `last_used_at` is over a minute old.
 */
const UsableKey = z.strictObject({
  ...SessionUser.shape,
  key_id: int,
  key_name: text,
  is_read_only: bool,
  is_of_agent: bool,
  granted_pages: arrayOf(text).nullable(),
  functions: arrayOf(text).nullable(),
  all_warehouses: arrayOf(int),
  lasts_ms: int,
  unnoted: bool,
});

export const usableKey = (hash: string) =>
  db.row(
    UsableKey,
    `select ${SESSION_USER}, false as has_ended,
            key_id, key_name, is_read_only, client_id is not null as is_of_agent,
            k.page_keys as granted_pages, functions,
            array(select w.warehouse_id from warehouses w where not is_sandbox) as all_warehouses,
            (extract(epoch from least(expires_at, token_ends_at) - now()) * 1000)::bigint as lasts_ms,
            coalesce(k.last_used_at < now() - interval '1 minute', true) as unnoted
     from personal_keys k join users u using (user_id)
     where key_hash = $1 and least(expires_at, token_ends_at) > now() and is_active`,
    [hash],
  );
