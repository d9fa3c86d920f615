import { z } from "zod";
import { scopeOf } from "../src/actor.js";
import { dashboard } from "../src/dashboard/summary.js";
import { QueryInt, Time, Units } from "./fields.js";
import { page, route } from "./route.js";

/** The dashboard of the panel: spec 4.6, reference 03 §7. */

export const readDashboard = route("get /api/admin/dashboard", {
  for: page("dashboard"),
  summary: "The open work, and what happened last",
  query: z.object({ warehouse_id: QueryInt.optional() }),
  answers: {
    200: z.strictObject({
      open_pos: Units,
      pending_receipts: Units,
      items_awaiting_putaway: Units,
      open_sos: Units,
      orders_ready_to_pick: Units,
      orders_in_picking: Units,
      ready_to_ship: Units,
      ready_to_pack: Units.optional().describe("Only while orders are packed"),
      orders_packed: Units.optional().describe("Only while orders are packed"),
      cancelled_orders: Units,
      total_skus: Units,
      total_bins: Units,
      low_stock_items: Units,
      short_picks_7d: Units,
      pending_adjustments: Units,
      pending_to_approvals: Units,
      require_packing: z.boolean(),
      recent_activity: z
        .array(
          z.strictObject({
            action: z.string(),
            user: z.string().nullable(),
            detail: z.string(),
            time: Time,
          }),
        )
        .max(10),
    }),
  },
  run: ({ query: { warehouse_id }, by }) =>
    dashboard(warehouse_id ? [warehouse_id] : scopeOf(by)),
});
