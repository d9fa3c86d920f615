import { forbidden, WarehouseNotAllowed } from "../../src/inbound/problems.js";
import type { Sender } from "./incoming.js";

/** Refuses a warehouse that the sender has no access to: the record's own, or the one that the push moves it to. */
export function checkSenderWarehouse({ warehouse_ids }: Pick<Sender, "warehouse_ids">, warehouseId: unknown): void {
  if (!warehouse_ids.includes(warehouseId as number)) throw forbidden(WarehouseNotAllowed);
}
