import { Button, Group, NumberInput, Paper, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import type { NewSalesOrder } from "../../../../client/src/index.js";
import { useAction } from "../../../shared/api.js";
import { fieldText } from "../../../texts/sales-order-fields.js";
import { t } from "../../../texts/sales-orders.js";
import { Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { ItemField } from "../../components/search-fields.js";
import { Refused } from "../../components/states.js";
import { WarehouseField } from "../../components/warehouse-field.js";
import { numberIn, valuesOf } from "../../values.js";
import { DaysAtShipping } from "./days-at-shipping.js";

const texts = [
  ...["so_number", "so_barcode", "customer_name", "customer_phone", "customer_email", "customer_address"],
  ...["ship_method", "ship_address", "order_origin"],
] as const;

/** The filled fields of the form, and the lines by their place in it. */
function orderOf(values: Record<string, string>, lines: number[]): NewSalesOrder {
  const filled = Object.fromEntries(
    [...texts, "ship_by_date", "memo"].filter((field) => values[field]).map((field) => [field, values[field]]),
  );
  return {
    ...filled,
    so_number: values.so_number ?? "",
    warehouse_id: Number(values.warehouse_id),
    min_days_at_shipping: numberIn(values.min_days_at_shipping),
    lines: lines.map((line) => ({
      item_id: Number(values[`item_${line}`]),
      quantity_ordered: Number(values[`quantity_${line}`]),
    })),
  };
}

export default function NewOrder() {
  const go = useNavigate();
  const [lines, setLines] = useState([1]);
  const create = useAction(
    (body: NewSalesOrder, api) => api.post("/api/admin/sales-orders", { body }),
    ({ sales_order }) => void go(`/orders/${sales_order.so_id}`),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => create.mutate(orderOf(valuesOf(event), lines));
  return (
    <Page title={t("newOrder")} back="/orders">
      <form onSubmit={submit}>
        <Stack>
          <Section title={t("order")}>
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
              <WarehouseField />
              {texts.map((field) => (
                <TextInput key={field} name={field} label={fieldText(field)} required={field === "so_number"} />
              ))}
              <TextInput type="date" name="ship_by_date" label={fieldText("ship_by_date")} />
              <DaysAtShipping />
            </SimpleGrid>
            <Textarea mt="md" name="memo" label={fieldText("memo")} maxLength={4096} autosize />
          </Section>
          <Section
            title={t("lines")}
            actions={
              <Button variant="default" size="xs" onClick={() => setLines([...lines, Math.max(...lines) + 1])}>
                {t("addLine")}
              </Button>
            }
          >
            <Stack>
              {lines.map((line, place) => (
                <Paper key={line} withBorder p="sm" role="group" aria-label={t("lineOf", { place: place + 1 })}>
                  <Group align="end" wrap="wrap">
                    <div style={{ flex: "1 1 16rem" }}>
                      <ItemField name={`item_${line}`} label={t("item")} />
                    </div>
                    <NumberInput
                      name={`quantity_${line}`}
                      label={t("quantity")}
                      defaultValue={1}
                      min={1}
                      allowDecimal={false}
                      required
                      w={120}
                    />
                    {lines.length > 1 && (
                      <Button
                        variant="default"
                        mod="dangerous"
                        onClick={() => setLines(lines.filter((one) => one !== line))}
                      >
                        {t("removeLine", { place: place + 1 })}
                      </Button>
                    )}
                  </Group>
                </Paper>
              ))}
            </Stack>
          </Section>
          <Refused error={create.error} />
          <Group justify="end">
            <Button type="submit" loading={create.isPending}>
              {t("createOrder")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}
