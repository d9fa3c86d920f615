import { z } from "zod";
import { int } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import * as field from "../../platform/fields/index.js";
import { Units } from "../../platform/fields.js";
import { Bin } from "./shapes.js";

/** The bins of a warehouse as a map: how full, how busy and how long undisturbed each is. */

const MOST_BINS = 10_000;

const BinOfMap = z
  .strictObject({
    ...Bin.pick({ bin_id: true, bin_code: true, bin_type: true, zone_id: true }).shape,
    ...Bin.pick({ aisle: true, row_num: true, level_num: true, is_reserve: true }).shape,
    zone_name: field.ZoneName,
    units: Units.describe("Units in it."),
    items: z.int().describe("How many different items are in it."),
    fill_percent: z.int().nullable().describe("Its units, of `max_units`; null where that is not known."),
    picks_7d: z.int().describe("Tasks that were picked from it in waves that ended within the last 7 days."),
    still_days: z
      .int()
      .nullable()
      .describe("For how many days nothing of it has come, gone or been promised; null where it is empty."),
  })
  .meta({ id: "BinOfMap", description: "An active bin with what a map shows of it." });

export const BinMap = z.strictObject({
  bins: z.array(BinOfMap).describe(`The first ${MOST_BINS} active bins, by zone, aisle, row and level.`),
  total: z.int().describe("How many there are."),
});

const Counted = { total: int };

/** In which order bins stand. */
const PLACE = "zone_name, b.aisle, b.row_num, b.level_num, b.bin_code";

/** The active bins of a warehouse, perhaps of one zone of it, in the order in which they stand. */
export async function binMap(warehouse_id: number, zone_id: number | undefined): Promise<z.infer<typeof BinMap>> {
  const of = "b.warehouse_id = $1 and b.is_active and ($2::int is null or b.zone_id = $2)";
  const bins = await db.rows(
    BinOfMap,
    `with b as (
       select b.*, z.zone_name from bins b join zones z using (zone_id) where ${of}
       order by ${PLACE} limit ${MOST_BINS}
     ), picks as (
       select t.bin_id, count(*) as picks from pick_batches p join pick_tasks t using (batch_id)
       where p.warehouse_id = $1 and p.completed_at > now() - interval '7 days' and t.status in ('PICKED', 'SHORT')
       group by t.bin_id
     )
     select b.bin_id, b.bin_code, b.bin_type, b.zone_id, b.aisle, b.row_num, b.level_num, b.is_reserve, b.zone_name,
       s.units, s.items, s.units * 100 / b.max_units as fill_percent, coalesce(p.picks, 0) as picks_7d, s.still_days
     from b left join picks p using (bin_id)
     cross join lateral (
       select coalesce(sum(quantity_on_hand), 0) as units, count(distinct item_id) as items,
         floor(extract(epoch from now() - max(updated_at)) / 86400)::int as still_days
       from inventory where bin_id = b.bin_id and quantity_on_hand > 0) s
     order by ${PLACE}`,
    [warehouse_id, zone_id],
  );
  if (bins.length < MOST_BINS) return { bins, total: bins.length };
  const counted = await db.row(Counted, `select count(*) as total from bins b where ${of}`, [warehouse_id, zone_id]);
  return { bins, total: counted?.total ?? 0 };
}
