import type { Token } from "../../src/auth/tokens/token.js";
import { forbidden, WarehouseNotAllowed } from "../../src/inbound/problems.js";

/** Refuses a warehouse that the token was not issued for: the record's own, or the one that the push moves it to. */
export function checkTokenWarehouse({ warehouse_ids }: Pick<Token, "warehouse_ids">, warehouseId: unknown): void {
  if (!warehouse_ids.includes(warehouseId as number)) throw forbidden(WarehouseNotAllowed);
}
