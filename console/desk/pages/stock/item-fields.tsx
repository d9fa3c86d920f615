import { SimpleGrid, Textarea, TextInput } from "@mantine/core";
import type { Answer } from "../../../../client/src/index.js";
import { t } from "../../../texts/stock.js";
import { BinField } from "../../components/search-fields.js";
import { numberIn, typed } from "../../values.js";
import { customsIn, ItemCustoms } from "./item-customs.js";
import { ItemPolicies, policiesIn } from "./item-policies.js";

export type ItemRecord = Answer<"/api/admin/items/{item_id}">["item"];

/** The fields that are a line of text: how long it may be, and whether it is a column of the list. */
const texts = [
  { name: "mpn", maxLength: 64, isListed: false },
  { name: "category", maxLength: 128, isListed: true },
] as const;

/** What an item says in them, by what people call them. */
export const textsOf = (item: ItemRecord) => texts.map(({ name }): [string, string | null] => [t(name), item[name]]);

/** Those of them that are columns of the list. */
export const listedTexts = () =>
  texts.filter(({ isListed }) => isListed).map(({ name }) => ({ field: name, title: t(name), sorts: true }));

const sides = () => [
  ["length_in", t("length")] as const,
  ["width_in", t("width")] as const,
  ["height_in", t("height")] as const,
];

/** The fields of a new item, and of one that is changed. */
export function ItemFields({ item }: { item?: ItemRecord }) {
  const bin = item?.default_bin_id;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput name="sku" label={t("sku")} defaultValue={item?.sku} maxLength={128} required data-autofocus />
        <TextInput name="item_name" label={t("name")} defaultValue={item?.item_name} maxLength={256} required />
        <TextInput name="upc" label={t("upc")} defaultValue={item?.upc ?? ""} maxLength={128} />
        {texts.map(({ name, maxLength }) => (
          <TextInput key={name} {...{ name, maxLength }} label={t(name)} defaultValue={item?.[name] ?? ""} />
        ))}
        <TextInput
          name="weight_lbs"
          label={t("weight")}
          type="number"
          min={0}
          step="any"
          defaultValue={item?.weight_lbs ?? ""}
        />
        {sides().map(([name, label]) => (
          <TextInput
            key={name}
            {...{ name, label }}
            type="number"
            min={0}
            step="any"
            defaultValue={item?.[name] ?? ""}
          />
        ))}
        {item && (
          <>
            <TextInput
              name="reorder_point"
              label={t("reorderPoint")}
              type="number"
              min={0}
              defaultValue={item.reorder_point}
              required
            />
            <TextInput
              name="reorder_qty"
              label={t("reorderQty")}
              type="number"
              min={0}
              defaultValue={item.reorder_qty}
              required
            />
          </>
        )}
      </SimpleGrid>
      <BinField
        name="default_bin_id"
        label={t("defaultBin")}
        initial={bin ? { value: String(bin), label: item.default_bin_code ?? String(bin) } : undefined}
        isOptional
      />
      <ItemPolicies item={item} />
      <ItemCustoms item={item} />
      <Textarea
        name="barcode_aliases"
        label={t("aliases")}
        description={t("aliasesHint")}
        defaultValue={(item?.barcode_aliases ?? []).join("\n")}
        autosize
        minRows={2}
        maxRows={6}
      />
      <Textarea
        name="description"
        label={t("description")}
        defaultValue={item?.description ?? ""}
        maxLength={1000}
        autosize
        minRows={2}
        maxRows={6}
      />
    </>
  );
}

type Typed = Record<(typeof texts)[number]["name"], ReturnType<typeof typed>>;

/** What the fields say of an item. */
export const itemIn = ({ sku = "", item_name = "", ...values }: Record<string, string>) => ({
  ...{ sku, item_name },
  upc: typed(values.upc),
  ...(Object.fromEntries(texts.map(({ name }) => [name, typed(values[name])])) as Typed),
  weight_lbs: numberIn(values.weight_lbs),
  length_in: numberIn(values.length_in),
  width_in: numberIn(values.width_in),
  height_in: numberIn(values.height_in),
  default_bin_id: numberIn(values.default_bin_id),
  barcode_aliases: (values.barcode_aliases ?? "").split("\n").flatMap((alias) => typed(alias) ?? []),
  description: typed(values.description),
  ...policiesIn(values),
  ...customsIn(values),
});

/** The same of one that is changed, which has more. */
export const changesIn = (values: Record<string, string>) => ({
  ...itemIn(values),
  reorder_point: Number(values.reorder_point),
  reorder_qty: Number(values.reorder_qty),
});
