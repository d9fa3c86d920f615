import { useState } from "react";
import type { CollectedParcel, Collection, LoadedParcel } from "../../../../../client/src/index.js";
import { api, useRead } from "../../../../shared/api.js";
import { day } from "../../../../shared/format.js";
import { t } from "../../../../texts/scan-load.js";
import { Choice, Done, NotYet, Refused, Screen, Sending } from "../../../components/parts.js";
import { Print } from "../../../components/print.js";
import { ScanField } from "../../../components/scan-field.js";
import { useWarehouse } from "../../../components/warehouse.js";
import { plain } from "../../../look-up.js";
import { type Scanning, useProgress, useScanned } from "../../../task.js";

interface Progress {
  collection_id?: number;
}
interface ParcelScan {
  collection_id: number;
  scanned_barcode: string;
  isDown: boolean;
}
interface HandingOver {
  collection_id: number;
  driver_name: string | null;
}

/** Which truck, then parcel after parcel, then the driver's name. */
export default function Load() {
  const [{ collection_id }, set] = useProgress<Progress>("load", {});
  const [said, say] = useState("");
  const scanning = useScanned(
    "load",
    ({ collection_id, scanned_barcode, isDown }: ParcelScan, options) => {
      const more = { path: { collection_id }, body: { scanned_barcode }, ...options };
      return isDown
        ? api.post("/api/shipping/collections/{collection_id}/take-off", more)
        : api.post("/api/shipping/collections/{collection_id}/scan", more);
    },
    (parcel) => say(t(saidOf(parcel), { what: nameOf(parcel) })),
  );
  const leaving = useScanned(
    "hand-over",
    ({ collection_id, ...body }: HandingOver, options) =>
      api.post("/api/shipping/collections/{collection_id}/hand-over", { path: { collection_id }, body, ...options }),
    ({ collection: { carrier, parcels: loaded, status, manifest_number }, not_collected }) => {
      const left = t("handedOver", { carrier, loaded, missing: not_collected.length });
      say(status === "manifesting" && manifest_number > 1 ? `${left} ${t("furtherManifest")}` : left);
      set({});
    },
  );
  const go = (to: Progress) => {
    say("");
    scanning.reset();
    leaving.reset();
    set(to);
  };
  if (collection_id === undefined)
    return <Choose said={said} isSending={leaving.isPending} choose={(id) => go({ collection_id: id })} />;
  return <Truck {...{ collection_id, said, scanning, leaving }} back={() => go({})} />;
}

const nameOf = ({ so_number: order, parcel_number: number }: Pick<LoadedParcel, "so_number" | "parcel_number">) =>
  number === null ? order : t("parcelOf", { order, number });

/** One that came after the manifest is loaded all the same, and the driver is to get another paper. */
const saidOf = ({ is_loaded, on_manifest, without_manifest }: LoadedParcel) =>
  is_loaded ? (on_manifest || without_manifest === 0 ? "isLoaded" : "isLoadedLate") : "isTakenOff";

const countOf = ({ loaded, parcels }: Collection) => t("ofAll", { loaded, parcels });

const titleOf = ({ carrier, collection_day }: Collection) => t("collection", { carrier, day: day(collection_day) });

/** The collections that have not left; one without parcels has nothing to load. */
function Choose({ said, isSending, choose }: { said: string; isSending: boolean; choose: (id: number) => void }) {
  const { warehouse } = useWarehouse();
  const query = { warehouse_id: warehouse.id, collected: "false", sort: "collection_day", per_page: 50 } as const;
  const { data, error } = useRead("/api/shipping/collections", { query });
  if (!data) return <NotYet title={t("load")} error={error} isSending={isSending} />;
  const open = data.collections.filter(({ status }) => status !== "cancelled");
  return (
    <Screen title={t("load")}>
      {isSending && <Sending />}
      {said && <Done>{said}</Done>}
      {open.length === 0 && <p>{t("none")}</p>}
      <ul className="choices">
        {open.map((one) => (
          <Choice
            key={one.collection_id}
            title={titleOf(one)}
            note={countOf(one)}
            choose={() => choose(one.collection_id)}
          />
        ))}
      </ul>
    </Screen>
  );
}

interface TruckProps {
  collection_id: number;
  said: string;
  scanning: Scanning<ParcelScan>;
  leaving: Scanning<HandingOver>;
  back: () => void;
}

function Truck({ collection_id, said, scanning, leaving, back }: TruckProps) {
  const [isDown, setDown] = useState(false);
  const [driver, setDriver] = useState("");
  const path = { collection_id };
  const { data, error } = useRead("/api/shipping/collections/{collection_id}", { path, query: { loaded: "false" } });
  if (!data) return <NotYet title={t("load")} back={back} error={error} />;
  const { collection, contents } = data;
  const { loaded, parcels, scan_out } = collection;
  const isPending = scanning.isPending || leaving.isPending;
  const hand = () => void leaving.send({ collection_id, driver_name: driver.trim() || null });
  const missing = scan_out ? parcels - loaded : 0;
  const next = (
    <button type="button" className="primary" disabled={isPending || missing === parcels} onClick={hand}>
      {missing > 0 ? t("handOverAnyway", { missing }) : t("handOver")}
    </button>
  );
  return (
    <Screen title={titleOf(collection)} back={back} next={next}>
      {isPending && <Sending />}
      <Refused
        error={scanning.error ?? leaving.error ?? error}
        scanned={scanning.error ? scanning.input?.scanned_barcode : undefined}
      />
      {said && !scanning.error && <Done>{said}</Done>}
      <p className="amount">{countOf(collection)}</p>
      <ScanField
        label={t(isDown ? "takeOff" : "scan")}
        onScan={(text) => scanning.send({ collection_id, scanned_barcode: plain(text), isDown })}
      />
      <button type="button" className="second" onClick={() => setDown(!isDown)}>
        {t(isDown ? "loadInstead" : "takeOffInstead")}
      </button>
      <Missing parcels={contents} />
      <label>
        {t("driver")}
        <input value={driver} maxLength={150} autoComplete="off" onChange={(on) => setDriver(on.currentTarget.value)} />
      </label>
      {parcels > 0 && (
        <Print
          path={`/api/shipping/collections/${collection_id}/manifest`}
          label={t("manifest")}
          print={{ document: "manifest", record_ids: [collection_id] }}
        />
      )}
    </Screen>
  );
}

function Missing({ parcels }: { parcels: CollectedParcel[] }) {
  if (parcels.length === 0) return null;
  return (
    <section>
      <h2>{t("missing")}</h2>
      <ul className="lines">
        {parcels.map((parcel) => (
          <li key={`${parcel.so_id} ${parcel.parcel_id}`}>
            <span>
              <strong>{nameOf(parcel)}</strong> {parcel.tracking_number}
            </span>
            {!parcel.is_shipped && <span className="wrong">{t("notShipped")}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
