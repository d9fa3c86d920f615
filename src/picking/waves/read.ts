import { z } from "zod";
import { int, text } from "../../platform/db/columns.js";
import { unprepared } from "../../platform/db/db.js";
import { IN_WAVE } from "../../sales-orders/open-work.js";
import { LineToPick } from "../plan.js";
import { LeftOutReason, MOST_ORDERS_PLANNED, type WaveToPlan } from "./shapes.js";

/** Reads the orders that a plan asks for. The best plan of the SQL depends on the filter. */

/** A line to pick, with what decides about the batch of its order. */
const PlannedLine = LineToPick.extend({
  priority: int,
  ship_by_date: text.nullable(),
  ship_method: text.nullable(),
  /** Of the units to pick, in ten-thousandths of a pound. */
  weight: int,
});
export type PlannedLine = z.infer<typeof PlannedLine>;

const LINES = "sales_order_lines l where l.so_id = so.so_id and l.quantity_ordered > l.quantity_picked";

/** SQL: the orders that the filter selects, and why one of them cannot be picked (null: it can). */
const MATCHING = `
  select so.so_id, case
      when so.status = 'WAITING_STOCK' then 'waiting_stock'
      when so.status = 'FRAUD_REVIEW' then 'in_review'
      when so.hold_reason is not null then 'held'
      when ${IN_WAVE} then 'in_batch'
      when not exists (select from ${LINES}) then 'nothing_to_pick'
    end as reason
  from sales_orders so
  where so.warehouse_id = :warehouse_id and so.status in ('OPEN', 'WAITING_STOCK', 'FRAUD_REVIEW')
    and so.order_type not in ('return', 'refund')
    and (:so_ids::int[] is null or so.so_id = any(:so_ids))
    and (:ship_by_until::date is null or so.ship_by_date <= :ship_by_until)
    and (:min_priority::int is null or so.priority >= :min_priority)
    and (:ship_method::text is null or lower(so.ship_method) = lower(:ship_method))
    and (:order_type::text is null or so.order_type = :order_type)
    and (:order_source::text is null or so.order_source = :order_source)
    and (:order_origin::text is null or so.order_origin = :order_origin)
    and (:customer_id::text is null or so.customer_id = :customer_id)
    and (:lines::text is null or (:lines = 'single') = ((select count(*) from ${LINES}) = 1))
    and (:has_lot::boolean is null or :has_lot = exists (
      select from sales_order_lines l join items i using (item_id)
      where l.so_id = so.so_id and i.lot_policy = 'required'))`;

const valuesOf = ({ warehouse_id, filter, so_ids }: WaveToPlan) => ({
  warehouse_id,
  so_ids: so_ids ?? null,
  ship_by_until: filter.ship_by_until ?? null,
  min_priority: filter.min_priority ?? null,
  ship_method: filter.ship_method ?? null,
  order_type: filter.order_type ?? null,
  order_source: filter.order_source ?? null,
  order_origin: filter.order_origin ?? null,
  customer_id: filter.customer_id ?? null,
  lines: filter.lines ?? null,
  has_lot: filter.has_lot ?? null,
});

/** The lines of the orders that may be picked, in the order in which orders get stock. */
export const linesToPlan = (asked: WaveToPlan): Promise<PlannedLine[]> =>
  unprepared(
    PlannedLine,
    `with asked as (
       select so_id from (${MATCHING}) matching join sales_orders so using (so_id) where reason is null
       order by so.priority desc, so.ship_by_date, so.created_at, so_id limit ${MOST_ORDERS_PLANNED}
     )
     select so_id, so_number, so_line_id, item_id, sku, item_name, quantity_ordered - quantity_picked as needed,
            so.min_days_at_shipping, so.priority, so.ship_by_date, so.ship_method,
            ((quantity_ordered - quantity_picked) * coalesce(weight_lbs, 0) * 10000)::int8 as weight
     from asked join sales_orders so using (so_id) join sales_order_lines using (so_id) join items using (item_id)
     where quantity_ordered > quantity_picked
     order by so.priority desc, so.ship_by_date, so.created_at, so_id, so_line_id`,
    valuesOf(asked),
  );

const Left = z.strictObject({ reason: LeftOutReason, orders: int });

/** How many orders the filter selects that are in no batch, by reason. */
export const leftOut = (asked: WaveToPlan): Promise<z.infer<typeof Left>[]> =>
  unprepared(
    Left,
    `with counted as (select reason, count(*) as orders from (${MATCHING}) matching group by reason)
     select coalesce(reason, 'too_many') as reason,
            case when reason is null then orders - ${MOST_ORDERS_PLANNED} else orders end as orders
     from counted where reason is not null or orders > ${MOST_ORDERS_PLANNED} order by 1`,
    valuesOf(asked),
  );
