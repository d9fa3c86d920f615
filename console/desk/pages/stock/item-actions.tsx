import { useNavigate } from "react-router";
import { t } from "../../../texts/stock.js";
import { Decision } from "../../components/decision.js";
import { PrintLabel } from "../../components/print-label.js";
import { changesIn, ItemFields, type ItemRecord } from "./item-fields.js";

/** What can be done with an item. */
export function ItemActions({ item }: { item: ItemRecord }) {
  const navigate = useNavigate();
  const { sku } = item;
  const path = { item_id: item.item_id };
  return (
    <>
      <PrintLabel
        path="/api/admin/items/{item_id}/label"
        of={path}
        print={{ document: "item_label", record_ids: [item.item_id] }}
        hasCopies
      />
      <Decision
        label={t("edit")}
        verb={t("save")}
        title={t("editItem", { sku })}
        act={(values, api) => api.put("/api/admin/items/{item_id}", { path, body: changesIn(values) })}
        isWide
      >
        <ItemFields item={item} />
      </Decision>
      <Decision
        label={item.is_active ? t("archive") : t("makeActive")}
        title={t(item.is_active ? "archiveTitle" : "makeActiveTitle", { sku })}
        act={(_, api) => api.post("/api/admin/items/{item_id}/archive", { path })}
      />
      <Decision
        label={t("delete")}
        title={t("deleteItem", { sku })}
        act={async (_, api) => {
          await api.delete("/api/admin/items/{item_id}", { path });
          await navigate("/items");
        }}
        isDangerous
      />
    </>
  );
}
