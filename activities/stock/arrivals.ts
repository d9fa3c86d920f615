import { BinInactive } from "../../src/receiving/problems.js";
import type { Tx } from "../command.js";

/** Throws 400 `bin_inactive` where a bin, its zone or its warehouse is out of use. */
export async function checkArrival(tx: Tx, binId: number): Promise<void> {
  const closed = await tx.row<{ bin_code: string }>(
    `select bin_code from bins b join zones z using (zone_id) join warehouses w on w.warehouse_id = b.warehouse_id
     where bin_id = $1 and not (b.is_active and z.is_active and w.is_active)`,
    [binId],
  );
  if (closed) throw BinInactive({ bin: closed.bin_code });
}
