import { useNavigate } from "react-router";
import { api } from "../../../shared/api.js";
import { number, time } from "../../../shared/format.js";
import { t } from "../../../texts/stock.js";
import { DataList } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { Page } from "../../components/page.js";
import { ItemFields, itemIn } from "./item-fields.js";

export default function Items() {
  const navigate = useNavigate();
  const create = async (values: Record<string, string>, idempotencyKey: string) => {
    const { item_id } = await api.post("/api/admin/items", { body: itemIn(values), idempotencyKey });
    await navigate(`/items/${item_id}`);
  };
  return (
    <Page
      title={t("items")}
      actions={
        <Decision label={t("newItem")} verb={t("create")} title={t("newItem")} act={create} isWide>
          <ItemFields />
        </Decision>
      }
    >
      <DataList
        title={t("items")}
        path="/api/admin/items"
        rows="items"
        to={({ item_id }) => `/items/${item_id}`}
        filters={[
          { name: "q", label: t("search") },
          { name: "category", label: t("category") },
          { name: "active", label: t("status"), choices: { true: t("active"), false: t("archived") } },
        ]}
        columns={[
          { field: "sku", title: t("sku"), sorts: true },
          { field: "item_name", title: t("name"), sorts: true },
          { field: "upc", title: t("upc") },
          { field: "category", title: t("category"), sorts: true },
          { field: "default_bin_code", title: t("defaultBin") },
          { field: "weight_lbs", title: t("weight"), right: true, show: ({ weight_lbs }) => number(weight_lbs) },
          { field: "created_at", title: t("created"), sorts: true, show: ({ created_at }) => time(created_at) },
        ]}
      />
    </Page>
  );
}
