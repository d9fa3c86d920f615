import { addressLines } from "../platform/address/lines.js";
import { drawing } from "../platform/labels/drawing.js";
import { Pages, type PrintedColumn } from "../platform/labels/pages.js";
import { detailsOf } from "./printed-line.js";
import type { PickingTicket } from "./ticket-shapes.js";

/** What is drawn of a ticket: its barcode is drawn anew. */
export type TicketToDraw = Omit<PickingTicket, "barcode"> & { barcode: string };

const columns: PrintedColumn[] = [
  { title: "Item", left: 0.22, right: 0.84 },
  { title: "Bin", left: 0, right: 0.2 },
  { title: "To pick", left: 0.84, right: 1, align: "right" },
];

/** The pages of picking tickets, one after the other: docs/printing.md. */
export const ticketPages = drawing(import.meta.url, "ticketPages", (tickets: TicketToDraw[], newSheet) =>
  tickets.flatMap(({ sales_order: order, lines, barcode, branding }) => {
    const { so_number } = order;
    const pages = new Pages(newSheet, so_number, `Picking ticket of order ${so_number}`, columns);
    const { company_name, company_address } = branding;
    pages.head({ title: "Picking ticket", company_name, company_address, barcode, facts: factsOf(order) });
    pages.blocks([{ title: "Ship to", lines: shipTo(order).filter(Boolean), left: 0, right: 1 }]);
    pages.tableHead();
    for (const line of lines) {
      const open = line.quantity_ordered - line.quantity_shipped;
      pages.row(line, [line.preferred_bin_code ?? "", String(open)], detailsOf(line));
    }
    pages.end(branding.returns_text);
    return pages.finished();
  }),
);

type Order = TicketToDraw["sales_order"];

const factsOf = (order: Order): [string, string | null][] => [
  ["Order", order.so_number],
  ["Customer", order.customer_name],
  ["Ship method", order.ship_method],
  ["Ship by", order.ship_by_date],
  ["Ordered on", order.order_date],
];

/** The lines of the address; an order without one may have all of it in one text. */
function shipTo(order: Order): string[] {
  if (!order.shipping_address_line1) return [order.ship_address ?? ""];
  return addressLines({
    name: order.shipping_address_name,
    line1: order.shipping_address_line1,
    line2: order.shipping_address_line2,
    city: order.shipping_address_city,
    state: order.shipping_address_state,
    postal_code: order.shipping_address_postal_code,
    country: order.shipping_address_country,
  });
}
