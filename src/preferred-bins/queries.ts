import { db } from "../db.js";
import { containing } from "../list.js";

export interface PreferredBin {
  preferred_bin_id: number;
  item_id: number;
  bin_id: number;
  priority: number;
  notes: string | null;
  updated_at: string;
  sku: string;
  item_name: string;
  bin_code: string;
  zone_name: string;
}

/** Where items should lie, by SKU and priority, all on one page; `q` looks in SKU, name and bin code. */
export function preferredBins(
  {
    item_id,
    bin_id,
    q,
  }: {
    item_id?: number | undefined;
    bin_id?: number | undefined;
    q?: string | undefined;
  },
  scope: number[] | null,
): Promise<PreferredBin[]> {
  return db.rows<PreferredBin>(
    `select preferred_bin_id, item_id, bin_id, priority, notes, p.updated_at, sku, item_name, bin_code, zone_name
     from preferred_bins p join items i using (item_id) join bins b using (bin_id) join zones z using (zone_id)
     where ($1::int[] is null or b.warehouse_id = any($1))
       and ($2::int is null or item_id = $2) and ($3::int is null or bin_id = $3)
       and ($4::text is null or sku ilike $4 or item_name ilike $4 or bin_code ilike $4)
     order by sku, priority, preferred_bin_id`,
    [scope, item_id, bin_id, q && containing(q)],
  );
}
