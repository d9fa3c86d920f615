import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Actor, binFor, checkWarehouse } from "../../src/platform/actor.js";
import { checkScans } from "../../src/platform/barcodes/match.js";
import { int, text } from "../../src/platform/db/columns.js";
import { mayBecome, salesOrderStates } from "../../src/platform/states.js";
import * as problems from "../../src/returns/problems.js";
import type { NewReturnReceipt } from "../../src/returns/shapes.js";
import type { ReceivedUnits } from "../../src/returns/workflow.js";
import { ConcurrentChange, command, type Tx } from "../command.js";
import { holdUnits } from "../lots/hold-stock.js";
import { labelsOf } from "../serials/named.js";
import { returningSerials, returnSerials } from "../serials/return.js";
import { checkArrival } from "../stock/arrivals.js";
import { receiveLines } from "../stock/line-counters.js";
import { asPoliciesAsk, policiesOf } from "../stock/policies.js";
import { addStock } from "../stock/stock.js";
import { expectedOf, LINES, ReturnedLine, remainingOf } from "./expected.js";
import { type LockedReturn, lockReturn } from "./lock.js";
import { onlyLot } from "./lots.js";

type Arrival = NewReturnReceipt & { so_id: number };

/**
 * Receives units of a return into a bin, which may be in another of the caller's warehouses (docs/interface.md,
 * Returns): the receipt, line counters, stock, the return's status, audit RETURN_RECEIVE, `return.received`. Orders
 * that wait for the item are looked at, unless the units have a condition: those are held at once. The
 * `idempotency_key` is the receipt's external id: the same request again changes nothing, another one with it is
 * refused.
 */
export function receiveReturn(input: Arrival, by: Actor): Promise<ReceivedUnits> {
  return command("returns.receive", by, input, async (tx) => {
    const { so_id, item_id, quantity } = input;
    const [{ order, increase }, lines, , bin, earlier, policies] = await tx.inOrder([
      lockReturn(tx, so_id, by, input),
      tx.rows(ReturnedLine, LINES, [so_id]),
      tx.run("select from bins where bin_id = $1 for key share", [input.bin_id]),
      tx.row(Bin, BIN, [input.bin_id]),
      input.idempotency_key ? tx.row(Receipt, RECEIPT, [input.idempotency_key]) : undefined,
      policiesOf(tx, input.bin_id, [item_id]),
    ]);
    checkWarehouse(by, input.warehouse_id);
    const { so_number, order_type, status } = order;
    if (order_type !== "return") throw problems.NotAReturn({ so_number, order_type });
    if (earlier) return replay(earlier, input, order, lines);
    if (order.voided) throw problems.ReturnNotOpen({ so_number, status: "voided" });
    if (!bin) throw problems.ReturnBinNotFound({ bin_id: input.bin_id });
    const { warehouse_id } = bin;
    if (warehouse_id !== input.warehouse_id)
      throw problems.ReturnBinElsewhere({ bin: binFor(by, bin, input.bin_id), warehouse_id: input.warehouse_id });
    await checkArrival(tx, input.bin_id);
    const portions = portionsOf(lines, input, order);
    const became = lines.every((line) => remainingOf(line) === 0) ? "RECEIVED" : "PARTIALLY_RECEIVED";
    if (became !== status && !mayBecome(salesOrderStates, status, became))
      throw problems.ReturnNotOpen({ so_number, status });

    await checkScans(tx, labelsOf(input));
    const serials = await returningSerials(tx, input, portions[0] as ReturnedLine, order);
    const known = input.lot_number ? undefined : await onlyLot(tx, order.parent_so_id, item_id);
    const units = {
      itemId: item_id,
      binId: input.bin_id,
      warehouseId: warehouse_id,
      lot: input.lot_number || known?.lot_number || null,
      expiry: input.expiry_date ?? known?.expiry_date ?? null,
      produced: null,
      inferred: { lot: !input.lot_number, produced: true },
      isNew: false,
      quantity,
    };
    const arrivals = await asPoliciesAsk(tx, policies, [units]);
    const lot = arrivals[0]?.lot ?? null;
    const receipt = { receipt_id: bin.receipt_id, external_id: input.idempotency_key ?? randomUUID() };
    const [stored] = await Promise.all([
      tx.run(INSERT_RECEIPT, {
        ...{ ...receipt, so_id, so_line_id: portions.length === 1 ? portions[0]?.so_line_id : null, item_id, quantity },
        ...{ bin_id: input.bin_id, warehouse_id, username: by.username, notes: input.notes || null, lot },
        condition: input.condition ?? null,
      }),
      addStock(tx.later, increase, arrivals),
      receiveLines(tx.later, portions),
      returnSerials(tx, item_id, serials, order, { receipt_id: bin.receipt_id, warehouse_id, lot }, by),
      tx.later.run("update sales_orders set status = $2, updated_at = clock_timestamp() where so_id = $1", [
        so_id,
        became,
      ]),
    ]);
    if (stored === 0) throw new ConcurrentChange("the key was used on another return meanwhile");
    const inspection = input.condition ? await holdReturned(tx, { ...input, lot }, order, by) : null;
    record(tx, order, { ...receipt, ...bin, line: portions[0] as ReturnedLine, status: became }, input, serials, by);
    const answered = answer(receipt.receipt_id, became, order, lines, input);
    return inspection ? { ...answered, inspection_id: inspection } : answered;
  });
}

const Bin = z.strictObject({ bin_code: text, warehouse_id: int, warehouse_code: text, receipt_id: int });
type Bin = z.infer<typeof Bin>;

/** The bin, which is locked against deletion, and an id for the receipt. */
const BIN = `
  select bin_code, b.warehouse_id, warehouse_code, nextval('item_receipts_receipt_id_seq') as receipt_id
  from bins b join warehouses using (warehouse_id) where bin_id = $1`;

const Receipt = z.strictObject({
  receipt_id: int,
  so_id: int.nullable(),
  item_id: int,
  quantity: int,
  warehouse_id: int,
  bin_id: int,
  notes: text.nullable(),
  lot_number: text.nullable(),
  condition: text.nullable(),
});
type Receipt = z.infer<typeof Receipt>;

const RECEIPT = `
  select receipt_id, so_id, item_id, quantity_received as quantity, warehouse_id, bin_id, notes, lot_number, condition
  from item_receipts where external_id = $1`;

const INSERT_RECEIPT = `
  insert into item_receipts
    (receipt_id, external_id, so_id, so_line_id, item_id, quantity_received, bin_id, warehouse_id, received_by, notes,
     lot_number, condition)
  values (:receipt_id, :external_id, :so_id, :so_line_id, :item_id, :quantity, :bin_id, :warehouse_id, :username,
          :notes, :lot, :condition)
  on conflict (external_id) do nothing`;

/**
 * Puts units that have just come on hold, before any order gets them. Returns the inspection of those in quarantine.
 */
async function holdReturned(
  tx: Tx,
  { condition, notes, lot, item_id, bin_id, warehouse_id, quantity }: Arrival & { lot: string | null },
  { so_number }: LockedReturn,
  by: Actor,
): Promise<number | null> {
  const row = await tx.row(
    { inventory_id: int },
    "select inventory_id from inventory where item_id = $1 and bin_id = $2 and lot_number is not distinct from $3",
    [item_id, bin_id, lot],
  );
  const place = { inventory_id: row?.inventory_id as number, item_id, warehouse_id };
  const reason = notes || `came back on ${so_number}`;
  const hold = await holdUnits(tx, place, { quantity, condition: condition ?? "QUARANTINE", reason }, by);
  return hold.inspection_id;
}

function replay(earlier: Receipt, input: Arrival, order: LockedReturn, lines: ReturnedLine[]): ReceivedUnits {
  const same = (["so_id", "item_id", "quantity", "warehouse_id", "bin_id"] as const).every(
    (field) => earlier[field] === input[field],
  );
  const otherCondition = earlier.condition !== (input.condition ?? null);
  const otherLot = input.lot_number && earlier.lot_number !== input.lot_number;
  if (!same || otherLot || otherCondition || earlier.notes !== (input.notes || null)) throw problems.ReceiptKeyReused();
  return { ...answer(earlier.receipt_id, order.status, order, lines, input), replayed: true };
}

/** Distributes the units over the lines of their item, in order; returns those lines, with `units` for each. */
function portionsOf(lines: ReturnedLine[], { item_id, quantity }: Arrival, { so_number }: LockedReturn) {
  const ofItem = lines.filter((line) => line.item_id === item_id);
  const [first] = ofItem;
  if (!first) throw problems.ItemNotOnOrder({ item_id, so_number });
  const remaining = ofItem.reduce((sum, line) => sum + remainingOf(line), 0);
  if (quantity > remaining) throw problems.OverReturnReceipt({ quantity, sku: first.sku, remaining, so_number });
  let left = quantity;
  return ofItem.flatMap((line) => {
    const units = Math.min(left, remainingOf(line));
    if (units === 0) return [];
    left -= units;
    line.quantity_received += units;
    return [{ ...line, units }];
  });
}

function answer(
  receipt_id: number,
  status: LockedReturn["status"],
  { so_number }: LockedReturn,
  lines: ReturnedLine[],
  { item_id, quantity }: Arrival,
): ReceivedUnits {
  const sku = lines.find((line) => line.item_id === item_id)?.sku ?? "";
  return {
    message: `Received ${quantity} × ${sku} on ${so_number}`,
    receipt_id,
    status,
    came: { sku, units: quantity },
    expected: expectedOf(lines),
  };
}

/** The audit row and the event. */
function record(
  tx: Tx,
  { so_id, so_number, external_id, parent_external_id }: LockedReturn,
  receipt: Bin & { external_id: string; line: ReturnedLine; status: string },
  { item_id, quantity, bin_id, notes, condition }: Arrival,
  serials: string[],
  by: Actor,
): void {
  const { receipt_id, warehouse_id, status } = receipt;
  tx.audit({
    action: "RETURN_RECEIVE",
    entity: "SO",
    entityId: so_id,
    warehouseId: warehouse_id,
    details: {
      ...{ so_number, item_id, quantity, bin_id, receipt_id, status },
      ...(notes && { notes }),
      ...(condition && { condition }),
    },
  });
  tx.emit({
    type: "return.received",
    aggregateId: external_id,
    entity: "item_receipt",
    entityId: receipt_id,
    warehouseId: warehouse_id,
    data: {
      receipt_external_id: receipt.external_id,
      so_external_id: external_id,
      so_number,
      parent_so_external_id: parent_external_id,
      warehouse_code: receipt.warehouse_code,
      bin_code: receipt.bin_code,
      lines: [
        {
          ...{ item_external_id: receipt.line.item_external_id, sku: receipt.line.sku, quantity_received: quantity },
          ...(serials.length > 0 && { serial_numbers: serials }),
        },
      ],
      received_by_user_external_id: by.externalId,
      received_at: tx.now,
    },
  });
}
