import { day, time } from "../../../shared/format.js";
import { t } from "../../../texts/sales-orders.js";
import { choicesOf } from "../../../texts/statuses.js";
import { DataList } from "../../components/data-list.js";
import { Page } from "../../components/page.js";
import { Status } from "../../components/status.js";
import { warehouseColumn } from "../../components/warehouse-field.js";

const statuses = ["OPEN", "PARTIALLY_RECEIVED", "RECEIVED", "REFUNDED"];

export default function Returns() {
  return (
    <Page title={t("returns")}>
      <DataList
        title={t("returns")}
        path="/api/admin/sales-orders"
        rows="sales_orders"
        query={{ order_type: "return" }}
        ofWarehouse
        to={({ so_id }) => `/orders/${so_id}`}
        filters={[
          { name: "q", label: t("search") },
          { name: "status", label: t("status"), choices: choicesOf(statuses) },
          { name: "date_from", label: t("from"), isDay: true },
          { name: "date_to", label: t("to"), isDay: true },
        ]}
        columns={[
          { field: "so_number", title: t("return"), sorts: true },
          { field: "customer_name", title: t("customer"), sorts: true },
          warehouseColumn(),
          { field: "status", title: t("status"), sorts: true, show: ({ status }) => <Status of={status} /> },
          { field: "memo", title: t("memo") },
          { field: "order_date", title: t("announced"), sorts: true, show: ({ order_date }) => day(order_date) },
          { field: "created_at", title: t("created"), sorts: true, show: ({ created_at }) => time(created_at) },
        ]}
      />
    </Page>
  );
}
