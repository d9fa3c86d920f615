import { db } from "../../src/db/db.js";

/** Ends sessions: no process takes their tokens any more, nor renews them. */
export async function endSessions(sessionIds: string[]): Promise<void> {
  if (sessionIds.length > 0)
    await db.run("insert into ended_sessions (session_id) select unnest($1::text[]) on conflict do nothing", [
      sessionIds,
    ]);
}
