import { systemActor } from "../../src/platform/system-actor.js";
import { overdueReturns } from "../../src/returns/queries.js";
import type { Expired } from "../../src/returns/workflow.js";
import { command } from "../command.js";
import { closeRest } from "./close.js";
import { LINES, ReturnedLine } from "./expected.js";
import { lockReturn } from "./lock.js";
import { voidOrder } from "./void.js";

/**
 * Ends a return, as the system user, that nobody has touched for the days of setting `returns_expire_days`: one that
 * nothing has come of is voided, of another one the rest is closed. One that was touched meanwhile stays as it is.
 * Audit RETURN_VOID or RETURN_CLOSE, no event.
 */
export function expireReturn(soId: number, commandId: string): Promise<Expired> {
  const by = systemActor(commandId);
  return command<Expired>("returns.expire", by, { soId }, async (tx) => {
    const [{ order }, lines] = await tx.inOrder([lockReturn(tx, soId, by), tx.rows(ReturnedLine, LINES, [soId])]);
    const [overdue] = await overdueReturns(tx, soId);
    if (!overdue) return { ended: null };
    const { days } = overdue;
    const details = { reason: `nothing came for ${days} days` };
    const partly = order.status === "PARTIALLY_RECEIVED";
    await (partly ? closeRest(tx, order, lines, details) : voidOrder(tx, order, by, details));
    return { ended: partly ? "received" : "voided", days };
  });
}
