import { Group, Stack, Text, Textarea } from "@mantine/core";
import type { SalesOrderSummary } from "../../../../client/src/index.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/sales-orders.js";
import { ListPage } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { CancelOrder, ReleaseOrder } from "./order-actions.js";
import { heldOrderActions } from "./order-bulk.js";

/** Orders that wait for a decision, with what it is made on: to whom the goods go, and who pays. */
export default function HeldOrders() {
  const me = useMe();
  const maySeeOrders = mayOpen(me, "sales-orders");
  return (
    <ListPage
      title={t("heldOrders")}
      none="heldOrders"
      path="/api/admin/sales-orders"
      rows="sales_orders"
      totals={{ quantity_ordered: t("units") }}
      query={{ status: "FRAUD_REVIEW" }}
      ofWarehouse
      {...(maySeeOrders && { to: ({ so_id }: SalesOrderSummary) => `/orders/${so_id}` })}
      bulk={{ id: "so_id", name: "so_number", actions: heldOrderActions(me) }}
      filters={[{ name: "q", label: t("search") }]}
      columns={[
        { field: "so_number", title: t("order"), sorts: true },
        { field: "customer_name", title: t("customer"), sorts: true },
        warehouseColumn(),
        {
          field: "shipping_address_line1",
          title: t("shippingAddress"),
          show: (row) => <Address of={row} is="shipping" />,
        },
        {
          field: "billing_address_line1",
          title: t("billingAddress"),
          show: (row) => <Address of={row} is="billing" />,
        },
        { field: "memo", title: t("memo") },
        { field: "created_at", title: t("heldSince"), sorts: true, as: "time" },
        { field: "so_id", title: t("decision"), show: (row) => <Decisions order={row} mayCancel={maySeeOrders} /> },
      ]}
    />
  );
}

const Address = ({ of, is }: { of: SalesOrderSummary; is: "shipping" | "billing" }) => {
  const place = [of[`${is}_address_postal_code`], of[`${is}_address_city`], of[`${is}_address_state`]];
  const lines = [of[`${is}_address_line1`], of[`${is}_address_line2`], place.filter(Boolean).join(" ")].filter(Boolean);
  return (
    <Stack gap={0}>
      {lines.map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
    </Stack>
  );
};

const Decisions = ({ order, mayCancel }: { order: SalesOrderSummary; mayCancel: boolean }) => (
  <Group gap={4} wrap="nowrap">
    <ReleaseOrder {...order} isSmall />
    <Decision
      isSmall
      label={t("memo")}
      verb={t("changeMemo")}
      title={t("changeMemo")}
      act={({ memo = "" }, api) =>
        api.patch("/api/admin/sales-orders/{so_id}/memo", { path: { so_id: order.so_id }, body: { memo } })
      }
    >
      <Textarea
        name="memo"
        label={t("memo")}
        defaultValue={order.memo ?? ""}
        maxLength={4096}
        autosize
        data-autofocus
      />
    </Decision>
    {mayCancel && <CancelOrder {...order} isSmall />}
  </Group>
);
