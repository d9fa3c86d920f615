import { z } from "zod";
import { arrayOf, bool, int, text, time } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { Account } from "./shapes.js";

/**
 * The user of a request, as it is in the database: the claims of the JWT are not trusted (docs/interface.md, Signing
 * in).
 */
export const SessionUser = Account.omit({ full_name: true, allowed_functions: true }).extend({
  password_changed_at: time.nullable(),
  page_keys: arrayOf(text),
  /** The functions that the user may call, where `enforce_allowed_functions` is set; null where all may be called. */
  callable_functions: arrayOf(text).nullable(),
  /** The warehouses whose rows an ADMIN sees where none is named: those that are no sandboxes; null for all. */
  shown_warehouses: arrayOf(int).nullable(),
  /** The badge that the user has now. */
  badge_id: text.nullable(),
  /** Whether the role needs a second factor, and whether the user has one. */
  needs_factor: bool,
  has_factor: bool,
  /** Whether any sign-in at the provider counts as one (setting `second_factor_at_provider`). */
  trusts_provider: bool,
  /** The settings of step-up. */
  step_up_settings: z.record(z.string(), z.string()),
  /** Whether the session was logged out. */
  has_ended: bool,
  /**
   * A number that each restore changes, which ends all sessions: the database does not know any more which were logged
   * out.
   */
  epoch: text,
  /** In whole seconds since 1970. */
  epoch_began: int,
});
/** The personal key that a request came with. */
export interface UsedKey {
  key_id: number;
  key_name: string;
  is_read_only: boolean;
  /** Whether it is the token of a program that was let in by OAuth, which is for the endpoint for agents alone. */
  is_of_agent: boolean;
  /** Whether it opens some of its user's pages alone. */
  isNarrow: boolean;
}

/** With the key that the request came with, if it was one: the rights are what the key leaves of the user's. */
export type SessionUser = z.infer<typeof SessionUser> & { key?: UsedKey };

/** SQL, for `users u`: whether the role of the user needs a second factor (setting `second_factor_roles`). */
export const NEEDS_FACTOR = `exists (select from app_settings
  where key = 'second_factor_roles' and u.role = any(string_to_array(value, ',')))`;
/** SQL, for `users u`: whether the user has a second factor. */
export const HAS_FACTOR = `(exists (select from user_totp f where f.user_id = u.user_id and confirmed_at is not null)
  or exists (select from user_passkeys f where f.user_id = u.user_id))`;

/** SQL: whether any sign-in at the provider counts as a second factor, as it does where nobody has set it. */
const TRUSTS_PROVIDER = `not exists (select from app_settings
  where key = 'second_factor_at_provider' and value not in ('', 'any'))`;

const STEP_UP_SETTINGS = `(select coalesce(json_object_agg(key, value), '{}')
  from app_settings where starts_with(key, 'step_up'))`;

/** The claims of a session that depend on the database's epoch. */
export const EPOCH = `(select epoch from stream_epochs order by begins_after desc limit 1) as epoch,
  (select floor(extract(epoch from started_at))::bigint from stream_epochs
   order by begins_after desc limit 1) as epoch_began`;

/** SQL: the warehouses whose rows an ADMIN sees where none is named; null for all, where there is no sandbox. */
const SHOWN_WAREHOUSES = `case when exists (select from warehouses where is_sandbox)
  then array(select w.warehouse_id from warehouses w where not is_sandbox) end`;

/** SQL, for `users u`: the columns of a `SessionUser` that do not depend on the session. */
export const SESSION_USER = `user_id, username, external_id, role, warehouse_id, warehouse_ids, is_active,
  must_change_password, password_changed_at,
  array(select page_key::text from user_page_permissions p where p.user_id = u.user_id) as page_keys,
  case when exists (select from app_settings where key = 'enforce_allowed_functions' and value = 'true')
       then allowed_functions end as callable_functions,
  (select badge_id::text from user_badges b where b.user_id = u.user_id) as badge_id,
  ${SHOWN_WAREHOUSES} as shown_warehouses, ${NEEDS_FACTOR} as needs_factor, ${HAS_FACTOR} as has_factor,
  ${TRUSTS_PROVIDER} as trusts_provider, ${STEP_UP_SETTINGS} as step_up_settings, ${EPOCH}`;

const UsedSession = z.strictObject({ ...SessionUser.shape, unnoted: bool });

/** The user of a session, whether the session has ended, and whether its use was noted over a minute ago. */
export const sessionUser = (userId: number, sessionId: string): Promise<z.infer<typeof UsedSession> | undefined> =>
  db.row(
    UsedSession,
    `select ${SESSION_USER}, exists (select from ended_sessions where session_id = $2) as has_ended,
            exists (select from user_sessions
                    where session_id = $2 and last_used_at < now() - interval '1 minute') as unnoted
     from users u where user_id = $1`,
    [userId, sessionId],
  );

/**
 * The fields that a login is checked against. User names are case-sensitive (docs/interface.md, Signing in) and stored
 * in Unicode's composed form, so one that is typed in decomposed form is the same.
 */
export const Credentials = z.strictObject({
  ...Account.pick({ user_id: true, is_active: true }).shape,
  password_hash: text,
  has_factor: bool,
});
export type Credentials = z.infer<typeof Credentials>;

export function credentials(username: string): Promise<Credentials | undefined> {
  return db.row(
    Credentials,
    `select user_id, password_hash, is_active, ${HAS_FACTOR} as has_factor
     from users u where username in ($1::text, normalize($1::text, nfc))
     order by username = $1::text desc limit 1`,
    [username],
  );
}

/** The hash of a user's password; undefined where there is no such user. */
export async function passwordHash(userId: number): Promise<string | undefined> {
  const user = await db.row({ password_hash: text }, "select password_hash from users where user_id = $1", [userId]);
  return user?.password_hash;
}

/**
 * The columns of an `Account` (docs/interface.md, Sales orders). Its functions still depend on settings and role
 * (functions.ts).
 */
export const ACCOUNT = `user_id, external_id, username, full_name, role, warehouse_id, warehouse_ids, allowed_functions,
  is_active, must_change_password`;

export function account(userId: number): Promise<Account | undefined> {
  return db.row(Account, `select ${ACCOUNT} from users where user_id = $1`, [userId]);
}

/**
 * SQL: the display name of the author of a record, from a column that identifies the author as the audit log does: the
 * name of a person, token, connector or source system; null for the service itself.
 */
export const actorName = (column: string) => `case
  when ${column} like 'system:wms\\_token:%' then coalesce(
    (select token_name from wms_tokens where token_id::text = substr(${column}, 18)), 'Token ' || substr(${column}, 18))
  when ${column} like 'system:connector:%' then substr(${column}, 18)
  when ${column} like 'inbound:%' then substr(${column}, 9)
  when ${column} = 'system' or ${column} like 'system:%' then null
  else coalesce((select nullif(btrim(full_name), '') from users u where u.username = ${column}), ${column}) end`;
