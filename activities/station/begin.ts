import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { StationNotFound, UnknownOperator } from "../../src/station/problems.js";
import { zulu } from "../../src/station/queries.js";
import type { Tx } from "../command.js";
import { waitForSameKey } from "../same-key.js";
import { lockOrderNumbered, Order } from "../shipping/contents.js";

/** Who stands at the station. */
const Operator = z.strictObject({ username: text, externalId: text });

const Begun = z.strictObject({
  order: Order,
  operator: Operator,
  /** The id of the audit row, which the answer contains. */
  auditId: int,
  /** The time of the transaction, in the format of stations. */
  at: text,
});
type Begun = z.infer<typeof Begun>;

/** How long one request waits for another, by the interface (docs/interface.md, Shipping station). */
const LOCK_LIMIT = "select set_config('lock_timeout', '5s', true)";

const BeginRow = Begun.pick({ at: true, auditId: true });

/**
 * The beginning of every command of a station: waits for others under the same key, checks the operator, locks the
 * order.
 */
export async function begin(
  tx: Tx,
  { so_number, operator_username }: { so_number: string; operator_username: string },
  by: Actor,
): Promise<Begun> {
  const [, , operator, order, own] = await tx.inOrder([
    tx.run(LOCK_LIMIT),
    waitForSameKey(tx, by),
    tx.row(Operator, `select username, external_id as "externalId" from users where username = $1 and is_active`, [
      operator_username,
    ]),
    lockOrderNumbered(tx, so_number, by),
    tx.row(BeginRow, `select nextval('audit_log_log_id_seq') as "auditId", ${zulu("now()")} as at`),
  ]);
  if (!operator) throw UnknownOperator({ operator_username }, { field: "operator_username" });
  if (!order) throw StationNotFound();
  return { order, operator, ...(own as Pick<Begun, "auditId" | "at">) };
}
