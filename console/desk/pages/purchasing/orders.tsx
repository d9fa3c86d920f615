import { Button } from "@mantine/core";
import { Link } from "react-router";
import { day, time } from "../../../shared/format.js";
import { t } from "../../../texts/purchasing.js";
import { choicesOf } from "../../../texts/statuses.js";
import { DataList } from "../../components/data-list.js";
import { Page } from "../../components/page.js";
import { Status } from "../../components/status.js";
import { warehouseColumn } from "../../components/warehouse-field.js";

const statuses = ["OPEN", "PARTIAL", "RECEIVED", "CLOSED", "ARCHIVED"];

export default function PurchaseOrders() {
  return (
    <Page
      title={t("orders")}
      actions={
        <Button component={Link} to="/purchase-orders/new" variant="default">
          {t("newOrder")}
        </Button>
      }
    >
      <DataList
        title={t("orders")}
        path="/api/admin/purchase-orders"
        rows="purchase_orders"
        ofWarehouse
        to={({ po_id }) => `/purchase-orders/${po_id}`}
        filters={[
          { name: "q", label: t("search") },
          { name: "status", label: t("status"), choices: { "OPEN,PARTIAL": t("notClosed"), ...choicesOf(statuses) } },
        ]}
        columns={[
          { field: "po_number", title: t("number"), sorts: true },
          { field: "vendor_name", title: t("vendor"), sorts: true },
          warehouseColumn(),
          { field: "status", title: t("status"), sorts: true, show: ({ status }) => <Status of={status} /> },
          { field: "expected_date", title: t("expected"), sorts: true, show: (row) => day(row.expected_date) },
          { field: "received_at", title: t("received"), sorts: true, show: ({ received_at }) => time(received_at) },
          { field: "created_by", title: t("createdBy") },
          { field: "created_at", title: t("created"), sorts: true, show: ({ created_at }) => time(created_at) },
        ]}
      />
    </Page>
  );
}
