import { SimpleGrid, Stack } from "@mantine/core";
import type { CounterSummary as Summary } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { cents, day, hour, number } from "../../../shared/format.js";
import { useMe } from "../../../shared/session.js";
import { t } from "../../../texts/pos.js";
import { Bars } from "../../components/bars.js";
import { Facts, Section } from "../../components/facts.js";
import { Loaded } from "../../components/states.js";
import { TableSection } from "../../components/table.js";
import { methodText } from "./method.js";

/** What tills took and paid back in the last 24 hours and the last week. */
export function CounterSummary() {
  const found = useRead("/api/admin/pos/summary");
  const { company_currency } = useMe();
  return (
    <Loaded of={found}>
      {({ timezone, today, active_terminals, hourly, weekly, by_origin, by_tender }) => (
        <Stack gap="md">
          <Section title={t("today")}>
            <Facts
              of={[
                [t("sales"), number(today.sales_count)],
                [t("taken"), cents(today.sales_total_cents, company_currency)],
                [t("refunds"), number(today.refund_count)],
                [t("paidBack"), cents(today.refund_total_cents, company_currency)],
                [t("tills"), active_terminals.join(", ") || undefined],
              ]}
            />
          </Section>
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Section title={t("byHour")}>
              <Bars
                title={t("byHour")}
                by="when"
                rows={hourly.map((row) => ({ when: hour(row.hour, timezone), count: row.count }))}
                bars={{ count: t("sales") }}
              />
            </Section>
            <Section title={t("byDay")}>
              <Bars
                title={t("byDay")}
                by="when"
                rows={weekly.map((row) => ({ when: day(row.date), count: row.count }))}
                bars={{ count: t("sales") }}
              />
            </Section>
            <Shares
              title={t("byOrigin")}
              rows={by_origin.map(({ origin, ...taken }) => ({ name: origin, ...taken }))}
            />
            <Shares
              title={t("byMethod")}
              rows={by_tender.map(({ method, ...taken }) => ({ name: methodText(method), ...taken }))}
            />
          </SimpleGrid>
        </Stack>
      )}
    </Loaded>
  );
}

type Share = { name: string | null } & Omit<Summary["by_origin"][number], "origin">;

function Shares({ title, rows }: { title: string; rows: Share[] }) {
  const { company_currency } = useMe();
  return (
    <TableSection
      title={title}
      empty={t("noSales")}
      rows={rows}
      columns={[
        { field: "name", title: t("name") },
        { field: "count", title: t("sales"), as: "number" },
        {
          field: "total_cents",
          title: t("taken"),
          right: true,
          show: ({ total_cents }) => cents(total_cents, company_currency),
        },
      ]}
    />
  );
}
