import { randomUUID } from "node:crypto";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";
import { exampleAsking } from "./matrix/asking.js";
import type { Entry } from "./matrix/id-names.js";
import type { Things } from "./matrix/things.js";

/** The path of a list that belongs to one of these things, or to all, with a query. */
export function pathOf(entry: Entry, things: Things, query: string): string {
  const asking = exampleAsking(entry, things);
  const path = entry.route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(asking.path[name])));
  const needed = new URLSearchParams(asking.query as Record<string, string>);
  return `${path}?${[needed.toString(), query].filter(Boolean).join("&")}`;
}

/** Rows for the lists that show something else, and texts that are hard on files. */
export async function listed({ warehouse, bin, channel, order, notificationWebhook, webhook }: Things): Promise<void> {
  const [warehouse_id, from_bin] = [warehouse[0] as number, bin[0] as number];
  const [away, till] = [await fixtures.warehouse(), randomUUID()];
  const to_bin = await fixtures.bin(away);
  const { item_id } = await fixtures.item();
  const [names, values] = [`array['b', 'c', 'a']`, `array['=1+1', '+49 30 1', '-7', '@a', 'a "b",\r\nc', 'é']`];
  await Promise.all([
    db.run(`insert into items (sku, item_name, upc) select $1 || n, n, n from unnest(${values}) n`, [till]),
    db.run(
      `insert into lots (item_id, lot_number, notes, created_at)
       select $1, n, n, now() - place * interval '1.5 seconds' from unnest(${values}) with ordinality t (n, place)`,
      [item_id],
    ),
    db.run(
      `insert into serials (item_id, serial_number, state, warehouse_id, created_at)
       select $1, n, 'IN_STOCK', $2, now() - place * interval '1.5 seconds'
       from unnest(${values}) with ordinality t (n, place)`,
      [item_id, warehouse_id],
    ),
    db.run(
      `insert into saved_views (user_id, list, view_name, parameters, is_shared, created_at)
       select (select min(user_id) from users), 'orders', n, n, true, now() - place * interval '1.5 seconds'
       from unnest(${values}) with ordinality t (n, place) on conflict do nothing`,
    ),
    db.run(`insert into vendors (vendor_name, email) select n, nullif(n, 'a') from unnest(${names}) n`),
    db.run(
      `insert into channel_items (channel_id, item_id, sku, available, version, in_scope, parked, attempts, last_error)
       select $1, item_id, sku, item_id % 3, 1, true, true, 8, item_name from items
       on conflict (channel_id, sku) do update set parked = true, due_at = null, last_error = excluded.last_error`,
      channel,
    ),
    db.run(
      `insert into connector_credentials (connector_name, warehouse_id, credential_key, encrypted_value, updated_at)
       select 'example', $1, n, 'sealed', now() - place * interval '1.5 seconds'
       from unnest(${names}) with ordinality t (n, place)`,
      warehouse,
    ),
    db.run(
      `insert into bin_transfers (item_id, from_bin_id, to_bin_id, warehouse_id, quantity, transfer_type, reason)
       select $1, $2, $3, $4, place, 'INTER_WAREHOUSE', n from unnest(${values}) with ordinality t (n, place)`,
      [item_id, from_bin, to_bin, warehouse_id],
    ),
    db.run(
      `insert into item_fulfillments (so_id, warehouse_id, tracking_number, carrier, ship_method, shipped_by,
                                      shipped_at)
       select $1, $2, n, n, nullif(n, 'a'), n, now() - place * interval '1.5 seconds'
       from unnest(${values}) with ordinality t (n, place)`,
      [order[0], warehouse_id],
    ),
    db.run(
      `insert into boxes (box_code, box_name, length_in, width_in, height_in, max_weight_lbs, created_at)
       select n, n, place, 1, 1, nullif(place, 2), now() - place * interval '1.5 seconds'
       from unnest(${values}) with ordinality t (n, place) on conflict do nothing`,
    ),
    db.run(
      `insert into parcels (so_id, warehouse_id, parcel_number, tracking_number, carrier, created_at)
       select $1, $2, 10 + place, n, nullif(n, '-7'), now() - place * interval '1.5 seconds'
       from unnest(${values}) with ordinality t (n, place)`,
      [order[0], warehouse_id],
    ),
    db.run(
      `insert into item_receipts (so_id, item_id, quantity_received, bin_id, warehouse_id, received_by, received_at,
                                  notes)
       select $1, $2, place, $3, $4, n, now() - place * interval '1.5 seconds', nullif(n, '-7')
       from unnest(${values}) with ordinality t (n, place)`,
      [order[0], item_id, from_bin, warehouse_id],
    ),
    db.run(
      `insert into notifications (webhook_id, event_type, facts, occurred_at, status, attempts, error_kind,
                                  error_detail, completed_at)
       select $1, 'backorder.' || type, '{}', now() - place * interval '1.5 seconds', 'dlq', place,
         nullif(type, 'opened'), n, now()
       from unnest(${values}, '{opened,fulfillable,cancelled}'::text[]) with ordinality t (n, type, place)
       where type is not null`,
      notificationWebhook,
    ),
    db.run(
      `insert into webhook_deliveries (subscription_id, event_id, attempt_number, status, attempted_at, completed_at)
       select $1, 1, place, status, case when status <> 'pending' then now() end,
              case when status not in ('pending', 'in_flight') then now() - place * interval '1.5 seconds' end
       from unnest(array['succeeded', 'pending', 'in_flight', 'failed']) with ordinality t (status, place)`,
      webhook,
    ),
    db.run(
      `with sold as (
         insert into sales_orders (so_number, status, warehouse_id, order_source, order_date)
         select $1 || n, 'SHIPPED', $2, 'pos', nullif(current_date, current_date - ascii(n) % 2)
         from unnest(${names}) n
         returning so_id, so_number)
       insert into counter_bookings (so_id, is_refund, cashier_id, warehouse_id, terminal_id, total_cents)
       select so_id, false, nullif(right(so_number, 1), 'a'), $2, 'T', so_id from sold`,
      [till, warehouse_id],
    ),
    db.run(
      // The first is number 1, as the example of a path has it.
      `insert into recalls (recall_id, reason, opened_by, opened_at, closed_by, closed_at)
       select case when place = 1 and not exists (select from recalls) then 1
                else nextval(pg_get_serial_sequence('recalls', 'recall_id')) end,
              n, n, now() - place * interval '1.5 seconds', nullif(n, '-7'), case when n <> '-7' then now() end
       from unnest(${values}) with ordinality t (n, place)`,
    ),
  ]);
  await recalled(till);
}

/** The first recall is of a lot that orders of a till have. */
async function recalled(till: string): Promise<void> {
  await db.run(
    `insert into recall_lots (recall_id, lot_id) select min(recall_id), (select min(lot_id) from lots) from recalls
     on conflict do nothing`,
  );
  await db.run(
    `insert into counter_sale_units (so_id, place, item_id, warehouse_code, bin_code, lot_number, quantity)
     select so_id, 9, item_id, 'W', 'B', lot_number, 1
     from sales_orders, lots where so_number like $1 || '%' and lot_id = (select min(lot_id) from recall_lots)`,
    [till],
  );
}
