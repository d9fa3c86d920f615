import type { Actor } from "../src/actor.js";
import { type Carrying, carry } from "./bin-transfers.js";
import { command, type Tx } from "./command.js";
import { lockChoice, placeBin } from "./preferred-bins.js";

export interface PutAwayDone {
  message: string;
  transfer_id: number;
  item: string;
  from_bin: string;
  to_bin: string;
  quantity: number;
}

/**
 * Confirms that goods were carried from one bin to another of the same warehouse (spec 4.4, reference 02 §3): stock, a
 * PUTAWAY transfer and a PUTAWAY audit row. No event.
 */
export function confirmPutAway(
  input: Omit<Carrying, "reason">,
  by: Actor,
): Promise<PutAwayDone> {
  return command("putaway.confirm", by, input, async (tx) => {
    const { item, transfer, from, to } = await carry(
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

export interface PreferredBin {
  item_id: number;
  bin_id: number;
  set_as_primary: boolean;
}

/**
 * Makes a bin the first choice for an item and its default bin; the others move down and stay contiguous 1..K. Without
 * `set_as_primary` nothing changes but the audit trail (reference 02 §3).
 */
export function updatePreferredBin(
  input: PreferredBin,
  by: Actor,
): Promise<{
  message: string;
  item_id: number;
  bin_id: number;
  bin_code: string;
}> {
  return command("putaway.updatePreferred", by, input, async (tx) => {
    const { item_id, bin_id, set_as_primary } = input;
    const { sku, bin_code, warehouse_id } = await lockChoice(tx, input, by);
    if (set_as_primary) await putFirst(tx, item_id, bin_id);
    tx.audit({
      action: "PREFERRED_BIN_UPDATE",
      entity: "ITEM",
      entityId: item_id,
      warehouseId: warehouse_id,
      details: { item_id, bin_id, bin_code, set_as_primary },
    });
    const message = set_as_primary
      ? `${bin_code} is now the preferred bin of ${sku}`
      : "Nothing changed";
    return { message, item_id, bin_id, bin_code };
  });
}

async function putFirst(tx: Tx, itemId: number, binId: number): Promise<void> {
  await placeBin(tx, { item_id: itemId, bin_id: binId, priority: 1 });
  await tx.run(
    "update items set default_bin_id = $2, updated_at = now() where item_id = $1",
    [itemId, binId],
  );
}
