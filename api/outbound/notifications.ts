import { z } from "zod";
import {
  createDestination,
  deleteDestination,
  rotateUrl,
  type SealedUrl,
  updateDestination,
} from "../../activities/outbound/notifications/destinations.js";
import { testDestination } from "../../activities/outbound/test-sends.js";
import { seal } from "../../src/auth/sealed.js";
import { UnknownWarehouse } from "../../src/master-data/problems.js";
import { destinationExists, destinations, messages } from "../../src/outbound/notifications/queries.js";
import {
  MessageFilters,
  NewNotificationWebhook,
  NewUrl,
  NotificationMessage,
  NotificationWebhook,
  NotificationWebhookEdit,
  TestSent,
} from "../../src/outbound/notifications/shapes.js";
import {
  HttpsRequired,
  NotificationWebhookNotFound,
  PrivateDestination,
  UnsupportedScheme,
} from "../../src/outbound/problems.js";
import { notificationSecretOwner, urlOwner } from "../../src/outbound/secrets.js";
import { hasPrivateAddress } from "../../src/outbound/wire/connections.js";
import { checkWarehouse, visibleWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { Message, paged, QueryInt } from "../../src/platform/fields.js";
import { wholeList } from "../../src/platform/list.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import type { AppOptions } from "../http/options.js";
import { page, route } from "../http/route.js";
import { WRITES_PER_MINUTE } from "./limits.js";
import { signalRetries } from "./signal-retries.js";

/** Notification destinations: docs/interface.md, Notifications. A USER manages those of the user's warehouses. */

const params = z.strictObject({ webhook_id: QueryInt.describe("Id of the notification destination.") });

const toSeal = async (url: string, options: AppOptions): Promise<SealedUrl> => ({
  url,
  isPrivate: await hasPrivateAddress(url, options.allowInternalWebhooks),
  sealedFor: (webhookId) => seal(url, urlOwner(webhookId), options),
});

const urlRefusals = [UnsupportedScheme, HttpsRequired, PrivateDestination];

export const listNotificationWebhooks = route("get /api/admin/notification-webhooks", {
  for: page("notifications"),
  summary: "Notification destinations, newest first; never their URLs",
  query: z.strictObject({ ...wholeList(NotificationWebhook), warehouse_id: field.WarehouseIdParam.optional() }),
  answers: {
    200: z.strictObject({ notification_webhooks: z.array(NotificationWebhook).describe("The destinations.") }),
  },
  errors: [WarehouseDenied],
  run: async ({ query: { warehouse_id }, by }) => {
    if (warehouse_id !== undefined) checkWarehouse(by, warehouse_id);
    return { notification_webhooks: await destinations(visibleWarehouses(by), warehouse_id) };
  },
});

export const createNotificationWebhook = route("post /api/admin/notification-webhooks", {
  for: page("notifications"),
  stepUp: true,
  perMinute: WRITES_PER_MINUTE,
  summary: "Tells a chat channel of what happens from now on in a warehouse",
  body: NewNotificationWebhook,
  answers: { 201: NotificationWebhook },
  errors: [UnknownWarehouse, WarehouseDenied, ...urlRefusals],
  run: async ({ body: { url, secret, ...settings }, by, options }) => {
    const sealSecret =
      secret === undefined ? undefined : (id: number) => seal(secret, notificationSecretOwner(id), options);
    return createDestination(settings, await toSeal(url, options), sealSecret, options.allowHttpWebhooks, by);
  },
});

export const updateNotificationWebhook = route("patch /api/admin/notification-webhooks/:webhook_id", {
  for: page("notifications"),
  perMinute: WRITES_PER_MINUTE,
  summary: "Changes what a destination is told of, or switches it on or off; what waits for one that is off is dropped",
  params,
  body: NotificationWebhookEdit,
  answers: { 200: NotificationWebhook },
  errors: [NotificationWebhookNotFound, WarehouseDenied],
  run: ({ params: { webhook_id }, body, by }) =>
    signalRetries(webhook_id, () => updateDestination(webhook_id, body, by)),
});

export const rotateNotificationWebhookUrl = route("post /api/admin/notification-webhooks/:webhook_id/rotate-url", {
  for: page("notifications"),
  stepUp: true,
  perMinute: WRITES_PER_MINUTE,
  summary: "Gives a destination another URL; what waits for a retry goes there too",
  params,
  body: NewUrl,
  answers: { 200: NotificationWebhook },
  errors: [NotificationWebhookNotFound, ...urlRefusals],
  run: async ({ params: { webhook_id }, body, by, options }) =>
    rotateUrl(webhook_id, await toSeal(body.url, options), options.allowHttpWebhooks, by),
});

export const sendTestNotification = route("post /api/admin/notification-webhooks/:webhook_id/test-send", {
  for: page("notifications"),
  perMinute: WRITES_PER_MINUTE,
  changesNothing: true,
  summary: "Sends a test message now, once, also to a destination that is switched off",
  params,
  answers: { 200: TestSent },
  errors: [NotificationWebhookNotFound],
  run: ({ params: { webhook_id }, by }) => testDestination(webhook_id, by),
});

export const listNotificationMessages = route("get /api/admin/notification-webhooks/:webhook_id/messages", {
  for: page("notifications"),
  summary: "Messages to a destination, newest first, with the attempts and what came of them; 90 days back",
  params,
  query: MessageFilters,
  answers: { 200: paged("messages", NotificationMessage, "What the destination was told, or is to be told.") },
  errors: [NotificationWebhookNotFound],
  run: async ({ params: { webhook_id }, query, by }) => {
    if (!(await destinationExists(webhook_id, visibleWarehouses(by)))) throw NotificationWebhookNotFound();
    return messages(webhook_id, query);
  },
});

export const deleteNotificationWebhook = route("delete /api/admin/notification-webhooks/:webhook_id", {
  for: page("notifications"),
  perMinute: WRITES_PER_MINUTE,
  summary: "Deletes a destination, with what waits for it",
  params,
  answers: { 200: Message },
  errors: [NotificationWebhookNotFound],
  run: ({ params: { webhook_id }, by }) => signalRetries(webhook_id, () => deleteDestination(webhook_id, by)),
});
