import { checkPin } from "../../src/auth/badges/badge.js";
import { BADGE } from "../../src/auth/badges/queries.js";
import { Badge, type PinChange } from "../../src/auth/badges/shapes.js";
import { hashPassword } from "../../src/auth/password.js";
import { NoBadge, UserNotFound } from "../../src/auth/problems.js";
import { USER } from "../../src/auth/users/queries.js";
import { User } from "../../src/auth/users/shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import { command, type Tx } from "../command.js";
import { withOwnPassword } from "./login-attempts.js";
import type { Secret } from "./tokens.js";
import { refuseMoreThanOwn } from "./user-rights.js";

const Owner = { user_id: int };

/** Makes a badge for a user. One that the user has is no longer valid, and ends its sessions; the PIN stays. */
export function makeBadge(user_id: number, secret: Secret, by: Actor) {
  return command("badges.make", by, { user_id, ...secret }, async (tx) => {
    const user = await lockManaged(tx, user_id, by);
    const before = await tx.row({}, "select from user_badges where user_id = $1", [user_id]);
    const badge = (await tx.row(
      Badge,
      `insert into user_badges (user_id, badge_hash, made_by) values ($1, $2, $3)
       on conflict (user_id) do update
         set badge_id = gen_random_uuid(), badge_hash = excluded.badge_hash, made_by = excluded.made_by,
             made_at = now(), last_used_at = null
       returning ${BADGE}`,
      [user_id, secret.hash, by.username],
    )) as Badge;
    audit(tx, before ? "BADGE_REPLACE" : "BADGE_MAKE", user);
    const { username, full_name } = user;
    return { ...badge, username, full_name, sealed: secret.sealed };
  });
}

/** Revokes a user's badge and its PIN; sessions that were begun with it end. */
export function revokeBadge(user_id: number, by: Actor): Promise<{ message: string }> {
  return command("badges.revoke", by, { user_id }, async (tx) => {
    const user = await lockManaged(tx, user_id, by);
    const revoked = await tx.row(Owner, "delete from user_badges where user_id = $1 returning user_id", [user_id]);
    if (!revoked) throw NoBadge();
    audit(tx, "BADGE_REVOKE", user);
    return { message: `Badge of ${user.username} revoked` };
  });
}

/** The locked user, whom the caller may change. */
async function lockManaged(tx: Tx, userId: number, by: Actor): Promise<User> {
  await tx.run("select from users where user_id = $1 for no key update", [userId]);
  const user = await tx.row(User, `select ${USER} from users u where user_id = $1`, [userId]);
  if (!user) throw UserNotFound();
  await refuseMoreThanOwn(tx, user, by);
  return user;
}

/** Sets the PIN of the caller's badge. */
export function setBadgePin(
  { current_password, pin }: PinChange,
  address: string,
  by: Actor,
): Promise<{ message: string }> {
  checkPin(pin);
  return withOwnPassword(current_password, address, by, async () => {
    const hash = await hashPassword(pin);
    return command("badges.setPin", by, {}, async (tx) => {
      const set = await tx.row(Owner, "update user_badges set pin_hash = $2 where user_id = $1 returning user_id", [
        by.userId,
        hash,
      ]);
      if (!set) throw NoBadge();
      audit(tx, "BADGE_PIN", { user_id: by.userId, username: by.username });
      return { message: "PIN set" };
    });
  });
}

function audit(tx: Tx, action: string, { user_id, username }: Pick<User, "user_id" | "username">): void {
  tx.audit({ action, entity: "USER", entityId: user_id, details: { username } });
}
