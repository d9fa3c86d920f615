import { z } from "zod";
import { number } from "../../src/platform/db/columns.js";
import { db, type Sql } from "../../src/platform/db/db.js";
import { reminderMs } from "../../src/system/settings/queries.js";
import { TransferNotFound } from "../../src/transfers/problems.js";
import { TransferState } from "../../src/transfers/steps.js";

const Row = z.strictObject({ ...TransferState.omit({ reminder_ms: true }).shape, waited_ms: number.nullable() });

/** The state of a transfer order; 404 when there is none. */
export async function transferState(sql: Sql, toId: number): Promise<TransferState> {
  const [row, period] = await Promise.all([sql.row(Row, STATE, [toId]), reminderMs(sql)]);
  if (!row) throw TransferNotFound();
  const { waited_ms, ...state } = row;
  const reminds = period !== null && waited_ms !== null;
  return { ...state, reminder_ms: reminds ? Math.max(0, Math.ceil(period - waited_ms)) : null };
}

const STATE = `
  select t.to_id, t.to_number, t.status, t.source_warehouse_id, s.warehouse_code as source_warehouse_code,
    t.destination_warehouse_id, d.warehouse_code as destination_warehouse_code, t.created_by,
    t.created_at as started_at, l.*, a.*,
      to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') as as_of,
    (select json_build_object('batch_id', batch_id, 'batch_number', batch_number, 'assigned_to', assigned_to)
     from pick_batches p where p.to_id = t.to_id and p.status in ('OPEN', 'IN_PROGRESS')) as picking
  from transfer_orders t
  join warehouses s on s.warehouse_id = t.source_warehouse_id
  join warehouses d on d.warehouse_id = t.destination_warehouse_id
  cross join lateral (
    select count(*) as lines_total, count(*) filter (where status in ('APPROVED', 'SHORT_CLOSED')) as lines_done,
      coalesce(sum(committed_qty), 0) as units_committed, coalesce(sum(picked_qty), 0) as units_picked,
      coalesce(sum(approved_qty), 0) as units_approved
    from transfer_order_lines where to_id = t.to_id) l
  cross join lateral (
    select coalesce(json_agg(json_build_object('to_approval_id', to_approval_id, 'submitted_by', submitted_by,
        'submitted_at', submitted_at, 'units',
        (select coalesce(sum(quantity), 0) from to_approval_lines x where x.to_approval_id = p.to_approval_id))
        order by to_approval_id), '[]') as approvals,
      extract(epoch from clock_timestamp() - min(coalesce(reminded_at, submitted_at)))::float8 * 1000 as waited_ms
    from transfer_order_approvals p where p.to_id = t.to_id and p.status = 'PENDING') a
  where t.to_id = $1`;

/**
 * Reads the state of a transfer order from its rows, for a workflow that is started again; 404 when it was deleted.
 * @public Called by `transferOrder`, which knows activities by their types alone.
 */
export function resumeTransfer(toId: number): Promise<TransferState> {
  return transferState(db, toId);
}
