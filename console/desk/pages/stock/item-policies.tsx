import { Checkbox, Fieldset, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import type { Answer } from "../../../../client/src/index.js";
import { t } from "../../../texts/policies.js";
import { numberIn, optionsOf } from "../../values.js";

type ItemRecord = Answer<"/api/admin/items/{item_id}">["item"];

/** What is asked of an item's units (docs/lots.md): the choices, the first of which is that of a new item. */
const choices = () => ({
  lot_policy: { optional: t("optional"), required: t("required"), none: t("none") },
  serial_policy: { none: t("none"), at_receipt: t("at_receipt"), at_shipping: t("at_shipping") },
  shelf_life_from: { production: t("production"), receipt: t("receipt") },
  lot_picking: {
    exact: t("exact"),
    any_of_bin: t("any_of_bin"),
    first_expired_only: t("first_expired_only"),
  },
});
type Choice = keyof ReturnType<typeof choices>;
/** And the days. */
const days = () => ({
  shelf_life_days: t("shelf_life_days"),
  min_days_at_receipt: t("min_days_at_receipt"),
  min_days_at_shipping: t("min_days_at_shipping"),
});
type Days = keyof ReturnType<typeof days>;

export function ItemPolicies({ item }: { item: ItemRecord | undefined }) {
  return (
    <Fieldset legend={t("legend")}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {Object.entries(choices()).map(([name, data]) => (
          <NativeSelect
            key={name}
            name={name}
            label={t(name as Choice)}
            data={optionsOf(data)}
            defaultValue={item?.[name as Choice]}
          />
        ))}
        {Object.entries(days()).map(([name, label]) => (
          <TextInput
            key={name}
            {...{ name, label }}
            type="number"
            min={name === "shelf_life_days" ? 1 : 0}
            max={36_500}
            defaultValue={item?.[name as Days] ?? ""}
          />
        ))}
        <Checkbox
          name="requires_expiry"
          value="true"
          label={t("requires_expiry")}
          defaultChecked={item?.requires_expiry ?? false}
          mt="md"
        />
      </SimpleGrid>
    </Fieldset>
  );
}

/** What is asked, by what people call it: a day or a lot at picking of which nothing is said is left out. */
export function policiesOf(item: ItemRecord): [string, string][] {
  const chosen = Object.entries(choices()).flatMap(([name, texts]): [string, string][] => {
    const value = item[name as Choice];
    const isUsual = value === Object.keys(texts)[0] && !ALWAYS_SHOWN.includes(name);
    return isUsual ? [] : [[t(name as Choice), (texts as Record<string, string>)[value] ?? value]];
  });
  const counted = Object.entries(days()).flatMap(([name, label]): [string, string][] => {
    const count = item[name as Days];
    return count === null ? [] : [[label, t("days", { days: count })]];
  });
  return [
    ...chosen,
    ...counted,
    ...(item.requires_expiry ? [[t("requires_expiry"), t("yes")] as [string, string]] : []),
  ];
}

const ALWAYS_SHOWN = ["lot_policy", "serial_policy"];

/** What the fields say. */
export const policiesIn = (values: Record<string, string>) => ({
  lot_policy: values.lot_policy as ItemRecord["lot_policy"],
  serial_policy: values.serial_policy as ItemRecord["serial_policy"],
  shelf_life_from: values.shelf_life_from as ItemRecord["shelf_life_from"],
  lot_picking: values.lot_picking as ItemRecord["lot_picking"],
  requires_expiry: values.requires_expiry === "true",
  shelf_life_days: numberIn(values.shelf_life_days),
  min_days_at_receipt: numberIn(values.min_days_at_receipt),
  min_days_at_shipping: numberIn(values.min_days_at_shipping),
});
