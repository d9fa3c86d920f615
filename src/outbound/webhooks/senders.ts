/** Names that senders share with other code. */

/** The key of the advisory lock under which a subscription is sent for, by its id in SQL. */
export const senderLock = (id: string) => `hashtextextended('webhook:' || ${id}::text, 0)`;

/** The class of the advisory locks that workers hold as long as they send; the other key is the connection's. */
export const SENDING_WORKER = 7_304;

/** The channel that notifies senders of the ids of changed subscriptions. */
export const CHANGES = "webhook_subscription_changes";

/** The name of the connection that holds the locks of a worker. */
export const LOCKS_CONNECTION = "warehouse webhook locks";
