import { z } from "zod";
import { ItemNotFound } from "../../src/master-data/problems.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { int, text, time } from "../../src/platform/db/columns.js";
import { BinNotFound, UnitsHeld } from "../../src/stock/problems.js";
import type { InterWarehouseTransferDone, NewInterWarehouseTransfer } from "../../src/stock/transfers/shapes.js";
import { command, type Tx } from "../command.js";
import { lotsOf, remove } from "./adjust-stock.js";
import { checkArrival } from "./arrivals.js";
import { expectIncreaseIn, type StockIncrease } from "./backorders.js";
import { addStock, changeRows, lockLots } from "./stock.js";
import { lockTransfersAt, type TransfersHere } from "./transfer-cuts.js";

/**
 * Moves units of an item from a bin of one warehouse to a bin of another (docs/interface.md, Adjustments). Orders of
 * the first warehouse cannot use them any more: free units move first; then reserved ones, whose orders lose the
 * reservation, the youngest first; units allocated to pick tasks, picked or on hold never move, and a transfer that
 * needs them is rejected. The request names no lot: units are taken from any lot and keep it, each lot in a movement of
 * its own.
 */
export function transferBetweenWarehouses(
  input: NewInterWarehouseTransfer,
  by: Actor,
): Promise<InterWarehouseTransferDone> {
  return command("inter-warehouse.transfer", by, input, async (tx) => {
    const { item_id, quantity, from_warehouse_id, to_warehouse_id } = input;
    checkWarehouse(by, from_warehouse_id);
    checkWarehouse(by, to_warehouse_id);
    const [item, from, to, transfers, increase] = await tx.inOrder([
      tx.row({ sku: text, external_id: text }, "select sku, external_id from items where item_id = $1 for key share", [
        item_id,
      ]),
      lockBinOfWarehouse(tx, input.from_bin_id, from_warehouse_id),
      lockBinOfWarehouse(tx, input.to_bin_id, to_warehouse_id),
      lockTransfersAt(tx, [{ itemId: item_id, binId: input.from_bin_id }]),
      expectIncreaseIn(tx, "transfer", [item_id], [input.to_bin_id]),
    ]);
    if (!item) throw ItemNotFound();
    if (!from) throw BinNotFound({ bin_id: input.from_bin_id });
    if (!to) throw BinNotFound({ bin_id: input.to_bin_id });
    await checkArrival(tx, input.to_bin_id);
    const lots = await moveUnits(tx, { transfers, increase }, input, from.bin_code);
    const reason = input.reason || null;
    const movements: Movement[] = [];
    for (const lot of lots) {
      const made = await move(tx, { ...input, reason, quantity: lot.quantity }, lot.lot_number, item, by);
      movements.push({ ...made, ...lot });
    }
    const [{ transfer_id, transferred_at }] = movements as [Movement];
    return {
      transfer_id,
      item_id,
      sku: item.sku,
      from_bin_id: from.bin_id,
      from_bin_code: from.bin_code,
      from_warehouse_id,
      to_bin_id: to.bin_id,
      to_bin_code: to.bin_code,
      to_warehouse_id,
      quantity,
      reason,
      transferred_at,
      ...(movements.length > 1 && {
        lots: movements.map(({ transfer_id, lot_number, quantity }) => ({ transfer_id, lot_number, quantity })),
      }),
    };
  });
}

/** Units of one lot, or of none. */
interface Moved {
  lot_number: string | null;
  quantity: number;
}
type Movement = Made & Moved;

/** Records the movement of units of one lot, so that the trace of each lot has it; tells of it. */
async function move(
  tx: Tx,
  units: NewInterWarehouseTransfer & { reason: string | null },
  lot_number: string | null,
  item: { external_id: string; sku: string },
  by: Actor,
): Promise<Made> {
  const { item_id, from_bin_id, from_warehouse_id, to_bin_id, to_warehouse_id, quantity, reason } = units;
  const made = (await tx.row(
    Made,
    `insert into bin_transfers
       (item_id, from_bin_id, to_bin_id, warehouse_id, quantity, transfer_type, lot_number, reason, transferred_by)
     values (:item_id, :from_bin_id, :to_bin_id, :from_warehouse_id, :quantity, 'INTER_WAREHOUSE', :lot_number, :reason,
             :username)
     returning transfer_id, external_id, transferred_at`,
    { item_id, from_bin_id, to_bin_id, from_warehouse_id, quantity, lot_number, reason, username: by.username },
  )) as Made;
  const { transfer_id, external_id } = made;
  tx.audit({
    action: "TRANSFER",
    entity: "ITEM",
    entityId: item_id,
    warehouseId: from_warehouse_id,
    details: {
      item_id,
      transfer_id,
      from_warehouse_id,
      from_bin_id,
      to_warehouse_id,
      to_bin_id,
      quantity,
      lots: [{ lot_number, quantity }],
      reason,
    },
  });
  tx.emit({
    type: "inventorytransfer.completed",
    aggregateId: external_id,
    entity: "inventory_transfer",
    entityId: transfer_id,
    warehouseId: to_warehouse_id,
    data: {
      transfer_external_id: external_id,
      from_warehouse_id,
      to_warehouse_id,
      lines: [{ item_external_id: item.external_id, sku: item.sku, quantity, ...(lot_number && { lot_number }) }],
      completed_at: tx.now,
    },
  });
  return made;
}

const Made = z.strictObject({ transfer_id: int, external_id: text, transferred_at: time });
type Made = z.infer<typeof Made>;

const lockBinOfWarehouse = (tx: Tx, binId: number, warehouseId: number) =>
  tx.row(
    { bin_id: int, bin_code: text },
    "select bin_id, bin_code from bins where bin_id = $1 and warehouse_id = $2 for key share",
    [binId, warehouseId],
  );

/**
 * Takes the units from the lots of one bin and puts them into the same lots of the other; returns the units by lot.
 */
async function moveUnits(
  tx: Tx,
  { transfers, increase }: { transfers: TransfersHere; increase: StockIncrease },
  transfer: NewInterWarehouseTransfer,
  fromCode: string,
): Promise<Moved[]> {
  const { item_id, from_bin_id, to_bin_id, to_warehouse_id, quantity } = transfer;
  const rows = await lockLots(tx, [
    { itemId: item_id, binId: from_bin_id },
    { itemId: item_id, binId: to_bin_id },
  ]);
  const source = rows.filter((row) => row.bin_id === from_bin_id);
  const lots = await lotsOf(tx, transfers, source);
  const refusal = remove(lots, quantity, fromCode);
  if (refusal) throw refusal;
  const held = lots.reduce((sum, lot) => sum + lot.unheld, 0);
  if (held > 0) throw UnitsHeld({ bin: fromCode, held });
  const taken = lots.filter((lot) => lot.changed < 0);
  await changeRows(
    tx,
    transfers,
    undefined,
    taken.map(({ inventoryId, changed, released }) => ({ inventoryId, onHand: changed, released })),
  );
  await addStock(
    tx,
    increase,
    taken.map(({ lot, changed, inventoryId }) => ({
      itemId: item_id,
      binId: to_bin_id,
      warehouseId: to_warehouse_id,
      lot,
      expiry: source.find((row) => row.inventory_id === inventoryId)?.expiry_date ?? null,
      quantity: -changed,
    })),
  );
  return taken.map(({ lot, changed }) => ({ lot_number: lot, quantity: -changed }));
}
