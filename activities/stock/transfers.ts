import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { BinNotFound, InsufficientStock } from "../../src/stock/problems.js";
import type {
  BinTransferDone,
  BinTransferWithReason,
  InterWarehouseTransferDone,
  NewInterWarehouseTransfer,
} from "../../src/stock/transfers/shapes.js";
import { command, type Tx } from "../command.js";
import { transferBetweenBins } from "./transfer-between-bins.js";

/**
 * Moves units from one bin to another of the same warehouse (docs/interface.md, Moves): stock, a MOVE transfer, a
 * TRANSFER audit row and `inventorytransfer.completed`, whose two warehouses are the same.
 */
export function moveBetweenBins(input: BinTransferWithReason, by: Actor): Promise<BinTransferDone> {
  return command("transfers.move", by, input, async (tx) => {
    const { item, transfer, from, to } = await moveLot(tx, input, by, "MOVE");
    return {
      message: `Moved ${input.quantity} of ${item.sku} to ${to.bin_code}`,
      transfer_id: transfer.transfer_id,
      item: { sku: item.sku, item_name: item.item_name },
      from_bin: { bin_code: from.bin_code, remaining_quantity: from.on_hand },
      to_bin: { bin_code: to.bin_code, new_quantity: to.on_hand },
      quantity_moved: input.quantity,
    };
  });
}

/**
 * The same for a request that names no lot, as those for transfers between warehouses: units of any lot, each lot as a
 * transfer of its own. The answer names the first one. They are listed among the transfers between warehouses, because
 * they were requested there.
 */
export function moveWithinWarehouse(input: NewInterWarehouseTransfer, by: Actor): Promise<InterWarehouseTransferDone> {
  return command("inter-warehouse.transfer", by, input, async (tx) => {
    const { item_id, from_bin_id, to_bin_id, quantity, from_warehouse_id } = input;
    const reason = input.reason || null;
    checkWarehouse(by, from_warehouse_id);
    const lots = await lotsIn(tx, item_id, from_bin_id);
    if (lots[0] && lots[0].warehouse_id !== from_warehouse_id) throw BinNotFound({ bin_id: from_bin_id });
    let left = quantity;
    const moves: BinTransferWithReason[] = [];
    for (const { lot_number, quantity_on_hand } of lots) {
      const units = Math.min(left, quantity_on_hand);
      if (units > 0) moves.push({ item_id, from_bin_id, to_bin_id, quantity: units, lot_number, reason });
      left -= units;
    }
    if (lots[0] && left > 0)
      throw InsufficientStock({ bin: lots[0].bin_code, available: quantity - left, requested: quantity });
    // Where there is no stock at all, the move itself refuses.
    const [first = { item_id, from_bin_id, to_bin_id, quantity }, ...others] = moves;
    const moved = await moveLot(tx, first, by, "INTER_WAREHOUSE");
    for (const other of others) await moveLot(tx, other, by, "INTER_WAREHOUSE");
    const { item, transfer, from, to, warehouse_id } = moved;
    return {
      transfer_id: transfer.transfer_id,
      item_id,
      sku: item.sku,
      from_bin_id,
      from_bin_code: from.bin_code,
      from_warehouse_id: warehouse_id,
      to_bin_id,
      to_bin_code: to.bin_code,
      to_warehouse_id: warehouse_id,
      quantity,
      reason,
      transferred_at: tx.now,
    };
  });
}

const LotsInRow = { lot_number: text.nullable(), quantity_on_hand: int, bin_code: text, warehouse_id: int };

/** The lots of an item in a bin, and the bin. */
const lotsIn = (tx: Tx, itemId: number, binId: number) =>
  tx.rows(
    LotsInRow,
    `select lot_number, quantity_on_hand, bin_code, b.warehouse_id from inventory join bins b using (bin_id)
     where item_id = $1 and bin_id = $2 and quantity_on_hand > 0 order by lot_number nulls first`,
    [itemId, binId],
  );

/** Moves units of one lot, with the event of a move. */
export async function moveLot(
  tx: Tx,
  input: BinTransferWithReason,
  by: Actor,
  type: "MOVE" | "REPLENISH" | "INTER_WAREHOUSE",
) {
  const moved = await transferBetweenBins(tx, input, { type, action: "TRANSFER" }, by);
  const { item, transfer, warehouse_id } = moved;
  const { transfer_id, external_id } = transfer;
  tx.emit({
    type: "inventorytransfer.completed",
    aggregateId: external_id,
    entity: "inventory_transfer",
    entityId: transfer_id,
    warehouseId: warehouse_id,
    data: {
      transfer_external_id: external_id,
      from_warehouse_id: warehouse_id,
      to_warehouse_id: warehouse_id,
      lines: [{ item_external_id: item.external_id, sku: item.sku, quantity: input.quantity }],
      completed_at: tx.now,
    },
  });
  return moved;
}
