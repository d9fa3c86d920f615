import { NEXT_OF_ORDER } from "../../../src/connectors/pushes/queries.js";
import { int } from "../../../src/platform/db/columns.js";
import { db } from "../../../src/platform/db/db.js";

/** The most pushes that one look takes up. */
const MOST = 100;

/**
 * Takes up new pushes, and those that are to be tried again, so that one worker starts their workflows. Should it be
 * killed before it does, the job `reconcile` finds them.
 */
export async function takeUpPushes(): Promise<number[]> {
  const rows = await db.rows(
    { push_id: int },
    `update fulfillment_pushes set started_at = now()
     where push_id in (
       select push_id from fulfillment_pushes p where ${NEXT_OF_ORDER} and started_at is null
       order by push_id limit ${MOST} for update skip locked)
     returning push_id`,
  );
  return rows.map(({ push_id }) => push_id).sort((a, b) => a - b);
}
