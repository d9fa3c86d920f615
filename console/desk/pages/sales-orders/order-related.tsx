import { Text } from "@mantine/core";
import type { RelatedOrder } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { typeText } from "../../../texts/sales-order-fields.js";
import { t } from "../../../texts/sales-orders.js";
import { Status } from "../../components/status.js";
import { TableSection } from "../../components/table.js";

/** The order that it was made from, and what was made from it: backorders, returns, refunds, replacements. */
export function RelatedOrders({ so_id }: { so_id: number }) {
  const { data } = useRead("/api/admin/sales-orders/{so_id}/related", { path: { so_id } });
  const records = data?.records ?? [];
  if (records.length < 2) return null;
  return (
    <TableSection
      title={t("related")}
      rows={records}
      to={(row) => `/orders/${row.so_id}`}
      columns={[
        { field: "so_number", title: t("order"), show: nameOf },
        { field: "order_type", title: t("type"), show: ({ order_type }) => typeText(order_type) },
        {
          field: "status",
          title: t("status"),
          show: ({ status, is_voided }) => <Status of={is_voided ? "VOIDED" : status} />,
        },
        { field: "lines", title: t("lines"), show: linesOf },
        { field: "created_at", title: t("created"), as: "time" },
      ]}
    />
  );
}

const nameOf = ({ so_number, depth, is_current }: RelatedOrder) =>
  `${"\u2003".repeat(depth)}${so_number}${is_current ? ` (${t("thisOne")})` : ""}`;

const linesOf = ({ lines }: RelatedOrder) =>
  lines.map(({ so_line_id, quantity_ordered, sku }) => (
    <Text key={so_line_id} size="sm">
      {t("times", { count: quantity_ordered, sku })}
    </Text>
  ));
