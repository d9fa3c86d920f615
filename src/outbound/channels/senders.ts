/** The Postgres channel that notifies senders of the ids of channels that were changed or have items to be sent. */
export const CHANNEL_NEWS = "channel_news";
