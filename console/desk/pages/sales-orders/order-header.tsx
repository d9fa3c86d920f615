import { NumberInput, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import type { SalesOrder, SalesOrderEdit } from "../../../../client/src/index.js";
import { day, money, NOTHING, number, time } from "../../../shared/format.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { fieldText } from "../../../texts/sales-order-fields.js";
import { t } from "../../../texts/sales-orders.js";
import { valueText } from "../../../texts/values.js";
import { Decision } from "../../components/decision.js";
import { Facts, Section } from "../../components/facts.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { person } from "../../components/person.js";
import { TrackingLink } from "../../components/tracking-link.js";
import { useWarehouse } from "../../components/warehouse.js";
import { numberIn } from "../../values.js";
import { customerAddressOf } from "./address.js";
import { DaysAtShipping } from "./days-at-shipping.js";
import { mayEdit, mayEditFully } from "./order-state.js";

/** The header of an order; its fields are called as in its story. */
export function OrderHeader({ order }: { order: SalesOrder }) {
  const me = useMe();
  const currency = order.currency ?? me.company_currency;
  const { warehouses } = useWarehouse();
  const fact = (field: keyof SalesOrder, value = order[field] as ReactNode): [string, ReactNode] => [
    fieldText(field),
    value,
  ];
  // What an order does not have is left out: there are many fields, and most orders have few.
  const facts: [string, ReactNode][] = [
    [
      fieldText("customer_name"),
      order.customer_name && (
        <MaybeLink to={`/customers/${encodeURIComponent(order.customer_name)}`}>{order.customer_name}</MaybeLink>
      ),
    ],
    ...[fact("customer_phone"), fact("customer_email")],
    fact("customer_address", customerAddressOf(order)),
    [t("warehouse"), warehouses.find(({ id }) => id === order.warehouse_id)?.name],
    ...[fact("ship_method"), fact("carrier")],
    [
      fieldText("tracking_number"),
      order.tracking_number && <TrackingLink carrier={order.carrier} number={order.tracking_number} />,
    ],
    ...[fact("priority", number(order.priority)), fact("ship_by_date", day(order.ship_by_date))],
    fact("min_days_at_shipping", number(order.min_days_at_shipping)),
    fact("order_total", money(order.order_total, currency)),
    fact("customer_shipping_paid", money(order.customer_shipping_paid, currency)),
    ...[fact("so_barcode"), fact("order_origin"), fact("source_system")],
    ...[
      fact("order_date", day(order.order_date)),
      fact("created_at", time(order.created_at)),
      fact("created_by", person(order.created_by, order.created_by_name)),
    ],
    ...[fact("printed_at", time(order.printed_at)), fact("shipped_at", time(order.shipped_at))],
    fact("backorder_opened_at", time(order.backorder_opened_at)),
    fact("backorder_fulfillable_at", time(order.backorder_fulfillable_at)),
    ...[
      fact("cancellation_reason", order.cancellation_reason && valueText(order.cancellation_reason)),
      fact("voided_at", time(order.voided_at)),
      fact("voided_by", person(order.voided_by)),
      fact("memo"),
    ],
  ];
  return (
    <Section
      title={t("order")}
      actions={
        <>
          {mayOpen(me, "fraud") && <Memo order={order} />}
          {mayEdit(me, order) && <EditHeader order={order} />}
        </>
      }
    >
      <Facts of={facts.filter(([, value]) => value && value !== NOTHING)} />
    </Section>
  );
}

const Memo = ({ order: { so_id, memo } }: { order: SalesOrder }) => (
  <Decision
    isSmall
    label={t("changeMemo")}
    title={t("changeMemo")}
    act={({ memo = "" }, api) => api.patch("/api/admin/sales-orders/{so_id}/memo", { path: { so_id }, body: { memo } })}
  >
    <Textarea
      name="memo"
      label={fieldText("memo")}
      defaultValue={memo ?? ""}
      maxLength={4096}
      autosize
      data-autofocus
    />
  </Decision>
);

const texts = [
  ...["so_number", "so_barcode", "customer_name", "customer_phone", "customer_email", "customer_address"],
  ...["ship_method", "ship_address", "carrier", "tracking_number", "order_origin"],
] as const;

const numbers = ["priority", "min_days_at_shipping"];

function EditHeader({ order }: { order: SalesOrder }) {
  const me = useMe();
  const sourceSystem = mayEditFully(me) ? ["source_system"] : [];
  const edited = [...texts, "ship_by_date", ...numbers, "memo", ...sourceSystem];
  const before = order as Record<string, unknown>;
  /** Only what was changed is sent, so two people may edit one order. */
  const changes = (values: Record<string, string>) =>
    Object.fromEntries(
      edited
        .filter((field) => values[field] !== undefined && values[field] !== String(before[field] ?? ""))
        .map((field) => [field, numbers.includes(field) ? numberIn(values[field]) : values[field]]),
    );
  return (
    <Decision
      isSmall
      isWide
      label={t("edit")}
      verb={t("save")}
      title={t("editOrder", { number: order.so_number })}
      act={async (values, api) => {
        const body: SalesOrderEdit = changes(values);
        if (Object.keys(body).length === 0) return;
        const path = { so_id: order.so_id };
        await api.put("/api/admin/sales-orders/{so_id}", { path, body });
      }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {texts.map((field, place) => (
          <TextInput
            key={field}
            name={field}
            label={fieldText(field)}
            defaultValue={order[field] ?? ""}
            required={field === "so_number"}
            {...(place === 0 && { "data-autofocus": true })}
          />
        ))}
        {mayEditFully(me) && (
          <TextInput name="source_system" label={fieldText("source_system")} defaultValue={order.source_system ?? ""} />
        )}
        <TextInput
          type="date"
          name="ship_by_date"
          label={fieldText("ship_by_date")}
          defaultValue={order.ship_by_date ?? ""}
        />
        <NumberInput
          name="priority"
          label={fieldText("priority")}
          defaultValue={order.priority}
          min={0}
          max={10}
          required
          allowDecimal={false}
        />
        <DaysAtShipping days={order.min_days_at_shipping} />
      </SimpleGrid>
      <Textarea name="memo" label={fieldText("memo")} defaultValue={order.memo ?? ""} maxLength={4096} autosize />
    </Decision>
  );
}
