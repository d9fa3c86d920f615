import { problem, WarehouseDenied } from "../platform/problem.js";

export const SoNotFound = problem("so_not_found", 404, "Sales order not found");
export const CustomerNotFound = problem("customer_not_found", 404, "No order has a customer of that name");
export const SoExists = problem("so_exists", 400, "Sales order {so_number} already exists");

/** An order that does not exist, or not in the caller's warehouses. */
export const unknownSo = [SoNotFound, WarehouseDenied];

/** Refusals of edits of a sales order. */

/** The body names the order's `current_status`. */
export const EditForbidden = problem("edit_forbidden", 403, "Sales order {so_number} is {status}: you may not edit it");
export const ReassignForbidden = problem(
  "reassign_forbidden",
  403,
  "You may not change the source system of a sales order",
);
/** The only change of status that an edit makes is to SHIPPED. */
export const StatusNotEditable = problem(
  "status_not_editable",
  422,
  "Sales order {so_number} is {status}: an edit cannot make it {wanted}",
);
export const TrackingRequired = problem(
  "tracking_required",
  422,
  "A tracking number is required unless the ship method is a pickup",
);
export const NotInReview = problem("not_in_review", 409, "Sales order {so_number} is {status}, not FRAUD_REVIEW");

export const SoLineNotFound = problem("so_line_not_found", 404, "Sales order line not found");
/** Its lines are history. */
export const OrderClosed = problem(
  "order_closed",
  400,
  "Sales order {so_number} is {status}: its lines cannot be changed",
);
/** The lines of a return are fixed when it is created; another return can be created. */
export const ReturnLinesFixed = problem(
  "return_lines_fixed",
  400,
  "Sales order {so_number} is a {order_type}: its lines cannot be changed",
);
export const OrderBeingPicked = problem(
  "order_being_picked",
  400,
  "Sales order {so_number} is being picked in {batch_number}: complete or cancel that batch first",
);
export const NotAllocatable = problem(
  "not_allocatable",
  400,
  "Sales order {so_number} is {status}: its allocation cannot be changed",
);
export const ItemOnOrder = problem("item_on_order", 400, "{sku} is already on the order");
export const BelowProgress = problem(
  "below_progress",
  400,
  "{sku}: {done} unit(s) are already picked, packed or shipped",
);
export const LineHasProgress = problem(
  "line_has_progress",
  400,
  "{sku} is already picked, packed or shipped: the line cannot be deleted",
);
