import { z } from "zod";
import { int } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { availableBeside, DAYS_LEFT, isFreshFor, SELLABLE_JOINS } from "../stock/sellable.js";
import { LineBins } from "./edit-shapes.js";

/** The item is null when the order has no such line. */
const LineBinsRow = z.strictObject({ ...LineBins.omit({ item_id: true }).shape, item_id: int.nullable() });
type LineBinsRow = z.infer<typeof LineBinsRow>;

/** SQL: the units of row `v` that can be picked for the order `so`, which has some of them reserved. */
const AVAILABLE_TO_ORDER = `case when ${isFreshFor(DAYS_LEFT)} then ${availableBeside("own.units")} else 0 end`;

/**
 * The bins of the order's warehouse that hold a line's item: preferred ones first, then by available units. Units that
 * the order itself has reserved count as available, as for an admin pick (docs/interface.md, What stays as it was).
 * Undefined when there is no such order.
 */
export function lineBins(soId: number, soLineId: number): Promise<LineBinsRow | undefined> {
  return db.row(
    LineBinsRow,
    `select so.warehouse_id, l.item_id,
       (select coalesce(json_agg(case when lots is null then to_jsonb(bin) - 'lots' else to_jsonb(bin) end
                                order by preferred_priority nulls last, quantity_available desc, bin_code), '[]')
        from (
          select b.bin_id, b.bin_code, z.zone_name,
            sum(v.quantity_on_hand) as quantity_on_hand, sum(v.quantity_allocated) as quantity_allocated,
            sum(${AVAILABLE_TO_ORDER}) as quantity_available,
            (select priority from preferred_bins p where p.item_id = l.item_id
              and p.bin_id = b.bin_id) as preferred_priority,
            json_agg(json_build_object('lot_number', v.lot_number, 'expiry_date', v.expiry_date,
                'quantity_available', ${AVAILABLE_TO_ORDER}) order by v.expiry_date, v.updated_at)
              filter (where v.lot_number is not null) as lots
          from inventory v ${SELLABLE_JOINS} cross join lateral (
            select coalesce(sum(r.quantity), 0) as units from stock_reservations r join sales_order_lines o
              using (so_line_id)
            where r.inventory_id = v.inventory_id and o.so_id = so.so_id) as own
          where v.item_id = l.item_id and v.warehouse_id = so.warehouse_id and v.quantity_on_hand > 0
          group by b.bin_id, z.zone_name) as bin) as bins
     from sales_orders so left join sales_order_lines l on l.so_id = so.so_id and l.so_line_id = $2
     where so.so_id = $1`,
    [soId, soLineId],
  );
}
