import type { Actor } from "../../src/platform/actor.js";

/** What happens to a serial. */
export type StepKind =
  | "RECEIVED"
  | "RECEIPT_REVERSED"
  | "PACKED"
  | "UNPACKED"
  | "SHIPPED"
  | "SHIP_VOIDED"
  | "RETURNED"
  | "RETURN_REVERSED"
  | "ADJUSTED_OUT"
  | "FOUND"
  | "SENT_BACK"
  | "DESTROYED";

/** What a step has of its serial, unless it is said otherwise. */
const OWN = "serial_id, warehouse_id, so_id, so_line_id, receipt_id, fulfillment_id";

/**
 * SQL that changes serials, and notes the step of each. The order's number is `:number`, who did it `:username`.
 * `returning` has the columns of `OWN`, where they are not those that the serial has now.
 */
export const withStep = (change: string, kind: StepKind, returning = OWN): string => `
  with moved as (${change} returning ${returning})
  insert into serial_steps (${OWN}, kind, username, order_number)
  select ${OWN}, '${kind}', :username, :number from moved`;

/** Who did it, and on which order, if any, as `withStep` names them. */
export const stepBy = (number: string | null, by: Pick<Actor, "username">) => ({ number, username: by.username });
