import { type FloorFunction, floorFunctions } from "../../auth/rights.js";
import { UNFINISHED as TO_CARRY } from "../../picking/replenishment/queries.js";
import { db } from "../../platform/db/db.js";
import { LACKS, OPEN_WORK, TO_PICK, UNFINISHED } from "../../sales-orders/open-work.js";
import { TO_PUT_AWAY } from "../../stock/queries.js";
import { TO_APPROVE } from "../../transfers/queries.js";
import { FloorWork, MOST_LOOKED_AT, MOST_NAMED } from "./shapes.js";

/** The most urgent first. */
const URGENT = "rank desc, due nulls last, since, id";
const NOTHING = `json_build_object('total', 0, 'next', '[]'::json)`;

/** SQL of the first $3 of the rows `w`, each with its place. */
const named = (units: string) => `coalesce(
  json_agg(json_build_object('id', id, 'number', number, 'name', name, 'units', (${units}), 'due', due, 'since', since)
           order by place) filter (where place <= $3), '[]')`;
/** SQL of rows as `w`, each with its place. */
const placed = (rows: string) => `(select w.*, row_number() over (order by ${URGENT}) as place from ${rows} w) w`;

/**
 * The waiting work, most urgent first, unless the caller $2 has none of these functions and asks for his own alone.
 * `rows` gives each a rank (higher goes first), a day and a time; `units` is counted only for the listed ones. What is
 * told `more`, may be from tables that come `first`.
 */
const waiting = (functions: FloorFunction[], rows: string, units: string, { first = "", more = "" } = {}) => `(
  case when functions && '{${functions}}' then (
    ${first}
    select json_build_object('total', count(*), 'next', ${named(units)}${more}) from ${placed(`(${rows})`)})
  else ${NOTHING} end)`;

const orderRows = (condition: string, columns = "") => `
  select so_id as id, so_number as number, customer_name as name, priority as rank, ship_by_date as due,
    created_at as since${columns}
  from sales_orders so where ${UNFINISHED} and warehouse_id = $1 and ${condition}`;
const UNITS_OF_ORDER = `
  select coalesce(sum(quantity_ordered - quantity_shipped), 0) from sales_order_lines l where l.so_id = w.id`;

const orders = (needed: FloorFunction, condition: string, more?: { first: string; more: string }) =>
  waiting([needed], orderRows(condition), UNITS_OF_ORDER, more);

/** Of the most urgent orders to pick, those that lack nothing. */
const COVERED = {
  first: `with covered as (
    select so.* from (${orderRows(TO_PICK, ", so_id, warehouse_id, min_days_at_shipping")}
                      order by ${URGENT} limit ${MOST_LOOKED_AT}) so
    where not ${LACKS})`,
  more: `, 'looked_at', least(count(*), ${MOST_LOOKED_AT}), 'covered', (select count(*) from covered),
    'ready', (select ${named(UNITS_OF_ORDER)} from ${placed("covered")})`,
};

const batches = (condition: string) =>
  waiting(
    ["pick"],
    `select batch_id as id, batch_number as number, assigned_to as name, 0 as rank,
       (select min(ship_by_date) from pick_batch_orders o join sales_orders using (so_id)
        where o.batch_id = p.batch_id) as due,
       created_at as since, total_items as units
     from pick_batches p where warehouse_id = $1 and status in ('OPEN', 'IN_PROGRESS') and ${condition}`,
    "w.units",
  );

/** The work of a warehouse, of each function the `limit` most urgent rows. One round trip. */
export async function floorWork(
  warehouseId: number,
  { limit = MOST_NAMED, mineOf = null }: { limit?: number; mineOf?: number | null },
): Promise<FloorWork> {
  const work = await db.row(
    FloorWork,
    `select $1::int as warehouse_id,
       ${waiting(
         ["receive"],
         `select po_id as id, po_number as number, vendor_name as name, 0 as rank, expected_date as due,
            created_at as since
          from purchase_orders p where status in ('OPEN', 'PARTIAL') and warehouse_id = $1 and exists (
            select from purchase_order_lines l where l.po_id = p.po_id and quantity_received < quantity_ordered)`,
         `select sum(greatest(0, quantity_ordered - quantity_received)) from purchase_order_lines l
          where l.po_id = w.id`,
       )} as receive,
       ${waiting(
         ["putaway"],
         `select inventory_id as id, sku as number, item_name as name, 0 as rank, null::date as due,
            v.updated_at as since, quantity_on_hand as units
          from bins b join inventory v using (bin_id) join items using (item_id)
          where b.warehouse_id = $1 and ${TO_PUT_AWAY}`,
         "w.units",
       )} as putaway,
       ${waiting(
         ["putaway"],
         `select replenishment_id as id, sku as number, item_name as name, is_urgent::int as rank, null::date as due,
            r.created_at as since, quantity - quantity_done as units
          from replenishments r join items using (item_id)
          where r.warehouse_id = $1 and r.${TO_CARRY}`,
         "w.units",
       )} as replenish,
       ${orders("pick", TO_PICK, COVERED)} as pick,
       ${batches("kind = 'SO' and status = 'OPEN' and assigned_to is null")} as wave,
       ${batches("assigned_to is not null")} as walk,
       ${orders("pack", OPEN_WORK.ready_to_pack)} as pack,
       ${orders("ship", OPEN_WORK.ready_to_ship)} as ship,
       ${waiting(
         ["count"],
         `select count_id as id, bin_code as number, assigned_to as name, 0 as rank, null::date as due,
            c.created_at as since
          from cycle_counts c join bins using (bin_id)
          where c.warehouse_id = $1 and c.status in ('PENDING', 'IN_PROGRESS')`,
         "select count(*) from cycle_count_lines l where l.count_id = w.id",
       )} as count,
       ${waiting(
         ["pick"],
         `select to_id as id, to_number as number, warehouse_name as name, 0 as rank, null::date as due,
            t.created_at as since
          from transfer_orders t join warehouses d on d.warehouse_id = destination_warehouse_id
          where t.status in ('OPEN', 'PARTIALLY_PICKED') and source_warehouse_id = $1`,
         `select coalesce(sum(committed_qty - picked_qty), 0) from transfer_order_lines l
          where l.to_id = w.id and status in ('PENDING', 'PARTIALLY_PICKED')`,
       )} as transfer,
       ${waiting(
         ["transfer"],
         `select to_id as id, to_number as number, warehouse_name as name, 0 as rank, null::date as due,
            (select min(submitted_at) from transfer_order_approvals a
             where a.to_id = t.to_id and a.status = 'PENDING') as since
          from transfer_orders t join warehouses s on s.warehouse_id = source_warehouse_id
          where ${TO_APPROVE} and destination_warehouse_id = $1`,
         `select coalesce(sum(quantity), 0)
          from transfer_order_approvals a join to_approval_lines x using (to_approval_id)
          where a.to_id = w.id and a.status = 'PENDING'`,
       )} as transfer_in
     from (
       select case when $2::int is null then '{${floorFunctions}}'::text[] else (
         select case role when 'ADMIN' then '{${floorFunctions}}'::text[] else allowed_functions::text[] end
         from users where user_id = $2) end as functions) as caller`,
    [warehouseId, mineOf, limit],
  );
  return work as FloorWork;
}
