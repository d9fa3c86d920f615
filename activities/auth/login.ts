import type { Actor } from "../../src/actor.js";
import { checkStrength, hashPassword, passwordMatches } from "../../src/auth/password.js";
import { InvalidCredentials, WrongCurrentPassword } from "../../src/auth/problems.js";
import { ACCOUNT, credentials, passwordHash } from "../../src/auth/queries.js";
import type { Account, PasswordChange } from "../../src/auth/shapes.js";
import { db } from "../../src/db/db.js";
import { DomainError } from "../../src/problem.js";
import { command } from "../command.js";
import { attempt, clearAttempts } from "./login-attempts.js";

export type SignedIn = Account & { password_changed_at: string | null };

/** Signs a user in (reference 01 §3), as one of few attempts; a right one clears the count. */
export function logIn(username: string, password: string, address: string): Promise<SignedIn> {
  const guess = { address, username };
  return attempt(guess, InvalidCredentials, async (key) => {
    const user = await credentials(username);
    const kept = user?.is_active ? user.password_hash : undefined;
    const matches = await passwordMatches(kept, password);
    return user && matches ? completeLogin(key, user) : undefined;
  });
}

/** Records the login and clears the count; undefined when user or password changed since they were checked. */
function completeLogin(key: string, user: { user_id: number; password_hash: string }): Promise<SignedIn | undefined> {
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

/**
 * Changes the caller's own password (reference 01 §4). Every token issued before becomes invalid, the caller's
 * too. A wrong current password counts as a failed login from that address.
 */
export async function changePassword(
  { current_password, new_password }: PasswordChange,
  address: string,
  by: Actor,
): Promise<{ message: string }> {
  checkStrength(new_password);
  const guess = { address, username: by.username };
  return attempt(guess, WrongCurrentPassword, async (key) => {
    const kept = await passwordHash(by.userId);
    const matches = await passwordMatches(kept, current_password);
    const hash = matches ? await hashPassword(new_password) : undefined;
    const changed = await replaceHash(kept, hash, by);
    if (changed) await clearAttempts(key);
    return changed;
  });
}

/**
 * Hashing is done by now: the user's row is locked only to see that the compared hash is still there, and to replace
 * it. Without a new hash nothing is, unless this command did it before.
 */
async function replaceHash(
  kept: string | undefined,
  hash: string | undefined,
  by: Actor,
): Promise<{ message: string } | undefined> {
  try {
    return await command("auth.changePassword", by, {}, async (tx) => {
      const replaced =
        hash &&
        (await tx.run(
          `update users set password_hash = $3, password_changed_at = clock_timestamp(), must_change_password = false
           where user_id = $1 and password_hash = $2`,
          [by.userId, kept, hash],
        ));
      if (!replaced) throw WrongCurrentPassword();
      tx.audit({
        action: "UPDATE",
        entity: "USER",
        entityId: by.userId,
        details: { password_changed: true },
      });
      return { message: "Password changed" };
    });
  } catch (error) {
    if (error instanceof DomainError && error.kind === WrongCurrentPassword.kind) return undefined;
    throw error;
  }
}
