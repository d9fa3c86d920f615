import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Day, Id, listed, Text, Time, TimeZone, Units } from "../../platform/fields.js";
import { OrderStatus, PoStatus } from "../../platform/statuses.js";
import { Activity } from "../audit/shapes.js";

/** The dashboards: docs/interface.md, Dashboards. */

export const Dashboard = z
  .strictObject({
    open_pos: Units.describe("Purchase orders that are open."),
    pending_receipts: Units.describe("Purchase orders of which something is still to come."),
    items_awaiting_putaway: Units.describe("Items that wait to be put away."),
    open_sos: Units.describe("Sales orders that are open."),
    orders_ready_to_pick: Units.describe("Sales orders that can be picked."),
    orders_lacking_stock: Units.describe("Open sales orders that cannot be picked, as units are missing."),
    orders_in_picking: Units.describe("Sales orders in a wave."),
    ready_to_ship: Units.describe("Sales orders that can be shipped."),
    ready_to_pack: Units.optional().describe("Only while orders are packed"),
    orders_packed: Units.optional().describe("Only while orders are packed"),
    cancelled_orders: Units.describe("Sales orders that were cancelled."),
    total_skus: Units.describe("Items that are active."),
    total_bins: Units.describe("Bins that are active."),
    low_stock_items: Units.describe("Items at or below their reorder point."),
    short_picks_7d: Units.describe("Picks of the last 7 days that came up short."),
    pending_adjustments: Units.describe("Adjustments that wait for a decision."),
    pending_to_approvals: Units.describe(
      "Submitted picks of transfer orders to the warehouse that wait for a decision.",
    ),
    transfers_to_approve: Units.describe("Transfer orders with something to approve."),
    stock_to_put_away: Units.describe("Stock rows in bins that stock is put away from."),
    require_packing: field.RequirePacking,
    recent_activity: z.array(Activity).max(10).describe("What was done last."),
  })
  .meta({ id: "Dashboard", description: "Counts of open work, and the latest activity." });
export type Dashboard = z.infer<typeof Dashboard>;

/** The time zone of the days. */
export const TimeZoneOfDays = TimeZone.describe(
  "By whose clock days and hours are: that of the warehouses, or, where they differ, the company's.",
);

/** The first and the last day, both counting whole. */
export const DayRange = z
  .strictObject({ start: Day.describe("The first day."), end: Day.describe("The last day.") })
  .meta({ id: "DayRange", description: "Days; the first and the last one count whole." });
export type DayRange = z.infer<typeof DayRange>;

export const ReceivedOrder = z
  .strictObject({
    po_id: field.PoId,
    po_number: field.PoNumber,
    vendor_name: field.VendorName.nullable(),
    status: PoStatus,
    units_received: Units.describe("Sum of all units booked in."),
    lines_received: Units.describe("How many lines of purchase orders were booked in."),
    receive_events: Units.describe("How many receipts."),
    receivers: z.array(AnyText("ann")).describe("Who received."),
    last_received_at: Time.describe("When something was last received."),
  })
  .meta({ id: "ReceivedOrder", description: "What was received for a purchase order in a range of days." });
export type ReceivedOrder = z.infer<typeof ReceivedOrder>;

const DueOrder = z
  .strictObject({
    so_id: field.SoId,
    so_number: field.SoNumber,
    customer_name: field.CustomerName.nullable(),
    status: OrderStatus,
    ship_by_date: field.ShipByDate,
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
  })
  .meta({ id: "DueOrder", description: "An order that has to be shipped." });

export const HourOfWork = z
  .strictObject({
    at: Time.describe("When the hour began."),
    received: Units.describe("Receipts that were booked."),
    put_away: Units.describe("Put-aways that were booked."),
    picked: Units.describe("Picks that were confirmed."),
    packed: Units.describe("Orders that were packed."),
    shipped: Units.describe("Orders that were shipped."),
  })
  .meta({ id: "HourOfWork", description: "What was done in an hour of a day." });
export type HourOfWork = z.infer<typeof HourOfWork>;

export const DayAtAGlance = z
  .strictObject({
    day: Day.describe("The day that is shown."),
    timezone: TimeZoneOfDays,
    warehouse_id: Id.nullable().describe("The warehouse that was asked for; null for all of the caller."),
    hours: z.array(HourOfWork).max(25).describe("The hours of the day, also those without work."),
    late: Units.describe("Orders that should have been shipped before today, by the clock of their warehouse."),
    late_orders: z.array(DueOrder).max(10).describe("The ten latest of them."),
    held: Units.describe("Orders that are held for review."),
    held_by_shop: Units.describe("Orders that are held by their shop or by hand, until it or somebody here decides."),
    waiting: Units.describe("Orders that wait for stock."),
    short: Units.describe("Orders that were picked short, and nobody has decided what becomes of the rest."),
    due_today: Units.describe("Orders that must be shipped today, by the clock of their warehouse."),
    due_shipped: Units.describe("Orders that had to be shipped today or before, and were shipped today."),
  })
  .meta({ id: "DayAtAGlance", description: "A day hour by hour, and the orders that need somebody now." });
export type DayAtAGlance = z.infer<typeof DayAtAGlance>;

const ages = {
  from_days: z.int().describe("So many days old, or older."),
  until_days: z.int().nullable().describe("At most so many days old; null where it has no end."),
};

export const AgeOfOrders = z
  .strictObject({ ...ages, orders: Units.describe("Open orders that came in so long ago.") })
  .meta({ id: "AgeOfOrders", description: "How many open orders are so old." });

export const AgeOfStock = z
  .strictObject({
    ...ages,
    stock_rows: Units.describe("Items in bins, of which nothing has come, gone or been promised for so long."),
    units: Units.describe("Units of them."),
  })
  .meta({ id: "AgeOfStock", description: "How much stock has lain undisturbed for so long." });

export const Ageing = z.strictObject({
  orders: z.array(AgeOfOrders).describe("Open orders, by their age."),
  stock: z.array(AgeOfStock).describe("Stock, by how long it has lain undisturbed."),
});
export type Ageing = z.infer<typeof Ageing>;

export const OriginHealth = z
  .strictObject({
    order_origin: field.OrderOrigin,
    label: field.Label,
    orders_received: Units.describe("Orders that came in."),
    orders_shipped: Units.describe("Orders that left."),
    need_to_ship_today: Units.describe("Orders that must leave today."),
    orders: z.array(DueOrder).max(200).describe("The orders, one entry for each."),
  })
  .meta({ id: "OriginHealth", description: "How the orders of an origin are received and shipped." });
export type OriginHealth = z.infer<typeof OriginHealth>;

/** The unit of a user's work (docs/interface.md, Dashboards): distinct orders or distinct items. */
export const metrics = ["picking", "packing", "shipped", "received_skus", "putaway_skus"] as const;
const Metric = z.enum(metrics);
export type Metric = z.infer<typeof Metric>;

const MetricCounts = z.strictObject({
  picking: Units.describe("Units picked."),
  packing: Units.optional().describe("Only while orders are packed"),
  shipped: Units.describe("Units shipped."),
  received_skus: Units.describe("Items received."),
  putaway_skus: Units.describe("Items put away."),
} satisfies Record<Metric, z.ZodType>);
export type MetricCounts = z.infer<typeof MetricCounts>;

export const Productivity = z.strictObject({
  events_visible: z.array(Metric).describe("The events that the metrics show."),
  users: z
    .array(
      z.strictObject({
        user_id: field.UserId.nullable(),
        username: AnyText("ann").describe("Name to log in with."),
        display_name: field.DisplayName,
        metrics: MetricCounts.describe("The figures, a list for each metric."),
        total: Units.describe("The sum of the user's figures."),
        active_hours: z.int().describe("In how many different hours the user did something."),
      }),
    )
    .describe("Who did something in these days."),
  totals_per_event: MetricCounts.describe("The sum of each metric."),
});
export type Productivity = z.infer<typeof Productivity>;

export const defaultRanges = ["today", "yesterday", "last_7d", "last_30d", "custom"] as const;
export const views = ["charts", "table"] as const;

export const Preferences = z.strictObject({
  chart_order: z.array(Metric).describe("The metrics in the order in which the dashboard shows them."),
  default_range: z.enum(defaultRanges).describe("The days that the dashboard shows first."),
  default_view: z.enum(views).describe("How the dashboard shows the figures first."),
});
export type Preferences = z.infer<typeof Preferences>;

export const SavedPreferences = Preferences.extend({ updated_at: field.UpdatedAt.nullable() }).meta({
  id: "DashboardPreferences",
  description: "How the dashboards open for a user; `updated_at` is null for one who never saved any.",
});
export type SavedPreferences = z.infer<typeof SavedPreferences>;

/** Unknown words are refused by a problem of their own, not by the schema. */
export const PreferencesEdit = z.strictObject({
  chart_order: z
    .array(listed(Text(64, "picking"), metrics))
    .max(50)
    .optional()
    .describe("The metrics in the order in which the dashboard shows them."),
  default_range: listed(Text(64, "last_7d"), defaultRanges)
    .optional()
    .describe("The days that the dashboard shows first."),
  default_view: listed(Text(64, "table"), views).optional().describe("How the dashboard shows the figures first."),
});
export type PreferencesEdit = z.infer<typeof PreferencesEdit>;
