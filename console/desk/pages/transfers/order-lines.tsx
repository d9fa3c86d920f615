import type { TransferOrder, TransferOrderLine } from "../../../../client/src/index.js";
import { t } from "../../../texts/transfers.js";
import { Decision } from "../../components/decision.js";
import { TableSection } from "../../components/table.js";

export function OrderLines({ order, lines }: { order: TransferOrder; lines: TransferOrderLine[] }) {
  const isOpen = order.status !== "CLOSED" && order.status !== "CANCELLED";
  return (
    <TableSection
      title={t("lines")}
      rows={lines}
      to={({ item_id }) => `/items/${item_id}`}
      columns={[
        { field: "sku", title: t("sku") },
        { field: "item_name", title: t("name") },
        { field: "status", title: t("status"), as: "status" },
        { field: "requested_qty", title: t("requested"), as: "number" },
        { field: "committed_qty", title: t("committed"), as: "number" },
        { field: "picked_qty", title: t("picked"), as: "number" },
        { field: "approved_qty", title: t("approved"), as: "number" },
        ...(isOpen ? [{ field: "actions", title: t("actions"), right: true, show: ShortClose }] : []),
      ]}
    />
  );
}

function ShortClose({ to_id, to_line_id, sku, status }: TransferOrderLine) {
  if (status === "APPROVED" || status === "SHORT_CLOSED") return null;
  return (
    <Decision
      label={t("shortClose")}
      title={t("shortCloseTitle", { sku })}
      act={(_, api) =>
        api.post("/api/admin/transfer-orders/{to_id}/lines/{to_line_id}/short-close", {
          ...{ path: { to_id, to_line_id } },
        })
      }
      isDangerous
      isSmall
    />
  );
}
