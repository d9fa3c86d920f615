import { db } from "../../src/platform/db/db.js";
import { log } from "../../src/platform/log.js";
import { DomainError } from "../../src/platform/problem.js";
import { InsufficientStock } from "../../src/stock/problems.js";

/**
 * Does what takes units out of a bin. Where that is refused because the books have too few of them there, the bin is
 * noted for the count programme of its warehouse, if it has one (docs/counting.md). The refused transaction is over by
 * then; this is a hint and changes nothing of the warehouse, so it is no command, and the answer does not depend on it.
 */
export async function notingShortage<T>(binId: number, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DomainError && error.kind === InsufficientStock.kind)
      await db.run(NOTE, [binId]).catch((err) => log.warn({ err, bin_id: binId }, "a shortage was not noted"));
    throw error;
  }
}

const NOTE = `
  insert into bin_shortages (bin_id, refused_at)
  select bin_id, now() from bins join count_programmes using (warehouse_id) where bin_id = $1
  on conflict (bin_id) do update set refused_at = excluded.refused_at`;
