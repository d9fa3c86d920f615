import { useParams } from "react-router";
import { useRead } from "../../../shared/api.js";
import { day, number, time } from "../../../shared/format.js";
import { t } from "../../../texts/orders.js";
import { Facts, Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { Loaded } from "../../components/states.js";
import { Status } from "../../components/status.js";
import { DataTable } from "../../components/table.js";
import { OrderStory } from "./order-story.js";

export default function Order() {
  const so_id = Number(useParams().so_id);
  const found = useRead("/api/admin/sales-orders/{so_id}", { path: { so_id } });
  return (
    <Loaded of={found}>
      {({ sales_order: order, lines }) => (
        <Page title={order.so_number} back="/orders" mark={<Status of={order.status} />}>
          <Section title={t("order")}>
            <Facts
              of={[
                [t("customer"), order.customer_name],
                [t("priority"), number(order.priority)],
                [t("shipBy"), day(order.ship_by_date)],
                [t("created"), time(order.created_at)],
                [t("carrier"), order.carrier],
                [t("tracking"), order.tracking_number],
              ]}
            />
          </Section>
          <Section title={t("lines")}>
            <DataTable
              title={t("lines")}
              rows={lines}
              columns={[
                { field: "line_number", title: t("line") },
                { field: "sku", title: t("sku") },
                { field: "item_name", title: t("name") },
                { field: "status", title: t("status"), show: ({ status }) => <Status of={status} /> },
                { field: "quantity_ordered", title: t("ordered"), right: true },
                { field: "quantity_picked", title: t("picked"), right: true },
                { field: "quantity_packed", title: t("packed"), right: true },
                { field: "quantity_shipped", title: t("shipped"), right: true },
              ]}
            />
          </Section>
          <Section title={t("story")}>
            <OrderStory so_id={so_id} />
          </Section>
        </Page>
      )}
    </Loaded>
  );
}
