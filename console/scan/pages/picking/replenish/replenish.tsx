import { useState } from "react";
import type { Replenishment } from "../../../../../client/src/index.js";
import { api } from "../../../../shared/api.js";
import { t } from "../../../../texts/scan-replenish.js";
import { BinField } from "../../../components/bin-field.js";
import { Done, Quantity, Screen, Sent } from "../../../components/parts.js";
import { useWarehouse } from "../../../components/warehouse.js";
import { wrong } from "../../../signals.js";
import { useProgress, useScanned } from "../../../task.js";

interface Progress {
  task?: Replenishment;
  /** Whether the reserve bin was scanned. */
  isThere?: boolean;
  quantity?: number;
}

/** A task, the reserve bin that it takes from, how many, and the pick face that they are put into. */
export default function Replenish() {
  const { warehouse } = useWarehouse();
  const [{ task, isThere = false, quantity }, set] = useProgress<Progress>("replenish", {});
  const [done, setDone] = useState("");
  const [other, setOther] = useState("");
  const end = (text: string) => {
    setDone(text);
    set({});
  };
  const taking = useScanned(
    "replenish.take",
    (_: object, options) => api.post("/api/replenishment/take", { body: { warehouse_id: warehouse.id }, ...options }),
    (taken) => {
      setDone("");
      set({ task: taken });
    },
  );
  const carrying = useScanned(
    "replenish.carry",
    (body: { replenishment_id: number; quantity: number }, options) =>
      api.post("/api/replenishment/confirm", { body, ...options }),
    ({ task: { sku, to_bin_code, status, ...left } }, { quantity: units }) => {
      const text = t("carried", { quantity: units, sku, bin: to_bin_code });
      if (status === "DONE") end(text);
      else {
        setDone(text);
        set({ task: { sku, to_bin_code, status, ...left } });
      }
    },
  );
  const ending = useScanned(
    "replenish.end",
    ({ replenishment_id, as }: { replenishment_id: number; as: "short" | "give-back" }, options): Promise<unknown> =>
      api.post(`/api/replenishment/${as}`, { body: { replenishment_id }, ...options }),
    (_, { as }) => end(t(as === "short" ? "shortDone" : "givenBack")),
  );
  if (!task) {
    const next = (
      <button type="button" className="primary" disabled={taking.isPending} onClick={() => void taking.send({})}>
        {t("takeNext")}
      </button>
    );
    return (
      <Screen title={t("replenish")} next={next}>
        <Sent of={taking} />
        {done && <Done>{done}</Done>}
      </Screen>
    );
  }
  const { replenishment_id, sku, item_name, lot_number, from_bin_code, to_bin_code } = task;
  const left = task.quantity - task.quantity_done;
  const units = quantity ?? left;
  const expect =
    (bin_id: number, bin: string, then: () => unknown) => (found: { bin_id: number; bin_code: string }) => {
      if (found.bin_id === bin_id) {
        setOther("");
        return then();
      }
      wrong();
      return setOther(t("otherBin", { scanned: found.bin_code, bin }));
    };
  return (
    <Screen title={t("replenish")} back={isThere ? () => set({ task }) : undefined}>
      <div className="card">
        <strong>{sku}</strong>
        {item_name}
        {task.is_urgent && <p>{t("urgent")}</p>}
        {lot_number && (
          <p className="dim">
            {t("lot")} {lot_number}
          </p>
        )}
        <p className="place">{isThere ? to_bin_code : from_bin_code}</p>
        {isThere && <p>{t("carry", { quantity: units, sku, bin: to_bin_code })}</p>}
      </div>
      <Sent of={carrying} />
      <Sent of={ending} />
      {done && <Done>{done}</Done>}
      {other && <p role="alert">{other}</p>}
      {isThere ? (
        <>
          <Quantity
            label={t("howMany")}
            value={units}
            max={left}
            set={(many) => set({ task, isThere, quantity: many })}
          />
          <BinField
            key="to"
            label={t("scanTo")}
            found={expect(task.to_bin_id, to_bin_code, () => carrying.send({ replenishment_id, quantity: units }))}
          />
        </>
      ) : (
        <BinField
          key="from"
          label={t("scanFrom")}
          found={expect(task.from_bin_id, from_bin_code, () => set({ task, isThere: true }))}
        />
      )}
      <button type="button" onClick={() => void ending.send({ replenishment_id, as: "short" })}>
        {t("short")}
      </button>
      <button type="button" onClick={() => void ending.send({ replenishment_id, as: "give-back" })}>
        {t("giveBack")}
      </button>
    </Screen>
  );
}
