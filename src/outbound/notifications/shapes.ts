import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { Edit, Id, Text, Time } from "../../platform/fields.js";
import { list } from "../../platform/list.js";
import { type NotificationStatus, notificationStates } from "../../platform/states.js";
import { TestOutcome } from "../webhooks/delivery-shapes.js";
import { DeliveryUrl } from "../webhooks/delivery-url.js";
import { notices } from "./notices.js";

/** Notification destinations: docs/interface.md, Notifications. */

const ChannelKind = z
  .enum(["teams"])
  .meta({ description: "What kind of chat the destination is.", examples: ["teams"] });
const EventFilter = z
  .array(z.enum(notices))
  .min(1)
  .transform((asked) => [...new Set(asked)])
  .meta({ description: "What the destination is told of.", examples: [["backorder.opened", "backorder.fulfillable"]] });
const Enabled = z.boolean().meta({ description: "Whether messages are sent to the destination.", examples: [true] });

export const NewNotificationWebhook = z.strictObject({
  warehouse_id: field.WarehouseId,
  channel_kind: ChannelKind.default("teams"),
  url: DeliveryUrl.describe("Where messages are sent."),
  event_filter: EventFilter.default(["backorder.opened", "backorder.fulfillable"]),
  enabled: Enabled.default(true),
  secret: z
    .string()
    .min(8)
    .max(256)
    .meta({ description: "Signs the messages; never shown.", examples: ["a-long-random-text"] })
    .optional(),
});
export type NewNotificationWebhook = z.infer<typeof NewNotificationWebhook>;

export const NotificationWebhookEdit = Edit({ enabled: Enabled, event_filter: EventFilter });

export const NewUrl = z.strictObject({ url: DeliveryUrl.describe("Where messages are sent.") });

export const NotificationWebhook = z
  .strictObject({
    webhook_id: Id.describe("Id of the notification destination."),
    warehouse_id: field.WarehouseId,
    channel_kind: ChannelKind,
    host_preview: Text(255, "acme.webhook.office.com").describe("The host of the URL, which itself is never shown."),
    event_filter: z
      .array(z.enum(notices))
      .meta({ description: "What the destination is told of.", examples: [["backorder.opened"]] }),
    enabled: Enabled,
    created_at: field.CreatedAt,
    warehouse_code: field.WarehouseCode,
  })
  .meta({ id: "NotificationWebhook", description: "A chat channel that people of a warehouse read; never its URL." });
export type NotificationWebhook = z.infer<typeof NotificationWebhook>;

export const TestSent = TestOutcome.meta({ id: "TestNotification", description: "What came of a test message." });
export type TestSent = z.infer<typeof TestSent>;

const Status = z.enum(Object.keys(notificationStates) as NotificationStatus[]).meta({
  id: "NotificationStatus",
  description: "Where a message stands; `stopped` where its destination was switched off before it got through.",
});

export const NotificationMessage = z
  .strictObject({
    notification_id: z
      .int()
      .positive()
      .meta({ description: "Id of the message.", examples: [1] }),
    event_type: z
      .enum([...notices, "test"])
      .meta({ description: "The type of the event, such as `ship.confirmed`.", examples: ["backorder.opened"] }),
    status: Status,
    attempts: z
      .int()
      .nonnegative()
      .max(8)
      .meta({ description: "Attempts that ended.", examples: [1] }),
    http_status: z
      .int()
      .nullable()
      .meta({ description: "What the receiver answered; null when it did not.", examples: [503] }),
    error_kind: field.GivenErrorKind.nullable(),
    error_detail: field.ErrorDetail.nullable(),
    occurred_at: Time.describe("When that happened which is told."),
    created_at: field.CreatedAt,
    due_at: Time.nullable().describe("When the next attempt is made; null where there is none."),
    completed_at: field.CompletedAt.nullable(),
  })
  .meta({ id: "NotificationMessage", description: "A message to a destination and what came of it; never its text." });
export type NotificationMessage = z.infer<typeof NotificationMessage>;

export const messageList = list(
  "notification_id",
  ...["notification_id", "event_type", "status", "attempts", "http_status", "error_kind"],
  ...["occurred_at", "created_at", "completed_at"],
);

export const MessageFilters = z.object({
  ...messageList.parameters,
  status: Status.optional().describe("Only messages that stand there."),
});
export type MessageFilters = z.infer<typeof MessageFilters>;
