import type { CounterSale } from "../../../../client/src/index.js";
import { cents } from "../../../shared/format.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/pos.js";
import { typeText } from "../../../texts/sales-order-fields.js";
import { choicesOf } from "../../../texts/statuses.js";
import { DataList } from "../../components/data-list.js";
import { Page } from "../../components/page.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { methodText } from "./method.js";
import { CounterSummary } from "./summary.js";

/** What the tills took today, and every sale and refund. */
export default function CounterSales() {
  const me = useMe();
  const maySeeOrders = mayOpen(me, "sales-orders");
  return (
    <Page title={t("counterSales")}>
      <CounterSummary />
      <DataList
        title={t("counterSales")}
        none="counterSales"
        path="/api/admin/pos/sales-orders"
        rows="sales_orders"
        {...(maySeeOrders && { to: ({ so_id }: CounterSale) => `/orders/${so_id}` })}
        filters={[
          { name: "order_type", label: t("type"), choices: { refund: typeText("refund"), all: t("everything") } },
          { name: "status", label: t("status"), choices: choicesOf(["OPEN", "SHIPPED", "WAITING_STOCK", "REFUNDED"]) },
          { name: "since", label: t("from"), isDay: true },
          { name: "until", label: t("to"), isDay: true },
          { name: "terminal_id", label: t("till") },
          { name: "cashier_id", label: t("cashier") },
        ]}
        columns={[
          { field: "so_number", title: t("order") },
          { field: "order_type", title: t("type"), show: ({ order_type }) => typeText(order_type) },
          warehouseColumn(),
          { field: "status", title: t("status"), as: "status" },
          {
            field: "total_cents",
            title: t("amount"),
            right: true,
            show: ({ total_cents }) => cents(total_cents, me.company_currency),
          },
          { field: "payment_method", title: t("method"), show: (row) => methodText(row.payment_method) },
          { field: "terminal_id", title: t("till") },
          { field: "cashier_id", title: t("cashier") },
          { field: "customer_name", title: t("customer") },
          { field: "external_txn_ref", title: t("payment") },
          { field: "checkout_at", title: t("when"), as: "time" },
        ]}
      />
    </Page>
  );
}
