import { z } from "zod";
import type { BadgeCredentials } from "../../src/auth/badges/queries.js";
import { mustUseProvider } from "../../src/auth/oidc/queries.js";
import { passwordMatches } from "../../src/auth/password.js";
import { BadgeNotEnough, InvalidBadge, SsoRequired } from "../../src/auth/problems.js";
import { ACCOUNT, EPOCH } from "../../src/auth/queries.js";
import { text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { SignedIn } from "./login.js";
import { clearAttempts, limitedAttempt } from "./login-attempts.js";

const SignedInWithBadge = z.strictObject({ ...SignedIn.shape, badge_id: text });
export type SignedInWithBadge = z.infer<typeof SignedInWithBadge>;

/**
 * Signs the user of a badge in, `known` by its hash. An unknown or revoked badge, one without a PIN, that of somebody
 * who is not active and a wrong PIN have one answer, after the same time. A badge is no second factor, so it opens no
 * role that needs one.
 */
export function logInWithBadge(
  hash: string,
  known: BadgeCredentials | undefined,
  pin: string,
  address: string,
): Promise<SignedInWithBadge> {
  return limitedAttempt({ address, username: known?.username ?? "", badge: hash }, InvalidBadge, async (key) => {
    const storedHash = known?.is_active ? (known.pin_hash ?? undefined) : undefined;
    const matches = await passwordMatches(storedHash, pin);
    if (!known || !matches) return undefined;
    if (known.needs_factor) {
      await clearAttempts(key);
      throw BadgeNotEnough();
    }
    if (await mustUseProvider(known.user_id)) throw SsoRequired();
    return completeLogin(key, hash, known);
  });
}

/**
 * Records the login and resets the count, the user locked before the badge; undefined when user, badge or PIN changed
 * since they were checked.
 */
function completeLogin(key: string, hash: string, { pin_hash }: BadgeCredentials) {
  return db.row(
    SignedInWithBadge,
    `with admitted as (
       update users set last_login = now()
       where user_id = (select user_id from user_badges where badge_hash = $2) and is_active
       returning ${ACCOUNT}, password_changed_at, ${EPOCH}
     ), used as (
       update user_badges set last_used_at = now()
       where badge_hash = $2 and pin_hash = $3 and user_id in (select user_id from admitted)
       returning user_id, badge_id::text
     ), cleared as (
       delete from login_attempts where key = $1 and exists (select from used)
     )
     select ${ACCOUNT}, password_changed_at, epoch, badge_id from admitted join used using (user_id)`,
    [key, hash, pin_hash],
  );
}
