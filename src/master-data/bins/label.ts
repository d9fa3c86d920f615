import { z } from "zod";
import { arrayOf, int, text } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { BinNotFound } from "../../stock/problems.js";
import { Bin } from "./shapes.js";

/** Labels of bins, for the shelf. */

export const LabelledBin = z.strictObject({
  ...Bin.pick({
    warehouse_id: true,
    bin_code: true,
    bin_id: true,
    bin_barcode: true,
    aisle: true,
    row_num: true,
    level_num: true,
    position_num: true,
  }).shape,
  warehouse_code: text,
  zone_name: text,
});
export type LabelledBin = z.infer<typeof LabelledBin>;

const COLUMNS = `b.bin_id, b.warehouse_id, b.bin_code, b.bin_barcode, b.aisle, b.row_num, b.level_num, b.position_num,
  w.warehouse_code, z.zone_name`;
const RELATED = "join zones z using (zone_id) join warehouses w on w.warehouse_id = b.warehouse_id";

/** The bins in the order of the given ids; 404 `bin_not_found`. */
export async function binsToLabel(binIds: number[]): Promise<LabelledBin[]> {
  const bins = await db.rows(
    LabelledBin,
    `select ${COLUMNS} from unnest($1::int[]) with ordinality as named(bin_id, place)
     join bins b using (bin_id) ${RELATED} order by place`,
    [binIds],
  );
  const known = new Set(bins.map(({ bin_id }) => bin_id));
  for (const bin_id of binIds) if (!known.has(bin_id)) throw BinNotFound({ bin_id });
  return bins;
}

export const ZoneToLabel = z.strictObject({
  warehouse_id: int,
  zone_code: text,
  /** Of its active bins. */
  bin_ids: arrayOf(int),
});
export type ZoneToLabel = z.infer<typeof ZoneToLabel>;

/** A zone and its active bins, in the order of a walk along them. */
export function zoneToLabel(zoneId: number): Promise<ZoneToLabel | undefined> {
  return db.row(
    ZoneToLabel,
    `select warehouse_id, zone_code,
       array(select bin_id from bins b where b.zone_id = z.zone_id and b.is_active
             order by pick_sequence, bin_code) as bin_ids
     from zones z where zone_id = $1`,
    [zoneId],
  );
}
