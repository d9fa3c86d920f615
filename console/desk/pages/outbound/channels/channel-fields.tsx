import { NumberInput, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";
import type { Channel, ChannelScope, ChannelTransform } from "../../../../../client/src/index.js";
import { t } from "../../../../texts/channels.js";
import { Choices, chosenOf } from "../../../components/choices.js";
import { useWarehouseNames } from "../../../components/warehouse-names.js";

const numbers = {
  rate_limit_per_second: { label: () => t("rate"), min: 1, max: 1_000, usual: 10 },
  batch_size: { label: () => t("batch"), min: 1, max: 1_000, usual: 100 },
  debounce_seconds: { label: () => t("debounce"), min: 0, max: 3_600, usual: 30 },
  pending_ceiling: { label: () => t("pendingCeiling"), min: 100, max: 1_000_000, usual: 100_000 },
  dlq_ceiling: { label: () => t("dlqCeiling"), min: 10, max: 100_000, usual: 1_000 },
} as const;
type NumberField = keyof typeof numbers;
const renamed = ["sku", "available", "version"] as const;

/** What can be changed of a channel; a new one also gets its id. */
export function ChannelFields({ of }: { of?: Channel }) {
  const scope = (of?.sku_scope ?? {}) as ChannelScope;
  const transform = (of?.transform ?? {}) as ChannelTransform;
  return (
    <Stack>
      {!of && <TextInput name="channel_id" label={t("channelId")} required data-autofocus />}
      <TextInput name="display_name" label={t("name")} defaultValue={of?.display_name} required />
      <TextInput name="delivery_url" type="url" label={t("url")} defaultValue={of?.delivery_url} required />
      <Choices
        name="warehouse_ids"
        label={t("warehouses")}
        choices={useWarehouseNames()}
        chosen={scope.warehouse_ids ?? []}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Textarea name="categories" label={t("categories")} defaultValue={scope.categories?.join("\n")} rows={3} />
        <Textarea name="skus" label={t("skus")} defaultValue={scope.skus?.join("\n")} rows={3} />
        {renamed.map((field) => (
          <TextInput
            key={field}
            name={`rename:${field}`}
            label={t("nameOf", { field })}
            placeholder={field}
            defaultValue={transform.rename?.[field]}
          />
        ))}
        <TextInput
          name="constants"
          label={t("constants")}
          defaultValue={transform.constants && JSON.stringify(transform.constants)}
        />
        {Object.entries(numbers).map(([name, { label, min, max, usual }]) => (
          <NumberInput
            key={name}
            {...{ name, label: label(), min, max, required: true, allowDecimal: false }}
            defaultValue={of?.[name as NumberField] ?? usual}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

const linesIn = (text = "") =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

export function channelEdit(values: Record<string, string>) {
  const names = renamed.flatMap((field) => {
    const name = values[`rename:${field}`]?.trim();
    return name ? [[field, name]] : [];
  });
  const constants = values.constants?.trim() ? constantsIn(values.constants) : {};
  const number = (name: NumberField) => Number(values[name]);
  return {
    display_name: values.display_name ?? "",
    delivery_url: values.delivery_url ?? "",
    sku_scope: {
      skus: linesIn(values.skus),
      categories: linesIn(values.categories),
      warehouse_ids: chosenOf(values, "warehouse_ids").map(Number),
    },
    transform: { rename: Object.fromEntries(names), constants },
    rate_limit_per_second: number("rate_limit_per_second"),
    batch_size: number("batch_size"),
    debounce_seconds: number("debounce_seconds"),
    pending_ceiling: number("pending_ceiling"),
    dlq_ceiling: number("dlq_ceiling"),
  };
}

function constantsIn(text: string): NonNullable<ChannelTransform["constants"]> {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(t("notJson"));
  }
}
