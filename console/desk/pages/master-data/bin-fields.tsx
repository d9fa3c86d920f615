import { Checkbox, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { useState } from "react";
import type { BinWithZone } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { t } from "../../../texts/master-data.js";
import { binTypes } from "../../../texts/types.js";
import { useFirstWarehouse, WarehouseField } from "../../components/warehouse-field.js";
import { optionsOf, typed } from "../../values.js";

/** Where a new bin is: its warehouse, then a zone of that. */
export function PlaceFields() {
  const [chosen, setChosen] = useState(useFirstWarehouse(true));
  return (
    <>
      <WarehouseField isForPlaces value={chosen} onChange={setChosen} />
      {chosen && <ZoneField key={chosen} warehouseId={chosen} />}
    </>
  );
}

export function ZoneField({ warehouseId, value }: { warehouseId: number; value?: number }) {
  const { data } = useRead("/api/admin/zones", { query: { warehouse_id: warehouseId, per_page: 1000 } });
  const zones = (data?.zones ?? []).filter(({ is_active, zone_id }) => is_active || zone_id === value);
  const choices = zones.map(({ zone_id, zone_code, zone_name }) => ({
    value: String(zone_id),
    label: zone_code === zone_name ? zone_code : `${zone_code} · ${zone_name}`,
  }));
  // Its default counts when it appears, so it appears with its choices.
  if (!data) return null;
  return <NativeSelect name="zone_id" label={t("zone")} data={choices} defaultValue={value} required />;
}

export function BinFields({ of }: { of?: BinWithZone }) {
  const types = optionsOf(binTypes());
  const labels = [
    ["aisle", t("aisle")],
    ["row_num", t("row")],
    ["level_num", t("level")],
    ["position_num", t("position")],
  ] as const;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          name="bin_code"
          label={t("binCode")}
          defaultValue={of?.bin_code}
          maxLength={64}
          required
          data-autofocus
        />
        <TextInput name="bin_barcode" label={t("barcode")} defaultValue={of?.bin_barcode} maxLength={128} required />
      </SimpleGrid>
      <NativeSelect name="bin_type" label={t("type")} defaultValue={of?.bin_type} data={types} />
      <SimpleGrid cols={{ base: 2, xs: 4 }}>
        {labels.map(([name, label]) => (
          <TextInput key={name} name={name} label={label} defaultValue={of?.[name] ?? ""} maxLength={32} />
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          name="pick_sequence"
          label={t("pickSequence")}
          type="number"
          min={0}
          defaultValue={of?.pick_sequence ?? 0}
          required
        />
        <TextInput
          name="putaway_sequence"
          label={t("putawaySequence")}
          type="number"
          min={0}
          defaultValue={of?.putaway_sequence ?? 0}
          required
        />
      </SimpleGrid>
      <Checkbox name="is_reserve" label={t("isReserve")} defaultChecked={of?.is_reserve ?? false} />
      {of && <Checkbox name="is_active" label={t("active")} defaultChecked={of.is_active} />}
    </>
  );
}

export const binIn = ({ bin_code = "", bin_barcode = "", bin_type, ...values }: Record<string, string>) => ({
  ...{ bin_code, bin_barcode, bin_type: bin_type as "Staging", zone_id: Number(values.zone_id) },
  ...{ aisle: typed(values.aisle), row_num: typed(values.row_num) },
  ...{ level_num: typed(values.level_num), position_num: typed(values.position_num) },
  pick_sequence: Number(values.pick_sequence),
  putaway_sequence: Number(values.putaway_sequence),
  is_reserve: values.is_reserve === "on",
});
