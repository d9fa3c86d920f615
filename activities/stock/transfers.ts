import type { Actor } from "../../src/actor.js";
import type { BinTransferDone, BinTransferWithReason } from "../../src/stock/transfers/shapes.js";
import { command } from "../command.js";
import { transferBetweenBins } from "./transfer-between-bins.js";

/**
 * Moves units from one bin to another of the same warehouse (reference 02 §4): stock, a MOVE transfer, a TRANSFER audit
 * row and `inventorytransfer.completed`, whose two warehouses are the same.
 */
export function moveBetweenBins(input: BinTransferWithReason, by: Actor): Promise<BinTransferDone> {
  return command("transfers.move", by, input, async (tx) => {
    const kind = { type: "MOVE", action: "TRANSFER" } as const;
    const { item, transfer, warehouse_id, from, to } = await transferBetweenBins(tx, input, kind, by);
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
    return {
      message: `Moved ${input.quantity} of ${item.sku} to ${to.bin_code}`,
      transfer_id,
      item: { sku: item.sku, item_name: item.item_name },
      from_bin: { bin_code: from.bin_code, remaining_quantity: from.on_hand },
      to_bin: { bin_code: to.bin_code, new_quantity: to.on_hand },
      quantity_moved: input.quantity,
    };
  });
}
