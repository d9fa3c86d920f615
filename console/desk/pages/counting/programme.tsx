import { useNavigate, useParams } from "react-router";
import type { CountProgramme, CountProgress } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { number, time } from "../../../shared/format.js";
import { t } from "../../../texts/count-programmes.js";
import { Decision } from "../../components/decision.js";
import { Facts, Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { Loaded } from "../../components/states.js";
import { TableSection } from "../../components/table.js";
import { lastRunOf, ProgrammeFields, programmeIn, timesOf } from "./programmes.js";

/** A count programme: how much of the warehouse was seen, and how right it was. */
export default function Programme() {
  const path = { programme_id: Number(useParams().programme_id) };
  const progress = useRead("/api/admin/count-programmes/{programme_id}/progress", { path });
  return (
    <Loaded of={useRead("/api/admin/count-programmes/{programme_id}", { path })}>
      {(programme) => (
        <Page
          title={`${t("programme")} ${programme.warehouse_code}`}
          warehouse_id={programme.warehouse_id}
          actions={<Actions {...programme} />}
        >
          <Loaded of={progress}>{(shown) => <Shown programme={programme} progress={shown} />}</Loaded>
        </Page>
      )}
    </Loaded>
  );
}

function Shown({ programme, progress }: { programme: CountProgramme; progress: CountProgress }) {
  const { groups, house, due, in_doubt, open_counts } = progress;
  return (
    <>
      <Section title={t("programme")}>
        <Facts
          of={[
            [t("perDay"), number(programme.per_day)],
            [t("times"), timesOf(programme)],
            [t("nextRun"), time(programme.next_run_at)],
            [t("lastRun"), lastRunOf(programme)],
            [t("due"), number(due)],
            [t("inDoubt"), number(in_doubt)],
            [t("open"), number(open_counts)],
          ]}
        />
      </Section>
      <TableSection
        title={t("seen")}
        rows={[
          ...groups.map((row) => ({ ...row, name: row.group === "empty" ? t("empty") : row.group })),
          { ...house, name: t("house"), interval_days: undefined },
        ]}
        columns={[
          { field: "name", title: t("group") },
          { field: "interval_days", title: t("interval"), show: ({ interval_days }) => intervalText(interval_days) },
          { field: "bins", title: t("bins"), as: "number" },
          { field: "stock_rows", title: t("stockRows"), as: "number" },
          { field: "seen", title: t("seen"), show: ({ seen }) => shareText(seen) },
          { field: "overdue", title: t("overdue"), as: "number" },
          { field: "counts", title: t("countsOf90"), as: "number" },
          { field: "right", title: t("right"), show: ({ right }) => shareText(right) },
          { field: "units_off", title: t("unitsOff"), as: "number" },
        ]}
      />
    </>
  );
}

/** Undefined for the whole warehouse, which has none. */
function intervalText(days: number | null | undefined) {
  if (days === undefined) return null;
  return days === null ? t("never") : t("intervalDays", { days: number(days) });
}

const shareText = ({ numerator, denominator, percent }: CountProgress["house"]["seen"]) =>
  percent && t("share", { part: number(numerator), whole: number(denominator), percent: number(Number(percent)) });

function Actions(programme: CountProgramme) {
  const { programme_id, warehouse_code: name, is_active } = programme;
  const path = { programme_id };
  const navigate = useNavigate();
  return (
    <>
      <Decision
        label={t("runNow")}
        title={t("runNowTitle", { name })}
        act={(_, api) => api.post("/api/admin/count-programmes/{programme_id}/run", { path })}
      />
      <Decision
        label={t("change")}
        verb={t("save")}
        title={t("change")}
        act={(values, api) =>
          api.put("/api/admin/count-programmes/{programme_id}", { path, body: programmeIn(values) })
        }
      >
        <ProgrammeFields of={programme} />
      </Decision>
      <Decision
        label={is_active ? t("pause") : t("resume")}
        title={is_active ? t("pauseTitle", { name }) : t("resumeTitle", { name })}
        act={(_, api) =>
          api.put("/api/admin/count-programmes/{programme_id}", { path, body: { is_active: !is_active } })
        }
      />
      <Decision
        isDangerous
        label={t("remove")}
        title={t("removeTitle", { name })}
        act={async (_, api) => {
          await api.delete("/api/admin/count-programmes/{programme_id}", { path });
          navigate("/count-programmes");
        }}
      />
    </>
  );
}
