import { useNavigate } from "react-router";
import type { ItemSummary } from "../../../../client/src/index.js";
import type { Api } from "../../../shared/api.js";
import { t } from "../../../texts/stock.js";
import { inUse } from "../../components/bulk-action.js";
import { ListPage } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { printLabels } from "../../components/print-label.js";
import { ItemFields, itemIn, listedTexts } from "./item-fields.js";

export default function Items() {
  const navigate = useNavigate();
  const create = async (values: Record<string, string>, api: Api) => {
    const { item_id } = await api.post("/api/admin/items", { body: itemIn(values) });
    await navigate(`/items/${item_id}`);
  };
  return (
    <ListPage
      title={t("items")}
      none="items"
      actions={
        <Decision label={t("newItem")} verb={t("create")} title={t("newItem")} act={create} isWide isAction>
          <ItemFields />
        </Decision>
      }
      path="/api/admin/items"
      isLong
      rows="items"
      to={({ item_id }) => `/items/${item_id}`}
      bulk={{
        ...{ id: "item_id", name: "sku" },
        actions: [
          printLabels("/api/admin/items/labels", "item_ids", ({ item_id }: ItemSummary) => item_id),
          ...inUse({ on: t("makeActive"), off: t("archive") }, ({ item_id }: ItemSummary, is_active, api) =>
            api.put("/api/admin/items/{item_id}", { path: { item_id }, body: { is_active } }),
          ),
        ],
      }}
      filters={[
        { name: "q", label: t("search") },
        { name: "category", label: t("category") },
        { name: "active", label: t("status"), choices: { true: t("active"), false: t("archived") } },
      ]}
      columns={[
        { field: "sku", title: t("sku"), sorts: true },
        { field: "item_name", title: t("name"), sorts: true },
        { field: "upc", title: t("upc") },
        ...listedTexts(),
        { field: "default_bin_code", title: t("defaultBin") },
        { field: "weight_lbs", title: t("weight"), as: "number" },
        { field: "created_at", title: t("created"), sorts: true, as: "time" },
      ]}
    />
  );
}
