import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Actor, binFor, visibleWarehouses } from "../../src/platform/actor.js";
import { checkScans, filled } from "../../src/platform/barcodes/match.js";
import { readScan } from "../../src/platform/barcodes/scan.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import type { Effects } from "../../src/platform/db/db.js";
import { PoNotFound } from "../../src/purchasing/problems.js";
import { statusByLines } from "../../src/purchasing/status.js";
import { BinElsewhere, ItemNotOnPo, OverReceipt, PoNotOpen } from "../../src/receiving/problems.js";
import type { NewReceipts, ReceiptItem, ReceiptsCreated } from "../../src/receiving/shapes.js";
import { BinNotFound } from "../../src/stock/problems.js";
import { IN_QUALITY_ZONE, IS_OPEN } from "../../src/stock/queries.js";
import { setting } from "../../src/system/settings/queries.js";
import { command, type Tx } from "../command.js";
import { inspectArrivals } from "../lots/inspect-arrivals.js";
import { type Line, linesOf } from "../purchasing/edit.js";
import { labelsOf, serialsOf } from "../serials/named.js";
import { receiveSerials } from "../serials/receive.js";
import { refuseClosed } from "../stock/arrivals.js";
import { expectIncreaseIn } from "../stock/backorders.js";
import { type Arriving, asPoliciesAsk, type Policies, policiesOf, recordProduction } from "../stock/policies.js";
import { addStock } from "../stock/stock.js";

export const Po = z.strictObject({ po_id: int, po_number: text, external_id: text, warehouse_id: int, status: text });
export type Po = z.infer<typeof Po>;

/**
 * Receives items of a purchase order into bins (docs/interface.md, Receiving): all of them or none.
 * Receipts, line counters, stock, the order's status, a RECEIVE audit row and a `receipt.completed` event per item.
 */
export function receive(input: NewReceipts, by: Actor): Promise<ReceiptsCreated> {
  return command("receiving.receive", by, input, async (tx) => {
    const items = input.items.map((item) =>
      filled(
        item,
        ...(["lot_number", "expiry_date", "production_date"] as const),
        // A label of one of several units does not name the others.
        ...(item.serial_numbers?.length ? [] : (["serial_number"] as const)),
      ),
    );
    const [po, increase, lines, bins] = await tx.inOrder([
      lockPo(tx, input.po_id, by),
      expectIncreaseIn(
        tx,
        "receipt",
        items.map((item) => item.item_id),
        items.map((item) => item.bin_id),
      ),
      linesOf(tx, input.po_id),
      lockBinsOfItems(tx, items),
      checkScans(tx, [...items, ...items.flatMap(labelsOf)]),
    ]);
    if (po.status !== "OPEN" && po.status !== "PARTIAL") throw PoNotOpen({ status: po.status });
    const warnings: string[] = [];
    let overAllowed: boolean | undefined;
    const lineIds: number[] = [];
    const serials: string[][] = [];
    for (const [i, item] of items.entries()) {
      const { item_id, quantity, bin_id } = item;
      const bin = bins.get(i);
      if (!bin) throw BinNotFound({ bin_id });
      if (bin.warehouse_id !== po.warehouse_id) throw BinElsewhere({ bin: binFor(by, bin, bin_id) });
      const line = lineFor(lines, item_id);
      if (!line) throw ItemNotOnPo({ item_id, po_number: po.po_number });
      const remaining = line.quantity_ordered - line.quantity_received;
      if (quantity > remaining) {
        overAllowed ??= await overReceivingAllowed(tx);
        if (!overAllowed) throw OverReceipt({ quantity, sku: line.sku, remaining: Math.max(0, remaining) });
        warnings.push(`${line.sku}: received ${quantity}, only ${Math.max(0, remaining)} remained on the order`);
      }
      line.quantity_received += quantity;
      lineIds.push(line.po_line_id);
      serials.push(serialsOf(item, line, ["at_receipt"]));
    }
    for (const bin of bins.values()) refuseClosed(bin);
    const touched = lines.filter((line) => lineIds.includes(line.po_line_id));
    const asking = touched.filter((line) => line.asks).map((line) => line.item_id);
    const policies: Policies = asking.length > 0 ? await policiesOf(tx, items[0]?.bin_id, asking) : new Map();
    const arrivals = await asPoliciesAsk(
      tx,
      policies,
      items.map((item, i) => arrivalOf(item, input.items[i] as ReceiptItem, po.warehouse_id)),
    );
    const receipts = [...bins.values()]
      .map(({ receipt_id }) => ({ receipt_id, external_id: randomUUID() }))
      .sort((a, b) => a.receipt_id - b.receipt_id);
    const lineById = new Map(lines.map((line) => [line.po_line_id, line]));
    const lineOf = (i: number) => lineById.get(lineIds[i] as number) as Line;
    const units = items.flatMap(({ item_id }, i) => {
      const { receipt_id } = receipts[i] as NewReceipt;
      const lot = arrivals[i]?.lot ?? null;
      return (serials[i] ?? []).map((serial) => ({ item_id, sku: lineOf(i).sku, serial, lot, receipt_id }));
    });
    const [po_status] = await Promise.all([
      savePoStatus(tx.later, po, lines),
      saveLines(tx.later, touched),
      insertReceipts(tx.later, receipts, po, lineIds, items, arrivals, by),
      recordProduction(tx.later, arrivals),
      addStock(tx.later, increase, arrivals),
      receiveSerials(tx, units, po, by),
    ]);
    if ([...bins.values()].some(({ is_quality }) => is_quality)) await inspectArrivals(tx, arrivals, by);
    items.forEach((item, i) => {
      const receipt = receipts[i] as NewReceipt;
      const line = lineOf(i);
      const named = serials[i] ?? [];
      tx.audit({
        action: "RECEIVE",
        entity: "PO",
        entityId: po.po_id,
        warehouseId: po.warehouse_id,
        details: {
          item_id: item.item_id,
          quantity: item.quantity,
          bin_id: item.bin_id,
          receipt_id: receipt.receipt_id,
        },
      });
      tx.emit({
        type: "receipt.completed",
        aggregateId: po.external_id,
        entity: "item_receipt",
        entityId: receipt.receipt_id,
        warehouseId: po.warehouse_id,
        data: {
          receipt_external_id: receipt.external_id,
          po_external_id: po.external_id,
          po_number: po.po_number,
          lines: [
            {
              item_external_id: line.item_external_id,
              sku: line.sku,
              quantity_received: item.quantity,
              lot_number: arrivals[i]?.lot ?? null,
              serial_number: item.serial_number ?? null,
              ...(named.length > 0 && { serial_numbers: named }),
            },
          ],
          completed_by_user_external_id: by.externalId,
          completed_at: tx.now,
        },
      });
    });
    return {
      message: `Received ${items.length} item(s) on ${po.po_number}`,
      receipt_ids: receipts.map((receipt) => receipt.receipt_id),
      po_status,
      warnings,
    };
  });
}

/** The units of an entry, whose empty fields its label filled; `said` is the entry as it was sent. */
const arrivalOf = (item: ReceiptItem, said: ReceiptItem, warehouseId: number) => ({
  itemId: item.item_id,
  binId: item.bin_id,
  warehouseId,
  lot: item.lot_number ?? null,
  quantity: item.quantity,
  expiry: item.expiry_date ?? null,
  produced: item.production_date ?? null,
  inferred: { lot: !said.lot_number, produced: !said.production_date },
  bestBefore: item.scanned_barcode ? readScan(item.scanned_barcode).holds.best_before_date : null,
  isNew: true,
});

/**
 * Locks the row of an order of the caller's warehouses, which also serializes changes of its lines; 404 when there is
 * none.
 */
export async function lockPo(tx: Tx, poId: number, by: Actor): Promise<Po> {
  const po = await tx.row(
    Po,
    `select po_id, po_number, external_id, warehouse_id, status from purchase_orders
     where po_id = $1 and ($2::int[] is null or warehouse_id = any($2)) for update`,
    [poId, visibleWarehouses(by)],
  );
  if (!po) throw PoNotFound();
  return po;
}

/**
 * The bin of each item by the item's index, locked against deletion, with an id for its receipt; an item whose bin does
 * not exist is missing.
 */
async function lockBinsOfItems(tx: Tx, items: ReceiptItem[]) {
  const rows = await tx.rows(
    { place: int, bin_code: text, warehouse_id: int, is_open: bool, is_quality: bool, receipt_id: int },
    `select place - 1 as place, bin_code, warehouse_id, ${IS_OPEN} as is_open,
            ${IN_QUALITY_ZONE} as is_quality,
            nextval('item_receipts_receipt_id_seq') as receipt_id
     from unnest($1::int[]) with ordinality as i(bin_id, place) join bins b using (bin_id)
       order by bin_id for key share of b`,
    [items.map((item) => item.bin_id)],
  );
  return new Map(rows.map(({ place, ...bin }) => [place, bin]));
}

interface NewReceipt {
  receipt_id: number;
  external_id: string;
}

/** The item's first line with units still to be received, else its first line. */
function lineFor(lines: Line[], itemId: number): Line | undefined {
  const ofItem = lines.filter((line) => line.item_id === itemId);
  return ofItem.find((line) => line.quantity_received < line.quantity_ordered) ?? ofItem[0];
}

/** Setting `allow_over_receiving`; where it is unset, its older name (docs/interface.md, What stays as it was). */
async function overReceivingAllowed(tx: Tx): Promise<boolean> {
  const value = (await setting(tx, "allow_over_receiving")) ?? (await setting(tx, "allow_over_receipt"));
  return value === "true";
}

function insertReceipts(
  tx: Effects,
  receipts: NewReceipt[],
  po: Po,
  lineIds: number[],
  items: ReceiptItem[],
  arrivals: Arriving[],
  by: Actor,
) {
  return tx.run(
    `insert into item_receipts
       (receipt_id, external_id, po_id, warehouse_id, received_by,
        po_line_id, item_id, quantity_received, bin_id, lot_number, serial_number, notes)
     select receipt_id, external_id, :po_id, :warehouse_id, :username, line_id, item_id, quantity, bin_id, lot,
            serial, notes
     from unnest(:receipt_ids::int[], :external_ids::uuid[], :lineIds::int[], :item_ids::int[], :quantities::int[],
                 :bin_ids::int[], :lots::text[], :serials::text[], :notes::text[])
       as r(receipt_id, external_id, line_id, item_id, quantity, bin_id, lot, serial, notes)`,
    {
      receipt_ids: receipts.map((receipt) => receipt.receipt_id),
      external_ids: receipts.map((receipt) => receipt.external_id),
      po_id: po.po_id,
      warehouse_id: po.warehouse_id,
      username: by.username,
      lineIds,
      item_ids: items.map((item) => item.item_id),
      quantities: items.map((item) => item.quantity),
      bin_ids: items.map((item) => item.bin_id),
      lots: arrivals.map(({ lot }) => lot),
      serials: items.map((item) => item.serial_number ?? null),
      notes: items.map((item) => item.notes ?? null),
    },
  );
}

export async function saveLines(tx: Effects, lines: Line[]): Promise<void> {
  await tx.run(
    `update purchase_order_lines l
     set quantity_received = u.received,
         status = case when u.received >= l.quantity_ordered then 'RECEIVED' when u.received > 0 then 'PARTIAL'
           else 'PENDING' end
     from unnest($1::int[], $2::int[]) as u(po_line_id, received) where l.po_line_id = u.po_line_id`,
    [lines.map((line) => line.po_line_id), lines.map((line) => line.quantity_received)],
  );
}

/** Sets the order's status by its lines, unless it is CLOSED or ARCHIVED; returns the status by the lines. */
export async function savePoStatus(tx: Effects, po: Po, lines: Line[]): Promise<string> {
  const status = statusByLines(lines);
  if (status === po.status) return status;
  await tx.run(
    `update purchase_orders
     set status = case when status in ('CLOSED', 'ARCHIVED') then status else $2 end,
         received_at = case when $2 = 'RECEIVED' then coalesce(received_at, now()) end
     where po_id = $1`,
    [po.po_id, status],
  );
  return status;
}
