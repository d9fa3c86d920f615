import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { Day, DayText, listed, Name, QueryLimit, Text, Time, TimeZone, WholeNumber } from "../platform/fields.js";
import { list } from "../platform/list.js";
import { OrderStatus } from "../platform/statuses.js";
import { OrderType } from "../sales-orders/shapes.js";

/** Sales of tills, as the page `pos-activity` shows them: docs/interface.md, Tills. */

const orderTypes = ["sale", "refund", "all"] as const;

export const counterSaleList = list(
  "b.so_id",
  ...["booked_at as checkout_at", "so.so_number", "so.status", "so.order_date", "cashier_id"],
);

export const ActivityFilters = z.object({
  ...counterSaleList.parameters,
  per_page: QueryLimit(200).default(50).describe("How many records a page has."),
  since: DayText.optional().describe("Only from this day on."),
  until: DayText.optional().describe("Only up to the end of this day."),
  terminal_id: Name(100, "TILL-1").optional(),
  cashier_id: Name(100, "ann").optional(),
  status: listed(Text(20, "SHIPPED"), OrderStatus.options).optional().describe("Only orders in this status."),
  order_type: listed(Text(20, "sale"), orderTypes)
    .default("sale")
    .transform((type) => orderTypes.find((one) => one === type) ?? "sale")
    .describe("`all` has replacements and exchanges too. Any other value counts as `sale`."),
});
export type ActivityFilters = z.infer<typeof ActivityFilters>;

const MaybeText = z.string().nullable();
const Cents = z.int().meta({ examples: [4_590] });
const Count = WholeNumber.meta({ examples: [12] });
const Terminal = z
  .string()
  .nullable()
  .meta({ description: "The till.", examples: ["TILL-1"] });
const Method = z
  .string()
  .nullable()
  .meta({ description: "How was paid: `card`, `cash` or `split`.", examples: ["card"] });

export const CounterSale = z
  .strictObject({
    so_id: field.SoId,
    so_number: z.string().meta({ description: "Number of the sales order, unique.", examples: ["POS-1017"] }),
    status: OrderStatus,
    order_type: OrderType,
    order_date: field.OrderDate.nullable(),
    customer_name: field.CustomerName.nullable(),
    customer_phone: field.CustomerPhone.nullable(),
    external_txn_ref: MaybeText.meta({ description: "The payment, as its processor names it.", examples: ["ch_3PqR"] }),
    warehouse_id: field.WarehouseId,
    cashier_id: MaybeText.meta({ description: "Who stood at the till.", examples: ["ann"] }),
    terminal_id: Terminal,
    total_cents: Cents.nullable().describe("What was paid, or paid back, in cents; never negative."),
    payment_method: Method,
    checkout_at: Time.describe("When the till booked it."),
    warehouse_code: field.WarehouseCode,
  })
  .meta({ id: "CounterSale", description: "A sale or a refund at a till." });
export type CounterSale = z.infer<typeof CounterSale>;

const taken = { total_cents: Cents.describe("What was paid, in cents."), count: Count.describe("How many.") };

export const CounterSummary = z
  .strictObject({
    timezone: TimeZone.describe(
      "By whose clock hours and days are: that of the warehouses, or, where they differ, the company's.",
    ),
    today: z
      .strictObject({
        sales_count: Count.describe("Checkouts of every kind."),
        sales_total_cents: Cents.describe("What customers paid."),
        refund_count: Count.describe("Credit memos."),
        refund_total_cents: Cents.describe("What was paid back; never negative."),
      })
      .describe("The last 24 hours."),
    active_terminals: z
      .array(z.string().meta({ examples: ["TILL-1"] }))
      .describe("The tills that booked something in the last 24 hours."),
    hourly: z
      .array(z.strictObject({ hour: Time.describe("When the hour began."), ...taken }))
      .describe("Sales of the last 24 hours, by the hour, of which the first and the last are not whole."),
    weekly: z
      .array(z.strictObject({ date: Day.describe("A day."), ...taken }))
      .describe("Sales of the last seven days, today included; days without one too."),
    by_origin: z
      .array(
        z.strictObject({
          origin: MaybeText.meta({ description: "As the tills sent it.", examples: ["Counter"] }),
          ...taken,
        }),
      )
      .describe("Sales of the last 24 hours, by `order_origin`, the largest first."),
    by_tender: z
      .array(z.strictObject({ method: Method, ...taken }))
      .describe("Sales of the last 24 hours, by how they were paid, the largest first."),
  })
  .meta({ id: "CounterSummary", description: "What tills took and paid back, in cents." });
export type CounterSummary = z.infer<typeof CounterSummary>;
