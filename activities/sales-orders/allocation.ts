import type { Actor } from "../../src/platform/actor.js";
import type { AllocationChange, LineAllocation } from "../../src/sales-orders/edit-shapes.js";
import { refuseReturn } from "../../src/sales-orders/fulfilment.js";
import { NotAllocatable } from "../../src/sales-orders/problems.js";
import { command } from "../command.js";
import { leaveOut } from "../stock/backorders.js";
import { releaseUnits, reserveLines } from "../stock/reservations.js";
import { auditChange } from "./changes.js";
import { type LineKey, lockLine, refuseWhileInBatch } from "./lock-line.js";

/** Stock is reserved only for orders that are still to be picked. */
const allocatableStatuses = ["OPEN", "FRAUD_REVIEW"];

/**
 * Sets how many units are reserved for a line: never fewer than are picked nor more than are ordered
 * (docs/interface.md, Sales orders). More are taken from the fullest bins first, as far as there is stock.
 */
export function adjustAllocation(input: LineKey & AllocationChange, by: Actor): Promise<LineAllocation> {
  return command("sales-orders.allocation", by, input, async (tx) => {
    const { order, line, increase } = await lockLine(tx, input, by);
    refuseReturn(order);
    const { so_line_id, item_id, sku, quantity_allocated: current } = line;
    const target = Math.max(line.quantity_picked, Math.min(current + input.delta, line.quantity_ordered));
    if (target === current) return { unchanged: true, so_line_id, quantity_allocated: current };
    const { so_number, status } = order;
    if (!allocatableStatuses.includes(status)) throw NotAllocatable({ so_number, status });
    await refuseWhileInBatch(tx, order);
    leaveOut(tx, order.so_id);
    let quantity_allocated = target;
    if (target < current) await releaseUnits(tx, increase, so_line_id, current - target);
    else {
      const more = { so_line_id, item_id, quantity: target - current };
      quantity_allocated = current + (await reserveLines(tx, order, [more]));
    }
    if (quantity_allocated === current) return { unchanged: true, so_line_id, quantity_allocated };
    const action = quantity_allocated < current ? "SO_ALLOCATION_RELEASED" : "UPDATE";
    auditChange(tx, order, action, {
      field: `line[${sku}].quantity_allocated`,
      old_value: String(current),
      new_value: String(quantity_allocated),
      so_line_id,
      item_id,
    });
    return { so_line_id, quantity_allocated };
  });
}
