import { db } from "../../platform/db/db.js";
import type { Bin } from "./shapes.js";

/** Labels of bins, for the shelf. */

export type LabelledBin = Pick<
  Bin,
  "bin_id" | "warehouse_id" | "bin_code" | "bin_barcode" | "aisle" | "row_num" | "level_num" | "position_num"
> & { warehouse_code: string; zone_name: string };

const COLUMNS = `b.bin_id, b.warehouse_id, b.bin_code, b.bin_barcode, b.aisle, b.row_num, b.level_num, b.position_num,
  w.warehouse_code, z.zone_name`;
const RELATED = "join zones z using (zone_id) join warehouses w on w.warehouse_id = b.warehouse_id";

/** The bins in the order of their ids here; those that do not exist are left out. */
export function binsToLabel(binIds: number[]): Promise<LabelledBin[]> {
  return db.rows<LabelledBin>(
    `select ${COLUMNS} from unnest($1::int[]) with ordinality as named(bin_id, place)
     join bins b using (bin_id) ${RELATED} order by place`,
    [binIds],
  );
}

export interface ZoneToLabel {
  warehouse_id: number;
  zone_code: string;
  /** Of its active bins. */
  bin_ids: number[];
}

/** A zone and its active bins, in the order of a walk. */
export function zoneToLabel(zoneId: number): Promise<ZoneToLabel | undefined> {
  return db.row<ZoneToLabel>(
    `select warehouse_id, zone_code,
       array(select bin_id from bins b where b.zone_id = z.zone_id and b.is_active
             order by pick_sequence, bin_code) as bin_ids
     from zones z where zone_id = $1`,
    [zoneId],
  );
}
