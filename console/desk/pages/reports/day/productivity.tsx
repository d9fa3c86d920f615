import { SegmentedControl, SimpleGrid, Stack, Text } from "@mantine/core";
import type { Answer, DashboardPreferences } from "../../../../../client/src/index.js";
import { useRead } from "../../../../shared/api.js";
import { number } from "../../../../shared/format.js";
import { t } from "../../../../texts/day.js";
import { useAddress } from "../../../components/address.js";
import { Bars } from "../../../components/bars.js";
import { Section } from "../../../components/facts.js";
import { Page } from "../../../components/page.js";
import { useNameOf } from "../../../components/person.js";
import { Empty, Loaded } from "../../../components/states.js";
import { TableSection } from "../../../components/table.js";
import { useWarehouse } from "../../../components/warehouse.js";
import { optionsOf } from "../../../values.js";
import { Preferences } from "./preferences.js";
import { RangeFilters } from "./range-filters.js";
import { daysOf, type Metric, metricsText, viewsText } from "./words.js";

/** Who did how much. What the address does not say is as the user prefers it. */
export default function Productivity() {
  const preferences = useRead("/api/v1/dashboard/preferences");
  return (
    <Page title={t("productivity")} actions={preferences.data && <Preferences of={preferences.data} />}>
      <Loaded of={preferences}>{(saved) => <Work preferred={saved} />}</Loaded>
    </Page>
  );
}

function Work({ preferred }: { preferred: DashboardPreferences }) {
  const { warehouseId } = useWarehouse();
  const [address, set] = useAddress();
  const range = address.get("range") ?? preferred.default_range;
  const view = address.get("view") ?? preferred.default_view;
  const days = daysOf(range, address.get("start"), address.get("end"));
  const query = { ...days, ...(warehouseId && { warehouse_id: warehouseId }) };
  const found = useRead("/api/v1/dashboard/productivity", { query });
  const nameOf = useNameOf();
  return (
    <Stack>
      <RangeFilters range={range} address={address} set={set} />
      <SegmentedControl
        aria-label={t("view")}
        w="fit-content"
        value={view}
        onChange={(next) => set("view", next)}
        data={optionsOf(viewsText())}
      />
      <Loaded of={found}>
        {({ users, events_visible, totals_per_event }) => {
          const kinds = preferred.chart_order.filter((kind) => events_visible.includes(kind));
          const words = metricsText();
          // What the service does by itself is nobody's.
          const name = ({ username, display_name }: User) =>
            nameOf(username, username === "system" ? null : display_name);
          if (users.length === 0) return <Empty title={t("noWork")} />;
          if (view === "charts")
            return (
              <SimpleGrid cols={{ base: 1, lg: 2 }}>
                {kinds.map((kind) => (
                  <Section key={kind} title={t("ofKind", { kind: words[kind], total: number(totals_per_event[kind]) })}>
                    <Ranking title={words[kind]} kind={kind} rows={ranked(users, kind, name)} />
                  </Section>
                ))}
              </SimpleGrid>
            );
          return (
            <TableSection
              title={t("byPerson")}
              rows={users}
              columns={[
                { field: "display_name", title: t("person"), show: name },
                ...kinds.map((kind) => ({
                  field: kind,
                  title: words[kind],
                  right: true,
                  show: (user: User) => doneText(user, kind),
                })),
              ]}
            />
          );
        }}
      </Loaded>
    </Stack>
  );
}

interface RankingProps {
  title: string;
  kind: Metric;
  rows: ReturnType<typeof ranked>;
}

const Ranking = ({ title, kind, rows }: RankingProps) =>
  rows.length > 0 ? (
    <Bars title={title} by="name" isLying rows={rows} bars={{ [kind]: title }} />
  ) : (
    <Text c="dimmed" size="sm">
      {t("noWork")}
    </Text>
  );

type User = Answer<"/api/v1/dashboard/productivity">["users"][number];

/** To one decimal, by the hours in which the user did something. */
const perHour = ({ active_hours }: User, done: number) => Math.round((10 * done) / Math.max(1, active_hours)) / 10;

/** How much of it, and how much that is an hour: orders, units and items are not added up. */
const doneText = (user: User, kind: Metric) => {
  const done = user.metrics[kind] ?? 0;
  return done > 0 ? t("anHour", { name: number(done), count: number(perHour(user, done)) }) : number(0);
};

/** Who did some of it, most first, with how much that is an hour. */
const ranked = (users: User[], kind: Metric, nameOf: (user: User) => string) =>
  users
    .map((user) => ({ user, done: user.metrics[kind] ?? 0 }))
    .filter(({ done }) => done > 0)
    .sort((a, b) => b.done - a.done)
    .map(({ user, done }) => ({
      name: t("anHour", { name: nameOf(user), count: number(perHour(user, done)) }),
      [kind]: done,
    }));
