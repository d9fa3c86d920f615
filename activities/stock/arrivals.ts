import { text } from "../../src/platform/db/columns.js";
import { OPEN_BINS } from "../../src/stock/arrivals.js";
import { BinInactive } from "../../src/stock/problems.js";
import type { Tx } from "../command.js";

/** Throws 400 `bin_inactive` where a bin, its zone or its warehouse is inactive. */
export async function checkArrival(tx: Tx, binId: number): Promise<void> {
  refuseClosed(await closedBin(tx, [binId]));
}

/** The first of these bins that is inactive, for callers that have other refusals to make first. */
export const closedBin = (tx: Tx, binIds: number[]): Promise<{ bin_code: string } | undefined> =>
  tx.row(
    { bin_code: text },
    `select b.bin_code from bins b left join ${OPEN_BINS} o using (bin_id)
     where b.bin_id = any($1) and o.bin_id is null order by b.bin_id limit 1`,
    [binIds],
  );

export function refuseClosed(closed: { bin_code: string } | undefined): void {
  if (closed) throw BinInactive({ bin: closed.bin_code });
}
