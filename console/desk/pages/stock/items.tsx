import { number, time } from "../../../shared/format.js";
import { t } from "../../../texts/stock.js";
import { DataList } from "../../components/data-list.js";
import { Page } from "../../components/page.js";

export default function Items() {
  return (
    <Page title={t("items")}>
      <DataList
        title={t("items")}
        path="/api/admin/items"
        rows="items"
        to={({ item_id }) => `/items/${item_id}`}
        filters={[{ name: "q", label: t("search") }]}
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
