import { Group, Progress, Stack, Text } from "@mantine/core";
import type { DayAtAGlance } from "../../../../../client/src/index.js";
import { number } from "../../../../shared/format.js";
import { mayOpen, useMe } from "../../../../shared/session.js";
import { t } from "../../../../texts/day.js";
import { Section } from "../../../components/facts.js";
import { MaybeLink } from "../../../components/maybe-link.js";
import { DataTable } from "../../../components/table.js";
import { warehouseColumn } from "../../../components/warehouse-field.js";

/** Orders that are late, leave today, are held for review or by their shop, wait for stock or were picked short. */
export function Urgent({
  of: { late, late_orders, due_today, due_shipped, held, held_by_shop, waiting, short },
}: {
  of: DayAtAGlance;
}) {
  const maySee = mayOpen(useMe(), "sales-orders");
  return (
    <Section title={t("urgent")}>
      <DueShipped shipped={due_shipped} left={late + due_today} />
      <Group gap="lg" mb={late > 0 ? "sm" : 0}>
        <MaybeLink to="/orders?work=late">{t("late", { count: number(late) })}</MaybeLink>
        <MaybeLink to="/orders?work=due_today">{t("dueToday", { count: number(due_today) })}</MaybeLink>
        <MaybeLink to={maySee ? "/orders?status=FRAUD_REVIEW" : "/held-orders"}>
          {t("held", { count: number(held) })}
        </MaybeLink>
        <MaybeLink to="/orders?held=true">{t("heldOrders", { count: number(held_by_shop) })}</MaybeLink>
        <MaybeLink to="/orders?status=WAITING_STOCK">{t("waiting", { count: number(waiting) })}</MaybeLink>
        <MaybeLink to="/orders?work=short">{t("short", { count: number(short) })}</MaybeLink>
      </Group>
      {late > 0 && (
        <DataTable
          title={t("lateOrders")}
          rows={late_orders}
          columns={[
            {
              field: "so_number",
              title: t("order"),
              show: ({ so_id, so_number }) => <MaybeLink to={`/orders/${so_id}`}>{so_number}</MaybeLink>,
            },
            { field: "customer_name", title: t("customer") },
            warehouseColumn(),
            { field: "status", title: t("status"), as: "status" },
            { field: "ship_by_date", title: t("shipBy"), as: "day" },
          ]}
        />
      )}
    </Section>
  );
}

/** What was to be shipped today, and what is. */
function DueShipped({ shipped, left }: { shipped: number; left: number }) {
  const all = shipped + left;
  if (all === 0) return null;
  const says = t("dueShipped", { done: number(shipped), all: number(all) });
  return (
    <Stack gap={4} mb="sm">
      <Text size="sm">{says}</Text>
      <Progress value={(100 * shipped) / all} aria-label={says} />
    </Stack>
  );
}
