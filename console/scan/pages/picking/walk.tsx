import { useMemo, useState } from "react";
import type { NextPickTask, Refusal } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { day, wishes } from "../../../shared/format.js";
import { Icon } from "../../../shared/icons.js";
import { t as ofDamage } from "../../../texts/scan-damage.js";
import { t } from "../../../texts/scan-picking.js";
import { AllSent, NoNet } from "../../components/no-net.js";
import { Done, NotYet, Refused, Screen, Sending, Sent } from "../../components/parts.js";
import { Print } from "../../components/print.js";
import { ScanField } from "../../components/scan-field.js";
import { isSame, plain } from "../../look-up.js";
import { right, wrong } from "../../signals.js";
import { SOON } from "../../task.js";
import { useDamageOfPick } from "./damage-of-pick.js";
import { Held } from "./on-device.js";
import type { PickProps, Steps } from "./progress.js";
import { ShortPick } from "./short-pick.js";
import { WhyPicked } from "./why-picked.js";
import { type OnDevice, useOwnLease, whyWrong } from "./without-net.js";

interface WalkProps extends PickProps {
  batch_id: number;
  steps: Steps;
  /** To the next task. */
  goOn: () => void;
  device: OnDevice;
}

/** The tasks of a wave in the order of the walk. */
export function Walk({ batch_id, progress, set, steps, goOn, device }: WalkProps) {
  const { complete, cancel, giveBack, wave, confirm, short } = steps;
  const { walk, scans, report } = device;
  const isAway = device.since !== null;
  const read = useRead("/api/picking/batch/{batch_id}/next", { path: { batch_id }, ...SOON });
  const task = isAway ? (device.next ?? { message: "" }) : read.data;
  useOwnLease(device, isAway ? undefined : task, read.error, confirm.error ?? short.error);
  const damage = useDamageOfPick();
  const [wrongScan, setWrong] = useState<{ text: string; why: Refusal }>();
  const [early, setEarly] = useState<{ task: number; text: string }>();
  const shown = task && "pick_task_id" in task ? task.pick_task_id : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: since when this task is in sight
  const since = useMemo(() => performance.now(), [shown]);
  const back = progress.batch_id ? () => set({}) : undefined;
  if (device.heldBy) return <Held {...{ batch_id, device, steps, back }} />;
  if (!task || !device.isKnown) return <NotYet title={t("pick")} back={back} error={task ? null : read.error} />;
  if (progress.isCancelling) return <Cancel {...{ batch_id, cancel, goOn }} />;
  const away = isAway && <NoNet />;
  const told = damage.told && <Done>{ofDamage("leadDecides", { ...damage.told })}</Done>;
  const isPending = [confirm, short, complete, cancel, giveBack, wave].some((step) => step.isPending);
  const failure = confirm.error ?? short.error ?? complete.error ?? cancel.error ?? giveBack.error;
  if (!("pick_task_id" in task)) {
    const next = !isAway && (
      <button type="button" className="primary" onClick={() => void complete.send({ batch_id })} disabled={isPending}>
        {t("finish")}
      </button>
    );
    return (
      <Screen title={t("pick")} next={next} back={back}>
        {away}
        <AllSent of={report} />
        {isPending && <Sending />}
        <Refused error={failure} />
        <Lacked of={progress.lacked} />
        {told}
        <p>{t(isAway ? "allPickedHere" : "allPicked")}</p>
        {!isAway && <CancelButton ask={() => set({ ...progress, isCancelling: true })} />}
      </Screen>
    );
  }
  const { pick_task_id, quantity_to_pick, bin_code, bin_barcode } = task;
  const leased = () => (walk ? { lease_id: walk.lease_id, scanned_at: new Date().toISOString() } : {});
  const damaged = (units: number) => {
    set(progress.batch_id ? { batch_id: progress.batch_id } : {});
    damage.report(task, units);
  };
  if (progress.short?.task === pick_task_id)
    return <ShortPick {...{ task, progress, set, short, leased, isAway, damaged }} />;
  const scan = (text: string, at: number) => {
    // Scanned twice, before anybody saw that the next task is of the same item, in another bin.
    const before = scans.at(-1)?.input.done.body ?? confirm.input;
    const isEarly =
      at < since && before !== undefined && "scanned_barcode" in before && text === before.scanned_barcode;
    setWrong(undefined);
    setEarly(isEarly ? { task: pick_task_id, text } : undefined);
    if (isEarly) return wrong();
    const isBin = [bin_code, bin_barcode].some((code) => isSame(code, plain(text)));
    if (!isBin) {
      const why = isAway && walk && device.next && whyWrong(device.next, walk.tasks, text);
      if (why) {
        setWrong({ text, why });
        return wrong();
      }
      damage.forget();
      return confirm.send({ pick_task_id, scanned_barcode: text, quantity_picked: quantity_to_pick, ...leased() });
    }
    right();
    confirm.reset();
    set({ ...progress, at: pick_task_id });
  };
  const lacks = () => {
    confirm.reset();
    set({ ...progress, short: { task: pick_task_id, found: 0 } });
  };
  const next = (
    <div className="row halves">
      {!isAway && (
        <button type="button" className="second" onClick={() => damaged(1)} disabled={isPending}>
          {t("damagedHere")}
        </button>
      )}
      <button type="button" className="second" onClick={lacks} disabled={isPending}>
        {t("lessHere")}
      </button>
    </div>
  );
  return (
    <Screen title={t("pickOf", { number: task.pick_number, total: task.total_picks })} next={next} back={back}>
      {away}
      <AllSent of={report} />
      <Lacked of={progress.lacked} />
      {told}
      <TaskCard task={task} isThere={progress.at === pick_task_id} />
      {!isAway && <WhyPicked key={pick_task_id} task={pick_task_id} />}
      {isPending && <Sending />}
      <Refused error={failure} scanned={confirm.error ? confirm.input?.scanned_barcode : undefined} />
      <Refused error={early?.task === pick_task_id && new Error(t("early"))} scanned={early?.text} />
      <Refused error={wrongScan?.why} scanned={wrongScan?.text} />
      <ScanField label={t("scanBinOrItem")} onScan={scan} />
      {!isAway && (
        <Print
          path={`/api/picking/batch/${batch_id}/labels`}
          label={t("toteLabels")}
          print={{ document: "tote_label", record_ids: [batch_id] }}
        />
      )}
      {!isAway && task.pick_number === 1 && !task.to_number && (
        <button type="button" className="second" onClick={() => void giveBack.send({ batch_id })} disabled={isPending}>
          {t("giveBack")}
        </button>
      )}
      {!isAway && <CancelButton ask={() => set({ ...progress, isCancelling: true })} />}
      {walk && <p className="dim">{t("thisDevice", { device: walk.device })}</p>}
    </Screen>
  );
}

/** Where the rest of the last task is, as far as there is any. */
function Lacked({ of }: { of: PickProps["progress"]["lacked"] }) {
  if (!of) return null;
  const { bins, missing } = of;
  return (
    <p className="notice" role="status">
      {bins.length > 0 && t("restIn", { bins: [...new Set(bins)].join(", ") })}{" "}
      {missing > 0 && t("restNowhere", { missing })}
    </p>
  );
}

function TaskCard({ task, isThere }: { task: NextPickTask; isThere: boolean }) {
  const { bin_code, zone, aisle, row_num, level_num, sku, item_name, quantity_to_pick, lot_number, expiry_date } = task;
  const { contributing_orders, line_properties } = task;
  const where = [zone, aisle, row_num, level_num].filter(Boolean).join(" · ");
  const whose = task.to_number ?? task.so_number;
  const wished = line_properties.filter(({ properties }) => wishes(properties));
  return (
    <div className="card">
      <p className="place">{bin_code}</p>
      <p className="dim">
        {isThere ? (
          <>
            <Icon of="check" /> {t("rightBin")}
          </>
        ) : (
          where
        )}
      </p>
      <p className="amount">
        {quantity_to_pick} × {sku}
      </p>
      <TheLot {...{ lot_number, expiry_date }} />
      {item_name}
      {wished.length > 0 && (
        <ul>
          {wished.map(({ so_line_id, so_number, quantity, properties }) => (
            <li key={so_line_id}>
              {t("forOrder", { quantity, number: so_number })}: <strong>{wishes(properties)}</strong>
            </li>
          ))}
        </ul>
      )}
      {contributing_orders.length > 0 ? (
        <ul className="dim">
          {contributing_orders.map(({ so_number, quantity }) => (
            <li key={so_number}>{t("forOrder", { quantity, number: so_number })}</li>
          ))}
        </ul>
      ) : (
        whose && <p className="dim">{[whose, task.tote_number].filter(Boolean).join(" · ")}</p>
      )}
    </div>
  );
}

/** Which units are to be taken, where not all of the item are the same. */
function TheLot({ lot_number, expiry_date }: Pick<NextPickTask, "lot_number" | "expiry_date">) {
  if (!lot_number && !expiry_date) return null;
  return (
    <dl className="the-lot">
      {lot_number && (
        <div>
          <dt>{t("lot")}</dt>
          <dd>{lot_number}</dd>
        </div>
      )}
      {expiry_date && (
        <div>
          <dt>{t("expiry")}</dt>
          <dd>{day(expiry_date)}</dd>
        </div>
      )}
    </dl>
  );
}

const CancelButton = ({ ask }: { ask: () => void }) => (
  <button type="button" className="second" onClick={ask}>
    {t("cancelWave")}
  </button>
);

interface CancelProps {
  batch_id: number;
  cancel: Steps["cancel"];
  goOn: () => void;
}

function Cancel({ batch_id, cancel, goOn }: CancelProps) {
  const next = (
    <>
      <button
        type="button"
        className="second"
        onClick={() => void cancel.send({ batch_id })}
        disabled={cancel.isPending}
      >
        {t("cancelWave")}
      </button>
      <button type="button" className="primary" onClick={goOn} disabled={cancel.isPending}>
        {t("goOn")}
      </button>
    </>
  );
  return (
    <Screen title={t("cancelWave")} next={next} back={goOn}>
      <Sent of={cancel} />
      <p>{t("cancelReally")}</p>
    </Screen>
  );
}
