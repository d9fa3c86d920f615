import { BatchAssigned, MayNotPick, TransferBatch, UnknownPicker } from "../../src/picking/problems.js";
import type { TakenBatch } from "../../src/picking/shapes.js";
import type { BatchAssignment } from "../../src/picking/waves/board-shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { command, type Tx } from "../command.js";
import { endLeaseOf } from "./leases.js";
import { lockOwnBatch, refuseEnded } from "./lock-batch.js";
import { assigned, takeFor } from "./next-batch.js";

/** What became of an assignment, and who had the batch before. */
type Assigned = TakenBatch & { warehouse_id: number; from: string | null };

/**
 * Gives a batch that waits to a picker: it is what that one gets next. With `take_over` also a wave that somebody
 * picks: what was picked stays picked, and a device that has it loses it. Audit UPDATE of the batch.
 *
 * Refusals: 404 `batch_not_found`, 403 `warehouse_denied`, 409 `batch_not_active`, 409 `batch_assigned`, 400
 * `unknown_picker`, 400 `may_not_pick`, 409 `transfer_batch`.
 */
export function assignBatch(batchId: number, { user_id, take_over }: BatchAssignment, by: Actor): Promise<Assigned> {
  const input = { batchId, user_id, ...(take_over && { take_over }) };
  return command("picking.assignBatch", by, input, async (tx) => {
    const { batch_number, warehouse_id, to_id, ...batch } = await lockOwnBatch(tx, batchId, by);
    refuseEnded(batch);
    const { assigned_to, assigned_user_id } = batch;
    if (assigned_to !== null && !take_over) throw BatchAssigned({ batch_number, assigned_to });
    if (assigned_to !== null && to_id !== null) throw TransferBatch({ batch_number });
    const picker = await pickerIn(tx, user_id, warehouse_id);
    const { username } = picker;
    const now = { batch_id: batchId, batch_number, assigned_to: username, warehouse_id, from: assigned_to };
    if (assigned_user_id === user_id) return now;
    takeFor(tx, batchId, picker);
    if (assigned_to !== null) endLeaseOf(tx, batchId, by);
    tx.audit(assigned(batchId, warehouse_id, { batch_number, assigned_to: { old: assigned_to, new: username } }));
    return now;
  });
}

/** Who is given a batch. */
export type Picker = Pick<Actor, "username" | "userId">;

const PickerRow = { username: text, user_id: int, may_pick: bool };

/** A user who may pick in the warehouse. Refusals: 400 `unknown_picker`, 400 `may_not_pick`. */
export async function pickerIn(tx: Tx, user_id: number, warehouseId: number): Promise<Picker> {
  const found = await tx.row(
    PickerRow,
    `select username, user_id,
            role = 'ADMIN' or ('pick' = any(allowed_functions) and $2 = any(warehouse_ids)) as may_pick
     from users where user_id = $1 and is_active`,
    [user_id, warehouseId],
  );
  if (!found) throw UnknownPicker({ user_id });
  if (!found.may_pick) throw MayNotPick({ username: found.username });
  return { username: found.username, userId: found.user_id };
}
