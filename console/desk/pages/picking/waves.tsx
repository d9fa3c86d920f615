import { Paper, Text } from "@mantine/core";
import type { ActivePickBatch } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { t as board } from "../../../texts/board.js";
import { t } from "../../../texts/picking.js";
import { t as planning } from "../../../texts/waves.js";
import type { BulkAction } from "../../components/bulk-action.js";
import { codes } from "../../components/facts.js";
import { LinkButton } from "../../components/maybe-link.js";
import { Page } from "../../components/page.js";
import { person } from "../../components/person.js";
import { SelectableTable } from "../../components/selection-bar.js";
import { Empty, Loaded } from "../../components/states.js";
import { useRefresh } from "../../components/use-refresh.js";
import { useWarehouse } from "../../components/warehouse.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { age } from "./age.js";
import { assignWaves, handOverWaves } from "./assign.js";
import { TaskProgress } from "./progress.js";
import { OrdersThatWait } from "./waiting-orders.js";

const PATH = "/api/admin/pick-batches";

/** A walk for a transfer order is ended at the transfer order. */
const cancelWaves = (): BulkAction<ActivePickBatch> => ({
  label: t("cancelWave"),
  isDangerous: true,
  fields: <Text size="sm">{t("cancelHint")}</Text>,
  fits: ({ kind }) => kind === "SO",
  each: ({ batch_id }, _, api) => api.post("/api/admin/pick-batches/{batch_id}/delete", { path: { batch_id } }),
});

/** What is being picked, the oldest first. */
export default function Waves() {
  const { warehouseId } = useWarehouse();
  const found = useRead(PATH, { query: warehouseId ? { warehouse_id: warehouseId } : {} });
  useRefresh(PATH);
  return (
    <Page
      title={t("waves")}
      actions={
        <>
          <LinkButton to="/waves/history" label={board("history")} />
          <LinkButton to="/waves/plan" label={planning("planWaves")} isFilled />
        </>
      }
    >
      <Loaded of={found}>
        {({ pick_batches }) => (
          <Paper withBorder>
            <SelectableTable
              title={t("waves")}
              bulk={{ id: "batch_id", name: "batch_number", actions: [assignWaves(), handOverWaves(), cancelWaves()] }}
              nothing={<Empty title={t("noWaves")} text={t("noWavesHint")} />}
              rows={pick_batches}
              to={({ batch_id }) => `/waves/${batch_id}`}
              columns={[
                { field: "batch_number", title: t("number") },
                {
                  field: "assigned_to",
                  title: t("picker"),
                  show: ({ assigned_to }) => person(assigned_to) ?? <Text c="dimmed">{t("waitsForPicker")}</Text>,
                },
                warehouseColumn(),
                { field: "status", title: t("status"), as: "status" },
                {
                  field: "completed_tasks",
                  title: t("progress"),
                  show: ({ completed_tasks, total_tasks }) => <TaskProgress done={completed_tasks} of={total_tasks} />,
                },
                {
                  field: "started_at",
                  title: t("since"),
                  show: ({ started_at, assigned_to }) => assigned_to && started_at && age(started_at),
                },
                {
                  field: "orders",
                  title: t("orders"),
                  show: ({ orders, to_number }) => to_number ?? codes(orders),
                },
              ]}
            />
          </Paper>
        )}
      </Loaded>
      <OrdersThatWait />
    </Page>
  );
}
