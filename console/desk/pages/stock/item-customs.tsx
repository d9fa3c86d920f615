import { Checkbox, Fieldset, SimpleGrid, TextInput } from "@mantine/core";
import type { Answer } from "../../../../client/src/index.js";
import { moneyOf } from "../../../shared/amounts.js";
import { NOTHING } from "../../../shared/format.js";
import { t } from "../../../texts/customs.js";
import { AmountFields, amountIn } from "../../components/amount-fields.js";
import { CountryField } from "../../components/country-field.js";
import { typed } from "../../values.js";

type ItemRecord = Answer<"/api/admin/items/{item_id}">["item"];

export function ItemCustoms({ item }: { item: ItemRecord | undefined }) {
  return (
    <Fieldset legend={t("legend")}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          name="hs_code"
          label={t("hs_code")}
          description={t("hs_codeHint")}
          defaultValue={item?.hs_code ?? ""}
          pattern="\d{4}(\.?\d{2}){1,3}"
          maxLength={12}
        />
        <CountryField name="origin_country" label={t("origin_country")} value={item?.origin_country} />
        <AmountFields
          name="customs_value"
          label={t("customs_value")}
          currencyLabel={t("customs_currency")}
          minor={item?.customs_value_minor}
          currency={item?.customs_currency}
        />
        <Checkbox
          name="is_hazardous"
          value="true"
          label={t("is_hazardous")}
          defaultChecked={item?.is_hazardous ?? false}
          mt="md"
        />
      </SimpleGrid>
    </Fieldset>
  );
}

/** What is known of it, by what people call it. */
export function customsOf(item: ItemRecord): [string, string | null][] {
  return [
    [t("hs_code"), item.hs_code],
    [t("origin_country"), item.origin_country],
    [t("customs_value"), moneyOf(item.customs_value_minor, item.customs_currency)],
    ...(item.is_hazardous ? [[t("is_hazardous"), t("yes")] as [string, string]] : []),
  ].filter(([, said]) => said && said !== NOTHING) as [string, string | null][];
}

/** The same from the form's fields. */
export function customsIn(values: Record<string, string>) {
  const { minor, currency } = amountIn(values, "customs_value");
  return {
    hs_code: typed(values.hs_code),
    origin_country: typed(values.origin_country)?.toUpperCase() ?? null,
    customs_value_minor: minor,
    customs_currency: currency,
    is_hazardous: values.is_hazardous === "true",
  };
}
