import { z } from "zod";
import { beyondStock, type NewTask, planTasks } from "../../../src/picking/replenishment/plan.js";
import { UNFINISHED } from "../../../src/picking/replenishment/queries.js";
import { type Situation, situation } from "../../../src/picking/replenishment/situation.js";
import type { Looked } from "../../../src/picking/replenishment/workflow.js";
import { int, text } from "../../../src/platform/db/columns.js";
import { db, type Sql } from "../../../src/platform/db/db.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import { idleMs, replenishmentLookMs } from "../../../src/system/settings/queries.js";
import { command, type Tx } from "../../command.js";

/**
 * Looks which pick faces of a warehouse are to be filled up, and makes the tasks (docs/replenishment.md, Tasks). Tasks
 * that nobody went on with are given back, those whose units are gone are cancelled. One look of a warehouse at a time:
 * so no unit is in two tasks. A look that has nothing to change writes nothing: there is one every few minutes.
 */
export async function lookForReplenishment(warehouseId: number, commandId: string): Promise<Looked> {
  const seen = await situation(db, warehouseId);
  if (!(await hasWork(warehouseId, seen))) return looked(db, warehouseId, seen, 0);
  return command("replenishment.look", systemActor(commandId), { warehouseId }, async (tx) => {
    await tx.run("select pg_advisory_xact_lock(hashtext('replenishment'), $1)", [warehouseId]);
    await giveBackIdle(tx, warehouseId);
    let now = await situation(tx, warehouseId);
    const lost = beyondStock(now.tasks);
    if (lost.length > 0) {
      await cancelOpen(tx, warehouseId, lost);
      now = await situation(tx, warehouseId);
    }
    const { made, urgent } = planTasks(now);
    if (urgent.length > 0)
      await tx.run("update replenishments set is_urgent = true, updated_at = now() where replenishment_id = any($1)", [
        urgent,
      ]);
    if (made.length > 0) await insertTasks(tx, warehouseId, made);
    return looked(tx, warehouseId, now, made.length);
  });
}

/** Whether a look would change something. */
async function hasWork(warehouseId: number, now: Situation): Promise<boolean> {
  const lost = beyondStock(now.tasks);
  const { made, urgent } = planTasks(now);
  if (lost.length + made.length + urgent.length > 0) return true;
  const idle = await idleMs(db);
  if (idle === null) return false;
  const found = await db.row({ tasks: int }, `select count(*) as tasks from replenishments where ${IDLE}`, [
    warehouseId,
    idle,
  ]);
  return found !== undefined && found.tasks > 0;
}

/** SQL: taken tasks of the warehouse $1 with which nobody went on for $2 milliseconds. */
const IDLE = `
  warehouse_id = $1 and status = 'TAKEN' and updated_at < now() - make_interval(secs => $2::float8 / 1000)`;

async function looked(sql: Sql, warehouseId: number, { faces }: Situation, made: number): Promise<Looked> {
  const [left, look_ms] = await Promise.all([sql.row(Left, LEFT, [warehouseId]), replenishmentLookMs(sql)]);
  // A warehouse that is gone has nothing to carry.
  const none = { warehouse_code: String(warehouseId), open: 0, urgent: 0, waves: 0 };
  return { ...(left ?? none), made, faces: faces.length, look_ms };
}

const Left = z.strictObject({ warehouse_code: text, open: int, urgent: int, waves: int });
const LEFT = `
  select warehouse_code, (select count(*) from waves_waiting q where q.warehouse_id = w.warehouse_id) as waves,
         (select count(*) from replenishments where warehouse_id = w.warehouse_id and ${UNFINISHED}) as open,
         (select count(*) from replenishments
          where warehouse_id = w.warehouse_id and ${UNFINISHED} and is_urgent) as urgent
  from warehouses w where warehouse_id = $1`;

async function insertTasks(tx: Tx, warehouseId: number, tasks: NewTask[]): Promise<void> {
  const made = await tx.rows(
    { replenishment_id: int },
    `insert into replenishments (warehouse_id, item_id, lot_number, from_bin_id, to_bin_id, quantity, is_urgent)
     select :warehouseId, item_id, lot, from_bin, to_bin, quantity, urgent
     from unnest(:item_ids::int[], :lots::text[], :from_bin_ids::int[], :to_bin_ids::int[], :quantities::int[],
                 :urgent::boolean[]) with ordinality as t(item_id, lot, from_bin, to_bin, quantity, urgent, place)
     order by place returning replenishment_id`,
    {
      warehouseId,
      item_ids: tasks.map((task) => task.item_id),
      lots: tasks.map((task) => task.lot_number),
      from_bin_ids: tasks.map((task) => task.from_bin_id),
      to_bin_ids: tasks.map((task) => task.to_bin_id),
      quantities: tasks.map((task) => task.quantity),
      urgent: tasks.map((task) => task.is_urgent),
    },
  );
  for (const [i, { replenishment_id }] of made.entries())
    tx.audit({
      ...{ action: "CREATE", entity: "REPLENISHMENT", entityId: replenishment_id, warehouseId },
      details: { ...(tasks[i] as NewTask) },
    });
}

async function cancelOpen(tx: Tx, warehouseId: number, ids: number[]): Promise<void> {
  const cancelled = await tx.rows(
    { replenishment_id: int },
    `update replenishments set status = 'CANCELLED', updated_at = now()
     where replenishment_id = any($1) and status = 'OPEN' returning replenishment_id`,
    [ids],
  );
  for (const { replenishment_id } of cancelled)
    tx.audit({
      ...{ action: "CANCEL", entity: "REPLENISHMENT", entityId: replenishment_id, warehouseId },
      details: { reason: "its units are gone" },
    });
}

/** Gives tasks back with which nobody went on as long as an idle wave may last. */
async function giveBackIdle(tx: Tx, warehouseId: number): Promise<void> {
  const idle = await idleMs(tx);
  if (idle === null) return;
  const given = await tx.rows(
    { replenishment_id: int },
    `update replenishments set status = 'OPEN', assigned_to = null, assigned_user_id = null, updated_at = now()
     where ${IDLE} returning replenishment_id`,
    [warehouseId, idle],
  );
  for (const { replenishment_id } of given)
    tx.audit({
      ...{ action: "UPDATE", entity: "REPLENISHMENT", entityId: replenishment_id, warehouseId },
      details: { status: { old: "TAKEN", new: "OPEN" }, reason: "idle" },
    });
}
