import type { NextPickTask } from "../../../../client/src/index.js";
import { t } from "../../../texts/scan-picking.js";
import { Choice, Quantity, Screen, Sent } from "../../components/parts.js";
import type { Scanning } from "../../task.js";
import type { PickProps, ShortBody } from "./progress.js";

interface ShortPickProps extends PickProps {
  task: NextPickTask;
  short: Scanning<ShortBody>;
  /** For what is sent with it. */
  leased: () => Partial<ShortBody>;
  isAway: boolean;
  /** Reports so many units as damaged. */
  damaged: (units: number) => void;
}

/** How many are there, and why there are no more. */
export function ShortPick({ task, progress, set, short, leased, isAway, damaged }: ShortPickProps) {
  const { pick_task_id, quantity_to_pick, sku, item_name, bin_code } = task;
  const found = progress.short?.found ?? 0;
  const { short: _, ...before } = progress;
  const because = (reason: string) => {
    if (short.isPending) return;
    // In the net damaged units are taken out of sale; without it, that they are missing is all that can be kept.
    if (reason === t("damaged") && !isAway) return damaged(quantity_to_pick - Math.max(0, found));
    void short.send({ pick_task_id, quantity_available: Math.max(0, found), reason, ...leased() });
  };
  return (
    <Screen title={t("lessHere")} back={() => set(before)}>
      <div className="card">
        <p className="place">{bin_code}</p>
        <p className="amount">
          {quantity_to_pick} × {sku}
        </p>
        {item_name}
      </div>
      <Sent of={short} />
      {isAway && <p className="notice">{t("shortWithoutNet")}</p>}
      <Quantity
        label={t("found")}
        min={0}
        max={quantity_to_pick - 1}
        value={found}
        set={(to) => set({ ...progress, short: { task: pick_task_id, found: to } })}
      />
      <section>
        <h2>{t("whyLess")}</h2>
        <ul className="choices">
          {[t("notThere"), t("damaged"), t("wrongItem")].map((reason) => (
            <Choice key={reason} title={reason} choose={() => because(reason)} />
          ))}
        </ul>
      </section>
    </Screen>
  );
}
