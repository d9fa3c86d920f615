import { type Actor, checkWarehouse } from "../src/actor.js";
import { ItemNotFound } from "../src/items/problems.js";
import { BinNotFound } from "../src/receiving/problems.js";
import { NOBODY } from "../src/system.js";
import { adjustStock, type StockChange } from "./adjust-stock.js";
import { command, type Tx } from "./command.js";

export interface DirectAdjustment {
  item_id: number;
  bin_id: number;
  warehouse_id: number;
  adjustment_type: "ADD" | "REMOVE";
  quantity: number;
  reason: string;
}

export interface Adjusted {
  adjustment_id: number;
  item_id: number;
  sku: string;
  bin_id: number;
  bin_code: string;
  warehouse_id: number;
  adjustment_type: "ADD" | "REMOVE";
  quantity_change: number;
  reason: string;
  status: "APPROVED";
  adjusted_at: string;
}

/** Adds units to a bin or removes some, at once and without review (reference 03 §8). */
export function adjustDirectly(
  input: DirectAdjustment,
  by: Actor,
): Promise<Adjusted> {
  return command("adjustments.direct", by, input, async (tx) => {
    const { item_id, bin_id, warehouse_id, adjustment_type, quantity, reason } =
      input;
    checkWarehouse(by, warehouse_id);
    const item = await tx.row<{ sku: string; external_id: string }>(
      "select sku, external_id from items where item_id = $1 for key share",
      [item_id],
    );
    if (!item) throw ItemNotFound();
    const bin = await tx.row<{ bin_code: string; external_id: string }>(
      "select bin_code, external_id from bins where bin_id = $1 and warehouse_id = $2 for key share",
      [bin_id, warehouse_id],
    );
    if (!bin) throw BinNotFound({ bin_id });
    const adjustment: Adjustment = {
      itemId: item_id,
      itemExternalId: item.external_id,
      binId: bin_id,
      binCode: bin.bin_code,
      binExternalId: bin.external_id,
      warehouseId: warehouse_id,
      change: adjustment_type === "ADD" ? quantity : -quantity,
      detail: reason,
    };
    const [refusal] = await adjustStock(tx, [adjustment], "adjustment");
    if (refusal) throw refusal;
    const [made] = await recordAdjustments(
      tx,
      "DIRECT_ADJUSTMENT",
      [adjustment],
      by,
    );
    return {
      adjustment_id: (made as Made).adjustment_id,
      item_id,
      sku: item.sku,
      bin_id,
      bin_code: bin.bin_code,
      warehouse_id,
      adjustment_type,
      quantity_change: adjustment.change,
      reason,
      status: "APPROVED",
      adjusted_at: (made as Made).adjusted_at,
    };
  });
}

/** A change of stock, with what its record and its event say of it. */
export interface Adjustment extends StockChange {
  itemExternalId: string;
  binExternalId: string;
  detail: string | null;
}

interface Made {
  adjustment_id: number;
  external_id: string;
  adjusted_at: string;
}

/** Records adjustments that are applied at once: an APPROVED row each, and what `tellAdjustment` leaves behind. */
export async function recordAdjustments(
  tx: Tx,
  reasonCode: string,
  adjustments: Adjustment[],
  by: Actor,
): Promise<Made[]> {
  const made = await tx.rows<Made>(
    `insert into inventory_adjustments
       (item_id, bin_id, warehouse_id, quantity_change, reason_detail, reason_code, status, adjusted_by)
     select item_id, bin_id, warehouse_id, change, detail, $1, 'APPROVED', $2
     from unnest($3::int[], $4::int[], $5::int[], $6::int[], $7::text[])
       with ordinality as a(item_id, bin_id, warehouse_id, change, detail, place)
     order by place
     returning adjustment_id, external_id, adjusted_at`,
    [
      reasonCode,
      by.username,
      adjustments.map((a) => a.itemId),
      adjustments.map((a) => a.binId),
      adjustments.map((a) => a.warehouseId),
      adjustments.map((a) => a.change),
      adjustments.map((a) => a.detail),
    ],
  );
  adjustments.forEach((adjustment, i) => {
    tellAdjustment(tx, { ...(made[i] as Made), ...adjustment, reasonCode }, by);
  });
  return made;
}

/** An adjustment's row, and by how much it changed stock. */
interface Applied
  extends Pick<Made, "adjustment_id" | "external_id">,
    Omit<Adjustment, "detail"> {
  reasonCode: string;
  detail?: string | null;
  cycleCountId?: number;
}

/** What every applied adjustment leaves behind besides its row: an ADJUST audit row and `inventoryadjusted.completed`. */
export function tellAdjustment(tx: Tx, applied: Applied, by: Actor): void {
  tx.audit({
    action: "ADJUST",
    entity: "ITEM",
    entityId: applied.itemId,
    warehouseId: applied.warehouseId,
    details: {
      adjustment_id: applied.adjustment_id,
      item_id: applied.itemId,
      bin_id: applied.binId,
      quantity_change: applied.change,
      reason_code: applied.reasonCode,
      reason: applied.detail,
      cycle_count_id: applied.cycleCountId,
    },
  });
  tx.emit({
    type: "inventoryadjusted.completed",
    aggregateId: applied.external_id,
    entity: "inventory_adjustment",
    entityId: applied.adjustment_id,
    warehouseId: applied.warehouseId,
    data: {
      adjustment_external_id: applied.external_id,
      item_external_id: applied.itemExternalId,
      bin_external_id: applied.binExternalId,
      quantity_delta: applied.change,
      reason_code: applied.reasonCode,
      applied_by_user_external_id:
        by.externalId === NOBODY ? null : by.externalId,
      applied_at: tx.now,
    },
  });
}

/** Writes what was decided. An APPROVED row says by how much stock changed; what was counted stays on the count's line. */
export async function saveDecisions(
  tx: Tx,
  status: "APPROVED" | "REJECTED",
  adjustments: { adjustment_id: number }[],
  changes: StockChange[] = [],
): Promise<void> {
  await tx.run(
    `update inventory_adjustments a set status = $1, quantity_change = coalesce(r.change, quantity_change)
     from unnest($2::int[], $3::int[]) as r(adjustment_id, change) where a.adjustment_id = r.adjustment_id`,
    [
      status,
      adjustments.map((adjustment) => adjustment.adjustment_id),
      changes.map(({ change }) => change),
    ],
  );
}

interface Rejected {
  adjustment_id: number;
  item_id: number;
  bin_id: number;
  warehouse_id: number;
  quantity_change: number;
  cycle_count_id?: number;
}

/** What an adjustment that nobody believes leaves behind besides its row. */
export function tellRejection(tx: Tx, rejected: Rejected): void {
  const { cycle_count_id, item_id, bin_id, quantity_change } = rejected;
  tx.audit({
    action: "UPDATE",
    entity: "INVENTORY_ADJUSTMENT",
    entityId: rejected.adjustment_id,
    warehouseId: rejected.warehouse_id,
    details: {
      ...{ status: "REJECTED", cycle_count_id },
      ...{ item_id, bin_id, quantity_change },
    },
  });
}
