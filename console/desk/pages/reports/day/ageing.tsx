import { SimpleGrid } from "@mantine/core";
import { useRead } from "../../../../shared/api.js";
import { t } from "../../../../texts/looking.js";
import { Bars } from "../../../components/bars.js";
import { Section } from "../../../components/facts.js";
import { Page } from "../../../components/page.js";
import { Loaded } from "../../../components/states.js";
import { useWarehouse } from "../../../components/warehouse.js";

/** How old open orders are, and for how long stock has lain untouched. */
export default function Ageing() {
  const { warehouseId } = useWarehouse();
  const found = useRead("/api/v1/dashboard/ageing", { query: warehouseId ? { warehouse_id: warehouseId } : {} });
  return (
    <Page title={t("ageing")}>
      <Loaded of={found}>
        {({ orders, stock }) => (
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Section title={t("openOrders")}>
              <Bars
                title={t("openOrders")}
                by="age"
                isLying
                rows={orders.map((one) => ({ age: ageText(one), orders: one.orders }))}
                bars={{ orders: t("orders") }}
              />
            </Section>
            <Section title={t("stock")}>
              <Bars
                title={t("stock")}
                by="age"
                isLying
                rows={stock.map((one) => ({ age: ageText(one), units: one.units }))}
                bars={{ units: t("units") }}
              />
            </Section>
          </SimpleGrid>
        )}
      </Loaded>
    </Page>
  );
}

function ageText({ from_days: from, until_days: until }: { from_days: number; until_days: number | null }): string {
  if (until === null) return t("agesFrom", { from });
  return from === until ? t("age", { days: from }) : t("ages", { from, until });
}
