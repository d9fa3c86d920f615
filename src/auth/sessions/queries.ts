import { db } from "../../platform/db/db.js";
import { UserSession } from "./shapes.js";

/** SQL, for `user_sessions s join users u`: whether a token of the session still opens something. */
export const IS_OPEN = `s.expires_at > now()
  and not exists (select from ended_sessions e where e.session_id = s.session_id)
  and s.renewed_at >= coalesce(u.password_changed_at, '-infinity')
  and s.renewed_at >= (select started_at from stream_epochs order by begins_after desc limit 1)
  and (s.badge_id is null or exists (select from user_badges b where b.badge_id = s.badge_id))`;

/**
 * The open sessions of a user, that which was used last first.
 * @param current The session of the request.
 */
export const sessionsOf = (userId: number, current: string): Promise<UserSession[]> =>
  db.rows(
    UserSession,
    `select session_id, begun_by, device, address, begun_at, last_used_at, s.expires_at, session_id = $2 as is_current
     from user_sessions s join users u using (user_id)
     where user_id = $1 and is_active and ${IS_OPEN}
     order by last_used_at desc, begun_at desc, session_id`,
    [userId, current],
  );
