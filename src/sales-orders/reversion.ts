import type { SalesOrderStatus } from "../platform/states.js";
import {
  InvalidStatus,
  NotBackward,
  PickTaskMissing,
  PickTaskWrongState,
  RevertCancelled,
  RevertNotEligible,
} from "./action-problems.js";
import { isFulfilled } from "./fulfilment.js";
import type { OrderType } from "./shapes.js";

/** The rules of revert-status (docs/interface.md, Sales orders). */

/** The statuses of fulfilment, in order. */
export const fulfilmentStatuses = ["OPEN", "PICKED", "PACKED", "SHIPPED"] as const;
/** The statuses that an order may be reverted to. */
export const revertTargets = ["OPEN", "PICKED", "PACKED"] as const;
export type FulfilmentStatus = (typeof fulfilmentStatuses)[number];

export const isBefore = (status: FulfilmentStatus, other: FulfilmentStatus) =>
  fulfilmentStatuses.indexOf(status) < fulfilmentStatuses.indexOf(other);

/**
 * The order's present status and the status to revert it to, which must be the same or an earlier one. A SHIPPED order
 * cannot stay SHIPPED.
 */
export function checkReversion(
  { so_number, status, order_type }: { so_number: string; status: SalesOrderStatus; order_type: OrderType },
  target: string,
): [from: FulfilmentStatus, to: FulfilmentStatus] {
  const to = revertTargets.find((status) => status === target);
  if (!to) throw InvalidStatus({ status: target });
  if (status === "CANCELLED") throw RevertCancelled({ so_number });
  if (!isFulfilled(order_type)) throw RevertNotEligible({ so_number, order_type });
  const from = fulfilmentStatuses.find((one) => one === status);
  if (!from || isBefore(from, to)) throw NotBackward({ so_number, status, target });
  return [from, to];
}

/**
 * The portions of an order in pick tasks that are released: those of the named tasks, which must be PICKED, and when
 * the order is reopened, also those of SHORT tasks, which a request does not name.
 */
export function portionsToRelease<S extends { pick_task_id: number; status: string }>(
  portions: S[],
  taskIds: number[],
  reopened: boolean,
): S[] {
  const ofTask = (id: number) => portions.find((s) => s.pick_task_id === id);
  const missing_ids = taskIds.filter((id) => !ofTask(id));
  if (missing_ids.length > 0) throw PickTaskMissing({ ids: missing_ids.join(", ") }, { missing_ids });
  const wrong_state_ids = taskIds.filter((id) => ofTask(id)?.status !== "PICKED");
  if (wrong_state_ids.length > 0) throw PickTaskWrongState({ ids: wrong_state_ids.join(", ") }, { wrong_state_ids });
  return portions.filter(
    ({ pick_task_id, status }) => taskIds.includes(pick_task_id) || (reopened && status === "SHORT"),
  );
}
