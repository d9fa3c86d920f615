import { randomUUID } from "node:crypto";
import type { Answer, Caller } from "./caller.js";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";

/** What people do at the same time in two warehouses, to everything that lasts; each request as a client sends it. */

export interface TwoHouses {
  warehouses: number[];
  items: { item_id: number; sku: string }[];
  /** Of each warehouse: pickable ones, and one for staging. */
  bins: Map<number, number[]>;
  staging: Map<number, number>;
  po: Map<number, number>;
  /** A number from 0 to `below`. */
  random(below: number): number;
}

/** Two warehouses with stock, a large purchase order and shipped orders each. */
export async function openTwoHouses(random: TwoHouses["random"]): Promise<TwoHouses> {
  const items = [await fixtures.item(), await fixtures.item()];
  const house: TwoHouses = { warehouses: [], items, bins: new Map(), staging: new Map(), po: new Map(), random };
  for (let n = 0; n < 2; n++) {
    const warehouse_id = await fixtures.warehouse();
    house.warehouses.push(warehouse_id);
    const bins = [await fixtures.bin(warehouse_id), await fixtures.bin(warehouse_id)];
    house.bins.set(warehouse_id, bins);
    house.staging.set(warehouse_id, await fixtures.bin(warehouse_id, { type: "Staging" }));
    const wanted = items.map(({ item_id }) => ({ item_id, quantity: 10_000 }));
    house.po.set(warehouse_id, (await fixtures.purchaseOrder(warehouse_id, wanted)).po_id);
    for (const { item_id } of items) await fixtures.stock(warehouse_id, bins[0] as number, item_id, 20);
    for (let shipped = 0; shipped < 3; shipped++)
      await fixtures.shippedOrder(
        warehouse_id,
        items.map(({ item_id }) => ({ item_id, quantity: 4 })),
      );
  }
  return house;
}

type Deed = (by: Caller, at: TwoHouses & { warehouse_id: number }) => Promise<Answer | undefined>;

/** One row in random order; nothing where there is none. */
const some = <T>(sql: string, values: unknown[] = []) => db.row<T>(`${sql} order by random() limit 1`, values);

const order = (at: { warehouse_id: number }, type: string, ...statuses: string[]) =>
  some<{ so_id: number; so_line_id: number; item_id: number }>(
    `select so_id, so_line_id, item_id from sales_orders o join sales_order_lines l using (so_id)
     where warehouse_id = $1 and order_type = $2 and o.status = any($3)`,
    [at.warehouse_id, type, statuses],
  );

const task = (at: { warehouse_id: number }) =>
  some<{ pick_task_id: number; sku: string; quantity_to_pick: number }>(
    `select pick_task_id, sku, quantity_to_pick from pick_tasks t join items using (item_id)
     join pick_batches p using (batch_id) where p.warehouse_id = $1 and t.status = 'PENDING'`,
    [at.warehouse_id],
  );

const batch = (at: { warehouse_id: number }) =>
  some<{ batch_id: number }>(
    "select batch_id from pick_batches where warehouse_id = $1 and status in ('OPEN', 'IN_PROGRESS')",
    [at.warehouse_id],
  );

const one = <T>({ random }: TwoHouses, things: T[]): T => things[random(things.length)] as T;
const units = ({ random }: TwoHouses) => 1 + random(4);
const binOf = (at: TwoHouses & { warehouse_id: number }) => one(at, at.bins.get(at.warehouse_id) as number[]);

const otherThan = ({ warehouses, warehouse_id }: TwoHouses & { warehouse_id: number }) =>
  warehouses.find((id) => id !== warehouse_id) as number;

const ORDERS = "/api/admin/sales-orders";
const TRANSFERS = "/api/admin/transfer-orders";
const COUNTS = "/api/inventory/cycle-count";

const transferOf = (at: { warehouse_id: number }, ...statuses: string[]) =>
  some<{ to_id: number }>("select to_id from transfer_orders where source_warehouse_id = $1 and status = any($2)", [
    ...[at.warehouse_id, statuses],
  ]);

async function review(by: Caller, at: { warehouse_id: number }, decision: "approve" | "reject") {
  const found = await some<{ to_id: number; to_approval_id: number }>(
    `select to_id, to_approval_id from transfer_order_approvals a join transfer_orders o using (to_id)
     where source_warehouse_id = $1 and a.status = 'PENDING'`,
    [at.warehouse_id],
  );
  return found && by.post(`${TRANSFERS}/${found.to_id}/approvals/${found.to_approval_id}/${decision}`, {});
}

/** Every deed; one that finds nothing to do does nothing, and may be refused where somebody was faster. */
export const deeds: Record<string, Deed> = {
  receive: (by, at) =>
    by.post("/api/receiving/receive", {
      po_id: at.po.get(at.warehouse_id),
      items: [{ item_id: one(at, at.items).item_id, quantity: units(at), bin_id: binOf(at) }],
    }),
  move: (by, at) =>
    by.post("/api/transfers/move", {
      ...{ item_id: one(at, at.items).item_id, quantity: units(at) },
      ...{ from_bin_id: binOf(at), to_bin_id: at.staging.get(at.warehouse_id) },
    }),
  moveToOther: (by, at) => {
    const to_warehouse_id = otherThan(at);
    return by.post("/api/admin/inter-warehouse-transfer", {
      ...{ item_id: one(at, at.items).item_id, quantity: units(at) },
      ...{ from_warehouse_id: at.warehouse_id, from_bin_id: binOf(at) },
      ...{ to_warehouse_id, to_bin_id: binOf({ ...at, warehouse_id: to_warehouse_id }) },
    });
  },
  adjust: (by, at) =>
    by.post("/api/admin/adjustments/direct", {
      ...{ item_id: one(at, at.items).item_id, bin_id: binOf(at), warehouse_id: at.warehouse_id },
      ...{ adjustment_type: at.random(2) ? "ADD" : "REMOVE", quantity: units(at), reason: "found" },
    }),
  order: (by, at) =>
    by.post(ORDERS, {
      ...{ so_number: `W-${randomUUID().slice(0, 12)}`, warehouse_id: at.warehouse_id },
      lines: at.items.map(({ item_id }) => ({ item_id, quantity_ordered: units(at) })),
    }),
  cancelOrder: async (by, at) => {
    const found = await order(at, "sale", "OPEN", "PICKED");
    return found && by.post(`${ORDERS}/${found.so_id}/cancel`, {});
  },
  cut: async (by, at) => {
    const found = await order(at, "sale", "OPEN", "PICKED");
    if (!found) return undefined;
    const lines = [{ so_line_id: found.so_line_id, short_qty: 1 }];
    return by.post(`${ORDERS}/${found.so_id}/partial-fulfill`, { lines });
  },
  cancelBackorder: async (by, at) => {
    const found = await order(at, "backorder", "WAITING_STOCK", "OPEN");
    return found && by.post(`${ORDERS}/${found.so_id}/cancel-backorder`, {});
  },
  wave: async (by, at) => {
    const [sale, backorder] = [await order(at, "sale", "OPEN"), await order(at, "backorder", "OPEN")];
    const so_ids = [...new Set([sale, backorder].flatMap((found) => (found ? [found.so_id] : [])))];
    if (so_ids.length === 0) return undefined;
    return by.post("/api/picking/wave-create", { so_ids, warehouse_id: at.warehouse_id });
  },
  confirm: async (by, at) => {
    const found = await task(at);
    if (!found) return undefined;
    const { pick_task_id, sku: scanned_barcode, quantity_to_pick: quantity_picked } = found;
    return by.post("/api/picking/confirm", { pick_task_id, scanned_barcode, quantity_picked });
  },
  short: async (by, at) => {
    const found = await task(at);
    if (!found) return undefined;
    const { pick_task_id, quantity_to_pick } = found;
    return by.post("/api/picking/short", { pick_task_id, quantity_available: quantity_to_pick - 1 });
  },
  complete: async (by, at) => {
    const found = await batch(at);
    return found && by.post("/api/picking/complete-batch", found);
  },
  verify: async (by, at) => {
    const found = await some<{ so_id: number; scanned_barcode: string; quantity: number }>(
      `select so_id, sku as scanned_barcode, quantity_picked - quantity_packed as quantity
       from sales_orders o join sales_order_lines l using (so_id) join items using (item_id)
       where o.warehouse_id = $1 and o.status = 'PICKED' and quantity_packed < quantity_picked`,
      [at.warehouse_id],
    );
    return found && by.post("/api/packing/verify", found);
  },
  pack: async (by, at) => {
    const found = await some<{ so_id: number }>(
      `select so_id from sales_orders o where warehouse_id = $1 and status = 'PICKED' and not exists (
         select from sales_order_lines l where l.so_id = o.so_id and quantity_packed < quantity_picked)`,
      [at.warehouse_id],
    );
    return found && by.post("/api/packing/complete", found);
  },
  ship: async (by, at) => {
    const found = await some<{ so_id: number }>(
      "select so_id from sales_orders where warehouse_id = $1 and status = 'PACKED'",
      [at.warehouse_id],
    );
    return found && by.post("/api/shipping/fulfill", { ...found, tracking_number: "1Z", carrier: "UPS" });
  },
  release: async (by, at) => {
    const found = await batch(at);
    return found && by.post("/api/picking/cancel-batch", found);
  },
  sendBack: async (by, at) => {
    const found = await order(at, "sale", "SHIPPED");
    if (!found) return undefined;
    return by.post(`${ORDERS}/${found.so_id}/create-rma`, { lines: [{ item_id: found.item_id, quantity: 2 }] });
  },
  takeBack: async (by, at) => {
    const found = await order(at, "return", "OPEN", "PARTIALLY_RECEIVED");
    if (!found) return undefined;
    const to = { warehouse_id: at.warehouse_id, bin_id: binOf(at) };
    return by.post(`${ORDERS}/${found.so_id}/receive-return`, { item_id: found.item_id, quantity: 1, ...to });
  },
  voidReturn: async (by, at) => {
    const found = await order(at, "return", "OPEN");
    return found && by.post(`${ORDERS}/${found.so_id}/void-return`, {});
  },
  count: (by, at) => by.post(`${COUNTS}/create`, { warehouse_id: at.warehouse_id, bin_ids: [binOf(at)] }),
  submitCount: async (by, at) => {
    const found = await some<{ count_id: number }>(
      "select count_id from cycle_counts where warehouse_id = $1 and status in ('PENDING', 'IN_PROGRESS')",
      [at.warehouse_id],
    );
    if (!found) return undefined;
    const { lines } = await by.ok("GET", `${COUNTS}/${found.count_id}`);
    const counted = lines.map(({ count_line_id, expected_quantity }: Record<string, number>) => ({
      count_line_id,
      counted_quantity: Math.max(0, Number(expected_quantity ?? 0) + at.random(3) - 1),
    }));
    return by.post(`${COUNTS}/submit`, { count_id: found.count_id, lines: counted });
  },
  decide: async (by, at) => {
    const found = await some<{ adjustment_id: number }>(
      "select adjustment_id from inventory_adjustments where warehouse_id = $1 and status = 'PENDING'",
      [at.warehouse_id],
    );
    if (!found) return undefined;
    const action = at.random(2) ? "approve" : "reject";
    return by.post("/api/admin/adjustments/review", { decisions: [{ ...found, action }] });
  },
  transfer: (by, at) =>
    by.post(TRANSFERS, {
      source_warehouse_id: at.warehouse_id,
      destination_warehouse_id: otherThan(at),
      lines: at.items.map(({ item_id }) => ({ item_id, quantity: units(at) })),
    }),
  startTransfer: async (by, at) => {
    const found = await transferOf(at, "OPEN", "PARTIALLY_PICKED");
    return found && by.post(`${TRANSFERS}/${found.to_id}/start-picking`, {});
  },
  submitTransfer: async (by, at) => {
    const found = await transferOf(at, "PARTIALLY_PICKED");
    return found && by.post(`/api/admin/picker/transfer-orders/${found.to_id}/submit`, {});
  },
  approveTransfer: (by, at) => review(by, at, "approve"),
  rejectTransfer: (by, at) => review(by, at, "reject"),
  shortCloseTransfer: async (by, at) => {
    const found = await some<{ to_id: number; to_line_id: number }>(
      `select to_id, to_line_id from transfer_order_lines l join transfer_orders o using (to_id)
       where source_warehouse_id = $1 and l.status in ('PENDING', 'PARTIALLY_PICKED', 'PICKED')`,
      [at.warehouse_id],
    );
    return found && by.post(`${TRANSFERS}/${found.to_id}/lines/${found.to_line_id}/short-close`, {});
  },
  cancelTransfer: async (by, at) => {
    const found = at.random(3) ? undefined : await transferOf(at, "OPEN", "PARTIALLY_PICKED");
    return found && by.post(`${TRANSFERS}/${found.to_id}/cancel`, {});
  },
};
