import type {
  NotificationEnded,
  NotificationPartner,
  RetriedNotification,
} from "../../../src/outbound/notifications/delivery.js";
import { db } from "../../../src/platform/db/db.js";
import type { NotificationStatus } from "../../../src/platform/states.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import { attributesMissingHere } from "../../../src/platform/temporal/missing-attributes.js";
import { command } from "../../command.js";

/** What the workflow of a message shows of its destination, and why the last attempt failed. */
export async function readDestination({
  notification_id,
  webhook_id,
}: RetriedNotification): Promise<NotificationPartner> {
  const found = await db.row<Omit<NotificationPartner, "missing_attributes">>(
    `select d.host_preview, d.warehouse_id, w.warehouse_code,
            (select nullif(concat_ws(' ', error_kind, http_status), '') from notifications
             where notification_id = $1) as failure
     from notification_webhooks d join warehouses w using (warehouse_id) where d.webhook_id = $2`,
    [notification_id, webhook_id],
  );
  const gone = { host_preview: "a deleted destination", warehouse_id: null, warehouse_code: null, failure: null };
  return { ...(found ?? gone), missing_attributes: attributesMissingHere() };
}

/**
 * Gives up a message as the system user, because somebody asked its workflow to be cancelled in the Temporal UI. Where
 * it had ended before, says how.
 */
export function giveUpNotification(
  { notification_id, event_type }: RetriedNotification,
  commandId: string,
): Promise<{ ended: NotificationEnded | "cancelled" }> {
  return command("notifications.giveUp", systemActor(commandId), { notification_id }, async (tx) => {
    await tx.run("select from notifications where notification_id = $1 for update", [notification_id]);
    const found = await tx.row<{ status: NotificationStatus; webhook_id: number; warehouse_id: number }>(
      `select n.status, d.webhook_id, d.warehouse_id
       from notifications n join notification_webhooks d using (webhook_id)
       where notification_id = $1`,
      [notification_id],
    );
    if (!found) return { ended: "gone" as const };
    const { status, webhook_id, warehouse_id } = found;
    if (status !== "pending") return { ended: status };
    await tx.run(
      `update notifications set status = 'dlq', completed_at = now(), error_kind = 'unknown',
         error_detail = 'Cancelled in the Temporal UI' where notification_id = $1`,
      [notification_id],
    );
    tx.audit({
      action: "NOTIFICATION_GIVE_UP",
      entity: "NOTIFICATION_WEBHOOK",
      entityId: webhook_id,
      warehouseId: warehouse_id,
      details: { notification_id, event_type, reason: "cancelled in the Temporal UI" },
    });
    return { ended: "cancelled" as const };
  });
}
