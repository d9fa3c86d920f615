import type { Actor } from "../../src/platform/actor.js";
import { NothingLeft, NotShort, ShortOrderNotFound } from "../../src/sales-orders/backorder-problems.js";
import type { ShortDecided, ShortDecision } from "../../src/sales-orders/backorder-shapes.js";
import { mayEditFully } from "../../src/sales-orders/full-edit.js";
import { IS_SHORT } from "../../src/sales-orders/open-work.js";
import { EditForbidden } from "../../src/sales-orders/problems.js";
import { command, type Tx } from "../command.js";
import { auditChange } from "./changes.js";
import { cutsOf, linesOf, type OrderLine, shrinkLines } from "./cuts.js";
import { type ActionOrder, lockWithWaiting } from "./orders-with-picks.js";
import { divide } from "./partial-fulfill.js";

/**
 * Decides about the missing units of an order that was picked short: the order ships without them and they become a
 * backorder, or they are no longer ordered. Audit SO_SHORT_DECIDED.
 */
export function decideShort(input: ShortDecision & { so_id: number }, by: Actor): Promise<ShortDecided> {
  return command("sales-orders.decideShort", by, input, async (tx) => {
    const { so_id, decision, reason_detail } = input;
    const { order, increase } = await lockWithWaiting(tx, { so_id, lineIds: [] }, by, ShortOrderNotFound);
    const { so_number, status } = order;
    const [short, lines] = await Promise.all([
      tx.row({}, `select from sales_orders so where so_id = $1 and ${IS_SHORT}`, [so_id]),
      linesOf(tx, so_id),
    ]);
    if (!short) throw NotShort({ so_number }, { current_status: status });
    const missing = lines.flatMap(({ so_line_id, quantity_ordered, quantity_picked }) => {
      const short_qty = quantity_ordered - quantity_picked;
      return short_qty > 0 ? [{ so_line_id, short_qty, write_off: false }] : [];
    });
    const divided =
      decision === "wait" ? await divide(tx, order, increase, { lines: missing, reason_detail }, by) : undefined;
    if (decision === "cancel_rest") await cancelRest(tx, order, lines, missing, by);
    if (decision === "ship_short") await acceptShort(tx, order, lines);
    tx.audit({
      action: "SO_SHORT_DECIDED",
      entity: "SO",
      entityId: so_id,
      warehouseId: order.warehouse_id,
      details: {
        ...{ so_number, decision, reason: reason_detail || null },
        lines: missing.map(({ so_line_id, short_qty }) => ({ so_line_id, short_qty })),
      },
    });
    return { so_id, so_number, status, decision, backorder_so: divided?.backorder_so ?? null };
  });
}

type Missing = Parameters<typeof cutsOf>[2];

async function cancelRest(tx: Tx, order: ActionOrder, lines: OrderLine[], missing: Missing, by: Actor): Promise<void> {
  const { so_number, status } = order;
  if (!(await mayEditFully(tx, by))) throw EditForbidden({ so_number, status }, { current_status: status });
  const cuts = cutsOf(order, lines, missing);
  await shrinkLines(tx, cuts);
  for (const { so_line_id, item_id, sku, ordered_before, ordered_after } of cuts)
    auditChange(tx, order, "UPDATE", {
      field: `line[${sku}].quantity_ordered`,
      ...{ old_value: String(ordered_before), new_value: String(ordered_after), so_line_id, item_id },
    });
}

async function acceptShort(tx: Tx, { so_id, so_number }: ActionOrder, lines: OrderLine[]): Promise<void> {
  if (lines.every((line) => line.quantity_picked === 0)) throw NothingLeft({ so_number });
  await tx.run(
    "update sales_orders set short_accepted_at = clock_timestamp(), updated_at = clock_timestamp() where so_id = $1",
    [so_id],
  );
}
