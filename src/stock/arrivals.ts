/** SQL: whether goods may arrive in a bin `b`; defined only here. Bin, zone and warehouse must be active. */
export const IS_OPEN = `(
  b.is_active and (select is_active from zones where zones.zone_id = b.zone_id)
  and (select is_active from warehouses where warehouses.warehouse_id = b.warehouse_id))`;

/** SQL: the bins that goods may arrive in, to be used like a table. */
export const OPEN_BINS = `(
  select b.bin_id, b.bin_code, b.bin_type, b.warehouse_id, w.warehouse_code
  from bins b join warehouses w using (warehouse_id) where ${IS_OPEN})`;
