import { z } from "zod";
import { bool, text } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { Credentials, NEEDS_FACTOR } from "../queries.js";
import { Badge } from "./shapes.js";

/** The columns of a `Badge`, from `user_badges`. */
export const BADGE = "made_by, made_at, last_used_at, pin_hash is not null as has_pin";

export const badgeOf = (userId: number): Promise<Badge | undefined> =>
  db.row(Badge, `select ${BADGE} from user_badges where user_id = $1`, [userId]);

/** What a login with a badge is checked against. */
const BadgeCredentials = z.strictObject({
  ...Credentials.pick({ user_id: true, is_active: true }).shape,
  username: text,
  pin_hash: text.nullable(),
  needs_factor: bool,
});
export type BadgeCredentials = z.infer<typeof BadgeCredentials>;

export const badgeCredentials = (hash: string): Promise<BadgeCredentials | undefined> =>
  db.row(
    BadgeCredentials,
    `select user_id, username, is_active, pin_hash, ${NEEDS_FACTOR} as needs_factor
     from user_badges join users u using (user_id) where badge_hash = $1`,
    [hash],
  );
