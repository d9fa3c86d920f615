import { randomUUID } from "node:crypto";
import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { NoWarehouseScope, ReferenceConflict } from "../../src/pos/problems.js";
import type { ReferenceAnswer, ReferenceOrder } from "../../src/pos/shapes.js";
import { command } from "../command.js";
import { insertOrder, newIds } from "./insert-order.js";

const AddReferenceOrderRow = { sku: text, item_id: int.nullable(), quantity: int };

/**
 * Stores a sale of another system, so that exchanges and refunds can refer to it (docs/interface.md, Tills): SHIPPED,
 * in the token's first warehouse, without stock and without event. An existing order with that number stays as it
 * is, and a retired one retired.
 * Audit POS_REFERENCE_INGEST.
 */
export function addReferenceOrder(order: ReferenceOrder, by: Actor): Promise<ReferenceAnswer> {
  const { so_number, customer_name } = order;
  return command("pos.addReferenceOrder", by, order, async (tx) => {
    const [, existing, warehouse, items, ids] = await tx.inOrder([
      // Two tills may send the same sale at once.
      tx.run("select pg_advisory_xact_lock(hashtextextended($1, 1))", [so_number]),
      tx.row(
        { warehouse_id: int },
        `select warehouse_id from sales_orders where so_number = $1
         union all select warehouse_id from retired_orders where kind = 'sales_order' and number = $1`,
        [so_number],
      ),
      tx.row(
        { warehouse_id: int },
        `select warehouse_id from warehouses where warehouse_id = any($1)
         order by array_position($1, warehouse_id) limit 1`,
        [by.warehouseIds],
      ),
      tx.rows(
        AddReferenceOrderRow,
        `select n.sku, item_id, quantity from unnest($1::text[], $2::int[]) with ordinality as n(sku, quantity, place)
         left join items using (sku) order by place`,
        [order.lines.map((line) => line.sku), order.lines.map((line) => line.quantity)],
      ),
      newIds(tx, order.lines.length),
    ]);
    if (!warehouse) throw NoWarehouseScope();
    if (existing && !by.warehouseIds.includes(existing.warehouse_id)) throw ReferenceConflict();
    if (existing) return { so_id: so_number, so_number, created: false as const };
    const lines = items.flatMap(({ item_id, quantity }, i) =>
      item_id === null ? [] : { so_line_id: ids.line_ids[i] as number, item_id, quantity },
    );
    const skipped_skus = [...new Set(items.filter((item) => item.item_id === null).map((item) => item.sku))];
    insertOrder(
      tx,
      {
        ...{ so_id: ids.so_id, external_id: randomUUID(), so_number, customer_name, status: "SHIPPED" },
        ...{ order_type: "sale", order_source: "reference", order_origin: "Reference" },
        ...{ warehouse_id: warehouse.warehouse_id, shipped_at: tx.now, created_by: by.username },
      },
      lines,
    );
    tx.audit({
      action: "POS_REFERENCE_INGEST",
      entity: "SO",
      entityId: ids.so_id,
      warehouseId: warehouse.warehouse_id,
      details: { so_number, customer_name, lines: order.lines, skipped_skus },
    });
    return { so_id: so_number, so_number, created: true as const, skipped_skus };
  });
}
