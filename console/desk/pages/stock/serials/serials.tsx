import { t } from "../../../../texts/lots.js";
import { choicesOf } from "../../../../texts/statuses.js";
import { ListPage } from "../../../components/data-list.js";
import { warehouseColumn } from "../../../components/warehouse-field.js";

/** Units by item, lot and state; a label that is scanned finds its unit. */
export default function Serials() {
  return (
    <ListPage
      title={t("serials")}
      none="serials"
      path="/api/admin/serials"
      isLong
      rows="serials"
      ofWarehouse
      to={({ serial_number }) => `/serials/${encodeURIComponent(serial_number)}`}
      filters={[
        { name: "q", label: t("serial") },
        { name: "sku", label: t("sku") },
        { name: "lot_number", label: t("lot") },
        { name: "state", label: t("status"), choices: choicesOf(["IN_STOCK", "PACKED", "SHIPPED", "GONE"]) },
      ]}
      columns={[
        { field: "serial_number", title: t("serial"), sorts: true },
        { field: "sku", title: t("sku") },
        { field: "item_name", title: t("name") },
        { field: "lot_number", title: t("lot") },
        { field: "state", title: t("status"), as: "status" },
        warehouseColumn(),
        { field: "so_number", title: t("order") },
        { field: "created_at", title: t("created"), sorts: true, as: "time" },
      ]}
    />
  );
}
