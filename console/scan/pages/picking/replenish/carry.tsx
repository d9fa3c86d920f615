import type { ReactNode } from "react";
import type { Replenishment } from "../../../../../client/src/index.js";
import { t } from "../../../../texts/scan-replenish.js";
import { BinField } from "../../../components/bin-field.js";
import { ItemField, labelFor } from "../../../components/item-field.js";
import { Quantity, Screen } from "../../../components/parts.js";
import type { Scanning } from "../../../task.js";

/** What was scanned so far of a task. */
export interface Progress {
  task?: number;
  /** The item at its reserve bin was scanned, by this label where it says the lot. */
  taken?: { scanned_barcode?: string };
  isAtReserve?: boolean;
  quantity?: number;
  isAtFace?: boolean;
  isShort?: boolean;
}

export interface TaskBody {
  replenishment_id: number;
}
export interface CarryBody extends TaskBody {
  quantity: number;
  scanned_barcode?: string;
}

interface CarryProps {
  task: Replenishment;
  progress: Progress;
  set: (progress: Progress) => void;
  confirm: Scanning<CarryBody>;
  short: Scanning<TaskBody>;
  giveBack: Scanning<TaskBody>;
  /** How what was sent is going. */
  children: ReactNode;
}

/** The reserve bin, the item in it, how many, and the pick face. */
export function Carry({ task, progress, set, confirm, short, giveBack, children }: CarryProps) {
  const { replenishment_id, sku, item_name, lot_number, from_bin_id, from_bin_code, to_bin_id, to_bin_code } = task;
  const left = task.quantity - task.quantity_done;
  const of: Progress = progress.task === replenishment_id ? progress : { task: replenishment_id };
  const { taken, quantity = left, isAtReserve, isAtFace, isShort } = of;
  const isPending = confirm.isPending || short.isPending || giveBack.isPending;
  const back = of.isAtReserve || isShort ? () => set({ task: replenishment_id }) : undefined;
  /** Refuses every bin but that of the task. */
  const only = (wanted: number, code: string, then: Progress) => (bin: { bin_id: number }) => {
    if (bin.bin_id !== wanted) throw new Error(t("notThisBin", { wanted: code }));
    set({ ...of, ...then });
  };
  const put = () => void confirm.send({ replenishment_id, quantity, ...taken });
  const next = isShort ? (
    <button
      type="button"
      className="primary"
      disabled={isPending}
      onClick={() => void short.send({ replenishment_id })}
    >
      {t("shortNow")}
    </button>
  ) : (
    isAtFace && (
      <button type="button" className="primary" disabled={isPending || quantity < 1 || quantity > left} onClick={put}>
        {t("put", { quantity, sku, bin: to_bin_code })}
      </button>
    )
  );
  return (
    <Screen title={t("replenish")} back={back} next={next}>
      <div className="card">
        <p className="dim">{taken ? t("toFace") : t("fromReserve")}</p>
        <p className="place">{taken ? to_bin_code : from_bin_code}</p>
        <p className="amount">
          {left} × {sku}
        </p>
        {item_name}
        <p className="dim">
          {t("fromTo", { from: from_bin_code, to: to_bin_code })}
          {lot_number && ` · ${t("lot")} ${lot_number}`}
        </p>
      </div>
      {children}
      {isShort && <p>{t("shortHint", { bin: from_bin_code })}</p>}
      {!isShort && !isAtReserve && (
        <BinField
          label={t("scanReserve")}
          found={only(from_bin_id, from_bin_code, { task: replenishment_id, isAtReserve: true })}
        />
      )}
      {!isShort && isAtReserve && !taken && (
        <ItemField
          label={t("scanItem")}
          known={[task]}
          found={(row, scanned) => set({ ...of, taken: labelFor(row, scanned) })}
        />
      )}
      {taken && (
        <>
          <Quantity label={t("howMany")} value={quantity} max={left} set={(many) => set({ ...of, quantity: many })} />
          <BinField label={t("scanFace")} found={only(to_bin_id, to_bin_code, { isAtFace: true })} />
        </>
      )}
      {!taken && !isShort && (
        <>
          <button
            type="button"
            className="second"
            onClick={() => set({ task: replenishment_id, isShort: true })}
            disabled={isPending}
          >
            {t("noMore")}
          </button>
          <button
            type="button"
            className="second"
            onClick={() => void giveBack.send({ replenishment_id })}
            disabled={isPending}
          >
            {t("giveBack")}
          </button>
        </>
      )}
    </Screen>
  );
}
