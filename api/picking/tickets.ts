import { z } from "zod";
import { markPrinted } from "../../activities/sales-orders/mark-printed.js";
import { checkWarehouse } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { print } from "../../src/platform/labels/print.js";
import { LabelledIds, SizeNotOnRoll, SlipPrint, slipPrint } from "../../src/platform/labels/shapes.js";
import { ticketPages } from "../../src/sales-orders/draw-ticket.js";
import { ReturnNotFulfillable, refuseReturn } from "../../src/sales-orders/fulfilment.js";
import { SoNotFound, unknownSo } from "../../src/sales-orders/problems.js";
import { pickingTicket, pickingTickets } from "../../src/sales-orders/ticket.js";
import { MarkPrinted, PickingTicket, PrintedTicket } from "../../src/sales-orders/ticket-shapes.js";
import { AFile, FileAnswer, printouts, threadCaller } from "../http/file-answer.js";
import { page, route } from "../http/route.js";

/** Picking tickets: docs/interface.md, Sales orders. */

export const getPickingTicket = route("get /api/admin/sales-orders/:so_id/picking-ticket", {
  for: page("picking-tickets"),
  summary: "What is printed for the picker of an order",
  params: z.strictObject({ so_id: field.SoIdParam }),
  answers: { 200: PickingTicket },
  errors: [...unknownSo, ReturnNotFulfillable],
  run: async ({ params, by }) => {
    const found = await pickingTicket(params.so_id);
    if (!found) throw SoNotFound();
    const { order_type, ...ticket } = found;
    const { warehouse_id, so_number } = ticket.sales_order;
    checkWarehouse(by, warehouse_id);
    refuseReturn({ so_number, order_type });
    return ticket;
  },
});

export const printPickingTickets = route("get /api/admin/picking-tickets", {
  for: page("picking-tickets"),
  summary: "The picking tickets of orders as one file, one after the other as they are named",
  query: SlipPrint.extend({ so_ids: LabelledIds }),
  files: printouts,
  answers: { 200: AFile },
  errors: [...unknownSo, ReturnNotFulfillable, SizeNotOnRoll],
  run: async ({ query: { so_ids, ...how }, by, res }) => {
    const asked = slipPrint(how);
    const tickets = await pickingTickets(so_ids);
    for (const { sales_order } of tickets) checkWarehouse(by, sales_order.warehouse_id);
    return new FileAnswer(await print(asked, "picking-tickets", ticketPages, tickets, threadCaller(by, res)));
  },
});

export const markPickingTicketsPrinted = route("post /api/admin/sales-orders/mark-printed", {
  for: page("picking-tickets"),
  summary: "Records that picking tickets were printed; the answer lists those printed for the first time",
  body: MarkPrinted,
  answers: {
    200: z.strictObject({
      marked: z.array(PrintedTicket).describe("The orders whose picking ticket counts as printed."),
    }),
  },
  errors: [ReturnNotFulfillable],
  run: ({ body, by }) => markPrinted(body, by),
});
