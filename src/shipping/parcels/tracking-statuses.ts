/** Where carriers have parcels: docs/carriers.md, Tracking. */

/** In this order a parcel passes them, as far as it does. */
export const trackingStatuses = [
  ...(["pre_transit", "in_transit", "out_for_delivery", "available_for_pickup", "exception"] as const),
  ...(["delivered", "returned"] as const),
] as const;
export type TrackingStatus = (typeof trackingStatuses)[number];
