import { NativeSelect } from "@mantine/core";
import type { DashboardPreferences } from "../../../../../client/src/index.js";
import type { Api } from "../../../../shared/api.js";
import { t } from "../../../../texts/day.js";
import { Decision } from "../../../components/decision.js";
import { optionsOf } from "../../../values.js";
import { type Metric, metricsText, rangesText, viewsText } from "./words.js";

/** How productivity opens for the user. */
export function Preferences({ of: { default_range, default_view, chart_order } }: { of: DashboardPreferences }) {
  const save = (values: Record<string, string>, api: Api) => {
    const first = values.first as Metric;
    const body = {
      default_range: values.default_range as DashboardPreferences["default_range"],
      default_view: values.default_view as DashboardPreferences["default_view"],
      chart_order: [first, ...chart_order.filter((kind) => kind !== first)],
    };
    return api.put("/api/v1/dashboard/preferences", { body });
  };
  return (
    <Decision label={t("preferences")} verb={t("save")} title={t("preferencesTitle")} act={save}>
      <NativeSelect
        name="default_range"
        label={t("range")}
        defaultValue={default_range}
        data={optionsOf(rangesText())}
      />
      <NativeSelect name="default_view" label={t("view")} defaultValue={default_view} data={optionsOf(viewsText())} />
      <NativeSelect name="first" label={t("first")} defaultValue={chart_order[0]} data={optionsOf(metricsText())} />
    </Decision>
  );
}
