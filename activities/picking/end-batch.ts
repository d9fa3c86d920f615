import type { Tx } from "../command.js";
import { lockForRelease, releaseBatches } from "./release.js";

/** Cancels a locked batch for the given reason: see `releaseBatches`. Audit CANCEL. */
export async function endBatch(
  tx: Tx,
  { batch_id, batch_number, warehouse_id }: { batch_id: number; batch_number: string; warehouse_id: number },
  reason: string,
): Promise<void> {
  const transfers = await lockForRelease(tx, [batch_id]);
  await releaseBatches(tx, [batch_id], transfers);
  tx.audit({
    action: "CANCEL",
    entity: "PICK_BATCH",
    entityId: batch_id,
    warehouseId: warehouse_id,
    details: { batch_number, reason },
  });
}
