import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { AnyText, Id, Units } from "../platform/fields.js";
import type { AddressColumn } from "./addresses.js";
import { addressTexts, SalesOrder, SalesOrderLine } from "./shapes.js";

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
    })
      .extend(addressTexts(ticketAddressColumns))
      .describe("The sales order, its header."),
    lines: z
      .array(
        SalesOrderLine.pick({
          so_line_id: true,
          line_number: true,
          sku: true,
          item_name: true,
          upc: true,
          quantity_ordered: true,
          quantity_shipped: true,
          properties: true,
        }).extend({
          preferred_bin_code: AnyText("A-01-02")
            .nullable()
            .describe("Code of the bin that the item is put into first."),
          lots: z
            .array(
              z.strictObject({
                ...{ bin_code: field.BinCode, lot_number: field.Lot, expiry_date: field.ExpiryDate.nullable() },
                quantity: Units.describe("Units that are reserved or to be picked."),
              }),
            )
            .optional()
            .describe("The lots that are planned for the line, and where they lie; left out where there are none."),
        }),
      )
      .describe("The lines, each for one item."),
    barcode: z
      .strictObject({
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
      })
      .describe("What the scanner read."),
    branding: z
      .strictObject({
        company_name: AnyText("Acme Goods").describe("Name of the company, as it stands on picking tickets."),
        company_address: AnyText("1 Dock Road, Columbus, OH 43004").describe(
          "Postal address of the company, as it stands on picking tickets.",
        ),
        logo_url: AnyText("https://example.com/logo.png").describe("Where the company's logo is."),
        returns_text: AnyText("Returns within 30 days").describe("What the ticket says on returns."),
      })
      .describe("What stands on top of the picking ticket."),
  })
  .meta({ id: "PickingTicket", description: "What is printed for the picker of a sales order." });
export type PickingTicket = z.infer<typeof PickingTicket>;

export const MarkPrinted = z.strictObject({ so_ids: z.array(Id).max(1000).describe("Ids of the sales orders.") });
export type MarkPrinted = z.infer<typeof MarkPrinted>;

export const PrintedTicket = z.strictObject({ so_id: field.SoId, printed_at: field.PrintedAt });
export type PrintedTicket = z.infer<typeof PrintedTicket>;
