import { useState } from "react";
import { type NewShipment, type OrderToShip, Refusal } from "../../../../../client/src/index.js";
import { api, useRead } from "../../../../shared/api.js";
import { keptFor } from "../../../../shared/kept.js";
import { useMe } from "../../../../shared/session.js";
import { t } from "../../../../texts/scan-ship.js";
import { Done, NotYet, Refused, Screen, Sending, Sent } from "../../../components/parts.js";
import { ScanField } from "../../../components/scan-field.js";
import { useScans } from "../../../components/scans.js";
import { WaitingOrders } from "../../../components/waiting-orders.js";
import { useWarehouse } from "../../../components/warehouse.js";
import { isSame, plain, useLookUp } from "../../../look-up.js";
import { right, wrong } from "../../../signals.js";
import { type Scanning, SOON, useProgress, useScanned } from "../../../task.js";

/** What was scanned so far. */
interface Progress {
  so_number?: string;
  /** The parcel whose own code was scanned. */
  parcel_id?: number;
  tracking?: string;
}

const carriers = ["UPS", "FedEx", "USPS", "DHL", "DPD"];
/** The carrier of a ship method such as `UPS Ground`. */
const carrierOf = (method: string | null) =>
  carriers.find((name) => method?.toLowerCase().startsWith(name.toLowerCase()));

/** Parcel after parcel goes with the same one. */
const useLastCarrier = () => keptFor(useMe().external_id, "carrier", "");

/** An order, the number on its parcel, one touch. */
export default function Ship() {
  const { warehouse } = useWarehouse();
  const { scan } = useScans();
  const lastCarrier = useLastCarrier();
  const [progress, set] = useProgress<Progress>("ship", {});
  const [done, setDone] = useState("");
  const shipping = useScanned(
    "ship",
    (body: NewShipment, options) => api.post("/api/shipping/fulfill", { body, ...options }),
    ({ so_number, carrier, tracking_number }) => {
      lastCarrier.set(carrier);
      setDone(t("shipped", { number: so_number, carrier, tracking: tracking_number }));
      set({});
    },
  );
  const leaving = useScanned(
    "ship-parcels",
    ({ so_id, parcel_ids, carriage }: LeavingParcels, options) => {
      const parcels = parcel_ids.map((parcel_id) => ({ parcel_id, ...carriage }));
      return api.post("/api/shipping/parcels/ship", { body: { so_id, parcels }, ...options });
    },
    ({ so_number, parcels }, { carriage }) => {
      if (carriage) lastCarrier.set(carriage.carrier);
      setDone(t("parcelsShipped", { number: so_number, count: parcels.length }));
      set({});
    },
  );
  const order = useLookUp(
    async (text) => {
      const barcode = plain(text);
      const { sales_order, parcels } = await api.get("/api/shipping/order/{barcode}", { path: { barcode } });
      if (sales_order.warehouse_id !== warehouse.id) throw new Error(t("notHere"));
      const parcel = parcels.find((one) => isSame(one.barcode, barcode));
      return { so_number: sales_order.so_number, ...(parcel && { parcel_id: parcel.parcel_id }) };
    },
    (found) => {
      shipping.reset();
      leaving.reset();
      set(found);
    },
  );
  const find = (text: string) => {
    setDone("");
    return order.take(text);
  };
  const { so_number } = progress;
  if (so_number) return <Parcel {...{ so_number, progress, set, shipping, leaving }} />;
  return (
    <Screen title={t("ship")}>
      {(shipping.isPending || leaving.isPending) && <Sending />}
      <Refused
        error={order.error ?? shipping.error ?? leaving.error}
        scanned={order.error ? order.scanned : undefined}
      />
      {done && <Done>{done}</Done>}
      <ScanField label={t("scanOrder")} onScan={find} />
      <WaitingOrders to="ship" choose={scan} />
    </Screen>
  );
}

interface LeavingParcels {
  so_id: number;
  parcel_ids: number[];
  /** What the scanner knows of one without a label. */
  carriage?: { carrier: string; tracking_number: string };
}

interface ParcelProps {
  so_number: string;
  progress: Progress;
  set: (progress: Progress) => void;
  shipping: Scanning<NewShipment>;
  leaving: Scanning<LeavingParcels>;
}

function Parcel({ so_number, progress, set, shipping, leaving }: ParcelProps) {
  const { data, error } = useRead("/api/shipping/order/{barcode}", { path: { barcode: so_number } });
  const [chosen, setCarrier] = useState<string>();
  // Its label lies beside that of the carrier, and is scanned twice; that of the next order lies near.
  const [orderScanned, setOrderScanned] = useState<{ code: string; isThis: boolean }>();
  const lastCarrier = useLastCarrier();
  const { tracking, parcel_id } = progress;
  const back = () => set({});
  if (!data)
    return (
      <NotYet title={t("order", { number: so_number })} back={back} error={error} isSending={shipping.isPending} />
    );
  const { parcels } = data;
  const isLabelled = parcels.some(({ tracking_number }) => tracking_number !== null);
  const withoutNumber = parcels.filter(({ tracking_number }) => tracking_number === null);
  const parcel =
    withoutNumber.find((one) => one.parcel_id === parcel_id) ?? (isLabelled ? undefined : withoutNumber[0]);
  if (isLabelled && !parcel) return <Labelled order={data} choose={set} {...{ leaving, back }} />;
  const { so_id, so_barcode, ship_method, status } = data.sales_order;
  // The last one of a packed order leaves as the order.
  const part = parcels.length > 1 || status === "PICKED" ? parcel : undefined;
  const task = part ? leaving : shipping;
  const carrier = chosen ?? carrierOf(ship_method) ?? lastCarrier.get();
  const isReady = carrier.trim() !== "" && tracking && !task.isPending;
  const ship = () => {
    if (!isReady) return;
    const carriage = { carrier: carrier.trim(), tracking_number: tracking };
    if (part) void leaving.send({ so_id, parcel_ids: [part.parcel_id], carriage });
    else void shipping.send({ so_id, ...carriage });
  };
  const title = t("order", { number: so_number });
  const next = (
    <Leave
      label={t("shipNow", { carrier: carrier.trim() || "…" })}
      isReady={Boolean(isReady)}
      {...{ order: data, ship, back }}
    />
  );
  return (
    <Screen title={part ? `${title} · ${t("parcel", { number: part.parcel_number })}` : title} back={back} next={next}>
      <Order order={data} isPart={part !== undefined} />
      <Sent of={task} error={error} />
      <Refused
        error={orderScanned && new Error(t(orderScanned.isThis ? "isOrder" : "isAnother"))}
        scanned={orderScanned?.code}
      />
      <label>
        {t("carrier")}
        <input
          value={carrier}
          maxLength={100}
          list="carriers"
          autoComplete="off"
          onChange={({ currentTarget }) => setCarrier(currentTarget.value)}
        />
      </label>
      <datalist id="carriers">
        {carriers.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {tracking && (
        <div className="card">
          <p className="dim">{t("tracking")}</p>
          <p className="amount">{tracking}</p>
        </div>
      )}
      <ScanField
        label={tracking ? t("scanAnother") : t("scanTracking")}
        onScan={async (text) => {
          const code = plain(text);
          const isThis = [so_number, so_barcode, ...parcels.map(({ barcode }) => barcode)].some((own) =>
            isSame(own, code),
          );
          const isOrder = isThis || (await isAnOrder(code));
          setOrderScanned(isOrder ? { code, isThis } : undefined);
          if (isOrder) return wrong();
          right();
          set({ ...progress, tracking: code });
        }}
      />
    </Screen>
  );
}

interface LeaveProps {
  order: OrderToShip;
  label: string;
  isReady: boolean;
  ship: () => void;
  back: () => void;
}

/** Ships by one touch, or by two where it would decide for the desk what becomes of units that were not found. */
function Leave({ order, label, isReady, ship, back }: LeaveProps) {
  const [isAsking, setIsAsking] = useState(false);
  if (!isAsking)
    return (
      <button
        type="button"
        className="primary"
        disabled={!isReady}
        onClick={() => (order.is_short ? setIsAsking(true) : ship())}
      >
        {label}
      </button>
    );
  return (
    <>
      <button type="button" className="second" onClick={ship} disabled={!isReady}>
        {t("shipShort")}
      </button>
      <button type="button" className="primary" onClick={back}>
        {t("leaveIt")}
      </button>
    </>
  );
}

function Order({ order, isPart = false }: { order: OrderToShip; isPart?: boolean }) {
  const { customer_name, goes_to, ship_method, memo } = order.sales_order;
  const missing = order.lines
    .filter(({ quantity_ordered, quantity_picked }) => quantity_picked < quantity_ordered)
    .map(({ quantity_ordered, quantity_picked, sku }) => `${quantity_ordered - quantity_picked} × ${sku}`);
  return (
    <>
      <div className="card">
        {customer_name && <strong>{customer_name}</strong>}
        {goes_to}
        {!isPart && <p className="dim">{t("unitsOf", { units: order.total_items })}</p>}
        {ship_method && <p>{t("wanted", { method: ship_method })}</p>}
        {memo && <p>{memo}</p>}
      </div>
      {order.is_short && <p className="notice wrong">{t("isShort", { missing: missing.join(", ") })}</p>}
    </>
  );
}

interface LabelledProps {
  order: OrderToShip;
  choose: (progress: Progress) => void;
  leaving: Scanning<LeavingParcels>;
  back: () => void;
}

/** An order in parcels: their labels say carrier and number, so those that have one leave by one touch. */
function Labelled({ order, choose, leaving, back }: LabelledProps) {
  const { so_id, so_number } = order.sales_order;
  const parcel_ids = order.parcels.flatMap(({ parcel_id, tracking_number }) => (tracking_number ? [parcel_id] : []));
  const next = (
    <Leave
      label={t("shipParcels", { count: parcel_ids.length })}
      isReady={!leaving.isPending}
      ship={() => void leaving.send({ so_id, parcel_ids })}
      {...{ order, back }}
    />
  );
  return (
    <Screen title={t("order", { number: so_number })} back={back} next={next}>
      <Order order={order} />
      <Sent of={leaving} />
      <ul className="lines">
        {order.parcels.map(({ parcel_id, parcel_number: number, carrier, tracking_number, address_changed }) => (
          <li key={parcel_id}>
            <span>
              <strong>{t("parcel", { number })}</strong>{" "}
              {tracking_number ? `${carrier ?? ""} ${tracking_number}` : t("noNumber")}
              {address_changed && <span className="block wrong">{t("addressChanged")}</span>}
            </span>
          </li>
        ))}
      </ul>
      {parcel_ids.length < order.parcels.length && (
        <ScanField
          label={t("scanParcel")}
          onScan={(text) => {
            const chosen = order.parcels.find(({ barcode }) => isSame(barcode, plain(text)));
            if (!chosen || chosen.tracking_number) return wrong();
            right();
            choose({ so_number, parcel_id: chosen.parcel_id });
          }}
        />
      )}
    </Screen>
  );
}

/** Whether this is the number of an order, as far as the service can be asked. */
const isAnOrder = (barcode: string): Promise<boolean> =>
  api.get("/api/shipping/order/{barcode}", { path: { barcode }, ...SOON }).then(
    () => true,
    (error) => error instanceof Refusal && ["so_not_shippable", "so_not_packed"].includes(error.code),
  );
