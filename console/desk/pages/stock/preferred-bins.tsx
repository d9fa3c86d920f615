import { SimpleGrid, TextInput } from "@mantine/core";
import type { Answer } from "../../../../client/src/index.js";
import type { Api } from "../../../shared/api.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/stock.js";
import { Decision } from "../../components/decision.js";
import { BinField } from "../../components/search-fields.js";
import { TableSection } from "../../components/table.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { numberIn } from "../../values.js";

type Preferred = Answer<"/api/admin/items/{item_id}">["preferred_bins"];

const PriorityField = ({ value, isFirst }: { value: number; isFirst?: boolean }) => (
  <TextInput
    name="priority"
    label={t("priority")}
    description={t("priorityHint")}
    type="number"
    min={1}
    max={100}
    defaultValue={value}
    required
    data-autofocus={isFirst || undefined}
  />
);

/** Until when a pick face is filled up, and how. */
const FaceFields = ({ of }: { of?: Preferred[number] }) => (
  <SimpleGrid cols={3}>
    <TextInput
      name="min_units"
      label={t("faceFrom")}
      description={t("faceHint")}
      type="number"
      min={1}
      defaultValue={of?.min_units ?? ""}
    />
    <TextInput name="max_units" label={t("faceTo")} type="number" min={1} defaultValue={of?.max_units ?? ""} />
    <TextInput name="case_units" label={t("faceCase")} type="number" min={1} defaultValue={of?.case_units ?? ""} />
  </SimpleGrid>
);

const faceIn = ({ min_units, max_units, case_units }: Record<string, string>) => ({
  min_units: numberIn(min_units),
  max_units: numberIn(max_units),
  case_units: numberIn(case_units),
});

/** The bins where an item should be kept, in the order in which they are chosen. */
export function PreferredBins({ item_id, bins }: { item_id: number; bins: Preferred }) {
  const mayChange = mayOpen(useMe(), "preferred-bins");
  const add = ({ bin_id, priority, ...face }: Record<string, string>, api: Api) =>
    api.post("/api/admin/preferred-bins", {
      body: { item_id, bin_id: Number(bin_id), priority: Number(priority), ...faceIn(face) },
    });
  return (
    <TableSection
      title={t("preferredBins")}
      actions={
        mayChange && (
          <Decision label={t("addPreferred")} title={t("addPreferred")} act={add}>
            <BinField name="bin_id" label={t("bin")} isFirst />
            <PriorityField value={bins.length + 1} />
            <FaceFields />
          </Decision>
        )
      }
      empty={t("noPreferred")}
      rows={bins}
      to={({ bin_id }) => `/bins/${bin_id}`}
      columns={[
        { field: "bin_code", title: t("bin") },
        { field: "zone_name", title: t("zone") },
        warehouseColumn(),
        { field: "priority", title: t("priority"), as: "number" },
        { field: "min_units", title: t("faceFrom"), as: "number" },
        { field: "max_units", title: t("faceTo"), as: "number" },
        { field: "case_units", title: t("faceCase"), as: "number" },
        ...(mayChange ? [{ field: "actions", title: t("actions"), right: true, show: Actions }] : []),
      ]}
    />
  );
}

function Actions(preferred: Preferred[number]) {
  const { preferred_bin_id, bin_code, priority } = preferred;
  const path = { preferred_bin_id };
  return (
    <>
      <Decision
        label={t("changePreferred")}
        verb={t("save")}
        title={t("changePreferredOf", { bin: bin_code })}
        act={({ priority, ...face }, api) =>
          api.put("/api/admin/preferred-bins/{preferred_bin_id}", {
            ...{ path, body: { priority: Number(priority), ...faceIn(face) } },
          })
        }
        isSmall
      >
        <PriorityField value={priority} isFirst />
        <FaceFields of={preferred} />
      </Decision>{" "}
      <Decision
        label={t("remove")}
        title={t("removePreferred", { bin: bin_code })}
        act={(_, api) => api.delete("/api/admin/preferred-bins/{preferred_bin_id}", { path })}
        isDangerous
        isSmall
      />
    </>
  );
}
