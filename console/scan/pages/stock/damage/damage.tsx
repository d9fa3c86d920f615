import { useState } from "react";
import { useNavigate } from "react-router";
import { api, useRead } from "../../../../shared/api.js";
import { useMe } from "../../../../shared/session.js";
import { t } from "../../../../texts/scan-damage.js";
import { BinField } from "../../../components/bin-field.js";
import { ItemField } from "../../../components/item-field.js";
import { Choice, Done, NotYet, Quantity, Screen, Sent } from "../../../components/parts.js";
import { useWarehouse } from "../../../components/warehouse.js";
import { type Scanning, useProgress, useScanned } from "../../../task.js";
import { ChooseStock } from "../choose-stock.js";
import type { Bin, Chosen, Progress as MoveProgress } from "../progress.js";
import type { OfPick as OfPickOf, Progress, Reported } from "./progress.js";

interface Report {
  bin: Bin;
  chosen: Chosen;
  quantity: number;
  reason: string;
  ofPick: boolean;
}

/** The bin, the item in it, how many are damaged, and how: they leave what is sold, and a lead decides about them. */
export default function Damage() {
  const [progress, set] = useProgress<Progress>("damage", {});
  const [last, setLast] = useState<{ reported: Reported; bin: Bin; chosen: Chosen }>();
  const navigate = useNavigate();
  const { bin, chosen } = progress;
  const reporting = useScanned(
    "damage",
    ({ bin: { bin_id }, chosen, quantity, reason }: Report, options) => {
      const { item_id, lot_number, scanned_barcode } = chosen;
      const body = { item_id, bin_id, lot_number, quantity, reason, ...(scanned_barcode && { scanned_barcode }) };
      return api.post("/api/inventory/report-damage", { body, ...options });
    },
    ({ inspection_id }, { bin, chosen, quantity, ofPick }) => {
      const reported = { quantity, sku: chosen.sku, bin: bin.bin_code, number: inspection_id ?? 0 };
      set(ofPick ? { told: reported } : {});
      if (ofPick) void navigate("/pick");
      else setLast({ reported, bin, chosen });
    },
  );
  if (progress.ofPick) {
    const leave = () => {
      set({});
      void navigate("/pick");
    };
    return <OfPick {...{ progress, set, reporting }} of={progress.ofPick} back={leave} />;
  }
  if (bin && chosen) return <HowMany {...{ bin, chosen, progress, set, reporting }} back={() => set({ bin })} />;
  if (bin) {
    const choose = (one: Chosen, scanned?: string) => set({ bin, chosen: one, scanned, quantity: 1 });
    return <ChooseStock from={bin} choose={choose} back={() => set({})} />;
  }
  return (
    <Screen title={t("damage")}>
      <Sent of={reporting} />
      {last && !reporting.isPending && (
        <>
          <Done>{t("leadDecides", { ...last.reported })}</Done>
          <Carry {...last} />
        </>
      )}
      <BinField
        label={t("scanBin")}
        found={({ bin_id, bin_code, bin_barcode, warehouse_id }) => {
          reporting.reset();
          setLast(undefined);
          set({ bin: { bin_id, bin_code, bin_barcode, warehouse_id } });
        }}
      />
    </Screen>
  );
}

/** To where damaged goods are collected, for who may move stock: the units in quarantine are moved first there. */
function Carry({ bin: from, chosen, reported: { quantity } }: { bin: Bin; chosen: Chosen; reported: Reported }) {
  const [, setMove] = useProgress<MoveProgress>("move", {});
  const navigate = useNavigate();
  if (!useMe().allowed_functions.includes("transfer")) return null;
  const carry = () => {
    setMove({ from, chosen, quantity });
    void navigate("/move");
  };
  return (
    <button type="button" className="second" onClick={carry}>
      {t("carry")}
    </button>
  );
}

interface HowManyProps {
  bin: Bin;
  chosen: Chosen;
  progress: Progress;
  set: (progress: Progress) => void;
  reporting: Scanning<Report>;
  back: () => void;
}

/** The stock that a pick is of. */
function OfPick({ of, back, ...step }: Omit<HowManyProps, "bin" | "chosen"> & { of: OfPickOf }) {
  const { warehouse } = useWarehouse();
  const { data, error } = useRead("/api/lookup/bin/{barcode}", {
    path: { barcode: of.bin_barcode },
    query: { warehouse_id: warehouse.id },
  });
  if (!data) return <NotYet title={t("damage")} back={back} error={error} isSending={step.reporting.isPending} />;
  const row = data.items.find(({ sku, lot_number }) => sku === of.sku && lot_number === of.lot_number);
  if (!row) return <NotYet title={t("damage")} back={back} error={new Error(t("notThere", { sku: of.sku }))} />;
  const { item_id, sku, item_name, lot_number, quantity_on_hand: on_hand } = row;
  return <HowMany {...step} bin={data.bin} chosen={{ item_id, sku, item_name, lot_number, on_hand }} back={back} />;
}

function HowMany({ bin, chosen, progress, set, reporting, back }: HowManyProps) {
  const { quantity = 1 } = progress;
  const ofPick = progress.ofPick !== undefined;
  const { sku, item_name, lot_number, on_hand } = chosen;
  const change = (to: number) => {
    reporting.reset();
    set({ ...progress, quantity: Math.min(on_hand, to) });
  };
  return (
    <Screen title={t("damageOf", { bin: bin.bin_code })} back={back}>
      <div className="card">
        <strong>{sku}</strong>
        {item_name}
        {lot_number && (
          <p className="dim">
            {t("lot")} {lot_number}
          </p>
        )}
      </div>
      <Sent of={reporting} />
      <Quantity label={t("howMany")} value={quantity} max={on_hand} set={change} />
      <section>
        <h2>{t("whatHappened")}</h2>
        <ul className="choices">
          {[t("broken"), t("packaging"), t("dirty"), t("spoiled")].map((reason) => (
            <Choice
              key={reason}
              title={reason}
              choose={() =>
                !reporting.isPending && quantity > 0 && void reporting.send({ bin, chosen, quantity, reason, ofPick })
              }
            />
          ))}
        </ul>
      </section>
      <ItemField label={t("scanMore")} known={[{ ...chosen, upc: null }]} found={() => change(quantity + 1)} />
    </Screen>
  );
}
