import { useState } from "react";
import { api } from "../../../shared/api.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/scan-stock.js";
import { BinField } from "../../components/bin-field.js";
import { Done, Quantity, Screen, Sent } from "../../components/parts.js";
import { useWarehouse } from "../../components/warehouse.js";
import { type Scanning, useProgress, useScanned } from "../../task.js";
import { ChooseStock } from "./choose-stock.js";
import type { Bin, Chosen, Progress } from "./progress.js";

/** What is sent: lot and label within a warehouse, the warehouses between two. */
interface MoveBody {
  chosen: Chosen;
  from: Bin;
  to: Bin;
  quantity: number;
}

/** The bin to take from, an item in it, how many, and the bin to put them into. */
export default function Move() {
  const [progress, set] = useProgress<Progress>("move", {});
  const [done, setDone] = useState("");
  const { from, chosen } = progress;
  const moving = useScanned(
    "move",
    ({ chosen, from, to, quantity }: MoveBody, options): Promise<unknown> => {
      const { item_id, lot_number, scanned_barcode } = chosen;
      const body = { item_id, from_bin_id: from.bin_id, to_bin_id: to.bin_id, quantity };
      const label = { lot_number, ...(scanned_barcode && { scanned_barcode }) };
      if (from.warehouse_id === to.warehouse_id)
        return api.post("/api/transfers/move", { body: { ...body, ...label }, ...options });
      const between = { from_warehouse_id: from.warehouse_id, to_warehouse_id: to.warehouse_id };
      return api.post("/api/admin/inter-warehouse-transfer", { body: { ...body, ...between }, ...options });
    },
    (_, { quantity, to, chosen: { sku } }) => {
      setDone(t("moved", { quantity, sku, bin: to.bin_code }));
      set({});
    },
  );
  if (from && chosen) return <Put {...{ from, chosen, progress, set, moving }} />;
  if (from) {
    const choose = (one: Chosen, scanned?: string) => set({ from, chosen: one, scanned, quantity: 1 });
    return <ChooseStock from={from} choose={choose} back={() => set({})} />;
  }
  return (
    <Screen title={t("move")}>
      <Sent of={moving} />
      {done && <Done>{done}</Done>}
      <BinField
        label={t("scanFrom")}
        found={({ bin_id, bin_code, bin_barcode, warehouse_id }) => {
          moving.reset();
          set({ from: { bin_id, bin_code, bin_barcode, warehouse_id } });
        }}
      />
    </Screen>
  );
}

interface PutProps {
  from: Bin;
  chosen: Chosen;
  progress: Progress;
  set: (progress: Progress) => void;
  moving: Scanning<MoveBody>;
}

function Put({ from, chosen, progress, set, moving }: PutProps) {
  const me = useMe();
  const { warehouses } = useWarehouse();
  const { quantity = 1, scanned, to } = progress;
  const { sku, item_name, lot_number, on_hand } = chosen;
  const elsewhere = to && to.warehouse_id !== from.warehouse_id && warehouses.find(({ id }) => id === to.warehouse_id);
  const next = to && (
    <button
      type="button"
      className="primary"
      disabled={moving.isPending || quantity < 1}
      onClick={() => void moving.send({ chosen, from, to, quantity })}
    >
      {t("moveTo", { quantity, sku, bin: to.bin_code })}
    </button>
  );
  return (
    <Screen title={t("move")} back={() => set({ from })} next={next}>
      <div className="card">
        <strong>{sku}</strong>
        {item_name}
        <p className="dim">
          {t("from")} {from.bin_code}
          {lot_number && ` · ${t("lot")} ${lot_number}`}
        </p>
        {to && <p className="place">{to.bin_code}</p>}
        {elsewhere && (
          <p>
            {t("otherWarehouse")}: {elsewhere.code} {elsewhere.name}
          </p>
        )}
      </div>
      <Sent of={moving} />
      <Quantity
        label={t("howMany")}
        value={quantity}
        max={on_hand}
        set={(many) => set({ ...progress, quantity: many })}
      />
      <BinField
        label={to ? t("otherBin") : t("scanTo")}
        except={from}
        anywhere={mayOpen(me, "inter-warehouse-transfers")}
        again={{ label: scanned, oneMore: () => set({ ...progress, quantity: Math.min(on_hand, quantity + 1) }) }}
        found={({ bin_id, bin_code, bin_barcode, warehouse_id }) =>
          set({ ...progress, to: { bin_id, bin_code, bin_barcode, warehouse_id } })
        }
      />
    </Screen>
  );
}
