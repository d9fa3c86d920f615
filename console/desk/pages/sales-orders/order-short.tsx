import { Group, List, Text, TextInput } from "@mantine/core";
import type { SalesOrder, SalesOrderLine } from "../../../../client/src/index.js";
import { useMe } from "../../../shared/session.js";
import { t } from "../../../texts/sales-orders.js";
import { Decision } from "../../components/decision.js";
import { Notice } from "../../components/states.js";
import { mayEditFully, unpicked } from "./order-state.js";

/** An order that was picked short: what it lacks, and what becomes of it. */
export function OrderShort({ order, lines }: { order: SalesOrder; lines: SalesOrderLine[] }) {
  const me = useMe();
  if (!order.is_short) return null;
  const isPicked = lines.some(({ quantity_picked }) => quantity_picked > 0);
  const mayWait = order.status === "PICKED" && order.order_type !== "backorder";
  return (
    <Notice color="orange" title={t("pickedShort")}>
      <List size="sm">
        {lines
          .filter((line) => unpicked(line) > 0)
          .map((line) => (
            <List.Item key={line.so_line_id}>
              {t("lacks", {
                missing: unpicked(line),
                ordered: line.quantity_ordered,
                sku: line.sku,
                name: line.item_name,
              })}
            </List.Item>
          ))}
      </List>
      {isPicked ? (
        <Group mt="sm" gap="xs">
          <Decide order={order} decision="ship_short" />
          {mayEditFully(me) && mayWait && <Decide order={order} decision="wait" />}
          {mayEditFully(me) && <Decide order={order} decision="cancel_rest" />}
        </Group>
      ) : (
        <Text size="sm">{t("nothingPicked")}</Text>
      )}
    </Notice>
  );
}

const texts = {
  ship_short: { label: "shipShortNow", title: "shipShortTitle", hint: "shipShortHint" },
  wait: { label: "letWait", title: "letWaitTitle", hint: "letWaitHint" },
  cancel_rest: { label: "cancelRest", title: "cancelRestTitle", hint: "cancelRestHint" },
} as const;

interface DecideProps {
  order: SalesOrder;
  decision: keyof typeof texts;
}

const Decide = ({ order: { so_id, so_number }, decision }: DecideProps) => (
  <Decision
    isSmall
    isDangerous={decision === "cancel_rest"}
    label={t(texts[decision].label)}
    title={t(texts[decision].title, { number: so_number })}
    act={({ reason_detail }, api) =>
      api.post("/api/admin/sales-orders/{so_id}/short-decision", {
        path: { so_id },
        body: { decision, reason_detail: reason_detail || null },
      })
    }
  >
    <Text size="sm">{t(texts[decision].hint)}</Text>
    <TextInput name="reason_detail" label={t("reason")} maxLength={500} data-autofocus />
  </Decision>
);
