import { z } from "zod";
import { type Problem, problem } from "../platform/problem.js";

/** Reasons for which an order may not be picked, packed or shipped, whatever its status. */
export const HoldReason = z.enum(["differs_from_shop", "on_hold_in_shop", "by_hand"]).meta({
  id: "HoldReason",
  description:
    "Why the order is not picked, packed or shipped. `differs_from_shop`: its shop wants other units than it is for, " +
    "and work on it had begun; `on_hold_in_shop`: its shop does not want it shipped for now; `by_hand`: somebody " +
    "here holds it.",
});
export type HoldReason = z.infer<typeof HoldReason>;

const why: Record<HoldReason, string> = {
  differs_from_shop: "its shop wants something else, and somebody has to decide",
  on_hold_in_shop: "its shop has put it on hold",
  by_hand: "somebody holds it, and has to release it",
};

export const OrderHeld = problem("order_held", 409, "Sales order {so_number} is held: {why}");
export const OrderNotHeld = problem("order_not_held", 409, "Nothing holds sales order {so_number}");

/** Throws where an order is on hold; the body has the reason. */
export function refuseHeld(
  { so_number, hold_reason }: { so_number: string; hold_reason: HoldReason | null },
  refusal: Problem = OrderHeld,
  fields: Record<string, unknown> = {},
): void {
  if (hold_reason !== null) throw refusal({ so_number, why: why[hold_reason] }, { ...fields, hold_reason });
}

/** SQL: the types of the further orders that a shop's order may consist of: split off, or added later. */
export const PARTS = "('backorder', 'sale')";
