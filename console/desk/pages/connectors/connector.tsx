import { Button } from "@mantine/core";
import { useParams } from "react-router";
import { api, useAction, useRead } from "../../../shared/api.js";
import { t } from "../../../texts/connectors.js";
import { faultText } from "../../../texts/faults.js";
import { scopeChoices, scopeList, scopeText } from "../../../texts/scopes.js";
import { choicesOf } from "../../../texts/statuses.js";
import { ChooseWarehouse } from "../../components/choose-warehouse.js";
import { DataList } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { Facts, Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { Loaded, Notice, Refused } from "../../components/states.js";
import { useWarehouse } from "../../components/warehouse.js";
import type { OfWarehouse } from "../../components/warehouse-names.js";
import { Credentials } from "./credentials.js";
import { Syncs } from "./syncs.js";

/** A connector, for the warehouse that the desk looks at. */
export default function Connector() {
  const { name = "" } = useParams();
  const { warehouseId } = useWarehouse();
  return (
    <Loaded of={useRead("/api/admin/connectors/{name}/config-schema", { path: { name } })}>
      {({ capabilities, config_schema }) => (
        <Page title={name} actions={warehouseId && <DeleteCredentials {...{ name, warehouse_id: warehouseId }} />}>
          <Section title={t("connector")}>
            <Facts of={[[t("canDo"), scopeList(capabilities)]]} />
          </Section>
          {warehouseId ? (
            <>
              <Connection key={warehouseId} {...{ name, warehouse_id: warehouseId }} />
              <Section title={t("credentials")}>
                <Credentials {...{ name, warehouse_id: warehouseId, fields: config_schema }} />
              </Section>
              <Section title={t("syncs")}>
                <Syncs {...{ name, warehouse_id: warehouseId, capabilities }} />
              </Section>
              <Section title={t("runs")}>
                <SyncRuns {...{ name, warehouse_id: warehouseId }} />
              </Section>
              <Section title={t("refused")}>
                <RefusedRecords {...{ name, warehouse_id: warehouseId }} />
              </Section>
            </>
          ) : (
            <ChooseWarehouse title={t("chooseWarehouse")} text={t("chooseWarehouseHint")} />
          )}
        </Page>
      )}
    </Loaded>
  );
}

const DeleteCredentials = ({ name, warehouse_id }: OfWarehouse) => (
  <Decision
    label={t("deleteCredentials")}
    title={t("deleteCredentialsOf", { name })}
    act={(_, api) => api.delete("/api/admin/connectors/{name}/credentials", { path: { name }, body: { warehouse_id } })}
    isDangerous
  />
);

/** Asks the source whether it answers, and says what it said. */
function Connection({ name, warehouse_id }: OfWarehouse) {
  const test = useAction(() =>
    api.post("/api/admin/connectors/{name}/test", { path: { name }, body: { warehouse_id } }),
  );
  return (
    <>
      <div>
        <Button variant="default" onClick={() => test.mutate({})} loading={test.isPending}>
          {t("test")}
        </Button>
      </div>
      <Refused error={test.error} />
      {test.data && (
        <Notice
          color={test.data.connected ? "green" : "red"}
          title={t(test.data.connected ? "connected" : "notConnected")}
        >
          {test.data.message}
        </Notice>
      )}
    </>
  );
}

/** What syncs and webhooks of a connector could not write; the next sync tries it again. */
const RefusedRecords = ({ name, warehouse_id }: OfWarehouse) => (
  <DataList
    title={t("refused")}
    none="refusedRecords"
    path="/api/admin/connectors/{name}/refused-records"
    of={{ name }}
    rows="refused_records"
    query={{ warehouse_id }}
    filters={[{ name: "sync_type", label: t("records"), choices: scopeChoices(["orders", "items", "inventory"]) }]}
    columns={[
      { field: "external_id", title: t("externalId"), sorts: true },
      { field: "sync_type", title: t("records"), sorts: true, show: ({ sync_type }) => scopeText(sync_type) },
      { field: "external_version", title: t("version") },
      { field: "error_message", title: t("error"), show: (row) => faultText(row.error_message) },
      { field: "attempts", title: t("attempts"), right: true, sorts: true },
      { field: "last_refused_at", title: t("lastRefused"), sorts: true, as: "time" },
    ]}
  />
);

const statuses = ["running", "completed", "failed", "cancelled", "superseded"];

/** The runs of a connector's syncs: how far they are, or how they ended. */
const SyncRuns = ({ name, warehouse_id }: OfWarehouse) => (
  <DataList
    title={t("runs")}
    none="syncRuns"
    path="/api/admin/connectors/{name}/sync-runs"
    of={{ name }}
    rows="sync_runs"
    query={{ warehouse_id }}
    filters={[
      { name: "sync_type", label: t("records"), choices: scopeChoices(["orders", "items", "inventory"]) },
      { name: "status", label: t("status"), choices: choicesOf(statuses) },
    ]}
    columns={[
      { field: "started_at", title: t("began"), sorts: true, as: "time" },
      { field: "sync_type", title: t("records"), sorts: true, show: ({ sync_type }) => scopeText(sync_type) },
      { field: "status", title: t("status"), sorts: true, as: "status" },
      { field: "ended_at", title: t("ended"), sorts: true, as: "time" },
      { field: "read", title: t("read"), sorts: true, as: "number" },
      { field: "written", title: t("written"), sorts: true, as: "number" },
      { field: "refused", title: t("refusedCount"), sorts: true, as: "number" },
      { field: "error_message", title: t("error"), show: (row) => faultText(row.error_message) },
    ]}
  />
);
