import { z } from "zod";
import { isMadeByProvider, mustUseProvider } from "../../src/auth/oidc/queries.js";
import { checkStrength, hashPassword, passwordMatches } from "../../src/auth/password.js";
import { InvalidCredentials, PasswordOfProvider, SsoRequired, WrongCurrentPassword } from "../../src/auth/problems.js";
import { ACCOUNT, credentials, EPOCH, passwordHash, SessionUser } from "../../src/auth/queries.js";
import { Account, type PasswordChange } from "../../src/auth/shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { bool } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { DomainError } from "../../src/platform/problem.js";
import { command } from "../command.js";
import { beginChallenge } from "./challenges.js";
import { clearAttempts, limitedAttempt } from "./login-attempts.js";

export const SignedIn = z.strictObject({
  ...Account.shape,
  ...SessionUser.pick({ password_changed_at: true, epoch: true }).shape,
});
export type SignedIn = z.infer<typeof SignedIn>;

/** Whoever has shown the password, and has a second factor to show. */
export interface Challenged {
  userId: number;
  challenge: string;
}

/**
 * Signs a user in (docs/interface.md, Signing in). Failed attempts are counted; a successful one resets the count. Who
 * has a second factor is challenged for it.
 */
export function logIn(username: string, password: string, address: string): Promise<SignedIn | Challenged> {
  return limitedAttempt({ address, username }, InvalidCredentials, async (key) => {
    const user = await credentials(username);
    const storedHash = user?.is_active ? user.password_hash : undefined;
    const matches = await passwordMatches(storedHash, password);
    if (!user || !matches) return undefined;
    // Not before: who may do without the provider is nobody's business who does not have the password.
    if (await mustUseProvider(user.user_id)) throw SsoRequired();
    if (!user.has_factor) return completeLogin(key, user);
    // Codes are counted apart, so that no right password lets more of them be tried.
    await clearAttempts(key);
    return { userId: user.user_id, challenge: await beginChallenge(user.user_id, "sign_in") };
  });
}

/** Records the login and resets the count; undefined when user or password changed since they were checked. */
function completeLogin(key: string, user: { user_id: number; password_hash: string }): Promise<SignedIn | undefined> {
  return db.row(
    SignedIn,
    `with admitted as (
       update users set last_login = now()
       where user_id = $2 and password_hash = $3 and is_active
       returning ${ACCOUNT}, password_changed_at, ${EPOCH}
     ), cleared as (
       delete from login_attempts where key = $1 and exists (select from admitted)
     )
     select ${ACCOUNT}, password_changed_at, epoch from admitted`,
    [key, user.user_id, user.password_hash],
  );
}

/**
 * Changes the caller's own password (docs/interface.md, Signing in). Every token issued before becomes invalid, the
 * caller's too. A wrong current password counts as a failed login from that address.
 */
export async function changePassword(
  { current_password, new_password }: PasswordChange,
  address: string,
  by: Actor,
): Promise<{ message: string }> {
  if (await isMadeByProvider(db, by.userId)) throw PasswordOfProvider();
  checkStrength(new_password);
  return limitedAttempt({ address, username: by.username }, WrongCurrentPassword, async (key) => {
    const storedHash = await passwordHash(by.userId);
    const matches = await passwordMatches(storedHash, current_password);
    const hash = matches ? await hashPassword(new_password) : undefined;
    const changed = await replaceHash(storedHash, hash, by);
    if (changed) await clearAttempts(key);
    return changed;
  });
}

/**
 * Replaces the hash, if the stored one is still that which was compared. Returns undefined if it is not, or if there is
 * no new hash, unless this command replaced it already. Hashing is done before, so that the user's row is locked only
 * briefly.
 */
async function replaceHash(
  storedHash: string | undefined,
  hash: string | undefined,
  by: Actor,
): Promise<{ message: string } | undefined> {
  try {
    return await command("auth.changePassword", by, {}, async (tx) => {
      const replaced =
        hash &&
        (await tx.row(
          { forced: bool },
          `update users u
           set password_hash = $3, password_changed_at = clock_timestamp(), must_change_password = false
           from (select must_change_password as forced from users where user_id = $1) before
           where user_id = $1 and password_hash = $2 returning forced`,
          [by.userId, storedHash, hash],
        ));
      if (!replaced) throw WrongCurrentPassword();
      tx.audit({
        action: replaced.forced ? "forced_password_change_completed" : "password_change",
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

/** Ends sessions: all processes refuse their tokens from now on. */
export async function endSessions(sessionIds: string[]): Promise<void> {
  if (sessionIds.length > 0)
    await db.run("insert into ended_sessions (session_id) select unnest($1::text[]) on conflict do nothing", [
      sessionIds,
    ]);
}
