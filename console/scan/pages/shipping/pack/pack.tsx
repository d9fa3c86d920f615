import { Link } from "react-router";
import { api } from "../../../../shared/api.js";
import { number as amount } from "../../../../shared/format.js";
import { keptFor } from "../../../../shared/kept.js";
import { useMe } from "../../../../shared/session.js";
import { t } from "../../../../texts/scan-pack.js";
import { Done, Refused, Screen, Sending } from "../../../components/parts.js";
import { Print } from "../../../components/print.js";
import { ScanField } from "../../../components/scan-field.js";
import { useScans } from "../../../components/scans.js";
import { WaitingOrders } from "../../../components/waiting-orders.js";
import { useWarehouse } from "../../../components/warehouse.js";
import { plain, useLookUp } from "../../../look-up.js";
import { useProgress, useScanned } from "../../../task.js";
import { InParcels } from "./in-parcels.js";
import { Parcel, type VerifyBody } from "./parcel.js";
import { useParcelTask } from "./parcel-task.js";
import type { Progress } from "./progress.js";

/** An order, each of its items, and the parcel is closed. */
export default function Pack() {
  const [progress, set] = useProgress<Progress>("pack", {});
  /** Another order, or another way to pack it: what was refused before says nothing of it. */
  const turnTo = (to: Progress) => {
    for (const one of [verify, complete]) one.reset();
    set(to);
  };
  const { so_number, isInParcels = false, packed, perScan = 1 } = progress;
  const verify = useScanned(
    "pack.verify",
    (body: VerifyBody, options) => api.post("/api/packing/verify", { body, ...options }),
    () => so_number && set({ so_number }),
  );
  const complete = useScanned(
    "pack.complete",
    (body: { so_id: number }, options) => api.post("/api/packing/complete", { body, ...options }),
    ({ so_number, total_items: units, calculated_weight_lbs: weight }, { so_id }) =>
      set({ packed: { so_id, number: so_number, units, weight, isInParcels } }),
  );
  const parcels = useParcelTask(progress, set);
  if (so_number && isInParcels) return <InParcels {...{ so_number, progress, set, parcels, complete }} />;
  if (so_number)
    return (
      <Parcel
        {...{ so_number, perScan, verify, complete }}
        setPerScan={(to) => set({ so_number, perScan: to })}
        intoParcels={() => turnTo({ so_number, isInParcels: true })}
        leave={() => turnTo({})}
      />
    );
  return (
    <Screen title={t("pack")}>
      {complete.isPending && <Sending />}
      <Refused error={complete.error ?? verify.error} />
      {packed && <Packed {...packed} leave={() => set({})} />}
      <ChooseOrder label={packed ? t("nextOrder") : t("scanOrder")} choose={turnTo} />
    </Screen>
  );
}

/** One of which parcels were begun goes on so. */
function ChooseOrder({ label, choose }: { label: string; choose: (order: Progress) => void }) {
  const { warehouse } = useWarehouse();
  const { scan } = useScans();
  const order = useLookUp(async (text) => {
    const { sales_order } = await api.get("/api/packing/order/{barcode}", { path: { barcode: plain(text) } });
    if (sales_order.warehouse_id !== warehouse.id) throw new Error(t("notHere"));
    const { so_id, so_number } = sales_order;
    const { parcels } = await api.get("/api/packing/parcels", { query: { so_id } });
    return { so_number, isInParcels: parcels.some(({ status }) => status !== "VOIDED") };
  }, choose);
  return (
    <>
      <Refused error={order.error} scanned={order.scanned} />
      <ScanField label={label} onScan={order.take} />
      <WaitingOrders to="pack" choose={scan} />
    </>
  );
}

interface PackedProps extends NonNullable<Progress["packed"]> {
  leave: () => void;
}

function Packed({ so_id, number, units, weight, isInParcels, leave }: PackedProps) {
  const { external_id, allowed_functions } = useMe();
  const mayShip = allowed_functions.includes("ship");
  const shipIt = () => {
    keptFor<object>(external_id, "task.ship", {}).set({ so_number: number });
    leave();
  };
  return (
    <>
      <Done>{t("packed", { number, units })}</Done>
      {weight > 0 && <p>{t("weight", { weight: amount(weight) })}</p>}
      <Print
        path={`/api/packing/order/${encodeURIComponent(number)}/packing-slip`}
        label={t("packingSlip")}
        print={{ document: "packing_slip", record_ids: [so_id] }}
      />
      {mayShip && !isInParcels && (
        <Link className="button" to="/ship" onClick={shipIt}>
          {t("toShip")}
        </Link>
      )}
    </>
  );
}
