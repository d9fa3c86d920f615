import { randomBytes } from "node:crypto";

/** A new signing secret in the format of Standard Webhooks. It is shown once, and stored sealed. */
export const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/** The owner that a secret is sealed for; it stays the same after a rotation. */
export const secretOwner = (subscriptionId: string) => `webhook_secret:${subscriptionId}`;
