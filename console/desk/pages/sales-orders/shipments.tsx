import { t } from "../../../texts/sales-orders.js";
import { statusText } from "../../../texts/statuses.js";
import { ListPage } from "../../components/data-list.js";
import { TrackingLink } from "../../components/tracking-link.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { slipsAction } from "./order-bulk.js";

/** As a revert of an order's status gives it, or as somebody typed it. */
function reasonOf(reason: string | null): string | null {
  const [, status] = /^Reverted to ([A-Z_]+)$/.exec(reason ?? "") ?? [];
  return status ? t("revertedTo", { status: statusText(status) }) : reason;
}

/** What was handed to carriers, also what was voided afterwards. */
export default function Shipments() {
  return (
    <ListPage
      title={t("shipments")}
      none="shipments"
      path="/api/admin/shipments"
      isLong
      rows="shipments"
      totals={{ quantity_shipped: t("units") }}
      ofWarehouse
      to={({ so_id }) => `/orders/${so_id}`}
      bulk={{ id: "fulfillment_id", name: "so_number", actions: [slipsAction()] }}
      filters={[
        { name: "q", label: t("searchShipments") },
        { name: "carrier", label: t("carrier") },
        { name: "date_from", label: t("from"), isDay: true },
        { name: "date_to", label: t("to"), isDay: true },
      ]}
      columns={[
        { field: "so_number", title: t("order"), sorts: true },
        { field: "customer_name", title: t("customer"), sorts: true },
        warehouseColumn(),
        { field: "status", title: t("status"), sorts: true, as: "status" },
        { field: "carrier", title: t("carrier"), sorts: true },
        {
          field: "tracking_number",
          title: t("tracking"),
          sorts: true,
          show: ({ carrier, tracking_number }) => <TrackingLink carrier={carrier} number={tracking_number} />,
        },
        { field: "ship_method", title: t("shipMethod"), sorts: true },
        { field: "total_quantity", title: t("units"), as: "number" },
        { field: "shipped_by", title: t("shippedBy"), sorts: true, as: "person" },
        { field: "shipped_at", title: t("shipped"), sorts: true, as: "time" },
        { field: "void_reason", title: t("voidReason"), show: ({ void_reason }) => reasonOf(void_reason) },
      ]}
    />
  );
}
