import type { z } from "zod";
import { dayAt, dayBegins, hourBegan, zoneOfJoined } from "../../platform/db/days.js";
import { db } from "../../platform/db/db.js";
import { codeOf } from "../../platform/db/list.js";
import { OPEN_WORK, UNFINISHED } from "../../sales-orders/open-work.js";
import { DayAtAGlance, HourOfWork } from "./shapes.js";
import { workedIn } from "./worked-in.js";

const Orders = DayAtAGlance.pick({
  late: true,
  late_orders: true,
  held: true,
  held_by_shop: true,
  waiting: true,
  short: true,
  due_today: true,
  due_shipped: true,
});
type Orders = z.infer<typeof Orders>;

/** The work of a day in this time zone, hour by hour, and the orders that need a person now. */
export async function dayAtAGlance(
  day: string,
  timezone: string,
  warehouses: number[] | null,
): Promise<Pick<DayAtAGlance, "hours" | keyof Orders>> {
  const [hours, orders] = await Promise.all([hoursOf(day, timezone, warehouses), urgentOrders(warehouses)]);
  return { hours, ...orders };
}

/**
 * Counted in the index `audit_log_action` alone. An order that was packed or shipped again, after a void, is one order,
 * in the hour of the last time. A day has as many hours as its clock showed; some zones change by half an hour.
 */
function hoursOf(day: string, timezone: string, warehouses: number[] | null): Promise<HourOfWork[]> {
  const of = (action: string) => `count(log.action_type) filter (where log.action_type = '${action}')`;
  const rows = (actions: string) => `
    audit_log where action_type in (${actions})
      and created_at >= ${dayBegins("$1", "$3::text")} and created_at < ${dayBegins("$1::date + 1", "$3::text")}
      and ${workedIn("$2")}`;
  return db.rows(
    HourOfWork,
    `with log as materialized (
       select ${hourBegan("created_at", "$3::text")} as hour, action_type from ${rows("'RECEIVE', 'PUTAWAY', 'PICK'")}
       union all
       select ${hourBegan("max(created_at)", "$3::text")}, action_type from ${rows("'PACK', 'SHIP'")}
       group by action_type, entity_id, warehouse_id
     )
     select at, ${of("RECEIVE")} as received, ${of("PUTAWAY")} as put_away, ${of("PICK")} as picked,
       ${of("PACK")} as packed, ${of("SHIP")} as shipped
     from (
       select distinct ${hourBegan("half", "$3::text")} as at
       from generate_series(${dayBegins("$1", "$3::text")},
         ${dayBegins("$1::date + 1", "$3::text")} - interval '1 microsecond', interval '30 minutes') as halves(half)
     ) as hours
     left join log on log.hour = at group by at order by at`,
    [day, warehouses, timezone],
  );
}

/**
 * Orders that should have left before today or leave today, by the clock of each one's warehouse, those that are held
 * for review or because of their shop, those that wait for stock, and those that were picked short.
 */
async function urgentOrders(warehouses: number[] | null): Promise<Orders> {
  const ours = "($1::int[] is null or warehouse_id = any($1))";
  const orders = await db.row(
    Orders,
    `select late.*,
       (select count(*) from sales_orders where status = 'FRAUD_REVIEW' and ${ours}) as held,
       (select count(*) from sales_orders where hold_reason is not null and ${ours}) as held_by_shop,
       (select count(*) from sales_orders where status = 'WAITING_STOCK' and ${ours}) as waiting,
       (select count(*) from sales_orders so where so.${UNFINISHED} and ${ours} and ${OPEN_WORK.short}) as short,
       (select count(*) from sales_orders so where ${UNFINISHED} and ${ours} and ${OPEN_WORK.due_today}) as due_today,
       (select count(distinct f.so_id)
        from item_fulfillments f join sales_orders so using (so_id) join warehouses w on w.warehouse_id = f.warehouse_id
          cross join lateral (select ${dayAt("now()", zoneOfJoined("w.timezone"))} as day) today
        where f.shipped_at > now() - interval '26 hours' and f.status = 'SHIPPED'
          and so.status not in ('PICKED', 'PACKED')
          and ($1::int[] is null or f.warehouse_id = any($1))
          and ${dayAt("f.shipped_at", zoneOfJoined("w.timezone"))} = today.day and so.ship_by_date <= today.day)
         as due_shipped
     from (
       select count(*) as late,
         coalesce(json_agg(json_build_object('so_id', so_id, 'so_number', so_number, 'customer_name', customer_name,
           'status', status, 'ship_by_date', ship_by_date,
           'warehouse_id', warehouse_id, 'warehouse_code', warehouse_code)
           order by place) filter (where place <= 10), '[]')
           as late_orders
       from (
         select so_id, so_number, customer_name, status, ship_by_date, warehouse_id, ${codeOf("so.warehouse_id")},
           row_number() over (order by ship_by_date, so_id) as place
         from sales_orders so
         where ${UNFINISHED} and ${ours} and ${OPEN_WORK.late}
       ) as overdue
     ) as late`,
    [warehouses],
  );
  return orders as Orders;
}
