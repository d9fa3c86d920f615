import { semaphore } from "../../src/platform/concurrency/semaphore.js";
import type { Caller, Json } from "../http/caller.js";
import { listed } from "../site/records.js";
import type { Site } from "../site/site.js";
import { Sums } from "./movements.js";

/** What the interface says about a moment at which nobody works. */
export interface Picture {
  onHand: Sums;
  allocated: Sums;
  /** What open orders and transfer orders hold of it. */
  held: Sums;
  /** Picked and not yet shipped: no longer on a shelf. */
  inHand: Sums;
  negative: string[];
  /** Up to here events are part of it. */
  eventId: number;
  /** Open orders, and when each came in, in milliseconds. */
  open: { status: string; since: number }[];
}

const OPEN = "OPEN,PICKED,PACKED,WAITING_STOCK,FRAUD_REVIEW";
const AT_ONCE = 8;

/** Reads a token's snapshot of each warehouse, and all that is open. */
export async function takePicture(site: Site, readers: Map<number, Caller>): Promise<Picture> {
  const picture: Picture = {
    ...{ onHand: new Sums(), allocated: new Sums(), held: new Sums(), inHand: new Sums() },
    ...{ negative: [], eventId: 0, open: [] },
  };
  const nameOf = new Map(site.items.map(({ item_id, external_id }) => [item_id, external_id]));
  for (const { warehouse_id } of site.houses) {
    await readStock(picture, warehouse_id, readers.get(warehouse_id) as Caller);
    await readOrders(picture, site.office, warehouse_id, nameOf);
    await readTransfers(picture, site.office, warehouse_id, nameOf);
  }
  return picture;
}

async function readStock(picture: Picture, warehouse_id: number, reader: Caller): Promise<void> {
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query = { warehouse_id, limit: 2000, ...(cursor && { cursor }) };
    const page: Json = await reader.ok("GET", "/api/v1/snapshot/inventory", { query });
    for (const { item_external_id: item, quantity_on_hand, quantity_allocated } of page.rows) {
      picture.onHand.add(warehouse_id, item, quantity_on_hand);
      picture.allocated.add(warehouse_id, item, quantity_allocated);
      if (quantity_allocated < 0 || quantity_on_hand < quantity_allocated)
        picture.negative.push(`item ${item}: ${quantity_allocated} of ${quantity_on_hand} are allocated`);
    }
    picture.eventId = Math.max(picture.eventId, page.snapshot_event_id);
    cursor = page.next_cursor;
  }
}

type Names = Map<number, string>;

async function readOrders(picture: Picture, office: Caller, warehouse_id: number, nameOf: Names): Promise<void> {
  const slot = semaphore(AT_ONCE);
  const reads: Promise<void>[] = [];
  for await (const order of listed(office, "/api/admin/sales-orders", "sales_orders", { warehouse_id, status: OPEN })) {
    const { so_id, status, created_at, order_type } = order;
    if (order_type === "return" || order_type === "refund") continue;
    picture.open.push({ status, since: Date.parse(created_at) });
    const read = slot(async () => {
      const { lines } = await office.ok("GET", "/api/admin/sales-orders/:so_id", { params: { so_id } });
      for (const line of lines) {
        const item = nameOf.get(line.item_id) ?? String(line.item_id);
        picture.held.add(warehouse_id, item, line.quantity_allocated - line.quantity_picked);
        picture.inHand.add(warehouse_id, item, line.quantity_picked - line.quantity_shipped);
      }
    });
    reads.push(read);
  }
  await Promise.all(reads);
}

async function readTransfers(picture: Picture, office: Caller, warehouse_id: number, nameOf: Names): Promise<void> {
  for (const status of ["OPEN", "PARTIALLY_PICKED", "AWAITING_APPROVAL"]) {
    const query = { source_warehouse_id: warehouse_id, status };
    for await (const { to_id } of listed(office, "/api/admin/transfer-orders", "transfer_orders", query)) {
      const { lines } = await office.ok("GET", "/api/admin/transfer-orders/:to_id", { params: { to_id } });
      for (const line of lines) {
        if (line.status === "APPROVED" || line.status === "SHORT_CLOSED") continue;
        const item = nameOf.get(line.item_id) ?? String(line.item_id);
        picture.held.add(warehouse_id, item, line.committed_qty - line.approved_qty);
      }
    }
  }
}

/** What the counter sold in this run less what it took back, of which there are no events, and its credit memos. */
export async function salesOf(site: Site, order_origin: string): Promise<{ sold: Sums; memos: number }> {
  const sold = new Sums();
  let memos = 0;
  const nameOf = new Map(site.items.map(({ item_id, external_id }) => [item_id, external_id]));
  const orders = listed(site.office, "/api/admin/sales-orders", "sales_orders", { order_origin });
  for await (const { so_id, warehouse_id, order_type } of orders) {
    const isMemo = order_type === "refund";
    if (isMemo) memos++;
    const { lines } = await site.office.ok("GET", "/api/admin/sales-orders/:so_id", { params: { so_id } });
    // A credit memo has negative units, and ships none.
    for (const { item_id, quantity_ordered, quantity_shipped } of lines)
      sold.add(warehouse_id, nameOf.get(item_id) ?? "", isMemo ? quantity_ordered : quantity_shipped);
  }
  return { sold, memos };
}

/** How many orders of a type that a run made there are in each status. */
export async function ordersByStatus(
  site: Site,
  order_origin: string,
  order_type: "sale" | "backorder",
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const status of [...OPEN.split(","), "SHIPPED", "CANCELLED"]) {
    const query = { order_origin, status, order_type, per_page: 1 };
    const { total } = await site.office.ok("GET", "/api/admin/sales-orders", { query });
    if (total > 0) counts.set(status, total);
  }
  return counts;
}
