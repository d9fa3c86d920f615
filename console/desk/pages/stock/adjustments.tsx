import { time } from "../../../shared/format.js";
import { reasonText } from "../../../texts/reasons.js";
import { t } from "../../../texts/stock.js";
import { DataList } from "../../components/data-list.js";
import { Page } from "../../components/page.js";
import { Signed } from "../../components/signed.js";
import { Status } from "../../components/status.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { Adjust } from "./adjust.js";

export default function Adjustments() {
  return (
    <Page title={t("adjustments")} actions={<Adjust />}>
      <DataList
        title={t("adjustments")}
        path="/api/admin/adjustments/list"
        rows="adjustments"
        ofWarehouse
        to={({ item_id }) => `/items/${item_id}`}
        columns={[
          { field: "sku", title: t("sku"), sorts: true },
          { field: "item_name", title: t("name") },
          { field: "bin_code", title: t("bin"), sorts: true },
          warehouseColumn(),
          {
            field: "quantity_change",
            title: t("change"),
            right: true,
            sorts: true,
            show: (row) => <Signed of={row.quantity_change} />,
          },
          { field: "reason_code", title: t("reason"), sorts: true, show: reasonText },
          { field: "status", title: t("status"), sorts: true, show: ({ status }) => <Status of={status} /> },
          { field: "adjusted_by", title: t("by"), sorts: true },
          { field: "adjusted_at", title: t("when"), sorts: true, show: ({ adjusted_at }) => time(adjusted_at) },
        ]}
      />
    </Page>
  );
}
