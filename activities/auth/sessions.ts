import { db } from "../../src/platform/db/db.js";

/** Ends sessions: all processes refuse their tokens from now on. */
export async function endSessions(sessionIds: string[]): Promise<void> {
  if (sessionIds.length > 0)
    await db.run("insert into ended_sessions (session_id) select unnest($1::text[]) on conflict do nothing", [
      sessionIds,
    ]);
}
