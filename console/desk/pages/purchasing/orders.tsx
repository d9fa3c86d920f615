import type { Api } from "../../../shared/api.js";
import { t } from "../../../texts/purchasing.js";
import { choicesOf } from "../../../texts/statuses.js";
import { ListPage } from "../../components/data-list.js";
import { LinkButton } from "../../components/maybe-link.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { isLocked } from "./order-actions.js";

const put = (po_id: number, status: "ARCHIVED" | "CLOSED", api: Api) =>
  api.put("/api/admin/purchase-orders/{po_id}", { path: { po_id }, body: { status } });

const statuses = ["OPEN", "PARTIAL", "RECEIVED", "CLOSED", "ARCHIVED"];

export default function PurchaseOrders() {
  return (
    <ListPage
      title={t("orders")}
      none="purchaseOrders"
      actions={<LinkButton to="/purchase-orders/new" label={t("newOrder")} />}
      path="/api/admin/purchase-orders"
      isLong
      rows="purchase_orders"
      totals={{ quantity_ordered: t("ordered"), quantity_received: t("received") }}
      ofWarehouse
      to={({ po_id }) => `/purchase-orders/${po_id}`}
      bulk={{
        ...{ id: "po_id", name: "po_number" },
        actions: [
          {
            label: t("closeOrder"),
            fits: (order) => !isLocked(order),
            each: ({ po_id }, _, api) => api.post("/api/admin/purchase-orders/{po_id}/close", { path: { po_id } }),
            undo: ({ po_id }, api) => api.post("/api/admin/purchase-orders/{po_id}/reopen", { path: { po_id } }),
          },
          {
            label: t("archive"),
            fits: ({ status }) => status === "CLOSED",
            each: ({ po_id }, _, api) => put(po_id, "ARCHIVED", api),
            undo: ({ po_id }, api) => put(po_id, "CLOSED", api),
          },
        ],
      }}
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
        { field: "created_by", title: t("createdBy"), as: "person" },
        { field: "created_at", title: t("created"), sorts: true, as: "time" },
      ]}
    />
  );
}
