import { choicesOf } from "../../../texts/statuses.js";
import { t } from "../../../texts/transfers.js";
import { ListPage } from "../../components/data-list.js";
import { LinkButton } from "../../components/maybe-link.js";
import { useWarehouse } from "../../components/warehouse.js";

const statuses = ["OPEN", "PARTIALLY_PICKED", "AWAITING_APPROVAL", "CLOSED", "CANCELLED"];

export default function TransferOrders() {
  const { warehouses } = useWarehouse();
  const sides = Object.fromEntries(warehouses.map(({ id, code }) => [id, code]));
  return (
    <ListPage
      title={t("orders")}
      none="transferOrders"
      actions={
        <>
          <LinkButton to="/transfer-orders/import" label={t("importOrder")} />
          <LinkButton to="/transfer-orders/new" label={t("newOrder")} />
        </>
      }
      path="/api/admin/transfer-orders"
      rows="transfer_orders"
      to={({ to_id }) => `/transfer-orders/${to_id}`}
      filters={[
        { name: "status", label: t("status"), choices: choicesOf(statuses) },
        { name: "to_approve", label: t("approval"), choices: { true: t("onlyToApprove") } },
        { name: "source_warehouse_id", label: t("from"), choices: sides },
        { name: "destination_warehouse_id", label: t("to"), choices: sides },
      ]}
      columns={[
        { field: "to_number", title: t("number"), sorts: true },
        { field: "status", title: t("status"), sorts: true, as: "status" },
        { field: "source_warehouse_code", title: t("from") },
        { field: "destination_warehouse_code", title: t("to") },
        { field: "created_by", title: t("createdBy"), as: "person" },
        { field: "created_at", title: t("created"), sorts: true, as: "time" },
        { field: "updated_at", title: t("changed"), sorts: true, as: "time" },
      ]}
    />
  );
}
