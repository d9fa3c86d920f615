/** What senders, and those who act beside them, must say alike. */

/** The key of the advisory lock that is held by who sends for the subscription $1. */
export const SENDER_LOCK = "hashtextextended('webhook:' || $1::text, 0)";

/** The channel on which senders hear which subscription was changed. */
export const CHANGES = "webhook_subscription_changes";
