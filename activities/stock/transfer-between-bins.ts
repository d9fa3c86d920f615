import { randomUUID } from "node:crypto";
import { z } from "zod";
import { ItemNotFound } from "../../src/master-data/problems.js";
import { type Actor, binFor, checkWarehouse } from "../../src/platform/actor.js";
import { checkScans, filled } from "../../src/platform/barcodes/match.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { BinNotFound, DestinationElsewhere } from "../../src/stock/problems.js";
import { IS_OPEN } from "../../src/stock/queries.js";
import type { BinTransfer, BinTransferWithReason } from "../../src/stock/transfers/shapes.js";
import type { Tx } from "../command.js";
import { refuseClosed } from "./arrivals.js";
import { expectIncreaseIn } from "./backorders.js";
import { lockFreeMove, lockOrMakeMove, moveStock } from "./moves.js";

/**
 * Moves units between two bins of a warehouse, for a put-away or a move (docs/interface.md, Put-away): reservations and
 * pick tasks of the units move with them, and a `bin_transfers` row and an audit row record the transfer.
 */
export async function transferBetweenBins(
  tx: Tx,
  input: BinTransfer & Pick<BinTransferWithReason, "reason">,
  kind: { type: "PUTAWAY" | "MOVE" | "REPLENISH" | "INTER_WAREHOUSE"; action: "PUTAWAY" | "TRANSFER" },
  by: Actor,
) {
  const { item_id, quantity, from_bin_id, to_bin_id } = input;
  const lot = filled(input, "lot_number").lot_number ?? null;
  const route = { from: { itemId: item_id, binId: from_bin_id, lot }, toBin: to_bin_id };
  const [item, bins, increase, locked] = await tx.inOrder([
    tx.row(
      TransferredItem,
      `select sku, item_name, external_id, nextval('bin_transfers_transfer_id_seq') as transfer_id
       from items where item_id = $1 for key share`,
      [item_id],
    ),
    lockBins(tx, [from_bin_id, to_bin_id]),
    expectIncreaseIn(tx, "transfer", [item_id], [to_bin_id]),
    lockFreeMove(tx, route),
    checkScans(tx, [input]),
  ]);
  if (!item) throw ItemNotFound();
  const from = bins.get(from_bin_id);
  if (!from) throw BinNotFound({ bin_id: from_bin_id });
  const to = bins.get(to_bin_id);
  if (!to) throw BinNotFound({ bin_id: to_bin_id });
  const { warehouse_id } = from;
  checkWarehouse(by, warehouse_id);
  if (to.warehouse_id !== warehouse_id) {
    const bin = binFor(by, to, to_bin_id);
    throw DestinationElsewhere({ bin, from_bin: from.bin_code });
  }
  refuseClosed(to);
  const rows = locked ?? (await lockOrMakeMove(tx, route, warehouse_id));
  await moveStock(tx, { ...rows, increase, ordersFirst: kind.type === "REPLENISH" }, quantity, from.bin_code);
  const { transfer_id } = item;
  const external_id = randomUUID();
  tx.later.run(
    `insert into bin_transfers (transfer_id, external_id, item_id, from_bin_id, to_bin_id, warehouse_id, quantity,
                                transfer_type, lot_number, reason, transferred_by)
     values (:transfer_id, :external_id, :item_id, :from_bin_id, :to_bin_id, :warehouse_id, :quantity, :type, :lot,
             :reason, :username)`,
    {
      transfer_id,
      external_id,
      item_id,
      from_bin_id,
      to_bin_id,
      warehouse_id,
      quantity,
      type: kind.type,
      lot,
      reason: input.reason,
      username: by.username,
    },
  );
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
    from: { bin_code: from.bin_code, on_hand: rows.from.quantity_on_hand - quantity },
    to: { bin_code: to.bin_code, on_hand: rows.to.quantity_on_hand + quantity },
  };
}

const TransferredItem = z.strictObject({
  sku: text,
  item_name: text,
  external_id: text,
  /** The id of the new `bin_transfers` row. */
  transfer_id: int,
});

const Bin = z.strictObject({ bin_id: int, bin_code: text, bin_type: text, warehouse_id: int, is_open: bool });
type Bin = z.infer<typeof Bin>;

export async function lockBin(tx: Tx, binId: number): Promise<Bin> {
  const bin = (await lockBins(tx, [binId])).get(binId);
  if (!bin) throw BinNotFound({ bin_id: binId });
  return bin;
}

/** The existing ones of these bins, by id, locked against deletion until the transaction ends. */
async function lockBins(tx: Tx, binIds: number[]): Promise<Map<number, Bin>> {
  const bins = await tx.rows(
    Bin,
    `select bin_id, bin_code, bin_type, warehouse_id, ${IS_OPEN} as is_open
     from bins b where bin_id = any($1) order by bin_id for key share`,
    [binIds],
  );
  return new Map(bins.map((bin) => [bin.bin_id, bin]));
}
