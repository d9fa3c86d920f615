/** The `perMinute` of all routes that change webhook subscriptions or deliveries. */
export const WRITES_PER_MINUTE = 60;
