import { type Actor, scopeOf } from "../src/actor.js";
import { progressOf } from "../src/purchase-orders/status.js";
import {
  BinElsewhere,
  BinNotFound,
  ItemNotOnPo,
  OverReceipt,
  PoNotFound,
  PoNotOpen,
  ReceiptStockGone,
  ReceiptsElsewhere,
} from "../src/receiving/problems.js";
import { setting } from "../src/settings/queries.js";
import { lockWaiting, releaseCovered } from "./backorders.js";
import { command, type Tx } from "./command.js";
import { addStock, lockItems, type StockRow, takeStock } from "./stock.js";

export interface ReceiptItem {
  item_id: number;
  quantity: number;
  bin_id: number;
  lot_number?: string | null | undefined;
  serial_number?: string | null | undefined;
  notes?: string | null | undefined;
}

export interface Received {
  message: string;
  receipt_ids: number[];
  po_status: string;
  warnings: string[];
}

interface Order {
  po_id: number;
  po_number: string;
  external_id: string;
  warehouse_id: number;
  status: string;
}

interface Line {
  po_line_id: number;
  item_id: number;
  sku: string;
  item_external_id: string;
  quantity_ordered: number;
  quantity_received: number;
}

/**
 * Receives items of a purchase order into bins (spec 4.4, reference 02 §2): all of them or none.
 * Receipts, line counters, stock, the order's status, a RECEIVE audit row and a `receipt.completed` event per item.
 */
export function receive(
  input: { po_id: number; items: ReceiptItem[] },
  by: Actor,
): Promise<Received> {
  return command("receiving.receive", by, input, async (tx) => {
    const [order, waiting, lines, bins] = await Promise.all([
      lockOrder(tx, input.po_id, by),
      lockWaiting(
        tx,
        input.items.map((item) => item.item_id),
        input.items.map((item) => item.bin_id),
      ),
      linesOf(tx, input.po_id),
      binsOf(tx, input.items),
    ]);
    if (order.status !== "OPEN" && order.status !== "PARTIAL")
      throw PoNotOpen({ status: order.status });
    const warnings: string[] = [];
    let overAllowed: boolean | undefined;
    const lineIds: number[] = [];
    for (const { item_id, quantity, bin_id } of input.items) {
      const bin = bins.get(bin_id);
      if (!bin) throw BinNotFound({ bin_id });
      if (bin.warehouse_id !== order.warehouse_id)
        throw BinElsewhere({ bin: bin.bin_code });
      const line = lineFor(lines, item_id);
      if (!line) throw ItemNotOnPo({ item_id, po_number: order.po_number });
      const remaining = line.quantity_ordered - line.quantity_received;
      if (quantity > remaining) {
        overAllowed ??= await overReceivingAllowed(tx);
        if (!overAllowed)
          throw OverReceipt({
            quantity,
            sku: line.sku,
            remaining: Math.max(0, remaining),
          });
        warnings.push(
          `${line.sku}: received ${quantity}, only ${Math.max(0, remaining)} remained on the order`,
        );
      }
      line.quantity_received += quantity;
      lineIds.push(line.po_line_id);
    }
    const arrivals = input.items.map((item) => ({
      itemId: item.item_id,
      binId: item.bin_id,
      warehouseId: order.warehouse_id,
      lot: item.lot_number ?? null,
      quantity: item.quantity,
    }));
    const touched = lines.filter((line) => lineIds.includes(line.po_line_id));
    const [receipts, po_status] = await Promise.all([
      insertReceipts(tx, order, lineIds, input.items, by),
      saveOrderStatus(tx, order, lines),
      saveLines(tx, touched),
      addStock(tx, arrivals),
    ]);
    await releaseCovered(tx, waiting, "receipt");
    const lineById = new Map(lines.map((line) => [line.po_line_id, line]));
    input.items.forEach((item, i) => {
      const receipt = receipts[i] as {
        receipt_id: number;
        external_id: string;
      };
      const line = lineById.get(lineIds[i] as number) as Line;
      tx.audit({
        action: "RECEIVE",
        entity: "PO",
        entityId: order.po_id,
        warehouseId: order.warehouse_id,
        details: {
          item_id: item.item_id,
          quantity: item.quantity,
          bin_id: item.bin_id,
          receipt_id: receipt.receipt_id,
        },
      });
      tx.emit({
        type: "receipt.completed",
        aggregateId: order.external_id,
        entity: "item_receipt",
        entityId: receipt.receipt_id,
        warehouseId: order.warehouse_id,
        data: {
          receipt_external_id: receipt.external_id,
          po_external_id: order.external_id,
          lines: [
            {
              item_external_id: line.item_external_id,
              quantity_received: item.quantity,
              lot_number: item.lot_number ?? null,
              serial_number: item.serial_number ?? null,
            },
          ],
          completed_by_user_external_id: by.externalId,
          completed_at: tx.now,
        },
      });
    });
    return {
      message: `Received ${input.items.length} item(s) on ${order.po_number}`,
      receipt_ids: receipts.map((receipt) => receipt.receipt_id),
      po_status,
      warnings,
    };
  });
}

interface Receipt {
  receipt_id: number;
  po_line_id: number;
  item_id: number;
  bin_id: number;
  bin_code: string;
  lot_number: string | null;
  quantity_received: number;
}

/**
 * Takes back receipts of one purchase order (spec 4.4, reference 02 §2). Units leave the receipt's bin first, then the other
 * bins of the warehouse, so that what was already put away is found too and nothing is taken twice. Receipts that are
 * unknown or out of scope are skipped; one that belongs to another order refuses the whole call. No event (reference 09 #17).
 */
export function cancelReceipts(
  input: { po_id: number; receipt_ids: number[] },
  by: Actor,
): Promise<{ message: string; reversed?: number }> {
  return command("receiving.cancelReceipts", by, input, async (tx) => {
    const { po_id, receipt_ids } = input;
    if (receipt_ids.length === 0) return { message: "No receipts to cancel" };
    const visible = await tx.rows<{ receipt_id: number; po_id: number | null }>(
      `select receipt_id, po_id from item_receipts
       where receipt_id = any($1) and ($2::int[] is null or warehouse_id = any($2)) order by receipt_id`,
      [receipt_ids, scopeOf(by)],
    );
    const elsewhere = visible
      .filter((receipt) => receipt.po_id !== po_id)
      .map((receipt) => receipt.receipt_id);
    if (elsewhere.length > 0)
      throw ReceiptsElsewhere({}, { receipt_ids: elsewhere, po_id });
    if (visible.length === 0)
      return { message: "Cancelled 0 receipt(s)", reversed: 0 };
    const order = await lockOrder(tx, po_id, by);
    const lines = await linesOf(tx, po_id);
    const receipts = await tx.rows<Receipt>(
      `select receipt_id, po_line_id, r.item_id, r.bin_id, bin_code, lot_number, quantity_received
       from item_receipts r join bins using (bin_id) where receipt_id = any($1) and po_id = $2 order by receipt_id`,
      [visible.map((receipt) => receipt.receipt_id), po_id],
    );
    if (receipts.length === 0)
      return { message: "Cancelled 0 receipt(s)", reversed: 0 };
    await takeBack(tx, order.warehouse_id, receipts);
    for (const receipt of receipts) {
      const line = lines.find((l) => l.po_line_id === receipt.po_line_id);
      if (line)
        line.quantity_received = Math.max(
          0,
          line.quantity_received - receipt.quantity_received,
        );
    }
    await tx.run("delete from item_receipts where receipt_id = any($1)", [
      receipts.map((r) => r.receipt_id),
    ]);
    await saveLines(tx, lines);
    await saveOrderStatus(tx, order, lines);
    tx.audit({
      action: "RECEIVE_CANCEL",
      entity: "PO",
      entityId: po_id,
      warehouseId: order.warehouse_id,
      details: {
        reversed_receipts: receipts.length,
        receipt_ids: receipts.map((r) => r.receipt_id),
      },
    });
    return {
      message: `Cancelled ${receipts.length} receipt(s)`,
      reversed: receipts.length,
    };
  });
}

async function lockOrder(tx: Tx, poId: number, by: Actor): Promise<Order> {
  const order = await tx.row<Order>(
    `select po_id, po_number, external_id, warehouse_id, status from purchase_orders
     where po_id = $1 and ($2::int[] is null or warehouse_id = any($2)) for update`,
    [poId, scopeOf(by)],
  );
  if (!order) throw PoNotFound();
  return order;
}

export function linesOf(tx: Tx, poId: number): Promise<Line[]> {
  return tx.rows<Line>(
    `select po_line_id, item_id, sku, i.external_id as item_external_id, quantity_ordered, quantity_received
     from purchase_order_lines join items i using (item_id) where po_id = $1 order by line_number, po_line_id`,
    [poId],
  );
}

/** The bins that are there, which stay until the transaction ends. */
async function binsOf(tx: Tx, items: ReceiptItem[]) {
  const bins = await tx.rows<{
    bin_id: number;
    bin_code: string;
    warehouse_id: number;
  }>(
    "select bin_id, bin_code, warehouse_id from bins where bin_id = any($1) order by bin_id for key share",
    [items.map((item) => item.bin_id)],
  );
  return new Map(bins.map((bin) => [bin.bin_id, bin]));
}

/** The first line of the item that still expects units, else its first line. */
function lineFor(lines: Line[], itemId: number): Line | undefined {
  const ofItem = lines.filter((line) => line.item_id === itemId);
  return (
    ofItem.find((line) => line.quantity_received < line.quantity_ordered) ??
    ofItem[0]
  );
}

/** `allow_over_receiving`, or its older name where that is unset (reference 09 #5). */
async function overReceivingAllowed(tx: Tx): Promise<boolean> {
  const value =
    (await setting(tx, "allow_over_receiving")) ??
    (await setting(tx, "allow_over_receipt"));
  return value === "true";
}

function insertReceipts(
  tx: Tx,
  order: Order,
  lineIds: number[],
  items: ReceiptItem[],
  by: Actor,
) {
  return tx.rows<{ receipt_id: number; external_id: string }>(
    `insert into item_receipts
       (po_id, po_line_id, item_id, quantity_received, bin_id, warehouse_id, lot_number, serial_number, notes, received_by)
     select $1, line_id, item_id, quantity, bin_id, $2, lot, serial, notes, $3
     from unnest($4::int[], $5::int[], $6::int[], $7::int[], $8::text[], $9::text[], $10::text[])
       with ordinality as r(line_id, item_id, quantity, bin_id, lot, serial, notes, place)
     order by place
     returning receipt_id, external_id`,
    [
      order.po_id,
      order.warehouse_id,
      by.username,
      lineIds,
      items.map((item) => item.item_id),
      items.map((item) => item.quantity),
      items.map((item) => item.bin_id),
      items.map((item) => item.lot_number ?? null),
      items.map((item) => item.serial_number ?? null),
      items.map((item) => item.notes ?? null),
    ],
  );
}

export async function saveLines(tx: Tx, lines: Line[]): Promise<void> {
  await tx.run(
    `update purchase_order_lines l
     set quantity_received = u.received,
         status = case when u.received >= l.quantity_ordered then 'RECEIVED' when u.received > 0 then 'PARTIAL' else 'PENDING' end
     from unnest($1::int[], $2::int[]) as u(po_line_id, received) where l.po_line_id = u.po_line_id`,
    [
      lines.map((line) => line.po_line_id),
      lines.map((line) => line.quantity_received),
    ],
  );
}

/** The header follows its lines, unless it was put aside. */
export async function saveOrderStatus(
  tx: Tx,
  order: Order,
  lines: Line[],
): Promise<string> {
  const status = progressOf(lines);
  if (status === order.status) return status;
  await tx.run(
    `update purchase_orders
     set status = case when status in ('CLOSED', 'ARCHIVED') then status else $2 end,
         received_at = case when $2 = 'RECEIVED' then coalesce(received_at, now()) end
     where po_id = $1`,
    [order.po_id, status],
  );
  return status;
}

/** Takes the units of receipts out of stock: of the receipt's lot, from its bin first, then where most is free. */
async function takeBack(
  tx: Tx,
  warehouseId: number,
  receipts: Receipt[],
): Promise<void> {
  const rows = await lockItems(tx, warehouseId, [
    ...new Set(receipts.map((r) => r.item_id)),
  ]);
  for (const receipt of receipts) {
    let missing = receipt.quantity_received;
    for (const row of placesOf(receipt, rows)) {
      const units = Math.min(missing, row.quantity_on_hand);
      if (units === 0) continue;
      await takeStock(tx, row, units, receipt.bin_code);
      row.quantity_allocated = Math.min(
        row.quantity_allocated,
        row.quantity_on_hand - units,
      );
      row.quantity_on_hand -= units;
      missing -= units;
    }
    if (missing > 0)
      throw ReceiptStockGone({ receipt_id: receipt.receipt_id, missing });
  }
}

/** Where the units of a receipt may lie: those of its lot, its bin first, then where most is free. */
export function placesOf(
  receipt: Pick<Receipt, "item_id" | "bin_id" | "lot_number">,
  rows: StockRow[],
): StockRow[] {
  return rows
    .filter(
      (row) =>
        row.item_id === receipt.item_id &&
        row.lot_number === receipt.lot_number,
    )
    .sort(
      (a, b) =>
        Number(b.bin_id === receipt.bin_id) -
          Number(a.bin_id === receipt.bin_id) || free(b) - free(a),
    );
}

export const free = (row: {
  quantity_on_hand: number;
  quantity_allocated: number;
}) => row.quantity_on_hand - row.quantity_allocated;
