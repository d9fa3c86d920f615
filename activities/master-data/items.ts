import { itemColumns } from "../../src/master-data/items/queries.js";
import { Item, ItemChanges, ItemRow, NewItem, UpdatedItem } from "../../src/master-data/items/shapes.js";
import {
  ItemAwaitsReview,
  ItemHasStock,
  ItemNamed,
  ItemNotFound,
  ItemPurchased,
  ItemSold,
  SkuExists,
  UnknownBin,
  UpcExists,
} from "../../src/master-data/problems.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { command, type Tx } from "../command.js";
import { auditEdit, refusingDuplicate, refusingReferenced, withChanges } from "../edit.js";
import { expectSellable } from "../stock/backorders.js";

const columns = itemColumns(ItemRow);
const given = Object.keys(NewItem.shape) as (keyof NewItem)[];
const INSERT = `insert into items as i (${given.join(", ")}) values (${given.map((_, at) => `$${at + 1}`).join(", ")})
                on conflict (sku) do nothing returning ${itemColumns(Item)}`;

const editable = Object.keys(ItemChanges.shape) as (keyof ItemChanges)[];
const UPDATE = `update items as i
                set ${editable.map((name, at) => `${name} = $${at + 2}`).join(", ")}, updated_at = now()
                where item_id = $1 returning ${itemColumns(UpdatedItem)}`;

/** The stock that can be sold when its item becomes active, or may be older. */
const OF_ITEM = "v.item_id = $1";

/** Creates an item (docs/interface.md, Items and stock). */
export function createItem(input: NewItem, by: Actor): Promise<Item> {
  return command("items.create", by, input, async (tx) => {
    const { sku, upc, default_bin_id } = input;
    if (default_bin_id) await checkBin(tx, default_bin_id, by);
    if (upc && (await takenUpcs(tx, [upc])).has(upc)) throw UpcExists({ upc });
    const item = await tx.row(Item, INSERT, valuesOf(given, input));
    if (!item) throw SkuExists({ sku });
    tx.audit({ action: "CREATE", entity: "ITEM", entityId: item.item_id, details: { sku, item_name: item.item_name } });
    return item;
  });
}

/** Changes the sent fields of an item (docs/interface.md, Items and stock). */
export function updateItem(item_id: number, changes: ItemChanges, by: Actor): Promise<UpdatedItem> {
  return command("items.update", by, { item_id, ...changes }, async (tx) => {
    const taken = await takenUpcs(tx, changes.upc ? [changes.upc] : []);
    const before = await lockItem(tx, item_id);
    const after = withChanges(before, changes);
    const { sku, upc } = after;
    if (upc && upc !== before.upc && taken.has(upc)) throw UpcExists({ upc });
    if (changes.default_bin_id) await checkBin(tx, changes.default_bin_id, by);
    if (after.is_active !== before.is_active || after.min_days_at_shipping !== before.min_days_at_shipping)
      await expectSellable(tx, OF_ITEM, item_id);
    const saved = await refusingDuplicate(
      tx.row(UpdatedItem, UPDATE, [item_id, ...valuesOf(editable, after)]),
      SkuExists({ sku }),
    );
    const entry = { entity: "ITEM", entityId: item_id, details: { sku } };
    auditEdit(tx, entry, before, after);
    return saved as UpdatedItem;
  });
}

/** Archives an item, or reactivates an archived one (docs/interface.md, Items and stock). */
export function archiveItem(item_id: number, by: Actor): Promise<{ message: string; is_active: boolean }> {
  return command("items.archive", by, { item_id }, async (tx) => {
    const item = await tx.row(
      { sku: text, is_active: bool },
      "update items set is_active = not is_active, updated_at = now() where item_id = $1 returning sku, is_active",
      [item_id],
    );
    if (!item) throw ItemNotFound();
    const { sku, is_active } = item;
    await expectSellable(tx, OF_ITEM, item_id);
    const entry = { entity: "ITEM", entityId: item_id, details: { sku } };
    auditEdit(tx, entry, { is_active: !is_active }, { is_active });
    const message = `Item ${sku} ${is_active ? "is active again" : "archived"}`;
    return { message, is_active };
  });
}

/**
 * Deletes an item without orders and stock, with its preferred bins, its lines on counts, its adjustments and its stock
 * rows at zero (docs/interface.md, Items and stock).
 */
export function deleteItem(item_id: number, by: Actor): Promise<{ message: string }> {
  return command("items.delete", by, { item_id }, async (tx) => {
    const { sku, item_name } = await lockItem(tx, item_id);
    await checkUnused(tx, item_id, sku);
    const deleted = Promise.all([
      tx.run("delete from preferred_bins where item_id = $1", [item_id]),
      tx.run("delete from cycle_count_lines where item_id = $1", [item_id]),
      tx.run("delete from inventory_adjustments where item_id = $1", [item_id]),
      tx.run("delete from inventory where item_id = $1", [item_id]),
      tx.run("delete from items where item_id = $1", [item_id]),
    ]);
    await refusingReferenced(deleted, ItemNamed({ sku }));
    tx.audit({ action: "DELETE", entity: "ITEM", entityId: item_id, details: { sku, item_name } });
    return { message: "Item deleted" };
  });
}

async function checkUnused(tx: Tx, itemId: number, sku: string): Promise<void> {
  const used = await tx.row(
    { stock: bool, sold: bool, bought: bool, counted: bool },
    `select exists (select from inventory where item_id = $1 and quantity_on_hand > 0) as stock,
            exists (select from sales_order_lines where item_id = $1) as sold,
            exists (select from purchase_order_lines where item_id = $1) as bought,
            exists (select from inventory_adjustments where item_id = $1 and status = 'PENDING') as counted`,
    [itemId],
  );
  if (used?.stock) throw ItemHasStock({ sku });
  if (used?.sold) throw ItemSold({ sku });
  if (used?.bought) throw ItemPurchased({ sku });
  // Otherwise the workflow of the count would wait for a review that can never happen.
  if (used?.counted) throw ItemAwaitsReview({ sku });
}

/** Conflicts with the `key share` locks of transactions that order, count or store the item. */
async function lockItem(tx: Tx, itemId: number): Promise<ItemRow> {
  const item = await tx.row(ItemRow, `select ${columns} from items as i where item_id = $1 for update`, [itemId]);
  if (!item) throw ItemNotFound();
  return item;
}

/** The values of these columns; the aliases are JSON. */
function valuesOf<F extends string>(names: readonly F[], of: { [name in F]?: unknown }): unknown[] {
  return names.map((name) => (Array.isArray(of[name]) ? JSON.stringify(of[name]) : of[name]));
}

/**
 * Which of these UPCs belong to an item already. There is no unique key (upstream systems send duplicates), so an
 * advisory lock serializes all callers until their transactions end.
 */
export async function takenUpcs(tx: Tx, upcs: string[]): Promise<Set<string>> {
  if (upcs.length === 0) return new Set();
  await tx.run("select pg_advisory_xact_lock(hashtext('items.upc'))");
  const taken = await tx.rows({ upc: text }, "select upc from items where upc = any($1)", [upcs]);
  return new Set(taken.map((item) => item.upc));
}

async function checkBin(tx: Tx, bin_id: number, by: Actor): Promise<void> {
  const bin = await tx.row({ warehouse_id: int }, "select warehouse_id from bins where bin_id = $1 for key share", [
    bin_id,
  ]);
  if (!bin) throw UnknownBin({ bin_id });
  checkWarehouse(by, bin.warehouse_id);
}
