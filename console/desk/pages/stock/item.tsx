import { Badge } from "@mantine/core";
import { useParams } from "react-router";
import { api, useRead } from "../../../shared/api.js";
import { number, time } from "../../../shared/format.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/stock.js";
import { Bars } from "../../components/bars.js";
import { DataList } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { Facts, Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { Loaded } from "../../components/states.js";

export default function Item() {
  const item_id = Number(useParams().item_id);
  const path = { item_id };
  const found = useRead("/api/admin/items/{item_id}", { path });
  const maySeeStock = mayOpen(useMe(), "inventory");
  return (
    <Loaded of={found}>
      {({ item, inventory }) => (
        <Page
          title={`${item.sku} · ${item.item_name}`}
          back="/items"
          mark={!item.is_active && <Badge color="gray">{t("archived")}</Badge>}
          actions={
            <Decision
              label={item.is_active ? t("archive") : t("makeActive")}
              title={t(item.is_active ? "archiveTitle" : "makeActiveTitle", { sku: item.sku })}
              act={(_, idempotencyKey) => api.post("/api/admin/items/{item_id}/archive", { path, idempotencyKey })}
            />
          }
        >
          <Section title={t("master")}>
            <Facts
              of={[
                [t("sku"), item.sku],
                [t("upc"), item.upc],
                [t("mpn"), item.mpn],
                [t("category"), item.category],
                [t("weight"), number(item.weight_lbs)],
                [t("created"), time(item.created_at)],
              ]}
            />
          </Section>
          {inventory.length > 0 && (
            <Section title={t("stock")}>
              <Bars
                title={t("stock")}
                by="bin_code"
                rows={inventory.map(({ bin_code, quantity_on_hand, quantity_allocated }) => ({
                  ...{ bin_code, quantity_on_hand, quantity_allocated },
                }))}
                bars={{ quantity_on_hand: t("onHand"), quantity_allocated: t("allocated") }}
              />
            </Section>
          )}
          {maySeeStock && (
            <Section title={t("byBin")}>
              <DataList
                title={t("byBin")}
                path="/api/admin/inventory"
                rows="inventory"
                query={{ item_id }}
                ofWarehouse
                columns={[
                  { field: "bin_code", title: t("bin"), sorts: true },
                  { field: "zone_name", title: t("zone") },
                  { field: "lot_number", title: t("lot"), sorts: true },
                  { field: "quantity_on_hand", title: t("onHand"), right: true, sorts: true },
                  { field: "quantity_allocated", title: t("allocated"), right: true },
                  { field: "quantity_available", title: t("available"), right: true },
                  { field: "last_counted_at", title: t("lastCounted"), show: (row) => time(row.last_counted_at) },
                ]}
              />
            </Section>
          )}
        </Page>
      )}
    </Loaded>
  );
}
