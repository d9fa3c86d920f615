import { bool, text } from "../../src/platform/db/columns.js";
import { BinInactive } from "../../src/stock/problems.js";
import { IS_OPEN } from "../../src/stock/queries.js";
import type { Tx } from "../command.js";

/** Throws 400 `bin_inactive` where a bin, its zone or its warehouse is inactive. */
export async function checkArrival(tx: Tx, binId: number): Promise<void> {
  const bin = await tx.row(
    { bin_code: text, is_open: bool },
    `select bin_code, ${IS_OPEN} as is_open from bins b where bin_id = $1`,
    [binId],
  );
  if (bin) refuseClosed(bin);
}

/** The same for a bin that was read with `IS_OPEN`. */
export function refuseClosed({ bin_code, is_open }: { bin_code: string; is_open: boolean }): void {
  if (!is_open) throw BinInactive({ bin: bin_code });
}
