import { useState } from "react";
import { api, useRead } from "../../../../shared/api.js";
import { t } from "../../../../texts/receiving.js";
import { ItemField } from "../../../components/item-field.js";
import { Done, Refused, Screen, Sending, Sent, Waiting } from "../../../components/parts.js";
import { ScanField } from "../../../components/scan-field.js";
import { useScans } from "../../../components/scans.js";
import { WaitingOrders } from "../../../components/waiting-orders.js";
import { useWarehouse } from "../../../components/warehouse.js";
import { plain, useLookUp } from "../../../look-up.js";
import { useProgress, useScanned } from "../../../task.js";
import { Book } from "./book.js";
import type { Progress, Receipt, ReceiveProps } from "./progress.js";

/** A purchase order, then an item of it, its quantity and its bin, again and again. */
export default function Receive() {
  const [progress, set] = useProgress<Progress>("receive", {});
  const [done, setDone] = useState("");
  const booking = useScanned(
    "receive",
    ({ body }: Receipt, options) => api.post("/api/receiving/receive", { body, ...options }),
    (_, { po, said }) => {
      setDone(t("received", said));
      set({ po });
    },
  );
  const { po } = progress;
  const props = { progress, set, booking, done };
  return po ? <Order po={po} {...props} /> : <ChooseOrder {...props} />;
}

function ChooseOrder({ set, booking, done }: ReceiveProps) {
  return (
    <Screen title={t("receive")}>
      <Sent of={booking} />
      {done && <Done>{done}</Done>}
      <OrderField {...{ set, booking }} />
    </Screen>
  );
}

function OrderField({ set, booking }: Pick<ReceiveProps, "set" | "booking">) {
  const { warehouse } = useWarehouse();
  const { scan } = useScans();
  const order = useLookUp(
    async (text) => {
      const { purchase_order } = await api.get("/api/receiving/po/{barcode}", { path: { barcode: plain(text) } });
      if (purchase_order.warehouse_id !== warehouse.id) throw new Error(t("notHere"));
      return purchase_order.po_number;
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
      <WaitingOrders to="receive" choose={scan} />
    </>
  );
}

function Order({ po, progress, set, booking, done }: ReceiveProps & { po: string }) {
  const { data, error } = useRead("/api/receiving/po/{barcode}", { path: { barcode: po } });
  const line = data?.lines.find(({ item_id }) => item_id === progress.item_id);
  const back = () => set({});
  if (!data)
    return (
      <Screen title={t("order", { number: po })} back={back}>
        {booking.isPending && <Sending />}
        {error ? <Refused error={error} /> : <Waiting />}
        {error && <OrderField {...{ set, booking }} />}
      </Screen>
    );
  if (line) return <Book {...{ po, po_id: data.purchase_order.po_id, line, progress, set, booking }} />;
  const choose = (chosen: Progress) => {
    booking.reset();
    set({ po, ...chosen });
  };
  const open = data.lines.filter(({ quantity_remaining }) => quantity_remaining > 0);
  return (
    <Screen title={t("order", { number: po })} back={back}>
      <Sent of={booking} />
      {done && <Done>{done}</Done>}
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
        <h2>{t("expected")}</h2>
        <ul className="choices">
          {open.map(({ po_line_id, item_id, sku, item_name, quantity_remaining, quantity_ordered }) => (
            <li key={po_line_id}>
              <button type="button" onClick={() => choose({ item_id, quantity: quantity_remaining })}>
                <span>
                  <strong>{sku}</strong> {item_name}
                </span>
                <span className="dim">
                  {t("remaining", { remaining: quantity_remaining, ordered: quantity_ordered })}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </section>
    </Screen>
  );
}
