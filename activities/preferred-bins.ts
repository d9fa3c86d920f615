import { type Actor, checkWarehouse } from "../src/actor.js";
import { ItemNotFound } from "../src/lookup/problems.js";
import { PreferredBinNotFound } from "../src/preferred-bins/problems.js";
import { BinNotPickable } from "../src/putaway/problems.js";
import { binOf } from "./bin-transfers.js";
import { command, type Tx } from "./command.js";

export interface Preference {
  item_id: number;
  bin_id: number;
  priority: number;
}

/** Puts a bin at a place among those where an item should lie; the others make room (reference 03 §2). */
export function preferBin(
  { item_id, bin_id, priority }: Preference,
  by: Actor,
): Promise<{ message: string }> {
  const input = { item_id, bin_id, priority };
  return command("preferredBins.prefer", by, input, async (tx) => {
    const { sku, bin_code, warehouse_id } = await lockChoice(tx, input, by);
    await placeBin(tx, input);
    audit(tx, { item_id, bin_id, bin_code, priority }, warehouse_id);
    return { message: `Bin ${bin_code} is a preferred bin of ${sku}` };
  });
}

/** Moves a preferred bin to another place; the others make room. */
export function movePreferredBin(
  preferred_bin_id: number,
  priority: number,
  by: Actor,
): Promise<{ message: string }> {
  const input = { preferred_bin_id, priority };
  return command("preferredBins.move", by, input, async (tx) => {
    const preferred = await lockPreferred(tx, preferred_bin_id, by);
    if (!preferred) throw PreferredBinNotFound();
    const { warehouse_id, ...place } = { ...preferred, priority };
    await placeBin(tx, place);
    audit(tx, place, warehouse_id);
    return { message: `Bin ${place.bin_code} moved` };
  });
}

/** Takes a bin from an item's preferred ones; the others close up. One that is gone is no error (reference 03 §2). */
export function dropPreferredBin(
  preferred_bin_id: number,
  by: Actor,
): Promise<{ message: string }> {
  return command("preferredBins.drop", by, { preferred_bin_id }, async (tx) => {
    const preferred = await lockPreferred(tx, preferred_bin_id, by);
    if (!preferred) return { message: "Nothing to delete" };
    const { item_id, bin_id, bin_code, warehouse_id } = preferred;
    await tx.run("delete from preferred_bins where preferred_bin_id = $1", [
      preferred_bin_id,
    ]);
    await renumber(tx, item_id);
    audit(tx, { item_id, bin_id, bin_code, priority: null }, warehouse_id);
    return { message: `Bin ${bin_code} is no longer preferred` };
  });
}

/** The item and the bin of a choice that may be made. The item's row guards its preferred bins: who chooses at once waits. */
export async function lockChoice(
  tx: Tx,
  { item_id, bin_id }: Omit<Preference, "priority">,
  by: Actor,
) {
  const sku = await lockItem(tx, item_id);
  if (!sku) throw ItemNotFound();
  const { bin_code, bin_type, warehouse_id } = await binOf(tx, bin_id);
  checkWarehouse(by, warehouse_id);
  if (bin_type !== "Pickable")
    throw BinNotPickable({ bin: bin_code, bin_type });
  return { sku, bin_code, warehouse_id };
}

/** Puts a bin at a place among the preferred bins of a locked item, new or not; the places stay 1..K. */
export async function placeBin(
  tx: Tx,
  { item_id, bin_id, priority }: Preference,
): Promise<void> {
  await tx.run(
    "insert into preferred_bins (item_id, bin_id, priority) values ($1, $2, $3) on conflict (item_id, bin_id) do nothing",
    [item_id, bin_id, priority],
  );
  await renumber(tx, item_id, bin_id, priority);
}

/** Numbers an item's preferred bins 1..K in the order they have; the one that is named comes to its place. */
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
                             else row_number() over (partition by bin_id = $2 order by priority, preferred_bin_id) end as wish
                 from preferred_bins where item_id = $1) w) r
     where p.preferred_bin_id = r.preferred_bin_id and p.priority <> r.place`,
    [itemId, binId, priority],
  );
}

async function lockItem(tx: Tx, itemId: number): Promise<string | undefined> {
  const item = await tx.row<{ sku: string }>(
    "select sku from items where item_id = $1 for no key update",
    [itemId],
  );
  return item?.sku;
}

async function lockPreferred(tx: Tx, preferredBinId: number, by: Actor) {
  const read = () =>
    tx.row<Preference & { bin_code: string; warehouse_id: number }>(
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
  details: {
    item_id: number;
    bin_id: number;
    bin_code: string;
    priority: number | null;
  },
  warehouseId: number,
): void {
  tx.audit({
    action: "PREFERRED_BIN_UPDATE",
    entity: "ITEM",
    entityId: details.item_id,
    warehouseId,
    details,
  });
}
