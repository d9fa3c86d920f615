import { t } from "../../../texts/purchasing.js";
import { choicesOf } from "../../../texts/statuses.js";
import { ListPage } from "../../components/data-list.js";
import { LinkButton } from "../../components/maybe-link.js";
import { warehouseColumn } from "../../components/warehouse-field.js";

const statuses = ["OPEN", "PARTIAL", "RECEIVED", "CLOSED", "ARCHIVED"];

export default function PurchaseOrders() {
  return (
    <ListPage
      title={t("orders")}
      actions={<LinkButton to="/purchase-orders/new" label={t("newOrder")} />}
      path="/api/admin/purchase-orders"
      rows="purchase_orders"
      ofWarehouse
      to={({ po_id }) => `/purchase-orders/${po_id}`}
      filters={[
        { name: "q", label: t("search") },
        { name: "status", label: t("status"), choices: { "OPEN,PARTIAL": t("notClosed"), ...choicesOf(statuses) } },
      ]}
      columns={[
        { field: "po_number", title: t("number"), sorts: true },
        { field: "vendor_name", title: t("vendor"), sorts: true },
        warehouseColumn(),
        { field: "status", title: t("status"), sorts: true, as: "status" },
        { field: "expected_date", title: t("expected"), sorts: true, as: "day" },
        { field: "received_at", title: t("received"), sorts: true, as: "time" },
        { field: "created_by", title: t("createdBy") },
        { field: "created_at", title: t("created"), sorts: true, as: "time" },
      ]}
    />
  );
}
