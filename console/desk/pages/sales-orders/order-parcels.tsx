import type { SalesOrder } from "../../../../client/src/index.js";
import { moneyOf } from "../../../shared/amounts.js";
import { useRead } from "../../../shared/api.js";
import { mayDo, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/parcels.js";
import { SuggestedBox } from "../../components/box-field.js";
import { ClosingFields, closingIn } from "../../components/closing-fields.js";
import { Decision } from "../../components/decision.js";
import { ParcelLink } from "../../components/parcel-link.js";
import { Notice } from "../../components/states.js";
import { TableSection } from "../../components/table.js";
import { TrackingLink } from "../../components/tracking-link.js";
import { numberIn } from "../../values.js";

/** The parcels of an order, with what has left, and what is in none; nothing where it goes as a whole. */
export function OrderParcels({ order }: { order: SalesOrder }) {
  const { so_id, status } = order;
  const { data } = useRead("/api/admin/parcels", { query: { so_id, sort: "parcel_number", per_page: 1000 } });
  const isPacking = mayDo(useMe(), "pack") && status === "PICKED" && !order.hold_reason;
  const parcels = data?.parcels ?? [];
  if (!data || (parcels.length === 0 && !isPacking)) return null;
  return (
    <>
      {parcels
        .filter(({ address_changed }) => address_changed)
        .map(({ parcel_id, parcel_number: number }) => (
          <Notice key={parcel_id} color="orange" title={t("addressChanged", { number })} />
        ))}
      <TableSection
        title={t("parcels")}
        actions={isPacking && <Packing so_id={so_id} hasParcels={parcels.some((one) => one.status !== "VOIDED")} />}
        rows={parcels}
        empty={t("inNoParcel")}
        columns={[
          { field: "parcel_number", title: t("number"), show: ParcelLink },
          { field: "status", title: t("status"), as: "status" },
          { field: "box_code", title: t("box") },
          { field: "weight_lbs", title: t("weight"), as: "number" },
          { field: "total_quantity", title: t("units"), as: "number" },
          {
            field: "tracking_number",
            title: t("tracking"),
            show: ({ carrier, tracking_number }) => <TrackingLink carrier={carrier} number={tracking_number} />,
          },
          {
            ...{ field: "cost_minor", title: t("cost"), right: true },
            show: ({ cost_minor, cost_currency }) => moneyOf(cost_minor, cost_currency),
          },
          { field: "shipped_at", title: t("shipped"), as: "time" },
        ]}
      />
    </>
  );
}

/** What is done with what is in no parcel yet, and the end of packing. */
function Packing({ so_id, hasParcels }: { so_id: number; hasParcels: boolean }) {
  const rest = useRead("/api/packing/parcels", { query: { so_id } }).data?.unpacked ?? [];
  const isAllIn = rest.length === 0;
  return (
    <>
      {!isAllIn && (
        <Decision
          isSmall
          label={t("openParcel")}
          title={t("openParcel")}
          act={({ box_id }, api) => api.post("/api/packing/parcels", { body: { so_id, box_id: numberIn(box_id) } })}
        >
          <SuggestedBox so_id={so_id} />
        </Decision>
      )}
      {!isAllIn && (
        <Decision
          isSmall
          label={t("packRest")}
          title={t("packRestTitle")}
          act={(values, api) => api.post("/api/packing/parcels/rest", { body: { so_id, ...closingIn(values) } })}
        >
          <SuggestedBox so_id={so_id} />
          <ClosingFields />
        </Decision>
      )}
      {isAllIn && hasParcels && (
        <Decision
          isSmall
          label={t("completePacking")}
          title={t("completeTitle")}
          act={(_, api) => api.post("/api/packing/complete", { body: { so_id } })}
        />
      )}
    </>
  );
}
