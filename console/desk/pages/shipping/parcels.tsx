import { t } from "../../../texts/parcels.js";
import { choicesOf } from "../../../texts/statuses.js";
import { ListPage } from "../../components/data-list.js";
import { ParcelLink } from "../../components/parcel-link.js";
import { TrackingLink } from "../../components/tracking-link.js";
import { warehouseColumn } from "../../components/warehouse-field.js";

/** Parcels of all orders, with those that are being packed or were voided. */
export default function Parcels() {
  return (
    <ListPage
      title={t("parcels")}
      none="parcels"
      path="/api/admin/parcels"
      rows="parcels"
      ofWarehouse
      to={({ so_id }) => `/orders/${so_id}`}
      filters={[
        { name: "q", label: t("search") },
        { name: "status", label: t("status"), choices: choicesOf(["OPEN", "CLOSED", "SHIPPED", "VOIDED"]) },
        { name: "carrier", label: t("carrier") },
        { name: "date_from", label: t("from"), isDay: true },
        { name: "date_to", label: t("to"), isDay: true },
      ]}
      columns={[
        { field: "so_number", title: t("order"), sorts: true },
        { field: "parcel_number", title: t("number"), sorts: true, right: true, show: ParcelLink },
        warehouseColumn(),
        { field: "status", title: t("status"), sorts: true, as: "status" },
        { field: "box_code", title: t("box") },
        { field: "weight_lbs", title: t("weight"), sorts: true, as: "number" },
        { field: "total_quantity", title: t("units"), as: "number" },
        { field: "carrier", title: t("carrier"), sorts: true },
        {
          field: "tracking_number",
          title: t("tracking"),
          sorts: true,
          show: ({ carrier, tracking_number }) => <TrackingLink carrier={carrier} number={tracking_number} />,
        },
        { field: "shipped_at", title: t("shipped"), sorts: true, as: "time" },
      ]}
    />
  );
}
