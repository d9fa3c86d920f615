import type { Actor } from "../../src/actor.js";
import type { Token } from "../../src/auth/tokens/token.js";
import { StockPromised, UnknownInboundBin, UnknownInboundItem } from "../../src/inbound/problems.js";
import { DomainError } from "../../src/problem.js";
import { command, type Tx } from "../command.js";
import { setStock } from "../stock/adjust-stock.js";
import { recordAdjustments } from "../stock/adjustments.js";
import { refusalOf } from "./refusals.js";
import { refuseElsewhere } from "./warehouse-scope.js";

/** What is to lie of an item in a bin, as its source says (reference 04 §5.6). */
export interface Target {
  item_external_id: string;
  bin_code: string;
  warehouse_id: number;
  target_quantity: number;
  reason_code: string;
}

interface Current {
  applied_delta: number;
  current_quantity: number;
  target_quantity: number;
  warehouse_id: number;
  bin_id: number;
  item_id: number;
}
export type Updated =
  | (Current & { canonical_id: string; adjustment_id: number; noop: false })
  | (Current & { noop: true });

/**
 * Sets what lies in a bin, as an APPROVED adjustment by the difference; none when that is what lies there. It says what
 * is to be, so the same again changes nothing.
 */
export async function updateInventory(target: Target, token: Token, by: Actor): Promise<Updated> {
  try {
    return await command("inbound.inventory_update", by, target, (tx) => update(tx, target, token, by));
  } catch (error) {
    throw refusalOf(error);
  }
}

async function update(
  tx: Tx,
  { warehouse_id, target_quantity, ...target }: Target,
  token: Token,
  by: Actor,
): Promise<Updated> {
  const { item_external_id, bin_code, reason_code } = target;
  refuseElsewhere(token, warehouse_id);
  const source_system = token.source_system as string;
  const [item, bin] = await Promise.all([
    tx.row<{ item_id: number; external_id: string }>(
      `select item_id, external_id from items
       where external_id = (select canonical_id from cross_system_mappings
                            where source_system = $1 and source_type = 'item' and source_id = $2)
       for key share`,
      [source_system, item_external_id],
    ),
    tx.row<{ bin_id: number; external_id: string }>(
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
  const place = {
    itemId: item.item_id,
    binId: bin.bin_id,
    binCode: bin_code,
    warehouseId: warehouse_id,
  };
  const applied_delta = await unlessPromised(setStock(tx, place, target_quantity, "sync"));
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
  const [made] = await recordAdjustments(tx, reason, [adjustment], by);
  const { external_id, adjustment_id } = made as NonNullable<typeof made>;
  return { canonical_id: external_id, adjustment_id, ...current, noop: false };
}

/** Units that pick tasks are about to take stay where they are. */
async function unlessPromised(set: Promise<number>): Promise<number> {
  try {
    return await set;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw StockPromised({ reason: error.message });
  }
}
