import { SessionNotFound, UserNotFound } from "../../src/auth/problems.js";
import { IS_OPEN } from "../../src/auth/sessions/queries.js";
import type { UserSession } from "../../src/auth/sessions/shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { command, type Tx } from "../command.js";
import { noteTime } from "../note-time.js";

/** A token that was issued: of which session, and where to. */
export interface IssuedToken {
  sessionId: string;
  userId: number;
  begunBy: UserSession["begun_by"];
  badgeId: string | undefined;
  device: string | undefined;
  address: string;
  seconds: number;
}

/** Notes that a session was begun or refreshed. */
export async function noteSession(issued: IssuedToken): Promise<void> {
  const { device, badgeId = null } = issued;
  await db.run(
    `insert into user_sessions (session_id, user_id, begun_by, badge_id, device, address, expires_at)
     values (:sessionId, :userId, :begunBy, :badgeId, :device, :address, now() + make_interval(secs => :seconds))
     on conflict (session_id) do update
       set device = excluded.device, address = excluded.address, renewed_at = now(), last_used_at = now(),
           expires_at = greatest(user_sessions.expires_at, excluded.expires_at)`,
    { ...issued, badgeId, device: device?.slice(0, 256) ?? null, address: issued.address.slice(0, 64) },
  );
}

/** Sets `last_used_at`, at most once a minute. */
export const noteSessionUse = (sessionId: string): Promise<void> =>
  noteTime({ table: "user_sessions", key: "session_id", column: "last_used_at", every: "1 minute" }, sessionId);

/** Ends one session of the caller, in all processes. */
export function endSession(session_id: string, by: Actor): Promise<{ message: string }> {
  return command("sessions.end", by, { session_id }, async (tx) => {
    if ((await endOpen(tx, by.userId, "session_id = $2", session_id)) === 0) throw SessionNotFound();
    auditEnd(tx, by.userId, by.username, 1);
    return { message: "Session ended" };
  });
}

/** Ends all sessions of the caller but that of the request. */
export function endOtherSessions(current: string, by: Actor): Promise<{ message: string }> {
  return command("sessions.endOthers", by, { current }, async (tx) => {
    const ended = await endOpen(tx, by.userId, "session_id <> $2", current);
    if (ended > 0) auditEnd(tx, by.userId, by.username, ended);
    return { message: `${ended} session(s) ended` };
  });
}

/** Ends all sessions of a user, those too that were begun before sessions were noted: no token goes on. */
export function endSessionsOf(user_id: number, by: Actor): Promise<{ message: string }> {
  return command("sessions.endAll", by, { user_id }, async (tx) => {
    const user = await tx.row(
      { username: text },
      // Tokens that were issued before this moment are refused, as after a change of the password.
      "update users set password_changed_at = clock_timestamp() where user_id = $1 returning username",
      [user_id],
    );
    if (!user) throw UserNotFound();
    auditEnd(tx, user_id, user.username);
    return { message: `Sessions of ${user.username} ended` };
  });
}

/** Ends open sessions of a user; returns how many. */
const endOpen = (tx: Tx, userId: number, which: string, sessionId: string): Promise<number> =>
  tx.run(
    `insert into ended_sessions (session_id)
     select session_id from user_sessions s join users u using (user_id) where user_id = $1 and ${which} and ${IS_OPEN}
     on conflict do nothing`,
    [userId, sessionId],
  );

function auditEnd(tx: Tx, userId: number, username: string, sessions?: number): void {
  const details = { username, ...(sessions !== undefined && { sessions }) };
  tx.audit({ action: "SESSIONS_END", entity: "USER", entityId: userId, details });
}
