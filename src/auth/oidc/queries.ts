import { bool } from "../../platform/db/columns.js";
import { db, type Sql } from "../../platform/db/db.js";
import { NO_MAPPING, SignInMapping, UserSignIn } from "./shapes.js";

/** What groups may do here. */
export const signInMapping = async (sql: Sql): Promise<SignInMapping> =>
  (await sql.row(SignInMapping, "select username_claim, groups_claim, groups from sign_in_mapping")) ?? NO_MAPPING;

/** How a user signs in; undefined where there is no such user. */
export const userSignIn = (sql: Sql, userId: number): Promise<UserSignIn | undefined> =>
  sql.row(
    UserSignIn,
    `select is_break_glass,
            (select json_build_object('subject', subject, 'is_made', is_made, 'linked_by', linked_by,
                                      'linked_at', linked_at)
             from user_identities i where i.user_id = u.user_id) as provider
     from users u where user_id = $1`,
    [userId],
  );

/** Whether the provider made the user, who has no password then. */
export const isMadeByProvider = async (sql: Sql, userId: number): Promise<boolean> =>
  (await sql.row({}, "select from user_identities where user_id = $1 and is_made", [userId])) !== undefined;

/** Whether nothing but the provider proves who the user is: there is no password, or it opens nothing. */
export const signsInAtProvider = async (userId: number): Promise<boolean> =>
  (await isMadeByProvider(db, userId)) || mustUseProvider(userId);

/** Who signs in with a password whatever is required; SQL, of `users`. */
export const BREAK_GLASS = "is_break_glass and role = 'ADMIN' and is_active and starts_with(password_hash, '$argon2')";

/** Whether all but break-glass users sign in at the provider (`sso_required`); by default not. */
export const SSO_REQUIRED = "exists (select from app_settings where key = 'sso_required' and value = 'true')";

/** Whether nothing but the provider signs this user in. */
export async function mustUseProvider(userId: number): Promise<boolean> {
  const user = await db.row(
    { must: bool },
    `select ${SSO_REQUIRED} and not (${BREAK_GLASS}) as must from users where user_id = $1`,
    [userId],
  );
  return user?.must ?? false;
}

export async function requiresProvider(sql: Sql): Promise<boolean> {
  return (await sql.row({ required: bool }, `select ${SSO_REQUIRED} as required`))?.required ?? false;
}
