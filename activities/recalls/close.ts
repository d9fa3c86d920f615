import type { Actor } from "../../src/platform/actor.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { RecallReasonMissing, RecallUnitsOpen } from "../../src/recalls/problems.js";
import type { RecallClosing } from "../../src/recalls/shapes.js";
import { unitsOfRecall } from "../../src/recalls/units.js";
import { openUnits, type RecallState } from "../../src/recalls/workflow.js";
import { command, type Tx } from "../command.js";
import { recalledByWarehouse } from "./by-warehouse.js";
import { entryOf, type LockedRecall, lockOpenRecall, lockRecall } from "./lock.js";
import { recallState } from "./state.js";

/**
 * Closes a recall once each unit is accounted for, or by force with a reason: 409 `recall_units_open` otherwise. Its
 * lots stay held until they are released. Audit RECALL_CLOSE, `recall.closed`.
 */
export function closeRecall(recallId: number, { reason, force }: RecallClosing, by: Actor): Promise<RecallState> {
  return command("recalls.close", by, { recallId, reason, force }, async (tx) => {
    const recall = await lockOpenRecall(tx, recallId);
    if (force && !reason) throw RecallReasonMissing();
    const units = await unitsOfRecall(tx, recallId);
    const open = openUnits(units);
    const { to_count, picked, to_tell } = units;
    if (open > 0 && !force) throw RecallUnitsOpen({ open, to_count, picked, to_tell }, { units });
    await close(tx, recall, reason || null, open, by);
    return recallState(tx, recallId);
  });
}

/**
 * Closes a recall as the system user, because the cancellation of its workflow was requested in the Temporal UI, if
 * nothing of it is open; otherwise it stays.
 */
export function closeByOperator(recallId: number, commandId: string): Promise<RecallState> {
  const by = systemActor(commandId);
  return command("recalls.closeByOperator", by, { recallId }, async (tx) => {
    const recall = await lockRecall(tx, recallId);
    const open = openUnits(await unitsOfRecall(tx, recallId));
    if (recall.closed_by === null && open === 0) await close(tx, recall, "cancelled in the Temporal UI", 0, by);
    return recallState(tx, recallId);
  });
}

async function close(tx: Tx, recall: LockedRecall, reason: string | null, open: number, by: Actor): Promise<void> {
  const { recall_id } = recall;
  await tx.run("update recalls set closed_by = $2, closed_at = now(), close_reason = $3 where recall_id = $1", [
    ...[recall_id, by.username, reason],
  ]);
  tx.audit({ ...entryOf(recall_id, { reason: reason ?? undefined, units_open: open }), action: "RECALL_CLOSE" });
  const closed = { closed_by_user_external_id: by.externalId, closed_at: tx.now };
  for (const { event, data } of await recalledByWarehouse(tx, recall))
    tx.emit({ type: "recall.closed", ...event, data: { ...data, units_open: open, close_reason: reason, ...closed } });
}
