import { z } from "zod";
import type { Actor } from "../actor.js";
import { bool, json, text } from "./columns.js";
import { db } from "./db.js";

/** A row of the command log. */
export const Recorded = z.strictObject({
  operation: text,
  request_hash: text,
  answer: json,
  /** Whether another request with the same key wrote it. */
  by_another: bool,
});
export type Recorded = z.infer<typeof Recorded>;

/**
 * The command log's row of the actor's command id. A key expires, after 24 hours if it is a user's, but not for the
 * request that wrote the row: an activity that Temporal retries after an outage of days must still find it.
 */
export function recorded({ commandId, keyed }: Actor): Promise<Recorded | undefined> {
  return db.row(
    Recorded,
    `select operation, request_hash, answer, attempt_id is distinct from $2 as by_another
     from command_log
     where command_id = $1 and (attempt_id is not distinct from $2 or valid_until > now())`,
    [commandId, keyed?.attemptId],
  );
}
