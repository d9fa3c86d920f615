import { useNavigate, useParams } from "react-router";
import { type Api, useRead } from "../../../shared/api.js";
import { day, time } from "../../../shared/format.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/master-data.js";
import { typeText } from "../../../texts/types.js";
import { Decision } from "../../components/decision.js";
import { Facts, Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { Loaded } from "../../components/states.js";
import { Active, activeColumn } from "../../components/status.js";
import { TableSection } from "../../components/table.js";
import { WarehouseFields, warehouseIn } from "./warehouse-fields.js";
import { NewZone } from "./zone-actions.js";

export default function Warehouse() {
  const navigate = useNavigate();
  const warehouse_id = Number(useParams().warehouse_id);
  const path = { warehouse_id };
  const maySeeZones = mayOpen(useMe(), "zones");
  const edit = (values: Record<string, string>, api: Api) =>
    api.put("/api/admin/warehouses/{warehouse_id}", {
      ...{ path, body: { ...warehouseIn(values), is_active: values.is_active === "on" } },
    });
  const remove = async (_: unknown, api: Api) => {
    await api.delete("/api/admin/warehouses/{warehouse_id}", { path });
    await navigate("/warehouses");
  };
  return (
    <Loaded of={useRead("/api/admin/warehouses/{warehouse_id}", { path })}>
      {({ warehouse, zones }) => {
        const code = warehouse.warehouse_code;
        return (
          <Page
            title={`${code} · ${warehouse.warehouse_name}`}
            warehouse_id={warehouse_id}
            actions={
              <>
                <Decision label={t("edit")} verb={t("save")} title={t("editWarehouse", { code })} act={edit}>
                  <WarehouseFields of={warehouse} />
                </Decision>
                <Decision label={t("delete")} title={t("deleteWarehouse", { code })} act={remove} isDangerous />
              </>
            }
          >
            <Section title={t("warehouse")}>
              <Facts
                of={[
                  [t("code"), code],
                  [t("name"), warehouse.warehouse_name],
                  [t("status"), statusOf(warehouse)],
                  [t("created"), time(warehouse.created_at)],
                  [t("address"), warehouse.address],
                  [t("timezone"), warehouse.timezone ?? t("ofCompany")],
                  [t("closedDays"), warehouse.closed_days.map(day).join(", ")],
                ]}
              />
            </Section>
            <TableSection
              title={t("zones")}
              actions={maySeeZones && <NewZone warehouseId={warehouse_id} />}
              empty={t("noZones")}
              rows={zones}
              to={({ zone_id }) => `/bins?zone_id=${zone_id}`}
              columns={[
                { field: "zone_code", title: t("code") },
                { field: "zone_name", title: t("zoneName") },
                { field: "zone_type", title: t("type"), show: ({ zone_type }) => typeText(zone_type) },
                activeColumn(t),
              ]}
            />
          </Page>
        );
      }}
    </Loaded>
  );
}

const statusOf = ({ is_active }: { is_active: boolean }) => (
  <Active is={is_active} text={t(is_active ? "active" : "inactive")} />
);
