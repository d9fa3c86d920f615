import { dayAt, dayBegins, fromDay, hourBegan, sharedZone, toDay, zoneOf } from "../platform/db/days.js";
import { db } from "../platform/db/db.js";
import { builder, codeOf } from "../platform/db/list.js";
import { listPage } from "../platform/db/listing.js";
import { type ActivityFilters, CounterSale, CounterSummary, counterSaleList } from "./activity-shapes.js";

/** Sales of tills (docs/interface.md, Tills). */

const LISTED = `
  so.so_id, so.so_number, so.status, so.order_type, so.order_date, so.customer_name, so.customer_phone,
  so.external_txn_ref, so.warehouse_id, cashier_id, terminal_id, total_cents, payment_method,
  booked_at as checkout_at, ${codeOf("so.warehouse_id")}`;

/** Sales and refunds at tills of these warehouses, the newest first. */
export function counterSales(filters: ActivityFilters, warehouses: number[] | null) {
  const { since, until, terminal_id, cashier_id, status, order_type } = filters;
  const query = builder("counter_bookings as b")
    .join("sales_orders as so", "so.so_id", "b.so_id")
    .select(builder.raw(LISTED))
    .orderBy([
      { column: "booked_at", order: "desc" },
      { column: "b.so_id", order: "desc" },
    ]);
  if (warehouses) query.whereIn("b.warehouse_id", warehouses);
  if (since) query.whereRaw(fromDay("booked_at", ":day", zoneOf("b.warehouse_id")), { day: since });
  if (until) query.whereRaw(toDay("booked_at", ":day", zoneOf("b.warehouse_id")), { day: until });
  if (terminal_id) query.where({ terminal_id });
  if (cashier_id) query.where({ cashier_id });
  if (status) query.where("so.status", status);
  if (order_type !== "all") query.where("so.order_type", order_type);
  return listPage(CounterSale, "sales_orders", query, filters, counterSaleList);
}

/** Sales are checkouts of every kind. The sums of a week are made in one pass. */
const SUMMARY = `
  with clock as materialized (
    select ${sharedZone("$1")} as zone
  ), booked as materialized (
    select so_id, booked_at, is_refund, booked_at >= s.day_ago as recent, coalesce(total_cents, 0) as cents,
      terminal_id, payment_method, tenders
    from (select now() - interval '24 hours' as day_ago,
            ${dayBegins(`${dayAt("now()", "zone")} - 6`, "zone")} as week_began
          from clock) s
    join counter_bookings on booked_at >= least(s.day_ago, s.week_began)
    where $1::int[] is null or warehouse_id = any($1)
  ), sold as (
    select * from booked where not is_refund
  )
  select (select zone from clock) as timezone,
    (select json_build_object(
       'sales_count', count(*) filter (where not is_refund),
       'sales_total_cents', coalesce(sum(cents) filter (where not is_refund), 0),
       'refund_count', count(*) filter (where is_refund),
       'refund_total_cents', coalesce(sum(cents) filter (where is_refund), 0)) from booked where recent) as today,
    (select coalesce(json_agg(distinct terminal_id order by terminal_id), '[]')
     from booked where recent and terminal_id is not null) as active_terminals,
    (select json_agg(json_build_object('hour', began, 'total_cents', cents, 'count', count) order by began)
     from (select began, coalesce(sum(cents), 0) as cents, count(cents)
           from clock,
             generate_series(${hourBegan("now() - interval '24 hours'", "zone")}, now(), interval '1 hour') began
           left join sold on recent and booked_at >= began and booked_at < began + interval '1 hour'
           group by began) as hours) as hourly,
    (select json_agg(json_build_object('date', day, 'total_cents', cents, 'count', count) order by day)
     from (select day, coalesce(sum(cents), 0) as cents, count(cents)
           from (select ${dayAt("now()", "zone")} - n as day, zone from clock, generate_series(0, 6) n) as days
           left join sold on ${dayAt("booked_at", "zone")} = day
           group by day) as days) as weekly,
    (select coalesce(json_agg(json_build_object('origin', order_origin, 'total_cents', cents, 'count', count)
              order by cents desc, order_origin), '[]')
     from (select order_origin, sum(sold.cents) as cents, count(*)
           from sold join sales_orders using (so_id) where recent
             group by order_origin) as origins) as by_origin,
    (select coalesce(json_agg(json_build_object('method', method, 'total_cents', cents, 'count', count)
              order by cents desc, method), '[]')
     from (select coalesce(tender->>'type', payment_method) as method, count(distinct so_id),
             sum(coalesce((tender->>'amount_cents')::bigint, cents)) as cents
           from sold left join jsonb_array_elements(tenders) as t(tender) on true
           where recent group by 1) as each_tender) as by_tender`;

/** The sums that tills of these warehouses took and paid back. One round trip. */
export async function counterSummary(warehouses: number[] | null): Promise<CounterSummary> {
  return (await db.row(CounterSummary, SUMMARY, [warehouses])) as CounterSummary;
}
