import { useRead } from "../../../../shared/api.js";
import { t } from "../../../../texts/day.js";
import { faultText } from "../../../../texts/faults.js";
import { ChooseWarehouse } from "../../../components/choose-warehouse.js";
import { Section } from "../../../components/facts.js";
import { MaybeLink } from "../../../components/maybe-link.js";
import { Empty, Loaded } from "../../../components/states.js";
import { Mark } from "../../../components/status.js";
import { DataTable } from "../../../components/table.js";
import { useWarehouse } from "../../../components/warehouse.js";
import { useSlowReads } from "./slow-reads.js";

const colors = { idle: "green", running: "blue", error: "red" };
const states = () => ({ idle: t("syncIdle"), running: t("syncRunning"), error: t("syncError") });
const types = (): Record<string, string> => ({ orders: t("orders"), items: t("items"), inventory: t("stock") });

/** How the last sync of each type went, in the warehouse that the desk looks at. */
export function Syncs() {
  const { warehouses, warehouseId } = useWarehouse();
  const [only] = warehouses.length === 1 ? warehouses : [];
  const warehouse_id = warehouseId ?? only?.id;
  const found = useRead("/api/admin/connectors");
  const connectors = warehouse_id ? (found.data?.connectors ?? []) : [];
  const answers = useSlowReads(
    "/api/admin/connectors/{name}/sync-status",
    connectors.map(({ name }) => ({ path: { name }, query: { warehouse_id } })),
  );
  const rows = answers.flatMap((answer) => answer?.sync_states ?? []).filter(hasRun);
  return (
    <Section title={t("syncs")}>
      <Loaded of={found}>
        {() =>
          !warehouse_id ? (
            <ChooseWarehouse title={t("chooseWarehouse")} />
          ) : rows.length === 0 ? (
            <Empty title={t("noSyncs")} />
          ) : (
            <DataTable
              title={t("syncs")}
              rows={rows}
              columns={[
                {
                  field: "connector_name",
                  title: t("connector"),
                  show: ({ connector_name: name }) => <MaybeLink to={`/connectors/${name}`}>{name}</MaybeLink>,
                },
                { field: "sync_type", title: t("records"), show: (row) => types()[row.sync_type] ?? row.sync_type },
                {
                  field: "sync_status",
                  title: t("status"),
                  show: ({ sync_status: status }) => <Mark color={colors[status]} text={states()[status]} />,
                },
                { field: "last_success_at", title: t("lastSuccess"), as: "time" },
                {
                  field: "last_error_message",
                  title: t("lastError"),
                  show: (row) => faultText(row.last_error_message),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

const hasRun = (state: { sync_status: string; last_synced_at: string | null; last_error_at: string | null }) =>
  state.sync_status !== "idle" || state.last_synced_at !== null || state.last_error_at !== null;
