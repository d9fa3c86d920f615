import { reasonText } from "../../../texts/reasons.js";
import { t } from "../../../texts/stock.js";
import { ListPage } from "../../components/data-list.js";
import { Signed } from "../../components/signed.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { Adjust } from "./adjust.js";

export default function Adjustments() {
  return (
    <ListPage
      title={t("adjustments")}
      none="adjustments"
      actions={<Adjust />}
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
        { field: "status", title: t("status"), sorts: true, as: "status" },
        { field: "adjusted_by", title: t("by"), sorts: true, as: "person" },
        { field: "adjusted_at", title: t("when"), sorts: true, as: "time" },
      ]}
    />
  );
}
