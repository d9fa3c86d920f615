import { fromDay, toDay, zoneOf } from "../../platform/db/days.js";
import { db } from "../../platform/db/db.js";
import { builder, codeOf } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import { WALK } from "../queries.js";
import { TASK_COUNTS } from "../tasks.js";
import { BoardPicker, IDLE_MINUTES, WaitingOrders, type WaveFilters, WaveOfList, waveList } from "./board-shapes.js";

/** Whether a batch `p` is of the warehouse $1, and of those of the caller, $2. */
const OURS = "($1::int is null or p.warehouse_id = $1) and ($2::int[] is null or p.warehouse_id = any($2))";

/**
 * Who picks or may pick in a warehouse, or in those of the caller. The pace is that of an hour: tasks of waves that go
 * on or ended meanwhile.
 */
export const pickBoard = (warehouseId: number | undefined, warehouses: number[] | null) =>
  db.rows(
    BoardPicker,
    `with waves as (
       select p.assigned_to as username, p.batch_id, p.batch_number, p.kind, t.completed_tasks, t.total_tasks,
         t.short_tasks, p.started_at, p.warehouse_id, ${codeOf("p.warehouse_id")}, t.next_bin_code,
         floor(extract(epoch from now() - greatest(p.started_at, t.last_pick_at)) / 60)::int as quiet_minutes
       from pick_batches p cross join lateral (
         select ${TASK_COUNTS},
           (count(*) filter (where status = 'SHORT'))::int as short_tasks, max(picked_at) as last_pick_at,
           (select bin_code from pick_tasks join bins using (bin_id)
            where batch_id = p.batch_id and status = 'PENDING'
            order by pick_tasks.pick_sequence, bin_code, pick_task_id limit 1) as next_bin_code
         from pick_tasks where batch_id = p.batch_id) t
       where p.status in ('OPEN', 'IN_PROGRESS') and p.assigned_to is not null and ${OURS}
     ), waves_of as (
       select username,
         json_agg(to_jsonb(waves) - 'username' || jsonb_build_object('blockers', array_remove(array[
           case when next_bin_code is not null and quiet_minutes >= ${IDLE_MINUTES} then 'idle' end,
           case when short_tasks > 0 then 'short' end,
           case when next_bin_code is null then 'not_completed' end], null)) order by started_at, batch_id) as waves
       from waves group by username
     ), pace as (
       select t.picked_by as username, count(*) as picks, sum(t.quantity_picked) as units, max(t.picked_at) as last_at
       from pick_batches p join pick_tasks t using (batch_id)
       where (p.status in ('OPEN', 'IN_PROGRESS') or p.completed_at > now() - interval '1 hour') and ${OURS}
         and t.status in ('PICKED', 'SHORT') and t.picked_at > now() - interval '1 hour'
       group by t.picked_by
     ), may_pick as (
       select username from users u
       where is_active and (role = 'ADMIN' or 'pick' = any(allowed_functions)
         and ($1::int is null or $1 = any(warehouse_ids)) and ($2::int[] is null or warehouse_ids && $2))
     )
     select u.user_id, username, u.full_name, coalesce(p.picks, 0) as picks_last_hour,
       coalesce(p.units, 0) as units_last_hour, p.last_at as last_pick_at, coalesce(w.waves, '[]') as waves
     from may_pick full join waves_of w using (username) full join pace p using (username)
       left join users u using (username)
     order by username`,
    [warehouseId, warehouses],
  );

/** A page of the waves, those that ended too, newest first. */
export function waves(filters: WaveFilters, warehouseIds: number[] | null) {
  const { warehouse_id, status, assigned_to, date_from, date_to } = filters;
  const query = builder("pick_batches as p")
    .select(
      builder.raw(
        `p.batch_id, p.batch_number, p.kind, p.warehouse_id, ${codeOf("p.warehouse_id")}, p.status, p.assigned_to,
         (select to_number from transfer_orders o where o.to_id = p.to_id) as to_number, p.total_orders,
         p.total_items as total_units, p.created_at, p.started_at, p.completed_at, ${WALK},
         (select coalesce(sum(quantity_picked), 0) from pick_tasks t
          where t.batch_id = p.batch_id and t.status in ('PICKED', 'SHORT')) as picked_units,
         (select count(*) from pick_tasks t
          where t.batch_id = p.batch_id and t.status in ('PENDING', 'PICKED', 'SHORT')) as total_tasks,
         (select count(*) from pick_tasks t where t.batch_id = p.batch_id and t.status = 'SHORT') as short_tasks`,
      ),
    )
    .orderBy("p.batch_id", "desc");
  if (warehouseIds) query.whereIn("p.warehouse_id", warehouseIds);
  if (warehouse_id) query.where("p.warehouse_id", warehouse_id);
  if (status) query.where("p.status", status);
  if (assigned_to) query.where("p.assigned_to", assigned_to);
  if (date_from) query.whereRaw(fromDay("p.completed_at", ":day", zoneOf("p.warehouse_id")), { day: date_from });
  if (date_to) query.whereRaw(toDay("p.completed_at", ":day", zoneOf("p.warehouse_id")), { day: date_to });
  return listPage(WaveOfList, "waves", query, filters, waveList);
}

/** The orders that wait for units from reserve, by the release that left them, the oldest first. */
export const waitingOrders = (warehouseId: number | undefined, warehouses: number[] | null) =>
  db.rows(
    WaitingOrders,
    `select p.waiting_id, p.external_id, p.warehouse_id, ${codeOf("p.warehouse_id")}, p.so_ids,
       array(select so_number from sales_orders where so_id = any(p.so_ids) order by so_id) as so_numbers,
       p.created_by, p.created_at
     from waves_waiting p where ${OURS} order by p.waiting_id`,
    [warehouseId, warehouses],
  );
