import { Button } from "@mantine/core";
import { useParams } from "react-router";
import { api, useAction, useRead } from "../../../shared/api.js";
import { t } from "../../../texts/connectors.js";
import { scopeList } from "../../../texts/scopes.js";
import { Decision } from "../../components/decision.js";
import { Facts, Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { Empty, Loaded, Notice, Refused } from "../../components/states.js";
import { useWarehouse } from "../../components/warehouse.js";
import type { OfWarehouse } from "../../components/warehouse-names.js";
import { Credentials } from "./credentials.js";
import { RefusedRecords } from "./refused-records.js";
import { SyncRuns } from "./sync-runs.js";
import { Syncs } from "./syncs.js";

/** A connector, for the warehouse that the desk looks at. */
export default function Connector() {
  const { name = "" } = useParams();
  const { warehouseId } = useWarehouse();
  return (
    <Loaded of={useRead("/api/admin/connectors/{name}/config-schema", { path: { name } })}>
      {({ capabilities, config_schema }) => (
        <Page
          title={name}
          back="/connectors"
          actions={warehouseId && <DeleteCredentials {...{ name, warehouse_id: warehouseId }} />}
        >
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
            <Empty title={t("chooseWarehouse")}>{t("chooseWarehouseHint")}</Empty>
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
