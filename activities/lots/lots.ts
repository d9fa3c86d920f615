import { LotNotFound, LotNotHeld } from "../../src/lots/problems.js";
import { lotOf } from "../../src/lots/queries.js";
import type { Lot, LotChanges, LotHold, LotRelease } from "../../src/lots/shapes.js";
import { type Actor, visibleWarehouses } from "../../src/platform/actor.js";
import { LotRecalled } from "../../src/recalls/problems.js";
import { openRecallOfLot } from "../../src/recalls/queries.js";
import { ExpiresBeforeProduction } from "../../src/stock/problems.js";
import { type AuditEntry, command, type Tx } from "../command.js";
import { auditEdit, withChanges } from "../edit.js";
import { expectSellable } from "../stock/backorders.js";
import { closeInspectionOfLot, openInspectionOfLot } from "./inspections.js";
import { renumber } from "./number.js";
import { tellWarehouses } from "./tell.js";
import { withdraw } from "./withdraw.js";

/** SQL for the stock rows `v` of a lot, and its values. */
export const ITS_ROWS = "v.item_id = $1 and v.lot_number = $2";
export const rowsOf = ({ item_id, lot_number }: Lot) => [item_id, lot_number];

/**
 * Changes the sent fields of a lot (docs/lots.md). Another last day is that of all its units at once: those that had
 * expired may be sold again, and go to the orders that wait. Another number is that of all that tells of them.
 * `lot.corrected`.
 */
export function updateLot(lot_id: number, changes: LotChanges, by: Actor): Promise<Lot> {
  const { reason, ...fields } = changes;
  return command("lots.update", by, { lot_id, ...changes }, async (tx) => {
    const before = await lockLot(tx, lot_id);
    const after = withChanges(editedOf(before), fields);
    const { lot_number, production_date, expiry_date, supplier_lot, notes, attributes } = after;
    if (production_date && expiry_date && expiry_date < production_date)
      throw ExpiresBeforeProduction({ units: `Lot ${lot_number}`, expiry_date, production_date });
    if (lot_number !== before.lot_number) await renumber(tx, before, lot_number);
    await tx.run(
      `update lots set production_date = :production_date, expiry_date = :expiry_date, supplier_lot = :supplier_lot,
         notes = :notes, attributes = :attributes, updated_at = now()
       where lot_id = :lot_id`,
      { lot_id, production_date, expiry_date, supplier_lot, notes, attributes: JSON.stringify(attributes) },
    );
    if (expiry_date !== before.expiry_date) {
      const numbered = { ...before, lot_number };
      await lockToSell(tx, numbered);
      // What is past its day all the same is found by the job.
      await tx.run(`update inventory v set expiry_date = $3, condition = $4 where ${ITS_ROWS}`, [
        ...[...rowsOf(numbered), expiry_date, before.condition],
      ]);
    }
    const about = entry(before);
    auditEdit(tx, { ...about, details: { ...about.details, reason } }, editedOf(before), after);
    const lot = await changed(tx, lot_id, by);
    await tellCorrection(tx, before, lot, reason ?? null, by);
    return lot;
  });
}

const editedOf = ({ lot_number, production_date, expiry_date, supplier_lot, notes, attributes }: Lot) => ({
  ...{ lot_number, production_date, expiry_date, supplier_lot, notes, attributes },
});

/** Tells of another number and of other days; what else is known of a lot concerns this house alone. */
async function tellCorrection(tx: Tx, before: Lot, lot: Lot, reason: string | null, by: Actor): Promise<void> {
  const told = (["lot_number", "production_date", "expiry_date"] as const).some((name) => before[name] !== lot[name]);
  if (!told) return;
  await tellWarehouses(tx, lot, (of, told) => ({
    type: "lot.corrected",
    ...of,
    data: {
      ...told,
      production_date: lot.production_date,
      former_lot_number: before.lot_number === lot.lot_number ? null : before.lot_number,
      reason,
      corrected_by_user_external_id: by.externalId,
      corrected_at: tx.now,
    },
  }));
}

/**
 * Puts a lot on hold, in quarantine or among what is damaged: none of it is sold, in no warehouse, until it is
 * released. Orders and picks that had units of it get others, as far as there are any. In quarantine it waits for an
 * inspection, which ends when it leaves it. Audit LOT_HOLD, `lot.held`.
 */
export function holdLot(lot_id: number, { condition, reason }: LotHold, by: Actor): Promise<Lot> {
  return command("lots.hold", by, { lot_id, condition, reason }, async (tx) => {
    const before = await lockLot(tx, lot_id);
    await holdLocked(tx, before, { condition, reason }, by);
    if (condition === "QUARANTINE") await openInspectionOfLot(tx, before, reason, by);
    else {
      const decision = condition === "HOLD" ? "hold" : "damage";
      await closeInspectionOfLot(tx, before, { decision, reason }, by);
    }
    return await changed(tx, lot_id, by);
  });
}

/** Holds a locked lot. */
export async function holdLocked(tx: Tx, lot: Lot, { condition, reason }: LotHold, by: Actor): Promise<void> {
  await setCondition(tx, lot.lot_id, condition, reason);
  const why = `lot ${lot.lot_number} is in condition ${condition}: ${reason}`;
  const rows = { itemId: lot.item_id, which: ITS_ROWS, values: rowsOf(lot) };
  await withdraw(tx, { ...rows, condition, reason: why }, by);
  await tell(tx, "lot.held", lot, condition, reason, by);
}

/**
 * Releases a lot that was held. Its units go to the orders that wait, as far as they may be sold: those past their last
 * day may not. Audit LOT_RELEASE, `lot.released`. 409 `lot_not_held` where it is AVAILABLE,
 * `lot_recalled` while it is on an open recall.
 */
export function releaseLot(lot_id: number, { reason }: LotRelease, by: Actor): Promise<Lot> {
  return command("lots.release", by, { lot_id, reason }, async (tx) => {
    const before = await lockLot(tx, lot_id);
    if (before.condition === "AVAILABLE") throw LotNotHeld({ lot_number: before.lot_number });
    await releaseLocked(tx, before, reason, by);
    await closeInspectionOfLot(tx, before, { decision: "release", reason }, by);
    return await changed(tx, lot_id, by);
  });
}

/** Releases a locked lot, unless it is called back. */
export async function releaseLocked(tx: Tx, lot: Lot, reason: string, by: Actor): Promise<void> {
  const recalled = await openRecallOfLot(tx, lot.lot_id);
  if (recalled) throw LotRecalled(recalled);
  await setCondition(tx, lot.lot_id, "AVAILABLE", null);
  await lockToSell(tx, lot);
  await tx.run(`update inventory v set condition = 'AVAILABLE' where ${ITS_ROWS}`, rowsOf(lot));
  await tell(tx, "lot.released", lot, lot.condition, reason, by);
}

/** Locks a lot before its stock rows; 404 when there is none. Units of it that come wait for it (`know_lot`). */
export async function lockLot(tx: Tx, lotId: number): Promise<Lot> {
  await tx.run("select from lots where lot_id = $1 for update", [lotId]);
  const lot = await lotOf(tx, lotId, null);
  if (!lot) throw LotNotFound();
  return lot;
}

/** Locks the stock rows of a locked lot, whose units may be sold afterwards. */
async function lockToSell(tx: Tx, lot: Lot): Promise<void> {
  await expectSellable(tx, ITS_ROWS, ...rowsOf(lot));
  const rows = `select from inventory v where ${ITS_ROWS} order by item_id, bin_id, lot_number for update`;
  await tx.run(rows, rowsOf(lot));
}

const setCondition = (tx: Tx, lotId: number, condition: string, reason: string | null) =>
  tx.run("update lots set condition = $2, condition_reason = $3, updated_at = now() where lot_id = $1", [
    ...[lotId, condition, reason],
  ]);

const changed = async (tx: Tx, lotId: number, by: Actor) => (await lotOf(tx, lotId, visibleWarehouses(by))) as Lot;

const entry = ({ lot_id, lot_number, sku, item_id }: Lot): Omit<AuditEntry, "action"> => ({
  entity: "LOT",
  entityId: lot_id,
  details: { lot_number, sku, item_id },
});

/** An audit row, and an event in each warehouse that has a stock row of the lot. */
async function tell(
  tx: Tx,
  type: "lot.held" | "lot.released",
  lot: Lot,
  condition: string,
  reason: string,
  by: Actor,
): Promise<void> {
  const about = entry(lot);
  const action = type === "lot.held" ? "LOT_HOLD" : "LOT_RELEASE";
  tx.audit({ ...about, action, details: { ...about.details, condition, reason } });
  await tellWarehouses(tx, lot, (of, told) => ({
    type,
    ...of,
    data: { ...told, condition, reason, decided_by_user_external_id: by.externalId, decided_at: tx.now },
  }));
}
