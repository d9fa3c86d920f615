import { randomBytes } from "node:crypto";

/** A new signing secret in the format of Standard Webhooks. It is shown once, and stored sealed. */
export const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/** The owner that a secret is sealed for; it stays the same after a rotation. */
export const secretOwner = (subscriptionId: string) => `webhook_secret:${subscriptionId}`;

/** The owner that a channel's secret is sealed for; it stays the same after a rotation. */
export const channelSecretOwner = (channelId: string) => `channel_secret:${channelId}`;

/** The owners that URL and secret of a destination are sealed for. */
export const urlOwner = (webhookId: number) => `notification_url:${webhookId}`;
export const notificationSecretOwner = (webhookId: number) => `notification_secret:${webhookId}`;

/** What a webhook signs with beside its secret, and what it shows to its partner. */
export const webhookKeys = ["signing", "signing_before", "client_tls", "oauth"] as const;
export type WebhookKey = (typeof webhookKeys)[number];

/** The owner that a key is sealed for; that of a signing key stays the same after a rotation. */
export const webhookKeyOwner = (subscriptionId: string, kind: WebhookKey) =>
  `webhook_key:${subscriptionId}:${kind === "signing_before" ? "signing" : kind}`;
