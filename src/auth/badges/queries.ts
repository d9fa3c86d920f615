import { z } from "zod";
import { text } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { Credentials } from "../queries.js";
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
});
export type BadgeCredentials = z.infer<typeof BadgeCredentials>;

export const badgeCredentials = (hash: string): Promise<BadgeCredentials | undefined> =>
  db.row(
    BadgeCredentials,
    `select user_id, username, is_active, pin_hash from user_badges join users using (user_id) where badge_hash = $1`,
    [hash],
  );
