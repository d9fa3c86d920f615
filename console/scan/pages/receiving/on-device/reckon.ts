import type { PendingPutAway } from "../../../../../client/src/index.js";
import type { KeptScan, Outcome } from "../../../kept/scans.js";
import type { Delivery, Pending } from "./deliveries.js";
import type { PutAway, Receipt } from "./done.js";

/** Reckons what is still to come, and what is to be put away, from what was read last and what was done since. */

/** Something that was done: it waits, or it was answered after what it changes was read. */
export interface Deed {
  does: string;
  done: unknown;
  key: string;
  place: number;
  at: number;
}

/** All of it that counts, in its order. */
export const deedsOf = (scans: KeptScan[], outcomes: Outcome[]): Deed[] =>
  [
    ...scans.map(({ input, key, place }) => ({ ...input, key, place, at: Number.POSITIVE_INFINITY })),
    ...outcomes.filter(({ refusal }) => !refusal),
  ].sort((one, other) => one.place - other.place);

const receiptsOf = (deeds: Deed[]) =>
  deeds.filter(({ does }) => does === "receive").map((deed) => ({ ...deed, done: deed.done as Receipt }));

/** A delivery with what is still to come of it. */
export function leftOf(delivery: Delivery, deeds: Deed[]): Delivery {
  const lines = delivery.lines.map((line) => ({ ...line }));
  for (const { done, at } of receiptsOf(deeds)) {
    if (done.body.po_id !== delivery.purchase_order.po_id || at <= delivery.at) continue;
    for (const { item_id, quantity } of done.body.items) {
      // As the service chooses a line.
      const ofItem = lines.filter((line) => line.item_id === item_id);
      const line = ofItem.find(({ quantity_remaining }) => quantity_remaining > 0) ?? ofItem[0];
      if (!line) continue;
      line.quantity_remaining -= quantity;
      line.quantity_received += quantity;
    }
  }
  return { ...delivery, lines };
}

/** Serial numbers of an item that are received without the net. */
export const serialsKept = (deeds: Deed[], item_id: number): string[] =>
  receiptsOf(deeds)
    .flatMap(({ done }) => done.body.items)
    .flatMap((item) => (item.item_id === item_id ? (item.serial_numbers ?? []) : []));

/** Units to be put away: of which receipts, the first one first; those that the books have are of none. */
export interface Row extends PendingPutAway {
  parts: { key: string | null; units: number }[];
}

const nameOf = (item_id: number, bin_id: number, lot: string | null) => `${item_id}/${bin_id}/${lot ?? ""}`;

/** What is to be put away, as far as the device knows. */
export function rowsOf(pending: Pending | null, deliveries: Delivery[], deeds: Deed[]): Row[] {
  const rows = new Map<string, Row>();
  /** When the stock of an item was read last; of all items where it is not named. */
  const readAt = new Map<number | undefined, number>();
  const reads = [
    ...(pending ? [{ ...pending, items: undefined }] : []),
    ...deliveries.map(({ at, lines, pending_items }) => ({
      ...{ at, rows: pending_items, items: lines.map(({ item_id }) => item_id) },
    })),
  ].sort((one, other) => one.at - other.at);
  for (const { at, items, rows: read } of reads) {
    for (const [name, { item_id }] of rows) if (!items || items.includes(item_id)) rows.delete(name);
    if (!items) readAt.clear();
    for (const item of items ?? [undefined]) readAt.set(item, at);
    for (const row of read)
      rows.set(nameOf(row.item_id, row.bin_id, row.lot_number), {
        ...row,
        parts: [{ key: null, units: row.quantity }],
      });
  }
  const isIn = (item_id: number, at: number) => at <= (readAt.get(item_id) ?? readAt.get(undefined) ?? 0);
  for (const { does, done, key, place, at } of deeds) {
    if (does === "receive") addReceipt(done as Receipt, key, place, at);
    if (does === "put") take(done as PutAway, at);
  }
  return [...rows.values()].filter(({ quantity }) => quantity > 0);

  function addReceipt({ body, lot }: Receipt, key: string, place: number, at: number): void {
    const delivery = deliveries.find(({ purchase_order }) => purchase_order.po_id === body.po_id);
    for (const { item_id, bin_id, quantity } of body.items) {
      const line = delivery?.lines.find((one) => one.item_id === item_id);
      const bin = delivery?.receiving_bins.find((one) => one.bin_id === bin_id);
      // What was received on a shelf is put away.
      if (!line || !bin || isIn(item_id, at)) continue;
      const name = nameOf(item_id, bin.bin_id, lot);
      const row = rows.get(name) ?? {
        ...{ inventory_id: -place, item_id, sku: line.sku, item_name: line.item_name, upc: line.upc },
        ...{ quantity: 0, bin_id: bin.bin_id, bin_code: bin.bin_code, lot_number: lot, parts: [] },
        suggested_bin_id: line.suggested_bin_id,
        suggested_bin_code: line.suggested_bin_code,
        suggested_bin: line.suggested_bin_code,
      };
      row.parts.push({ key, units: quantity });
      rows.set(name, { ...row, quantity: row.quantity + quantity });
    }
  }

  function take({ item_id, from_bin_id, lot_number, quantity }: PutAway, at: number): void {
    const name = nameOf(item_id, from_bin_id, lot_number);
    const row = rows.get(name);
    if (!row || isIn(item_id, at)) return;
    rows.set(name, { ...row, quantity: row.quantity - quantity, parts: without(row.parts, quantity) });
  }
}

function without(parts: Row["parts"], quantity: number): Row["parts"] {
  let left = quantity;
  return parts.flatMap((part) => {
    const taken = Math.min(left, part.units);
    left -= taken;
    return taken < part.units ? [{ ...part, units: part.units - taken }] : [];
  });
}

/** The receipts that so many units of a row are of. */
export function keysOf({ parts }: Row, quantity: number): string[] {
  const rest = without(parts, quantity);
  const gone = parts.filter((part) => !rest.some(({ key, units }) => key === part.key && units === part.units));
  return gone.flatMap(({ key }) => (key === null ? [] : [key]));
}
