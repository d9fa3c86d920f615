import { int, text } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";
import { adjustedSerials, adjustingSerials } from "./adjust.js";
import { lockSerialItems, namelessUnits } from "./nameless.js";

/** Units of an item that leave stock for good. */
interface LeavingUnits {
  item_id: number;
  quantity: number;
  /** Their lot, null for those without; of any where it is not said. */
  lot?: string | null;
}

/**
 * The serials of units that leave stock, whose rows are locked: those that are named, else those of which there is no
 * doubt. Refused as in a correction where they are neither (`adjustingSerials`).
 */
export async function leavingSerials(
  tx: Tx,
  units: LeavingUnits,
  serial_numbers: string[] | null | undefined,
): Promise<string[]> {
  const { item_id, quantity } = units;
  const item = await tx.row(
    { item_id: int, sku: text, serial_policy: text },
    "select item_id, sku, serial_policy from items where item_id = $1",
    [item_id],
  );
  if (!item) return [];
  const named = await adjustedSerials(tx, item, serial_numbers);
  const serials = named.length > 0 ? named : await undoubtedSerials(tx, units);
  const change = { itemId: item_id, change: -quantity, serials };
  const refused = (await adjustingSerials(tx, [change])).refusal(change);
  if (refused) throw refused;
  return serials;
}

/**
 * The serials of units that leave although nobody named them: those of their item and lot that are in stock, where they
 * are as many, and the house has no units without a serial.
 */
export async function undoubtedSerials(tx: Tx, { item_id, quantity, lot }: LeavingUnits): Promise<string[]> {
  const [item] = await lockSerialItems(tx, [item_id]);
  if (!item) return [];
  const [nameless, inStock] = await tx.inOrder([
    namelessUnits(tx, [item_id]),
    tx.rows(
      { serial_number: text },
      `select serial_number from serials
       where item_id = $1 and state = 'IN_STOCK' and ($2 or lot_number is not distinct from $3)
       order by serial_number limit $4`,
      [item_id, lot === undefined, lot ?? null, quantity + 1],
    ),
  ]);
  const isSure = inStock.length === quantity && (nameless.get(item_id) ?? 0) <= 0;
  return isSure ? inStock.map(({ serial_number }) => serial_number) : [];
}
