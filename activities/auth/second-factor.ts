import { randomUUID } from "node:crypto";
import { challengeHash } from "../../src/auth/factors/challenge.js";
import type { RelyingParty } from "../../src/auth/factors/passkeys.js";
import { challenged } from "../../src/auth/factors/queries.js";
import { recoveryHash } from "../../src/auth/factors/recovery-codes.js";
import type { Proof } from "../../src/auth/factors/shapes.js";
import {
  ChallengeExpired,
  InvalidSecondFactor,
  NoSecondFactor,
  OwnFactors,
  UserNotFound,
} from "../../src/auth/problems.js";
import { ACCOUNT, EPOCH } from "../../src/auth/queries.js";
import type { EncryptionKeys } from "../../src/auth/sealed.js";
import type { Actor } from "../../src/platform/actor.js";
import { text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { command } from "../command.js";
import { dropChallenge } from "./challenges.js";
import { SignedIn } from "./login.js";
import { limitedAttempt } from "./login-attempts.js";
import { takeAssertion } from "./passkeys.js";
import { takeRecoveryCode } from "./recovery-codes.js";
import { takeTotpCode } from "./totp.js";

/** What a proof is checked with. */
export type FactorKeys = EncryptionKeys & { tokenPepper: string; rp: RelyingParty };

/**
 * Signs in whoever has shown the password and shows a second factor now. Five wrong ones lock the second factor of the
 * user for 15 minutes, from wherever they come; the password is not locked with it.
 */
export async function signInWithFactor(
  challenge: string,
  proof: Proof,
  address: string,
  keys: FactorKeys,
): Promise<SignedIn> {
  const user = await challenged(challenge, "sign_in");
  if (!user) throw ChallengeExpired();
  const { user_id, username } = user;
  const attempt = { address, username, factorOf: user_id };
  const signedIn = await limitedAttempt(attempt, InvalidSecondFactor, async (key) => {
    if (!(await isProven(user, challenge, proof, keys))) return undefined;
    return { completed: await completeLogin(key, challenge) };
  });
  if (!signedIn.completed) throw ChallengeExpired();
  return signedIn.completed;
}

/** Whether the proof is the user's. A code is used up with it, and with a passkey the challenge, right or wrong. */
export async function isProven(
  user: { user_id: number; username: string },
  challenge: string,
  { code, recovery_code, passkey }: Proof,
  keys: FactorKeys,
): Promise<boolean> {
  const { user_id, username } = user;
  if (passkey !== undefined) {
    const isRight = await takeAssertion(user, passkey as never, challenge, keys.rp);
    if (!isRight) await dropChallenge(challenge);
    return isRight;
  }
  if (code !== undefined) return takeTotpCode(user_id, code, keys);
  return takeRecoveryCode(user_id, username, recoveryHash(recovery_code ?? "", keys.tokenPepper), randomUUID());
}

/**
 * Records the login, takes the challenge and resets the count; undefined when the challenge was taken, or user or
 * password changed since it was given.
 */
function completeLogin(key: string, challenge: string): Promise<SignedIn | undefined> {
  return db.row(
    SignedIn,
    `with taken as (
       delete from factor_challenges where challenge_hash = $2 and expires_at > now()
       returning user_id, password_changed_at
     ), admitted as (
       update users set last_login = now()
       where user_id = (select user_id from taken) and is_active
         and password_changed_at is not distinct from (select password_changed_at from taken)
       returning ${ACCOUNT}, password_changed_at, ${EPOCH}
     ), cleared as (
       delete from login_attempts where key = $1 and exists (select from admitted)
     )
     select ${ACCOUNT}, password_changed_at, epoch from admitted`,
    [key, challengeHash(challenge)],
  );
}

/**
 * Takes all second factors of another user away, who lost them; all sessions of that user end. Where the role needs
 * one, the user sets up a new one at the next sign-in.
 */
export function resetFactors(user_id: number, by: Actor): Promise<{ message: string }> {
  return command("factors.reset", by, { user_id }, async (tx) => {
    if (user_id === by.userId) throw OwnFactors();
    const user = await tx.row({ username: text }, "select username from users where user_id = $1 for no key update", [
      user_id,
    ]);
    if (!user) throw UserNotFound();
    const [apps, passkeys] = await Promise.all([
      tx.run("delete from user_totp where user_id = $1", [user_id]),
      tx.run("delete from user_passkeys where user_id = $1", [user_id]),
      tx.run("delete from recovery_codes where user_id = $1", [user_id]),
      tx.run("delete from factor_challenges where user_id = $1", [user_id]),
    ]);
    if (apps + passkeys === 0) throw NoSecondFactor();
    // Tokens that were issued before this moment are refused, as after a change of the password.
    await tx.run("update users set password_changed_at = clock_timestamp() where user_id = $1", [user_id]);
    const { username } = user;
    tx.audit({ action: "FACTORS_RESET", entity: "USER", entityId: user_id, details: { username } });
    return { message: `Second factors of ${username} reset` };
  });
}
