import { Button } from "@mantine/core";
import { Link } from "react-router";
import { time } from "../../../shared/format.js";
import { choicesOf } from "../../../texts/statuses.js";
import { t } from "../../../texts/transfers.js";
import { DataList } from "../../components/data-list.js";
import { Page } from "../../components/page.js";
import { Status } from "../../components/status.js";
import { useWarehouse } from "../../components/warehouse.js";

const statuses = ["OPEN", "PARTIALLY_PICKED", "AWAITING_APPROVAL", "CLOSED", "CANCELLED"];

export default function TransferOrders() {
  const { warehouses } = useWarehouse();
  const sides = Object.fromEntries(warehouses.map(({ id, code }) => [id, code]));
  return (
    <Page
      title={t("orders")}
      actions={
        <>
          <Button component={Link} to="/transfer-orders/import" variant="default">
            {t("importOrder")}
          </Button>
          <Button component={Link} to="/transfer-orders/new" variant="default">
            {t("newOrder")}
          </Button>
        </>
      }
    >
      <DataList
        title={t("orders")}
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
          { field: "status", title: t("status"), sorts: true, show: ({ status }) => <Status of={status} /> },
          { field: "source_warehouse_code", title: t("from") },
          { field: "destination_warehouse_code", title: t("to") },
          { field: "created_by", title: t("createdBy") },
          { field: "created_at", title: t("created"), sorts: true, show: ({ created_at }) => time(created_at) },
          { field: "updated_at", title: t("changed"), sorts: true, show: ({ updated_at }) => time(updated_at) },
        ]}
      />
    </Page>
  );
}
