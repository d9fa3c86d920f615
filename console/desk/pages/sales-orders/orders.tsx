import { Badge, Group } from "@mantine/core";
import { useNavigate } from "react-router";
import type { SalesOrderSummary } from "../../../../client/src/index.js";
import { useMe } from "../../../shared/session.js";
import { orderTypes } from "../../../texts/sales-order-fields.js";
import { t } from "../../../texts/sales-orders.js";
import { choicesOf } from "../../../texts/statuses.js";
import { ListPage } from "../../components/data-list.js";
import { LinkButton } from "../../components/maybe-link.js";
import { Status } from "../../components/status.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { orderActions } from "./order-bulk.js";

const statuses = ["OPEN", "WAITING_STOCK", "FRAUD_REVIEW", "PICKED", "PACKED", "SHIPPED", "CANCELLED", "REFUNDED"];

export default function Orders() {
  const yes = { true: t("yes") };
  const work = {
    ...{ ready_to_pick: t("readyToPick"), lacks_stock: t("lacksStock"), in_picking: t("inPicking") },
    ready_to_pack: t("readyToPack"),
    ...{ ready_to_ship: t("readyToShip"), late: t("late"), due_today: t("dueToday") },
    ...{ short: t("pickedShort") },
  };
  const go = useNavigate();
  const showTickets = (so_ids: number[]) => void go("/orders/tickets", { state: so_ids });
  return (
    <ListPage
      title={t("orders")}
      none="orders"
      actions={<LinkButton to="/orders/new" label={t("newOrder")} isFilled />}
      path="/api/admin/sales-orders"
      isLong
      rows="sales_orders"
      totals={{ quantity_ordered: t("ordered"), quantity_shipped: t("shipped") }}
      ofWarehouse
      to={({ so_id }) => `/orders/${so_id}`}
      bulk={{ id: "so_id", name: "so_number", actions: orderActions(useMe(), showTickets) }}
      filters={[
        { name: "q", label: t("search") },
        { name: "status", label: t("status"), choices: choicesOf(statuses) },
        { name: "work", label: t("work"), choices: work },
        { name: "order_type", label: t("type"), choices: orderTypes() },
        { name: "date_from", label: t("from"), isDay: true },
        { name: "date_to", label: t("to"), isDay: true },
        { name: "order_origin", label: t("origin") },
        { name: "local_pickup", label: t("pickup"), choices: yes },
        { name: "hide_printed", label: t("unprinted"), choices: yes },
        { name: "held", label: t("held"), choices: yes },
      ]}
      columns={[
        { field: "so_number", title: t("order"), sorts: true },
        { field: "customer_name", title: t("customer"), sorts: true },
        warehouseColumn(),
        { field: "status", title: t("status"), sorts: true, show: (row) => <OrderStatus of={row} /> },
        { field: "priority", title: t("priority"), right: true, sorts: true },
        { field: "ship_by_date", title: t("shipBy"), sorts: true, as: "day" },
        { field: "ship_method", title: t("shipMethod") },
        { field: "carrier", title: t("carrier") },
        { field: "created_at", title: t("created"), sorts: true, as: "time" },
      ]}
    />
  );
}

const OrderStatus = ({ of: { status, hold_reason } }: { of: SalesOrderSummary }) => (
  <Group gap="xs" wrap="nowrap">
    <Status of={status} />
    {hold_reason && (
      <Badge variant="outline" color="orange" miw="max-content">
        {t("held")}
      </Badge>
    )}
  </Group>
);
