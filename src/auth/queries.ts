import { loader } from "../concurrency/loader.js";
import { db } from "../db/db.js";
import type { Account } from "./shapes.js";

/** What every request needs to know of its user: JWT claims are not trusted (reference 01 §5). */
export interface SessionUser {
  user_id: number;
  username: string;
  external_id: string;
  role: "ADMIN" | "USER";
  warehouse_id: number | null;
  warehouse_ids: number[];
  is_active: boolean;
  must_change_password: boolean;
  password_changed_at: string | null;
  page_keys: string[];
  allowed_functions: string[];
  /** Whether a write on the floor needs its function (`enforce_allowed_functions`). */
  functions_enforced: boolean;
  session_ended: boolean;
}

const reading = loader<string, SessionUser>(async (keys) => {
  const asked = keys.map((key) => JSON.parse(key) as [number, string]);
  const users = await db.rows<SessionUser & { ended: string[] }>(
    `select user_id, username, external_id, role, warehouse_id, warehouse_ids, is_active, must_change_password,
            password_changed_at, allowed_functions,
            array(select page_key::text from user_page_permissions p where p.user_id = u.user_id) as page_keys,
            exists (select from app_settings
                    where key = 'enforce_allowed_functions' and value = 'true') as functions_enforced,
            array(select session_id from ended_sessions where session_id = any($2)) as ended
     from users u where user_id = any($1)`,
    [asked.map(([userId]) => userId), asked.map(([, session]) => session)],
  );
  const found = new Map(users.map((user) => [user.user_id, user]));
  return new Map(
    asked.flatMap(([userId, session], i) => {
      const user = found.get(userId);
      if (!user) return [];
      const { ended, ...rest } = user;
      const session_ended = ended.includes(session);
      return [[keys[i] as string, { ...rest, session_ended }] as const];
    }),
  );
});

/**
 * The user with this id, and whether this session was ended, as the database has it now: read anew for each request.
 */
export const sessionUser = (userId: number, sessionId: string): Promise<SessionUser | undefined> =>
  reading(JSON.stringify([userId, sessionId]));

/** What a login has to compare. The name counts as it is written, capitals and all (reference 01 §3). */
export interface Credentials {
  user_id: number;
  password_hash: string;
  is_active: boolean;
}

export function credentials(username: string): Promise<Credentials | undefined> {
  return db.row<Credentials>("select user_id, password_hash, is_active from users where username = $1", [username]);
}

/** The hash of a user's password; undefined where there is no such user. */
export async function passwordHash(userId: number): Promise<string | undefined> {
  const user = await db.row<{ password_hash: string }>("select password_hash from users where user_id = $1", [userId]);
  return user?.password_hash;
}

/** The columns of an `Account` (spec 2.6), whose functions settings and role still widen or narrow. */
export const ACCOUNT =
  "user_id, username, full_name, role, warehouse_id, warehouse_ids, allowed_functions, is_active, must_change_password";

export function account(userId: number): Promise<Account | undefined> {
  return db.row<Account>(`select ${ACCOUNT} from users where user_id = $1`, [userId]);
}
