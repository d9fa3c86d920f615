/**
 * SQL: the bins that goods may arrive in, to be used like a table; defined only here. Bin, zone and warehouse must be
 * active.
 */
export const OPEN_BINS = `(
  select b.bin_id, b.bin_code, b.bin_type, b.warehouse_id, w.warehouse_code
  from bins b join zones z using (zone_id) join warehouses w on w.warehouse_id = b.warehouse_id
  where b.is_active and z.is_active and w.is_active)`;
