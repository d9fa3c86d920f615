import { forbidden, WarehouseNotAllowed } from "../../src/inbound/problems.js";
import { int } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";
import type { RecordSender } from "./incoming.js";

/** Refuses a warehouse that the sender has no access to: the record's own, or the one that the push moves it to. */
export function checkSenderWarehouse(
  { warehouse_ids }: Pick<RecordSender, "warehouse_ids">,
  warehouseId: unknown,
): void {
  if (!warehouse_ids.includes(warehouseId as number)) throw forbidden(WarehouseNotAllowed);
}

/** The same for the warehouse of a bin; a bin that does not exist is refused by its foreign key. */
export async function checkSenderBin(
  tx: Tx,
  sender: Pick<RecordSender, "warehouse_ids">,
  binId: unknown,
): Promise<void> {
  const bin = await tx.row({ warehouse_id: int }, "select warehouse_id from bins where bin_id = $1", [binId]);
  if (bin) checkSenderWarehouse(sender, bin.warehouse_id);
}
