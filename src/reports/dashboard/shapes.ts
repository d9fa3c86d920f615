import { z } from "zod";
import { Day, Id, listed, Text, Time, TimeZone, Units } from "../../platform/fields.js";
import { OrderStatus, PoStatus } from "../../platform/statuses.js";
import { Activity } from "../audit/shapes.js";

/** The dashboards: docs/interface.md, Dashboards. */

export const Dashboard = z
  .strictObject({
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
    transfers_to_approve: Units.describe("Transfer orders with something to approve."),
    stock_to_put_away: Units.describe("Stock rows in bins that stock is put away from."),
    require_packing: z.boolean(),
    recent_activity: z.array(Activity).max(10),
  })
  .meta({ id: "Dashboard", description: "Counts of open work, and the latest activity." });
export type Dashboard = z.infer<typeof Dashboard>;

/** By whose clock it is. */
export const TimeZoneOfDays = TimeZone.describe(
  "By whose clock days and hours are: that of the warehouses, or, where they differ, the company's.",
);

/** The first and the last day, both counting whole. */
export const DayRange = z
  .strictObject({ start: Day, end: Day })
  .meta({ id: "DayRange", description: "Days; the first and the last one count whole." });
export type DayRange = z.infer<typeof DayRange>;

export const ReceivedOrder = z
  .strictObject({
    po_id: Id,
    po_number: z.string(),
    vendor_name: z.string().nullable(),
    status: PoStatus,
    units_received: Units,
    lines_received: Units,
    receive_events: Units,
    receivers: z.array(z.string()),
    last_received_at: Time,
  })
  .meta({ id: "ReceivedOrder", description: "What was received for a purchase order in a range of days." });
export type ReceivedOrder = z.infer<typeof ReceivedOrder>;

const DueOrder = z
  .strictObject({
    so_id: Id,
    so_number: z.string(),
    customer_name: z.string().nullable(),
    status: OrderStatus,
    ship_by_date: Day,
    warehouse_id: Id,
    warehouse_code: z.string(),
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
    held_by_shop: Units.describe("Orders that are held because of their shop, until it or somebody here decides."),
    waiting: Units.describe("Orders that wait for stock."),
    short: Units.describe("Orders that were picked short, and nobody has decided what becomes of the rest."),
  })
  .meta({ id: "DayAtAGlance", description: "A day hour by hour, and the orders that need somebody now." });
export type DayAtAGlance = z.infer<typeof DayAtAGlance>;

export const OriginHealth = z
  .strictObject({
    order_origin: z.string(),
    label: z.string(),
    orders_received: Units,
    orders_shipped: Units,
    need_to_ship_today: Units,
    orders: z.array(DueOrder).max(200),
  })
  .meta({ id: "OriginHealth", description: "How the orders of an origin are received and shipped." });
export type OriginHealth = z.infer<typeof OriginHealth>;

/** What a user's work is counted as (docs/interface.md, Dashboards): distinct orders or distinct items. */
export const metrics = ["picking", "packing", "shipped", "received_skus", "putaway_skus"] as const;
const Metric = z.enum(metrics);
export type Metric = z.infer<typeof Metric>;

const MetricCounts = z.strictObject({
  picking: Units,
  packing: Units.optional().describe("Only while orders are packed"),
  shipped: Units,
  received_skus: Units,
  putaway_skus: Units,
} satisfies Record<Metric, z.ZodType>);
export type MetricCounts = z.infer<typeof MetricCounts>;

export const Productivity = z.strictObject({
  events_visible: z.array(Metric),
  users: z
    .array(
      z.strictObject({
        user_id: Id.nullable(),
        username: z.string(),
        display_name: z.string(),
        metrics: MetricCounts,
        total: Units.describe("The sum of the user's figures."),
      }),
    )
    .describe("Who did something in these days."),
  totals_per_event: MetricCounts,
});
export type Productivity = z.infer<typeof Productivity>;

export const defaultRanges = ["today", "yesterday", "last_7d", "last_30d", "custom"] as const;
export const views = ["charts", "table"] as const;

export const Preferences = z.strictObject({
  chart_order: z.array(Metric),
  default_range: z.enum(defaultRanges),
  default_view: z.enum(views),
});
export type Preferences = z.infer<typeof Preferences>;

export const SavedPreferences = Preferences.extend({ updated_at: Time.nullable() }).meta({
  id: "DashboardPreferences",
  description: "How the dashboards open for a user; `updated_at` is null for one who never saved any.",
});
export type SavedPreferences = z.infer<typeof SavedPreferences>;

/** Unknown words are refused by a problem of their own, not by the schema. */
export const PreferencesEdit = z.strictObject({
  chart_order: z
    .array(listed(Text(64, "picking"), metrics))
    .max(50)
    .optional(),
  default_range: listed(Text(64, "last_7d"), defaultRanges).optional(),
  default_view: listed(Text(64, "table"), views).optional(),
});
export type PreferencesEdit = z.infer<typeof PreferencesEdit>;
