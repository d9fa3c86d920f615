import { db } from "../../platform/db/db.js";
import { OPEN_WORK, TO_PICK, UNFINISHED } from "../../sales-orders/open-work.js";
import { STAGING } from "../../stock/queries.js";
import { FloorWork, MOST_NAMED } from "./shapes.js";

/**
 * The waiting work, most urgent first. `rows` gives each a rank (higher goes first), a day and a time; `units` is
 * counted only for the listed ones.
 */
const waiting = (rows: string, units: string) => `(
  select json_build_object('total', count(*), 'next', coalesce(
      json_agg(json_build_object('id', id, 'number', number, 'name', name, 'units', (${units}), 'due', due,
                                 'since', since) order by place) filter (where place <= ${MOST_NAMED}), '[]'))
  from (select w.*, row_number() over (order by rank desc, due nulls last, since, id) as place
        from (${rows}) w) w)`;

const orders = (condition: string) =>
  waiting(
    `select so_id as id, so_number as number, customer_name as name, priority as rank, ship_by_date as due,
       created_at as since
     from sales_orders so where ${UNFINISHED} and warehouse_id = $1 and ${condition}`,
    `select coalesce(sum(quantity_ordered - quantity_shipped), 0) from sales_order_lines l where l.so_id = w.id`,
  );

/** The work of a warehouse. One round trip. */
export async function floorWork(warehouseId: number): Promise<FloorWork> {
  const work = await db.row(
    FloorWork,
    `select $1::int as warehouse_id,
       ${waiting(
         `select po_id as id, po_number as number, vendor_name as name, 0 as rank, expected_date as due,
            created_at as since
          from purchase_orders p where status in ('OPEN', 'PARTIAL') and warehouse_id = $1 and exists (
            select from purchase_order_lines l where l.po_id = p.po_id and quantity_received < quantity_ordered)`,
         `select sum(greatest(0, quantity_ordered - quantity_received)) from purchase_order_lines l
          where l.po_id = w.id`,
       )} as receive,
       ${waiting(
         `select inventory_id as id, sku as number, item_name as name, 0 as rank, null::date as due,
            v.updated_at as since, quantity_on_hand as units
          from bins b join inventory v using (bin_id) join items using (item_id)
          where b.warehouse_id = $1 and ${STAGING} and quantity_on_hand > 0`,
         "w.units",
       )} as putaway,
       ${orders(TO_PICK)} as pick,
       ${orders(OPEN_WORK.ready_to_pack)} as pack,
       ${orders(OPEN_WORK.ready_to_ship)} as ship,
       ${waiting(
         `select count_id as id, bin_code as number, assigned_to as name, 0 as rank, null::date as due,
            c.created_at as since
          from cycle_counts c join bins using (bin_id)
          where c.warehouse_id = $1 and c.status in ('PENDING', 'IN_PROGRESS')`,
         "select count(*) from cycle_count_lines l where l.count_id = w.id",
       )} as count,
       ${waiting(
         `select to_id as id, to_number as number, warehouse_name as name, 0 as rank, null::date as due,
            t.created_at as since
          from transfer_orders t join warehouses d on d.warehouse_id = destination_warehouse_id
          where t.status in ('OPEN', 'PARTIALLY_PICKED') and source_warehouse_id = $1`,
         `select coalesce(sum(committed_qty - picked_qty), 0) from transfer_order_lines l
          where l.to_id = w.id and status in ('PENDING', 'PARTIALLY_PICKED')`,
       )} as transfer`,
    [warehouseId],
  );
  return work as FloorWork;
}
