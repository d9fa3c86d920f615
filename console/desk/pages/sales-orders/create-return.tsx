import { NumberInput, Text, Textarea } from "@mantine/core";
import { useNavigate } from "react-router";
import type { SalesOrder, SalesOrderLine } from "../../../../client/src/index.js";
import { fieldText } from "../../../texts/sales-order-fields.js";
import { t } from "../../../texts/sales-orders.js";
import { Decision } from "../../components/decision.js";

/** Announces what a customer sends back, and goes on at the return. */
export function CreateReturn({ order, lines }: { order: SalesOrder; lines: SalesOrderLine[] }) {
  const go = useNavigate();
  const path = { so_id: order.so_id };
  const shipped = lines.filter(({ quantity_shipped }) => quantity_shipped > 0);
  return (
    <Decision
      label={t("createReturn")}
      title={t("createReturnTitle", { number: order.so_number })}
      act={async ({ memo, ...values }, api) => {
        const sent = shipped
          .map(({ so_line_id, item_id }) => ({
            item_id,
            original_so_line_id: so_line_id,
            quantity: Number(values[`quantity_${so_line_id}`]),
          }))
          .filter(({ quantity }) => quantity > 0);
        const body = { lines: sent, memo: memo || null };
        const made = await api.post("/api/admin/sales-orders/{so_id}/create-rma", { path, body });
        go(`/orders/${made.so_id}`);
      }}
    >
      <Text size="sm">{t("createReturnHint")}</Text>
      {shipped.map(({ so_line_id, sku, quantity_shipped }, place) => (
        <NumberInput
          key={so_line_id}
          name={`quantity_${so_line_id}`}
          label={t("returnOf", { sku, count: quantity_shipped })}
          defaultValue={0}
          min={0}
          max={quantity_shipped}
          allowDecimal={false}
          {...(place === 0 && { "data-autofocus": true })}
        />
      ))}
      <Textarea name="memo" label={fieldText("memo")} maxLength={4096} autosize />
    </Decision>
  );
}
