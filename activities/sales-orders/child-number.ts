import { text } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";

/**
 * The first free number for a child of an order: its parent's number and a suffix, then with `-2`, `-3`, … behind it
 * (`SO-7-BO`, `SO-7-BO-2`). Numbers of cancelled children are not used again. The caller has locked the parent.
 */
export async function childNumber(tx: Tx, parent: { so_id: number; so_number: string }, word: string): Promise<string> {
  const free = await tx.row(
    { so_number: text },
    `select so_number
     from generate_series(1, 10 + (select count(*)::int from sales_orders where parent_so_id = $1)) n,
       lateral (select $2 || case n when 1 then '' else '-' || n end as so_number) named
     where not so_number_is_taken(named.so_number) order by n limit 1`,
    [parent.so_id, `${parent.so_number}-${word}`],
  );
  if (!free) throw new Error(`no free number for a child of ${parent.so_number}`);
  return free.so_number;
}
