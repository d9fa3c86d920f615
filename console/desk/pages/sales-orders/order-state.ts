import type { AccountWithMenus, SalesOrder, SalesOrderLine } from "../../../../client/src/index.js";
import { mayOpen } from "../../../shared/session.js";

/** What the service allows with an order: an action is shown where it would not be refused. */

/** Whether it is picked, packed and shipped: a return comes back, a refund documents one. */
export const isFulfilled = ({ order_type }: Pick<SalesOrder, "order_type">) =>
  order_type !== "return" && order_type !== "refund";

/** Whether it still goes somewhere. */
export const isUnderWay = (order: Pick<SalesOrder, "order_type" | "status">) =>
  isFulfilled(order) && ["OPEN", "WAITING_STOCK", "FRAUD_REVIEW", "PICKED", "PACKED"].includes(order.status);

export const isBackorder = ({ order_type, backorder_opened_at }: SalesOrder) =>
  order_type === "backorder" || backorder_opened_at !== null;

/** Whether the customer comes for it, so that it needs no tracking number. */
export const isPickup = ({ ship_method }: SalesOrder) => /pickup/i.test(ship_method ?? "");

/** An ADMIN, or a user with the override, edits orders that are no longer open. */
export const mayEditFully = (me: AccountWithMenus) => mayOpen(me, "so-full-edit");

export const mayEdit = (me: AccountWithMenus, { status }: Pick<SalesOrder, "status">) =>
  me.role === "ADMIN" || status === "OPEN" || (status !== "SHIPPED" && mayEditFully(me));

export const mayEditLines = (me: AccountWithMenus, order: SalesOrder) =>
  mayEdit(me, order) && isFulfilled(order) && !["SHIPPED", "CANCELLED", "REFUNDED"].includes(order.status);

export const isStarted = ({ quantity_picked, quantity_packed, quantity_shipped }: SalesOrderLine) =>
  quantity_picked + quantity_packed + quantity_shipped > 0;

export const unpicked = ({ quantity_ordered, quantity_picked }: SalesOrderLine) => quantity_ordered - quantity_picked;
