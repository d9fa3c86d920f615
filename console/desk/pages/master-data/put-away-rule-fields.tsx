import { Checkbox, MultiSelect, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { useState } from "react";
import type { PutAwayRule } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { t } from "../../../texts/put-away-rules.js";
import { useFirstWarehouse, WarehouseField } from "../../components/warehouse-field.js";
import { numberIn, optionsOf, typed } from "../../values.js";

type ItemClass = PutAwayRule["item_class"];

/** What a rule is for and asks for, but for its place. */
export const RuleFields = ({ of }: { of?: PutAwayRule }) => (
  <>
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput
        name="rule_name"
        label={t("name")}
        defaultValue={of?.rule_name}
        maxLength={128}
        required
        data-autofocus
      />
      <TextInput
        name="priority"
        label={t("order")}
        description={t("orderHint")}
        type="number"
        min={1}
        max={1000}
        defaultValue={of?.priority ?? 10}
        required
      />
      <TextInput name="category" label={t("category")} defaultValue={of?.category ?? ""} maxLength={128} />
      <NativeSelect
        name="item_class"
        label={t("itemClass")}
        data={optionsOf({ "": t("any"), ...{ A: "A", B: "B", C: "C" } })}
        defaultValue={of?.item_class ?? ""}
      />
      <Limit name="max_weight_lbs" label={t("maxWeight")} value={of?.max_weight_lbs} />
      <Limit name="max_length_in" label={t("maxLength")} value={of?.max_length_in} />
    </SimpleGrid>
    <Checkbox name="one_item" label={t("oneItem")} defaultChecked={of?.one_item ?? false} />
    <Checkbox name="one_lot" label={t("oneLot")} defaultChecked={of?.one_lot ?? false} />
  </>
);

const Limit = ({ name, label, value }: { name: string; label: string; value: number | null | undefined }) => (
  <TextInput name={name} label={label} type="number" min={0} max={99_999} step="any" defaultValue={value ?? ""} />
);

/** Where a new rule is: its warehouse, then zones of that. */
export function PlacedRuleFields() {
  const [chosen, setChosen] = useState(useFirstWarehouse(true));
  return (
    <>
      <WarehouseField isForPlaces value={chosen} onChange={setChosen} />
      {chosen && <RuleZonesField key={chosen} warehouseId={chosen} />}
    </>
  );
}

/** The zones that a rule puts into, in the order in which they are chosen. */
export function RuleZonesField({ warehouseId, value = [] }: { warehouseId: number; value?: number[] }) {
  const { data } = useRead("/api/admin/zones", { query: { warehouse_id: warehouseId, per_page: 1000 } });
  // Its default counts when it appears, so it appears with its choices.
  if (!data) return null;
  const zones = data.zones.map(({ zone_id, zone_code }) => ({ value: String(zone_id), label: zone_code }));
  return (
    <MultiSelect
      name="zone_ids"
      label={t("zones")}
      description={t("zonesHint")}
      data={zones}
      defaultValue={value.map(String)}
      searchable
    />
  );
}

/** What these fields say. */
export const ruleIn = (values: Record<string, string>) => ({
  rule_name: values.rule_name ?? "",
  priority: Number(values.priority),
  category: typed(values.category),
  item_class: (values.item_class || null) as ItemClass,
  max_weight_lbs: numberIn(values.max_weight_lbs),
  max_length_in: numberIn(values.max_length_in),
  zone_ids: (values.zone_ids ?? "").split(",").filter(Boolean).map(Number),
  one_item: values.one_item === "on",
  one_lot: values.one_lot === "on",
});
