import { z } from "zod";
import { db } from "../platform/db/db.js";
import { codeOf } from "../platform/db/list.js";
import * as field from "../platform/fields/index.js";
import { AnyText, DecimalText } from "../platform/fields.js";
import { OrderStatus } from "../platform/statuses.js";
import { CUSTOMER_ADDRESS } from "./addresses.js";
import { HoldReason } from "./holds.js";
import { OPEN_WORK, UNFINISHED } from "./open-work.js";
import { CustomerNotFound } from "./problems.js";
import { OrderType } from "./shapes.js";

/** A customer, as the orders under one name tell: an order keeps what it was placed with, and nothing else does. */

const CustomerOrder = z
  .strictObject({
    so_id: field.SoId,
    so_number: field.SoNumber,
    order_type: OrderType,
    order_source: AnyText("web").describe("What made the order: `pos` for a till."),
    status: OrderStatus,
    hold_reason: HoldReason.nullable().describe(
      "Why the order may not be picked, packed or shipped; null where nothing holds it.",
    ),
    is_open: z.boolean().describe("Whether something is still to happen to it."),
    is_late: z.boolean().describe("Whether it should have left before today, by the clock of its warehouse."),
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    order_date: field.OrderDate.nullable(),
    ship_by_date: field.ShipByDate.nullable(),
    created_at: field.CreatedAt,
    shipped_at: field.ShippedAt.nullable(),
    carrier: field.Carrier.nullable(),
    tracking_number: field.TrackingNumber.nullable(),
    order_total: DecimalText.nullable().describe(
      "What the customer pays, in the order's currency, else the company's.",
    ),
    currency: AnyText("EUR").nullable().describe("Of its amounts, by its ISO 4217 code."),
    customer_email: AnyText("mary.miller@example.com").nullable().describe("The customer's email address."),
    customer_phone: field.CustomerPhone.nullable(),
    customer_address: field.CustomerAddress.nullable().describe("Where it goes, in one text."),
  })
  .meta({ id: "CustomerOrder", description: "An order of a customer." });

/** So many orders of a name are read: of a market place with one name for all its customers, the newest. */
const MOST = 200;

export const Customer = z
  .strictObject({
    customer_name: field.CustomerName,
    emails: z.array(AnyText("mary.miller@example.com")).describe("E-mail addresses, the newest order's first."),
    phones: z.array(AnyText("+1 555 0100")).describe("Telephone numbers, the newest order's first."),
    addresses: z
      .array(AnyText("12 Main Street, Springfield, IL, 62701"))
      .describe("Where orders went, the newest order's first."),
    orders: z
      .array(CustomerOrder)
      .max(MOST)
      .describe(`The newest ${MOST} orders, returns and counter sales, but for voided returns.`),
  })
  .meta({ id: "Customer", description: "Who has orders under a name, and these orders." });
export type Customer = z.infer<typeof Customer>;

/** Each of them once, in their order. */
const distinct = (values: (string | null)[]) => [...new Set(values.flatMap((value) => (value ? [value] : [])))];

/** The orders under exactly this name, in these warehouses, and what they say of the customer. */
export async function customer(name: string, warehouses: number[] | null): Promise<Customer> {
  const orders = await db.rows(
    CustomerOrder,
    `select so_id, so_number, order_type, order_source, status, hold_reason, warehouse_id,
       ${codeOf("so.warehouse_id")}, order_date, ship_by_date, created_at, shipped_at, carrier, tracking_number,
       order_total::text, currency, customer_email, customer_phone, ${CUSTOMER_ADDRESS} as customer_address,
       status in ('OPEN', 'PICKED', 'PACKED', 'WAITING_STOCK', 'FRAUD_REVIEW', 'PARTIALLY_RECEIVED') as is_open,
       coalesce(${UNFINISHED} and ${OPEN_WORK.late}, false) as is_late
     from sales_orders so
     where customer_name = $1 and voided_at is null and ($2::int[] is null or warehouse_id = any($2))
     order by so_id desc limit ${MOST}`,
    [name, warehouses],
  );
  if (orders.length === 0) throw CustomerNotFound();
  return {
    customer_name: name,
    emails: distinct(orders.map(({ customer_email }) => customer_email)),
    phones: distinct(orders.map(({ customer_phone }) => customer_phone)),
    addresses: distinct(orders.map(({ customer_address }) => customer_address)),
    orders,
  };
}
