import { type Actor, checkWarehouse } from "../src/actor.js";
import { ItemNotFound } from "../src/lookup/problems.js";
import {
  BinNotPickable,
  DestinationElsewhere,
} from "../src/putaway/problems.js";
import { BinNotFound } from "../src/receiving/problems.js";
import { command, type Tx } from "./command.js";
import { lockMove, moveStock } from "./stock-moves.js";

export interface PutAway {
  item_id: number;
  from_bin_id: number;
  to_bin_id: number;
  quantity: number;
  lot_number?: string | null | undefined;
}

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
  input: PutAway,
  by: Actor,
): Promise<PutAwayDone> {
  return command("putaway.confirm", by, input, async (tx) => {
    const { item_id, quantity } = input;
    const lot = input.lot_number ?? null;
    const item = await tx.row<{ sku: string }>(
      "select sku from items where item_id = $1",
      [item_id],
    );
    if (!item) throw ItemNotFound();
    const from = await binOf(tx, input.from_bin_id);
    const to = await binOf(tx, input.to_bin_id);
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
    await moveStock(tx, move, quantity, from.bin_code);
    const transfer = (await tx.row<{ transfer_id: number }>(
      `insert into bin_transfers
         (item_id, from_bin_id, to_bin_id, warehouse_id, quantity, transfer_type, lot_number, transferred_by)
       values ($1, $2, $3, $4, $5, 'PUTAWAY', $6, $7) returning transfer_id`,
      [
        item_id,
        from.bin_id,
        to.bin_id,
        from.warehouse_id,
        quantity,
        lot,
        by.username,
      ],
    )) as { transfer_id: number };
    tx.audit({
      action: "PUTAWAY",
      entity: "ITEM",
      entityId: item_id,
      warehouseId: from.warehouse_id,
      details: {
        item_id,
        ...transfer,
        from_bin_id: from.bin_id,
        to_bin_id: to.bin_id,
        quantity,
        lot_number: lot,
      },
    });
    return {
      message: `Put away ${quantity} of ${item.sku} in ${to.bin_code}`,
      ...transfer,
      item: item.sku,
      from_bin: from.bin_code,
      to_bin: to.bin_code,
      quantity,
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
    // The item's row guards its preferred bins: two users who choose at once do so one after the other.
    const item = await tx.row<{ sku: string }>(
      "select sku from items where item_id = $1 for no key update",
      [item_id],
    );
    if (!item) throw ItemNotFound();
    const { bin_code, bin_type, warehouse_id } = await binOf(tx, bin_id);
    checkWarehouse(by, warehouse_id);
    if (bin_type !== "Pickable")
      throw BinNotPickable({ bin: bin_code, bin_type });
    if (set_as_primary) await putFirst(tx, item_id, bin_id);
    tx.audit({
      action: "PREFERRED_BIN_UPDATE",
      entity: "ITEM",
      entityId: item_id,
      warehouseId: warehouse_id,
      details: { item_id, bin_id, bin_code, set_as_primary },
    });
    const message = set_as_primary
      ? `${bin_code} is now the preferred bin of ${item.sku}`
      : "Nothing changed";
    return { message, item_id, bin_id, bin_code };
  });
}

async function putFirst(tx: Tx, itemId: number, binId: number): Promise<void> {
  await tx.run(
    "insert into preferred_bins (item_id, bin_id, priority) values ($1, $2, 1) on conflict (item_id, bin_id) do nothing",
    [itemId, binId],
  );
  await tx.run(
    `update preferred_bins p set priority = r.place, updated_at = now()
     from (select preferred_bin_id, row_number() over (order by bin_id = $2 desc, priority, preferred_bin_id) as place
           from preferred_bins where item_id = $1) r
     where p.preferred_bin_id = r.preferred_bin_id and p.priority <> r.place`,
    [itemId, binId],
  );
  await tx.run(
    "update items set default_bin_id = $2, updated_at = now() where item_id = $1",
    [itemId, binId],
  );
}

async function binOf(tx: Tx, binId: number) {
  const bin = await tx.row<{
    bin_id: number;
    bin_code: string;
    bin_type: string;
    warehouse_id: number;
  }>(
    "select bin_id, bin_code, bin_type, warehouse_id from bins where bin_id = $1",
    [binId],
  );
  if (!bin) throw BinNotFound({ bin_id: binId });
  return bin;
}
