import { randomUUID } from "node:crypto";
import { int } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { DomainError } from "../../src/platform/problem.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { IS_SHORT } from "../../src/sales-orders/open-work.js";
import { shortDecisionAfter } from "../../src/system/settings/queries.js";
import { decideShort } from "./decide-short.js";

const AT_MOST = 500;

/**
 * Decides, as the system user, about PICKED orders that were picked short and that nobody decided about within the
 * hours of setting `short_decision_hours`, as `short_decision_otherwise` says. Gives how many there were. An order that
 * cannot be decided about so stays at the desk: one that is in a wave again, or that would ship or keep nothing.
 */
export async function decideOverdue(): Promise<number> {
  const deadline = await shortDecisionAfter(db);
  if (!deadline) return 0;
  const { hours, decision } = deadline;
  const orders = await db.rows(
    { so_id: int },
    `select so_id from sales_orders so
     where ${IS_SHORT} and so.status = 'PICKED' and picked_at < now() - $1::float8 * interval '1 hour'
     order by picked_at limit ${AT_MOST}`,
    [hours],
  );
  let decided = 0;
  for (const { so_id } of orders) {
    const reason_detail = `nobody decided for ${hours} hours`;
    try {
      await decideShort({ so_id, decision, reason_detail }, systemActor(randomUUID()));
      decided++;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
  return decided;
}
