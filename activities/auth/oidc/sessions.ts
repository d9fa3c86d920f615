import { createHash, randomUUID } from "node:crypto";
import type { LoggedOut } from "../../../src/auth/oidc/logout-token.js";
import { int } from "../../../src/platform/db/columns.js";
import { db } from "../../../src/platform/db/db.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import { command, type Tx } from "../../command.js";

/** Notes that something is used which counts once; false where it was used before. */
export async function useOnce(what: string, seconds: number): Promise<boolean> {
  const used = createHash("sha256").update(what).digest("hex");
  const noted = await db.run(
    `insert into sign_in_uses (used, valid_until) values ($1, now() + make_interval(secs => $2))
     on conflict do nothing`,
    [used, seconds],
  );
  return noted === 1;
}

/** Ends the sessions that a user began at the provider. */
export const endProviderSessions = (tx: Tx, userId: number): Promise<number> =>
  tx.run(
    `insert into ended_sessions (session_id) select session_id from provider_sessions where user_id = $1
     on conflict do nothing`,
    [userId],
  );

/** Ends what the provider has logged out, in all processes; returns how many sessions that were. */
export function logOutByProvider({ issuer, subject, sid }: LoggedOut): Promise<number> {
  return command("auth.logOutByProvider", systemActor(randomUUID()), { issuer, subject, sid }, async (tx) => {
    const ended = await tx.rows(
      { user_id: int, sessions: int },
      `with ended as (
         insert into ended_sessions (session_id)
         select session_id from provider_sessions
         where issuer = $1 and ($2::text is null or subject = $2) and ($3::text is null or provider_sid = $3)
         on conflict do nothing returning session_id
       )
       select user_id, count(*) as sessions from ended join provider_sessions using (session_id)
       group by user_id order by user_id`,
      [issuer, subject, sid],
    );
    for (const { user_id, sessions } of ended)
      tx.audit({ action: "LOGOUT_BY_PROVIDER", entity: "USER", entityId: user_id, details: { sessions } });
    return ended.reduce((sum, { sessions }) => sum + sessions, 0);
  });
}
