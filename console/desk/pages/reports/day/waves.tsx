import { Group, Progress, Text } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { useState } from "react";
import { useRead } from "../../../../shared/api.js";
import { age, number } from "../../../../shared/format.js";
import { t } from "../../../../texts/day.js";
import { Section } from "../../../components/facts.js";
import { MaybeLink } from "../../../components/maybe-link.js";
import { Loaded } from "../../../components/states.js";
import { DataTable } from "../../../components/table.js";
import { useRefresh } from "../../../components/use-refresh.js";
import { useWarehouse } from "../../../components/warehouse.js";
import { warehouseColumn } from "../../../components/warehouse-field.js";

const PATH = "/api/admin/pick-batches";
const SHOWN_ORDERS = 5;

/** The waves that are being picked: who, how far, and for how long. */
export function Waves() {
  const { warehouseId } = useWarehouse();
  const found = useRead(PATH, { query: warehouseId ? { warehouse_id: warehouseId } : {} });
  useRefresh(PATH);
  // Ages grow although nothing changes.
  const [, setMinute] = useState(0);
  useInterval(() => setMinute((minute) => minute + 1), 60_000, { autoInvoke: true });
  return (
    <Section title={t("waves")}>
      <Loaded of={found}>
        {({ pick_batches }) => (
          <>
            <DataTable
              title={t("waves")}
              empty={t("noWaves")}
              rows={pick_batches.filter(({ assigned_to }) => assigned_to)}
              to={({ batch_id }) => `/waves/${batch_id}`}
              columns={[
                { field: "batch_number", title: t("wave") },
                { field: "assigned_to", title: t("picker"), as: "person" },
                warehouseColumn(),
                {
                  field: "orders",
                  title: t("contents"),
                  show: ({ orders, to_number }) => to_number ?? namesOf(orders),
                },
                {
                  field: "completed_tasks",
                  title: t("progress"),
                  show: ({ completed_tasks, total_tasks }) => <Done of={total_tasks} done={completed_tasks} />,
                },
                { field: "started_at", title: t("begun"), show: ({ started_at }) => started_at && age(started_at) },
              ]}
            />
            <WaitingWaves count={pick_batches.filter(({ assigned_to }) => !assigned_to).length} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const WaitingWaves = ({ count }: { count: number }) =>
  count > 0 && (
    <Text>
      <MaybeLink to="/waves">{t("waitingWaves", { count: number(count) })}</MaybeLink>
    </Text>
  );

const namesOf = (orders: string[]) =>
  orders.slice(0, SHOWN_ORDERS).join(", ") +
  (orders.length > SHOWN_ORDERS ? ` ${t("more", { count: number(orders.length - SHOWN_ORDERS) })}` : "");

const Done = ({ of, done }: { of: number; done: number }) => (
  <Group gap="xs" wrap="nowrap">
    <Progress value={of === 0 ? 0 : (100 * done) / of} w={100} aria-label={t("progress")} />
    <Text size="sm">{t("doneOf", { done: number(done), of: number(of) })}</Text>
  </Group>
);
