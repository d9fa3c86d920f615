import type { Effects } from "../../src/platform/db/db.js";
import type { FulfilmentStatus } from "../../src/sales-orders/reversion.js";

/**
 * Every change of a sales order line's `quantity_allocated`, `quantity_picked`, `quantity_packed`, `quantity_shipped`
 * and `quantity_received`. Some are SQL for a statement that also changes what is counted, so that it stays one round
 * trip; they take the name of a CTE of that statement.
 */

/** SQL that adds units to what is allocated to lines; the CTE has `so_line_id` and `units`. */
export const allocateLines = (units: string): string => changeAllocated("+", units);

/** SQL that subtracts units from what is allocated to lines; the CTE has `so_line_id` and `units`. */
export const releaseLines = (units: string): string => changeAllocated("-", units);

const changeAllocated = (sign: "+" | "-", units: string) => `
  update sales_order_lines l set quantity_allocated = l.quantity_allocated ${sign} u.units
  from (select so_line_id, sum(units) as units from ${units} group by so_line_id) u
  where l.so_line_id = u.so_line_id`;

/**
 * SQL that counts units as picked; the CTE has `so_line_id`, `picked`, and by how much the allocated units change as
 * `allocated`.
 */
export const pickLines = (picks: string): string => `
  update sales_order_lines l
  set quantity_picked = l.quantity_picked + p.picked, quantity_allocated = l.quantity_allocated + p.allocated,
      status = case when l.quantity_picked + p.picked >= l.quantity_ordered then 'PICKED' else l.status end
  from (select so_line_id, sum(picked) as picked, sum(allocated) as allocated from ${picks} group by so_line_id) p
  where l.so_line_id = p.so_line_id`;

/** Subtracts what these batches allocated and picked from the lines that they pick for. */
export async function unpickLines(tx: Effects, batchIds: number[]): Promise<void> {
  await tx.run(
    `update sales_order_lines l
     set quantity_picked = l.quantity_picked - w.picked,
         quantity_allocated = l.quantity_allocated - w.picked - w.allocated,
         status = 'PENDING'
     from (select b.so_line_id,
             coalesce(sum(b.quantity_picked) filter (where t.status in ('PICKED', 'SHORT')), 0) as picked,
             coalesce(sum(b.quantity) filter (where t.status = 'PENDING'), 0) as allocated
           from wave_pick_breakdown b join pick_tasks t using (pick_task_id)
           where t.batch_id = any($1) group by b.so_line_id) w
     where l.so_line_id = w.so_line_id`,
    [batchIds],
  );
}

/** Counts units of a line as packed. */
export async function packLine(tx: Effects, soLineId: number, quantity: number): Promise<void> {
  await tx.run(
    `update sales_order_lines
     set quantity_packed = quantity_packed + $2,
         status = case when quantity_packed + $2 >= quantity_picked then 'PACKED' else status end
     where so_line_id = $1`,
    [soLineId, quantity],
  );
}

/** Counts units of lines as packed no more. */
export async function unpackLines(tx: Effects, lines: { so_line_id: number; units: number }[]): Promise<void> {
  await tx.run(
    `update sales_order_lines l
     set quantity_packed = l.quantity_packed - u.units,
         status = case l.status when 'PACKED' then 'PICKED' else l.status end
     from (select so_line_id, sum(units) as units from unnest($1::int[], $2::int[]) as u(so_line_id, units)
           group by so_line_id) u
     where l.so_line_id = u.so_line_id`,
    [lines.map(({ so_line_id }) => so_line_id), lines.map(({ units }) => units)],
  );
}

/** SQL that counts units as shipped; the CTE has `so_line_id` and `units`. */
export const shipUnits = (units: string): string => `
  update sales_order_lines l
  set quantity_shipped = l.quantity_shipped + u.units,
      status = case when l.quantity_shipped + u.units >= l.quantity_picked then 'SHIPPED' else l.status end
  from (select so_line_id, sum(units) as units from ${units} group by so_line_id) u
  where l.so_line_id = u.so_line_id`;

/** SQL that counts the picked units of the order as shipped. */
export const shipLines = (soId: string): string => `
  update sales_order_lines set quantity_shipped = quantity_picked, status = 'SHIPPED'
  where so_id = ${soId} and quantity_picked > 0`;

/** SQL that clears the allocated and picked units of a cancelled order's lines. */
export const cancelLines = (soId: string): string => `
  update sales_order_lines
  set quantity_allocated = 0, quantity_picked = 0, quantity_packed = 0, status = 'PENDING' where so_id = ${soId}`;

interface Reversal {
  target: FulfilmentStatus;
  released: { so_line_id: number; quantity_picked: number }[];
  unpacked: boolean;
  unshipped: boolean;
  /** Where only this shipment is undone; otherwise all of them are. */
  fulfillmentId?: number | null;
}

/**
 * Subtracts released picks, and units that are no longer packed or shipped, from the lines of an order that is
 * reverted.
 */
export async function revertLines(
  tx: Effects,
  soId: number,
  { target, released, unpacked, unshipped, fulfillmentId = null }: Reversal,
): Promise<void> {
  await tx.run(
    `with new as (
       select so_line_id, l.quantity_picked - coalesce(r.units, 0) as picked, coalesce(r.units, 0) as units,
              case when :unpacked then 0
                   else least(quantity_packed, l.quantity_picked - coalesce(r.units, 0)) end as packed,
              case when not :unshipped then l.quantity_shipped
                   when :fulfillmentId::int is null then 0
                   else l.quantity_shipped - (
                     select coalesce(sum(f.quantity_shipped), 0) from item_fulfillment_lines f
                     where f.fulfillment_id = :fulfillmentId and f.so_line_id = l.so_line_id) end as shipped
       from sales_order_lines l
       left join (select so_line_id, sum(units) as units
                  from unnest(:so_line_ids::int[], :quantities::int[]) as r(so_line_id, units)
                  group by so_line_id) r using (so_line_id)
       where so_id = :soId
     )
     update sales_order_lines l
     set quantity_picked = new.picked, quantity_allocated = l.quantity_allocated - new.units,
         quantity_packed = new.packed,
         quantity_shipped = new.shipped,
         status = case when new.shipped > 0 and new.shipped >= new.picked then 'SHIPPED'
                       when new.packed > 0 and new.packed >= new.picked then 'PACKED'
                       when :target <> 'OPEN' or new.picked >= l.quantity_ordered then 'PICKED'
                       else 'PENDING' end
     from new where l.so_line_id = new.so_line_id`,
    {
      soId,
      so_line_ids: released.map((share) => share.so_line_id),
      quantities: released.map((share) => share.quantity_picked),
      unpacked,
      unshipped,
      fulfillmentId,
      target,
    },
  );
}

/** Counts units of a return as received, each on its line. */
export async function receiveLines(tx: Effects, lines: { so_line_id: number; units: number }[]): Promise<void> {
  await tx.run(
    `update sales_order_lines l set quantity_received = l.quantity_received + r.units
     from unnest($1::int[], $2::int[]) as r(so_line_id, units) where l.so_line_id = r.so_line_id`,
    [lines.map((line) => line.so_line_id), lines.map((line) => line.units)],
  );
}
