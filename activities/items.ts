import { type Actor, checkWarehouse } from "../src/actor.js";
import { SkuExists, UnknownBin, UpcExists } from "../src/items/problems.js";
import { command, type Tx } from "./command.js";

export interface NewItem {
  sku: string;
  item_name: string;
  description?: string | null | undefined;
  upc?: string | null | undefined;
  mpn?: string | null | undefined;
  barcode_aliases?: string[] | null | undefined;
  category?: string | null | undefined;
  weight_lbs?: number | null | undefined;
  default_bin_id?: number | null | undefined;
}

export interface CreatedItem {
  item_id: number;
  sku: string;
  item_name: string;
  description: string | null;
  upc: string | null;
  category: string | null;
  weight_lbs: number | null;
  default_bin_id: number | null;
  is_active: boolean;
  created_at: string;
}

/** Creates an item (reference 03 §2). */
export function createItem(input: NewItem, by: Actor): Promise<CreatedItem> {
  return command("items.create", by, input, async (tx) => {
    const { sku, default_bin_id } = input;
    const upc = input.upc?.trim() || null;
    if (default_bin_id) await needBin(tx, default_bin_id, by);
    if (upc && (await takenUpcs(tx, [upc])).has(upc)) throw UpcExists({ upc });
    const item = await tx.row<CreatedItem>(
      `insert into items (sku, item_name, description, upc, mpn, barcode_aliases, category, weight_lbs, default_bin_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (sku) do nothing
       returning item_id, sku, item_name, description, upc, category, nullif(weight_lbs, 0)::float8 as weight_lbs,
                 default_bin_id, is_active, created_at`,
      [
        sku,
        input.item_name,
        input.description,
        upc,
        input.mpn,
        input.barcode_aliases && JSON.stringify(input.barcode_aliases),
        input.category,
        input.weight_lbs,
        default_bin_id,
      ],
    );
    if (!item) throw SkuExists({ sku });
    tx.audit({
      action: "CREATE",
      entity: "ITEM",
      entityId: item.item_id,
      details: { sku, item_name: item.item_name },
    });
    return item;
  });
}

/**
 * Which of these UPCs an item has already. The database does not keep them apart (upstream systems send duplicates), so
 * until this transaction ends nobody else may ask.
 */
export async function takenUpcs(tx: Tx, upcs: string[]): Promise<Set<string>> {
  await tx.run("select pg_advisory_xact_lock(hashtext('items.upc'))");
  const taken = await tx.rows<{ upc: string }>(
    "select upc from items where upc = any($1)",
    [upcs],
  );
  return new Set(taken.map((item) => item.upc));
}

async function needBin(tx: Tx, bin_id: number, by: Actor): Promise<void> {
  const bin = await tx.row<{ warehouse_id: number }>(
    "select warehouse_id from bins where bin_id = $1",
    [bin_id],
  );
  if (!bin) throw UnknownBin({ bin_id });
  checkWarehouse(by, bin.warehouse_id);
}
