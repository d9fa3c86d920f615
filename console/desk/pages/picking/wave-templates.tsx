import { NumberInput, Paper, Text, TextInput } from "@mantine/core";
import type { WaveTemplate } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { number, time } from "../../../shared/format.js";
import { t } from "../../../texts/waves.js";
import { Decision } from "../../components/decision.js";
import { Page } from "../../components/page.js";
import { RowActions } from "../../components/row-actions.js";
import { Empty, Loaded } from "../../components/states.js";
import { DataTable } from "../../components/table.js";
import { useWarehouse } from "../../components/warehouse.js";
import { WarehouseField, warehouseColumn } from "../../components/warehouse-field.js";
import { daysIn, daysText, WeekDaysField } from "../../components/week-days.js";
import { RunsLink } from "../../components/workflow-link.js";
import { numberIn } from "../../values.js";
import { planIn, planWords, WaveFields } from "./wave-fields.js";

/** Plans of waves that are released by the clock. */
export default function WaveTemplates() {
  const { warehouseId } = useWarehouse();
  const found = useRead("/api/admin/wave-templates", { query: warehouseId ? { warehouse_id: warehouseId } : {} });
  return (
    <Page title={t("templates")} actions={<NewTemplate />}>
      <Loaded of={found}>
        {({ wave_templates }) =>
          wave_templates.length === 0 ? (
            <Empty title={t("noTemplates")} text={t("noTemplatesHint")} />
          ) : (
            <Paper withBorder>
              <DataTable
                title={t("templates")}
                rows={wave_templates}
                columns={[
                  { field: "template_name", title: t("name") },
                  warehouseColumn(),
                  { field: "plan", title: t("what"), show: whatOf },
                  { field: "times", title: t("times"), show: timesOf },
                  { field: "next_run_at", title: t("nextRun"), show: nextRunOf },
                  { field: "last_run", title: t("lastRun"), show: (template) => <LastRun {...template} /> },
                  { field: "actions", title: t("actions"), show: (template) => <Actions {...template} /> },
                ]}
              />
            </Paper>
          )
        }
      </Loaded>
    </Page>
  );
}

const timesOf = ({ days, times, cut_off_minutes }: WaveTemplate) =>
  [daysText(days), times.join(", "), cut_off_minutes && t("cutOffAfter", { minutes: cut_off_minutes })]
    .filter(Boolean)
    .join(" · ");

const whatOf = ({ plan, ship_within_days }: WaveTemplate) =>
  [ship_within_days !== null && t("within", { days: ship_within_days }), planWords(plan)].filter(Boolean).join(" · ");

function nextRunOf({ next_run_at, is_active }: WaveTemplate) {
  if (!is_active) return t("paused");
  return next_run_at ? time(next_run_at) : t("warehouseInactive");
}

const LastRun = ({ template_id, last_run }: WaveTemplate) => (
  <>
    {last_run && (
      <Text size="sm">
        {t("runOf", {
          time: time(last_run.released_at),
          orders: number(last_run.orders),
          waves: number(last_run.batches),
          short: number(last_run.short),
        })}
      </Text>
    )}
    <RunsLink schedule={`wave-release-${template_id}`} />
  </>
);

function Actions(template: WaveTemplate) {
  const { template_id, template_name, is_active } = template;
  const path = { template_id };
  return (
    <RowActions>
      <Decision
        isSmall
        label={t("runNow")}
        title={t("runNowTitle", { name: template_name })}
        act={(_, api) => api.post("/api/admin/wave-templates/{template_id}/run", { path })}
      />
      <Decision
        isSmall
        isWide
        label={t("edit")}
        verb={t("save")}
        title={t("editTitle", { name: template_name })}
        act={(values, api) =>
          api.put("/api/admin/wave-templates/{template_id}", { path, body: fieldsIn(values, template) })
        }
      >
        <TemplateFields of={template} />
      </Decision>
      <Decision
        isSmall
        label={is_active ? t("pause") : t("resume")}
        title={is_active ? t("pauseTitle", { name: template_name }) : t("resumeTitle", { name: template_name })}
        act={(_, api) => api.put("/api/admin/wave-templates/{template_id}", { path, body: { is_active: !is_active } })}
      />
      <Decision
        isSmall
        isDangerous
        label={t("remove")}
        title={t("removeTitle", { name: template_name })}
        act={(_, api) => api.delete("/api/admin/wave-templates/{template_id}", { path })}
      />
    </RowActions>
  );
}

const NewTemplate = () => (
  <Decision
    isWide
    label={t("newTemplate")}
    verb={t("create")}
    title={t("newTemplate")}
    act={(values, api) =>
      api.post("/api/admin/wave-templates", {
        body: { warehouse_id: Number(values.warehouse_id), ...fieldsIn(values) },
      })
    }
  >
    <WarehouseField />
    <TemplateFields />
  </Decision>
);

/** Times as people write them, such as `9:30` or `14.00`. */
const TIME = "([01]?\\d|2[0-3])[:.][0-5]\\d";

const TemplateFields = ({ of }: { of?: WaveTemplate }) => (
  <>
    <TextInput name="template_name" label={t("name")} defaultValue={of?.template_name} required maxLength={128} />
    <TextInput
      name="times"
      label={t("times")}
      description={t("timesHint")}
      title={t("timesHint")}
      defaultValue={of?.times.join(", ")}
      pattern={`\\s*${TIME}([\\s,;]+${TIME})*[\\s,;]*`}
      required
    />
    <WeekDaysField {...(of && { days: of.days })} />
    <NumberInput
      name="cut_off_minutes"
      label={t("cutOff")}
      defaultValue={of?.cut_off_minutes ?? ""}
      min={1}
      max={720}
    />
    <NumberInput
      name="ship_within_days"
      label={t("shipWithin")}
      defaultValue={of?.ship_within_days ?? ""}
      min={0}
      max={365}
    />
    <WaveFields of={of?.plan} />
  </>
);

/** What the fields of a template say; of its plan, what they do not say stays as it was before. */
const fieldsIn = (values: Record<string, string>, before?: WaveTemplate) => ({
  template_name: values.template_name ?? "",
  plan: planIn(values, before?.plan),
  ship_within_days: numberIn(values.ship_within_days),
  days: daysIn(values),
  times: [...(values.times ?? "").matchAll(/(\d+)[:.](\d+)/g)].map(
    ([, hour = "", minute = ""]) => `${hour.padStart(2, "0")}:${minute}`,
  ),
  cut_off_minutes: numberIn(values.cut_off_minutes),
});
