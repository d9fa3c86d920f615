import { z } from "zod";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { checkScans, filled } from "../../src/platform/barcodes/match.js";
import { int, text } from "../../src/platform/db/columns.js";
import type { DamageReport } from "../../src/stock/holds/damage.js";
import {
  HoldHasFewer,
  HoldNotFound,
  NothingToHold,
  NotInBin,
  StockRowNotFound,
  UnderInspection,
} from "../../src/stock/holds/problems.js";
import { holdOf } from "../../src/stock/holds/queries.js";
import type { HeldCondition, HoldRelease, NewStockHold, StockHold } from "../../src/stock/holds/shapes.js";
import { ConcurrentChange, command, type Tx } from "../command.js";
import { expectSellable } from "../stock/backorders.js";
import { addHold, endHold, heldUnits } from "../stock/holds.js";
import { pickedUnits } from "../stock/transfer-cuts.js";
import { openInspection } from "./inspections.js";
import { freeUnits, lockClaims } from "./withdraw.js";

const Place = z.strictObject({
  ...{ inventory_id: int, item_id: int, warehouse_id: int, bin_code: text, lot_number: text.nullable() },
});
type Place = z.infer<typeof Place>;
const PLACES = `
  select inventory_id, item_id, v.warehouse_id, bin_code, lot_number from inventory v join bins using (bin_id)`;
const PLACE = `${PLACES} where inventory_id = $1`;
const IN_BIN = `${PLACES} where item_id = $1 and bin_id = $2 and quantity_on_hand > 0`;

/**
 * Puts units of a stock row on hold, in quarantine or among what is damaged (docs/lots.md): they are sold to nobody
 * until they are released. Orders and picks that had them get others, as far as there are any; what was picked stays
 * picked. In quarantine they wait for an inspection. Audit STOCK_HOLD, `stock.held`.
 */
export function holdStock(inventory_id: number, wanted: NewStockHold, by: Actor): Promise<StockHold> {
  return command("stock.hold", by, { inventory_id, ...wanted }, async (tx) => {
    const place = await tx.row(Place, PLACE, [inventory_id]);
    if (!place) throw StockRowNotFound();
    checkWarehouse(by, place.warehouse_id);
    return holdOfRow(tx, place, wanted, by);
  });
}

/**
 * Takes units that somebody on the floor found damaged out of sale (docs/inspection.md): they go into quarantine, where
 * a lead decides about them. Without a lot they are of the stock without one, or of the only lot there. Audit
 * INSPECTION_OPEN and STOCK_HOLD, `stock.held`.
 */
export function reportDamage(report: DamageReport, by: Actor): Promise<StockHold> {
  return command("stock.reportDamage", by, report, async (tx) => {
    const { item_id, bin_id, quantity, reason, lot_number } = filled(report, "lot_number");
    const [places] = await tx.inOrder([tx.rows(Place, IN_BIN, [item_id, bin_id]), checkScans(tx, [report])]);
    const ofLot = places.filter((place) => place.lot_number === (lot_number ?? null));
    const [place] = ofLot.length === 0 && !lot_number && places.length === 1 ? places : ofLot;
    if (places[0]) checkWarehouse(by, places[0].warehouse_id);
    if (!place) throw NotInBin({ lot: lot_number ?? "-" });
    return holdOfRow(tx, place, { quantity, condition: "QUARANTINE", reason }, by);
  });
}

/** Holds units of a stock row, whoever has a claim on them. */
async function holdOfRow(
  tx: Tx,
  place: Place,
  { condition, reason, ...wanted }: NewStockHold,
  by: Actor,
): Promise<StockHold> {
  const { inventory_id } = place;
  const claimed = await lockClaims(tx, place);
  const [held, picked] = await Promise.all([heldUnits(tx, [inventory_id]), pickedUnits(tx, claimed.row)]);
  const available = claimed.row.quantity_on_hand - (held.get(inventory_id) ?? 0) - picked;
  const quantity = wanted.quantity ?? available;
  if (quantity > available || quantity === 0)
    throw NothingToHold({ bin: place.bin_code, available, requested: quantity });
  await freeUnits(tx, claimed, quantity, `units in condition ${condition}: ${reason}`, by);
  return holdUnits(tx, place, { quantity, condition, reason }, by);
}

/**
 * Holds free units of a locked stock row; in quarantine they wait for an inspection. Audit STOCK_HOLD, `stock.held`.
 */
export async function holdUnits(
  tx: Tx,
  { inventory_id, item_id, warehouse_id }: Pick<Place, "inventory_id" | "item_id" | "warehouse_id">,
  { quantity, condition, reason }: { quantity: number; condition: HeldCondition; reason: string },
  by: Actor,
): Promise<StockHold> {
  const inspected = { item_id, warehouse_id, lot_id: null, quantity, reason };
  const inspection_id = condition === "QUARANTINE" ? await openInspection(tx, inspected, by) : null;
  const held_by = by.username;
  const hold_id = await addHold(tx, { inventory_id, quantity, condition, reason, held_by, inspection_id });
  const hold = (await holdOf(tx, hold_id)) as StockHold;
  tellHold(tx, "stock.held", hold, { quantity, reason }, by);
  return hold;
}

/**
 * Releases units of a hold: they go to the orders that wait, as far as their lot and their bin are sold. 409
 * `under_inspection` while an inspection decides about them. Audit STOCK_RELEASE, `stock.released`.
 */
export function releaseHold(hold_id: number, { quantity, reason }: HoldRelease, by: Actor): Promise<StockHold> {
  return command("stock.release", by, { hold_id, quantity, reason }, async (tx) => {
    const found = await holdOf(tx, hold_id);
    if (!found) throw HoldNotFound();
    checkWarehouse(by, found.warehouse_id);
    const increase = await expectSellable(tx, "v.inventory_id = $1", found.inventory_id);
    await tx.run("select from inventory where inventory_id = $1 for update", [found.inventory_id]);
    const hold = (await holdOf(tx, hold_id)) as StockHold;
    if (hold.inventory_id !== found.inventory_id) throw new ConcurrentChange("the units were moved");
    const { quantity_held, inspection_id } = hold;
    const units = quantity ?? quantity_held;
    if (units > quantity_held || units === 0) throw HoldHasFewer({ held: quantity_held, requested: units });
    if (inspection_id !== null && hold.condition === "QUARANTINE") throw UnderInspection({ inspection_id });
    await endHold(tx, increase, hold_id, units);
    tellHold(tx, "stock.released", hold, { quantity: units, reason }, by);
    return (await holdOf(tx, hold_id)) as StockHold;
  });
}

/** An audit row and an event of units that were held or released. */
export function tellHold(
  tx: Tx,
  type: "stock.held" | "stock.released",
  hold: StockHold,
  { quantity, reason }: { quantity: number; reason: string },
  by: Actor,
): void {
  const { hold_id, external_id, item_external_id, sku, bin_external_id, bin_code, lot_number, condition } = hold;
  const { inventory_id, item_id, bin_id, inspection_id } = hold;
  const units = { quantity, condition, reason, lot_number };
  tx.audit({
    action: type === "stock.held" ? "STOCK_HOLD" : "STOCK_RELEASE",
    entity: "HOLD",
    entityId: hold_id,
    warehouseId: hold.warehouse_id,
    details: { inventory_id, item_id, bin_id, ...units, ...(inspection_id && { inspection_id }) },
  });
  tx.emit({
    type,
    aggregateId: external_id,
    entity: "stock_hold",
    entityId: hold_id,
    warehouseId: hold.warehouse_id,
    data: {
      hold_external_id: external_id,
      item_external_id,
      sku,
      bin_external_id,
      bin_code,
      ...units,
      decided_by_user_external_id: by.externalId,
      decided_at: tx.now,
    },
  });
}
