import { NewPreferredBin } from "../../src/master-data/preferred-bins/shapes.js";
import { ItemNotFound, PreferredBinNotFound } from "../../src/master-data/problems.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { BinNotPickable } from "../../src/stock/problems.js";
import { command, type Tx } from "../command.js";
import { lockBin } from "../stock/transfer-between-bins.js";

/** Adds a preferred bin of an item at a priority; later ones move down (docs/interface.md, Items and stock). */
export function addPreferredBin(
  { item_id, bin_id, priority }: NewPreferredBin,
  by: Actor,
): Promise<{ message: string }> {
  const input = { item_id, bin_id, priority };
  return command("preferredBins.prefer", by, input, async (tx) => {
    const { sku, bin_code, warehouse_id } = await lockItemAndBin(tx, input, by);
    await setPriority(tx, input);
    audit(tx, { item_id, bin_id, bin_code, priority }, warehouse_id);
    return { message: `Bin ${bin_code} is a preferred bin of ${sku}` };
  });
}

/** Changes the priority of a preferred bin; the others are renumbered. */
export function movePreferredBin(preferred_bin_id: number, priority: number, by: Actor): Promise<{ message: string }> {
  const input = { preferred_bin_id, priority };
  return command("preferredBins.move", by, input, async (tx) => {
    const preferred = await lockPreferred(tx, preferred_bin_id, by);
    if (!preferred) throw PreferredBinNotFound();
    const { warehouse_id, ...place } = { ...preferred, priority };
    await setPriority(tx, place);
    audit(tx, place, warehouse_id);
    return { message: `Bin ${place.bin_code} moved` };
  });
}

/**
 * Removes a preferred bin; later ones move up. One that does not exist is no error (docs/interface.md, Items and
 * stock).
 */
export function removePreferredBin(preferred_bin_id: number, by: Actor): Promise<{ message: string }> {
  return command("preferredBins.drop", by, { preferred_bin_id }, async (tx) => {
    const preferred = await lockPreferred(tx, preferred_bin_id, by);
    if (!preferred) return { message: "Nothing to delete" };
    const { item_id, bin_id, bin_code, warehouse_id } = preferred;
    await tx.run("delete from preferred_bins where preferred_bin_id = $1", [preferred_bin_id]);
    await renumber(tx, item_id);
    audit(tx, { item_id, bin_id, bin_code, priority: null }, warehouse_id);
    return { message: `Bin ${bin_code} is no longer preferred` };
  });
}

/**
 * Checks and locks the item and the bin of a preferred bin. The lock of the item's row serializes changes of its
 * preferred bins.
 */
export async function lockItemAndBin(tx: Tx, { item_id, bin_id }: Omit<NewPreferredBin, "priority">, by: Actor) {
  const sku = await lockItem(tx, item_id);
  if (!sku) throw ItemNotFound();
  const { bin_code, bin_type, warehouse_id } = await lockBin(tx, bin_id);
  checkWarehouse(by, warehouse_id);
  if (bin_type !== "Pickable") throw BinNotPickable({ bin: bin_code, bin_type });
  return { sku, bin_code, warehouse_id };
}

/** Sets the priority of a preferred bin of a locked item, new or existing; the priorities stay 1..K. */
export async function setPriority(tx: Tx, { item_id, bin_id, priority }: NewPreferredBin): Promise<void> {
  await tx.run(
    `insert into preferred_bins (item_id, bin_id, priority) values ($1, $2, $3)
      on conflict (item_id, bin_id) do nothing`,
    [item_id, bin_id, priority],
  );
  await renumber(tx, item_id, bin_id, priority);
}

/** Renumbers an item's preferred bins 1..K in their order; the given bin gets the given priority. */
async function renumber(
  tx: Tx,
  itemId: number,
  binId: number | null = null,
  priority: number | null = null,
): Promise<void> {
  await tx.run(
    `update preferred_bins p set priority = r.place, updated_at = now()
     from (select preferred_bin_id, row_number() over (order by wish) as place
           from (select preferred_bin_id,
                        case when bin_id = $2 then $3 - 0.5
                             else row_number() over (partition by bin_id = $2
                               order by priority, preferred_bin_id) end as wish
                 from preferred_bins where item_id = $1) w) r
     where p.preferred_bin_id = r.preferred_bin_id and p.priority <> r.place`,
    [itemId, binId, priority],
  );
}

async function lockItem(tx: Tx, itemId: number): Promise<string | undefined> {
  const item = await tx.row({ sku: text }, "select sku from items where item_id = $1 for no key update", [itemId]);
  return item?.sku;
}

async function lockPreferred(tx: Tx, preferredBinId: number, by: Actor) {
  const read = () =>
    tx.row(
      { ...NewPreferredBin.shape, bin_code: text, warehouse_id: int },
      `select item_id, bin_id, priority, bin_code, warehouse_id
       from preferred_bins join bins using (bin_id) where preferred_bin_id = $1`,
      [preferredBinId],
    );
  const seen = await read();
  if (!seen) return undefined;
  await lockItem(tx, seen.item_id);
  const preferred = await read();
  if (preferred) checkWarehouse(by, preferred.warehouse_id);
  return preferred;
}

function audit(
  tx: Tx,
  details: { item_id: number; bin_id: number; bin_code: string; priority: number | null },
  warehouseId: number,
): void {
  tx.audit({ action: "PREFERRED_BIN_UPDATE", entity: "ITEM", entityId: details.item_id, warehouseId, details });
}
