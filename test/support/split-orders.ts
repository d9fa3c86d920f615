import type { Caller } from "./caller.js";
import { bin } from "./fixtures.js";
import { walked } from "./walk.js";

/** Orders that are split, and what ships of them. */

interface Goods {
  item_id: number;
  sku: string;
}
interface Order {
  so_id: number;
  so_number: string;
}

/** Splits units of its first line off an order; gives the backorder, which waits for stock. */
export async function splitOff(by: Caller, so_id: number, short_qty: number): Promise<Order> {
  const { lines } = await by.ok("GET", `/api/admin/sales-orders/${so_id}`);
  const cut = { lines: [{ so_line_id: lines[0].so_line_id, short_qty }] };
  return (await by.ok("POST", `/api/admin/sales-orders/${so_id}/partial-fulfill`, cut)).backorder_so;
}

/** Picks and packs an order of one item, from a bin of its own. */
export async function pack(by: Caller, warehouse_id: number, { so_id }: { so_id: number }, item: Goods, quantity = 2) {
  await walked(by, warehouse_id, { so_id }, [{ item, quantity }]);
  await verify(by, so_id, item, quantity);
}

/** Stock of an item comes, which opens the backorder that waits for it; then it is picked and packed. */
export async function packBackorder(by: Caller, warehouse_id: number, order: Order, item: Goods, quantity = 2) {
  await by.ok("POST", "/api/admin/adjustments/direct", {
    ...{ item_id: item.item_id, bin_id: await bin(warehouse_id), warehouse_id, quantity },
    ...{ adjustment_type: "ADD", reason: "found" },
  });
  await walked(by, warehouse_id, order, []);
  await verify(by, order.so_id, item, quantity);
}

async function verify(by: Caller, so_id: number, { sku }: Goods, quantity: number) {
  await by.ok("POST", "/api/packing/verify", { so_id, scanned_barcode: sku, quantity });
  await by.ok("POST", "/api/packing/complete", { so_id });
}
