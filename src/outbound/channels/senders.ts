/** The Postgres channel that notifies senders of the ids of channels that were changed or have items to be sent. */
export const CHANNEL_NEWS = "channel_news";

/** The name of the lock under which a channel is sent for. */
export const channelLockName = (id: string) => `channel:${id}`;
