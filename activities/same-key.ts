import type { Actor } from "../src/platform/actor.js";
import { type Recorded, recorded } from "../src/platform/db/command-log.js";
import { db } from "../src/platform/db/db.js";
import type { Tx } from "./command.js";

/**
 * Commands under one key at the same moment, as when a till that got no answer asks again (docs/interface.md, Shipping
 * station).
 */

const LOCK = "select pg_advisory_xact_lock(hashtextextended($1, 0))";

/**
 * To be asked first in a command under a key: waits for another one under the same key. Where one was committed,
 * nothing that stands behind this in the pipeline runs, and `command` gives the first answer.
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

/** What was recorded under the key, after waiting for a command under it that is running. */
export async function recordedUnderKey(by: Actor): Promise<Recorded | undefined> {
  await db.run(LOCK, [by.commandId]);
  return recorded(by);
}
