/**
 * SQL: that a row is of no sandbox, where nothing waits for people; one of no warehouse is of none.
 * @param warehouse The column, with its table.
 */
export const inNoSandbox = (warehouse: `${string}.${string}`): string =>
  `not exists (select from warehouses w where w.warehouse_id = ${warehouse} and w.is_sandbox)`;
