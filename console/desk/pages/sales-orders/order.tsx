import { Badge, Text } from "@mantine/core";
import { useParams } from "react-router";
import type { NextStep, SalesOrder } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { day } from "../../../shared/format.js";
import { stepText } from "../../../texts/next-step.js";
import { typeText } from "../../../texts/sales-order-fields.js";
import { t } from "../../../texts/sales-orders.js";
import { valueText } from "../../../texts/values.js";
import { Section } from "../../components/facts.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { Page } from "../../components/page.js";
import { ReceiptTable } from "../../components/receipts.js";
import { Loaded } from "../../components/states.js";
import { Status } from "../../components/status.js";
import { TableSection } from "../../components/table.js";
import { OrderActions } from "./order-actions.js";
import { OrderAddresses } from "./order-addresses.js";
import { OrderHeader } from "./order-header.js";
import { OrderHold } from "./order-hold.js";
import { OrderLines } from "./order-lines.js";
import { OrderParcels } from "./order-parcels.js";
import { RelatedOrders } from "./order-related.js";
import { OrderShort } from "./order-short.js";
import { OrderStory } from "./order-story.js";
import { OrderWhy } from "./order-why.js";
import { ReturnActions } from "./return-actions.js";

/** An order of any type: one that is shipped, or a return that comes back. */
export default function Order() {
  const so_id = Number(useParams().so_id);
  const found = useRead("/api/admin/sales-orders/{so_id}", { path: { so_id } });
  return (
    <Loaded of={found}>
      {({ sales_order: order, lines, pick_tasks, next_step }) => (
        <Page
          title={order.so_number}
          warehouse_id={order.warehouse_id}
          {...(order.order_type === "return" && { back: "/returns" })}
          mark={
            <>
              <Status of={order.voided_at ? "VOIDED" : order.status} />
              {order.hold_reason && (
                <Badge variant="outline" color="orange">
                  {t("held")}
                </Badge>
              )}
              {order.order_type !== "sale" && (
                <Badge variant="outline" color="gray">
                  {typeText(order.order_type)}
                </Badge>
              )}
            </>
          }
          actions={
            order.order_type === "return" ? (
              <ReturnActions order={order} lines={lines} />
            ) : (
              <OrderActions order={order} lines={lines} picks={pick_tasks} step={next_step} />
            )
          }
        >
          <OrderNext order={order} step={next_step} />
          <OrderWhy so_id={so_id} code={next_step.code} />
          <OrderHold order={order} />
          <OrderShort order={order} lines={lines} />
          <OrderHeader order={order} />
          <OrderAddresses order={order} />
          <OrderLines order={order} lines={lines} isInWave={next_step.wave !== null} />
          {pick_tasks.length > 0 && (
            <TableSection
              title={t("picks")}
              rows={pick_tasks}
              columns={[
                { field: "sku", title: t("sku") },
                { field: "item_name", title: t("name") },
                { field: "bin_code", title: t("bin") },
                { field: "lot_number", title: t("lot") },
                { field: "expiry_date", title: t("expiry"), as: "day" },
                { field: "quantity_picked", title: t("picked"), as: "number" },
                { field: "picked_by", title: t("picker"), as: "person" },
                { field: "picked_at", title: t("pickedAt"), as: "time" },
              ]}
            />
          )}
          <OrderParcels order={order} />
          {order.order_type === "return" && <ReturnReceipts order={order} />}
          <RelatedOrders so_id={so_id} />
          <Section title={t("story")}>
            <OrderStory so_id={so_id} />
          </Section>
        </Page>
      )}
    </Loaded>
  );
}

const PATH = "/api/admin/sales-orders/{so_id}/return-receipts";

/** What has come of a return. */
const ReturnReceipts = ({ order: { so_id } }: { order: SalesOrder }) => (
  <Loaded of={useRead(PATH, { path: { so_id } })}>
    {({ receipts }) => (
      <ReceiptTable
        of={receipts}
        reverse={(receipt_id, body, api) =>
          api.post(`${PATH}/{receipt_id}/reverse`, { path: { so_id, receipt_id }, body })
        }
      />
    )}
  </Loaded>
);

/** What comes next for an order, in one line. */
function OrderNext({ order, step }: { order: SalesOrder; step: NextStep }) {
  const { code, wave, by, missing } = step;
  const { cancellation_reason, carrier, tracking_number, shipped_at, min_days_at_shipping: days } = order;
  const isShipped = code === "shipped";
  const text = stepText(code, {
    by,
    reason: cancellation_reason && code === "cancelled" ? valueText(cancellation_reason) : null,
    carrier: isShipped ? carrier : null,
    tracking: isShipped ? tracking_number : null,
    missing: missing.map(({ units, sku }) => t("unitsOf", { units, sku })).join(", ") || null,
    days: days && code === "wait_for_stock" ? String(days) : null,
    wave: wave?.batch_number ?? null,
    day: shipped_at && day(shipped_at),
  });
  return (
    <Text fw={600} role="status">
      {wave ? <MaybeLink to={`/waves/${wave.batch_id}`}>{text ?? step.message}</MaybeLink> : (text ?? step.message)}
    </Text>
  );
}
