import { z } from "zod";
import { SHORT_PICK } from "../../picking/admin-queries.js";
import { singleFlight, ttlCache } from "../../platform/concurrency/ttl-cache.js";
import { int } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { OPEN_WORK, UNFINISHED } from "../../sales-orders/open-work.js";
import { TO_PUT_AWAY } from "../../stock/queries.js";
import { TO_APPROVE } from "../../transfers/queries.js";
import { latestActivity } from "../audit/activity.js";
import { Dashboard } from "./shapes.js";
import { workedIn } from "./worked-in.js";

/** The dashboard of the given warehouses (null: of all); docs/interface.md, Dashboards. */
export const dashboard = (warehouses: number[] | null): Promise<Dashboard> =>
  oneAtATime(JSON.stringify(warehouses), () => read(warehouses));

/** Many open orders take a moment to count: all who look at once would hold every connection to the database. */
const oneAtATime = singleFlight<Dashboard>();

async function read(warehouses: number[] | null): Promise<Dashboard> {
  const [{ require_packing, ready_to_pack, packed, ...work }, { rows: _, ...totals }, recent_activity] =
    await Promise.all([
      openWork(warehouses),
      cachedTotals(JSON.stringify(warehouses), () => readTotals(warehouses)),
      latestActivity(warehouses),
    ]);
  return {
    ...work,
    ...totals,
    ...(require_packing && { ready_to_pack, orders_packed: packed }),
    require_packing,
    recent_activity,
  };
}

const Work = z.strictObject({
  ...Dashboard.pick({
    open_sos: true,
    orders_ready_to_pick: true,
    orders_lacking_stock: true,
    orders_in_picking: true,
    ready_to_ship: true,
    short_picks_7d: true,
    pending_adjustments: true,
    pending_to_approvals: true,
    transfers_to_approve: true,
    stock_to_put_away: true,
    require_packing: true,
  }).shape,
  ready_to_pack: int,
  packed: int,
});
type Work = z.infer<typeof Work>;

/** Counted anew each time: partial indexes have only open work, and other rows are read only for the last days. */
async function openWork(warehouses: number[] | null): Promise<Work> {
  const work = await db.row(
    Work,
    `select orders.*,
       (select count(*) from audit_log
        where ${SHORT_PICK} and created_at >= now() - interval '7 days'
          and ${workedIn("$1")}) as short_picks_7d,
       (select count(*) from inventory_adjustments
        where status = 'PENDING' and ($1::int[] is null or warehouse_id = any($1))) as pending_adjustments,
       (select count(*) from transfer_orders t join transfer_order_approvals a using (to_id)
        where t.status not in ('CLOSED', 'CANCELLED') and a.status = 'PENDING'
          and ($1::int[] is null or destination_warehouse_id = any($1))) as pending_to_approvals,
       (select count(*) from transfer_orders t
        where ${TO_APPROVE} and ($1::int[] is null or destination_warehouse_id = any($1))) as transfers_to_approve,
       (select count(*) from bins b join inventory v using (bin_id)
        where ${TO_PUT_AWAY} and ($1::int[] is null or b.warehouse_id = any($1))) as stock_to_put_away,
       not exists (select from app_settings where key = 'require_packing_before_shipping'
         and value = 'false') as require_packing
     from (
       select count(*) filter (where status = 'OPEN') as open_sos,
         count(*) filter (where ${OPEN_WORK.ready_to_pick}) as orders_ready_to_pick,
         count(*) filter (where ${OPEN_WORK.lacks_stock}) as orders_lacking_stock,
         count(*) filter (where ${OPEN_WORK.in_picking}) as orders_in_picking,
         count(*) filter (where ${OPEN_WORK.ready_to_pack}) as ready_to_pack,
         count(*) filter (where ${OPEN_WORK.ready_to_ship}) as ready_to_ship,
         count(*) filter (where status = 'PACKED') as packed
       from sales_orders so
       where so.${UNFINISHED} and ($1::int[] is null or so.warehouse_id = any($1))) as orders`,
    [warehouses],
  );
  return work as Work;
}

const Totals = z.strictObject({
  ...Dashboard.pick({
    open_pos: true,
    pending_receipts: true,
    items_awaiting_putaway: true,
    cancelled_orders: true,
    total_skus: true,
    total_bins: true,
    low_stock_items: true,
  }).shape,
  /** How many rows were read for it; an entry that is only counted in an index is a tenth of one. */
  rows: int,
});
type Totals = z.infer<typeof Totals>;

const MANY_ROWS = 20_000;
const KEEP_MS = 15_000;

/** Totals of many rows are cached for a while: one row more changes them little. Others are always fresh. */
const cachedTotals = ttlCache<Totals>(({ rows }) => (rows > MANY_ROWS ? KEEP_MS : 0));

async function readTotals(warehouses: number[] | null): Promise<Totals> {
  const totals = await db.row(
    Totals,
    `select open_pos, pending_receipts, items_awaiting_putaway, cancelled_orders, total_skus, total_bins,
      low_stock_items,
       po_lines + staged + watched + (open_pos + cancelled_orders + total_skus + total_bins) / 10 as rows
     from (
       select count(*) as open_pos from purchase_orders
       where status in ('OPEN', 'PARTIAL') and ($1::int[] is null or warehouse_id = any($1))) as pos,
     (
       select count(*) as po_lines,
         coalesce(sum(greatest(0, quantity_ordered - quantity_received)), 0) as pending_receipts
       from purchase_orders p join purchase_order_lines using (po_id)
       where p.status in ('OPEN', 'PARTIAL') and ($1::int[] is null or warehouse_id = any($1))) as lines,
     (
       select count(*) as staged, coalesce(sum(quantity_on_hand), 0) as items_awaiting_putaway
       from bins b join inventory using (bin_id)
       where b.bin_type = 'Staging' and ($1::int[] is null or b.warehouse_id = any($1))) as staging,
     (
       select count(*) as cancelled_orders from sales_orders
       where status = 'CANCELLED' and ($1::int[] is null or warehouse_id = any($1))) as cancelled,
     (select count(*) as total_skus from items where is_active) as skus,
     (select count(*) as total_bins from bins where is_active and ($1::int[] is null
       or warehouse_id = any($1))) as places,
     (
       select count(*) as watched, count(*) filter (where on_hand <= reorder_point) as low_stock_items
       from items i cross join lateral (
         select coalesce(sum(quantity_on_hand), 0) as on_hand from inventory v where v.item_id = i.item_id) as stock
       where reorder_point > 0 and is_active) as low`,
    [warehouses],
  );
  return totals as Totals;
}
