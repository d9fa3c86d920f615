import { useRead } from "../../../shared/api.js";
import { t } from "../../../texts/board.js";
import { t as picking } from "../../../texts/picking.js";
import { t as waves } from "../../../texts/waves.js";
import { Decision } from "../../components/decision.js";
import { codes } from "../../components/facts.js";
import { RowActions } from "../../components/row-actions.js";
import { TableSection } from "../../components/table.js";
import { useRefresh } from "../../components/use-refresh.js";
import { useWarehouse } from "../../components/warehouse.js";
import { warehouseColumn } from "../../components/warehouse-field.js";

const PATH = "/api/admin/waves/waiting";

/** Orders of releases that wait for units from reserve; nothing where none does. */
export function OrdersThatWait() {
  const { warehouseId } = useWarehouse();
  const { data } = useRead(PATH, { query: warehouseId ? { warehouse_id: warehouseId } : {} });
  useRefresh(PATH);
  if (!data || data.waiting.length === 0) return null;
  return (
    <TableSection
      title={t("waitsForFace")}
      rows={data.waiting}
      columns={[
        { field: "so_numbers", title: picking("orders"), show: ({ so_numbers }) => codes(so_numbers) },
        warehouseColumn(),
        { field: "created_by", title: t("releasedBy"), as: "person" },
        { field: "created_at", title: picking("created"), as: "time" },
        {
          field: "actions",
          title: waves("actions"),
          show: ({ waiting_id, so_ids }) => (
            <RowActions>
              <Decision
                isSmall
                isDangerous
                label={t("takeBack")}
                title={t("takeBackTitle", { count: so_ids.length })}
                act={(_, api) => api.delete(`${PATH}/{waiting_id}`, { path: { waiting_id } })}
              >
                {t("takeBackHint")}
              </Decision>
            </RowActions>
          ),
        },
      ]}
    />
  );
}
