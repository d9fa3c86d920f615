import { ordersOf } from "../../../src/recalls/units.js";

/**
 * Orders that leave once they ended, and what belongs to them alone. In SQL `:ids` are orders, `:batches` the batches
 * that picked them, and `:before` is the end of a month.
 */
export interface OrderKind {
  table: "sales_orders" | "purchase_orders" | "transfer_orders";
  key: "so_id" | "po_id" | "to_id";
  /** SQL: the statuses in which an order may have ended. */
  ended: string;
  /**
   * SQL for `id`: those among `:ids`, and the orders that they are related to, that ended before the month did, as did
   * all that they are related to.
   */
  leaving: string;
  /** SQL: the batches that picked the orders. */
  batches: string;
  /** SQL: runs before anything leaves. */
  first?: string;
  /** In this order, so that no row refers to one that is gone. */
  parts: Part[];
  /** What is kept of each order in `retired_orders`. */
  kept?: { kind: "sales_order" | "purchase_order"; number: "so_number" | "po_number" };
}

/** A table whose rows leave with their orders; `t` in SQL. */
interface Part {
  name: string;
  /** The id of a row, or of its order: so no two files of a table have the same last one. */
  no: string;
  which: string;
  /** What a row is reduced to that stays because somebody may ask for it again; the file has all of it. */
  stays?: string;
}

/** A push of the same version is answered as it was before, and knows by the link that the record is here no more. */
const pushes = (table: string, orders: string, key: string): Part => ({
  ...{ name: table, no: "inbound_id", stays: "canonical_payload = '{}', source_payload = null" },
  which: `t.canonical_id in (select external_id from ${orders} where ${key} = any(:ids))`,
});

const TASKS: Part = {
  ...{ name: "pick_tasks", no: "pick_task_id" },
  which: `t.batch_id = any(:batches)
    and not exists (select from wave_pick_breakdown w where w.pick_task_id = t.pick_task_id)`,
};
const BATCHES: Part = {
  ...{ name: "pick_batches", no: "batch_id" },
  which: `t.batch_id = any(:batches)
    and not exists (select from pick_batch_orders o where o.batch_id = t.batch_id)
    and not exists (select from pick_tasks p where p.batch_id = t.batch_id)`,
};
const LEASES: Part = { ...BATCHES, name: "pick_leases" };
const OF_ORDER = "t.so_id = any(:ids)";

const SALES_ENDED = "(status in ('SHIPPED', 'CANCELLED', 'REFUNDED', 'RECEIVED') or voided_at is not null)";
const salesOrders: OrderKind = {
  ...{ table: "sales_orders", key: "so_id", kept: { kind: "sales_order", number: "so_number" } },
  ended: SALES_ENDED,
  leaving: `
    with recursive family as (
      select id as root, id as so_id from unnest(:ids::int[]) id
      union
      select root, related.so_id from family f cross join lateral (
        select parent_so_id as so_id from sales_orders where so_id = f.so_id and parent_so_id is not null
        union all select refund_so_id from sales_orders where so_id = f.so_id and refund_so_id is not null
        union all select so_id from sales_orders where parent_so_id = f.so_id
        union all select so_id from sales_orders where refund_so_id = f.so_id) related
    )
    select distinct so_id as id from family where root not in (
      select root from family join sales_orders so using (so_id)
      where updated_at >= :before or hold_reason is not null or not ${SALES_ENDED}
        or exists (select from pick_batch_orders b where b.so_id = so.so_id and b.active)
        or exists (select from stock_reservations join sales_order_lines l using (so_line_id) where l.so_id = so.so_id)
        or exists (select from fulfillment_pushes p where p.so_id = so.so_id and p.status = 'pending')
        or exists (select from label_purchases l join parcels p using (parcel_id)
                   where p.so_id = so.so_id and l.status in ('pending', 'voiding'))
        or so_id in (
          select recalled.so_id from recalls r cross join lateral (${ordersOf("r.recall_id")}) recalled
          where closed_at is null))`,
  batches: `
    select batch_id from pick_batch_orders where so_id = any(:ids)
    union select batch_id from pick_tasks where so_id = any(:ids)
    union select batch_id from wave_pick_breakdown w join pick_tasks using (pick_task_id) where w.so_id = any(:ids)`,
  // A task that served other orders too is from now on theirs alone.
  first: `
    update pick_tasks t
    set quantity_to_pick = t.quantity_to_pick - w.quantity, quantity_picked = t.quantity_picked - w.picked
    from (select pick_task_id, sum(quantity) as quantity, sum(quantity_picked) as picked
          from wave_pick_breakdown where so_id = any(:ids) group by pick_task_id) w
    where t.pick_task_id = w.pick_task_id and exists (
      select from wave_pick_breakdown o where o.pick_task_id = t.pick_task_id and o.so_id <> all(:ids))`,
  parts: [
    { name: "fulfillment_pushes", no: "push_id", which: OF_ORDER },
    {
      ...{ name: "parcel_lines", no: "parcel_line_id" },
      which: "t.parcel_id in (select parcel_id from parcels where so_id = any(:ids))",
    },
    {
      ...{ name: "parcel_scans", no: "scan_id" },
      which: `t.purchase_id in (select purchase_id from parcel_trackings join parcels using (parcel_id)
                                where so_id = any(:ids))`,
    },
    {
      ...{ name: "parcel_trackings", no: "purchase_id" },
      which: "t.parcel_id in (select parcel_id from parcels where so_id = any(:ids))",
    },
    // What carriers drew goes with them, and into no file.
    {
      ...{ name: "label_purchases", no: "purchase_id" },
      which: "t.parcel_id in (select parcel_id from parcels where so_id = any(:ids))",
    },
    { name: "parcels", no: "parcel_id", which: OF_ORDER },
    {
      ...{ name: "collection_loads", no: "fulfillment_id" },
      which: "t.fulfillment_id in (select fulfillment_id from item_fulfillments where so_id = any(:ids))",
    },
    {
      ...{ name: "item_fulfillment_lines", no: "fulfillment_line_id" },
      which: "t.fulfillment_id in (select fulfillment_id from item_fulfillments where so_id = any(:ids))",
    },
    { name: "item_fulfillments", no: "fulfillment_id", which: OF_ORDER },
    { name: "item_receipts", no: "receipt_id", which: OF_ORDER },
    { name: "wave_pick_breakdown", no: "so_id", which: OF_ORDER },
    TASKS,
    { name: "pick_batch_orders", no: "so_id", which: OF_ORDER },
    LEASES,
    BATCHES,
    { name: "counter_sale_units", no: "so_id", which: OF_ORDER },
    { name: "counter_bookings", no: "so_id", which: OF_ORDER },
    { name: "recall_orders", no: "so_id", which: OF_ORDER },
    { name: "sales_order_lines", no: "so_line_id", which: OF_ORDER },
    pushes("inbound_sales_orders", "sales_orders", "so_id"),
  ],
};

const PURCHASE_ENDED = "status in ('RECEIVED', 'CLOSED', 'ARCHIVED')";
const purchaseOrders: OrderKind = {
  ...{ table: "purchase_orders", key: "po_id", kept: { kind: "purchase_order", number: "po_number" } },
  ended: PURCHASE_ENDED,
  leaving: `
    select po_id as id from purchase_orders
    where po_id = any(:ids) and updated_at < :before and ${PURCHASE_ENDED} and not exists (
      select from item_receipts t join lots l using (item_id, lot_number) join recall_lots using (lot_id)
      join recalls using (recall_id) where t.po_id = purchase_orders.po_id and closed_at is null)
      and not exists (
      select from item_receipts t join serial_steps using (receipt_id) join recall_serials using (serial_id)
      join recalls using (recall_id) where t.po_id = purchase_orders.po_id and closed_at is null)`,
  batches: "select batch_id from pick_batches where false",
  parts: [
    { name: "item_receipts", no: "receipt_id", which: "t.po_id = any(:ids)" },
    { name: "purchase_order_lines", no: "po_line_id", which: "t.po_id = any(:ids)" },
    pushes("inbound_purchase_orders", "purchase_orders", "po_id"),
  ],
};

const TRANSFER_ENDED = "status in ('CLOSED', 'CANCELLED')";
/** Their numbers are of the clock, so nothing is kept of them. */
const transferOrders: OrderKind = {
  ...{ table: "transfer_orders", key: "to_id" },
  ended: TRANSFER_ENDED,
  leaving: `
    select to_id as id from transfer_orders o
    where to_id = any(:ids) and updated_at < :before and ${TRANSFER_ENDED}
      and not exists (select from pick_batches b where b.to_id = o.to_id and b.status in ('OPEN', 'IN_PROGRESS'))
      and not exists (
        select from transfer_reservations join transfer_order_lines l using (to_line_id) where l.to_id = o.to_id)`,
  batches: "select batch_id from pick_batches where to_id = any(:ids)",
  parts: [
    {
      ...{ name: "to_approval_lines", no: "to_line_id" },
      which: "t.to_line_id in (select to_line_id from transfer_order_lines where to_id = any(:ids))",
    },
    { name: "transfer_order_approvals", no: "to_approval_id", which: "t.to_id = any(:ids)" },
    TASKS,
    LEASES,
    BATCHES,
    { name: "transfer_order_lines", no: "to_line_id", which: "t.to_id = any(:ids)" },
  ],
};

export const orderKinds: OrderKind[] = [salesOrders, purchaseOrders, transferOrders];
