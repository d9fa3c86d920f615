import type { Actor } from "../src/actor.js";
import {
  checkStrength,
  hashPassword,
  passwordMatches,
} from "../src/auth/password.js";
import {
  InvalidCredentials,
  Locked,
  LockedNow,
  WrongCurrentPassword,
} from "../src/auth/problems.js";
import { ACCOUNT, type Account, credentials } from "../src/auth/queries.js";
import { db } from "../src/db.js";
import { inTurn } from "../src/in-turn.js";
import { shortened } from "../src/shortened.js";
import { command } from "./command.js";

const MOST_FAILURES = 5;

export type SignedIn = Account & { password_changed_at: string | null };

/**
 * Signs a user in (reference 01 §3): five wrong passwords lock the pair of address and name for 15 minutes. An attempt is
 * counted before its password is looked at, so parallel guesses get no more than five looks; a right one clears the count.
 */
export function logIn(
  username: string,
  password: string,
  address: string,
): Promise<SignedIn> {
  const key = shortened(`${address}|${username.toLowerCase()}`, 64);
  return attempts(key, async () => {
    const last = await countAttempt(key);
    const user = await credentials(username);
    const kept = user?.is_active ? user.password_hash : undefined;
    const matches = await passwordMatches(kept, password);
    const signedIn = user && matches ? await admit(key, user) : undefined;
    if (signedIn) return signedIn;
    throw last ? LockedNow() : InvalidCredentials();
  });
}

/**
 * One attempt on a key at a time in this process: a user whose programs sign in together is not mistaken for a guesser.
 * (Between processes the count alone decides.)
 */
const attempts = inTurn<string>();

/** Counts an attempt and tells whether it is the last one: that one locks the key, unless its password is right. */
async function countAttempt(key: string): Promise<boolean> {
  const counted = await db.row<{ last: boolean }>(
    `insert into login_attempts as l (key, attempts) values ($1, 1)
     on conflict (key) do update
       set attempts = (l.attempts + 1) % $2,
           locked_until = case when l.attempts + 1 >= $2 then now() + interval '15 minutes' end,
           last_attempt = now()
       where l.locked_until is null or l.locked_until <= now()
     returning locked_until is not null as last`,
    [key, MOST_FAILURES],
  );
  if (counted) return counted.last;
  const locked = await db.row<{ seconds: number }>(
    "select ceil(extract(epoch from locked_until - now()))::int as seconds from login_attempts where key = $1",
    [key],
  );
  const seconds = Math.max(1, locked?.seconds ?? 1);
  throw Locked({ minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
}

/** Stamps the login and clears the count; nobody is let in when user or password changed since they were looked at. */
function admit(
  key: string,
  user: { user_id: number; password_hash: string },
): Promise<SignedIn | undefined> {
  return db.row<SignedIn>(
    `with admitted as (
       update users set last_login = now()
       where user_id = $2 and password_hash = $3 and is_active
       returning ${ACCOUNT}, password_changed_at
     ), cleared as (
       delete from login_attempts where key = $1 and exists (select from admitted)
     )
     select * from admitted`,
    [key, user.user_id, user.password_hash],
  );
}

/** Changes the caller's own password (reference 01 §4). Every token issued before is dead, the caller's too. */
export async function changePassword(
  {
    current_password,
    new_password,
  }: { current_password: string; new_password: string },
  by: Actor,
): Promise<{ message: string }> {
  checkStrength(new_password);
  return command("auth.changePassword", by, {}, async (tx) => {
    const user = await tx.row<{ password_hash: string }>(
      "select password_hash from users where user_id = $1 for update",
      [by.userId],
    );
    if (!(await passwordMatches(user?.password_hash, current_password)))
      throw WrongCurrentPassword();
    await tx.run(
      `update users set password_hash = $2, password_changed_at = clock_timestamp(), must_change_password = false
       where user_id = $1`,
      [by.userId, await hashPassword(new_password)],
    );
    tx.audit({
      action: "UPDATE",
      entity: "USER",
      entityId: by.userId,
      details: { password_changed: true },
    });
    return { message: "Password changed" };
  });
}
