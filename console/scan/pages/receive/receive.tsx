import { useState } from "react";
import type { ReceivingLine } from "../../../../client/src/index.js";
import { api, useRead } from "../../../shared/api.js";
import { day } from "../../../shared/format.js";
import type { Scanned } from "../../../shared/gs1.js";
import { t } from "../../../texts/receiving.js";
import { Done, Quantity, Refused, Screen, Sending, Waiting } from "../../components/parts.js";
import { ScanField } from "../../components/scan-field.js";
import { WaitingOrders } from "../../components/waiting-orders.js";
import { useLookUp } from "../../look-up.js";
import { useProgress, useScanned } from "../../task.js";
import { useWarehouse } from "../../warehouse.js";

/** What was scanned so far. */
interface Progress {
  po?: string;
  item_id?: number;
  quantity?: number;
  lot?: string;
  expiry?: string;
  bin?: { bin_id: number; bin_code: string };
}

/** A purchase order, then an item of it, its quantity and its bin, again and again. */
export default function Receive() {
  const [progress, set] = useProgress<Progress>("receive", {});
  const { po } = progress;
  return po ? <Order {...{ po, progress, set }} /> : <ChooseOrder choose={(number) => set({ po: number })} />;
}

function ChooseOrder({ choose }: { choose: (po: string) => void }) {
  const { warehouse } = useWarehouse();
  const order = useLookUp(
    async (barcode: string) => {
      const { purchase_order } = await api.get("/api/receiving/po/{barcode}", { path: { barcode } });
      if (purchase_order.warehouse_id !== warehouse.id) throw new Error(t("notHere"));
      return purchase_order.po_number;
    },
    (number) => choose(number),
  );
  return (
    <Screen title={t("receive")}>
      <Refused error={order.error} scanned={order.variables} />
      <ScanField label={t("scanOrder")} onScan={({ code }) => order.mutate(code)} isBusy={order.isPending} />
      <WaitingOrders to="receive" choose={order.mutate} />
    </Screen>
  );
}

interface OrderProps {
  po: string;
  progress: Progress;
  set: (progress: Progress) => void;
}

function Order({ po, progress, set }: OrderProps) {
  const { data, error } = useRead("/api/receiving/po/{barcode}", { path: { barcode: po } });
  const [done, setDone] = useState("");
  const line = data?.lines.find(({ item_id }) => item_id === progress.item_id);
  const back = () => set({});
  if (!data)
    return (
      <Screen title={t("order", { number: po })} back={back}>
        {error ? <Refused error={error} /> : <Waiting />}
      </Screen>
    );
  const { po_id } = data.purchase_order;
  if (line) return <Book {...{ po, po_id, line, progress, set, setDone }} />;
  const open = data.lines.filter(({ quantity_remaining }) => quantity_remaining > 0);
  return (
    <Screen title={t("order", { number: po })} back={back}>
      {done && <Done>{done}</Done>}
      <ChooseItem
        lines={data.lines}
        choose={(item_id, { lot, expiry, quantity = 1 }) =>
          set({ po, item_id, quantity, ...(lot && { lot }), ...(expiry && { expiry }) })
        }
      />
      <section>
        <h2>{t("expected")}</h2>
        <ul className="choices">
          {open.map(({ po_line_id, item_id, sku, item_name, quantity_remaining, quantity_ordered }) => (
            <li key={po_line_id}>
              <button type="button" onClick={() => set({ po, item_id, quantity: quantity_remaining })}>
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

interface ChooseItemProps {
  lines: ReceivingLine[];
  choose: (item_id: number, scanned: Scanned) => void;
}

function ChooseItem({ lines, choose }: ChooseItemProps) {
  const item = useLookUp(
    async ({ code }: Scanned) => {
      const known = lines.find(({ sku, upc }) => sku === code || upc === code)?.item_id;
      // A barcode of the item that the order does not show.
      const id = known ?? (await api.get("/api/lookup/item/{barcode}", { path: { barcode: code } })).item.item_id;
      if (!lines.some(({ item_id }) => item_id === id)) throw new Error(t("notOnOrder", { code }));
      return id;
    },
    (id, scanned) => choose(id, scanned),
  );
  return (
    <>
      <Refused error={item.error} />
      <ScanField label={t("scanItem")} onScan={(scanned) => item.mutate(scanned)} isBusy={item.isPending} />
    </>
  );
}

interface Receipt {
  po_id: number;
  items: { item_id: number; quantity: number; bin_id: number; lot_number?: string; expiry_date?: string }[];
}

interface BookProps extends OrderProps {
  po_id: number;
  line: ReceivingLine;
  setDone: (text: string) => void;
}

function Book({ po, po_id, line, progress, set, setDone }: BookProps) {
  const { item_id, sku, item_name, quantity_remaining, quantity_ordered } = line;
  const { quantity = 1, lot, expiry, bin } = progress;
  const booking = useScanned(
    "receive",
    (body: Receipt, options) => api.post("/api/receiving/receive", { body, ...options }),
    () => {
      setDone(t("received", { quantity, sku, bin: bin?.bin_code ?? "" }));
      set({ po });
    },
  );
  const place = useLookUp(
    (barcode: string) => api.get("/api/lookup/bin/{barcode}", { path: { barcode } }),
    ({ bin: { bin_id, bin_code } }) => set({ ...progress, bin: { bin_id, bin_code } }),
  );
  const ofLot = { ...(lot && { lot_number: lot }), ...(expiry && { expiry_date: expiry }) };
  const book = () => bin && booking.send({ po_id, items: [{ item_id, quantity, bin_id: bin.bin_id, ...ofLot }] });
  const next = bin && (
    <button type="button" className="primary" onClick={book} disabled={booking.isPending || quantity < 1}>
      {t("book", { quantity, sku })}
    </button>
  );
  return (
    <Screen title={t("order", { number: po })} back={() => set({ po })} next={next}>
      <div className="card">
        <strong>{sku}</strong>
        {item_name}
        <p className="dim">{t("remaining", { remaining: quantity_remaining, ordered: quantity_ordered })}</p>
        {lot && (
          <p>
            {t("lotOf")}: {lot}
            {expiry && ` · ${t("bestBefore")} ${day(expiry)}`}
          </p>
        )}
        {bin && (
          <p>
            {t("bin")}: {bin.bin_code}
          </p>
        )}
      </div>
      {booking.isPending && <Sending />}
      <Refused error={booking.error ?? place.error} />
      <Quantity label={t("howMany")} value={quantity} set={(to) => set({ ...progress, quantity: to })} />
      {!bin && <ScanField label={t("binOf")} onScan={({ code }) => place.mutate(code)} isBusy={place.isPending} />}
    </Screen>
  );
}
