import { Button, Group, Paper, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import {
  type ReleasedBatch,
  urlOf,
  type WavesPlanned,
  type WavesReleased,
  type WaveToPlan,
  type WaveToRelease,
} from "../../../../client/src/index.js";
import { type Api, useAction } from "../../../shared/api.js";
import { day, number } from "../../../shared/format.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/waves.js";
import { reasonText } from "../../../texts/why.js";
import type { BulkAction } from "../../components/bulk-action.js";
import { codes, Section } from "../../components/facts.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { Page } from "../../components/page.js";
import { useNameOf } from "../../components/person.js";
import { PickerField } from "../../components/picker-field.js";
import { printEach } from "../../components/print-label.js";
import { whyNot } from "../../components/release-waves.js";
import { SelectableTable } from "../../components/selection-bar.js";
import { Notice, Refused } from "../../components/states.js";
import { DataTable } from "../../components/table.js";
import { WarehouseField } from "../../components/warehouse-field.js";
import { leftOutText, lostText } from "../../components/wave-reasons.js";
import { typed, valuesOf } from "../../values.js";
import { assignWaves } from "./assign.js";
import { planIn, WaveFields } from "./wave-fields.js";

/** Which waves a release would make now, and the release of all or of some of them. */
export default function PlanWaves() {
  const [released, setReleased] = useState<Release[]>([]);
  const add = (one: Release) => setReleased((before) => [...before, one]);
  const plan = useAction(async (asked: WaveToPlan, api) => ({
    asked,
    planned: await api.post("/api/admin/waves/plan", { body: asked }),
  }));
  const release = useAction(
    (asked: WaveToRelease, api) => releaseOf(asked, api),
    (done) => {
      add(done);
      plan.reset();
    },
  );
  return (
    <Page title={t("planWaves")}>
      <Paper withBorder p="md">
        <form
          onSubmit={(event) => {
            release.reset();
            setReleased([]);
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
            plan.data.planned.batches.length > 0 &&
            released.length === 0 && (
              <Button loading={release.isPending} onClick={() => release.mutate(plan.data.asked)}>
                {t("releaseAll", { waves: plan.data.planned.batches.length })}
              </Button>
            )
          }
        >
          <Planned of={plan.data.planned} asked={plan.data.asked} released={released} add={add} />
        </Section>
      )}
      <Refused error={release.error} />
      <Released of={released} />
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

/** What was released, and where. */
type Release = WavesReleased & Pick<WaveToPlan, "warehouse_id">;

const releaseOf = async (asked: WaveToRelease, api: Api): Promise<Release> => ({
  ...(await api.post("/api/admin/waves/release", { body: asked })),
  warehouse_id: asked.warehouse_id,
});

const releasedText = (batches: Release["batches"], nameOf: (username: string) => string) => {
  const waiting = batches.filter(({ assigned_to }) => !assigned_to).length;
  const pickers = [...new Set(batches.flatMap(({ assigned_to }) => assigned_to ?? []))];
  const of = (picker: string) => batches.filter(({ assigned_to }) => assigned_to === picker).length;
  return [
    ...(waiting > 0 || pickers.length === 0 ? [t("released", { waves: waiting })] : []),
    ...pickers.map((picker) => t("releasedTo", { waves: of(picker), picker: nameOf(picker) })),
  ].join(" ");
};

/** What was released, with what comes next: whose it is, and paper. */
function Released({ of }: { of: Release[] }) {
  const mayPrintTickets = mayOpen(useMe(), "picking-tickets");
  const nameOf = useNameOf();
  if (of.length === 0) return null;
  const batches = of.flatMap((one) => one.batches);
  const lost = of.flatMap((one) => one.lost);
  const waiting = of.flatMap((one) => one.waiting ?? []);
  const warehouse_id = of[0]?.warehouse_id;
  return (
    <>
      <Notice color={lost.length > 0 ? "orange" : "green"} title={releasedText(batches, nameOf)}>
        {lost.map((order) => (
          <Text key={order.so_id}>{lostText(order)}</Text>
        ))}
        {waiting.map(({ waiting_id, so_numbers }) => (
          <Text key={waiting_id}>{t("waitsForReserve", { numbers: so_numbers.join(", ") })}</Text>
        ))}
        <MaybeLink to="/waves">{t("toWaves")}</MaybeLink>
      </Notice>
      {batches.length > 0 && (
        <Section title={t("releasedWaves")}>
          <SelectableTable
            title={t("releasedWaves")}
            rows={batches}
            to={({ batch_id }) => `/waves/${batch_id}`}
            bulk={{
              id: "batch_id",
              name: "batch_number",
              actions: [assignWaves(warehouse_id), ...(mayPrintTickets ? [ticketsOfWaves(warehouse_id)] : [])],
            }}
            columns={[
              { field: "batch_number", title: t("wave") },
              { field: "assigned_to", title: t("picker"), as: "person" },
              { field: "total_orders", title: t("orders"), as: "number" },
              { field: "total_units", title: t("units"), as: "number" },
              { field: "so_numbers", title: t("numbers"), show: ({ so_numbers }) => codes(so_numbers) },
            ]}
          />
        </Section>
      )}
    </>
  );
}

/** What the service calls orders that have no name in common. */
const groups: Record<string, "singleLine" | "multiLine" | "severalZones"> = {
  ...{ "single-line": "singleLine", "multi-line": "multiLine", "several zones": "severalZones" },
};
const groupText = (group: string, by: GroupBy) =>
  by === "ship_by" ? day(group) : groups[group] ? t(groups[group]) : group;
type GroupBy = NonNullable<WaveToPlan["group"]>["by"];

interface PlannedProps {
  of: WavesPlanned;
  asked: WaveToPlan;
  /** What was released of it already. */
  released: Release[];
  add: (one: Release) => void;
}

type ChosenWave = WavesPlanned["batches"][number] & { place: number; name: string };

/** Releases the waves of a plan that are chosen, as they were planned, perhaps to one picker. */
const releaseChosen = (asked: WaveToPlan, add: (one: Release) => void): BulkAction<ChosenWave> => ({
  label: t("releaseChosen"),
  fields: <PickerField warehouse_id={asked.warehouse_id} isOptional />,
  together: async (waves, { user_id }, api) => {
    const chosen = { ...asked, batches: waves.map(({ so_ids }) => ({ so_ids })) };
    const done = await releaseOf({ ...chosen, ...(user_id && { user_id: Number(user_id) }) }, api);
    add(done);
    const made = new Set(done.batches.flatMap(({ so_ids }) => so_ids));
    const lost = waves.filter(({ so_ids }) => !so_ids.some((so_id) => made.has(so_id)));
    return new Map(lost.map(({ place, so_ids }) => [place, [...whyNot(so_ids, done).values()].join(" ")]));
  },
});

/** The picking tickets of waves, a print job or a file a wave. */
const ticketsOfWaves = (warehouseId: number | undefined) =>
  printEach<ReleasedBatch>({
    ...{ label: t("tickets"), document: "picking_ticket", warehouseId },
    idsOf: ({ so_ids }) => so_ids,
    file: ({ so_ids, batch_number }) => ({
      path: urlOf("/api/admin/picking-tickets", {}, { so_ids: so_ids.join(","), format: "pdf" }),
      name: `${batch_number}.pdf`,
    }),
  });

function Planned({ of: { batches, coverage, uncovered, left_out, lacking }, asked, released, add }: PlannedProps) {
  const { covered_orders, orders, covered_units } = coverage;
  const gone = new Set(released.flatMap((one) => one.batches).flatMap(({ so_ids }) => so_ids));
  const rows = batches
    .map((batch, i) => ({ ...batch, place: i + 1, name: t("waveNo", { place: i + 1 }) }))
    .filter(({ so_ids }) => !so_ids.some((so_id) => gone.has(so_id)));
  return (
    <Stack>
      <Text>
        {orders === 0
          ? t("noOrders")
          : t("coverage", { covered: covered_orders, orders, units: number(covered_units), waves: batches.length })}
      </Text>
      {batches.length > 0 && (
        <SelectableTable
          title={t("planned")}
          rows={rows}
          bulk={{ id: "place", name: "name", actions: [releaseChosen(asked, add)] }}
          columns={[
            { field: "name", title: t("wave") },
            { field: "group", title: t("together"), show: ({ group }) => group && groupText(group, asked.group?.by) },
            { field: "total_orders", title: t("orders"), as: "number" },
            { field: "total_units", title: t("units"), as: "number" },
            { field: "stops", title: t("bins"), as: "number" },
            {
              field: "walk",
              title: t("walk"),
              show: ({ walk }) => walk && t("metres", { metres: number(walk.metres) }),
            },
            { field: "so_numbers", title: t("numbers"), show: ({ so_numbers }) => codes(so_numbers) },
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
