import { NativeSelect, NumberInput, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { SalesOrder, SalesOrderLine } from "../../../../client/src/index.js";
import { useMe } from "../../../shared/session.js";
import { t } from "../../../texts/sales-orders.js";
import { choicesOf } from "../../../texts/statuses.js";
import { Decision } from "../../components/decision.js";
import { BinField } from "../../components/search-fields.js";
import { SerialsField, serialsIn } from "../../components/serials-field.js";
import { WarehouseField } from "../../components/warehouse-field.js";
import { optionsOf } from "../../values.js";
import { heldConditions } from "../stock/conditions.js";
import type { HeldCondition } from "../stock/holds/hold-fields.js";

interface ReturnProps {
  order: SalesOrder;
  lines: SalesOrderLine[];
}

/** What can be done with a return: goods come in parts, and one of which nothing came is voided. */
export function ReturnActions({ order, lines }: ReturnProps) {
  const { role } = useMe();
  const { so_id, so_number, status } = order;
  if (order.voided_at || (status !== "OPEN" && status !== "PARTIALLY_RECEIVED")) return null;
  return (
    <>
      <ReceiveReturn order={order} lines={lines} />
      {role === "ADMIN" && status === "OPEN" && (
        <Decision
          isDangerous
          label={t("voidReturn")}
          title={t("voidTitle", { number: so_number })}
          act={(_, api) => api.post("/api/admin/sales-orders/{so_id}/void-return", { path: { so_id } })}
        >
          <Text size="sm">{t("voidHint")}</Text>
        </Decision>
      )}
      {status === "PARTIALLY_RECEIVED" && (
        <Decision
          isDangerous
          label={t("closeRest")}
          title={t("closeRestTitle", { number: so_number })}
          act={(_, api) => api.post("/api/admin/sales-orders/{so_id}/close-return", { path: { so_id } })}
        >
          <Text size="sm">{t("closeRestHint")}</Text>
        </Decision>
      )}
    </>
  );
}

const toCome = ({ quantity_ordered, quantity_received }: SalesOrderLine) => quantity_ordered - quantity_received;

function ReceiveReturn({ order, lines }: ReturnProps) {
  const [warehouse, setWarehouse] = useState<number | undefined>(order.warehouse_id);
  const open = lines.filter((line) => toCome(line) > 0);
  const [item, setItem] = useState(open[0]?.item_id);
  const chosen = open.find(({ item_id }) => item_id === item) ?? open[0];
  return (
    <Decision
      label={t("receive")}
      title={t("receiveTitle", { number: order.so_number })}
      act={({ item_id, quantity, bin_id, lot_number, expiry_date, condition, notes, ...values }, api) =>
        api.post("/api/admin/sales-orders/{so_id}/receive-return", {
          path: { so_id: order.so_id },
          body: {
            item_id: Number(item_id),
            quantity: Number(quantity),
            warehouse_id: Number(warehouse),
            bin_id: Number(bin_id),
            lot_number: lot_number || null,
            expiry_date: expiry_date || null,
            condition: (condition || null) as HeldCondition | null,
            notes: notes || null,
            serial_numbers: serialsIn(values),
          },
        })
      }
    >
      <NativeSelect
        name="item_id"
        label={t("item")}
        data={open.map((line) => ({
          value: String(line.item_id),
          label: t("toCome", { sku: line.sku, count: toCome(line) }),
        }))}
        value={chosen?.item_id}
        onChange={({ currentTarget }) => setItem(Number(currentTarget.value))}
        data-autofocus
      />
      <NumberInput
        key={chosen?.item_id}
        name="quantity"
        label={t("quantity")}
        defaultValue={chosen ? toCome(chosen) : 1}
        min={1}
        allowDecimal={false}
        required
      />
      <WarehouseField value={warehouse} onChange={setWarehouse} />
      <BinField key={warehouse} name="bin_id" label={t("bin")} warehouse_id={warehouse} />
      <TextInput name="lot_number" label={t("lot")} description={t("lotHint")} maxLength={100} />
      <TextInput name="expiry_date" label={t("expiry")} type="date" />
      {chosen && <SerialsField of={chosen} />}
      <NativeSelect
        name="condition"
        label={t("condition")}
        data={[{ value: "", label: t("asNew") }, ...optionsOf(choicesOf([...heldConditions]))]}
      />
      <TextInput name="notes" label={t("notes")} maxLength={500} />
    </Decision>
  );
}
