import { UnknownItem } from "../../src/master-data/problems.js";
import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { BelowReceived, ItemOnPo, PoLineNotFound, PoLineReceived, PoLocked } from "../../src/purchasing/problems.js";
import { type LineAdded, LineChanged, type LineRemoved, type NewLine } from "../../src/purchasing/shapes.js";
import { isLocked, statusByLines } from "../../src/purchasing/status.js";
import { command, type Tx } from "../command.js";
import { linesOf, lockPurchaseOrder, recordEdit } from "./edit.js";

/**
 * Edits of a purchase order's lines (docs/interface.md, Purchase orders). The order's status is derived from its lines,
 * so adding units to a RECEIVED order reopens it.
 */

export function addLine(po_id: number, line: NewLine, by: Actor): Promise<LineAdded> {
  return command("purchase-orders.addLine", by, { po_id, line }, async (tx) => {
    const { po, lines } = await lockForEdit(tx, po_id, by);
    const { item_id, quantity_ordered, unit_cost } = line;
    const item = await tx.row({ sku: text }, "select sku from items where item_id = $1 for key share", [item_id]);
    if (!item) throw UnknownItem({ item_id });
    if (lines.some((other) => other.item_id === item_id)) throw ItemOnPo(item);
    const added = (await tx.row(
      { po_line_id: int, line_number: int },
      `insert into purchase_order_lines (po_id, item_id, quantity_ordered, unit_cost, line_number)
       select $1, $2, $3, $4, coalesce(max(line_number), 0) + 1 from purchase_order_lines where po_id = $1
       returning po_line_id, line_number`,
      [po_id, item_id, quantity_ordered, unit_cost],
    )) as { po_line_id: number; line_number: number };
    const status = statusByLines([...lines, { quantity_ordered, quantity_received: 0 }]);
    await recordEdit(tx, po, { ...po, status }, [changeOf(`line[${item.sku}]`, null, quantity_ordered)], by, {
      item_id,
    });
    return {
      po_line_id: added.po_line_id,
      po_id,
      item_id,
      sku: item.sku,
      quantity_ordered,
      quantity_received: 0,
      line_number: added.line_number,
      po_status: status,
    };
  });
}

export function changeLine(
  po_id: number,
  po_line_id: number,
  quantity_ordered: number,
  by: Actor,
): Promise<LineChanged> {
  const input = { po_id, po_line_id, quantity_ordered };
  return command("purchase-orders.changeLine", by, input, async (tx) => {
    const { po, lines } = await lockForEdit(tx, po_id, by);
    const line = lineOf(lines, po_line_id);
    const { sku, item_id, quantity_received: received } = line;
    if (quantity_ordered < received) throw BelowReceived({ received, sku });
    const changes =
      line.quantity_ordered === quantity_ordered
        ? []
        : [changeOf(`line[${sku}].quantity_ordered`, line.quantity_ordered, quantity_ordered)];
    line.quantity_ordered = quantity_ordered;
    const saved = await tx.row(
      { status: LineChanged.shape.line_status },
      `update purchase_order_lines
       set quantity_ordered = $2,
           status = case quantity_received when $2 then 'RECEIVED' when 0 then 'PENDING' else 'PARTIAL' end
       where po_line_id = $1 returning status`,
      [po_line_id, quantity_ordered],
    );
    const status = statusByLines(lines);
    await recordEdit(tx, po, { ...po, status }, changes, by, { item_id });
    return {
      po_line_id,
      quantity_ordered,
      line_status: saved?.status as LineChanged["line_status"],
      po_status: status,
    };
  });
}

export function removeLine(po_id: number, po_line_id: number, by: Actor): Promise<LineRemoved> {
  const input = { po_id, po_line_id };
  return command("purchase-orders.removeLine", by, input, async (tx) => {
    const { po, lines } = await lockForEdit(tx, po_id, by);
    const line = lineOf(lines, po_line_id);
    const { sku, item_id, quantity_ordered, quantity_received } = line;
    if (quantity_received > 0) throw PoLineReceived({ received: quantity_received, sku });
    await tx.run("delete from purchase_order_lines where po_line_id = $1", [po_line_id]);
    const status = statusByLines(lines.filter((other) => other !== line));
    await recordEdit(tx, po, { ...po, status }, [changeOf(`line[${sku}]`, quantity_ordered, null)], by, { item_id });
    return { po_line_id, deleted: true, po_status: status };
  });
}

async function lockForEdit(tx: Tx, po_id: number, by: Actor) {
  const po = await lockPurchaseOrder(tx, po_id, by);
  if (isLocked(po.status)) throw PoLocked({ status: po.status });
  return { po, lines: await linesOf(tx, po_id) };
}

function lineOf<L extends { po_line_id: number }>(lines: L[], id: number): L {
  const line = lines.find(({ po_line_id }) => po_line_id === id);
  if (!line) throw PoLineNotFound();
  return line;
}

/** A change of units, as text; null is before a line was added, or after it was removed. */
const changeOf = (field: string, old: number | null, now: number | null) => ({
  field,
  old_value: old === null ? null : String(old),
  new_value: now === null ? null : String(now),
});
