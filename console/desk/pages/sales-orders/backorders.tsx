import { Anchor, NativeSelect, Paper, Stack, Text } from "@mantine/core";
import { Link, useSearchParams } from "react-router";
import type { Backorder } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/sales-orders.js";
import { EmptyOf } from "../../components/empty-list.js";
import { Page } from "../../components/page.js";
import { SelectableTable } from "../../components/selection-bar.js";
import { Loaded } from "../../components/states.js";
import type { Column } from "../../components/table.js";
import { useWarehouse } from "../../components/warehouse.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { Coming } from "./coming.js";
import { CancelBackorder } from "./order-actions.js";
import { backorderActions } from "./order-bulk.js";

/** Orders that wait for stock with what is on its way, and those that it came for. */
export default function Backorders() {
  const [address, setAddress] = useSearchParams();
  const { warehouseId } = useWarehouse();
  const maySeeOrders = mayOpen(useMe(), "sales-orders");
  const tab = address.get("tab") === "ready-to-ship" ? "ready-to-ship" : "waiting";
  const query = { tab, ...(warehouseId && { warehouse_id: warehouseId }) } as const;
  const found = useRead("/api/admin/backorders", { query });
  const columns: Column<Backorder>[] = [
    { field: "so_number", title: t("order") },
    {
      field: "parent_so_number",
      title: t("splitFrom"),
      show: ({ parent_so_id, parent_so_number }) =>
        parent_so_id && maySeeOrders ? (
          <Anchor inherit component={Link} to={`/orders/${parent_so_id}`}>
            {parent_so_number}
          </Anchor>
        ) : (
          parent_so_number
        ),
    },
    { field: "customer_name", title: t("customer") },
    warehouseColumn(),
    ...(tab === "waiting" ? [] : [{ field: "status", title: t("status"), as: "status" } as const]),
    { field: "days_waiting", title: t("daysWaiting"), as: "number" },
    { field: "backorder_opened_at", title: t("since"), as: "time" },
    tab === "waiting"
      ? { field: "items", title: t("lacking"), show: ({ items }) => <Lacking items={items} /> }
      : { field: "fulfillable_since", title: t("fulfillableSince"), as: "time" },
    ...(maySeeOrders
      ? [
          {
            field: "actions",
            title: t("actions"),
            show: (row: Backorder) =>
              ["WAITING_STOCK", "OPEN"].includes(row.status) ? <CancelBackorder {...row} isSmall /> : "",
          },
        ]
      : []),
  ];
  return (
    <Page
      title={t("backorders")}
      actions={
        <NativeSelect
          aria-label={t("show")}
          value={tab}
          onChange={({ currentTarget }) => setAddress({ tab: currentTarget.value })}
          data={[
            { value: "waiting", label: t("tabWaiting") },
            { value: "ready-to-ship", label: t("tabReady") },
          ]}
        />
      }
    >
      <Loaded of={found}>
        {({ backorders }) => (
          <Paper withBorder>
            <SelectableTable
              title={t("backorders")}
              rows={backorders}
              columns={columns}
              nothing={<EmptyOf of="backorders" ofWarehouse />}
              bulk={maySeeOrders ? { id: "so_id", name: "so_number", actions: backorderActions() } : undefined}
              {...(maySeeOrders && { to: ({ so_id }: Backorder) => `/orders/${so_id}` })}
            />
          </Paper>
        )}
      </Loaded>
    </Page>
  );
}

/** What it waits for, and the purchase order that is expected first. */
function Lacking({ items }: Pick<Backorder, "items">) {
  return (
    <Stack gap={4}>
      {items.map(({ sku, qty, open_po }) => (
        <div key={sku}>
          <Text size="sm">{t("times", { count: qty, sku })}</Text>
          <Coming of={open_po} />
        </div>
      ))}
    </Stack>
  );
}
