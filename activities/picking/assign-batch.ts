import { BatchAssigned, MayNotPick, UnknownPicker } from "../../src/picking/problems.js";
import type { TakenBatch } from "../../src/picking/shapes.js";
import type { BatchAssignment } from "../../src/picking/waves/board-shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { bool, text } from "../../src/platform/db/columns.js";
import { command, type Tx } from "../command.js";
import { endLeaseOf } from "./leases.js";
import { lockOwnBatch, refuseEnded } from "./lock-batch.js";
import { assigned, takeFor } from "./next-batch.js";

/**
 * Gives a batch that waits to a picker: it is what that one gets next. With `take_over` also one that somebody picks:
 * what was picked stays picked, and a device that has the batch loses it. Audit UPDATE of the batch.
 *
 * Refusals: 404 `batch_not_found`, 403 `warehouse_denied`, 409 `batch_not_active`, 409 `batch_assigned`, 400
 * `unknown_picker`, 400 `may_not_pick`.
 */
export function assignBatch(
  batchId: number,
  { user_id, take_over = false }: BatchAssignment,
  by: Actor,
): Promise<TakenBatch & { warehouse_id: number }> {
  return command("picking.assignBatch", by, { batchId, user_id, take_over }, async (tx) => {
    const { batch_number, warehouse_id, ...batch } = await lockOwnBatch(tx, batchId, by);
    refuseEnded(batch);
    const { assigned_to, assigned_user_id } = batch;
    if (assigned_to !== null && !take_over) throw BatchAssigned({ batch_number, assigned_to });
    const username = await picker(tx, user_id, warehouse_id);
    const taken = { batch_id: batchId, batch_number, assigned_to: username, warehouse_id };
    if (assigned_user_id === user_id) return taken;
    takeFor(tx, batchId, { username, userId: user_id });
    if (assigned_to !== null) endLeaseOf(tx, batchId, by);
    tx.audit(assigned(batchId, warehouse_id, { batch_number, assigned_to: { old: assigned_to, new: username } }));
    return taken;
  });
}

const Picker = { username: text, may_pick: bool };

async function picker(tx: Tx, user_id: number, warehouseId: number): Promise<string> {
  const found = await tx.row(
    Picker,
    `select username, role = 'ADMIN' or ('pick' = any(allowed_functions) and $2 = any(warehouse_ids)) as may_pick
     from users where user_id = $1 and is_active`,
    [user_id, warehouseId],
  );
  if (!found) throw UnknownPicker({ user_id });
  if (!found.may_pick) throw MayNotPick({ username: found.username });
  return found.username;
}
