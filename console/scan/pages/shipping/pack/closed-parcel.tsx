import { number } from "../../../../shared/format.js";
import { hasLabel, isLate, useLabels } from "../../../../shared/labels.js";
import { saidText } from "../../../../texts/faults.js";
import { t } from "../../../../texts/scan-pack.js";
import { Why } from "../../../components/parts.js";
import { Print } from "../../../components/print.js";
import type { ParcelTask } from "./parcel-task.js";
import type { OrderInParcels } from "./progress.js";

interface ClosedParcelProps {
  parcel: OrderInParcels["parcels"][number];
  label: ParcelTask["label"];
  goOn: () => void;
}

/** A parcel in which something is: closed with its label, or open still. */
export function ClosedParcel({ parcel, label, goOn }: ClosedParcelProps) {
  const { parcel_id, parcel_number, box_code, weight_lbs, status, address_changed } = parcel;
  const said = [box_code, weight_lbs !== null && t("pounds", { weight: number(weight_lbs) })].filter(Boolean);
  return (
    <section className="card parcel">
      <strong>{t("parcel", { number: parcel_number, box: said.join(" · ") || t("noBox") })}</strong>
      {status === "OPEN" ? (
        <button type="button" onClick={goOn}>
          {t("goOn", { number: parcel_number })}
        </button>
      ) : (
        <>
          <LabelOf parcel={parcel} label={label} />
          {address_changed && <p className="wrong">{t("addressChanged")}</p>}
          <Why label={t("papers", { number: parcel_number })}>
            <Print
              path={`/api/packing/parcels/${parcel_id}/label`}
              label={t("parcelLabel")}
              print={{ document: "parcel_label", record_ids: [parcel_id] }}
            />
            <Print
              path={`/api/packing/parcels/${parcel_id}/packing-slip`}
              label={t("packingSlip")}
              print={{ document: "parcel_slip", record_ids: [parcel_id] }}
            />
          </Why>
        </>
      )}
    </section>
  );
}

/** How far the label of a carrier is. One that is late comes by itself, and the packer goes on. */
function LabelOf({ parcel, label }: Omit<ClosedParcelProps, "goOn">) {
  const { parcel_id, parcel_number, status, tracking_number } = parcel;
  const [newest] = useLabels(parcel_id);
  if (newest && isLate(newest)) return <p role="status">{t("labelLater")}</p>;
  if (newest?.status === "pending") return <p role="status">{t("labelComes")}</p>;
  if (newest?.status === "bought")
    return (
      <>
        <p role="status">{t("labelBought", { tracking: newest.tracking_number ?? "" })}</p>
        {newest.label_format && (
          <Print
            isDrawn
            path={`/api/packing/labels/${newest.purchase_id}/file`}
            label={t("showLabel", { number: parcel_number })}
            print={{ document: "carrier_label", record_ids: [newest.purchase_id] }}
          />
        )}
      </>
    );
  if (tracking_number) return <p className="dim">{tracking_number}</p>;
  if (status !== "CLOSED" || (newest && hasLabel(newest))) return null;
  return (
    <>
      {newest?.status === "failed" && <p className="wrong">{saidText(newest.last_error ?? "")}</p>}
      <button type="button" disabled={label.isPending} onClick={() => void label.send({ parcel_id })}>
        {t("askLabel", { number: parcel_number })}
      </button>
    </>
  );
}
