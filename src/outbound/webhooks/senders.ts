/** Names that senders share with other code. */

/** The name of the lock under which a subscription is sent for. */
export const senderLockName = (id: string) => `webhook:${id}`;

/** Its key, the hash of that name, by the id in SQL. */
export const senderLock = (id: string) => `hashtextextended('webhook:' || ${id}::text, 0)`;

/** The class of the advisory locks that workers hold as long as they send; the other key is the connection's. */
export const SENDING_WORKER = 7_304;

/** The channel that notifies senders of the ids of changed subscriptions. */
export const CHANGES = "webhook_subscription_changes";

/** The name of the connection that holds the locks of a worker. */
export const LOCKS_CONNECTION = "warehouse webhook locks";
