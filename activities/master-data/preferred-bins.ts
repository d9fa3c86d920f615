import { z } from "zod";
import { Face, NewPreferredBin, type PreferredBinChanges } from "../../src/master-data/preferred-bins/shapes.js";
import { ItemNotFound, PreferredBinNotFound } from "../../src/master-data/problems.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { BinNotPickable, FaceInReserve, FaceLimits } from "../../src/stock/problems.js";
import { command, type Tx } from "../command.js";
import { lockBin } from "../stock/transfer-between-bins.js";

/** Adds a preferred bin of an item at a priority; later ones move down (docs/interface.md, Items and stock). */
export function addPreferredBin(input: NewPreferredBin, by: Actor): Promise<{ message: string }> {
  const { item_id, bin_id, priority, ...limits } = input;
  return command("preferredBins.prefer", by, input, async (tx) => {
    const { sku, bin_code, warehouse_id } = await lockItemAndBin(tx, input, by);
    await setPriority(tx, input);
    await setFace(tx, input, limits);
    audit(tx, { item_id, bin_id, bin_code, priority, ...limits }, warehouse_id);
    return { message: `Bin ${bin_code} is a preferred bin of ${sku}` };
  });
}

/** Changes the priority of a preferred bin, and its limits as a pick face; the others are renumbered. */
export function movePreferredBin(
  preferred_bin_id: number,
  { priority, ...limits }: PreferredBinChanges,
  by: Actor,
): Promise<{ message: string }> {
  const input = { preferred_bin_id, priority, ...limits };
  return command("preferredBins.move", by, input, async (tx) => {
    const preferred = await lockPreferred(tx, preferred_bin_id, by);
    if (!preferred) throw PreferredBinNotFound();
    const { warehouse_id, ...place } = { ...preferred, priority };
    await setPriority(tx, place);
    await setFace(tx, place, limits);
    audit(tx, { ...place, ...limits }, warehouse_id);
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
export async function lockItemAndBin(
  tx: Tx,
  { item_id, bin_id }: Pick<NewPreferredBin, "item_id" | "bin_id">,
  by: Actor,
) {
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

const FacePlace = z.strictObject({ ...Face.shape, bin_code: text, is_reserve: bool });

/** Sets those limits of a preferred bin of a locked item that were sent. A case that is not said has one unit. */
async function setFace(tx: Tx, { item_id, bin_id }: NewPreferredBin, sent: Partial<Face>): Promise<void> {
  if (Object.keys(sent).length === 0) return;
  const place = await tx.row(
    FacePlace,
    `select min_units, p.max_units, case_units, bin_code, is_reserve
     from preferred_bins p join bins using (bin_id) where item_id = $1 and bin_id = $2`,
    [item_id, bin_id],
  );
  if (!place) throw new Error("the preferred bin is missing");
  const { min_units, max_units, ...rest } = { ...place, ...sent };
  const case_units = rest.case_units ?? (min_units === null ? null : 1);
  if (min_units === null ? max_units !== null || case_units !== null : max_units === null || min_units > max_units)
    throw FaceLimits();
  if (min_units !== null && rest.is_reserve) throw FaceInReserve({ bin: rest.bin_code });
  await tx.run(
    `update preferred_bins
     set min_units = :min_units, max_units = :max_units, case_units = :case_units, updated_at = now()
     where item_id = :item_id and bin_id = :bin_id`,
    { item_id, bin_id, min_units, max_units, case_units },
  );
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

const PreferredPlace = z.strictObject({
  ...NewPreferredBin.pick({ item_id: true, bin_id: true, priority: true }).shape,
  ...{ bin_code: text, warehouse_id: int },
});

async function lockPreferred(tx: Tx, preferredBinId: number, by: Actor) {
  const read = () =>
    tx.row(
      PreferredPlace,
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
  details: { item_id: number; bin_id: number; bin_code: string; priority: number | null } & Partial<Face>,
  warehouseId: number,
): void {
  tx.audit({ action: "PREFERRED_BIN_UPDATE", entity: "ITEM", entityId: details.item_id, warehouseId, details });
}
