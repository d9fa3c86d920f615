import { z } from "zod";
import { receivedOrders, shippingHealth } from "../src/dashboard/operations.js";
import { InvalidView, RangeTooLarge } from "../src/dashboard/problems.js";
import { type Range, rangeOf } from "../src/dashboard/range.js";
import { companyToday } from "../src/days.js";
import {
  type PurchaseOrderStatus,
  purchaseOrderStates,
  type SalesOrderStatus,
  salesOrderStates,
} from "../src/states.js";
import { Day, Id, QueryInt, Text, Time, Units } from "./fields.js";
import { page, route } from "./route.js";

/** What a warehouse received, and how its orders leave: spec 4.6, reference 07 §10. */

const View = z.object({
  warehouse_id: QueryInt.optional(),
  start: Text(32, "2026-05-01").optional(),
  end: Text(32, "2026-05-06").optional(),
});

const Answer = z.strictObject({
  warehouse_id: Id,
  range: z.strictObject({ start: Day, end: Day }),
});

/** The warehouse and the days that are asked for; a day that is not named is today. */
async function viewOf({
  warehouse_id,
  start,
  end,
}: z.output<typeof View>): Promise<{ warehouse_id: number; range: Range }> {
  if (!warehouse_id) throw InvalidView({ fault: "warehouse_id is required" });
  const today = start && end ? undefined : await companyToday();
  const range = rangeOf(start ?? today, end ?? today, (_field, fault) =>
    InvalidView({ fault }),
  );
  return { warehouse_id, range };
}

export const readReceived = route("get /api/v1/dashboard/received", {
  for: page("dashboard"),
  summary:
    "The purchase orders that something came for, the latest first; today, when no days are named",
  query: View,
  answers: {
    200: Answer.extend({
      pos: z.array(
        z.strictObject({
          po_id: Id,
          po_number: z.string(),
          vendor_name: z.string().nullable(),
          status: z.enum(
            Object.keys(purchaseOrderStates) as PurchaseOrderStatus[],
          ),
          units_received: Units,
          lines_received: Units,
          receive_events: Units,
          receivers: z.array(z.string()),
          last_received_at: Time,
        }),
      ),
    }),
  },
  errors: [InvalidView, RangeTooLarge],
  run: async ({ query }) => {
    const view = await viewOf(query);
    return {
      ...view,
      pos: await receivedOrders(view.warehouse_id, view.range),
    };
  },
});

export const readShippingHealth = route(
  "get /api/v1/dashboard/shipping-health",
  {
    for: page("dashboard"),
    summary:
      "How orders leave, by the origins of the setting dashboard_bubble_origins; with those that must leave today",
    query: View,
    answers: {
      200: Answer.extend({
        by_source: z.array(
          z.strictObject({
            order_origin: z.string(),
            label: z.string(),
            orders_received: Units,
            orders_shipped: Units,
            need_to_ship_today: Units,
            orders: z
              .array(
                z.strictObject({
                  so_id: Id,
                  so_number: z.string(),
                  customer_name: z.string().nullable(),
                  status: z.enum(
                    Object.keys(salesOrderStates) as SalesOrderStatus[],
                  ),
                  ship_by_date: Day,
                }),
              )
              .max(200),
          }),
        ),
      }),
    },
    errors: [InvalidView, RangeTooLarge],
    run: async ({ query }) => {
      const view = await viewOf(query);
      return {
        ...view,
        by_source: await shippingHealth(view.warehouse_id, view.range),
      };
    },
  },
);
