import { randomUUID } from "node:crypto";
import { type Actor, checkWarehouse } from "../src/actor.js";
import { ItemNotFound } from "../src/lookup/problems.js";
import { DestinationElsewhere } from "../src/putaway/problems.js";
import { BinNotFound } from "../src/receiving/problems.js";
import { releaseCovered } from "./backorders.js";
import type { Tx } from "./command.js";
import { lockMove, lockOrMakeMove, moveStock } from "./stock-moves.js";

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
  const { item_id, quantity, from_bin_id, to_bin_id } = input;
  const lot = input.lot_number ?? null;
  const way = {
    from: { itemId: item_id, binId: from_bin_id, lot },
    toBin: to_bin_id,
  };
  const [item, bins, locked] = await Promise.all([
    tx.row<Carried>(
      `select sku, item_name, external_id, nextval('bin_transfers_transfer_id_seq') as transfer_id
       from items where item_id = $1 for key share`,
      [item_id],
    ),
    findBins(tx, [from_bin_id, to_bin_id]),
    lockMove(tx, way),
  ]);
  if (!item) throw ItemNotFound();
  const from = bins.get(from_bin_id);
  if (!from) throw BinNotFound({ bin_id: from_bin_id });
  const to = bins.get(to_bin_id);
  if (!to) throw BinNotFound({ bin_id: to_bin_id });
  const { warehouse_id } = from;
  checkWarehouse(by, warehouse_id);
  if (to.warehouse_id !== warehouse_id) {
    throw DestinationElsewhere({ bin: to.bin_code, from_bin: from.bin_code });
  }
  const move = locked ?? (await lockOrMakeMove(tx, way, warehouse_id));
  await moveStock(tx, move, quantity, from.bin_code);
  const { transfer_id } = item;
  const external_id = randomUUID();
  tx.later.run(
    `insert into bin_transfers (transfer_id, external_id, item_id, from_bin_id, to_bin_id, warehouse_id, quantity, transfer_type,
                                lot_number, reason, transferred_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[transfer_id, external_id, item_id, from_bin_id, to_bin_id],
      ...[warehouse_id, quantity, kind.type, lot, input.reason, by.username],
    ],
  );
  await releaseCovered(tx, move.waiting, "transfer");
  tx.audit({
    action: kind.action,
    entity: "ITEM",
    entityId: item_id,
    warehouseId: warehouse_id,
    details: {
      item_id,
      transfer_id,
      from_bin_id,
      to_bin_id,
      quantity,
      lot_number: lot,
      reason: input.reason ?? undefined,
    },
  });
  return {
    item,
    transfer: { transfer_id, external_id },
    warehouse_id,
    from: {
      bin_code: from.bin_code,
      on_hand: move.from.quantity_on_hand - quantity,
    },
    to: { bin_code: to.bin_code, on_hand: move.to.quantity_on_hand + quantity },
  };
}

interface Carried {
  sku: string;
  item_name: string;
  external_id: string;
  /** For the transfer that tells of it. */
  transfer_id: number;
}

interface Bin {
  bin_id: number;
  bin_code: string;
  bin_type: string;
  warehouse_id: number;
}

export async function binOf(tx: Tx, binId: number): Promise<Bin> {
  const bin = (await findBins(tx, [binId])).get(binId);
  if (!bin) throw BinNotFound({ bin_id: binId });
  return bin;
}

/** Those of the bins that are there, by id; they stay until the transaction ends. */
async function findBins(tx: Tx, binIds: number[]): Promise<Map<number, Bin>> {
  const bins = await tx.rows<Bin>(
    "select bin_id, bin_code, bin_type, warehouse_id from bins where bin_id = any($1) order by bin_id for key share",
    [binIds],
  );
  return new Map(bins.map((bin) => [bin.bin_id, bin]));
}
