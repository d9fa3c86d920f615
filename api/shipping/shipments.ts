import { shownWarehouses } from "../../src/platform/actor.js";
import { paged } from "../../src/platform/fields.js";
import { shipments } from "../../src/shipping/queries.js";
import { Shipment, ShipmentFilters, shipmentList } from "../../src/shipping/shapes.js";
import { page, route } from "../http/route.js";

/** Shipments. A USER sees those of own warehouses. */

export const listShipments = route("get /api/admin/shipments", {
  for: page("sales-orders"),
  summary: "Shipments of sales orders, newest first, with those that were voided",
  query: ShipmentFilters,
  answers: {
    200: paged("shipments", Shipment, "What was handed to carriers, an entry for each parcel.", shipmentList.totals),
  },
  run: ({ query, by }) => shipments(query, shownWarehouses(by, query.warehouse_id)),
});
