import type { Token } from "../../src/auth/tokens/token.js";
import { forbidden, WarehouseNotAllowed } from "../../src/inbound/problems.js";

/**
 * Refuses to write a record of a warehouse that the token was not issued for: neither the one it is in, read under its
 * row's lock, nor the one it would be in.
 */
export function refuseElsewhere({ warehouse_ids }: Pick<Token, "warehouse_ids">, warehouseId: unknown): void {
  if (!warehouse_ids.includes(warehouseId as number)) throw forbidden(WarehouseNotAllowed);
}
