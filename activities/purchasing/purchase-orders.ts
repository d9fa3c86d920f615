import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { PoExists } from "../../src/purchasing/problems.js";
import { purchaseOrder } from "../../src/purchasing/queries.js";
import type { NewPurchaseOrder, PurchaseOrderWithLines } from "../../src/purchasing/shapes.js";
import { command, type Tx } from "../command.js";
import { checkReferences } from "../master-data/references.js";

/** Creates a purchase order with its lines (docs/interface.md, Purchase orders). Audit CREATE, no event. */
export function createPurchaseOrder(po: NewPurchaseOrder, by: Actor): Promise<PurchaseOrderWithLines> {
  return command("purchase-orders.create", by, po, async (tx) => {
    await checkReferences(tx, po.warehouse_id, po.lines, { sold: false });
    const poId = (await insertPurchaseOrders(tx, [po], by)).get(po.po_number);
    if (!poId) throw PoExists({ po_number: po.po_number });
    return (await purchaseOrder(tx, poId)) as PurchaseOrderWithLines;
  });
}

/**
 * Inserts orders with their lines and audit rows, in one statement for each table. Returns the new ids by number; an
 * order whose number is taken, or was, is skipped and missing from the result.
 */
export async function insertPurchaseOrders(
  tx: Tx,
  purchaseOrders: NewPurchaseOrder[],
  by: Actor,
): Promise<Map<string, number>> {
  const inserted = await tx.rows(
    { po_id: int, po_number: text },
    `insert into purchase_orders (po_number, po_barcode, vendor_name, expected_date, warehouse_id, notes, created_by)
     select po_number, coalesce(po_barcode, po_number), vendor_name, expected_date, warehouse_id, notes, $2
     from jsonb_populate_recordset(null::purchase_orders, $1) o
     where not exists (select from retired_orders r where r.kind = 'purchase_order' and r.number = o.po_number)
     on conflict (po_number) do nothing returning po_id, po_number`,
    [JSON.stringify(purchaseOrders), by.username],
  );
  const ids = new Map(inserted.map((po) => [po.po_number, po.po_id]));
  const lines: object[] = [];
  for (const po of purchaseOrders) {
    const po_id = ids.get(po.po_number);
    if (!po_id) continue;
    po.lines.forEach((line, i) => {
      lines.push({ ...line, po_id, line_number: line.line_number ?? i + 1 });
    });
    tx.audit({
      action: "CREATE",
      entity: "PO",
      entityId: po_id,
      warehouseId: po.warehouse_id,
      details: { po_number: po.po_number, lines: po.lines.length },
    });
  }
  await tx.run(
    `insert into purchase_order_lines (po_id, item_id, quantity_ordered, unit_cost, line_number)
     select po_id, item_id, quantity_ordered, unit_cost, line_number
     from jsonb_populate_recordset(null::purchase_order_lines, $1)`,
    [JSON.stringify(lines)],
  );
  return ids;
}
