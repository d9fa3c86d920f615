import { Checkbox, Group, NativeSelect, TextInput } from "@mantine/core";
import type { Zone } from "../../../../client/src/index.js";
import type { Api } from "../../../shared/api.js";
import { t } from "../../../texts/master-data.js";
import { zoneTypes } from "../../../texts/types.js";
import { Decision } from "../../components/decision.js";
import { PrintLabel } from "../../components/print-label.js";
import { WarehouseField } from "../../components/warehouse-field.js";
import { optionsOf } from "../../values.js";

const zoneIn = ({ zone_code = "", zone_name = "", zone_type }: Record<string, string>) => ({
  ...{ zone_code, zone_name, zone_type: zone_type as "STORAGE" },
});

function ZoneFields({ of }: { of?: Zone }) {
  const types = optionsOf(zoneTypes());
  return (
    <>
      <TextInput
        name="zone_code"
        label={t("code")}
        defaultValue={of?.zone_code}
        maxLength={32}
        required
        data-autofocus
      />
      <TextInput name="zone_name" label={t("zoneName")} defaultValue={of?.zone_name} maxLength={128} required />
      <NativeSelect name="zone_type" label={t("type")} defaultValue={of?.zone_type} data={types} />
    </>
  );
}

/** Makes a zone in a warehouse, which is chosen where none is named. */
export const NewZone = ({ warehouseId }: { warehouseId?: number }) => (
  <Decision
    label={t("newZone")}
    verb={t("create")}
    title={t("newZone")}
    act={(values, api) =>
      api.post("/api/admin/zones", {
        ...{ body: { ...zoneIn(values), warehouse_id: warehouseId ?? Number(values.warehouse_id) } },
      })
    }
  >
    {!warehouseId && <WarehouseField isForPlaces />}
    <ZoneFields />
  </Decision>
);

/** What can be done with a zone, in its row. */
export function ZoneActions({ zone }: { zone: Zone }) {
  const { zone_id, zone_code: code } = zone;
  const path = { zone_id };
  const edit = (values: Record<string, string>, api: Api) =>
    api.put("/api/admin/zones/{zone_id}", {
      ...{ path, body: { ...zoneIn(values), is_active: values.is_active === "on" } },
    });
  return (
    <Group gap="xs" justify="end" wrap="nowrap">
      <PrintLabel path="/api/admin/bins/labels" query={{ zone_id }} label={t("printLabels")} isSmall />
      <Decision label={t("edit")} verb={t("save")} title={t("editZone", { code })} act={edit} isSmall>
        <ZoneFields of={zone} />
        <Checkbox name="is_active" label={t("active")} defaultChecked={zone.is_active} />
      </Decision>
      <Decision
        label={t("delete")}
        title={t("deleteZone", { code })}
        act={(_, api) => api.delete("/api/admin/zones/{zone_id}", { path })}
        isDangerous
        isSmall
      />
    </Group>
  );
}
