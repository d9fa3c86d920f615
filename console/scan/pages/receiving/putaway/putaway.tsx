import { useState } from "react";
import type { PendingPutAway } from "../../../../../client/src/index.js";
import { api, useRead } from "../../../../shared/api.js";
import { t } from "../../../../texts/scan-putaway.js";
import { BinField } from "../../../components/bin-field.js";
import { ItemField, labelFor } from "../../../components/item-field.js";
import { Choice, Done, NotYet, Quantity, Screen, Sent } from "../../../components/parts.js";
import { useWarehouse } from "../../../components/warehouse.js";
import { type Scanning, useProgress, useScanned } from "../../../task.js";
import { WhyHere } from "./why-here.js";

/** What was scanned so far: a row of stock, and the bin that it goes into. */
interface Progress {
  inventory_id?: number;
  quantity?: number;
  /** The label of the item as it was scanned. */
  scanned_barcode?: string;
  to?: { bin_id: number; bin_code: string };
}

interface PutAwayBody {
  item_id: number;
  from_bin_id: number;
  to_bin_id: number;
  quantity: number;
  lot_number: string | null;
  scanned_barcode?: string;
}

/** An item of a staging bin, how many of it, and the bin on the shelf, again and again. */
export default function PutAway() {
  const { warehouse } = useWarehouse();
  const [progress, set] = useProgress<Progress>("putaway", {});
  const [done, setDone] = useState("");
  const path = { warehouse_id: warehouse.id };
  const { data, error } = useRead("/api/putaway/pending/{warehouse_id}", { path });
  const putting = useScanned(
    "putaway",
    (body: PutAwayBody, options) => api.post("/api/putaway/confirm", { body, ...options }),
    ({ quantity, item, to_bin }) => {
      setDone(t("putDone", { quantity, sku: item, bin: to_bin }));
      set({});
    },
  );
  const row = data?.pending_items.find(({ inventory_id }) => inventory_id === progress.inventory_id);
  if (!data) return <NotYet title={t("putAway")} error={error} isSending={putting.isPending} />;
  if (row) return <Put {...{ row, progress, set, putting }} />;
  return (
    <Screen title={t("putAway")}>
      <Sent of={putting} />
      {done && <Done>{done}</Done>}
      <Pending
        rows={data.pending_items}
        choose={({ inventory_id, quantity }, label) => {
          putting.reset();
          set({ inventory_id, quantity, ...label });
        }}
      />
    </Screen>
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
  putting: Scanning<PutAwayBody>;
}

function Put({ row, progress, set, putting }: PutProps) {
  const { item_id, sku, item_name, bin_id, bin_code, lot_number, suggested_bin_id, suggested_bin_code } = row;
  const { quantity = 1, scanned_barcode, to } = progress;
  const body = { item_id, from_bin_id: bin_id, quantity, lot_number, ...(scanned_barcode && { scanned_barcode }) };
  const put = () => to && void putting.send({ ...body, to_bin_id: to.bin_id });
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
          <p className="place">{to.bin_code}</p>
        ) : (
          suggested_bin_code && (
            <>
              <p className="dim">{t("suggested")}</p>
              <p className="place">{suggested_bin_code}</p>
            </>
          )
        )}
      </div>
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
        except={bin_id}
        found={({ bin_id, bin_code }) => set({ ...progress, to: { bin_id, bin_code } })}
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
