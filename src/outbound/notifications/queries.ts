import { db } from "../../db/db.js";
import type { RetriedNotification } from "./delivery.js";
import type { NotificationWebhook } from "./shapes.js";

/** The columns of `notification_webhooks` that people see. */
export const DESTINATION = `webhook_id, warehouse_id, channel_kind, host_preview, event_filter, enabled, created_at`;

/** The destinations of the warehouses, or of one of them, the newest first. */
export const destinations = (scope: number[] | null, warehouseId: number | null = null) =>
  db.rows<NotificationWebhook>(
    `select ${DESTINATION} from notification_webhooks
     where ($1::int[] is null or warehouse_id = any($1)) and ($2::int is null or warehouse_id = $2)
     order by webhook_id desc`,
    [scope, warehouseId],
  );

/** Where a destination is, sealed, and how it is called. */
export interface SealedDestination {
  webhook_id: number;
  url_sealed: string;
  secret_sealed: string | null;
  warehouse_code: string;
  warehouse_name: string;
}

/** The messages whose first attempt failed and which are to be tried again: of all destinations, or of one. */
export const retriedNotifications = (webhookId: number | null = null): Promise<RetriedNotification[]> =>
  db.rows<RetriedNotification>(
    `select notification_id, webhook_id, event_type from notifications
     where status = 'pending' and attempts > 0 and ($1::int is null or webhook_id = $1) order by notification_id`,
    [webhookId],
  );
