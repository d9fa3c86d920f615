/** What senders share with other code: the locks that they hold, and where they are notified of changes. */

/** Kinds of what is sent for, each by one worker at a time, under a session lock of Postgres. */
export type Owned = "webhook" | "channel" | "notification" | "notification-message" | "push";

/** The name of the lock under which something is sent for. */
export const lockName = (kind: Owned, id: string | number) => `${kind}:${id}`;

/** Its key, the hash of that name, by the id in SQL. */
export const lockKey = (kind: Owned, id: string) => `hashtextextended('${kind}:' || ${id}::text, 0)`;

/** The class of the advisory locks that workers hold as long as they send; the other key is the connection's. */
export const SENDING_WORKER = 7_304;

/** The name of the connection that holds the locks of a worker. */
export const LOCKS_CONNECTION = "warehouse webhook locks";

/** The Postgres channel that notifies senders of the ids of changed webhook subscriptions. */
export const CHANGES = "webhook_subscription_changes";

/** That of the ids of channels that were changed or have items to be sent. */
export const CHANNEL_NEWS = "channel_news";
