import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { checkScans } from "../../src/platform/barcodes/match.js";
import { int, text } from "../../src/platform/db/columns.js";
import type { Effects, Sql, TxSql } from "../../src/platform/db/db.js";
import type { DomainError } from "../../src/platform/problem.js";
import { SerialKnown, SerialNotInStock, SerialsNotKept, SerialsRequired } from "../../src/serials/problems.js";
import { labelsOf, refuseItemCodes, serialsIn } from "./named.js";
import { lockSerialItems, namelessUnits } from "./nameless.js";
import { type StepKind, stepBy, withStep } from "./steps.js";

/** Units that a correction adds or takes; null where nobody knows which ones are gone. */
interface AdjustedUnits {
  itemId: number;
  change: number;
  serials?: string[] | null;
}

/** The serials that a correction of an item names, read from labels; refused where one is named twice. */
export async function adjustedSerials(
  tx: Sql,
  item: { item_id: number; sku: string; serial_policy: string },
  serial_numbers: string[] | null | undefined,
): Promise<string[]> {
  if (!serial_numbers?.length) return [];
  const { item_id, sku, serial_policy } = item;
  if (serial_policy === "none") throw SerialsNotKept({ sku, serial_policy });
  await checkScans(tx, labelsOf({ item_id, quantity: serial_numbers.length, serial_numbers }));
  return serialsIn(serial_numbers, sku);
}

/** The serials of items while corrections are applied in memory, one after the other. */
export interface AdjustingSerials {
  /** Why the serials of a change do not fit, or undefined. */
  refusal(change: AdjustedUnits): DomainError | undefined;
  note(change: AdjustedUnits): void;
}

/**
 * What corrections may do to items with serials, whose stock rows are locked. Units that leave without a name have to
 * be such that nobody named; with `at_receipt`, units that are added are named, or are those that left without a name.
 */
export async function adjustingSerials(tx: TxSql, changes: AdjustedUnits[]): Promise<AdjustingSerials> {
  const items = await lockSerialItems(tx, [...new Set(changes.map(({ itemId }) => itemId))]);
  if (items.length === 0) return { refusal: () => undefined, note: () => {} };
  const named = changes.flatMap(({ itemId, serials }) =>
    (serials ?? []).map((serial) => ({ item_id: itemId, serial })),
  );
  await refuseItemCodes(tx, named);
  const [nameless, known] = await tx.inOrder([
    namelessUnits(
      tx,
      items.map(({ item_id }) => item_id),
    ),
    knownStates(tx, named),
  ]);
  const stateOf = (itemId: number, serial: string) => known.get(`${itemId} ${serial}`) ?? "UNKNOWN";
  const after = ({ itemId, change, serials }: AdjustedUnits) =>
    (nameless.get(itemId) ?? 0) + change - Math.sign(change) * (serials?.length ?? 0);
  const refusal = (adjusted: AdjustedUnits) => {
    const { itemId, change, serials } = adjusted;
    const item = items.find(({ item_id }) => item_id === itemId);
    if (!item || serials === null) return undefined;
    const { sku, serial_policy } = item;
    const given = serials?.length ?? 0;
    const before = nameless.get(itemId) ?? 0;
    const tooFew = after(adjusted) < Math.min(0, before) || (change === 0 && given > 0);
    const tooMany = serial_policy === "at_receipt" && after(adjusted) > Math.max(0, before);
    if (tooFew || tooMany) return SerialsRequired({ sku, given, quantity: Math.abs(change) });
    const wrong = serials?.find((serial) =>
      change < 0 ? stateOf(itemId, serial) !== "IN_STOCK" : !["UNKNOWN", "GONE"].includes(stateOf(itemId, serial)),
    );
    if (wrong === undefined) return undefined;
    return (change < 0 ? SerialNotInStock : SerialKnown)({ serial: wrong, sku, state: stateOf(itemId, wrong) });
  };
  const note = (adjusted: AdjustedUnits) => {
    const { itemId, change, serials } = adjusted;
    nameless.set(itemId, after(adjusted));
    for (const serial of serials ?? []) known.set(`${itemId} ${serial}`, change < 0 ? "GONE" : "IN_STOCK");
  };
  return { refusal, note };
}

const KnownState = z.strictObject({ key: text, state: text });

/** The states of serials that are known, by item and serial; their rows are locked. */
async function knownStates(tx: Sql, named: { item_id: number; serial: string }[]): Promise<Map<string, string>> {
  if (named.length === 0) return new Map();
  const rows = await tx.rows(
    KnownState,
    `select item_id || ' ' || serial_number as key, state from serials
     where item_id = any($1) and serial_number = any($2) order by item_id, serial_number for update`,
    [named.map(({ item_id }) => item_id), named.map(({ serial }) => serial)],
  );
  return new Map(rows.map(({ key, state }) => [key, state]));
}

interface AppliedUnits extends AdjustedUnits {
  warehouseId: number;
  lot?: string | null;
  reasonCode: string;
}

/** How units leave for other reasons than that they were not there. */
const LEAVE_AS: Record<string, StepKind> = { RETURN_TO_SUPPLIER: "SENT_BACK", RECALL_DESTROYED: "DESTROYED" };

/** Records the serials that came or went with a correction that `adjustingSerials` allowed. */
export function recordAdjustedSerials(tx: Effects, applied: AppliedUnits, by: Actor): void {
  const { itemId: item_id, warehouseId: warehouse_id, change, serials, lot, reasonCode } = applied;
  if (!serials?.length) return;
  const values = { item_id, serials, warehouse_id, lot: lot ?? null, ...stepBy(null, by) };
  tx.run(change < 0 ? withStep(GO, LEAVE_AS[reasonCode] ?? "ADJUSTED_OUT") : withStep(COME, "FOUND"), values);
}

const GO = `
  update serials set state = 'GONE', warehouse_id = :warehouse_id, updated_at = now()
  where item_id = :item_id and serial_number = any(:serials::text[])`;

const COME = `
  insert into serials (item_id, serial_number, state, warehouse_id, lot_number)
  select :item_id, serial, 'IN_STOCK', :warehouse_id, :lot from unnest(:serials::text[]) as u(serial) order by serial
  on conflict (item_id, serial_number) do update
    set state = 'IN_STOCK', warehouse_id = excluded.warehouse_id, lot_number = excluded.lot_number,
        receipt_id = null, updated_at = now()`;

interface ItemOfAdjustment {
  adjustment_id: number;
  item_id: number;
}

/** The serials that a review names of adjustments, by the adjustment's id. */
export async function serialsOfAdjustments(
  tx: Sql,
  adjustments: ItemOfAdjustment[],
  named: Record<number, string[]> = {},
): Promise<Map<number, string[]>> {
  const naming = adjustments.filter(({ adjustment_id }) => named[adjustment_id]?.length);
  if (naming.length === 0) return new Map();
  const items = await tx.rows(
    { item_id: int, sku: text, serial_policy: text },
    "select item_id, sku, serial_policy from items where item_id = any($1)",
    [naming.map(({ item_id }) => item_id)],
  );
  const serials = new Map<number, string[]>();
  for (const { adjustment_id, item_id } of naming) {
    const item = items.find((one) => one.item_id === item_id) as (typeof items)[number];
    serials.set(adjustment_id, await adjustedSerials(tx, item, named[adjustment_id]));
  }
  return serials;
}
