import { z } from "zod";
import { int, text, time } from "../../src/platform/db/columns.js";
import { RecallClosed, RecallNotFound } from "../../src/recalls/problems.js";
import type { AuditEntry, Tx } from "../command.js";

const LockedRecall = z.strictObject({
  recall_id: int,
  external_id: text,
  reason: text,
  opened_at: time,
  closed_by: text.nullable(),
});
export type LockedRecall = z.infer<typeof LockedRecall>;

/** Locks a recall before anything else of it; 404 when there is none. */
export async function lockRecall(tx: Tx, recallId: number): Promise<LockedRecall> {
  const found = await tx.row(
    LockedRecall,
    "select recall_id, external_id, reason, opened_at, closed_by from recalls where recall_id = $1 for update",
    [recallId],
  );
  if (!found) throw RecallNotFound();
  return found;
}

/** The same for one that is open; 409 for another. */
export async function lockOpenRecall(tx: Tx, recallId: number): Promise<LockedRecall> {
  const found = await lockRecall(tx, recallId);
  if (found.closed_by !== null) throw RecallClosed({ recall_id: recallId });
  return found;
}

export const entryOf = (recallId: number, details: Record<string, unknown>): Omit<AuditEntry, "action"> => ({
  ...{ entity: "RECALL", entityId: recallId, details },
});
