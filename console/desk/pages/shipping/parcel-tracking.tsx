import type { Parcel } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { quoted } from "../../../texts/faults.js";
import { t } from "../../../texts/parcels.js";
import { reasonName } from "../../../texts/reasons.js";
import { Loaded } from "../../components/states.js";
import { TableSection } from "../../components/table.js";

/** Where the carrier has a parcel, in words; null where nobody says. */
export const trackingText = (status: Parcel["tracking_status"]): string | null =>
  status && (reasonName(status) ?? status);

/** What its carrier noted of a parcel on its way, the newest first. */
export const ParcelTracking = ({ parcel_id }: Pick<Parcel, "parcel_id">) => (
  <Loaded of={useRead("/api/packing/parcels/{parcel_id}/tracking", { path: { parcel_id } })}>
    {({ scans }) => (
      <TableSection
        title={t("onItsWay")}
        rows={scans}
        empty={t("notScanned")}
        columns={[
          { field: "scanned_at", title: t("scanned"), as: "time" },
          { field: "status", title: t("status"), show: ({ status }) => trackingText(status) },
          { field: "message", title: t("carrierSays"), show: ({ message }) => message && quoted(message) },
          { field: "place", title: t("place") },
        ]}
      />
    )}
  </Loaded>
);
