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
            <Ages title={t("openOrders")} of={orders} count={({ orders }) => orders} what={t("orders")} />
            <Ages title={t("stock")} of={stock} count={({ units }) => units} what={t("units")} />
          </SimpleGrid>
        )}
      </Loaded>
    </Page>
  );
}

interface Age {
  from_days: number;
  until_days: number | null;
}

interface AgesProps<A> {
  title: string;
  of: A[];
  count: (age: A) => number;
  /** What is counted. */
  what: string;
}

const Ages = <A extends Age>({ title, of, count, what }: AgesProps<A>) => (
  <Section title={title}>
    <Bars
      title={title}
      by="age"
      isLying
      rows={of.map((one) => ({ age: ageText(one), count: count(one) }))}
      bars={{ count: what }}
    />
  </Section>
);

function ageText({ from_days: from, until_days: until }: Age): string {
  if (until === null) return t("agesFrom", { from });
  return from === until ? t("age", { days: from }) : t("ages", { from, until });
}
