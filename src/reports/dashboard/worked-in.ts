/**
 * SQL: whether a row of the audit log is of these warehouses, given as a parameter, or of all that there are where it
 * is null. The log also has the work in warehouses that were removed since.
 */
export const workedIn = (warehouses: string) => `(
  ${warehouses}::int[] is null
    and (warehouse_id is null or warehouse_id in (select w.warehouse_id from warehouses w))
  or warehouse_id = any(${warehouses}))`;
