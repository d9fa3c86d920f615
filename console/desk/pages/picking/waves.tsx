import { Paper, Text } from "@mantine/core";
import { useRead } from "../../../shared/api.js";
import { t as board } from "../../../texts/board.js";
import { t } from "../../../texts/picking.js";
import { t as planning } from "../../../texts/waves.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { Page } from "../../components/page.js";
import { Empty, Loaded } from "../../components/states.js";
import { DataTable } from "../../components/table.js";
import { useRefresh } from "../../components/use-refresh.js";
import { useWarehouse } from "../../components/warehouse.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { age } from "./age.js";
import { TaskProgress } from "./progress.js";
import { OrdersThatWait } from "./waiting-orders.js";

const PATH = "/api/admin/pick-batches";

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
          <MaybeLink to="/waves/history">{board("history")}</MaybeLink>
          <MaybeLink to="/waves/plan">{planning("planWaves")}</MaybeLink>
        </>
      }
    >
      <Loaded of={found}>
        {({ pick_batches }) =>
          pick_batches.length === 0 ? (
            <Empty title={t("noWaves")}>{t("noWavesHint")}</Empty>
          ) : (
            <Paper withBorder>
              <DataTable
                title={t("waves")}
                rows={pick_batches}
                to={({ batch_id }) => `/waves/${batch_id}`}
                columns={[
                  { field: "batch_number", title: t("number") },
                  {
                    field: "assigned_to",
                    title: t("picker"),
                    show: ({ assigned_to }) => assigned_to ?? <Text c="dimmed">{t("waitsForPicker")}</Text>,
                  },
                  warehouseColumn(),
                  { field: "status", title: t("status"), as: "status" },
                  {
                    field: "completed_tasks",
                    title: t("progress"),
                    show: ({ completed_tasks, total_tasks }) => (
                      <TaskProgress done={completed_tasks} of={total_tasks} />
                    ),
                  },
                  {
                    field: "started_at",
                    title: t("since"),
                    show: ({ started_at, assigned_to }) => assigned_to && started_at && age(started_at),
                  },
                  {
                    field: "orders",
                    title: t("orders"),
                    show: ({ orders, to_number }) => to_number ?? orders.join(", "),
                  },
                ]}
              />
            </Paper>
          )
        }
      </Loaded>
      <OrdersThatWait />
    </Page>
  );
}
