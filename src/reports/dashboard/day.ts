import { companyDay, dayBegins, hourBegan } from "../../db/days.js";
import { db } from "../../db/db.js";
import type { DayAtAGlance, HourOfWork } from "./shapes.js";
import { UNFINISHED } from "./unfinished.js";

type Orders = Pick<DayAtAGlance, "late" | "late_orders" | "held" | "waiting">;

/** What was done in a day of the company, hour by hour, and the orders that need somebody now. */
export async function dayAtAGlance(
  day: string,
  warehouses: number[] | null,
): Promise<Omit<DayAtAGlance, "day" | "warehouse_id">> {
  const [hours, orders] = await Promise.all([hoursOf(day, warehouses), urgentOrders(warehouses)]);
  return { hours, ...orders };
}

/** Counted in the index `audit_log_action` alone. A day has as many hours as the clocks gave it. */
function hoursOf(day: string, warehouses: number[] | null): Promise<HourOfWork[]> {
  const of = (action: string) => `count(log.action_type) filter (where log.action_type = '${action}')`;
  return db.rows<HourOfWork>(
    `with log as materialized (
       select ${hourBegan("created_at")} as hour, action_type from audit_log
       where action_type in ('RECEIVE', 'PUTAWAY', 'PICK', 'PACK', 'SHIP')
         and created_at >= ${dayBegins("$1")} and created_at < ${dayBegins("$1::date + 1")}
         and ($2::int[] is null or warehouse_id = any($2))
     )
     select at, ${of("RECEIVE")} as received, ${of("PUTAWAY")} as put_away, ${of("PICK")} as picked,
       ${of("PACK")} as packed, ${of("SHIP")} as shipped
     from generate_series(${hourBegan(dayBegins("$1"))}, ${dayBegins("$1::date + 1")} - interval '1 microsecond',
       interval '1 hour') as hours(at)
     left join log on log.hour = at group by at order by at`,
    [day, warehouses],
  );
}

/** Orders that should have left before today, those that are held for review, and those that wait for stock. */
async function urgentOrders(warehouses: number[] | null): Promise<Orders> {
  const ours = "($1::int[] is null or warehouse_id = any($1))";
  const orders = await db.row<Orders>(
    `select late.*,
       (select count(*) from sales_orders where status = 'FRAUD_REVIEW' and ${ours}) as held,
       (select count(*) from sales_orders where status = 'WAITING_STOCK' and ${ours}) as waiting
     from (
       select count(*) as late,
         coalesce(json_agg(json_build_object('so_id', so_id, 'so_number', so_number, 'customer_name', customer_name,
           'status', status, 'ship_by_date', ship_by_date) order by place) filter (where place <= 10), '[]')
           as late_orders
       from (
         select so_id, so_number, customer_name, status, ship_by_date,
           row_number() over (order by ship_by_date, so_id) as place
         from sales_orders
         where ${UNFINISHED} and ${ours} and ship_by_date < ${companyDay("now()")}
       ) as overdue
     ) as late`,
    [warehouses],
  );
  return orders as Orders;
}
