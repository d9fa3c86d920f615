import { z } from "zod";
import { int, text, time } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { builder, codeOf, type Page, runBuilt } from "../platform/db/list.js";
import { allAsJson, listPage } from "../platform/db/listing.js";
import type { OfWarehouse } from "../platform/temporal/priorities.js";
import { adjustmentsOfCount } from "../stock/adjustments/queries.js";
import {
  type CountFilters,
  CountWithLines,
  CycleCountSummary,
  type CycleCountToReview,
  countList,
  type OpenCounts,
} from "./shapes.js";

/** More than is counted in a day. */
const MOST_OPEN = 500;

/** A count with its lines. One round trip. */
export function countWithLines(countId: number): Promise<CountWithLines | undefined> {
  return db.row(
    CountWithLines,
    `with visible as (
       select coalesce((select value from app_settings where key = 'count_show_expected'), 'true') <> 'false'
         and not exists (select from cycle_counts where count_id = $1 and is_blind) as expected
     )
     select
       json_build_object(
         'count_id', c.count_id, 'external_id', c.external_id, 'bin_id', c.bin_id, 'bin_code', b.bin_code,
         'bin_barcode', b.bin_barcode, 'warehouse_id', c.warehouse_id, 'status', c.status, 'assigned_to', c.assigned_to,
         'created_at', c.created_at
       ) as cycle_count,
       visible.expected as show_expected,
       (select coalesce(json_agg(json_build_object(
           'count_line_id', l.count_line_id, 'item_id', l.item_id, 'sku', i.sku, 'item_name', i.item_name, 'upc', i.upc,
           'expected_quantity', l.expected_quantity,
           'expected_at_creation', case when visible.expected then l.expected_at_creation end,
           'counted_quantity', l.counted_quantity,
           'variance', l.counted_quantity - l.expected_quantity, 'scanned', l.scanned, 'unexpected', l.unexpected)
           order by l.count_line_id), '[]')
        from cycle_count_lines l join items i using (item_id) where l.count_id = c.count_id) as lines
     from cycle_counts c join bins b using (bin_id), visible where c.count_id = $1`,
    [countId],
  );
}

const OpenCountsRow = {
  count_id: int,
  external_id: text,
  bin_id: int,
  bin_code: text,
  bin_barcode: text,
  warehouse_id: int,
  status: z.enum(["PENDING", "IN_PROGRESS", "COMPLETED", "VARIANCE"]),
  assigned_to: text.nullable(),
  created_at: time,
  lines: int,
};

/** The counts of a warehouse that wait to be counted, in the order of a walk along the bins. */
export async function openCounts(warehouseId: number): Promise<OpenCounts> {
  const counts = await db.rows(
    OpenCountsRow,
    `select c.count_id, c.external_id, c.bin_id, b.bin_code, b.bin_barcode, c.warehouse_id, c.status, c.assigned_to,
       c.created_at, (select count(*) from cycle_count_lines l where l.count_id = c.count_id) as lines
     from cycle_counts c join bins b using (bin_id)
     where c.warehouse_id = $1 and c.status in ('PENDING', 'IN_PROGRESS')
     order by b.pick_sequence, b.bin_code, c.count_id limit ${MOST_OPEN}`,
    [warehouseId],
  );
  return { counts };
}

/** A page of the counts with their lines, newest first. */
export function cycleCounts(filters: CountFilters & Page, warehouseIds: number[] | null) {
  return listPage(CycleCountSummary, "cycle_counts", newestCounts(filters, warehouseIds), filters, countList);
}

/** All of them as one page. */
export const allCycleCounts = (filters: CountFilters, warehouseIds: number[] | null): Promise<string> =>
  allAsJson("cycle_counts", newestCounts(filters, warehouseIds), filters, countList);

/** A count with its lines and adjustments. */
export async function countToReview(countId: number): Promise<CycleCountToReview | undefined> {
  const [[count], adjustments] = await Promise.all([
    runBuilt(CycleCountSummary, newestCounts({}, null).where("c.count_id", countId)),
    adjustmentsOfCount(countId),
  ]);
  return count && { ...count, adjustments };
}

function newestCounts(filters: CountFilters, warehouseIds: number[] | null) {
  const query = builder("cycle_counts as c")
    .join("bins as b", "b.bin_id", "c.bin_id")
    .select(
      "count_id",
      "c.external_id",
      "c.warehouse_id",
      "c.bin_id",
      "bin_code",
      "status",
      "assigned_to",
      "created_at",
      "completed_at",
      builder.raw(
        `(select coalesce(json_agg(json_build_object(
             'count_line_id', count_line_id, 'sku', sku, 'item_name', item_name, 'expected_quantity', expected_quantity,
             'counted_quantity', counted_quantity, 'unexpected', unexpected,
             'variance', counted_quantity - expected_quantity) order by count_line_id), '[]')
          from cycle_count_lines l join items using (item_id) where l.count_id = c.count_id) as lines`,
      ),
      builder.raw(codeOf("c.warehouse_id")),
    )
    .orderBy([
      { column: "created_at", order: "desc" },
      { column: "count_id", order: "desc" },
    ]);
  if (warehouseIds) query.whereIn("c.warehouse_id", warehouseIds);
  if (filters.warehouse_id) query.where("c.warehouse_id", filters.warehouse_id);
  return query;
}

/** SQL: whether a count `c` is not finished: still to be counted, or with pending adjustments. */
const OPEN = `
  (c.status in ('PENDING', 'IN_PROGRESS') or exists (
     select from inventory_adjustments a where a.cycle_count_id = c.count_id and a.status = 'PENDING'))`;

/** The warehouse of such a count; undefined for one that is finished. */
export async function openCountIn(countId: number): Promise<number | undefined> {
  const sql = `select warehouse_id from cycle_counts c where count_id = $1 and ${OPEN}`;
  return (await db.row({ warehouse_id: int }, sql, [countId]))?.warehouse_id;
}

export const unfinishedCounts = (): Promise<OfWarehouse[]> =>
  db.rows(
    { id: int, warehouse_id: int },
    `select count_id as id, warehouse_id from cycle_counts c where ${OPEN} order by count_id`,
  );

/** Those of these counts that were superseded and have nothing left to decide. */
export async function endedCountIds(countIds: number[]): Promise<number[]> {
  const ended = await db.rows(
    { count_id: int },
    `select count_id from cycle_counts c where count_id = any($1) and not ${OPEN} and exists (
       select from inventory_adjustments a where a.cycle_count_id = c.count_id and superseded_by_count_id is not null)`,
    [countIds],
  );
  return ended.map((count) => count.count_id);
}

/** Reserves ids for new counts. They are needed before the workflows start, because the workflow ids contain them. */
export async function takeCountIds(howMany: number): Promise<number[]> {
  const taken = await db.rows(
    { id: int },
    "select nextval(pg_get_serial_sequence('cycle_counts', 'count_id')) as id from generate_series(1, $1::int)",
    [howMany],
  );
  return taken.map(({ id }) => id);
}
