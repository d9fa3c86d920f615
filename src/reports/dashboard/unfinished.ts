/** Orders that are still to be shipped; word for word the condition of the index `sales_orders_unfinished`. */
export const UNFINISHED =
  "status in ('OPEN', 'PICKED', 'PACKED', 'WAITING_STOCK') and order_type not in ('return', 'refund')";
