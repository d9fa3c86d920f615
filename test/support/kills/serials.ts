import assert from "node:assert/strict";
import { db } from "../db.js";
import type { Scanner } from "../scanner.js";
import { serialItem } from "../serials.js";
import { openFloor } from "../shift.js";
import type { Stack } from "../stack.js";
import { unique } from "../unique.js";
import type { Work } from "./kills.js";

/** Units with serials that come, are sold two of three, and of which one comes back; a last return is left open. */
export async function serialsOf(stack: Pick<Stack, "admin">): Promise<Work> {
  const { scanners, warehouse_id, bins } = await openFloor(stack, 2);
  const items: Awaited<ReturnType<typeof serialItem>>[] = [];
  for (const _ of scanners) items.push(await serialItem(warehouse_id, "at_receipt"));
  await db.run("update purchase_order_lines set quantity_ordered = 1000000 where item_id = any($1)", [
    items.map(({ item_id }) => item_id),
  ]);
  const [first] = scanners as [Scanner];
  const goodsOf = (scanner: Scanner) => {
    const i = scanners.indexOf(scanner);
    return { ...(items[i] ?? assert.fail()), bin_id: bins[i] as number };
  };

  /** Three units are received, and an order goes out with two of them. */
  async function sell(scanner: Scanner) {
    const { item_id, sku, po_id, bin_id } = goodsOf(scanner);
    const number = unique();
    const serials = [1, 2, 3].map((i) => `${number}-${i}`);
    await scanner.post("/api/receiving/receive", {
      ...{ po_id, items: [{ item_id, bin_id, quantity: serials.length, serial_numbers: serials }] },
    });
    const order = { so_number: `S-${number}`, warehouse_id, lines: [{ item_id, quantity_ordered: 2 }] };
    const { so_id } = (await scanner.post("/api/admin/sales-orders", order)).sales_order;
    const { batch_id, first_pick } = await scanner.post("/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
    const { pick_task_id } = first_pick;
    await scanner.post("/api/picking/confirm", { pick_task_id, scanned_barcode: sku, quantity_picked: 2 });
    await scanner.post("/api/picking/complete-batch", { batch_id });
    for (const serial_number of serials.slice(0, 2))
      await scanner.post("/api/packing/verify", { so_id, scanned_barcode: sku, serial_number });
    await scanner.post("/api/packing/complete", { so_id });
    await scanner.post("/api/shipping/fulfill", { so_id, tracking_number: `S-${number}`, carrier: "UPS" });
    return { so_id: so_id as number, serials: serials.slice(0, 1) };
  }
  async function expectBack(scanner: Scanner, so_id: number): Promise<number> {
    const { item_id } = goodsOf(scanner);
    const path = `/api/admin/sales-orders/${so_id}/create-rma`;
    return (await scanner.post(path, { lines: [{ item_id, quantity: 1 }] })).so_id;
  }
  const takeBack = (scanner: Scanner, rma: number, serial_numbers: string[]) => {
    const { item_id, bin_id } = goodsOf(scanner);
    const units = { item_id, warehouse_id, bin_id, quantity: 1, serial_numbers };
    return scanner.post(`/api/admin/sales-orders/${rma}/receive-return`, units);
  };

  return {
    scanners,
    walk: async (scanner) => {
      const { so_id, serials } = await sell(scanner);
      await takeBack(scanner, await expectBack(scanner, so_id), serials);
    },
    leaveOpen: async () => {
      const { so_id, serials } = await sell(first);
      const rma = await expectBack(first, so_id);
      return { waiting: 1, end: async () => void (await takeBack(first, rma, serials)) };
    },
    /** As many serials are in stock and with customers as units, and each step was made once. */
    done: async () => {
      const done = await db.row<Record<string, number>>(
        `with those as (select * from serials where item_id = any($1)),
              steps as (select kind from serial_steps join those using (serial_id))
         select (select count(*)::int from those where state = 'IN_STOCK') as in_stock,
                (select count(*)::int from those where state = 'SHIPPED') as shipped,
                (select count(*)::int from those) as serials,
                (select sum(quantity_on_hand)::int from inventory where item_id = any($1)) as stored,
                (select count(*)::int from steps where kind = 'RECEIVED') as received,
                (select count(*)::int from steps where kind = 'PACKED') as packed,
                (select count(*)::int from steps where kind = 'SHIPPED') as sent,
                (select count(*)::int from steps where kind = 'RETURNED') as returned,
                (select count(*)::int from steps) as steps`,
        [items.map(({ item_id }) => item_id)],
      );
      const made = scanners.flatMap((one) => one.accepted).filter(({ path }) => /receiving/.test(path)).length;
      assert.ok(made > 0);
      assert.deepEqual(done, {
        ...{ serials: 3 * made, in_stock: 2 * made, stored: 2 * made, shipped: made },
        ...{ received: 3 * made, packed: 2 * made, sent: 2 * made, returned: made, steps: 8 * made },
      });
      return done as object;
    },
  };
}
