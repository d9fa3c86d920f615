import { useWarehouse } from "./warehouse.js";

/** A connector as one warehouse uses it. */
export interface OfWarehouse {
  name: string;
  warehouse_id: number;
}

/** The warehouses that the user may choose from, by id. */
export function useWarehouseNames(): Record<string, string> {
  const { warehouses } = useWarehouse();
  return Object.fromEntries(warehouses.map(({ id, code }) => [id, code]));
}

/** Warehouses by their codes; one that the user may not see by its number. */
export const namesOf = (ids: number[], names: Record<string, string>) =>
  ids.map((id) => names[id] ?? `#${id}`).join(", ");
