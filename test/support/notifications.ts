import { randomUUID } from "node:crypto";
import { command } from "../../activities/command.js";
import { systemActor } from "../../src/platform/system-actor.js";
import type { Caller } from "./caller.js";
import type { Change, Floor } from "./change.js";
import { db } from "./db.js";
import { publicUrl } from "./webhooks.js";

/** Notification destinations, and what is sent to them. */

export const NOTIFICATIONS = "/api/admin/notification-webhooks";

/** Makes a destination over HTTP; gives the answer. */
export const destination = (by: Caller, warehouse_id: number, fields: object = {}) =>
  by.ok("POST", NOTIFICATIONS, { warehouse_id, url: publicUrl(), ...fields });

/** A backorder's event in a warehouse; gives the order's number. */
export async function openBackorder(warehouse_id: number, number = `SO-${randomUUID().slice(0, 8)}-BO`) {
  const id = randomUUID();
  await command("test.backorder", systemActor(randomUUID()), {}, async (tx) =>
    tx.emit({
      type: "backorder.cancelled",
      aggregateId: id,
      entity: "SO",
      entityId: 1,
      warehouseId: warehouse_id,
      data: {
        backorder_so_external_id: id,
        backorder_so_number: number,
        parent_so_number: number.replace(/-BO$/, ""),
        warehouse_id,
        cancellation_reason: "other",
        cancelled_by_user_external_id: id,
        cancelled_at: tx.now,
      },
    }),
  );
  return number;
}

/** For services that send nothing: whoever asks for a test message would wait 15 seconds for a worker. */
export async function testMessagesAreSentAtOnce(): Promise<void> {
  await db.run(
    `create function send_test() returns trigger language plpgsql as $$ begin
       if new.event_type = 'test' then new.status := 'succeeded'; new.completed_at := now(); end if;
       return new;
     end $$`,
  );
  await db.run("create trigger send_test before insert on notifications for each row execute function send_test()");
}

export interface NotificationRow {
  notification_id: number;
  event_type: string;
  status: string;
  attempts: number;
  error_kind: string | null;
  http_status: number | null;
}

/** The messages to a destination, in the order they were written. */
export const messagesTo = (webhook_id: number) =>
  db.rows<NotificationRow>(
    `select notification_id, event_type, status, attempts, error_kind, http_status
     from notifications where webhook_id = $1 order by notification_id`,
    [webhook_id],
  );

/** A request for a destination that somebody just made, and another one. */
const on =
  (action: string, body: () => object, other: () => object) =>
  async ({ by, warehouse_id }: Floor): Promise<Change> => {
    const { webhook_id } = await destination(by, warehouse_id);
    return { by, path: `${NOTIFICATIONS}/${webhook_id}${action}`, body: body(), other: other() };
  };

/** How what is done to destinations is asked twice. */
export const notificationChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/notification-webhooks": async ({ by, warehouse_id }) => {
    const body = { warehouse_id, url: publicUrl() };
    return { by, body, other: { ...body, enabled: false } };
  },
  "patch /api/admin/notification-webhooks/:webhook_id": on(
    "",
    () => ({ enabled: false }),
    () => ({ enabled: true }),
  ),
  "post /api/admin/notification-webhooks/:webhook_id/rotate-url": on(
    "/rotate-url",
    () => ({ url: publicUrl() }),
    () => ({ url: publicUrl() }),
  ),
  "delete /api/admin/notification-webhooks/:webhook_id": on(
    "",
    () => ({}),
    () => ({ again: true }),
  ),
};
