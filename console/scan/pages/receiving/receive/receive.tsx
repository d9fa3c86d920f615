import { useState } from "react";
import type { CallOptions } from "../../../../../client/src/index.js";
import { api, useRead } from "../../../../shared/api.js";
import { t } from "../../../../texts/receiving.js";
import { ItemField } from "../../../components/item-field.js";
import { WithoutService } from "../../../components/look-ups.js";
import { AllSent, NoNet } from "../../../components/no-net.js";
import { Choice, Done, Refused, Screen, Sending, Sent, Waiting } from "../../../components/parts.js";
import { ScanField } from "../../../components/scan-field.js";
import { useScans } from "../../../components/scans.js";
import { WaitingOrders } from "../../../components/waiting-orders.js";
import { useWarehouse } from "../../../components/warehouse.js";
import { inNetOr, useAway } from "../../../kept/net.js";
import { isSame, plain, useLookUp } from "../../../look-up.js";
import { SOON, useProgress, useScanned } from "../../../task.js";
import { useKeepDelivery } from "../on-device/deliveries.js";
import { type Receipt, receive } from "../on-device/done.js";
import { useOnDevice } from "../on-device/on-device.js";
import { Refusals } from "../on-device/refusals.js";
import { Book } from "./book.js";
import type { Progress, ReceiveProps } from "./progress.js";

/** A purchase order, then an item of it, its quantity and its bin, again and again. */
export default function Receive() {
  const [progress, set] = useProgress<Progress>("receive", {});
  const [last, setDone] = useState({ text: "", isKept: false });
  const device = useOnDevice();
  const { po } = progress;
  useKeepDelivery(po);
  const isOnDevice = device.deliveries.some(({ purchase_order }) => purchase_order.po_number === po);
  const keeping = device.keeping<Receipt>(
    "receive",
    "receive",
    () => [],
    ({ po, said }) => {
      setDone({ text: t("kept", said), isKept: true });
      set({ po });
    },
  );
  const booking = useScanned(
    "receive",
    receive,
    (_, { po, said }) => {
      setDone({ text: t("received", said), isKept: false });
      device.tellDone();
      set({ po });
    },
    isOnDevice ? keeping : undefined,
  );
  const done = last.isKept && !device.isAway ? "" : last.text;
  const props = { progress, set, booking, done, device };
  return (
    <WithoutService device={device.isAway || isOnDevice ? device : undefined}>
      {po ? <Order key={po} po={po} {...props} /> : <ChooseOrder {...props} />}
    </WithoutService>
  );
}

/** What was done last; without the net it is kept, and told once it is sent. */
const Said = ({ done, device }: Pick<ReceiveProps, "done" | "device">) => (
  <>
    <NoNet />
    <AllSent of={device.news} />
    <Refusals of={device.news} />
    {done && <Done>{done}</Done>}
  </>
);

function ChooseOrder({ set, booking, done, device }: ReceiveProps) {
  return (
    <Screen title={t("receive")}>
      <Sent of={booking} />
      <Said {...{ done, device }} />
      <OrderField {...{ set, booking, device }} />
    </Screen>
  );
}

function OrderField({ set, booking, device }: Pick<ReceiveProps, "set" | "booking" | "device">) {
  const { warehouse } = useWarehouse();
  const { scan } = useScans();
  const order = useLookUp(
    async (text) => {
      const code = plain(text);
      const read = async (options: CallOptions) => {
        const { purchase_order } = await api.get("/api/receiving/po/{barcode}", {
          path: { barcode: code },
          ...options,
        });
        if (purchase_order.warehouse_id !== warehouse.id) throw new Error(t("notHere"));
        return purchase_order.po_number;
      };
      const mayGoOn = device.isAway || device.deliveries.length > 0;
      return mayGoOn ? inNetOr(device, read, () => onDevice(device, code)) : read({});
    },
    (po) => {
      booking.reset();
      set({ po });
    },
  );
  return (
    <>
      <Refused error={order.error} scanned={order.scanned} />
      <ScanField label={t("scanOrder")} onScan={order.take} />
      {device.isAway ? (
        <section>
          <h2>{t(device.deliveries.length > 0 ? "onDevice" : "noneOnDevice")}</h2>
          <ul className="choices">
            {device.deliveries.map(({ purchase_order: { po_id, po_number, vendor_name }, lines }) => (
              <Choice
                key={po_id}
                title={po_number}
                text={vendor_name ?? ""}
                note={t("unitsLeft", { units: unitsLeft(lines) })}
                choose={() => scan(po_number)}
              />
            ))}
          </ul>
        </section>
      ) : (
        <WaitingOrders to="receive" choose={scan} />
      )}
    </>
  );
}

const unitsLeft = (lines: { quantity_remaining: number }[]) =>
  lines.reduce((units, { quantity_remaining }) => units + Math.max(0, quantity_remaining), 0);

/** The order of a scanned number or barcode, where the service cannot be asked. */
function onDevice({ deliveries }: ReceiveProps["device"], code: string): string {
  const found = deliveries.find(
    ({ purchase_order: { po_number, po_barcode } }) => isSame(po_number, code) || isSame(po_barcode, code),
  );
  if (!found) throw new Error(t("orderNotOnDevice"));
  return found.purchase_order.po_number;
}

function Order({ po, progress, set, booking, done, device }: ReceiveProps & { po: string }) {
  const delivery = device.deliveries.find(({ purchase_order }) => purchase_order.po_number === po);
  // Whoever has it on the device need not wait for the net.
  const [soon] = useState(delivery ? SOON : {});
  const { data: read, error } = useRead("/api/receiving/po/{barcode}", { path: { barcode: po }, ...soon });
  useAway(delivery ? error : null);
  const data = device.isAway ? delivery : read;
  const line = data?.lines.find(({ item_id }) => item_id === progress.item_id);
  const back = () => set({});
  if (!data)
    return (
      <Screen title={t("order", { number: po })} back={back}>
        {booking.isPending && <Sending />}
        <Said {...{ done, device }} />
        <Refused error={error} />
        {error || device.isAway ? <OrderField {...{ set, booking, device }} /> : <Waiting />}
      </Screen>
    );
  if (line)
    return <Book {...{ po, po_id: data.purchase_order.po_id, line, progress, set, booking, device, delivery }} />;
  const choose = (chosen: Progress) => {
    booking.reset();
    set({ po, ...chosen });
  };
  const open = data.lines.filter(({ quantity_remaining }) => quantity_remaining > 0);
  return (
    <Screen title={t("order", { number: po })} back={back}>
      <Sent of={booking} />
      <Said {...{ done, device }} />
      <ItemField
        label={t("scanItem")}
        known={data.lines}
        found={({ item_id, requires_expiry, min_days_at_receipt, ...line }, { text, label }) => {
          const perScan = label.quantity ?? 1;
          const isSerial = line.serial_policy === "at_receipt";
          const quantity = isSerial ? Math.max(1, line.quantity_remaining) : perScan;
          const serials = isSerial && label.serial_number ? [label.serial_number] : [];
          const { lot_number: lot, expiry_date, best_before_date, production_date: produced } = label;
          const isDated = requires_expiry || min_days_at_receipt !== null;
          const expiry = expiry_date ?? (isDated ? best_before_date : null);
          choose({ item_id, scanned: text, quantity, perScan, lot, expiry, produced, serials });
        }}
      />
      <section>
        <h2>{open.length > 0 ? t("expected") : t("allReceived")}</h2>
        <ul className="choices">
          {open.map(({ po_line_id, item_id, sku, item_name, quantity_remaining, quantity_ordered }) => (
            <Choice
              key={po_line_id}
              title={sku}
              text={item_name}
              note={t("receivedOf", { received: quantity_ordered - quantity_remaining, ordered: quantity_ordered })}
              choose={() => choose({ item_id, quantity: quantity_remaining })}
            />
          ))}
        </ul>
      </section>
    </Screen>
  );
}
