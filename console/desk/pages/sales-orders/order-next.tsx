import { Text } from "@mantine/core";
import type { NextStep, SalesOrder } from "../../../../client/src/index.js";
import { day } from "../../../shared/format.js";
import { stepText } from "../../../texts/next-step.js";
import { t } from "../../../texts/sales-orders.js";
import { valueText } from "../../../texts/values.js";
import { MaybeLink } from "../../components/maybe-link.js";

/** What comes next for an order, in one line. */
export function OrderNext({ order, step }: { order: SalesOrder; step: NextStep }) {
  const { code, wave, by, missing } = step;
  const { cancellation_reason, carrier, tracking_number, shipped_at } = order;
  const isShipped = code === "shipped";
  const text = stepText(code, {
    by,
    reason: cancellation_reason && code === "cancelled" ? valueText(cancellation_reason) : null,
    carrier: isShipped ? carrier : null,
    tracking: isShipped ? tracking_number : null,
    missing: missing.map(({ units, sku }) => t("unitsOf", { units, sku })).join(", ") || null,
    wave: wave?.batch_number ?? null,
    day: shipped_at && day(shipped_at),
  });
  return (
    <Text fw={600} role="status">
      {wave ? <MaybeLink to={`/waves/${wave.batch_id}`}>{text ?? step.message}</MaybeLink> : (text ?? step.message)}
    </Text>
  );
}
