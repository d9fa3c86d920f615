/** SQL that adds units to what is allocated of stock rows; the CTE has `inventory_id` and `units`. */
export const allocateRows = (units: string): string => changeAllocated("+", units);

/** SQL that subtracts units from what is allocated of stock rows; the CTE has `inventory_id` and `units`. */
export const releaseRows = (units: string): string => changeAllocated("-", units);

const changeAllocated = (sign: "+" | "-", units: string) => `
  update inventory i set quantity_allocated = i.quantity_allocated ${sign} u.units
  from (select inventory_id, sum(units) as units from ${units} group by inventory_id) u
  where i.inventory_id = u.inventory_id`;
