import { Anchor, Button, Checkbox, Group, NumberInput, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ConnectorDescription, ConnectorSyncState, SyncSchedule } from "../../../../client/src/index.js";
import { useAction, useRead } from "../../../shared/api.js";
import { number, time } from "../../../shared/format.js";
import { t } from "../../../texts/connectors.js";
import { faultText } from "../../../texts/faults.js";
import { scopeText } from "../../../texts/scopes.js";
import { Decision } from "../../components/decision.js";
import { useSay } from "../../components/notices.js";
import { RowActions } from "../../components/row-actions.js";
import { Loaded, Refused } from "../../components/states.js";
import { Status } from "../../components/status.js";
import { DataTable } from "../../components/table.js";
import type { OfWarehouse } from "../../components/warehouse-names.js";

const STATUS = "/api/admin/connectors/{name}/sync-status";
const RUNS = "/api/admin/connectors/{name}/sync-runs";
const LOOK_AGAIN_MS = 2_000;

interface SyncsProps extends OfWarehouse {
  capabilities: ConnectorDescription["capabilities"];
}

/** The syncs of a connector: how the last of each type went, when the next is, and what can be done. */
export function Syncs({ name, warehouse_id, capabilities }: SyncsProps) {
  const input = { path: { name }, query: { warehouse_id } };
  const status = useRead(STATUS, input);
  const schedule = useRead("/api/admin/connectors/{name}/schedule", input);
  const states = status.data?.sync_states ?? [];
  useAgainWhile(states.some(({ sync_status }) => sync_status === "running"));
  const able = ({ sync_type }: SyncSchedule) =>
    sync_type === "fulfillment" || capabilities.includes(`sync_${sync_type}`);
  const error = status.error ?? schedule.error;
  return (
    <Loaded of={schedule.data && status.data ? { data: schedule.data.schedule.filter(able), error } : { error }}>
      {(schedules) => (
        <DataTable
          title={t("syncs")}
          rows={schedules.map((one) => ({ ...one, state: states.find((of) => of.sync_type === one.sync_type) }))}
          columns={[
            { field: "sync_type", title: t("records"), show: ({ sync_type }) => scopeText(sync_type) },
            {
              ...{ field: "state", title: t("status") },
              show: ({ state }) => <State of={state} workflows={status.data?.workflows_url ?? null} />,
            },
            { field: "last_synced_at", title: t("lastRun"), show: ({ state }) => time(state?.last_synced_at) },
            { field: "last_success_at", title: t("lastSuccess"), show: ({ state }) => time(state?.last_success_at) },
            {
              ...{ field: "interval_minutes", title: t("every"), right: true },
              show: (row) => (row.interval_minutes && row.enabled ? number(row.interval_minutes) : t("never")),
            },
            { field: "next_run_at", title: t("nextRun"), as: "time" },
            { field: "actions", title: t("actions"), show: (row) => <SyncActions {...{ name, warehouse_id, row }} /> },
          ]}
        />
      )}
    </Loaded>
  );
}

/** No event tells of a sync, so its state and the runs are read again while one runs, and when it has ended. */
function useAgainWhile(isRunning: boolean) {
  const client = useQueryClient();
  useEffect(() => {
    if (!isRunning) return;
    const readAgain = (path: string) => void client.invalidateQueries({ queryKey: [path] });
    const timer = setInterval(() => [STATUS, RUNS].forEach(readAgain), LOOK_AGAIN_MS);
    return () => {
      clearInterval(timer);
      readAgain(RUNS);
    };
  }, [isRunning, client]);
}

function State({ of, workflows }: { of: ConnectorSyncState | undefined; workflows: string | null }) {
  if (!of) return <Text size="sm">{t("never")}</Text>;
  return (
    <Group gap="xs">
      <Status of={of.sync_status} />
      {workflows && of.last_synced_at && (
        <Anchor size="sm" href={workflows + encodeURIComponent(of.workflow_id)} target="_blank" rel="noreferrer">
          {t("watchWorkflow")}
        </Anchor>
      )}
      {of.consecutive_errors > 0 && (
        <Text size="sm" miw={180}>
          {t("failures")}: {number(of.consecutive_errors)} · {faultText(of.last_error_message)}
        </Text>
      )}
    </Group>
  );
}

interface SyncActionsProps extends OfWarehouse {
  row: SyncSchedule & { state: ConnectorSyncState | undefined };
}

function SyncActions({ name, warehouse_id, row: { sync_type, interval_minutes, enabled, state } }: SyncActionsProps) {
  const path = { name };
  const type = scopeText(sync_type);
  const isRunning = state?.sync_status === "running";
  return (
    <RowActions>
      {isRunning ? (
        <Decision
          label={t("reset")}
          title={t("resetSync", { type })}
          act={(_, api) =>
            api.post("/api/admin/connectors/{name}/sync-reset", { path, body: { warehouse_id, sync_type } })
          }
          isDangerous
        />
      ) : (
        <>
          <StartSync {...{ name, warehouse_id, sync_type }} />
          {state?.last_success_at && sync_type !== "fulfillment" && (
            <Decision
              label={t("readAll")}
              title={t("readAllOf", { type })}
              act={(_, api) =>
                api.post("/api/admin/connectors/{name}/sync-reset", {
                  path,
                  body: { warehouse_id, sync_type, full: true },
                })
              }
            />
          )}
        </>
      )}
      <Decision
        label={t("schedule")}
        verb={t("save")}
        title={t("scheduleOf", { type })}
        act={(values, api) => {
          const minutes = values.minutes ? Number(values.minutes) : null;
          const body = { warehouse_id, sync_type, interval_minutes: minutes, enabled: "enabled" in values };
          return api.put("/api/admin/connectors/{name}/schedule", { path, body });
        }}
      >
        <NumberInput
          name="minutes"
          label={t("every")}
          description={t("everyHint")}
          defaultValue={interval_minutes ?? ""}
          {...{ min: 1, max: 10_080, allowDecimal: false }}
          data-autofocus
        />
        <Checkbox name="enabled" label={t("scheduleOn")} defaultChecked={enabled || interval_minutes === null} />
      </Decision>
    </RowActions>
  );
}

interface StartSyncProps extends OfWarehouse {
  sync_type: SyncSchedule["sync_type"];
}

function StartSync({ name, warehouse_id, sync_type }: StartSyncProps) {
  const say = useSay();
  const start = useAction(
    (_: object, api) =>
      api.post("/api/admin/connectors/{name}/sync/{sync_type}", { path: { name, sync_type }, body: { warehouse_id } }),
    () => say({ text: t("syncStarted", { type: scopeText(sync_type) }), to: `/connectors/${name}` }),
  );
  return (
    <>
      <Refused error={start.error} />
      <Button
        variant="default"
        onClick={() => start.mutate({})}
        loading={start.isPending}
        aria-label={`${t("start")}: ${scopeText(sync_type)}`}
      >
        {t("start")}
      </Button>
    </>
  );
}
