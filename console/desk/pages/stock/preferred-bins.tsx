import { TextInput } from "@mantine/core";
import type { Answer } from "../../../../client/src/index.js";
import type { Api } from "../../../shared/api.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/stock.js";
import { Decision } from "../../components/decision.js";
import { BinField } from "../../components/search-fields.js";
import { TableSection } from "../../components/table.js";
import { warehouseColumn } from "../../components/warehouse-field.js";

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

/** The bins where an item should be kept, in the order in which they are chosen. */
export function PreferredBins({ item_id, bins }: { item_id: number; bins: Preferred }) {
  const mayChange = mayOpen(useMe(), "preferred-bins");
  const add = ({ bin_id, priority }: Record<string, string>, api: Api) =>
    api.post("/api/admin/preferred-bins", { body: { item_id, bin_id: Number(bin_id), priority: Number(priority) } });
  return (
    <TableSection
      title={t("preferredBins")}
      actions={
        mayChange && (
          <Decision label={t("addPreferred")} title={t("addPreferred")} act={add}>
            <BinField name="bin_id" label={t("bin")} isFirst />
            <PriorityField value={bins.length + 1} />
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
        ...(mayChange ? [{ field: "actions", title: t("actions"), right: true, show: Actions }] : []),
      ]}
    />
  );
}

function Actions({ preferred_bin_id, bin_code, priority }: Preferred[number]) {
  const path = { preferred_bin_id };
  return (
    <>
      <Decision
        label={t("changePriority")}
        verb={t("save")}
        title={t("changePriorityOf", { bin: bin_code })}
        act={({ priority }, api) =>
          api.put("/api/admin/preferred-bins/{preferred_bin_id}", { ...{ path, body: { priority: Number(priority) } } })
        }
        isSmall
      >
        <PriorityField value={priority} isFirst />
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
