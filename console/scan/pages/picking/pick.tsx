import { useState } from "react";
import { Link } from "react-router";
import { type CallOptions, type NewWave, Refusal } from "../../../../client/src/index.js";
import { api, useRead } from "../../../shared/api.js";
import { useMe } from "../../../shared/session.js";
import { t } from "../../../texts/scan-picking.js";
import { Done, Refused, Screen, Sending, Sent, Waiting } from "../../components/parts.js";
import { Print } from "../../components/print.js";
import { useWarehouse } from "../../components/warehouse.js";
import { plain } from "../../look-up.js";
import { type Scanning, SOON, useProgress, useScanned } from "../../task.js";
import { Collect } from "./collect.js";
import { PutBack } from "./on-device.js";
import type { Confirmation, Progress, ShortBody, TransferWalk } from "./progress.js";
import { Walk } from "./walk.js";
import { useKeptBatch, useWithoutNet } from "./without-net.js";

/** Orders of a wave, its tasks one after the other, and what it came to. */
export default function Pick() {
  const [progress, set] = useProgress<Progress>("pick", {});
  const [said, say] = useState("");
  const { data: active, error } = useRead("/api/picking/active-batch", SOON);
  const kept = useKeptBatch();
  const batch_id = kept ?? progress.batch_id ?? (active?.active ? active.batch_id : undefined);
  const device = useWithoutNet(batch_id, active !== undefined && batch_id === undefined, error);
  const goOn = () => set({ ...(progress.batch_id && { batch_id: progress.batch_id }) });
  const wave = useScanned(
    "pick.wave",
    (body: NewWave, options) => api.post("/api/picking/wave-create", { body, ...options }),
    () => {
      say("");
      set({});
    },
  );
  const take = useScanned(
    "pick.take",
    (path: TransferWalk, options): Promise<{ batch_id: number }> =>
      "to_id" in path
        ? api.post("/api/picking/transfer-orders/{to_id}/start-picking", { path, ...options })
        : api.post("/api/picking/batch/{batch_id}/take", { path, ...options }),
    ({ batch_id }) => set({ batch_id }),
  );
  const { warehouse } = useWarehouse();
  const nextBatch = useScanned(
    "pick.next",
    (_: Record<string, never>, options) =>
      api.post("/api/picking/next-batch", { body: { warehouse_id: warehouse.id }, ...options }),
    () => {
      say("");
      set({});
    },
  );
  const giveBack = useScanned(
    "pick.give-back",
    (body: { batch_id: number }, options) => api.post("/api/picking/give-back", { body, ...options }),
    () => {
      say(t("givenBack"));
      set({});
    },
  );
  const confirm = useScanned(
    "pick.confirm",
    (body: Confirmation, options) => confirmPick(body, warehouse.id, options),
    (_, { pick_task_id }) => {
      device.setDone(pick_task_id);
      device.forgetReport();
      goOn();
    },
    device.keeping<Confirmation>("confirm", goOn),
  );
  const short = useScanned(
    "pick.short",
    (body: ShortBody, options) => api.post("/api/picking/short", { body, ...options }),
    ({ replacements, task }, { pick_task_id }) => {
      device.setDone(pick_task_id);
      const bins = replacements.map(({ bin_code }) => bin_code);
      const found = replacements.reduce((units, { quantity_to_pick }) => units + quantity_to_pick, 0);
      const lacked = { bins, missing: task.shortage - found };
      set({ ...(progress.batch_id && { batch_id: progress.batch_id }), lacked });
    },
    device.keeping<ShortBody>("short", goOn),
  );
  const complete = useScanned(
    "pick.complete",
    (body: { batch_id: number }, options) => api.post("/api/picking/complete-batch", { body, ...options }),
    ({ batch_id, summary: { orders, total_items_picked, total_shorts } }) => {
      const numbers = orders.map(({ so_number }) => so_number);
      set({ finished: { batch_id, orders: numbers, units: total_items_picked, shorts: total_shorts } });
    },
  );
  const cancel = useScanned(
    "pick.cancel",
    (body: { batch_id: number }, options) => api.post("/api/picking/cancel-batch", { body, ...options }),
    () => {
      say(t("cancelled"));
      set({});
    },
  );
  if (progress.finished) return <Finished {...progress.finished} goOn={() => set({})} nextBatch={nextBatch} />;
  const steps = { wave, confirm, short, complete, cancel, giveBack };
  const { report, since, forgetReport } = device;
  if (report.refused.length > 0 && since === null) return <PutBack report={report} forget={forgetReport} />;
  if (batch_id) return <Walk key={batch_id} {...{ batch_id, progress, set, steps, goOn, device }} />;
  const isPending = [confirm, short, complete, cancel, giveBack].some((step) => step.isPending);
  if (!active)
    return (
      <Screen title={t("pick")}>
        {isPending && <Sending />}
        {error ? <Refused error={error} /> : <Waiting />}
      </Screen>
    );
  const failure = confirm.error ?? short.error ?? complete.error ?? cancel.error ?? giveBack.error;
  const isEnded = isOver(failure) || isOver(device.lease.error);
  return (
    <Collect {...{ progress, set, wave, take, nextBatch }}>
      {isPending && <Sending />}
      <Refused error={isEnded ? new Error(t("endedElsewhere")) : failure} />
      {said && <Done>{said}</Done>}
    </Collect>
  );
}

/** Whether it was refused because the wave had ended, as when the desk has cancelled it. */
const isOver = (error: unknown) =>
  error instanceof Refusal && ["task_not_pending", "batch_not_active"].includes(error.code);

/** Confirms a task by a scan. What is no code of its item may be that of a bin, and then it is called one. */
async function confirmPick(body: Confirmation, warehouse_id: number, options: CallOptions) {
  try {
    return await api.post("/api/picking/confirm", { body, ...options });
  } catch (error) {
    if (!(error instanceof Refusal && error.code === "wrong_item")) throw error;
    const path = { barcode: plain(body.scanned_barcode) };
    const isBin = await api.get("/api/lookup/bin/{barcode}", { path, query: { warehouse_id } }).then(
      () => true,
      () => false,
    );
    throw isBin ? new Refusal(error.status, "wrong_bin", error.message, error.body) : error;
  }
}

interface FinishedProps extends NonNullable<Progress["finished"]> {
  goOn: () => void;
  nextBatch: Scanning<Record<string, never>>;
}

/** What the wave came to; the next one begins from here, where one waits. */
function Finished({ batch_id, orders, units, shorts, goOn, nextBatch }: FinishedProps) {
  const mayPack = useMe().allowed_functions.includes("pack");
  const { warehouse } = useWarehouse();
  const batches = useRead("/api/work", { query: { warehouse_id: warehouse.id } }).data?.wave.total ?? 0;
  const next = (
    <>
      {mayPack && orders.length > 0 && (
        <Link className="button" to="/pack" onClick={goOn}>
          {t("toPack")}
        </Link>
      )}
      <button
        type="button"
        className="primary"
        onClick={() => (batches > 0 ? void nextBatch.send({}) : goOn())}
        disabled={nextBatch.isPending}
      >
        {batches > 0 ? t("nextBatch", { batches }) : t("newWave")}
      </button>
    </>
  );
  return (
    <Screen title={t("pick")} next={next} back={goOn}>
      <Sent of={nextBatch} />
      <Done>{t("picked", { units })}</Done>
      {shorts > 0 && <p>{t("shorts", { shorts })}</p>}
      {orders.length > 0 && (
        <section>
          <h2>{t("ordersOfWave")}</h2>
          <ul className="lines">
            {orders.map((number) => (
              <li key={number}>{number}</li>
            ))}
          </ul>
        </section>
      )}
      {orders.length > 0 && (
        <Print
          path={`/api/picking/batch/${batch_id}/labels`}
          label={t("toteLabels")}
          print={{ document: "tote_label", record_ids: [batch_id] }}
        />
      )}
    </Screen>
  );
}
