import { z } from "zod";
import { ItemNotFound } from "../../src/master-data/problems.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { int, text, time } from "../../src/platform/db/columns.js";
import { NOBODY } from "../../src/platform/system-actor.js";
import type { DirectAdjustment, DirectAdjustmentDone } from "../../src/stock/adjustments/shapes.js";
import { BinNotFound } from "../../src/stock/problems.js";
import { command, type Tx } from "../command.js";
import { adjustedSerials, recordAdjustedSerials } from "../serials/adjust.js";
import { adjustStock, type StockChange } from "./adjust-stock.js";

/** Adds units to a bin or removes some, at once and without review (docs/interface.md, Adjustments). */
export function adjustDirectly(input: DirectAdjustment, by: Actor): Promise<DirectAdjustmentDone> {
  return command("adjustments.direct", by, input, async (tx) => {
    const { item_id, bin_id, warehouse_id, adjustment_type, quantity, reason } = input;
    checkWarehouse(by, warehouse_id);
    const item = await tx.row(
      { item_id: int, sku: text, external_id: text, serial_policy: text },
      "select item_id, sku, external_id, serial_policy from items where item_id = $1 for key share",
      [item_id],
    );
    if (!item) throw ItemNotFound();
    const bin = await tx.row(
      { bin_code: text, external_id: text },
      "select bin_code, external_id from bins where bin_id = $1 and warehouse_id = $2 for key share",
      [bin_id, warehouse_id],
    );
    if (!bin) throw BinNotFound({ bin_id });
    const adjustment: AppliedChange = {
      itemId: item_id,
      itemExternalId: item.external_id,
      binId: bin_id,
      binCode: bin.bin_code,
      binExternalId: bin.external_id,
      warehouseId: warehouse_id,
      change: adjustment_type === "ADD" ? quantity : -quantity,
      lot: input.lot_number ?? null,
      expiry: input.expiry_date ?? null,
      serials: await adjustedSerials(tx, item, input.serial_numbers),
      detail: reason,
    };
    const [refusal] = await adjustStock(tx, [adjustment], "adjustment");
    if (refusal) throw refusal;
    const [made] = await recordAdjustments(tx, "DIRECT_ADJUSTMENT", [adjustment], by);
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

/** A change of stock, with the other fields of its row and its event. */
export interface AppliedChange extends StockChange {
  itemExternalId: string;
  binExternalId: string;
  detail: string | null;
}

/** Where units of an item lie, as queries answer it. */
export const PlacedUnits = z.strictObject({
  item_id: int,
  item_external_id: text,
  bin_id: int,
  bin_code: text,
  bin_external_id: text,
  warehouse_id: int,
});
type PlacedUnits = z.infer<typeof PlacedUnits>;

/** The change that takes units from where they lie off the books. */
export const takenOff = (from: PlacedUnits, units: number, detail: string, serials: string[]): AppliedChange => ({
  itemId: from.item_id,
  itemExternalId: from.item_external_id,
  binId: from.bin_id,
  binCode: from.bin_code,
  binExternalId: from.bin_external_id,
  warehouseId: from.warehouse_id,
  change: -units,
  serials,
  detail,
});

const Made = z.strictObject({ adjustment_id: int, external_id: text, adjusted_at: time });
type Made = z.infer<typeof Made>;

/** Records adjustments that were applied without a review: an APPROVED row each, with `recordApplied`. */
export async function recordAdjustments(
  tx: Tx,
  reasonCode: string,
  adjustments: AppliedChange[],
  by: Actor,
): Promise<Made[]> {
  const made = await tx.rows(
    Made,
    `insert into inventory_adjustments
       (item_id, bin_id, warehouse_id, quantity_change, reason_detail, reason_code, status, adjusted_by)
     select item_id, bin_id, warehouse_id, change, detail, :reasonCode, 'APPROVED', :username
     from unnest(:item_ids::int[], :bin_ids::int[], :warehouse_ids::int[], :changes::int[], :details::text[])
       with ordinality as a(item_id, bin_id, warehouse_id, change, detail, place)
     order by place
     returning adjustment_id, external_id, adjusted_at`,
    {
      reasonCode,
      username: by.username,
      item_ids: adjustments.map((a) => a.itemId),
      bin_ids: adjustments.map((a) => a.binId),
      warehouse_ids: adjustments.map((a) => a.warehouseId),
      changes: adjustments.map((a) => a.change),
      details: adjustments.map((a) => a.detail),
    },
  );
  adjustments.forEach((adjustment, i) => {
    recordApplied(tx, { ...(made[i] as Made), ...adjustment, reasonCode }, by);
  });
  return made;
}

/** An adjustment's row, with the change of stock that it made. */
interface Applied extends Pick<Made, "adjustment_id" | "external_id">, Omit<AppliedChange, "detail"> {
  reasonCode: string;
  detail?: string | null;
  cycleCountId?: number;
}

/**
 * Records an applied adjustment besides its row: an ADJUST audit row, an `inventoryadjusted.completed` event, and the
 * serials that it named.
 */
export function recordApplied(tx: Tx, applied: Applied, by: Actor): void {
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
      ...(applied.serials?.length && { serial_numbers: applied.serials }),
      ...(applied.lot && { lot_number: applied.lot }),
    },
  });
  recordAdjustedSerials(tx.later, applied, by);
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
      ...(applied.serials?.length && { serial_numbers: applied.serials }),
      reason_code: applied.reasonCode,
      applied_by_user_external_id: by.externalId === NOBODY ? null : by.externalId,
      applied_at: tx.now,
    },
  });
}

/**
 * Saves the status after a review. An APPROVED row gets the change that was made to stock; the counted quantity stays
 * on the count's line.
 */
export async function saveDecisions(
  tx: Tx,
  status: "APPROVED" | "REJECTED",
  adjustments: { adjustment_id: number }[],
  changes: StockChange[] = [],
): Promise<void> {
  await tx.run(
    `update inventory_adjustments a set status = $1, quantity_change = coalesce(r.change, quantity_change)
     from unnest($2::int[], $3::int[]) as r(adjustment_id, change) where a.adjustment_id = r.adjustment_id`,
    [status, adjustments.map((adjustment) => adjustment.adjustment_id), changes.map(({ change }) => change)],
  );
}

interface RejectedAdjustment {
  adjustment_id: number;
  item_id: number;
  bin_id: number;
  warehouse_id: number;
  quantity_change: number;
  cycle_count_id?: number;
  superseded_by_count_id?: number;
}

/** Audits a rejected adjustment. */
export function auditRejection(tx: Tx, rejected: RejectedAdjustment): void {
  const { cycle_count_id, item_id, bin_id, quantity_change, superseded_by_count_id } = rejected;
  tx.audit({
    action: "UPDATE",
    entity: "INVENTORY_ADJUSTMENT",
    entityId: rejected.adjustment_id,
    warehouseId: rejected.warehouse_id,
    details: { status: "REJECTED", cycle_count_id, item_id, bin_id, quantity_change, superseded_by_count_id },
  });
}
