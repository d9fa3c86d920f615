/**
 * SQL joins: where the units of the order line `l` of the item `i` came from: `pick` with bin and lot of the first
 * pick, else `home` with the item's default bin, a bin with stock of it, or the first bin of `:warehouse_id`.
 * @param lot SQL of the lot, where it is known: a pick of it comes first.
 */
export const pickedFrom = (lot?: string): string => `
  left join lateral (
    select t.bin_id, s.lot_number
    from wave_pick_breakdown w join pick_tasks t using (pick_task_id) join inventory s using (inventory_id)
    where w.so_line_id = l.so_line_id and t.status in ('PICKED', 'SHORT')
    order by w.quantity_picked > 0 desc, ${lot ? `s.lot_number is not distinct from ${lot} desc,` : ""} t.pick_task_id
    limit 1) pick on true
  left join lateral (
    select b.bin_id
    from bins b left join inventory s on s.bin_id = b.bin_id and s.item_id = l.item_id
    where b.warehouse_id = :warehouse_id and pick.bin_id is null
    order by b.bin_id = i.default_bin_id desc nulls last, s.inventory_id is null, b.bin_id limit 1) home on true`;
