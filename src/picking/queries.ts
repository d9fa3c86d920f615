import { z } from "zod";
import { arrayOf, int, text } from "../platform/db/columns.js";
import { db, type Sql } from "../platform/db/db.js";
import { TransferStatus } from "../platform/statuses.js";
import type { OfWarehouse } from "../platform/temporal/priorities.js";
import { HoldReason } from "../sales-orders/holds.js";
import { OrderType } from "../sales-orders/shapes.js";
import { HELD_LEASE } from "./held-lease.js";
import { ActiveBatch, PickBatch } from "./shapes.js";

export const BatchHeader = PickBatch.pick({
  warehouse_id: true,
  status: true,
  kind: true,
  batch_id: true,
  batch_number: true,
}).extend({ total_orders: int, total_items: int });
export type BatchHeader = z.infer<typeof BatchHeader>;

/** What a batch picks: columns of the batch `p`, and of its transfer order. */
const KIND = "p.kind, p.to_id, (select to_number from transfer_orders t where t.to_id = p.to_id) as to_number";

/** How far the walk of the batch `p` is. */
export const WALK = `case when p.walk_metres is not null then json_build_object(
  'metres', p.walk_metres, 'by_sequence_metres', p.sequence_metres) end as walk`;

const Batch = z.strictObject({
  ...BatchHeader.shape,
  ...PickBatch.omit({ workflow_id: true, tasks: true, workflows_url: true }).shape,
});
type Batch = z.infer<typeof Batch>;

export function batchHeader(batchId: number): Promise<BatchHeader | undefined> {
  return db.row(
    BatchHeader,
    `select batch_id, batch_number, kind, warehouse_id, status, total_orders, total_items from pick_batches
      where batch_id = $1`,
    [batchId],
  );
}

/** A batch with its orders. */
export function batchWithOrders(batchId: number): Promise<Batch | undefined> {
  return db.row(
    Batch,
    `select batch_id, batch_number, ${KIND}, ${WALK}, warehouse_id, status, total_orders, total_items, assigned_to,
       created_at, started_at, completed_at, ${HELD_LEASE},
       (select coalesce(json_agg(json_build_object('so_id', so_id, 'so_number', s.so_number, 'tote_number',
                                                   o.tote_number) order by o.tote_number, o.so_id), '[]')
        from pick_batch_orders o join sales_orders s using (so_id) where o.batch_id = p.batch_id) as orders
     from pick_batches p where batch_id = $1`,
    [batchId],
  );
}

const ActiveBatchRow = ActiveBatch.omit({ active: true });
export type ActiveBatchRow = z.infer<typeof ActiveBatchRow>;

const activeWhere = (sql: Sql, which: string, id: number): Promise<ActiveBatchRow | undefined> =>
  sql.row(
    ActiveBatchRow,
    `select p.batch_id, ${KIND}, ${WALK}, p.total_orders, p.created_at,
            (count(t.*) filter (where t.status in ('PENDING', 'PICKED', 'SHORT')))::int as total_picks,
            (count(t.*) filter (where t.status in ('PICKED', 'SHORT')))::int as completed_picks
     from pick_batches p left join pick_tasks t using (batch_id)
     where ${which} = $1 and p.status in ('OPEN', 'IN_PROGRESS')
     group by p.batch_id order by p.created_at desc, p.batch_id desc limit 1`,
    [id],
  );

/** The newest active batch of a user. */
export const activeBatch = (userId: number): Promise<ActiveBatchRow | undefined> =>
  activeWhere(db, "p.assigned_user_id", userId);

/** An active batch. */
export const activeBatchOf = (sql: Sql, batchId: number): Promise<ActiveBatchRow | undefined> =>
  activeWhere(sql, "p.batch_id", batchId);

/** An order that was scanned to join a wave. */
const OrderForWave = z.strictObject({
  so_id: int,
  so_number: text,
  status: text,
  order_type: OrderType,
  line_count: int,
  total_units: int,
  /** The active batch that it is in. */
  batch_id: int.nullable(),
  hold_reason: HoldReason.nullable(),
});
type OrderForWave = z.infer<typeof OrderForWave>;

/** The order of a warehouse that was scanned to join a wave, by barcode or number, ignoring case. */
export function scannedOrder(barcode: string, warehouseId: number): Promise<OrderForWave | undefined> {
  return db.row(
    OrderForWave,
    `select s.so_id, s.so_number, s.status, s.order_type, s.hold_reason,
       (select batch_id from pick_batch_orders o where o.so_id = s.so_id and o.active) as batch_id,
       l.line_count, l.total_units
     from sales_orders s
     cross join lateral (
       select count(*)::int as line_count, coalesce(sum(quantity_ordered), 0) as total_units
       from sales_order_lines l where l.so_id = s.so_id) l
     where (s.so_barcode = $1 or s.so_number = $1 or upper(s.so_number) = upper($1) or upper(s.so_barcode) = upper($1))
       and s.warehouse_id = $2
     order by (s.so_number = $1) desc, (s.so_barcode = $1) is true desc, s.so_id limit 1`,
    [barcode, warehouseId],
  );
}

/** A scanned transfer order with its walk, which is null where nobody began it. */
const TransferForWave = z.strictObject({
  to_id: int,
  to_number: text,
  status: TransferStatus,
  walk: z
    .strictObject({
      ...{ batch_id: int, batch_number: text, assigned_to: text, assigned_user_id: int.nullable() },
      ...{ line_count: int, total_units: int },
    })
    .nullable(),
});
type TransferForWave = z.infer<typeof TransferForWave>;

/** The transfer order from a warehouse that was scanned to be picked, by number. */
export function scannedTransfer(barcode: string, warehouseId: number): Promise<TransferForWave | undefined> {
  return db.row(
    TransferForWave,
    `select t.to_id, t.to_number, t.status, case when p.batch_id is not null then json_build_object(
         'batch_id', p.batch_id, 'batch_number', p.batch_number, 'assigned_to', p.assigned_to,
         'assigned_user_id', p.assigned_user_id, 'total_units', p.total_items,
         'line_count', (select count(distinct to_line_id) from pick_tasks k where k.batch_id = p.batch_id))
       end as walk
     from transfer_orders t
     left join pick_batches p on p.to_id = t.to_id and p.status in ('OPEN', 'IN_PROGRESS')
     where t.to_number in ($1::text, upper($1)) and t.source_warehouse_id = $2`,
    [barcode, warehouseId],
  );
}

const OrderIdsRow = { so_id: int.nullable() };

/** Ids of orders by number or barcode, in the order given; null where there is none in these warehouses. */
export async function orderIds(identifiers: string[], warehouses: number[] | null): Promise<(number | null)[]> {
  const found = await db.rows(
    OrderIdsRow,
    `select (select so_id from sales_orders
             where (so_number = n.text or so_barcode = n.text) and ($2::int[] is null or warehouse_id = any($2))
             order by (so_number = n.text) desc, so_id limit 1) as so_id
     from unnest($1::text[]) with ordinality as n(text, place) order by place`,
    [identifiers, warehouses],
  );
  return found.map((row) => row.so_id);
}

/** Batches that somebody picks, each by a workflow. One that waits for a picker has none. */
const PICKED_NOW = "status in ('OPEN', 'IN_PROGRESS') and assigned_to is not null";

/** The warehouse of a batch that somebody picks; undefined for any other. */
export async function activeBatchIn(batchId: number): Promise<number | undefined> {
  const batch = await db.row(
    { warehouse_id: int },
    `select warehouse_id from pick_batches where batch_id = $1 and ${PICKED_NOW}`,
    [batchId],
  );
  return batch?.warehouse_id;
}

export const activeBatches = (): Promise<OfWarehouse[]> =>
  db.rows(
    { id: int, warehouse_id: int },
    `select batch_id as id, warehouse_id from pick_batches where ${PICKED_NOW} order by batch_id`,
  );

/** A new batch id. It is reserved before the workflow starts, because the workflow id contains it. */
export async function takeBatchId(): Promise<number> {
  const row = await db.row({ id: int }, "select nextval(pg_get_serial_sequence('pick_batches', 'batch_id')) as id");
  return row?.id as number;
}

const ShownOfWaveRow = { warehouse_code: text.nullable(), so_numbers: arrayOf(text) };

/**
 * What the workflow of a wave shows from its start: the code of the warehouse (null when there is none), and the
 * numbers of those of the orders that are in it, in the given order.
 */
export async function shownOfWave(soIds: number[], warehouseId: number) {
  const found = await db.row(
    ShownOfWaveRow,
    `select (select warehouse_code from warehouses where warehouse_id = $2) as warehouse_code,
            array(select so_number from sales_orders where so_id = any($1) and warehouse_id = $2
                  order by array_position($1, so_id))::text[] as so_numbers`,
    [soIds, warehouseId],
  );
  return found as NonNullable<typeof found>;
}
