import type { Actor } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import { OrderNotOnRecall } from "../../src/recalls/problems.js";
import type { ToldOrders } from "../../src/recalls/shapes.js";
import { ordersOf } from "../../src/recalls/units.js";
import type { RecallState } from "../../src/recalls/workflow.js";
import { command } from "../command.js";
import { entryOf, lockOpenRecall } from "./lock.js";
import { recallState } from "./state.js";

/** Notes that the customers of orders were told of a recall; what was noted first stays. Audit RECALL_TOLD. */
export function markTold(recallId: number, { so_ids, note }: ToldOrders, by: Actor): Promise<RecallState> {
  return command("recalls.markTold", by, { recallId, so_ids, note }, async (tx) => {
    await lockOpenRecall(tx, recallId);
    const known = await tx.rows(
      { so_id: int },
      `select distinct so_id from (${ordersOf("$1")}) o where so_id = any($2)`,
      [recallId, so_ids],
    );
    const unknown = so_ids.find((so_id) => !known.some((order) => order.so_id === so_id));
    if (unknown !== undefined) throw OrderNotOnRecall({ so_id: unknown });
    await tx.run(
      `insert into recall_orders (recall_id, so_id, told_by, note)
       select $1, so_id, $3, $4 from unnest($2::int[]) so_id on conflict do nothing`,
      [recallId, [...new Set(so_ids)], by.username, note || null],
    );
    tx.audit({ ...entryOf(recallId, { so_ids, note: note || undefined }), action: "RECALL_TOLD" });
    return recallState(tx, recallId);
  });
}
