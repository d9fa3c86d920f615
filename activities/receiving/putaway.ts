import type { Actor } from "../../src/platform/actor.js";
import type { PreferredBinChoice, PreferredBinChosen, PutAwayConfirmed } from "../../src/receiving/putaway/shapes.js";
import type { BinTransfer } from "../../src/stock/transfers/shapes.js";
import { command, type Tx } from "../command.js";
import { lockItemAndBin, setPriority } from "../master-data/preferred-bins.js";
import { transferBetweenBins } from "../stock/transfer-between-bins.js";

/**
 * Records that units were put away from one bin into another of the same warehouse (docs/interface.md, Put-away):
 * stock, a PUTAWAY transfer and a PUTAWAY audit row. No event.
 */
export function confirmPutAway(input: BinTransfer, by: Actor): Promise<PutAwayConfirmed> {
  return command("putaway.confirm", by, input, async (tx) => {
    const { item, transfer, from, to } = await transferBetweenBins(
      tx,
      input,
      { type: "PUTAWAY", action: "PUTAWAY" },
      by,
    );
    return {
      message: `Put away ${input.quantity} of ${item.sku} in ${to.bin_code}`,
      transfer_id: transfer.transfer_id,
      item: item.sku,
      from_bin: from.bin_code,
      to_bin: to.bin_code,
      quantity: input.quantity,
    };
  });
}

/**
 * Makes a bin an item's first preferred bin and its default bin; the others move down and stay contiguous 1..K. Without
 * `set_as_primary` only the audit row is written (docs/interface.md, Put-away).
 */
export function updatePreferredBin(input: PreferredBinChoice, by: Actor): Promise<PreferredBinChosen> {
  return command("putaway.updatePreferred", by, input, async (tx) => {
    const { item_id, bin_id, set_as_primary } = input;
    const { sku, bin_code, warehouse_id } = await lockItemAndBin(tx, input, by);
    if (set_as_primary) await makePrimary(tx, item_id, bin_id);
    tx.audit({
      action: "PREFERRED_BIN_UPDATE",
      entity: "ITEM",
      entityId: item_id,
      warehouseId: warehouse_id,
      details: { item_id, bin_id, bin_code, set_as_primary },
    });
    const message = set_as_primary ? `${bin_code} is now the preferred bin of ${sku}` : "Nothing changed";
    return { message, item_id, bin_id, bin_code };
  });
}

async function makePrimary(tx: Tx, itemId: number, binId: number): Promise<void> {
  await setPriority(tx, { item_id: itemId, bin_id: binId, priority: 1 });
  await tx.run("update items set default_bin_id = $2, updated_at = now() where item_id = $1", [itemId, binId]);
}
