import { z } from "zod";
import { int, text } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { builder, codeOf } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import { RetriedNotification } from "../sending.js";
import { type MessageFilters, messageList, NotificationMessage, NotificationWebhook } from "./shapes.js";

/** The columns of `notification_webhooks` that people see. */
export const DESTINATION = `webhook_id, warehouse_id, channel_kind, host_preview, event_filter, enabled, created_at,
  ${codeOf("notification_webhooks.warehouse_id")}`;

/** The destinations of the warehouses, or of one of them, the newest first. */
export const destinations = (warehouseIds: number[] | null, warehouseId: number | null = null) =>
  db.rows(
    NotificationWebhook,
    `select ${DESTINATION} from notification_webhooks
     where ($1::int[] is null or warehouse_id = any($1)) and ($2::int is null or warehouse_id = $2)
     order by webhook_id desc`,
    [warehouseIds, warehouseId],
  );

/** Whether there is such a destination in these warehouses. */
export async function destinationExists(webhookId: number, warehouseIds: number[] | null): Promise<boolean> {
  const found = await db.row(
    {},
    "select from notification_webhooks where webhook_id = $1 and ($2::int[] is null or warehouse_id = any($2))",
    [webhookId, warehouseIds],
  );
  return found !== undefined;
}

const MESSAGE = [
  ...["notification_id", "event_type", "status", "attempts", "http_status", "error_kind", "error_detail"],
  ...["occurred_at", "created_at", "case when status = 'pending' then due_at end as due_at", "completed_at"],
].join();

/** A page of the messages to a destination, the newest first. */
export function messages(webhook_id: number, { status, ...page }: MessageFilters) {
  const query = builder("notifications")
    .select(builder.raw(MESSAGE))
    .where({ webhook_id })
    .orderBy("notification_id", "desc");
  if (status) query.where({ status });
  return listPage(NotificationMessage, "messages", query, page, messageList);
}

/** Where a destination is, sealed, and how it is called. */
export const SealedDestination = z.strictObject({
  webhook_id: int,
  url_sealed: text,
  secret_sealed: text.nullable(),
  warehouse_code: text,
  warehouse_name: text,
});
export type SealedDestination = z.infer<typeof SealedDestination>;

/** The messages whose first attempt failed and which are to be tried again: of all destinations, or of one. */
export const retriedNotifications = (webhookId: number | null = null): Promise<RetriedNotification[]> =>
  db.rows(
    RetriedNotification,
    `select notification_id, webhook_id, event_type from notifications
     where status = 'pending' and attempts > 0 and ($1::int is null or webhook_id = $1) order by notification_id`,
    [webhookId],
  );
