import { Stack, Title } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { useLocation } from "react-router";
import { api } from "../../../shared/api.js";
import { t } from "../../../texts/sales-orders.js";
import { Page } from "../../components/page.js";
import { Empty, Refused, Waiting } from "../../components/states.js";
import { PrintTickets, TICKET, TicketSheet } from "./ticket.js";

/** The picking tickets of many orders, each on a page of its own: one goes to the printer, and all do. */
export default function Tickets() {
  const so_ids = (useLocation().state ?? []) as number[];
  const found = useQueries({
    queries: so_ids.map((so_id) => ({
      queryKey: [TICKET, { path: { so_id } }],
      queryFn: () => api.get(TICKET, { path: { so_id } }),
    })),
  });
  if (found.some(({ isPending }) => isPending)) return <Waiting />;
  const tickets = found.flatMap(({ data }) => data ?? []);
  return (
    <Page title={t("tickets")} actions={tickets.length > 0 && <PrintTickets of={tickets} />}>
      {so_ids.length === 0 && <Empty title={t("noTickets")} text={t("noTicketsHint")} />}
      {found.map(({ error }, place) => error && <Refused key={so_ids[place]} error={error} />)}
      {tickets.map((ticket) => (
        <Stack key={ticket.sales_order.so_id} className="sheet">
          <Title order={2} size="h3">
            {t("ticketOf", { number: ticket.sales_order.so_number })}
          </Title>
          <TicketSheet of={ticket} />
        </Stack>
      ))}
    </Page>
  );
}
