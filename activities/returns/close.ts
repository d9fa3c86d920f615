import type { Actor } from "../../src/platform/actor.js";
import { NotAReturn, RestNotClosable } from "../../src/returns/problems.js";
import type { ReturnClosed } from "../../src/returns/shapes.js";
import { command, type Tx } from "../command.js";
import { LINES, ReturnedLine, remainingOf } from "./expected.js";
import { type LockedReturn, lockReturn } from "./lock.js";

/**
 * Closes a return of which only a part has come: it becomes RECEIVED, its lines are reduced to what came, and the rest
 * may be returned again or refunded at the counter. Audit RETURN_CLOSE, no event.
 */
export function closeReturn(input: { so_id: number }, by: Actor): Promise<ReturnClosed & { warehouse_id: number }> {
  return command("returns.close", by, input, async (tx) => {
    const { so_id } = input;
    const [{ order }, lines] = await tx.inOrder([lockReturn(tx, so_id, by), tx.rows(ReturnedLine, LINES, [so_id])]);
    const { so_number, order_type, warehouse_id } = order;
    if (order_type !== "return") throw NotAReturn({ so_number, order_type });
    const status = order.voided ? "voided" : order.status;
    if (status !== "PARTIALLY_RECEIVED") throw RestNotClosable({ so_number, status }, { current_status: order.status });
    const released = await closeRest(tx, order, lines);
    const message = `Return ${so_number} expects nothing more`;
    return { message, so_id, so_number, status: "RECEIVED", released, warehouse_id };
  });
}

/** Gives up the rest of a locked return, and returns it. Audit RETURN_CLOSE. */
export async function closeRest(
  tx: Tx,
  { so_id, so_number, warehouse_id }: LockedReturn,
  lines: ReturnedLine[],
  details: object = {},
): Promise<ReturnClosed["released"]> {
  const released = lines
    .filter((line) => remainingOf(line) > 0)
    .map((line) => ({
      ...{ so_line_id: line.so_line_id, item_id: line.item_id, sku: line.sku, quantity: remainingOf(line) },
    }));
  await Promise.all([
    tx.run(
      `update sales_order_lines set quantity_ordered = quantity_received
       where so_id = $1 and quantity_received < quantity_ordered`,
      [so_id],
    ),
    tx.run("update sales_orders set status = 'RECEIVED', updated_at = clock_timestamp() where so_id = $1", [so_id]),
  ]);
  tx.audit({
    ...{ action: "RETURN_CLOSE", entity: "SO", entityId: so_id, warehouseId: warehouse_id },
    details: { so_number, released, ...details },
  });
  return released;
}
