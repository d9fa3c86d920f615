import { z } from "zod";
import { int, text } from "../platform/db/columns.js";
import type { Sql } from "../platform/db/db.js";
import type { UnitsByState } from "./workflow.js";

/**
 * Where the units of recalled lots are (docs/recall.md): read from stock, picks, shipments and receipts, so that a unit
 * is in one state whichever way it moves. `recall` is SQL of the recall's id.
 */

/** SQL: whether a stock row `v` was counted after the opening of `r`, and nothing of that waits for a decision. */
const COUNTED = `
  (coalesce(v.last_counted_at >= r.opened_at, false) and not exists (
    select from inventory_adjustments a
    where a.bin_id = v.bin_id and a.item_id = v.item_id and a.status = 'PENDING'))`;

/**
 * SQL for the stock rows with units of the lots: those are found once their bin was counted after the opening and
 * nothing of that waits for a decision; of the others those came back that returns brought into the bin since.
 */
export const placesOf = (recall: string): string => `
  select lot_id, inventory_id, item_id, warehouse_id, bin_id, on_hand, last_counted_at,
    case when counted then on_hand else 0 end as found,
    case when counted then 0 else least(on_hand, came) end as returned,
    case when counted then 0 else on_hand - least(on_hand, came) end as to_count
  from (
    select rl.lot_id, v.inventory_id, v.item_id, v.warehouse_id, v.bin_id, v.quantity_on_hand as on_hand,
      v.last_counted_at, ${COUNTED} as counted,
      (select coalesce(sum(quantity_received), 0) from item_receipts b
       where b.item_id = v.item_id and b.lot_number = v.lot_number and b.bin_id = v.bin_id and b.so_id is not null
         and b.received_at >= r.opened_at) as came
    from recall_lots rl join recalls r using (recall_id) join lots l using (lot_id)
    join inventory v on v.item_id = l.item_id and v.lot_number = l.lot_number
    where rl.recall_id = ${recall} and v.quantity_on_hand > 0) places`;

/**
 * SQL for the orders that got units of a recall, a row for each lot and each serial: units that are picked and have not
 * left, that came back, and that are with the customer.
 */
export const ordersOf = (recall: string): string => `
  select lot_id, serial_id, so_id, picked, returned, away, told_at, told_by, note
  from (${ordersOfLots(recall)} union all ${ordersOfSerials(recall)}) orders
  left join (select so_id, told_at, told_by, note from recall_orders where recall_id = ${recall}) o using (so_id)`;

/**
 * SQL: of the units of lot `l` that were picked for an order line `s` by picks `w`, those that have left. Of a line a
 * part of which has left in parcels, those of them that are of the lot, or of a lot that nobody knows.
 */
const LEFT = `
  case when s.quantity_shipped = 0 then 0 when s.quantity_shipped >= s.quantity_picked then sum(w.quantity_picked)
    else least(sum(w.quantity_picked), (
      select coalesce(sum(p.quantity), 0) from parcel_lines p join parcels using (parcel_id)
      where p.so_line_id = s.so_line_id and parcels.status = 'SHIPPED'
        and coalesce(p.lot_number, l.lot_number) = l.lot_number)) end`;

/** Units of a refund name no lot: they are taken for those of the recall. */
const ordersOfLots = (recall: string): string => `
  select lot_id, null::int as serial_id, so_id, picked, least(shipped, came) as returned,
    greatest(0, shipped - came) as away
  from (
    select lot_id, so_id, sum(picked) as picked, sum(shipped) as shipped,
      (select coalesce(sum(quantity_received), 0)
       from sales_orders back join item_receipts b on b.so_id = back.so_id
       where back.parent_so_id = g.so_id and back.order_type = 'return' and b.item_id = g.item_id
         and b.lot_number = g.lot_number)
      + (select coalesce(-sum(quantity_ordered), 0)
         from sales_orders memo join sales_order_lines m on m.so_id = memo.so_id
         where memo.parent_so_id = g.so_id and memo.order_type = 'refund' and m.item_id = g.item_id) as came
    from (
      select lot_id, item_id, lot_number, so_id, quantity_picked - gone as picked, gone as shipped
      from (
        select l.lot_id, l.item_id, l.lot_number, w.so_id, sum(w.quantity_picked) as quantity_picked, ${LEFT} as gone
        from recall_lots rl join lots l using (lot_id)
        join inventory v on v.item_id = l.item_id and v.lot_number = l.lot_number
        join pick_tasks t on t.inventory_id = v.inventory_id and t.quantity_picked > 0
          and t.status in ('PICKED', 'SHORT')
        join wave_pick_breakdown w using (pick_task_id) join sales_order_lines s on s.so_line_id = w.so_line_id
        where rl.recall_id = ${recall} and w.quantity_picked > 0
        group by l.lot_id, w.so_id, s.so_line_id) picks
      union all
      select rl.lot_id, l.item_id, l.lot_number, u.so_id, 0, u.quantity
      from recall_lots rl join lots l using (lot_id)
      join counter_sale_units u on u.item_id = l.item_id and u.lot_number = l.lot_number
      where rl.recall_id = ${recall}) g
    group by lot_id, so_id, item_id, lot_number) lots`;

/** The order that a serial is packed for or was shipped with, and those from which it came back. */
const ordersOfSerials = (recall: string): string => `
  select null::int, serial_id, so_id, (state = 'PACKED')::int, 0, (state = 'SHIPPED')::int
  from recall_serials join serials using (serial_id) where recall_id = ${recall} and so_id is not null
  union all
  select distinct null::int, serial_id, back.parent_so_id, 0, 1, 0
  from recall_serials join serials s using (serial_id) join serial_steps step using (serial_id)
  join sales_orders back on back.so_id = step.so_id
  where recall_id = ${recall} and kind = 'RETURNED' and back.parent_so_id is not null
    and back.parent_so_id is distinct from s.so_id`;

/** SQL for the bins in which serials may lie that are in stock: those of their warehouse that hold the item. */
export const binsOfSerials = (recall: string): string => `
  select serial_id, v.item_id, v.warehouse_id, v.bin_id, ${COUNTED} as counted
  from recall_serials join recalls r using (recall_id) join serials s using (serial_id)
  join inventory v on v.item_id = s.item_id and v.warehouse_id = s.warehouse_id and v.quantity_on_hand > 0
  where recall_id = ${recall} and s.state = 'IN_STOCK'`;

/**
 * SQL for where the serials are, each in one state of units. Those in stock are found once all bins were counted in
 * which they may lie, as a count that misses units is not approved without their serials.
 */
export const statesOfSerials = (recall: string): string => `
  select rs.serial_id, case s.state
      when 'PACKED' then 'picked'
      when 'SHIPPED' then case when o.so_id is null then 'to_tell' else 'told' end
      when 'GONE' then case when last.kind = 'DESTROYED' then 'destroyed' else 'adjusted_out' end
      else case
        when last.kind = 'RETURNED' and last.created_at >= r.opened_at then 'returned'
        when bins.counted then 'found' else 'to_count' end
    end as unit_state
  from recall_serials rs join recalls r using (recall_id) join serials s using (serial_id)
  left join recall_orders o on o.recall_id = rs.recall_id and o.so_id = s.so_id
  left join lateral (
    select kind, created_at from serial_steps p where p.serial_id = s.serial_id order by step_id desc limit 1) last
    on true
  left join (select serial_id, bool_and(counted) as counted from (${binsOfSerials(recall)}) b group by serial_id) bins
    on bins.serial_id = rs.serial_id
  where rs.recall_id = ${recall}`;

/** The units of the serials of a recall. */
export async function unitsOfSerials(sql: Sql, recallId: number): Promise<UnitsByState> {
  const rows = await sql.rows(
    { unit_state: text, units: int },
    `select unit_state, count(*) as units from (${statesOfSerials("$1")}) s group by unit_state`,
    [recallId],
  );
  const states = Object.fromEntries(rows.map(({ unit_state, units }) => [unit_state, units]));
  return { ...sumOf([]), ...states, known: rows.reduce((sum, { units }) => sum + units, 0) };
}

/** All units of a recall, of its lots and its serials. */
export async function unitsOfRecall(sql: Sql, recallId: number): Promise<UnitsByState> {
  const [lots, serials] = await Promise.all([unitsOfLots(sql, recallId), unitsOfSerials(sql, recallId)]);
  return sumOf([...lots.values(), serials]);
}

const LotUnits = z.strictObject({
  lot_id: int,
  /** Of the opening, as noted when the lot was held; null until then. */
  known_quantity: int.nullable(),
  /** Came from vendors since. */
  arrived: int,
  ...{ to_count: int, found: int, returned: int, picked: int, to_tell: int, told: int, destroyed: int },
});

const UNITS = `
  with places as (
    select lot_id, sum(to_count) as to_count, sum(found) as found, sum(returned) as returned
    from (${placesOf("$1")}) p group by lot_id
  ), orders as (
    select lot_id, sum(picked) as picked, sum(away) filter (where told_at is null) as to_tell,
      sum(away) filter (where told_at is not null) as told
    from (${ordersOf("$1")}) o group by lot_id
  ), destroyed as (
    select lot_id, sum(quantity) as destroyed from recall_destructions where recall_id = $1 group by lot_id
  )
  select lot_id, known_quantity,
    (select coalesce(sum(quantity_received), 0)::bigint from item_receipts b
     where b.item_id = l.item_id and b.lot_number = l.lot_number and b.po_id is not null
       and b.received_at > r.opened_at) as arrived,
    ${["to_count", "found", "returned", "picked", "to_tell", "told", "destroyed"]
      .map((state) => `coalesce(${state}, 0)::bigint as ${state}`)
      .join(", ")}
  from recall_lots rl join recalls r using (recall_id) join lots l using (lot_id)
  left join places using (lot_id) left join orders using (lot_id) left join destroyed using (lot_id)
  where recall_id = $1 order by lot_id`;

/** The units of a recall, by lot. What is known and in no state was taken off the books: a count did not find it. */
export async function unitsOfLots(sql: Sql, recallId: number): Promise<Map<number, UnitsByState>> {
  const rows = await sql.rows(LotUnits, UNITS, [recallId]);
  return new Map(
    rows.map(({ lot_id, known_quantity, arrived, ...states }) => {
      const there = Object.values(states).reduce((sum, units) => sum + units, 0);
      const known = Math.max(there, (known_quantity ?? 0) + arrived);
      return [lot_id, { known, ...states, adjusted_out: known - there }];
    }),
  );
}

/**
 * The units of a lot that were there when its recall was opened, as far as they are now: what came from vendors since
 * is none of them.
 */
export async function unitsOfOpening(sql: Sql, recallId: number, lotId: number): Promise<number> {
  const rows = await sql.rows(LotUnits, UNITS, [recallId]);
  const { lot_id: _, known_quantity: __, arrived = 0, ...states } = rows.find((row) => row.lot_id === lotId) ?? {};
  return Math.max(0, Object.values(states).reduce((sum, units) => sum + units, 0) - arrived);
}

export function sumOf(lots: Iterable<UnitsByState>): UnitsByState {
  const sum = {
    ...{ known: 0, to_count: 0, found: 0, returned: 0, picked: 0, to_tell: 0, told: 0, destroyed: 0, adjusted_out: 0 },
  };
  for (const units of lots) for (const state of Object.keys(sum) as (keyof UnitsByState)[]) sum[state] += units[state];
  return sum;
}
