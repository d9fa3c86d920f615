import { useState } from "react";
import { Link } from "react-router";
import type { NewWave } from "../../../../client/src/index.js";
import { api, useRead } from "../../../shared/api.js";
import { useMe } from "../../../shared/session.js";
import { t } from "../../../texts/scan-pick.js";
import { Done, Print, Refused, Screen, Waiting } from "../../components/parts.js";
import { useProgress, useScanned } from "../../task.js";
import { Collect } from "./collect.js";
import type { Progress } from "./progress.js";
import { Walk } from "./walk.js";

/** Orders of a wave, its tasks one after the other, and what it came to. */
export default function Pick() {
  const [progress, set] = useProgress<Progress>("pick", {});
  const [said, say] = useState("");
  const { data: active, error } = useRead("/api/picking/active-batch");
  const wave = useScanned(
    "pick.wave",
    (body: NewWave, options) => api.post("/api/picking/wave-create", { body, ...options }),
    () => {
      say("");
      set({});
    },
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
  if (progress.finished) return <Finished {...progress.finished} goOn={() => set({})} />;
  const batch_id = progress.batch_id ?? (active?.active ? active.batch_id : undefined);
  if (batch_id) return <Walk key={batch_id} {...{ batch_id, progress, set, steps: { wave, complete, cancel } }} />;
  if (!active) return <Screen title={t("pick")}>{error ? <Refused error={error} /> : <Waiting />}</Screen>;
  return (
    <Collect {...{ progress, set, wave }}>
      <Refused error={complete.error ?? cancel.error} />
      {said && <Done>{said}</Done>}
    </Collect>
  );
}

function Finished({ batch_id, orders, units, shorts, goOn }: NonNullable<Progress["finished"]> & { goOn: () => void }) {
  const mayPack = useMe().allowed_functions.includes("pack");
  const next = (
    <>
      {mayPack && orders.length > 0 && (
        <Link className="button" to="/pack" onClick={goOn}>
          {t("toPack")}
        </Link>
      )}
      <button type="button" className="primary" onClick={goOn}>
        {t("newWave")}
      </button>
    </>
  );
  return (
    <Screen title={t("pick")} next={next} back={goOn}>
      <Done>{t("picked", { units })}</Done>
      {shorts > 0 && <p>{t("shorts", { shorts })}</p>}
      <section>
        <h2>{t("ordersOfWave")}</h2>
        <ul className="lines">
          {orders.map((number) => (
            <li key={number}>{number}</li>
          ))}
        </ul>
      </section>
      {orders.length > 0 && <Print path={`/api/picking/batch/${batch_id}/labels`} label={t("toteLabels")} />}
    </Screen>
  );
}
