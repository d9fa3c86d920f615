import { z } from "zod";
import { Id, Time } from "../platform/fields.js";
import type { AddressColumn } from "./addresses.js";
import { SalesOrder, SalesOrderLine, textColumns } from "./shapes.js";

/** Picking tickets: docs/interface.md, Sales orders. */

/** The parts of the shipping address that a picking ticket shows: all but the telephone. */
export const ticketAddressColumns = [
  "shipping_address_name",
  "shipping_address_line1",
  "shipping_address_line2",
  "shipping_address_city",
  "shipping_address_state",
  "shipping_address_postal_code",
  "shipping_address_country",
] as const satisfies AddressColumn[];

export const PickingTicket = z
  .strictObject({
    sales_order: SalesOrder.pick({
      so_id: true,
      so_number: true,
      customer_name: true,
      status: true,
      warehouse_id: true,
      ship_method: true,
      ship_address: true,
      order_date: true,
      ship_by_date: true,
      created_at: true,
    }).extend(textColumns(ticketAddressColumns)),
    lines: z.array(
      SalesOrderLine.pick({
        so_line_id: true,
        line_number: true,
        sku: true,
        item_name: true,
        upc: true,
        quantity_ordered: true,
        quantity_shipped: true,
        properties: true,
      }).extend({ preferred_bin_code: z.string().nullable() }),
    ),
    barcode: z.strictObject({
      code: z
        .string()
        .meta({ description: "What the scanner reads to begin to pick the order.", examples: ["SO-1001"] }),
      svg: z
        .string()
        .nullable()
        .meta({
          description: "The same as a picture; null where it is too long for a barcode.",
          examples: ['<svg xmlns="http://www.w3.org/2000/svg"/>'],
        }),
    }),
    branding: z.strictObject({
      company_name: z.string(),
      company_address: z.string(),
      logo_url: z.string(),
      returns_text: z.string(),
    }),
  })
  .meta({ id: "PickingTicket", description: "What is printed for the picker of a sales order." });
export type PickingTicket = z.infer<typeof PickingTicket>;

export const MarkPrinted = z.strictObject({ so_ids: z.array(Id).max(1000) });
export type MarkPrinted = z.infer<typeof MarkPrinted>;

export const PrintedTicket = z.strictObject({ so_id: Id, printed_at: Time });
export type PrintedTicket = z.infer<typeof PrintedTicket>;
