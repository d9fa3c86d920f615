import { Checkbox, NumberInput, Stack, Text, TextInput } from "@mantine/core";
import type { SalesOrder, SalesOrderLine } from "../../../../client/src/index.js";
import { t } from "../../../texts/sales-orders.js";
import { Decision } from "../../components/decision.js";
import { unpicked } from "./order-state.js";

/** Ships what is there, and opens a backorder for what is short. */
export const FulfilInPart = ({ order, lines }: { order: SalesOrder; lines: SalesOrderLine[] }) => {
  const path = { so_id: order.so_id };
  return (
    <Decision
      isSmall
      label={t("fulfilInPart")}
      title={t("fulfilInPartTitle", { number: order.so_number })}
      act={({ reason_detail, ...values }, api) => {
        const short = lines
          .map(({ so_line_id }) => ({
            so_line_id,
            short_qty: Number(values[`short_${so_line_id}`]),
            write_off: values[`write_off_${so_line_id}`] === "on",
          }))
          .filter(({ short_qty }) => short_qty > 0);
        const body = { lines: short, reason_detail: reason_detail || null };
        return api.post("/api/admin/sales-orders/{so_id}/partial-fulfill", { path, body });
      }}
    >
      <Text size="sm">{t("fulfilInPartHint")}</Text>
      {lines.map((line, place) => (
        <Stack key={line.so_line_id} gap="xs">
          <NumberInput
            name={`short_${line.so_line_id}`}
            label={t("shortOf", { sku: line.sku, count: unpicked(line) })}
            {...(line.reported_missing > 0 && { description: t("reportedMissing", { count: line.reported_missing }) })}
            defaultValue={0}
            min={0}
            max={unpicked(line)}
            allowDecimal={false}
            {...(place === 0 && { "data-autofocus": true })}
          />
          <Checkbox name={`write_off_${line.so_line_id}`} label={t("writeOff")} />
        </Stack>
      ))}
      <TextInput name="reason_detail" label={t("reason")} maxLength={500} />
    </Decision>
  );
};
