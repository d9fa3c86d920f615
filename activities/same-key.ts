import type { Actor } from "../src/platform/actor.js";
import { type Recorded, recorded } from "../src/platform/db/command-log.js";
import { db } from "../src/platform/db/db.js";
import type { Tx } from "./command.js";

/**
 * Concurrent commands under one key, as when a till that got no answer asks again (docs/interface.md, Shipping
 * station).
 */

const LOCK = "select pg_advisory_xact_lock(hashtextextended($1, 0))";

/**
 * To be the first statement of a command under a key: waits for another command under the same key. Where that one was
 * committed, none of the statements behind this one in the pipeline run, and `command` gives the first answer.
 */
export async function waitForSameKey(tx: Tx, { commandId }: Actor): Promise<void> {
  await tx.inOrder([
    tx.run(LOCK, [commandId]),
    tx.run(
      "select refuse_repeat() where exists (select from command_log where command_id = $1 and valid_until > now())",
      [commandId],
    ),
  ]);
}

/** The answer that was recorded under the key, after waiting for a running command. */
export async function recordedUnderKey(by: Actor): Promise<Recorded | undefined> {
  await db.run(LOCK, [by.commandId]);
  return recorded(by);
}
