import { db } from "../db.js";

export interface CountLine {
  count_line_id: number;
  item_id: number;
  sku: string;
  item_name: string;
  upc: string | null;
  expected_quantity: number;
  counted_quantity: number | null;
  variance: number | null;
  scanned: boolean;
  unexpected: boolean;
}

export interface CountForCounting {
  cycle_count: {
    count_id: number;
    bin_id: number;
    bin_code: string;
    bin_barcode: string;
    warehouse_id: number;
    status: string;
    assigned_to: string | null;
    created_at: string;
  };
  /** False for a blind count: whoever counts is not shown what is expected. */
  show_expected: boolean;
  lines: CountLine[];
}

/** A count with its lines. One round trip. */
export function countWithLines(
  countId: number,
): Promise<CountForCounting | undefined> {
  return db.row<CountForCounting>(
    `select
       json_build_object(
         'count_id', c.count_id, 'bin_id', c.bin_id, 'bin_code', b.bin_code, 'bin_barcode', b.bin_barcode,
         'warehouse_id', c.warehouse_id, 'status', c.status, 'assigned_to', c.assigned_to, 'created_at', c.created_at
       ) as cycle_count,
       coalesce((select value from app_settings where key = 'count_show_expected'), 'true') <> 'false' as show_expected,
       (select coalesce(json_agg(json_build_object(
           'count_line_id', l.count_line_id, 'item_id', l.item_id, 'sku', i.sku, 'item_name', i.item_name, 'upc', i.upc,
           'expected_quantity', l.expected_quantity, 'counted_quantity', l.counted_quantity,
           'variance', l.counted_quantity - l.expected_quantity, 'scanned', l.scanned, 'unexpected', l.unexpected)
           order by l.count_line_id), '[]')
        from cycle_count_lines l join items i using (item_id) where l.count_id = c.count_id) as lines
     from cycle_counts c join bins b using (bin_id) where c.count_id = $1`,
    [countId],
  );
}

/** Counts that go on: to be counted, or with adjustments that wait for a decision. */
const OPEN = `
  (c.status in ('PENDING', 'IN_PROGRESS') or exists (
     select from inventory_adjustments a where a.cycle_count_id = c.count_id and a.status = 'PENDING'))`;

export async function isCountOpen(countId: number): Promise<boolean> {
  const found = await db.row(
    `select from cycle_counts c where count_id = $1 and ${OPEN}`,
    [countId],
  );
  return found !== undefined;
}

export async function openCountIds(): Promise<number[]> {
  const open = await db.rows<{ count_id: number }>(
    `select count_id from cycle_counts c where ${OPEN} order by count_id`,
  );
  return open.map((count) => count.count_id);
}

/** The ids of counts are taken before their workflows start, because those are named after them. */
export async function takeCountIds(howMany: number): Promise<number[]> {
  const taken = await db.rows<{ id: number }>(
    "select nextval(pg_get_serial_sequence('cycle_counts', 'count_id')) as id from generate_series(1, $1::int)",
    [howMany],
  );
  return taken.map(({ id }) => id);
}
