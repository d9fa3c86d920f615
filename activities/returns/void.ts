import type { Actor } from "../../src/platform/actor.js";
import { DomainError, type Problem } from "../../src/platform/problem.js";
import { systemActor } from "../../src/platform/system-actor.js";
import * as problems from "../../src/returns/problems.js";
import type { ReturnVoided } from "../../src/returns/shapes.js";
import type { OperatorVoid } from "../../src/returns/workflow.js";
import { command, nextAuditId, type Tx } from "../command.js";
import { type LockedReturn, lockReturn } from "./lock.js";

/**
 * Voids a return of which nothing has come (docs/interface.md, Sales orders and Returns): its row stays, but is not
 * listed any more, and its units may be returned again. 409 with its `reason` otherwise; a repeat changes nothing.
 * Audit RETURN_VOID, no event.
 */
export function voidReturn(input: { so_id: number }, by: Actor): Promise<ReturnVoided> {
  return command("returns.void", by, input, async (tx) => {
    const { order } = await lockReturn(tx, input.so_id, by);
    const { so_number } = order;
    if (order.order_type === "return" && order.voided)
      return { message: `Return ${so_number} was already voided`, so_number, audit_log_id: null };
    const audit_log_id = await voidOrder(tx, order, by);
    return { message: `Voided return ${so_number}`, so_number, audit_log_id };
  });
}

/**
 * The same as the system user, because the cancellation of the return's workflow was requested in the Temporal UI. A
 * return that cannot be voided stays as it is; the answer says why.
 */
export function voidByOperator(soId: number, commandId: string): Promise<OperatorVoid> {
  const by = systemActor(commandId);
  return command<OperatorVoid>("returns.voidByOperator", by, { soId }, async (tx) => {
    const { order } = await lockReturn(tx, soId, by);
    if (order.voided) return { ended: "voided", by_operator: false };
    if (order.status === "RECEIVED") return { ended: "received", by_operator: false };
    try {
      await voidOrder(tx, order, by, { reason: "cancelled in the Temporal UI" });
    } catch (error) {
      if (error instanceof DomainError) return { ended: null, because: error.message };
      throw error;
    }
    return { ended: "voided", by_operator: true };
  });
}

/** Voids a locked return; returns the id of the audit row. Throws 409 before it changes anything. */
export async function voidOrder(tx: Tx, order: LockedReturn, by: Actor, details: object = {}): Promise<number> {
  const { so_id, so_number, warehouse_id, status, order_type } = order;
  const refuse = (problem: Problem) =>
    problem({ so_number, status, order_type }, { reason: problem.kind, current_status: status });
  if (order_type !== "return") throw refuse(problems.VoidNotAReturn);
  const received = await tx.row({}, "select from item_receipts where so_id = $1 limit 1", [so_id]);
  if (received) throw refuse(problems.VoidHasReceipts);
  if (status !== "OPEN") throw refuse(problems.VoidNotOpen);
  if (order.has_refund) throw refuse(problems.VoidHasRefund);
  const [logId] = await Promise.all([
    nextAuditId(tx),
    tx.run(
      "update sales_orders set voided_at = now(), voided_by = $2, updated_at = clock_timestamp() where so_id = $1",
      [so_id, by.username],
    ),
  ]);
  tx.audit({
    logId,
    action: "RETURN_VOID",
    entity: "SO",
    entityId: so_id,
    warehouseId: warehouse_id,
    details: { so_number, ...details },
  });
  return logId;
}
