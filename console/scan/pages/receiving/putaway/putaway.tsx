import { useState } from "react";
import type { PendingPutAway } from "../../../../../client/src/index.js";
import { t } from "../../../../texts/scan-putaway.js";
import { BinField } from "../../../components/bin-field.js";
import { ItemField, labelFor } from "../../../components/item-field.js";
import { WithoutService } from "../../../components/look-ups.js";
import { AllSent, NoNet } from "../../../components/no-net.js";
import { Choice, Done, NotYet, Quantity, Screen, Sent } from "../../../components/parts.js";
import { useWarehouse } from "../../../components/warehouse.js";
import { useAway, useNet } from "../../../kept/net.js";
import { type Scanning, useProgress, useScanned } from "../../../task.js";
import { usePending } from "../on-device/deliveries.js";
import { type Bin, type PutAway as PutAwayDone, putAway } from "../on-device/done.js";
import { useOnDevice } from "../on-device/on-device.js";
import { keysOf, type Row } from "../on-device/reckon.js";
import { Refusals } from "../on-device/refusals.js";
import { WhyHere } from "./why-here.js";

/** What was scanned so far: a row of stock, and the bin that it goes into. */
interface Progress {
  inventory_id?: number;
  quantity?: number;
  /** The label of the item as it was scanned. */
  scanned_barcode?: string;
  to?: Bin;
}

/** An item of a staging bin, how many of it, and the bin on the shelf, again and again. */
export default function PutAway() {
  const { warehouse } = useWarehouse();
  const [progress, set] = useProgress<Progress>("putaway", {});
  const [last, setDone] = useState({ text: "", isKept: false });
  const device = useOnDevice();
  const { data: read, error } = usePending(warehouse.id);
  useAway(error);
  const rows = device.isAway ? device.rows : read;
  const putting = useScanned(
    "putaway",
    putAway,
    ({ quantity, item, to_bin }) => {
      setDone({ text: t("putDone", { quantity, sku: item, bin: to_bin }), isKept: false });
      device.tellDone();
      set({});
    },
    device.keeping<PutAwayDone>(
      "putaway",
      "put",
      ({ item_id, from_bin_id, lot_number, quantity }) => {
        const isOf = (row: Row) =>
          row.item_id === item_id && row.bin_id === from_bin_id && row.lot_number === lot_number;
        const row = device.rows.find(isOf);
        return row ? keysOf(row, quantity) : [];
      },
      ({ quantity, said }) => {
        setDone({ text: t("putKept", { quantity, ...said }), isKept: true });
        set({});
      },
    ),
  );
  const row = rows?.find(({ inventory_id }) => inventory_id === progress.inventory_id);
  if (!rows) return <NotYet title={t("putAway")} error={error} isSending={putting.isPending} />;
  const done = last.isKept && !device.isAway ? "" : last.text;
  return (
    <WithoutService device={device}>
      {row ? (
        <Put {...{ row, progress, set, putting }} />
      ) : (
        <Screen title={t("putAway")}>
          <Sent of={putting} />
          <NoNet />
          <AllSent of={device.news} />
          <Refusals of={device.news} />
          {done && <Done>{done}</Done>}
          <Pending
            rows={rows}
            choose={({ inventory_id, quantity }, label) => {
              putting.reset();
              set({ inventory_id, quantity, ...label });
            }}
          />
        </Screen>
      )}
    </WithoutService>
  );
}

interface PendingProps {
  rows: PendingPutAway[];
  choose: (row: PendingPutAway, label?: { scanned_barcode?: string }) => void;
}

function Pending({ rows, choose }: PendingProps) {
  return (
    <>
      <ItemField label={t("scanItem")} known={rows} found={(row, scanned) => choose(row, labelFor(row, scanned))} />
      <section>
        <h2>{rows.length > 0 ? t("waiting") : t("nothing")}</h2>
        <ul className="choices">
          {rows.map((row) => (
            <Choice
              key={row.inventory_id}
              title={row.sku}
              text={row.lot_number ? `${row.item_name} · ${t("lot")} ${row.lot_number}` : row.item_name}
              note={`${row.quantity} · ${row.bin_code}`}
              choose={() => choose(row)}
            />
          ))}
        </ul>
      </section>
    </>
  );
}

interface PutProps {
  row: PendingPutAway;
  progress: Progress;
  set: (progress: Progress) => void;
  putting: Scanning<PutAwayDone>;
}

function Put({ row, progress, set, putting }: PutProps) {
  const { item_id, sku, item_name, bin_id, bin_code, lot_number, suggested_bin_id, suggested_bin_code } = row;
  const { warehouse } = useWarehouse();
  const isAway = useNet().since !== null;
  const { quantity = 1, scanned_barcode, to } = progress;
  const put = () => {
    if (!to) return;
    const said = { sku, from: bin_code, to: to.bin_code, warehouse_id: warehouse.id };
    const units = { item_id, from_bin_id: bin_id, to_bin_id: to.bin_id, quantity, lot_number };
    void putting.send({ ...units, ...(scanned_barcode && { scanned_barcode }), said });
  };
  const next = to && (
    <button type="button" className="primary" onClick={put} disabled={putting.isPending || quantity < 1}>
      {t("put", { quantity, sku, bin: to.bin_code })}
    </button>
  );
  return (
    <Screen title={t("putAway")} back={() => set({})} next={next}>
      <div className="card">
        <strong>{sku}</strong>
        {item_name}
        <p className="dim">
          {t("from")} {bin_code}
          {lot_number && ` · ${t("lot")} ${lot_number}`}
        </p>
        {to ? (
          <>
            <p className="place">{to.bin_code}</p>
            {isAway && <p>{to.bin_id === null ? t("unchecked", { bin: to.bin_code }) : t("notChecked")}</p>}
          </>
        ) : (
          suggested_bin_code && (
            <>
              <p className="dim">{t("suggested")}</p>
              <p className="place">{suggested_bin_code}</p>
            </>
          )
        )}
      </div>
      <NoNet />
      <Sent of={putting} />
      {!to && row.why && <WhyHere of={row.why} />}
      <Quantity
        label={t("howMany")}
        value={quantity}
        max={row.quantity}
        set={(many) => set({ ...progress, quantity: many })}
      />
      <BinField
        label={to ? t("otherBin") : t("scanBin")}
        except={{ bin_id, bin_code }}
        found={({ bin_id, bin_code }) => set({ ...progress, to: { bin_id, bin_code } })}
        unknown={(bin_code) => set({ ...progress, to: { bin_id: null, bin_code } })}
      />
      {!to && suggested_bin_id && suggested_bin_code && (
        <button
          type="button"
          className="second"
          onClick={() => set({ ...progress, to: { bin_id: suggested_bin_id, bin_code: suggested_bin_code } })}
        >
          {suggested_bin_code}: {t("useIt")}
        </button>
      )}
    </Screen>
  );
}
