import { text } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { Demo } from "./shapes.js";

/** The demo, where there is one, with how much is in its warehouses by now. */
export const demo = (): Promise<Demo | undefined> =>
  db.row(
    Demo,
    `select made_by, made_at, loaded_at is not null as is_loaded,
       array(select warehouse_code::text from warehouses where warehouse_id = any(warehouse_ids)
             order by warehouse_id) as warehouse_codes,
       (select count(*) from bins where warehouse_id = any(warehouse_ids)) as bins,
       (select count(*) from items where item_id = any(item_ids)) as items,
       (select coalesce(sum(quantity_on_hand), 0)::bigint from inventory
        where warehouse_id = any(warehouse_ids)) as units,
       (select count(*) from sales_orders where warehouse_id = any(warehouse_ids)) as sales_orders,
       (select count(*) from purchase_orders where warehouse_id = any(warehouse_ids)) as purchase_orders
     from demos`,
    [],
  );

/** The id of the demo whose loading was interrupted. */
export async function unfinishedDemo(): Promise<string | undefined> {
  return (await db.row({ demo_id: text }, "select demo_id from demos where loaded_at is null", []))?.demo_id;
}
