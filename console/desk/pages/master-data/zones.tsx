import { t } from "../../../texts/master-data.js";
import { typeText } from "../../../texts/types.js";
import { ListPage } from "../../components/data-list.js";
import { activeColumn } from "../../components/status.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { NewZone, ZoneActions } from "./zone-actions.js";

export default function Zones() {
  return (
    <ListPage
      title={t("zones")}
      none="zones"
      actions={<NewZone />}
      path="/api/admin/zones"
      rows="zones"
      ofWarehouse
      to={({ zone_id }) => `/bins?zone_id=${zone_id}`}
      columns={[
        { field: "zone_code", title: t("code"), sorts: true },
        { field: "zone_name", title: t("zoneName"), sorts: true },
        { field: "zone_type", title: t("type"), sorts: true, show: ({ zone_type }) => typeText(zone_type) },
        warehouseColumn(),
        activeColumn(t),
        { field: "actions", title: t("actions"), right: true, show: (zone) => <ZoneActions zone={zone} /> },
      ]}
    />
  );
}
