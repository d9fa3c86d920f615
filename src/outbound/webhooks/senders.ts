/** Names that senders share with other code. */

/** The key of the advisory lock that the sender of subscription $1 holds. */
export const SENDER_LOCK = "hashtextextended('webhook:' || $1::text, 0)";

/** The channel that notifies senders of the ids of changed subscriptions. */
export const CHANGES = "webhook_subscription_changes";
