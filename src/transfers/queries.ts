import { int, text } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { builder, codeOf } from "../platform/db/list.js";
import { listPage } from "../platform/db/listing.js";
import type { OfWarehouse } from "../platform/temporal/priorities.js";
import { TransferDetail, type TransferFilters, TransferOrder, transferList } from "./shapes.js";
import type { TransferNames } from "./workflow.js";

const columns = [
  ...["to_id", "to_number", "source_warehouse_id", "destination_warehouse_id", "status", "created_by", "notes"],
  ...["external_id", "created_at", "updated_at"],
];

const source = codeOf("t.source_warehouse_id", "source_warehouse_code");
const destination = codeOf("t.destination_warehouse_id", "destination_warehouse_code");
const codes = [source, destination].join();

/** Whether an approval of the transfer order `t` is pending, for people of the destination. */
export const TO_APPROVE = `t.status not in ('CLOSED', 'CANCELLED') and exists (
  select from transfer_order_approvals a where a.to_id = t.to_id and a.status = 'PENDING')`;

/** Transfer orders, newest first: those that leave or reach one of these warehouses. */
export function transferOrders(filters: TransferFilters, warehouseIds: number[] | null) {
  const query = builder("transfer_orders as t")
    .select([...columns, builder.raw(codes)])
    .orderBy([
      { column: "created_at", order: "desc" },
      { column: "to_id", order: "desc" },
    ]);
  const { status, source_warehouse_id, destination_warehouse_id } = filters;
  if (status) query.where({ status });
  if (filters.to_approve) {
    query.whereRaw(TO_APPROVE);
    if (warehouseIds) query.whereIn("destination_warehouse_id", warehouseIds);
  }
  if (source_warehouse_id) query.where({ source_warehouse_id });
  if (destination_warehouse_id) query.where({ destination_warehouse_id });
  if (warehouseIds)
    query.where((either) =>
      either.whereIn("source_warehouse_id", warehouseIds).orWhereIn("destination_warehouse_id", warehouseIds),
    );
  return listPage(TransferOrder, "transfer_orders", query, filters, transferList);
}

/** A transfer order with its lines, approvals and walks. One round trip. */
export function transferOrder(toId: number): Promise<TransferDetail | undefined> {
  return db.row(
    TransferDetail,
    `select
       (select row_to_json(header) from (select ${[...columns.map((column) => `t.${column}`), codes]}) as header)
         as transfer_order,
       (select coalesce(json_agg(json_build_object(
           'to_line_id', to_line_id, 'to_id', to_id, 'item_id', item_id, 'sku', sku, 'item_name', item_name,
           'line_number', line_number, 'requested_qty', requested_qty, 'committed_qty', committed_qty,
           'picked_qty', picked_qty, 'approved_qty', approved_qty, 'status', status) order by line_number), '[]')
        from transfer_order_lines l join items using (item_id) where l.to_id = t.to_id) as lines,
       (select coalesce(json_agg(json_build_object(
           'to_approval_id', to_approval_id, 'to_id', to_id, 'submitted_by', submitted_by,
           'submitted_at', submitted_at, 'approved_by', approved_by, 'approved_at', approved_at,
           'rejected_by', rejected_by, 'rejected_at', rejected_at, 'rejection_reason', rejection_reason,
           'status', status, 'external_id', external_id, 'lines',
           (select coalesce(json_agg(json_build_object(
               'to_line_id', to_line_id, 'item_id', v.item_id, 'sku', sku, 'item_name', item_name,
               'bin_code', bin_code, 'lot_number', lot_number, 'quantity', x.quantity)
               order by line_number, bin_code, lot_number), '[]')
            from to_approval_lines x join transfer_order_lines using (to_line_id) join inventory v using (inventory_id)
              join items i on i.item_id = v.item_id join bins using (bin_id)
            where x.to_approval_id = a.to_approval_id)) order by to_approval_id), '[]')
        from transfer_order_approvals a where a.to_id = t.to_id) as approvals,
       (select coalesce(json_agg(json_build_object(
           'batch_id', batch_id, 'batch_number', batch_number, 'status', status, 'assigned_to', assigned_to,
           'total_items', total_items, 'started_at', started_at, 'completed_at', completed_at) order by batch_id), '[]')
        from pick_batches p where p.to_id = t.to_id) as walks
     from transfer_orders t where to_id = $1`,
    [toId],
  );
}

/** A new transfer order's id. It is reserved before the workflow starts, because the workflow id contains it. */
export async function takeTransferId(): Promise<number> {
  const row = await db.row({ id: int }, "select nextval(pg_get_serial_sequence('transfer_orders', 'to_id')) as id");
  return row?.id as number;
}

const OPEN = "status not in ('CLOSED', 'CANCELLED')";

/** The source warehouse of an open transfer order, whose workflow should be running; undefined for another. */
export async function openTransferIn(toId: number): Promise<number | undefined> {
  const sql = `select source_warehouse_id as warehouse_id from transfer_orders where to_id = $1 and ${OPEN}`;
  return (await db.row({ warehouse_id: int }, sql, [toId]))?.warehouse_id;
}

/** The transfer orders whose workflows should be running. */
export const openTransfers = (): Promise<OfWarehouse[]> =>
  db.rows(
    { id: int, warehouse_id: int },
    `select to_id as id, source_warehouse_id as warehouse_id from transfer_orders where ${OPEN} order by to_id`,
  );

const NamesOfTransferRow = {
  source_warehouse_id: int.nullable(),
  source_warehouse_code: text.nullable(),
  destination_warehouse_code: text.nullable(),
};

/**
 * What identifies a transfer order in the Temporal UI before it is created, between two warehouses that are given by
 * their ids or codes.
 */
export async function namesOfTransfer<W extends number | string>(source: W, destination: W): Promise<TransferNames> {
  const column = typeof source === "number" ? "warehouse_id" : "warehouse_code";
  const found = await db.row(
    NamesOfTransferRow,
    `select s.warehouse_id as source_warehouse_id, s.warehouse_code as source_warehouse_code,
            d.warehouse_code as destination_warehouse_code
     from (select) one left join warehouses s on s.${column} = $1 left join warehouses d on d.${column} = $2`,
    [source, destination],
  );
  return found ?? {};
}
