import { shownWarehouses } from "../../src/platform/actor.js";
import { paged } from "../../src/platform/fields.js";
import { counterSales, counterSummary } from "../../src/pos/activity.js";
import { ActivityFilters, CounterSale, CounterSummary } from "../../src/pos/activity-shapes.js";
import { page, route } from "../http/route.js";

/** Sales at tills, for the office: docs/interface.md, Tills. */

export const listCounterSales = route("get /api/admin/pos/sales-orders", {
  for: page("pos-activity"),
  summary: "Sales and refunds at tills, the newest first",
  query: ActivityFilters,
  answers: { 200: paged("sales_orders", CounterSale, "The sales orders, without their lines.") },
  run: ({ query, by }) => counterSales(query, shownWarehouses(by)),
});

export const getCounterSummary = route("get /api/admin/pos/summary", {
  for: page("pos-activity"),
  summary: "What tills took and paid back: in the last 24 hours, by hour, day, origin and tender",
  answers: { 200: CounterSummary },
  run: ({ by }) => counterSummary(shownWarehouses(by)),
});
