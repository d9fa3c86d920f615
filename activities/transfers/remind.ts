import { int, text, time } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { reminderMs } from "../../src/system/settings/queries.js";
import type { Reminder } from "../../src/transfers/steps.js";
import { command } from "../command.js";
import { lockTransfer } from "../stock/transfer-lock.js";
import { transferState } from "./state.js";

/**
 * Records in the audit log, as the system user, which submitted picks have waited longer than the hours of setting
 * `transfer_approval_reminder_hours`, once in each such period: TO_APPROVAL_REMINDER. Returns how many, the number of
 * all pending ones, and when to look again.
 * @public Called by `transferOrder`, which knows activities by their types alone.
 */
export async function remindOfApproval(toId: number, commandId: string): Promise<Reminder> {
  const by = systemActor(commandId);
  const period = await reminderMs(db);
  return command("transfers.remind", by, { toId }, async (tx) => {
    const transfer = await lockTransfer(tx, toId, "destination", by);
    const late = await tx.rows(
      { to_approval_id: int, submitted_by: text, submitted_at: time },
      `update transfer_order_approvals set reminded_at = clock_timestamp()
       where to_id = $1 and status = 'PENDING'
         and coalesce(reminded_at, submitted_at) <= clock_timestamp() - make_interval(secs => $2::float8 / 1000)
       returning to_approval_id, submitted_by, submitted_at`,
      [toId, period],
    );
    for (const { to_approval_id, submitted_by, submitted_at } of late)
      tx.audit({
        action: "TO_APPROVAL_REMINDER",
        entity: "TO_APPROVAL",
        entityId: to_approval_id,
        warehouseId: transfer.destination_warehouse_id,
        details: { to_id: toId, to_number: transfer.to_number, submitted_by, submitted_at },
      });
    return { reminded: late.length, state: await transferState(tx, toId) };
  });
}
