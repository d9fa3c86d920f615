import { bool } from "../db/columns.js";
import { db, type Sql } from "../db/db.js";
import { AmbiguousBarcode, ScanDisagrees, ScannedOtherItem } from "./problems.js";
import { readScan, type Scan } from "./scan.js";
import { Candidate } from "./shapes.js";
import { isOwnCode } from "./sql.js";

/** The item that was found, if any; refused, with the candidates, where several items have the code. */
export async function onlyOne<T extends { item_id: number }>(
  found: T[],
  scan: Scan,
): Promise<Omit<T, "item_id"> | undefined> {
  if (found.length > 1) {
    const ids = found.map((item) => item.item_id);
    throw await severalItems(db, ids, scan);
  }
  if (!found[0]) return undefined;
  const { item_id: _, ...rest } = found[0];
  return rest;
}

/** The refusal of a scan that matches several items. */
export async function severalItems(sql: Sql, items: number[], { text, holds }: Scan) {
  const candidates = await sql.rows(
    Candidate,
    "select item_id, external_id, sku, item_name, upc from items where item_id = any($1) order by item_id",
    [items],
  );
  const code = holds.gtin === null ? `Code ${text}` : `GTIN ${holds.gtin}`;
  return AmbiguousBarcode({ code, items: candidates.map(({ item_id }) => item_id).join(", ") }, { candidates });
}

interface Labelled {
  item_id: number;
  scanned_barcode?: string | null | undefined;
}

const CheckScansRow = { is_own: bool.nullable() };

/** Refuses scanned codes that do not belong to the items which the request names; other items may have them too. */
export async function checkScans(tx: Sql, lines: Labelled[]): Promise<void> {
  const scans = lines.flatMap(({ item_id, scanned_barcode }) =>
    scanned_barcode ? [{ item_id, scan: readScan(scanned_barcode) }] : [],
  );
  if (scans.length === 0) return;
  const found = await tx.rows(
    CheckScansRow,
    `select ${isOwnCode("s.code", "string_to_array(s.forms, ',')")} as is_own
     from unnest($1::int[], $2::text[], $3::text[]) with ordinality as s(item_id, code, forms, place)
     left join items using (item_id) order by place`,
    [
      scans.map(({ item_id }) => item_id),
      scans.map(({ scan }) => scan.text),
      scans.map(({ scan }) => scan.forms.join()),
    ],
  );
  for (const [i, { item_id }] of scans.entries()) if (!found[i]?.is_own) throw ScannedOtherItem({ item_id });
}

type Field = "lot_number" | "serial_number" | "expiry_date" | "production_date";

/**
 * A request in which fields that it leaves out are taken from the scanned label; refused where both have one and they
 * differ.
 */
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
