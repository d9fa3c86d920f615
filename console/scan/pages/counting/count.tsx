import { useState } from "react";
import { api, useRead } from "../../../shared/api.js";
import { t } from "../../../texts/scan-counting.js";
import { BinField } from "../../components/bin-field.js";
import { Choice, Done, Refused, Screen, Sending, Waiting } from "../../components/parts.js";
import { useWarehouse } from "../../components/warehouse.js";
import { useProgress, useScanned } from "../../task.js";
import { type CountBody, type Counted, Sheet } from "./sheet.js";

interface NewCount {
  warehouse_id: number;
  bin_ids: number[];
}

/** A bin, what is in it item by item, and off it goes. */
export default function Count() {
  const { warehouse } = useWarehouse();
  const [progress, set] = useProgress<Partial<Counted>>("count", {});
  const [done, setDone] = useState("");
  const begin = (count_id: number) => set({ count_id, quantities: {}, others: [] });
  const create = useScanned(
    "count.create",
    (body: NewCount, options) => api.post("/api/inventory/cycle-count/create", { body, ...options }),
    ({ counts: [made] }) => made && begin(made.count_id),
  );
  const submit = useScanned(
    "count.submit",
    (body: CountBody, options) => api.post("/api/inventory/cycle-count/submit", { body, ...options }),
    ({ bin_code, summary: { lines_with_variance: lines } }) => {
      setDone(lines > 0 ? t("differs", { bin: bin_code, lines }) : t("matches", { bin: bin_code }));
      set({});
    },
  );
  const { count_id, quantities = {}, others = [] } = progress;
  if (count_id)
    return (
      <Sheet key={count_id} counted={{ count_id, quantities, others }} {...{ set, submit }} leave={() => set({})} />
    );
  return (
    <Screen title={t("count")}>
      {(create.isPending || submit.isPending) && <Sending />}
      <Refused error={create.error ?? submit.error} />
      {done && <Done>{done}</Done>}
      <Open take={begin} create={(bin_id) => create.send({ warehouse_id: warehouse.id, bin_ids: [bin_id] })} />
    </Screen>
  );
}

interface OpenProps {
  take: (count_id: number) => void;
  create: (bin_id: number) => Promise<void>;
}

/** The counts that somebody asked for; a bin that has none gets one. */
function Open({ take, create }: OpenProps) {
  const { warehouse } = useWarehouse();
  const query = { warehouse_id: warehouse.id };
  const { data, error } = useRead("/api/inventory/cycle-counts/open", { query });
  if (!data) return error ? <Refused error={error} /> : <Waiting />;
  const { counts } = data;
  return (
    <>
      <BinField
        label={t("scanBin")}
        found={({ bin_id }) => {
          const waiting = counts.find((count) => count.bin_id === bin_id);
          if (!waiting) return create(bin_id);
          take(waiting.count_id);
        }}
      />
      {counts.length > 0 && (
        <section>
          <h2>{t("open")}</h2>
          <ul className="choices">
            {counts.map(({ count_id, bin_code, lines, assigned_to }) => (
              <Choice
                key={count_id}
                title={bin_code}
                text={assigned_to ?? ""}
                note={t("items", { items: lines })}
                choose={() => take(count_id)}
              />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
