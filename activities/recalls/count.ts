import type { Actor } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import { groupBy } from "../../src/platform/values.js";
import type { CountsMade } from "../../src/recalls/workflow.js";
import { command } from "../command.js";
import { insertCounts } from "../counting/insert.js";
import { lockRecall } from "./lock.js";
import { UNCOUNTED_BINS } from "./state.js";

/** The most counts that one step makes. */
const AT_ONCE = 100;

/** Makes counts, for whoever comes by, of the bins in which units of a recall are still to be counted. */
export function countRecalledBins(recallId: number, by: Actor): Promise<CountsMade> {
  return command("recalls.count", by, { recallId }, async (tx) => {
    const { closed_by } = await lockRecall(tx, recallId);
    if (closed_by !== null) return { counts: [], more: false };
    const bins = await tx.rows(
      { warehouse_id: int, bin_id: int, count_id: int },
      `select warehouse_id, bin_id, nextval(pg_get_serial_sequence('cycle_counts', 'count_id')) as count_id
       from (${UNCOUNTED_BINS} order by warehouse_id, bin_id limit $2) bins`,
      [recallId, AT_ONCE],
    );
    const counts: CountsMade["counts"] = [];
    for (const [warehouseId, some] of groupBy(bins, ({ warehouse_id }) => warehouse_id)) {
      const made = await insertCounts(tx, {
        ...{ warehouseId, assignedTo: null, because: { recall_id: recallId } },
        binIds: some.map(({ bin_id }) => bin_id),
        countIds: some.map(({ count_id }) => count_id),
      });
      counts.push(...made.map(({ count_id, bin_code }) => ({ count_id, bin_code })));
    }
    return { counts, more: bins.length === AT_ONCE };
  });
}
