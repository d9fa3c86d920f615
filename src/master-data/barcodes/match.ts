import type { Sql } from "../../db/db.js";
import { AmbiguousBarcode, ScanDisagrees, ScannedOtherItem } from "./problems.js";
import { readScan, type Scan } from "./scan.js";
import { itemsScanned } from "./sql.js";

/** Refuses a scan that several items fit. */
function refuseSeveral(items: number[], { holds }: Scan): void {
  if (items.length > 1)
    throw AmbiguousBarcode({ gtin: holds.gtin ?? "", items: items.toSorted((a, b) => a - b).join(", ") });
}

/** What was found of the item, if one was. */
export function onlyOne<T extends { item_id: number }>(found: T[], scan: Scan): Omit<T, "item_id"> | undefined {
  refuseSeveral(
    found.map((item) => item.item_id),
    scan,
  );
  if (!found[0]) return undefined;
  const { item_id: _, ...rest } = found[0];
  return rest;
}

/** Whether the item is the one that was scanned. */
export function isItem(itemId: number, scanned: number[], scan: Scan): boolean {
  if (!scanned.includes(itemId)) return false;
  refuseSeveral(scanned, scan);
  return true;
}

const SCANNED = `select coalesce(${itemsScanned("$1", "$2::text[]")}, '{}') as items`;

/** The items that a scan may mean: one, or several with the same GTIN. */
export async function itemsOf(tx: Sql, { text, forms }: Scan): Promise<number[]> {
  const found = await tx.row<{ items: number[] }>(SCANNED, [text, forms]);
  return found?.items ?? [];
}

interface Labelled {
  item_id: number;
  scanned_barcode?: string | null | undefined;
}

/** Refuses scanned codes that are not those of the items which the request names. */
export async function checkScans(tx: Sql, lines: Labelled[]): Promise<void> {
  const scans = lines.flatMap(({ item_id, scanned_barcode }) =>
    scanned_barcode ? [{ item_id, scan: readScan(scanned_barcode) }] : [],
  );
  if (scans.length === 0) return;
  const found = await tx.rows<{ items: number[] }>(
    `select coalesce(${itemsScanned("s.code", "string_to_array(s.forms, ',')")}, '{}') as items
     from unnest($1::text[], $2::text[]) with ordinality as s(code, forms, place) order by place`,
    [scans.map(({ scan }) => scan.text), scans.map(({ scan }) => scan.forms.join())],
  );
  for (const [i, { item_id, scan }] of scans.entries())
    if (!isItem(item_id, found[i]?.items ?? [], scan)) throw ScannedOtherItem({ item_id });
}

type Field = "lot_number" | "serial_number" | "expiry_date";

/** A request, with what it leaves out of these fields taken from the scanned label; refused where both differ. */
export function filled<T extends { scanned_barcode?: string | null | undefined }>(
  said: T,
  ...fields: (Field & keyof T)[]
): T {
  if (!said.scanned_barcode) return said;
  const { holds } = readScan(said.scanned_barcode);
  const taken: Partial<Record<Field, string>> = {};
  for (const field of fields) {
    const scanned = holds[field];
    if (scanned === null) continue;
    const own = said[field];
    if (typeof own === "string" && own !== scanned) throw ScanDisagrees({ field, scanned, said: own });
    taken[field] = scanned;
  }
  return { ...said, ...taken };
}
