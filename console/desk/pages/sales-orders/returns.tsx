import { t } from "../../../texts/sales-orders.js";
import { choicesOf } from "../../../texts/statuses.js";
import { ListPage } from "../../components/data-list.js";
import { warehouseColumn } from "../../components/warehouse-field.js";

const statuses = ["OPEN", "PARTIALLY_RECEIVED", "RECEIVED", "REFUNDED"];

export default function Returns() {
  return (
    <ListPage
      title={t("returns")}
      none="returns"
      path="/api/admin/sales-orders"
      rows="sales_orders"
      totals={{ quantity_ordered: t("units") }}
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
        { field: "status", title: t("status"), sorts: true, as: "status" },
        { field: "memo", title: t("memo") },
        { field: "order_date", title: t("announced"), sorts: true, as: "day" },
        { field: "created_at", title: t("created"), sorts: true, as: "time" },
      ]}
    />
  );
}
