/** How many sandboxes there are at once. */
export const MOST_SANDBOXES = 20;
/** How many orders, returns among them, one has in all. */
export const MOST_ORDERS = 2_000;
/** How long it moves after somebody has looked at it, moved it, or used its token, whose use is noted by the minute. */
export const AWAKE_MS = 180_000;
/** How often it looks whether somebody does, while nobody did. */
export const LOOK_MS = 60_000;
/** It ends by itself after so many days without use. */
export const UNUSED_DAYS = 14;
