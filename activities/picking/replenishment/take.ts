import { z } from "zod";
import {
  NothingToReplenish,
  ReplenishmentEnded,
  ReplenishmentNotFound,
  ReplenishmentNotTaken,
  ReplenishmentTaken,
} from "../../../src/picking/replenishment/problems.js";
import { replenishment } from "../../../src/picking/replenishment/queries.js";
import type { Replenishment, ReplenishmentChoice } from "../../../src/picking/replenishment/shapes.js";
import { type Actor, checkWarehouse } from "../../../src/platform/actor.js";
import { int, text } from "../../../src/platform/db/columns.js";
import type { Sql } from "../../../src/platform/db/db.js";
import { ReplenishmentStatus } from "../../../src/platform/statuses.js";
import { command, type Tx } from "../../command.js";

/**
 * Gives the caller a task: the named one, else the one that the caller has already, else the oldest of the urgent ones,
 * else the oldest. Audit UPDATE of the task.
 *
 * Refusals: 404 `replenishment_not_found`, `nothing_to_replenish`, 409 `replenishment_taken`, `replenishment_ended`.
 */
export function takeReplenishment(asked: ReplenishmentChoice, by: Actor): Promise<Replenishment> {
  return command("replenishment.take", by, asked, async (tx) => {
    const { warehouse_id } = asked;
    // One person's requests come one after the other, so that two at once do not get two tasks.
    await tx.run("select from users where user_id = $1 for no key update", [by.userId]);
    const id = asked.replenishment_id ?? (await ownOrNext(tx, warehouse_id, by));
    const task = await lockTask(tx, id, by);
    if (task.warehouse_id !== warehouse_id) throw ReplenishmentNotFound();
    refuseEnded(task);
    if (task.status === "OPEN") {
      await tx.run(
        `update replenishments set status = 'TAKEN', assigned_to = $2, assigned_user_id = $3, updated_at = now()
         where replenishment_id = $1`,
        [id, by.username, by.userId],
      );
      tx.audit(changed(task, { assigned_to: { old: null, new: by.username } }));
    } else if (task.assigned_user_id !== by.userId) throw ReplenishmentTaken({ assigned_to: task.assigned_to ?? "" });
    return shown(tx, id);
  });
}

/** Rows that others are taking at this moment are skipped: two people never get the same. */
async function ownOrNext(tx: Tx, warehouseId: number, by: Actor): Promise<number> {
  const task = await tx.row(
    { replenishment_id: int },
    `select replenishment_id from replenishments
     where warehouse_id = $1 and (status = 'OPEN' or status = 'TAKEN' and assigned_user_id = $2)
     order by status = 'OPEN', is_urgent desc, replenishment_id limit 1 for update skip locked`,
    [warehouseId, by.userId],
  );
  if (!task) throw NothingToReplenish();
  return task.replenishment_id;
}

/**
 * Gives a task back, with what was carried: the rest waits for another. Audit UPDATE.
 *
 * Refusals: 404 `replenishment_not_found`, 409 `replenishment_not_taken`, `replenishment_ended`.
 */
export function giveBackReplenishment(replenishment_id: number, by: Actor): Promise<Replenishment> {
  return command("replenishment.giveBack", by, { replenishment_id }, async (tx) => {
    const task = await lockTakenTask(tx, replenishment_id, by);
    await tx.run(
      `update replenishments set status = 'OPEN', assigned_to = null, assigned_user_id = null, updated_at = now()
       where replenishment_id = $1`,
      [replenishment_id],
    );
    tx.audit(changed(task, { assigned_to: { old: task.assigned_to, new: null } }));
    return shown(tx, replenishment_id);
  });
}

/**
 * Cancels a task, taken or not: what was carried stays. Audit CANCEL.
 *
 * Refusals: 404 `replenishment_not_found`, 409 `replenishment_ended`.
 */
export function cancelReplenishment(replenishment_id: number, by: Actor): Promise<Replenishment> {
  return command("replenishment.cancel", by, { replenishment_id }, async (tx) => {
    const task = await lockTask(tx, replenishment_id, by);
    refuseEnded(task);
    await tx.run("update replenishments set status = 'CANCELLED', updated_at = now() where replenishment_id = $1", [
      replenishment_id,
    ]);
    tx.audit({ ...changed(task, { quantity_done: task.quantity_done }), action: "CANCEL" });
    return shown(tx, replenishment_id);
  });
}

const LockedTask = z.strictObject({
  ...{ replenishment_id: int, warehouse_id: int, item_id: int, lot_number: text.nullable() },
  ...{ from_bin_id: int, to_bin_id: int, quantity: int, quantity_done: int, status: ReplenishmentStatus },
  ...{ assigned_to: text.nullable(), assigned_user_id: int.nullable() },
});
export type LockedTask = z.infer<typeof LockedTask>;

async function lockTask(tx: Tx, id: number, by: Actor): Promise<LockedTask> {
  const task = await tx.row(
    LockedTask,
    `select replenishment_id, warehouse_id, item_id, lot_number, from_bin_id, to_bin_id, quantity, quantity_done,
            status, assigned_to, assigned_user_id
     from replenishments where replenishment_id = $1 for update`,
    [id],
  );
  if (!task) throw ReplenishmentNotFound();
  checkWarehouse(by, task.warehouse_id);
  return task;
}

function refuseEnded({ status }: LockedTask): void {
  if (status !== "OPEN" && status !== "TAKEN") throw ReplenishmentEnded({ status });
}

/** Locks a task that somebody has taken: whoever works in the warehouse may go on with it, as with a batch. */
export async function lockTakenTask(tx: Tx, id: number, by: Actor): Promise<LockedTask> {
  const task = await lockTask(tx, id, by);
  refuseEnded(task);
  if (task.status === "OPEN") throw ReplenishmentNotTaken();
  return task;
}

export const shown = async (sql: Sql, id: number) => (await replenishment(sql, id)) as Replenishment;

export const changed = (task: LockedTask, details: Record<string, unknown>) => ({
  ...{ action: "UPDATE", entity: "REPLENISHMENT", entityId: task.replenishment_id, warehouseId: task.warehouse_id },
  details,
});
