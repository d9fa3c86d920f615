/**
 * SQL for what of a locked order is taken back already, a row of `TakenBack` for each item (docs/interface.md,
 * Returns): what returns that are not voided name, open ones too, and what was refunded at the counter. Another return
 * or refund may have at most the shipped units less these.
 * @param order SQL of its id.
 */
export const takenBackOf = (order: string): string => `
  select item_id, sum(abs(quantity_ordered)) as units,
    sum(case order_type when 'refund' then -quantity_ordered else quantity_received end) as back,
    sum(case order_type when 'return' then quantity_received else 0 end) as returned
  from sales_orders child join sales_order_lines using (so_id)
  where child.parent_so_id = ${order} and order_type in ('return', 'refund') and voided_at is null
  group by item_id`;
