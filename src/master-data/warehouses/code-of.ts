/**
 * The SQL of the code of a row's warehouse, which every list of several warehouses has; `warehouse` is the column of
 * its id.
 */
export const codeOf = (warehouse: string, as = "warehouse_code") =>
  `(select warehouse_code from warehouses where warehouses.warehouse_id = ${warehouse}) as ${as}`;
