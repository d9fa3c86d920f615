import { useNavigate } from "react-router";
import type { BinWithZone } from "../../../../client/src/index.js";
import { type Api, useRead } from "../../../shared/api.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/master-data.js";
import { t as newBins } from "../../../texts/new-bins.js";
import { binTypes, typeText } from "../../../texts/types.js";
import { inUse } from "../../components/bulk-action.js";
import { ListPage } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import type { Filter } from "../../components/filters.js";
import { LinkButton } from "../../components/maybe-link.js";
import { printLabels } from "../../components/print-label.js";
import { activeColumn } from "../../components/status.js";
import { useWarehouse } from "../../components/warehouse.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { BinFields, binIn, PlaceFields } from "./bin-fields.js";

/** Zones are named to those who may see them; only they can say where a new bin is. */
export default function Bins() {
  const me = useMe();
  if (!mayOpen(me, "zones")) return <BinList />;
  return <BinsOfZones mayCreate={mayOpen(me, "bins")} />;
}

function BinsOfZones({ mayCreate }: { mayCreate: boolean }) {
  const { warehouseId } = useWarehouse();
  const of = warehouseId && { warehouse_id: warehouseId };
  const { data } = useRead("/api/admin/zones", { query: { ...of, per_page: 1000 } });
  const choices = (data?.zones ?? []).map(({ zone_id, zone_name }) => [zone_id, zone_name]);
  const byZone = { name: "zone_id", label: t("zone"), choices: Object.fromEntries(choices) };
  return <BinList filters={[byZone]} mayCreate={mayCreate} />;
}

function BinList({ filters = [], mayCreate = false }: { filters?: Filter[]; mayCreate?: boolean }) {
  const me = useMe();
  const navigate = useNavigate();
  const create = async (values: Record<string, string>, api: Api) => {
    const body = { ...binIn(values), warehouse_id: Number(values.warehouse_id) };
    const { bin_id } = await api.post("/api/admin/bins", { body });
    await navigate(`/bins/${bin_id}`);
  };
  return (
    <ListPage
      title={t("bins")}
      none="bins"
      actions={
        mayCreate && (
          <>
            <LinkButton to="/bins/new" label={newBins("newBins")} />
            <Decision label={t("newBin")} verb={t("create")} title={t("newBin")} act={create} isWide>
              <PlaceFields />
              <BinFields />
            </Decision>
          </>
        )
      }
      path="/api/admin/bins"
      rows="bins"
      ofWarehouse
      to={({ bin_id }) => `/bins/${bin_id}`}
      bulk={{
        ...{ id: "bin_id", name: "bin_code" },
        actions: [
          printLabels("/api/admin/bins/labels", "bin_ids", ({ bin_id }: BinWithZone) => bin_id),
          ...(mayOpen(me, "bins")
            ? inUse({ on: t("takeIntoUse"), off: t("takeOutOfUse") }, ({ bin_id }: BinWithZone, is_active, api) =>
                api.put("/api/admin/bins/{bin_id}", { path: { bin_id }, body: { is_active } }),
              )
            : []),
        ],
      }}
      filters={[
        { name: "q", label: t("search") },
        ...filters,
        { name: "bin_type", label: t("type"), choices: binTypes() },
      ]}
      columns={[
        { field: "bin_code", title: t("binCode"), sorts: true },
        { field: "bin_barcode", title: t("barcode"), sorts: true },
        warehouseColumn(),
        { field: "zone_name", title: t("zone"), sorts: true },
        { field: "bin_type", title: t("type"), sorts: true, show: ({ bin_type }) => typeText(bin_type) },
        { field: "aisle", title: t("aisle"), sorts: true },
        { field: "pick_sequence", title: t("pickSequence"), sorts: true, as: "number" },
        activeColumn(t),
      ]}
    />
  );
}
