import { randomUUID } from "node:crypto";
import { createSalesOrder } from "../../../activities/sales-orders/create.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import { db } from "../db.js";
import { unique } from "../unique.js";

/** A small warehouse of its own for one sequence of operations, with goods in it, orders for them and more to come. */
export interface Site {
  warehouse_id: number;
  /** Staging, PickableStaging, then three Pickable ones in walk order. */
  bins: number[];
  items: { item_id: number; sku: string }[];
  po_id: number;
  /** What lies there from the beginning, by item. */
  units: { item_id: number; units: number }[];
}

/** The orders are made as any other is, so that they hold their units. */
export async function openSite(): Promise<Site> {
  const site = await openWarehouse();
  const { warehouse_id, items } = site;
  for (const left of items) {
    const lines = items.filter((item) => item !== left).map(({ item_id }) => ({ item_id, quantity_ordered: 2 }));
    await createSalesOrder({ so_number: `F-${unique()}`, warehouse_id, lines }, systemActor(randomUUID()));
  }
  return site;
}

/** One statement; names are unique by themselves. */
async function openWarehouse(): Promise<Site> {
  return (await db.row<Site>(
    `with w as (
       insert into warehouses (warehouse_code, warehouse_name) values ($1, $1) returning warehouse_id
     ), z as (
       insert into zones (warehouse_id, zone_code, zone_name, zone_type) select warehouse_id, $1, $1, 'STORAGE'
         from w returning zone_id
     ), b as (
       insert into bins (zone_id, warehouse_id, bin_code, bin_barcode, bin_type, pick_sequence)
       select zone_id, warehouse_id, $1 || place, $1 || place, type, place * 10
       from w, z, unnest(array['Staging', 'PickableStaging', 'Pickable', 'Pickable', 'Pickable']) with ordinality as
         t(type, place)
       returning bin_id, pick_sequence
     ), i as (
       insert into items (sku, item_name) select $1 || n, $1 || n from generate_series(1, 3) n returning item_id, sku
     ), p as (
       insert into purchase_orders (po_number, po_barcode, warehouse_id) select $1, $1, warehouse_id from w
         returning po_id
     ), l as (
       insert into purchase_order_lines (po_id, item_id, quantity_ordered, line_number)
       select po_id, item_id, 4, row_number() over (order by item_id) from p, i
     ), s as (
       insert into inventory (item_id, bin_id, warehouse_id, lot_number, quantity_on_hand)
       select item_id, bin_id, warehouse_id, case when pick_sequence = 30 then 'A' end, 6
       from w, i, b where pick_sequence in (30, 40) returning item_id, quantity_on_hand
     )
     select warehouse_id, po_id,
       (select array_agg(bin_id order by bin_id) from b) as bins,
       (select json_agg(json_build_object('item_id', item_id, 'sku', sku) order by item_id) from i) as items,
       (select json_agg(json_build_object('item_id', item_id, 'units', units) order by item_id)
        from (select item_id, sum(quantity_on_hand) as units from s group by item_id) u) as units
     from w, p`,
    [`F${unique()}-`],
  )) as Site;
}

export interface Stock {
  inventory_id: number;
  item_id: number;
  bin_id: number;
  lot: string | null;
  on_hand: number;
  allocated: number;
  /** Units that a picker did not find, until the bin is counted. */
  doubted: number;
  /** Units of it that pick tasks will take. */
  promised: number;
}

export interface SoLine {
  so_line_id: number;
  item_id: number;
  ordered: number;
  picked: number;
  packed: number;
  shipped: number;
  /** Standing reservations, by stock row. */
  reserved: { inventory_id: number; units: number }[];
  /** Somebody said that there was less. */
  short: boolean;
}

export interface SalesOrder {
  so_id: number;
  status: string;
  /** The active batch it is in. */
  batch_id: number | null;
  lines: SoLine[];
  parcels: Parcel[];
}

export interface Parcel {
  parcel_id: number;
  status: string;
  lines: { so_line_id: number; units: number }[];
}

export interface Batch {
  batch_id: number;
  /** Who picks it; null where it waits for somebody. */
  user_id: number | null;
  status: string;
}

export interface Task {
  pick_task_id: number;
  batch_id: number;
  inventory_id: number;
  item_id: number;
  bin_id: number;
  status: string;
  to_pick: number;
  picked: number;
}

export interface Count {
  count_id: number;
  bin_id: number;
  status: string;
  lines: { count_line_id: number; item_id: number; expected: number }[];
  /** What differs, and waits for somebody to decide. */
  pending: { item_id: number; change: number }[];
}

/** What the rows of a site say. Two views are equal when nothing has changed. */
export interface View {
  po: { status: string; lines: { item_id: number; ordered: number; received: number }[] };
  receipts: { receipt_id: number; item_id: number; bin_id: number; lot: string | null; quantity: number }[];
  stock: Stock[];
  orders: SalesOrder[];
  batches: Batch[];
  tasks: Task[];
  counts: Count[];
  /** How much was recorded in all: a row more is a change too. */
  records: number;
}

export async function viewOf({ warehouse_id, po_id }: Site): Promise<View> {
  return (await db.row<View>(
    `select
       (select json_build_object('status', status, 'lines', (
          select json_agg(json_build_object('item_id', item_id, 'ordered', quantity_ordered, 'received',
            quantity_received) order by po_line_id)
          from purchase_order_lines where po_id = $2)) from purchase_orders where po_id = $2) as po,
       (select coalesce(json_agg(json_build_object('receipt_id', receipt_id, 'item_id', item_id, 'bin_id', bin_id,
         'lot', lot_number,
          'quantity', quantity_received) order by receipt_id), '[]') from item_receipts where po_id = $2) as receipts,
       (select json_agg(json_build_object('inventory_id', inventory_id, 'item_id', item_id, 'bin_id', bin_id, 'lot',
         lot_number,
          'on_hand', quantity_on_hand, 'allocated', quantity_allocated, 'doubted', quantity_doubted, 'promised', (
            select coalesce(sum(quantity_to_pick), 0) from pick_tasks t where t.inventory_id = v.inventory_id
              and status = 'PENDING'))
          order by inventory_id) from inventory v where warehouse_id = $1) as stock,
       (select coalesce(json_agg(json_build_object('so_id', so_id, 'status', status,
          'batch_id', (select batch_id from pick_batch_orders b where b.so_id = o.so_id and active),
          'lines', (select json_agg(json_build_object('so_line_id', so_line_id, 'item_id', item_id, 'ordered',
            quantity_ordered,
            'picked', quantity_picked, 'packed', quantity_packed, 'shipped', quantity_shipped,
            'reserved', (select coalesce(json_agg(json_build_object('inventory_id', inventory_id, 'units', quantity)
                           order by inventory_id), '[]')
                         from stock_reservations r where r.so_line_id = l.so_line_id),
            'short', exists (select from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
                             where w.so_line_id = l.so_line_id and t.status = 'SHORT'
                               and w.quantity_picked < w.quantity))
            order by so_line_id) from sales_order_lines l where l.so_id = o.so_id),
          'parcels', (select coalesce(json_agg(json_build_object('parcel_id', parcel_id, 'status', p.status,
              'lines', (select coalesce(json_agg(json_build_object('so_line_id', so_line_id, 'units', quantity)
                          order by parcel_line_id), '[]') from parcel_lines l where l.parcel_id = p.parcel_id))
            order by parcel_id), '[]') from parcels p where p.so_id = o.so_id)) order by so_id), '[]')
        from sales_orders o where warehouse_id = $1) as orders,
       (select coalesce(json_agg(json_build_object('batch_id', batch_id, 'user_id', assigned_user_id, 'status', status)
         order by batch_id), '[]')
        from pick_batches where warehouse_id = $1) as batches,
       (select coalesce(json_agg(json_build_object('pick_task_id', pick_task_id, 'batch_id', batch_id, 'item_id',
         item_id, 'bin_id', bin_id, 'inventory_id', inventory_id,
          'status', t.status, 'to_pick', quantity_to_pick, 'picked', quantity_picked) order by pick_task_id), '[]')
        from pick_tasks t join pick_batches p using (batch_id) where p.warehouse_id = $1) as tasks,
       (select coalesce(json_agg(json_build_object('count_id', count_id, 'bin_id', bin_id, 'status', status,
          'lines', (select coalesce(json_agg(json_build_object('count_line_id', count_line_id, 'item_id', item_id,
            'expected', expected_quantity) order by count_line_id), '[]') from cycle_count_lines l
              where l.count_id = c.count_id),
          'pending', (select coalesce(json_agg(json_build_object('item_id', item_id, 'change', quantity_change)
            order by adjustment_id), '[]')
            from inventory_adjustments where cycle_count_id = c.count_id and status = 'PENDING'))
              order by count_id), '[]')
        from cycle_counts c where warehouse_id = $1) as counts,
       (select count(*) from audit_log where warehouse_id = $1) + (select count(*) from integration_events
         where warehouse_id = $1)
         + (select count(*) from bin_transfers where warehouse_id = $1) as records`,
    [warehouse_id, po_id],
  )) as View;
}
