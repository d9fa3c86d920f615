import type { Caller } from "./caller.js";
import { db } from "./db.js";
import { bin, item, stock, warehouse } from "./fixtures.js";
import type { Scanner } from "./scanner.js";
import { pickAll } from "./shift.js";
import { TRANSFERS } from "./transfers.js";

/** Two warehouses, of which the second has a bin where transfers arrive, and goods in the first. */
export interface TwoHouses {
  source: number;
  destination: number;
  goods: { item_id: number; sku: string }[];
}

/** So many items with so many units each. */
export async function twoHouses(items = 1, units = 100): Promise<TwoHouses> {
  const [source, destination] = [await warehouse(), await warehouse()];
  await bin(destination, { type: "Staging" });
  const goods: TwoHouses["goods"] = [];
  for (let i = 0; i < items; i++) {
    const one = await item();
    await stock(source, await bin(source), one.item_id, units);
    goods.push(one);
  }
  return { source, destination, goods };
}

/** What makes a transfer order of so many units of each of the goods. */
export const newTransfer = ({ source, destination, goods }: TwoHouses, quantity = 5) => ({
  source_warehouse_id: source,
  destination_warehouse_id: destination,
  lines: goods.map(({ item_id }) => ({ item_id, quantity })),
});

export const statusOf = async (to_id: number): Promise<string | undefined> =>
  await db.value<string>("select status from transfer_orders where to_id = $1", [to_id]);

/** Begins to pick a transfer order and picks all of it; gives the batch, which is still to be completed. */
export async function pickTransfer(picker: Caller, to_id: number): Promise<number> {
  const { batch_id } = await picker.ok("POST", `${TRANSFERS}/${to_id}/start-picking`);
  for (;;) {
    const task = await picker.ok("GET", `/api/picking/batch/${batch_id}/next`);
    if (task.message) return batch_id;
    const { pick_task_id, quantity_to_pick, sku } = task;
    const scan = { pick_task_id, scanned_barcode: sku, quantity_picked: quantity_to_pick };
    await picker.ok("POST", "/api/picking/confirm", scan);
  }
}

/** The approval that a transfer order waits for. */
export async function openApproval(to_id: number): Promise<number> {
  const found = await db.row<{ id: number }>(
    "select max(to_approval_id) as id from transfer_order_approvals where to_id = $1 and status = 'PENDING'",
    [to_id],
  );
  return found?.id as number;
}

/**
 * A transfer order from its creation to its end, as scanners on bad wifi do it; some bins hold less than they should,
 * and somebody else approves.
 */
export async function walkTransfer(scanner: Scanner, approver: Scanner, houses: TwoHouses): Promise<number> {
  const { to_id } = await scanner.post(TRANSFERS, newTransfer(houses));
  const { batch_id } = await scanner.post(`${TRANSFERS}/${to_id}/start-picking`, {});
  await pickAll(scanner, { batch_id });
  await scanner.post("/api/picking/complete-batch", { batch_id });
  await finishTransfer(scanner, approver, to_id);
  return to_id;
}

/** Approves what a transfer order waits for, and gives up the rest. */
export async function finishTransfer(scanner: Scanner, approver: Scanner, to_id: number): Promise<void> {
  const { approvals, lines } = await scanner.get(`${TRANSFERS}/${to_id}`);
  for (const { to_approval_id, status } of approvals)
    if (status === "PENDING") await approver.post(`${TRANSFERS}/${to_id}/approvals/${to_approval_id}/approve`, {});
  for (const { to_line_id, committed_qty, picked_qty } of lines)
    if (picked_qty < committed_qty) await scanner.post(`${TRANSFERS}/${to_id}/lines/${to_line_id}/short-close`, {});
}
