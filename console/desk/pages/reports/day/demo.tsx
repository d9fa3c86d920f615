import { Text } from "@mantine/core";
import type { Demo } from "../../../../../client/src/index.js";
import { number } from "../../../../shared/format.js";
import { t } from "../../../../texts/first-hour.js";
import { Decision } from "../../../components/decision.js";
import { Section } from "../../../components/facts.js";

/** Loads the demo; what was interrupted is finished by the same. */
export const TryDemo = ({ label = t("tryDemo") }: { label?: string }) => (
  <Decision isSmall label={label} title={t("tryDemoTitle")} act={(_, api) => api.post("/api/admin/demo")}>
    <Text size="sm">{t("tryDemoHint")}</Text>
  </Decision>
);

/** Says that there is a demo, and takes it away with all that is in it. */
export function TheDemo({ demo }: { demo: Demo }) {
  const { warehouse_codes, is_loaded, bins, items, units, sales_orders, purchase_orders } = demo;
  const where = { warehouses: warehouse_codes.join(", "), count: warehouse_codes.length };
  const counts = {
    ...{ bins: number(bins), items: number(items), units: number(units) },
    ...{ orders: number(sales_orders), deliveries: number(purchase_orders) },
  };
  return (
    <Section
      title={t("demo")}
      actions={
        <>
          {!is_loaded && <TryDemo label={t("finishDemo")} />}
          <Decision
            isSmall
            isDangerous
            label={t("removeDemo")}
            title={t("removeDemoTitle")}
            act={(_, api) => api.delete("/api/admin/demo")}
          >
            <Text size="sm">{t("removeDemoWhat", where)}</Text>
            <Text size="sm">{t("removeDemoCounts", counts)}</Text>
            <Text size="sm">{t("removeDemoKept")}</Text>
          </Decision>
        </>
      }
    >
      <Text size="sm">{is_loaded ? t("demoHint", where) : t("demoUnfinished")}</Text>
    </Section>
  );
}
