import {
  ExpiryUnknown,
  LotUnknown,
  SerialsUnknown,
  StockPromised,
  UnknownInboundBin,
  UnknownInboundItem,
} from "../../src/inbound/problems.js";
import type { InventoryTarget, InventoryUpdated } from "../../src/inbound/shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { DomainError } from "../../src/platform/problem.js";
import { command, type Tx } from "../command.js";
import { setStock } from "../stock/adjust-stock.js";
import { recordAdjustments } from "../stock/adjustments.js";
import type { RecordSender } from "./incoming.js";
import { checkSenderWarehouse } from "./incoming.js";
import { refusalOf } from "./refusals.js";

/**
 * The quantity that a bin is to have of an item. For an item that the source never sent, the one with the SKU is meant,
 * if there is one.
 */
type Target = InventoryTarget & { sku?: string | undefined };

/**
 * Sets the stock of an item in a bin, by an APPROVED adjustment of the difference; without a difference there is none,
 * so a repeat changes nothing.
 */
export async function updateInventory(target: Target, sender: RecordSender, by: Actor): Promise<InventoryUpdated> {
  try {
    return await command("inbound.inventory_update", by, target, (tx) => setInventory(tx, target, sender, by));
  } catch (error) {
    throw refusalOf(error);
  }
}

/** The same within a transaction. */
export async function setInventory(
  tx: Tx,
  { warehouse_id, target_quantity, ...target }: Target,
  sender: RecordSender,
  by: Actor,
): Promise<InventoryUpdated> {
  const { item_external_id, sku, bin_code, reason_code } = target;
  checkSenderWarehouse(sender, warehouse_id);
  const { source_system } = sender;
  const [item, bin] = await tx.inOrder([
    tx.row(
      { item_id: int, external_id: text },
      `select item_id, external_id from items
       where external_id = coalesce((select canonical_id from cross_system_mappings
                                     where source_system = $1 and source_type = 'item' and source_id = $2),
                                    (select external_id from items where sku = $3))
       for key share`,
      [source_system, item_external_id, sku ?? null],
    ),
    tx.row(
      { bin_id: int, external_id: text },
      `select bin_id, external_id from bins
       where warehouse_id = $1 and bin_code = $2 for key share`,
      [warehouse_id, bin_code],
    ),
  ]);
  if (!item) {
    const unknown = { item_external_id, source_system };
    throw UnknownInboundItem(unknown, unknown);
  }
  if (!bin) {
    const unknown = { warehouse_id, bin_code };
    throw UnknownInboundBin(unknown, unknown);
  }
  const place = { itemId: item.item_id, binId: bin.bin_id, binCode: bin_code, warehouseId: warehouse_id };
  const applied_delta = await refusing(setStock(tx, place, target_quantity, "sync"));
  const current = {
    applied_delta,
    current_quantity: target_quantity,
    target_quantity,
    warehouse_id,
    bin_id: bin.bin_id,
    item_id: item.item_id,
  };
  if (applied_delta === 0) return { ...current, noop: true };
  const adjustment = {
    ...place,
    itemExternalId: item.external_id,
    binExternalId: bin.external_id,
    change: applied_delta,
    detail: null,
  };
  const reason = reason_code.slice(0, 60);
  const [recorded] = await recordAdjustments(tx, reason, [adjustment], by);
  const { external_id, adjustment_id } = recorded as NonNullable<typeof recorded>;
  return { canonical_id: external_id, adjustment_id, ...current, noop: false };
}

/**
 * The result of setting the stock. 409 where units that pick tasks need would be removed, or added without what their
 * item asks for.
 */
async function refusing(stockSet: Promise<number>): Promise<number> {
  try {
    return await stockSet;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const refusal =
      [LotUnknown, ExpiryUnknown, SerialsUnknown].find(({ kind }) => kind === error.kind) ?? StockPromised;
    throw refusal({ reason: error.message });
  }
}
