import { z } from "zod";
import { carrierCosts } from "../../src/carriers/costs.js";
import { CarrierCost } from "../../src/carriers/label-shapes.js";
import { type Clock, clockOf } from "../../src/platform/db/days.js";
import * as field from "../../src/platform/fields/index.js";
import { receivedOrders, shippingHealth } from "../../src/reports/dashboard/operations.js";
import { rangeOf } from "../../src/reports/dashboard/range.js";
import { DayRange, OriginHealth, ReceivedOrder, TimeZoneOfDays } from "../../src/reports/dashboard/shapes.js";
import { InvalidView, RangeTooLarge } from "../../src/reports/problems.js";
import { page, route, signedIn } from "../http/route.js";

/** What a warehouse received, and how its orders are shipped: docs/interface.md, Dashboards. */

const View = z.object({
  warehouse_id: field.WarehouseIdParam.optional(),
  start: field.Start.optional(),
  end: field.End.optional(),
});

const Answer = z.strictObject({ warehouse_id: field.WarehouseId, range: DayRange, timezone: TimeZoneOfDays });

/** The requested warehouse and range of days by its clock; a missing day is today. */
async function viewOf({
  warehouse_id,
  start,
  end,
}: z.output<typeof View>): Promise<{ warehouse_id: number; range: DayRange } & Pick<Clock, "timezone">> {
  if (!warehouse_id) throw InvalidView({ fault: "warehouse_id is required" });
  const { timezone, today } = await clockOf([warehouse_id]);
  const range = rangeOf(start ?? today, end ?? today, (_field, fault) => InvalidView({ fault }));
  return { warehouse_id, range, timezone };
}

export const getReceivedReport = route("get /api/v1/dashboard/received", {
  for: signedIn,
  summary: "The purchase orders with receipts, the latest first; today, when no days are given",
  query: View,
  answers: { 200: Answer.extend({ pos: z.array(ReceivedOrder).describe("The purchase orders.") }) },
  errors: [InvalidView, RangeTooLarge],
  run: async ({ query }) => {
    const view = await viewOf(query);
    return { ...view, pos: await receivedOrders(view.warehouse_id, view.range) };
  },
});

export const getShippingHealthReport = route("get /api/v1/dashboard/shipping-health", {
  for: signedIn,
  summary:
    "How orders are shipped, by the origins of the setting dashboard_bubble_origins; with those that are due today",
  query: View,
  answers: {
    200: Answer.extend({ by_source: z.array(OriginHealth).describe("The figures, by the origin of orders.") }),
  },
  errors: [InvalidView, RangeTooLarge],
  run: async ({ query }) => {
    const view = await viewOf(query);
    return { ...view, by_source: await shippingHealth(view.warehouse_id, view.range) };
  },
});

export const getCarrierCosts = route("get /api/v1/dashboard/carrier-costs", {
  for: page("dashboard"),
  summary: "What labels of carriers cost that were bought in these days, by carrier and service, the dearest first",
  query: View,
  answers: { 200: Answer.extend({ costs: z.array(CarrierCost).describe("The costs, by service and currency.") }) },
  errors: [InvalidView, RangeTooLarge],
  run: async ({ query }) => {
    const view = await viewOf(query);
    return { ...view, costs: await carrierCosts(view.warehouse_id, view.range) };
  },
});
