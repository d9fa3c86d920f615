import { Alert, List } from "@mantine/core";
import type { ReactNode } from "react";
import { useParams } from "react-router";
import { useRead } from "../../../shared/api.js";
import { number, time } from "../../../shared/format.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/stock.js";
import { Bars } from "../../components/bars.js";
import { Facts, Section } from "../../components/facts.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { Page } from "../../components/page.js";
import { Loaded } from "../../components/states.js";
import { Active } from "../../components/status.js";
import { TableSection } from "../../components/table.js";
import { ItemActions } from "./item-actions.js";
import { customsOf } from "./item-customs.js";
import { textsOf } from "./item-fields.js";
import { policiesOf } from "./item-policies.js";
import { Movements } from "./movements.js";
import { PreferredBins } from "./preferred-bins.js";
import { SerialsOf } from "./serials/serials-of.js";
import { StockList } from "./stock-list.js";

export default function Item() {
  const item_id = Number(useParams().item_id);
  const found = useRead("/api/admin/items/{item_id}", { path: { item_id } });
  const me = useMe();
  return (
    <Loaded of={found}>
      {({ item, inventory, preferred_bins, coming, shared_codes }) => (
        <Page
          title={`${item.sku} · ${item.item_name}`}
          mark={!item.is_active && <Active is={false} text={t("archived")} />}
          actions={<ItemActions item={item} />}
        >
          {shared_codes.length > 0 && (
            <Alert
              color="orange"
              variant="light"
              title={t("sharedCodes")}
              styles={{ title: { color: "var(--mantine-color-text)" } }}
            >
              <List size="sm">
                {shared_codes.map((other) => (
                  <List.Item key={`${other.code} ${other.item_id}`}>
                    {other.code}: <MaybeLink to={`/items/${other.item_id}`}>{other.sku}</MaybeLink> {other.item_name}
                  </List.Item>
                ))}
              </List>
            </Alert>
          )}
          <Section title={t("master")}>
            <Facts
              of={[
                [t("sku"), item.sku],
                [t("upc"), item.upc],
                [t("aliases"), item.barcode_aliases?.join(", ") || null],
                ...textsOf(item),
                [
                  t("defaultBin"),
                  item.default_bin_id && (
                    <MaybeLink to={`/bins/${item.default_bin_id}`}>{item.default_bin_code}</MaybeLink>
                  ),
                ],
                [t("weight"), number(item.weight_lbs)],
                [t("dimensions"), dimensions(item)],
                [t("reorderPoint"), number(item.reorder_point)],
                [t("reorderQty"), number(item.reorder_qty)],
                ...tracked(item),
                ...policiesOf(item),
                ...customsOf(item),
                ...(item.serial_policy !== "none" && mayOpen(me, "inventory")
                  ? [[t("serials"), <SerialsOf key="serials" sku={item.sku} />] as [string, ReactNode]]
                  : []),
                [t("created"), time(item.created_at)],
                [t("changed"), time(item.updated_at)],
                [t("description"), item.description],
              ]}
            />
          </Section>
          {inventory.length > 1 && (
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
          {mayOpen(me, "inventory") && (
            <Section title={t("byBin")}>
              <StockList of={{ item_id }} />
            </Section>
          )}
          {coming.length > 0 && (
            <TableSection
              title={t("onItsWay")}
              rows={coming}
              to={mayOpen(me, "purchase-orders") ? ({ po_id }) => `/purchase-orders/${po_id}` : undefined}
              columns={[
                { field: "po_number", title: t("purchaseOrder") },
                { field: "warehouse_code", title: t("warehouse") },
                { field: "expected_date", title: t("expected"), as: "day" },
                { field: "quantity_remaining", title: t("stillToCome"), as: "number" },
              ]}
            />
          )}
          <PreferredBins item_id={item_id} bins={preferred_bins} />
          {mayOpen(me, "audit-log") && (
            <Section title={t("movements")}>
              <Movements item_id={item_id} />
            </Section>
          )}
        </Page>
      )}
    </Loaded>
  );
}

type Measured = Record<"length_in" | "width_in" | "height_in", number | null>;
const dimensions = ({ length_in, width_in, height_in }: Measured) =>
  length_in || width_in || height_in ? [length_in, width_in, height_in].map(number).join(" × ") : null;

/** What another system says that the item is tracked by. */
function tracked(item: { is_lot_tracked: boolean; is_serial_tracked: boolean }): [string, string][] {
  const by = [item.is_lot_tracked && t("lot"), item.is_serial_tracked && t("serial")].filter(Boolean);
  return by.length > 0 ? [[t("tracked"), by.join(", ")]] : [];
}
