import { Fieldset, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { useState } from "react";
import type { CarrierRule } from "../../../../client/src/index.js";
import { t } from "../../../texts/carriers.js";
import { fieldText } from "../../../texts/sales-order-fields.js";
import { useFirstWarehouse, WarehouseField } from "../../components/warehouse-field.js";
import { numberIn, optionsOf, typed } from "../../values.js";
import { useAccountNames } from "./use-accounts.js";

/** Which parcels a rule is for, and which services it takes; its warehouse stays as it is. */
export function RuleFields({ of }: { of?: CarrierRule }) {
  const [warehouse, setWarehouse] = useState(useFirstWarehouse(true));
  const accounts = useAccountNames(of?.warehouse_id ?? warehouse);
  const weight = { type: "number", min: 0, max: 99_999, step: "any" };
  return (
    <>
      {!of && <WarehouseField isForPlaces value={warehouse} onChange={setWarehouse} />}
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
          label={t("priority")}
          description={t("priorityHint")}
          type="number"
          min={1}
          max={1000}
          defaultValue={of?.priority ?? 10}
          required
        />
      </SimpleGrid>
      <Fieldset legend={t("isFor")}>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            name="ship_method"
            label={fieldText("ship_method")}
            defaultValue={of?.ship_method ?? ""}
            maxLength={100}
          />
          <TextInput
            name="countries"
            label={t("countries")}
            description={t("countriesHint")}
            defaultValue={of?.countries.join(", ")}
            pattern="\s*[A-Za-z]{2}([\s,]+[A-Za-z]{2})*\s*"
          />
          <TextInput name="min_weight_lbs" label={t("minWeight")} {...weight} defaultValue={of?.min_weight_lbs ?? ""} />
          <TextInput name="max_weight_lbs" label={t("maxWeight")} {...weight} defaultValue={of?.max_weight_lbs ?? ""} />
          <NativeSelect
            name="hazardous"
            label={t("goods")}
            data={optionsOf({ "": t("allGoods"), true: t("hazardous"), false: t("notHazardous") })}
            defaultValue={String(of?.hazardous ?? "")}
          />
        </SimpleGrid>
      </Fieldset>
      <Fieldset legend={t("takes")}>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NativeSelect
            key={Object.keys(accounts).join()}
            name="account_id"
            label={t("account")}
            data={[{ value: "", label: t("anyAccount") }, ...optionsOf(accounts)]}
            defaultValue={String(of?.account_id ?? "")}
          />
          <TextInput
            name="within_days"
            label={t("withinDays")}
            type="number"
            min={1}
            max={365}
            defaultValue={of?.within_days ?? ""}
          />
          <TextInput name="carrier" label={t("carrier")} defaultValue={of?.carrier ?? ""} maxLength={100} />
          <TextInput name="service" label={t("service")} defaultValue={of?.service ?? ""} maxLength={100} />
        </SimpleGrid>
      </Fieldset>
    </>
  );
}

/** What these fields say. */
export const ruleIn = (values: Record<string, string>) => ({
  ...{ rule_name: values.rule_name ?? "", priority: Number(values.priority), ship_method: typed(values.ship_method) },
  ...{ min_weight_lbs: numberIn(values.min_weight_lbs), max_weight_lbs: numberIn(values.max_weight_lbs) },
  countries: (values.countries ?? "")
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean),
  hazardous: values.hazardous ? values.hazardous === "true" : null,
  ...{ account_id: numberIn(values.account_id), carrier: typed(values.carrier), service: typed(values.service) },
  within_days: numberIn(values.within_days),
});
