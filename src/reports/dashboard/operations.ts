import { dayAt, dayBegins, zoneOf } from "../../platform/db/days.js";
import { db } from "../../platform/db/db.js";
import { codeOf } from "../../platform/db/list.js";
import { UNFINISHED } from "../../sales-orders/open-work.js";
import { setting } from "../../system/settings/queries.js";
import { type DayRange, OriginHealth, ReceivedOrder } from "./shapes.js";

/** The operations views of a warehouse (docs/interface.md, Dashboards), by its clock. */
const ZONE = zoneOf("$1");
const NAMED_ZONE = zoneOf(":warehouseId");

/** The purchase orders with receipts in a range of days, the latest first. Cancelled receipts do not count. */
export function receivedOrders(warehouseId: number, { start, end }: DayRange): Promise<ReceivedOrder[]> {
  return db.rows(
    ReceivedOrder,
    `select po_id, po_number, vendor_name, status, units_received, lines_received, receive_events, receivers,
      last_received_at
     from (
       select po_id, sum(quantity_received) as units_received, count(distinct item_id) as lines_received,
         count(*) as receive_events, max(received_at) as last_received_at,
         coalesce(array_agg(distinct received_by::text) filter (where received_by is not null), '{}') as receivers
       from item_receipts
       where warehouse_id = $1 and po_id is not null
         and received_at >= ${dayBegins("$2", ZONE)} and received_at < ${dayBegins("$3::date + 1", ZONE)}
       group by po_id
     ) as receipts join purchase_orders using (po_id)
     order by last_received_at desc, po_id desc`,
    [warehouseId, start, end],
  );
}

const NO_RETURN = "order_origin is not null and order_type not in ('return', 'refund')";

/**
 * For each origin of the setting `dashboard_bubble_origins`: how many orders were created and shipped in a range of
 * days, and how many have to be shipped today, whatever the range; of those, the 200 most urgent ones.
 */
export async function shippingHealth(warehouseId: number, { start, end }: DayRange): Promise<OriginHealth[]> {
  const origins = originsIn(await setting(db, "dashboard_bubble_origins"));
  if (origins.length === 0) return [];
  return db.rows(
    OriginHealth,
    `select o.origin as order_origin, o.label, received.count as orders_received, shipped.count as orders_shipped,
       due.count as need_to_ship_today, due.orders
     from unnest(:origins::text[], :labels::text[]) as o(origin, label)
     cross join lateral (
       select count(*) from sales_orders
       where ${NO_RETURN} and warehouse_id = :warehouseId and order_origin = o.origin
         and created_at >= ${dayBegins(":start", NAMED_ZONE)}
         and created_at < ${dayBegins(":end::date + 1", NAMED_ZONE)}) as received
     cross join lateral (
       select count(*) from sales_orders
       where ${NO_RETURN} and shipped_at is not null and warehouse_id = :warehouseId and order_origin = o.origin
         and shipped_at >= ${dayBegins(":start", NAMED_ZONE)}
         and shipped_at < ${dayBegins(":end::date + 1", NAMED_ZONE)}) as shipped
     cross join lateral (
       select count(*),
         coalesce(json_agg(json_build_object('so_id', so_id, 'so_number', so_number, 'customer_name', customer_name,
           'status', status, 'ship_by_date', ship_by_date,
           'warehouse_id', warehouse_id, 'warehouse_code', warehouse_code)
           order by place) filter (where place <= 200), '[]') as orders
       from (
         select so_id, so_number, customer_name, status, ship_by_date, warehouse_id, ${codeOf("so.warehouse_id")},
           row_number() over (order by ship_by_date, so_id) as place
         from sales_orders so
         where ${UNFINISHED} and warehouse_id = :warehouseId and order_origin = o.origin
           and ship_by_date <= ${dayAt("now()", NAMED_ZONE)}
       ) as urgent) as due
     order by o.origin`,
    { warehouseId, start, end, origins: origins.map(([origin]) => origin), labels: origins.map(([, label]) => label) },
  );
}

/**
 * The origins of the setting, a JSON array of `{ origin, label }`, each once; none where it is unset or cannot be read.
 */
function originsIn(text = ""): [origin: string, label: string][] {
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(entries)) return [];
  const named = entries.filter(
    (entry): entry is { origin: string; label: unknown } => typeof entry?.origin === "string",
  );
  return [...new Map(named.map(({ origin, label }) => [origin, String(label ?? origin)]))];
}
