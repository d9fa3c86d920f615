import { useNavigate } from "react-router";
import type { Api } from "../../../shared/api.js";
import { t } from "../../../texts/master-data.js";
import { ListPage } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { Active, Mark } from "../../components/status.js";
import { WarehouseFields, warehouseIn } from "./warehouse-fields.js";

export default function Warehouses() {
  const navigate = useNavigate();
  const create = async (values: Record<string, string>, api: Api) => {
    const { warehouse_id } = await api.post("/api/admin/warehouses", { body: warehouseIn(values) });
    await navigate(`/warehouses/${warehouse_id}`);
  };
  return (
    <ListPage
      title={t("warehouses")}
      none="warehouses"
      actions={
        <Decision label={t("newWarehouse")} verb={t("create")} title={t("newWarehouse")} act={create} isAction>
          <WarehouseFields />
        </Decision>
      }
      path="/api/admin/warehouses"
      rows="warehouses"
      to={({ warehouse_id }) => `/warehouses/${warehouse_id}`}
      columns={[
        { field: "warehouse_code", title: t("code"), sorts: true },
        { field: "warehouse_name", title: t("name"), sorts: true },
        { field: "address", title: t("address") },
        {
          field: "is_active",
          title: t("status"),
          show: ({ is_active, is_sandbox }) =>
            is_sandbox ? (
              <Mark color="indigo" text={t("sandbox")} />
            ) : (
              <Active is={is_active} text={t(is_active ? "active" : "inactive")} />
            ),
        },
        { field: "created_at", title: t("created"), sorts: true, as: "time" },
      ]}
    />
  );
}
