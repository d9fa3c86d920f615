import { useRead } from "../../../shared/api.js";
import { t } from "../../../texts/parcels.js";
import { TableSection } from "../../components/table.js";
import { TrackingLink } from "../../components/tracking-link.js";

/** The parcels of an order, with what has left; nothing where it goes as a whole. */
export function OrderParcels({ so_id }: { so_id: number }) {
  const { data } = useRead("/api/admin/parcels", { query: { so_id, sort: "parcel_number", per_page: 1000 } });
  const parcels = data?.parcels ?? [];
  if (parcels.length === 0) return null;
  return (
    <TableSection
      title={t("parcels")}
      rows={parcels}
      columns={[
        { field: "parcel_number", title: t("number"), as: "number" },
        { field: "status", title: t("status"), as: "status" },
        { field: "box_code", title: t("box") },
        { field: "weight_lbs", title: t("weight"), as: "number" },
        { field: "total_quantity", title: t("units"), as: "number" },
        {
          field: "tracking_number",
          title: t("tracking"),
          show: ({ carrier, tracking_number }) => <TrackingLink carrier={carrier} number={tracking_number} />,
        },
        { field: "shipped_at", title: t("shipped"), as: "time" },
      ]}
    />
  );
}
