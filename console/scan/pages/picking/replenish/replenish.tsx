import { useState } from "react";
import type { Replenishment } from "../../../../../client/src/index.js";
import { api, useRead } from "../../../../shared/api.js";
import { t } from "../../../../texts/scan-replenish.js";
import { BinField } from "../../../components/bin-field.js";
import { Choice, Done, NotYet, Screen, Sent } from "../../../components/parts.js";
import { useWarehouse } from "../../../components/warehouse.js";
import { useProgress, useScanned } from "../../../task.js";
import { Carry, type CarryBody, type Progress, type TaskBody } from "./carry.js";

/** Units of a reserve bin are carried to a pick face, one task after the other. */
export default function Replenish() {
  const { warehouse } = useWarehouse();
  const [progress, set] = useProgress<Progress>("replenish", {});
  const [said, say] = useState("");
  const { data, error } = useRead("/api/replenishment/tasks", { query: { warehouse_id: warehouse.id } });
  const goOn = (text: string) => {
    for (const step of steps) step.reset();
    say(text);
    set({});
  };
  const take = useScanned(
    "replenish.take",
    (body: Partial<TaskBody>, options) =>
      api.post("/api/replenishment/take", { body: { warehouse_id: warehouse.id, ...body }, ...options }),
    () => goOn(""),
  );
  const confirm = useScanned(
    "replenish.confirm",
    (body: CarryBody, options) => api.post("/api/replenishment/confirm", { body, ...options }),
    ({ task }, { quantity }) => goOn(t("carried", { quantity, sku: task.sku, bin: task.to_bin_code })),
  );
  const short = useScanned(
    "replenish.short",
    (body: TaskBody, options) => api.post("/api/replenishment/short", { body, ...options }),
    ({ task }) => goOn(t("willBeCounted", { bin: task.from_bin_code })),
  );
  const giveBack = useScanned(
    "replenish.give-back",
    (body: TaskBody, options) => api.post("/api/replenishment/give-back", { body, ...options }),
    () => goOn(t("givenBack")),
  );
  const steps = [take, confirm, short, giveBack];
  const sent = { isPending: steps.some((step) => step.isPending), error: steps.find((step) => step.error)?.error };
  if (!data) return <NotYet title={t("replenish")} error={error} isSending={sent.isPending} />;
  const task = data.tasks.find(({ status }) => status === "TAKEN");
  if (task)
    return (
      <Carry key={task.replenishment_id} {...{ task, progress, set, confirm, short, giveBack }}>
        <Sent of={sent} />
        {said && <Done>{said}</Done>}
      </Carry>
    );
  const choose = (body: Partial<TaskBody>) => void take.send(body);
  const next = data.tasks.length > 0 && (
    <button type="button" className="primary" onClick={() => choose({})} disabled={sent.isPending}>
      {t("takeFirst")}
    </button>
  );
  return (
    <Screen title={t("replenish")} next={next}>
      <Sent of={sent} />
      {said && <Done>{said}</Done>}
      <Waiting tasks={data.tasks} choose={({ replenishment_id }) => choose({ replenishment_id })} />
    </Screen>
  );
}

const Waiting = ({ tasks, choose }: { tasks: Replenishment[]; choose: (task: Replenishment) => void }) => (
  <>
    <BinField
      label={t("scanAnyReserve")}
      found={({ bin_id }) => {
        const task = tasks.find(({ from_bin_id }) => from_bin_id === bin_id);
        if (!task) throw new Error(t("noTaskHere"));
        choose(task);
      }}
    />
    <section>
      <h2>{tasks.length > 0 ? t("waiting") : t("nothing")}</h2>
      <ul className="choices">
        {tasks.map((task) => (
          <Choice
            key={task.replenishment_id}
            title={task.sku}
            text={task.is_urgent ? `${task.item_name} · ${t("urgent")}` : task.item_name}
            note={t("carry", {
              units: task.quantity - task.quantity_done,
              from: task.from_bin_code,
              to: task.to_bin_code,
            })}
            choose={() => choose(task)}
          />
        ))}
      </ul>
    </section>
  </>
);
