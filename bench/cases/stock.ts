import { confirmPutAway } from "../../activities/receiving/putaway.js";
import { receive } from "../../activities/receiving/receive.js";
import { moveBetweenBins } from "../../activities/stock/transfers.js";
import { int } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { anew, type Case, call, scattered, times } from "../case.js";
import { dockOf, itemOnPo, LINES_PER_PO, type Size, shelfOf, WAREHOUSE } from "../data.js";

export const receiving: Case = {
  name: "receive",
  works: 2_000,
  prepare: async ({ somebody, size }, count) => {
    const who = somebody();
    return times(count, (i) => {
      const po_id = scattered(i, size.purchaseOrders);
      const item_id = itemOnPo(po_id, (i % LINES_PER_PO) + 1, size);
      const bin_id = dockOf(item_id, size);
      const body = { po_id, items: [{ item_id, quantity: 5, bin_id }] };
      return call(who, "POST /api/receiving/receive", body, () => receive(body, anew(who.by)));
    });
  },
};

/** Receipts of an item that 10,000 orders wait for, each of them also for another one that does not come. */
export const receivingAwaited: Case = {
  name: "receive with waiting orders",
  works: 1_000,
  prepare: async ({ somebody, size }, count) => {
    const who = somebody();
    const { item_id, orders } = await awaited();
    return times(count, (i) => {
      const items = [{ item_id, quantity: 5, bin_id: scattered(i, size.bins) }];
      const body = { po_id: orders[i % orders.length] as number, items };
      return call(who, "POST /api/receiving/receive", body, () => receive(body, anew(who.by)));
    });
  },
};

/** An item for which orders wait, and purchase orders of it; made once. */
async function awaited(): Promise<{ item_id: number; orders: number[] }> {
  const orders = () =>
    db.rows(
      { po_id: int, item_id: int },
      `select po_id, item_id from purchase_orders join purchase_order_lines using (po_id)
       where vendor_name = 'Awaited'`,
    );
  if ((await orders()).length === 0)
    await db.run(
      `with items as (
         insert into items (sku, item_name) values ('AWAITED', 'Awaited'), ('LACKING', 'Lacking') returning item_id, sku
       ), bought as (
         insert into purchase_orders (po_number, po_barcode, warehouse_id, vendor_name)
         select 'AWAITED-' || n, 'AWAITED-' || n, $1::int, 'Awaited' from generate_series(1, 64) n returning po_id
       ), coming as (
         insert into purchase_order_lines (po_id, item_id, quantity_ordered)
         select po_id, item_id, 1000000000 from bought, items where sku = 'AWAITED'
       ), waiting as (
         insert into sales_orders (so_number, warehouse_id, status, order_type, backorder_opened_at)
         select 'AWAITED-' || n, $1, 'WAITING_STOCK', 'backorder', now() from generate_series(1, $2::int) n
         returning so_id
       )
       insert into sales_order_lines (so_id, item_id, quantity_ordered) select so_id, item_id, 2 from waiting, items`,
      [WAREHOUSE, 10_000],
    );
  const made = await orders();
  return { item_id: made[0]?.item_id as number, orders: made.map((order) => order.po_id) };
}

/** A unit of the nth item from its dock to its shelf. */
function carried(i: number, size: Size) {
  const item_id = scattered(i, size.items);
  return { item_id, from_bin_id: dockOf(item_id, size), to_bin_id: shelfOf(item_id), quantity: 1 };
}

export const putAway: Case = {
  name: "putaway/confirm",
  works: 2_000,
  prepare: async ({ somebody, size }, count) => {
    const who = somebody();
    return times(count, (i) => {
      const body = carried(i, size);
      return call(who, "POST /api/putaway/confirm", body, () => confirmPutAway(body, anew(who.by)));
    });
  },
};

export const move: Case = {
  name: "transfers/move",
  works: 2_000,
  prepare: async ({ somebody, size }, count) => {
    const who = somebody();
    return times(count, (i) => {
      const body = carried(i, size);
      return call(who, "POST /api/transfers/move", body, () => moveBetweenBins(body, anew(who.by)));
    });
  },
};
