import { z } from "zod";
import { text } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { barcodeSvg } from "../platform/labels/svg.js";
import { refuseReturn } from "./fulfilment.js";
import { PLANNED_LOTS } from "./picked-lots.js";
import { SoNotFound } from "./problems.js";
import { HOME_BIN } from "./queries.js";
import { OrderType } from "./shapes.js";
import { PickingTicket, ticketAddressColumns } from "./ticket-shapes.js";

const branding = (key: string) =>
  `'${key}', coalesce((select value from app_settings where key = 'picking_ticket_${key}'), '')`;

const Ticket = z.strictObject({ ...PickingTicket.shape, order_type: OrderType });
type Ticket = z.infer<typeof Ticket>;

const PickingTicketRow = { ...Ticket.omit({ barcode: true }).shape, barcode: text };

/**
 * The picking tickets of orders (docs/interface.md, Sales orders), in the order of their ids here, without those that
 * there are none of; their lines in the order of the bins: those whose item has no bin of its own come last. One round
 * trip.
 */
const ticketsToDraw = (soIds: number[]) =>
  db.rows(
    PickingTicketRow,
    `select so.order_type, coalesce(nullif(so.so_barcode, ''), so.so_number) as barcode,
       (select row_to_json(header) from (
          select so.so_id, so.so_number, so.customer_name, so.status, so.warehouse_id, so.ship_method, so.ship_address,
                 so.order_date, so.ship_by_date, so.created_at, ${ticketAddressColumns}) as header) as sales_order,
       (select coalesce(json_agg(jsonb_build_object(
           'so_line_id', so_line_id, 'line_number', line_number, 'sku', sku, 'item_name', item_name, 'upc', upc,
           'quantity_ordered', quantity_ordered, 'quantity_shipped', quantity_shipped,
           'properties', properties, 'preferred_bin_code', home.bin_code) || ${PLANNED_LOTS}
           order by home.pick_sequence, home.bin_code, line_number, so_line_id), '[]')
        from sales_order_lines l join items i using (item_id) left join lateral (${HOME_BIN}) as home on true
        where l.so_id = so.so_id) as lines,
       json_build_object(
         ${["company_name", "company_address", "logo_url", "returns_text"].map(branding)}) as branding
     from sales_orders so join (select * from unnest($1::int[]) with ordinality) as asked (so_id, place) using (so_id)
     order by place`,
    [soIds],
  );

/** The picking ticket of one order, with its barcode as a picture. */
export async function pickingTicket(soId: number): Promise<Ticket | undefined> {
  const [found] = await ticketsToDraw([soId]);
  return found && { ...found, barcode: { code: found.barcode, svg: barcodeSvg(found.barcode) ?? null } };
}

/** Tickets to be drawn. Refusals: 404 `so_not_found`, 400 `return_not_fulfillable`. */
export async function pickingTickets(soIds: number[]) {
  const tickets = await ticketsToDraw(soIds);
  if (tickets.length < soIds.length) throw SoNotFound();
  for (const { sales_order, order_type } of tickets) refuseReturn({ so_number: sales_order.so_number, order_type });
  return tickets.map(({ order_type: _, ...ticket }) => ticket);
}
