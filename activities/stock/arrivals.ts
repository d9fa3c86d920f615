import { BinInactive } from "../../src/receiving/problems.js";
import { OPEN_BINS } from "../../src/stock/arrivals.js";
import type { Tx } from "../command.js";

/** Throws 400 `bin_inactive` where a bin, its zone or its warehouse is out of use. */
export async function checkArrival(tx: Tx, binId: number): Promise<void> {
  const closed = await tx.row<{ bin_code: string }>(
    `select bin_code from bins where bin_id = $1 and bin_id not in (select bin_id from ${OPEN_BINS} o)`,
    [binId],
  );
  if (closed) throw BinInactive({ bin: closed.bin_code });
}
