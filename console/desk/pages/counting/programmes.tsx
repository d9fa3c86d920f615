import { NumberInput, Paper, TextInput } from "@mantine/core";
import type { CountProgramme } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { number, time } from "../../../shared/format.js";
import { t } from "../../../texts/count-programmes.js";
import { Decision } from "../../components/decision.js";
import { Page } from "../../components/page.js";
import { Empty, Loaded } from "../../components/states.js";
import { DataTable } from "../../components/table.js";
import { useWarehouse } from "../../components/warehouse.js";
import { WarehouseField } from "../../components/warehouse-field.js";
import { daysIn, daysText, WeekDaysField } from "../../components/week-days.js";
import { numberIn } from "../../values.js";

/** Which bins are counted how often, one programme for each warehouse. */
export default function CountProgrammes() {
  const { warehouseId } = useWarehouse();
  const found = useRead("/api/admin/count-programmes", { query: warehouseId ? { warehouse_id: warehouseId } : {} });
  return (
    <Page title={t("programmes")} actions={<NewProgramme />}>
      <Loaded of={found}>
        {({ count_programmes }) =>
          count_programmes.length === 0 ? (
            <Empty title={t("noProgrammes")} text={t("noProgrammesHint")} />
          ) : (
            <Paper withBorder>
              <DataTable
                title={t("programmes")}
                rows={count_programmes}
                to={({ programme_id }) => `/count-programmes/${programme_id}`}
                columns={[
                  { field: "warehouse", title: t("warehouse"), show: ({ warehouse_code }) => warehouse_code },
                  { field: "per_day", title: t("perDay"), as: "number" },
                  { field: "times", title: t("times"), show: timesOf },
                  { field: "next_run_at", title: t("nextRun"), show: ({ next_run_at }) => time(next_run_at) },
                  { field: "last_run", title: t("lastRun"), show: lastRunOf },
                ]}
              />
            </Paper>
          )
        }
      </Loaded>
    </Page>
  );
}

export const timesOf = ({ days, start_time }: CountProgramme) => `${daysText(days)} · ${start_time}`;

export function lastRunOf({ last_run }: CountProgramme) {
  if (!last_run) return null;
  const { ran_at, made, waiting } = last_run;
  return t("runOf", {
    time: time(ran_at) ?? "",
    counts: number(made.doubt + made.class_a + made.class_b + made.class_c + made.empty),
    doubt: number(made.doubt),
    empty: number(made.empty),
    waiting: number(waiting),
  });
}

/** What the fields of a programme say. */
export const programmeIn = (values: Record<string, string>) => ({
  interval_days_a: numberIn(values.interval_days_a),
  interval_days_b: numberIn(values.interval_days_b),
  interval_days_c: numberIn(values.interval_days_c),
  empty_interval_days: numberIn(values.empty_interval_days),
  per_day: Number(values.per_day),
  days: daysIn(values),
  start_time: (values.start_time ?? "").trim(),
});

const NEW = {
  ...{ interval_days_a: 30, interval_days_b: 90, interval_days_c: 180, empty_interval_days: null },
  ...{ per_day: 20, days: [1, 2, 3, 4, 5], start_time: "06:00" },
};

/** The fields of a programme, as it is or as a new one begins. */
export function ProgrammeFields({ of = NEW }: { of?: Omit<typeof NEW, keyof Intervals> & Intervals }) {
  const days = (name: string, label: string, value: number | null) => (
    <NumberInput name={name} label={label} description={t("neverHint")} defaultValue={value ?? ""} min={1} max={3650} />
  );
  return (
    <>
      <NumberInput name="per_day" label={t("perDay")} defaultValue={of.per_day} min={1} max={500} required />
      {days("interval_days_a", t("intervalOf", { name: "A" }), of.interval_days_a)}
      {days("interval_days_b", t("intervalOf", { name: "B" }), of.interval_days_b)}
      {days("interval_days_c", t("intervalOf", { name: "C" }), of.interval_days_c)}
      {days("empty_interval_days", t("emptyDays"), of.empty_interval_days)}
      <TextInput
        name="start_time"
        label={t("startTime")}
        description={t("startTimeHint")}
        defaultValue={of.start_time}
        required
      />
      <WeekDaysField days={of.days} />
    </>
  );
}
type Intervals = Pick<
  CountProgramme,
  "interval_days_a" | "interval_days_b" | "interval_days_c" | "empty_interval_days"
>;

const NewProgramme = () => (
  <Decision
    label={t("newProgramme")}
    verb={t("create")}
    title={t("newProgramme")}
    act={(values, api) =>
      api.post("/api/admin/count-programmes", {
        body: { warehouse_id: Number(values.warehouse_id), ...programmeIn(values) },
      })
    }
  >
    <WarehouseField />
    <ProgrammeFields />
  </Decision>
);
