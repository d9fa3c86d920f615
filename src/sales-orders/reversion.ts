import type { SalesOrderStatus } from "../states.js";
import {
  InvalidStatus,
  NotBackward,
  PickTaskMissing,
  PickTaskWrongState,
  RevertCancelled,
  RevertNotEligible,
} from "./action-problems.js";
import type { OrderType } from "./queries.js";

/** The rules of revert-status (reference 07 §5). */

/** The way of an order through the house. */
export const way = ["OPEN", "PICKED", "PACKED", "SHIPPED"] as const;
export type Step = (typeof way)[number];

export const isBelow = (step: Step, other: Step) =>
  way.indexOf(step) < way.indexOf(other);

/** Where the order is and where it is to go, which must be the same step or an earlier one. What is SHIPPED cannot stay so. */
export function stepsOf(
  {
    so_number,
    status,
    order_type,
  }: { so_number: string; status: SalesOrderStatus; order_type: OrderType },
  target: string,
): [from: Step, to: Step] {
  const to = way.find((step) => step === target);
  if (!to || to === "SHIPPED") throw InvalidStatus({ status: target });
  if (status === "CANCELLED") throw RevertCancelled({ so_number });
  if (!isFulfilled(order_type))
    throw RevertNotEligible({ so_number, order_type });
  const from = way.find((step) => step === status);
  if (!from || isBelow(from, to))
    throw NotBackward({ so_number, status, target });
  return [from, to];
}

/** Whether orders of this type are picked and shipped (spec 3.1). */
export const isFulfilled = (type: OrderType) =>
  type !== "return" && type !== "refund";

/**
 * Of an order's shares in pick tasks, those that are put back: of the named tasks, which must be picked. Nobody names short
 * picks; an order that is reopened loses them too.
 */
export function toRelease<S extends { pick_task_id: number; status: string }>(
  shares: S[],
  taskIds: number[],
  reopened: boolean,
): S[] {
  const ofTask = (id: number) => shares.find((s) => s.pick_task_id === id);
  const missing_ids = taskIds.filter((id) => !ofTask(id));
  if (missing_ids.length > 0)
    throw PickTaskMissing({ ids: missing_ids.join(", ") }, { missing_ids });
  const wrong_state_ids = taskIds.filter(
    (id) => ofTask(id)?.status !== "PICKED",
  );
  if (wrong_state_ids.length > 0)
    throw PickTaskWrongState(
      { ids: wrong_state_ids.join(", ") },
      { wrong_state_ids },
    );
  return shares.filter(
    ({ pick_task_id, status }) =>
      taskIds.includes(pick_task_id) || (reopened && status === "SHORT"),
  );
}
