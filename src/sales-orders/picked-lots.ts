import { z } from "zod";
import { int, text } from "../platform/db/columns.js";

/** Units of one lot that were picked for an order line. */
export const PickedLot = z.strictObject({ lot_number: text, expiry_date: text.nullable(), quantity: int });

/** SQL: the lots of the units that were picked for the order line `l`, as JSON. */
export const PICKED_LOTS = `(
  select coalesce(json_agg(json_build_object('lot_number', lot_number, 'expiry_date', expiry_date, 'quantity', units)
                           order by expiry_date, lot_number), '[]')
  from (select v.lot_number, v.expiry_date, sum(w.quantity_picked) as units
        from wave_pick_breakdown w join pick_tasks t using (pick_task_id) join inventory v using (inventory_id)
        where w.so_line_id = l.so_line_id and t.status in ('PICKED', 'SHORT') and w.quantity_picked > 0
          and v.lot_number is not null
        group by v.lot_number, v.expiry_date) as lots)`;

/**
 * SQL: `lots` of the units that are reserved or to be picked for the order line `l`, with their bins, as an object that
 * is empty where there are none.
 */
export const PLANNED_LOTS = `(
  select case count(*) when 0 then '{}' else jsonb_build_object('lots',
      jsonb_agg(jsonb_build_object('bin_code', bin_code, 'lot_number', lot_number, 'expiry_date', expiry_date,
                                   'quantity', units)
                order by expiry_date, lot_number, bin_code)) end
  from (select b.bin_code, v.lot_number, v.expiry_date, sum(c.quantity) as units
        from (select inventory_id, quantity from stock_reservations where so_line_id = l.so_line_id
              union all
              select t.inventory_id, w.quantity from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
              where w.so_line_id = l.so_line_id and t.status = 'PENDING') c
        join inventory v using (inventory_id) join bins b using (bin_id)
        where v.lot_number is not null
        group by b.bin_code, v.lot_number, v.expiry_date) as lots)`;
