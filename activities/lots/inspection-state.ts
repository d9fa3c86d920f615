import { z } from "zod";
import { InspectionNotFound } from "../../src/lots/inspections/problems.js";
import { ITS_LOT, OPEN_UNITS } from "../../src/lots/inspections/queries.js";
import type { InspectionLook, InspectionState } from "../../src/lots/inspections/workflow.js";
import { arrayOf, bool, int, number, text, time } from "../../src/platform/db/columns.js";
import { db, type Sql } from "../../src/platform/db/db.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { inspectionReminderMs } from "../../src/system/settings/queries.js";
import { command } from "../command.js";

const Row = z.strictObject({
  inspection_id: int,
  sku: text,
  lot_number: text.nullable(),
  warehouse_id: int.nullable(),
  warehouse_code: text.nullable(),
  opened_by: text,
  reason: text,
  open: int,
  decided: arrayOf(text),
  closed: bool,
  waited_ms: number,
  deadline_ms: number.nullable(),
  as_of: text,
});

const STATE = `
  select n.inspection_id, sku, ${ITS_LOT} as lot_number, n.warehouse_id, warehouse_code, n.opened_by, n.reason,
    ${OPEN_UNITS} as open, n.closed_at is not null as closed,
    (select coalesce(json_agg(format('%s: %s by %s', decision, quantity, decided_by) order by decision_id), '[]')
     from inspection_decisions d where d.inspection_id = n.inspection_id) as decided,
    extract(epoch from clock_timestamp() - coalesce(reminded_at, opened_at))::float8 * 1000 as waited_ms,
    case when overdue_at is null then extract(epoch from due_at - clock_timestamp())::float8 * 1000 end as deadline_ms,
    to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') as as_of
  from inspections n join items i on i.item_id = n.item_id left join warehouses w on w.warehouse_id = n.warehouse_id
  left join lots l on l.lot_id = n.lot_id where n.inspection_id = $1`;

/** The state of an inspection; 404 when there is none. */
export async function inspectionState(sql: Sql, inspectionId: number): Promise<InspectionState> {
  const [row, period] = await Promise.all([sql.row(Row, STATE, [inspectionId]), inspectionReminderMs(sql)]);
  if (!row) throw InspectionNotFound();
  const { waited_ms, deadline_ms, ...state } = row;
  return {
    ...state,
    reminder_ms: period === null ? null : Math.max(0, Math.ceil(period - waited_ms)),
    deadline_ms: deadline_ms === null ? null : Math.max(0, Math.ceil(deadline_ms)),
  };
}

/**
 * Reads the state of an inspection from its rows; 404 when there is none.
 * @public Called by `inspection`, which knows activities by their types alone.
 */
export const resumeInspection = (inspectionId: number): Promise<InspectionState> => inspectionState(db, inspectionId);

const Due = z.strictObject({
  reminds: bool,
  overdue: bool,
  is_overdue: bool,
  external_id: text,
  item_external_id: text,
  sku: text,
  lot_number: text.nullable(),
  reason: text,
  opened_at: time,
  due_at: time.nullable(),
  open: int,
  warehouses: arrayOf(int),
});

/**
 * Tells of an inspection that waits longer than setting `inspection_reminder_hours`, once in each such period, and of
 * one whose time is over, once: INSPECTION_REMINDER and INSPECTION_OVERDUE in the audit log, `inspection.due` in each
 * of its warehouses.
 * @public The same.
 */
export async function remindOfInspection(inspectionId: number, commandId: string): Promise<InspectionLook> {
  const by = systemActor(commandId);
  const period = await inspectionReminderMs(db);
  return command("inspections.remind", by, { inspectionId }, async (tx) => {
    await tx.run("select from inspections where inspection_id = $1 for update", [inspectionId]);
    const due = await tx.row(Due, DUE, [inspectionId, period]);
    if (!due) return { reminded: false, overdue: false, state: await inspectionState(tx, inspectionId) };
    const { reminds, overdue, open: quantity_open, external_id, warehouses, ...data } = due;
    await tx.run(
      `update inspections set reminded_at = case when $2::boolean then clock_timestamp() else reminded_at end,
         overdue_at = case when $3::boolean then clock_timestamp() else overdue_at end
       where inspection_id = $1`,
      [inspectionId, reminds, overdue],
    );
    tx.audit({
      action: overdue ? "INSPECTION_OVERDUE" : "INSPECTION_REMINDER",
      entity: "INSPECTION",
      entityId: inspectionId,
      warehouseId: warehouses.length === 1 ? warehouses[0] : null,
      details: { quantity_open, due_at: due.due_at },
    });
    for (const warehouseId of warehouses)
      tx.emit({
        type: "inspection.due",
        aggregateId: external_id,
        entity: "inspection",
        entityId: inspectionId,
        warehouseId,
        data: { inspection_external_id: external_id, ...data, quantity_open, told_at: tx.now },
      });
    return { reminded: reminds, overdue, state: await inspectionState(tx, inspectionId) };
  });
}

/** An open inspection of which is to be told now: $2 is the milliseconds between reminders, or null. */
const DUE = `
  select * from (
    select n.external_id, i.external_id as item_external_id, sku, ${ITS_LOT} as lot_number, n.reason, opened_at, due_at,
      coalesce(coalesce(reminded_at, opened_at) <= clock_timestamp() - make_interval(secs => $2::float8 / 1000), false)
        as reminds,
      overdue_at is null and coalesce(due_at <= clock_timestamp(), false) as overdue,
      coalesce(due_at <= clock_timestamp(), false) as is_overdue, ${OPEN_UNITS} as open,
      case when n.warehouse_id is not null then array[n.warehouse_id] else array(
        select distinct warehouse_id from inventory v
        where v.item_id = l.item_id and v.lot_number = l.lot_number order by warehouse_id) end as warehouses
    from inspections n join items i on i.item_id = n.item_id left join lots l on l.lot_id = n.lot_id
    where n.inspection_id = $1 and n.closed_at is null) due
  where reminds or overdue`;
