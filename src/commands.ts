import type { Actor } from "./actor.js";
import { db } from "./db.js";

/** What the command log says of a command. */
export interface Recorded {
  operation: string;
  request_hash: string;
  answer: unknown;
  /** Whether it was another request under the same key that wrote it. */
  by_another: boolean;
}

/**
 * What was recorded under the actor's command id. A key lives 24 hours, then it is as new; but never for the request that
 * wrote the row: a step that the engine repeats after an outage of days is still the same step.
 */
export function recorded({
  commandId,
  keyed,
}: Actor): Promise<Recorded | undefined> {
  return db.row<Recorded>(
    `select operation, request_hash, answer, attempt_id is distinct from $2 as by_another
     from command_log
     where command_id = $1 and (attempt_id is not distinct from $2 or created_at > now() - interval '24 hours')`,
    [commandId, keyed?.attemptId],
  );
}
