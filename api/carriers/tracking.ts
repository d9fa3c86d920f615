import { z } from "zod";
import * as activities from "../../activities/carriers/track.js";
import { ParcelNotTracked, TrackingEnded } from "../../src/carriers/problems.js";
import { trackingOfParcel } from "../../src/carriers/tracking-queries.js";
import { Tracking, TrackingClosing } from "../../src/carriers/tracking-shapes.js";
import { checkWarehouse } from "../../src/platform/actor.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { ParcelIdParam } from "../../src/shipping/parcels/shapes.js";
import { floor, page, route } from "../http/route.js";

/** Where parcels are: docs/carriers.md, Tracking. */

const params = z.strictObject({ parcel_id: ParcelIdParam });

export const getTracking = route("get /api/packing/parcels/:parcel_id/tracking", {
  for: floor("pack"),
  summary: "Where a parcel is, by its carrier, with all that was noted on its way",
  params,
  answers: { 200: Tracking },
  errors: [ParcelNotTracked, WarehouseDenied],
  run: async ({ params: { parcel_id }, by }) => {
    const tracking = await trackingOfParcel(parcel_id);
    if (!tracking) throw ParcelNotTracked();
    checkWarehouse(by, tracking.warehouse_id);
    return tracking;
  },
});

export const closeTracking = route("post /api/admin/parcels/:parcel_id/tracking/close", {
  for: page("sales-orders"),
  summary: "Ends the tracking of a parcel that is lost, comes back, or whose problem is settled",
  params,
  body: TrackingClosing,
  answers: { 200: Tracking },
  errors: [ParcelNotTracked, WarehouseDenied, TrackingEnded],
  run: ({ params, body, by }) => activities.closeTracking(params.parcel_id, body, by),
});
