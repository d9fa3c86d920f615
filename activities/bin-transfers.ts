import { type Actor, checkWarehouse } from "../src/actor.js";
import { ItemNotFound } from "../src/lookup/problems.js";
import { DestinationElsewhere } from "../src/putaway/problems.js";
import { BinNotFound } from "../src/receiving/problems.js";
import { releaseCovered } from "./backorders.js";
import type { Tx } from "./command.js";
import { lockMove, moveStock } from "./stock-moves.js";

/** Goods that somebody carried from one bin to another. */
export interface Carrying {
  item_id: number;
  from_bin_id: number;
  to_bin_id: number;
  quantity: number;
  lot_number?: string | null | undefined;
  reason?: string | null | undefined;
}

/**
 * What put-away and a move have in common (reference 02 §3, §4): both bins are in one warehouse, units go from bin to bin with
 * what is promised of them, and a `bin_transfers` row and an audit row tell of it.
 */
export async function carry(
  tx: Tx,
  input: Carrying,
  kind: { type: "PUTAWAY" | "MOVE"; action: "PUTAWAY" | "TRANSFER" },
  by: Actor,
) {
  const { item_id, quantity } = input;
  const lot = input.lot_number ?? null;
  const [item, from, to] = await Promise.all([
    tx.row<{ sku: string; item_name: string; external_id: string }>(
      "select sku, item_name, external_id from items where item_id = $1 for key share",
      [item_id],
    ),
    findBin(tx, input.from_bin_id),
    findBin(tx, input.to_bin_id),
  ]);
  if (!item) throw ItemNotFound();
  if (!from) throw BinNotFound({ bin_id: input.from_bin_id });
  if (!to) throw BinNotFound({ bin_id: input.to_bin_id });
  checkWarehouse(by, from.warehouse_id);
  if (to.warehouse_id !== from.warehouse_id) {
    throw DestinationElsewhere({ bin: to.bin_code, from_bin: from.bin_code });
  }
  const move = await lockMove(
    tx,
    { itemId: item_id, binId: from.bin_id, lot },
    to.bin_id,
    from.warehouse_id,
  );
  const [transfer] = await Promise.all([
    tx.row<{ transfer_id: number; external_id: string }>(
      `insert into bin_transfers
         (item_id, from_bin_id, to_bin_id, warehouse_id, quantity, transfer_type, lot_number, reason, transferred_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning transfer_id, external_id`,
      [
        item_id,
        from.bin_id,
        to.bin_id,
        from.warehouse_id,
        quantity,
        kind.type,
        lot,
        input.reason,
        by.username,
      ],
    ) as Promise<{ transfer_id: number; external_id: string }>,
    moveStock(tx, move, quantity, from.bin_code),
  ]);
  await releaseCovered(tx, move.waiting, "transfer");
  tx.audit({
    action: kind.action,
    entity: "ITEM",
    entityId: item_id,
    warehouseId: from.warehouse_id,
    details: {
      item_id,
      transfer_id: transfer.transfer_id,
      from_bin_id: from.bin_id,
      to_bin_id: to.bin_id,
      quantity,
      lot_number: lot,
      reason: input.reason ?? undefined,
    },
  });
  return {
    item,
    transfer,
    warehouse_id: from.warehouse_id,
    from: {
      bin_code: from.bin_code,
      on_hand: move.from.quantity_on_hand - quantity,
    },
    to: { bin_code: to.bin_code, on_hand: move.to.quantity_on_hand + quantity },
  };
}

export async function binOf(tx: Tx, binId: number) {
  const bin = await findBin(tx, binId);
  if (!bin) throw BinNotFound({ bin_id: binId });
  return bin;
}

/** A bin that stays until the transaction ends. */
const findBin = (tx: Tx, binId: number) =>
  tx.row<{
    bin_id: number;
    bin_code: string;
    bin_type: string;
    warehouse_id: number;
  }>(
    "select bin_id, bin_code, bin_type, warehouse_id from bins where bin_id = $1 for key share",
    [binId],
  );
