import { Button, Group, NumberInput, Paper, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import type { NewSalesOrder } from "../../../../client/src/index.js";
import { useAction, useRead } from "../../../shared/api.js";
import { number } from "../../../shared/format.js";
import { fieldText } from "../../../texts/sales-order-fields.js";
import { t } from "../../../texts/sales-orders.js";
import { AddItem } from "../../components/add-item.js";
import { Section } from "../../components/facts.js";
import { useSay } from "../../components/notices.js";
import { Page } from "../../components/page.js";
import { Refused } from "../../components/states.js";
import { useFirstWarehouse, WarehouseField } from "../../components/warehouse-field.js";
import { numberIn, typed, valuesOf } from "../../values.js";
import { DaysAtShipping } from "./days-at-shipping.js";

const texts = [
  ...["so_number", "so_barcode", "customer_name", "customer_phone", "customer_email", "customer_address"],
  ...["ship_method", "ship_address", "order_origin"],
] as const;

interface Line {
  item: { item_id: number; sku: string; item_name: string };
  quantity: number;
}

/** The filled fields of the form, and the lines. */
function orderOf(values: Record<string, string>, lines: Line[]): NewSalesOrder {
  const filled = Object.fromEntries(
    [...texts, "ship_by_date", "memo"].filter((field) => values[field]).map((field) => [field, values[field]]),
  );
  return {
    ...filled,
    so_number: typed(values.so_number),
    warehouse_id: Number(values.warehouse_id),
    min_days_at_shipping: numberIn(values.min_days_at_shipping),
    lines: lines.map(({ item, quantity }) => ({ item_id: item.item_id, quantity_ordered: quantity })),
  };
}

export default function NewOrder() {
  const go = useNavigate();
  const say = useSay();
  const [warehouse_id, setWarehouse] = useState(useFirstWarehouse());
  const [lines, setLines] = useState<Line[]>([]);
  const create = useAction(
    (body: NewSalesOrder, api) => api.post("/api/admin/sales-orders", { body }),
    ({ sales_order: { so_id, so_number } }) => {
      say({ text: t("orderCreated", { number: so_number }), to: `/orders/${so_id}` });
      void go(`/orders/${so_id}`);
    },
  );
  const submit = (event: FormEvent<HTMLFormElement>) => create.mutate(orderOf(valuesOf(event), lines));
  const change = (item_id: number, quantity: number) =>
    setLines(lines.map((line) => (line.item.item_id === item_id ? { ...line, quantity } : line)));
  const add = (item: Line["item"]) => {
    const known = lines.find((line) => line.item.item_id === item.item_id);
    if (known) change(item.item_id, known.quantity + 1);
    else setLines([...lines, { item, quantity: 1 }]);
  };
  return (
    <Page title={t("newOrder")}>
      <form onSubmit={submit}>
        <Stack>
          <Section title={t("order")}>
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
              <WarehouseField value={warehouse_id} onChange={setWarehouse} />
              {texts.map((field) => (
                <TextInput
                  key={field}
                  name={field}
                  label={fieldText(field)}
                  {...(field === "so_number" && { placeholder: t("numberOfHouse") })}
                />
              ))}
              <TextInput type="date" name="ship_by_date" label={fieldText("ship_by_date")} />
              <DaysAtShipping />
            </SimpleGrid>
            <Textarea mt="md" name="memo" label={fieldText("memo")} maxLength={4096} autosize />
          </Section>
          <Section title={t("lines")}>
            <Stack>
              <AddItem label={t("item")} warehouse_id={warehouse_id} add={add} />
              {lines.map((line, place) => (
                <LineToOrder
                  key={line.item.item_id}
                  {...{ ...line, place, warehouse_id }}
                  change={(quantity) => change(line.item.item_id, quantity)}
                  remove={() => setLines(lines.filter((one) => one !== line))}
                />
              ))}
            </Stack>
          </Section>
          <Refused error={create.error} />
          <Group>
            <Button type="submit" loading={create.isPending}>
              {t("createOrder")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}

interface LineToOrderProps extends Line {
  place: number;
  warehouse_id: number | undefined;
  change: (quantity: number) => void;
  remove: () => void;
}

/** A line: the item, how many, and how many can still be sold in the warehouse. */
function LineToOrder({ item, quantity, place, warehouse_id, change, remove }: LineToOrderProps) {
  const { item_id, sku, item_name } = item;
  const query = { q: sku, ...(warehouse_id && { warehouse_id }) };
  const { data = [] } = useRead("/api/lookup/item/search", { query });
  const free = data.find((one) => one.item_id === item_id)?.quantity_free;
  return (
    <Paper withBorder p="sm" role="group" aria-label={t("lineOf", { place: place + 1 })}>
      <Group align="end" wrap="wrap">
        <Stack gap={0} style={{ flex: "1 1 16rem" }}>
          <Text fw={600}>{sku}</Text>
          <Text size="sm">{item_name}</Text>
          {free !== undefined && (
            <Text size="sm" c={free < quantity ? "var(--danger)" : "dimmed"}>
              {t("freeHere", { count: number(free) })}
            </Text>
          )}
        </Stack>
        <NumberInput
          label={t("quantity")}
          value={quantity}
          onChange={(value) => change(Number(value))}
          min={1}
          allowDecimal={false}
          required
          w={120}
        />
        <Button variant="default" mod="dangerous" onClick={remove}>
          {t("removeLine", { place: place + 1 })}
        </Button>
      </Group>
    </Paper>
  );
}
