import { Anchor, List } from "@mantine/core";
import { Link, useParams } from "react-router";
import type { Customer } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { money, NOTHING, number } from "../../../shared/format.js";
import { useMe } from "../../../shared/session.js";
import { t } from "../../../texts/customers.js";
import { typeText } from "../../../texts/sales-order-fields.js";
import { Facts, Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { Loaded } from "../../components/states.js";
import { Mark, Status } from "../../components/status.js";
import { type Column, TableSection } from "../../components/table.js";
import { TrackingLink } from "../../components/tracking-link.js";
import { warehouseColumn } from "../../components/warehouse-field.js";

type Order = Customer["orders"][number];

/** Who has orders under a name, and what became of them. */
export default function CustomerPage() {
  const { name = "" } = useParams();
  const { company_currency } = useMe();
  return (
    <Loaded of={useRead("/api/admin/customers", { query: { name } })}>
      {({ customer_name, emails, phones, addresses, orders }) => {
        const isReturn = ({ order_type }: Order) => order_type === "return" || order_type === "refund";
        const isCounterSale = (order: Order) => order.order_source === "pos" && !isReturn(order);
        const parts = [
          { title: t("open"), rows: orders.filter(({ is_open }) => is_open) },
          { title: t("orders"), rows: orders.filter((one) => !one.is_open && !isReturn(one) && !isCounterSale(one)) },
          { title: t("returns"), rows: orders.filter((one) => !one.is_open && isReturn(one)) },
          { title: t("counterSales"), rows: orders.filter((one) => !one.is_open && isCounterSale(one)) },
        ];
        return (
          <Page title={customer_name} back="/orders">
            <Section
              title={t("customer")}
              actions={
                <Anchor component={Link} to={`/orders?q=${encodeURIComponent(customer_name)}`} size="sm">
                  {t("allOrders")}
                </Anchor>
              }
            >
              <Facts
                of={[
                  [t("email"), <Each key="email" of={emails} />],
                  [t("phone"), <Each key="phone" of={phones} />],
                  [t("addresses"), <Each key="addresses" of={addresses} />],
                  [t("late"), number(orders.filter(({ is_late }) => is_late).length)],
                ]}
              />
            </Section>
            {parts
              .filter(({ title, rows }) => rows.length > 0 || title === t("open"))
              .map(({ title, rows }) => (
                <TableSection
                  key={title}
                  title={title}
                  rows={rows}
                  empty={t("nothingOpen")}
                  to={({ so_id }) => `/orders/${so_id}`}
                  columns={columns(company_currency)}
                />
              ))}
          </Page>
        );
      }}
    </Loaded>
  );
}

const columns = (ofCompany: string | null): Column<Order>[] => [
  { field: "so_number", title: t("order") },
  { field: "order_type", title: t("kind"), show: ({ order_type }) => typeText(order_type) },
  {
    field: "status",
    title: t("status"),
    show: ({ status, is_late }) => (
      <>
        <Status of={status} /> {is_late && <Mark color="red.9" text={t("isLate")} />}
      </>
    ),
  },
  warehouseColumn(),
  { field: "ship_by_date", title: t("shipBy"), as: "day" },
  { field: "created_at", title: t("created"), as: "time" },
  { field: "shipped_at", title: t("shipped"), as: "time" },
  {
    field: "tracking_number",
    title: t("tracking"),
    show: ({ carrier, tracking_number }) => <TrackingLink carrier={carrier} number={tracking_number} />,
  },
  {
    field: "order_total",
    title: t("total"),
    right: true,
    show: ({ order_total, currency }) => order_total && money(order_total, currency ?? ofCompany),
  },
];

const Each = ({ of }: { of: string[] }) =>
  of.length > 1 ? (
    <List listStyleType="none">
      {of.map((one) => (
        <List.Item key={one}>{one}</List.Item>
      ))}
    </List>
  ) : (
    (of[0] ?? NOTHING)
  );
