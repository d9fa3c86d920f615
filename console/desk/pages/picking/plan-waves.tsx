import { Button, Group, Paper, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import type { WavesPlanned, WavesReleased, WaveToPlan } from "../../../../client/src/index.js";
import { useAction } from "../../../shared/api.js";
import { number } from "../../../shared/format.js";
import { t } from "../../../texts/waves.js";
import { reasonText } from "../../../texts/why.js";
import { Section } from "../../components/facts.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { Page } from "../../components/page.js";
import { Notice, Refused } from "../../components/states.js";
import { DataTable } from "../../components/table.js";
import { WarehouseField } from "../../components/warehouse-field.js";
import { leftOutText, lostText } from "../../components/wave-reasons.js";
import { typed, valuesOf } from "../../values.js";
import { planIn, WaveFields } from "./wave-fields.js";

/** Which waves a release would make now, and the release. */
export default function PlanWaves() {
  const plan = useAction(async (asked: WaveToPlan, api) => ({
    asked,
    planned: await api.post("/api/admin/waves/plan", { body: asked }),
  }));
  const release = useAction(
    (asked: WaveToPlan, api) => api.post("/api/admin/waves/release", { body: asked }),
    () => plan.reset(),
  );
  return (
    <Page title={t("planWaves")}>
      <Paper withBorder p="md">
        <form
          onSubmit={(event) => {
            release.reset();
            plan.mutate(askedIn(valuesOf(event)));
          }}
        >
          <Stack>
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
              <WarehouseField />
              <TextInput type="date" name="ship_by_until" label={t("shipByUntil")} />
              <WaveFields />
            </SimpleGrid>
            <Refused error={plan.error} />
            <Group>
              <Button type="submit" variant="default" loading={plan.isPending}>
                {t("plan")}
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
      {plan.data && (
        <Section
          title={t("planned")}
          actions={
            plan.data.planned.batches.length > 0 && (
              <Button loading={release.isPending} onClick={() => release.mutate(plan.data.asked)}>
                {t("release")}
              </Button>
            )
          }
        >
          <Planned of={plan.data.planned} />
        </Section>
      )}
      <Refused error={release.error} />
      {release.data && <Released of={release.data} />}
    </Page>
  );
}

const askedIn = (values: Record<string, string>): WaveToPlan => {
  const { filter, ...plan } = planIn(values);
  const ship_by_until = typed(values.ship_by_until);
  return {
    ...plan,
    warehouse_id: Number(values.warehouse_id),
    filter: { ...filter, ...(ship_by_until && { ship_by_until }) },
  };
};

const Released = ({ of: { batches, lost, waiting } }: { of: WavesReleased }) => (
  <Notice color={lost.length > 0 ? "orange" : "green"} title={t("released", { waves: batches.length })}>
    {lost.map((order) => (
      <Text key={order.so_id}>{lostText(order)}</Text>
    ))}
    {waiting && <Text>{t("waitsForReserve", { numbers: waiting.so_numbers.join(", ") })}</Text>}
    <MaybeLink to="/waves">{t("toWaves")}</MaybeLink>
  </Notice>
);

/** What the service calls orders that have no name in common. */
const groups: Record<string, "singleLine" | "multiLine" | "severalZones"> = {
  ...{ "single-line": "singleLine", "multi-line": "multiLine", "several zones": "severalZones" },
};
const groupText = (group: string) => (groups[group] ? t(groups[group]) : group);

function Planned({ of: { batches, coverage, uncovered, left_out, lacking } }: { of: WavesPlanned }) {
  const { covered_orders, orders, covered_units } = coverage;
  return (
    <Stack>
      <Text>
        {orders === 0
          ? t("noOrders")
          : t("coverage", { covered: covered_orders, orders, units: number(covered_units), waves: batches.length })}
      </Text>
      {batches.length > 0 && (
        <DataTable
          title={t("planned")}
          rows={batches}
          columns={[
            { field: "group", title: t("together"), show: ({ group }) => group && groupText(group) },
            { field: "total_orders", title: t("orders"), as: "number" },
            { field: "total_units", title: t("units"), as: "number" },
            { field: "stops", title: t("bins"), as: "number" },
            {
              field: "walk",
              title: t("walk"),
              show: ({ walk }) => walk && t("metres", { metres: number(walk.metres) }),
            },
            { field: "so_numbers", title: t("numbers"), show: ({ so_numbers }) => so_numbers.join(", ") },
          ]}
        />
      )}
      {uncovered.length > 0 && (
        <DataTable
          title={t("uncovered")}
          rows={uncovered}
          to={({ so_id }) => `/orders/${so_id}`}
          columns={[
            { field: "so_number", title: t("uncovered") },
            {
              field: "lines",
              title: t("missing"),
              show: ({ lines }) => lines.map(({ sku, missing }) => `${number(missing)} × ${sku}`).join(", "),
            },
            {
              field: "in_reserve",
              title: t("inReserve"),
              show: ({ lines: [line] }) => line?.in_reserve !== undefined && t("isCarried"),
            },
          ]}
        />
      )}
      {lacking.map(({ sku, unusable }) => (
        <Text key={sku} c="dimmed">
          {t("notFree", {
            sku,
            units: unusable.map(({ reason, units }) => `${number(units)} ${reasonText(reason)}`).join(", "),
          })}
        </Text>
      ))}
      {left_out.map((left) => (
        <Text key={left.reason} c="dimmed">
          {leftOutText(left)}
        </Text>
      ))}
    </Stack>
  );
}
