import { z } from "zod";
import { markPrinted } from "../activities/sales-orders/print.js";
import { checkWarehouse } from "../src/actor.js";
import { WarehouseDenied } from "../src/problem.js";
import { SoNotFound } from "../src/sales-orders/problems.js";
import {
  pickingTicket,
  ticketAddressColumns,
} from "../src/sales-orders/ticket.js";
import { type SalesOrderStatus, salesOrderStates } from "../src/states.js";
import { Day, Id, QueryInt, Time, Units } from "./fields.js";
import { page, route } from "./route.js";

/** Picking tickets: spec 4.6, reference 03 §4. */

const MaybeText = z.string().nullable();

export const readPickingTicket = route(
  "get /api/admin/sales-orders/:so_id/picking-ticket",
  {
    for: page("picking-tickets"),
    summary: "What is printed for the picker of an order",
    params: z.strictObject({ so_id: QueryInt }),
    answers: {
      200: z.strictObject({
        sales_order: z.strictObject({
          so_id: Id,
          so_number: z.string(),
          customer_name: MaybeText,
          status: z.enum(Object.keys(salesOrderStates) as SalesOrderStatus[]),
          warehouse_id: Id,
          ship_method: MaybeText,
          ship_address: MaybeText,
          order_date: Day.nullable(),
          ship_by_date: Day.nullable(),
          created_at: Time,
          ...(Object.fromEntries(
            ticketAddressColumns.map((column) => [column, MaybeText]),
          ) as Record<(typeof ticketAddressColumns)[number], typeof MaybeText>),
        }),
        lines: z.array(
          z.strictObject({
            so_line_id: Id,
            line_number: z.int(),
            sku: z.string(),
            item_name: z.string(),
            upc: MaybeText,
            quantity_ordered: Units,
            quantity_shipped: Units,
            preferred_bin_code: MaybeText,
          }),
        ),
        branding: z.strictObject({
          company_name: z.string(),
          company_address: z.string(),
          logo_url: z.string(),
          returns_text: z.string(),
        }),
      }),
    },
    errors: [SoNotFound, WarehouseDenied],
    run: async ({ params, by }) => {
      const ticket = await pickingTicket(params.so_id);
      if (!ticket) throw SoNotFound();
      checkWarehouse(by, ticket.sales_order.warehouse_id);
      return ticket;
    },
  },
);

export const markTicketsPrinted = route(
  "post /api/admin/sales-orders/mark-printed",
  {
    for: page("picking-tickets"),
    summary:
      "Notes that picking tickets were printed; the answer names those printed for the first time",
    body: z.strictObject({ so_ids: z.array(Id).max(1000) }),
    answers: {
      200: z.strictObject({
        marked: z.array(z.strictObject({ so_id: Id, printed_at: Time })),
      }),
    },
    run: ({ body, by }) => markPrinted(body, by),
  },
);
