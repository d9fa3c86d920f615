import type { Actor } from "../../src/platform/actor.js";
import {
  BackorderNotFound,
  BackorderUnderWay,
  DividedInBatch,
  NotABackorder,
} from "../../src/sales-orders/backorder-problems.js";
import type { BackorderCancellation, BackorderCancelled } from "../../src/sales-orders/backorder-shapes.js";
import { command, nextAuditId } from "../command.js";
import { expectIncreaseFrom } from "../stock/backorders.js";
import { cancelLocked } from "./cancel.js";
import { activeBatchOf, findPermitted, lockWithPicks } from "./orders-with-picks.js";

/** The status of a backorder that is cancelled because its customer got the money back. */
const REFUNDED = "refunded";

/**
 * Cancels a backorder that waits for stock or is to be picked (docs/interface.md, Backorders); with the reason
 * `refunded` it is REFUNDED. A repeat changes nothing. Audit CANCEL, `backorder.cancelled`.
 */
export function cancelBackorder(
  input: BackorderCancellation & { so_id: number },
  by: Actor,
): Promise<BackorderCancelled> {
  return command("sales-orders.cancelBackorder", by, input, async (tx) => {
    const { so_id } = input;
    const orders = await lockWithPicks(tx, async () => [so_id]);
    const increase = await expectIncreaseFrom(tx, [so_id]);
    const order = findPermitted(orders, so_id, by, BackorderNotFound);
    const { so_number, status } = order;
    if (!order.is_backorder) throw NotABackorder({ so_number });
    if (status === "CANCELLED" || status === "REFUNDED")
      return {
        message: `${so_number} was already cancelled`,
        bo_so_id: so_id,
        cancellation_reason: order.cancellation_reason ?? "other",
        audit_log_id: null,
      };
    const batch = await activeBatchOf(tx, so_id);
    if (batch) throw DividedInBatch({ so_number, batch_number: batch.batch_number }, { batch_id: batch.batch_id });
    if (status !== "WAITING_STOCK" && status !== "OPEN")
      throw BackorderUnderWay({ so_number, status }, { current_status: status });
    const reason = input.cancellation_reason || "other";
    const audit_log_id = await nextAuditId(tx);
    const ends = reason === REFUNDED ? "REFUNDED" : "CANCELLED";
    await cancelLocked(tx, increase, [order], () => ({ reason, ends, logId: audit_log_id }), by);
    return { message: `${so_number} is cancelled`, bo_so_id: so_id, cancellation_reason: reason, audit_log_id };
  });
}
