import { Button, Text } from "@mantine/core";
import { useParams } from "react-router";
import type { PickingTicket } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { day } from "../../../shared/format.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { fieldText } from "../../../texts/sales-order-fields.js";
import { t } from "../../../texts/sales-orders.js";
import { Decision } from "../../components/decision.js";
import { Facts, Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { Printout } from "../../components/printout.js";
import { Loaded } from "../../components/states.js";
import { TableSection } from "../../components/table.js";
import { wishesOf } from "./order-lines.js";

export const TICKET = "/api/admin/sales-orders/{so_id}/picking-ticket";

/** The picking ticket of an order, as it goes to the printer. */
export default function Ticket() {
  const so_id = Number(useParams().so_id);
  const maySeeOrders = mayOpen(useMe(), "sales-orders");
  const found = useRead(TICKET, { path: { so_id } });
  return (
    <Loaded of={found}>
      {(ticket) => (
        <Page
          title={t("ticketOf", { number: ticket.sales_order.so_number })}
          warehouse_id={ticket.sales_order.warehouse_id}
          {...(maySeeOrders && { back: `/orders/${so_id}` })}
          actions={<PrintTickets of={[ticket]} />}
        >
          <TicketSheet of={ticket} />
        </Page>
      )}
    </Loaded>
  );
}

/** Prints tickets, and says that they were. */
export function PrintTickets({ of: tickets }: { of: PickingTicket[] }) {
  const orders = tickets.map(({ sales_order }) => sales_order);
  const so_ids = orders.map(({ so_id }) => so_id);
  return (
    <>
      <Button onClick={() => window.print()}>{t("print")}</Button>
      {orders[0] && (
        <Printout
          label={t("printTickets")}
          path={`/api/admin/picking-tickets?so_ids=${so_ids.join(",")}`}
          print={{ document: "picking_ticket", record_ids: so_ids }}
          warehouseId={orders[0].warehouse_id}
        />
      )}
      <Decision
        label={t("markPrinted")}
        title={t("markPrintedTitle", { number: orders.map(({ so_number }) => so_number).join(", ") })}
        act={(_, api) => api.post("/api/admin/sales-orders/mark-printed", { body: { so_ids } })}
      />
    </>
  );
}

/** What stands on the paper. */
export const TicketSheet = ({ of: { sales_order: order, lines, branding, barcode } }: { of: PickingTicket }) => (
  <>
    <Text fw={700}>{branding.company_name}</Text>
    {branding.company_address && <Text size="sm">{branding.company_address}</Text>}
    {barcode.svg && (
      <img
        src={`data:image/svg+xml,${encodeURIComponent(barcode.svg)}`}
        alt={t("barcodeOf", { code: barcode.code })}
        width={340}
        height={53}
      />
    )}
    <Section title={t("order")}>
      <Facts
        of={[
          [fieldText("customer_name"), order.customer_name],
          [fieldText("ship_method"), order.ship_method],
          [fieldText("ship_by_date"), day(order.ship_by_date)],
          [fieldText("order_date"), day(order.order_date)],
          [t("shippingAddress"), addressOf(order) || order.ship_address],
        ]}
      />
    </Section>
    <TableSection
      title={t("linesOf", { number: order.so_number })}
      rows={lines}
      columns={[
        { field: "preferred_bin_code", title: t("bin") },
        { field: "sku", title: t("sku") },
        { field: "item_name", title: t("name") },
        ...wishesOf(lines),
        { field: "upc", title: t("barcode") },
        { field: "quantity_ordered", title: t("ordered"), right: true },
        { field: "quantity_shipped", title: t("shipped"), right: true },
      ]}
    />
    {branding.returns_text && <Text size="sm">{branding.returns_text}</Text>}
  </>
);

const parts = ["name", "line1", "line2", "postal_code", "city", "state", "country"] as const;
const addressOf = (order: { [K in `shipping_address_${(typeof parts)[number]}`]: string | null }) =>
  parts
    .map((part) => order[`shipping_address_${part}`])
    .filter(Boolean)
    .join(", ");
