import { Anchor, Button, List, Text, ThemeIcon } from "@mantine/core";
import { Link } from "react-router";
import { useRead } from "../../../../shared/api.js";
import { Icon } from "../../../../shared/icons.js";
import { isAdmin, useMe } from "../../../../shared/session.js";
import { t } from "../../../../texts/first-hour.js";
import { Section } from "../../../components/facts.js";
import { useKeptFor } from "../../../components/use-kept.js";
import { useWarehouse } from "../../../components/warehouse.js";
import { TheDemo, TryDemo } from "./demo.js";

/** What leads from an empty house to its first order; it goes when there is one, or when it was put away. */
export function FirstHour() {
  return isAdmin(useMe()) ? <ForAdmin /> : null;
}

function ForAdmin() {
  const demo = useRead("/api/admin/demo").data?.demo;
  const [isOver, setOver] = useKeptFor("firstHourIsOver", false);
  // The orders of the demo are not the first ones of the house.
  if (demo) return <TheDemo demo={demo} />;
  return demo === undefined || isOver ? null : <Checklist end={() => setOver(true)} />;
}

/** One row, of which only the number of all rows is of interest. */
const ONE = { query: { per_page: 1 } };

function Checklist({ end }: { end: () => void }) {
  // Not kept: while a demo is loaded or removed, its orders are counted here for a moment.
  const orders = useRead("/api/admin/sales-orders", ONE).data?.total;
  return orders === 0 ? <Steps end={end} /> : null;
}

function Steps({ end }: { end: () => void }) {
  const { warehouses } = useWarehouse();
  const bins = useRead("/api/admin/bins", ONE).data?.total ?? 0;
  const items = useRead("/api/admin/items", ONE).data?.total ?? 0;
  const deliveries = useRead("/api/admin/purchase-orders", ONE).data?.total ?? 0;
  const steps = [
    { to: "/warehouses", name: t("warehouse"), hint: t("warehouseHint"), isDone: warehouses.length > 0 },
    { to: "/bins/new", name: t("bins"), hint: t("binsHint"), isDone: bins > 0 },
    { to: "/imports", name: t("items"), hint: t("itemsHint"), isDone: items > 0 },
    { to: "/purchase-orders/new", name: t("delivery"), hint: t("deliveryHint"), isDone: deliveries > 0 },
    { to: "/orders/new", name: t("order"), hint: t("orderHint"), isDone: false },
  ];
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Section
      title={t("firstHour")}
      actions={
        <>
          <TryDemo />
          <Button size="xs" variant="default" onClick={end}>
            {t("putAway")}
          </Button>
        </>
      }
    >
      <List spacing="sm" listStyleType="none" center>
        {steps.map((step) => (
          <List.Item
            key={step.to}
            icon={
              <ThemeIcon variant={step.isDone ? "filled" : "default"} color="green.9" radius="xl" size="sm">
                {step.isDone && <Icon of="check" size={14} />}
              </ThemeIcon>
            }
          >
            <Anchor component={Link} to={step.to} fw={step === next ? 700 : 400}>
              {step.name}
            </Anchor>
            <Text size="sm" c="dimmed">
              {step.isDone ? t("done") : step.hint}
            </Text>
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
