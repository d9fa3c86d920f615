import { batched } from "../batch.js";
import { db } from "../db.js";

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
}

/** The user with this id as the database has it now, read anew for each request. */
export const sessionUser = batched<number, SessionUser>(async (userIds) => {
  const users = await db.rows<SessionUser>(
    `select user_id, username, external_id, role, warehouse_id, warehouse_ids, is_active, must_change_password,
            password_changed_at,
            array(select page_key::text from user_page_permissions p where p.user_id = u.user_id) as page_keys
     from users u where user_id = any($1)`,
    [userIds],
  );
  return new Map(users.map((user) => [user.user_id, user]));
});

/** What a login has to compare. The name counts as it is written, capitals and all (reference 01 §3). */
export interface Credentials {
  user_id: number;
  password_hash: string;
  is_active: boolean;
}

export function credentials(
  username: string,
): Promise<Credentials | undefined> {
  return db.row<Credentials>(
    "select user_id, password_hash, is_active from users where username = $1",
    [username],
  );
}

/** The user as login and `/me` show it (spec 2.6), before settings and role widen or narrow the functions. */
export interface Account {
  user_id: number;
  username: string;
  full_name: string;
  role: "ADMIN" | "USER";
  warehouse_id: number | null;
  warehouse_ids: number[];
  allowed_functions: string[];
  is_active: boolean;
  must_change_password: boolean;
}

export const ACCOUNT =
  "user_id, username, full_name, role, warehouse_id, warehouse_ids, allowed_functions, is_active, must_change_password";

export function account(userId: number): Promise<Account | undefined> {
  return db.row<Account>(`select ${ACCOUNT} from users where user_id = $1`, [
    userId,
  ]);
}
