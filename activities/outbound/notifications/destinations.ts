import { UnknownWarehouse } from "../../../src/master-data/problems.js";
import { dispatcherNotices, type Notice } from "../../../src/outbound/notifications/notices.js";
import { DESTINATION } from "../../../src/outbound/notifications/queries.js";
import { type NewNotificationWebhook, NotificationWebhook } from "../../../src/outbound/notifications/shapes.js";
import { NotificationWebhookNotFound } from "../../../src/outbound/problems.js";
import { type Actor, checkWarehouse, visibleWarehouses } from "../../../src/platform/actor.js";
import { int } from "../../../src/platform/db/columns.js";
import { WarehouseDenied } from "../../../src/platform/problem.js";
import { type AuditEntry, command, type Tx } from "../../command.js";
import { auditEdit, type Changes, withChanges } from "../../edit.js";
import { type Destination, refuseDestination } from "../webhooks/rules.js";

/** A URL that a request names, and how it is sealed for its destination. */
export interface SealedUrl extends Destination {
  sealedFor(webhookId: number): string;
}

type Settings = Omit<NewNotificationWebhook, "url" | "secret">;

const SWITCHED_OFF = `
  update notifications set status = 'stopped', completed_at = now() where webhook_id = $1 and status = 'pending'`;

/**
 * Makes a destination, which is told of what happens from now on (docs/interface.md, Notifications).
 * @param sealSecret Seals the secret for the destination, if it has one.
 */
export function createDestination(
  settings: Settings,
  to: SealedUrl,
  sealSecret: ((webhookId: number) => string) | undefined,
  allowHttp: boolean,
  by: Actor,
): Promise<NotificationWebhook> {
  const host_preview = hostOf(to.url);
  return command("notifications.create", by, { ...settings, host_preview }, async (tx) => {
    const { warehouse_id, channel_kind, event_filter, enabled } = settings;
    const found = await tx.row(
      { id: int },
      `select nextval(pg_get_serial_sequence('notification_webhooks', 'webhook_id'))::int as id
       from warehouses where warehouse_id = $1 for key share`,
      [warehouse_id],
    );
    if (!found) throw UnknownWarehouse({ warehouse_id });
    checkWarehouse(by, warehouse_id);
    checkNotices(by, event_filter);
    refuseDestination(to, allowHttp);
    const made = (await tx.row(
      NotificationWebhook,
      `insert into notification_webhooks
         (webhook_id, warehouse_id, channel_kind, url_sealed, host_preview, secret_sealed, event_filter, enabled)
       values (:webhook_id, :warehouse_id, :channel_kind, :url_sealed, :host_preview, :secret_sealed, :event_filter,
               :enabled) returning ${DESTINATION}`,
      {
        ...{ webhook_id: found.id, warehouse_id, channel_kind, host_preview, event_filter, enabled },
        ...{ url_sealed: to.sealedFor(found.id), secret_sealed: sealSecret?.(found.id) },
      },
    )) as NotificationWebhook;
    tx.audit({ ...entry(made), action: "NOTIFICATION_WEBHOOK_CREATE", details: { host_preview, event_filter } });
    return made;
  });
}

/** Changes what a destination is told of, or switches it on or off; what waits for one that is off is dropped. */
export function updateDestination(
  webhook_id: number,
  changes: Changes<Pick<Settings, "enabled" | "event_filter">>,
  by: Actor,
): Promise<NotificationWebhook> {
  return command("notifications.update", by, { webhook_id, ...changes }, async (tx) => {
    const before = await lockDestination(tx, webhook_id, by);
    const after = withChanges(before, changes);
    if (changes.event_filter) checkNotices(by, changes.event_filter);
    await tx.run(
      `update notification_webhooks set event_filter = $2, enabled = $3, updated_at = clock_timestamp()
       where webhook_id = $1`,
      [webhook_id, after.event_filter, after.enabled],
    );
    if (!after.enabled) await tx.run(SWITCHED_OFF, [webhook_id]);
    auditEdit(tx, { ...entry(after), action: "NOTIFICATION_WEBHOOK_UPDATE" }, before, after);
    return after;
  });
}

/** Gives a destination another URL, which the next attempt of what waits takes too. */
export function rotateUrl(
  webhook_id: number,
  to: SealedUrl,
  allowHttp: boolean,
  by: Actor,
): Promise<NotificationWebhook> {
  const host_preview = hostOf(to.url);
  return command("notifications.rotateUrl", by, { webhook_id, host_preview }, async (tx) => {
    const before = await lockDestination(tx, webhook_id, by);
    refuseDestination(to, allowHttp);
    await tx.run(
      `update notification_webhooks set url_sealed = $2, host_preview = $3, updated_at = clock_timestamp()
       where webhook_id = $1`,
      [webhook_id, to.sealedFor(webhook_id), host_preview],
    );
    tx.audit({
      ...entry(before),
      action: "NOTIFICATION_WEBHOOK_ROTATE_URL",
      details: { old_host: before.host_preview, new_host: host_preview },
    });
    return { ...before, host_preview };
  });
}

/** Deletes a destination, with what waits for it. */
export function deleteDestination(webhook_id: number, by: Actor): Promise<{ message: string }> {
  return command("notifications.delete", by, { webhook_id }, async (tx) => {
    const found = await lockDestination(tx, webhook_id, by);
    await tx.run("delete from notification_webhooks where webhook_id = $1", [webhook_id]);
    const { host_preview, event_filter } = found;
    tx.audit({ ...entry(found), action: "NOTIFICATION_WEBHOOK_DELETE", details: { host_preview, event_filter } });
    return { message: "Notification destination deleted" };
  });
}

async function lockDestination(tx: Tx, webhookId: number, by: Actor): Promise<NotificationWebhook> {
  const found = await tx.row(
    NotificationWebhook,
    `select ${DESTINATION} from notification_webhooks
     where ($1::int[] is null or warehouse_id = any($1)) and webhook_id = $2 for update`,
    [visibleWarehouses(by), webhookId],
  );
  if (!found) throw NotificationWebhookNotFound();
  return found;
}

/** Webhooks are of no warehouse: only who may see all of them may have a destination told of their state. */
function checkNotices(by: Actor, asked: Notice[]): void {
  const ofWebhooks: readonly string[] = dispatcherNotices;
  if (visibleWarehouses(by) && asked.some((notice) => ofWebhooks.includes(notice))) throw WarehouseDenied();
}

const hostOf = (url: string) => new URL(url).host.slice(0, 255);

const entry = ({ webhook_id, warehouse_id }: NotificationWebhook): Omit<AuditEntry, "action"> => ({
  entity: "NOTIFICATION_WEBHOOK",
  entityId: webhook_id,
  warehouseId: warehouse_id,
});
