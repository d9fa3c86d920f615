import assert from "node:assert/strict";
import { CONNECTORS, connectorWarehouse } from "../support/connectors.js";
import { db } from "../support/db.js";
import { testService } from "../support/service.js";

describe("the sync status of a connector", () => {
  const service = testService({ env: { SERVICE_TEMPORAL_UI_URL: "http://127.0.0.1:8233" } });
  let warehouse_id: number;
  beforeEach(async () => {
    warehouse_id = await connectorWarehouse();
  });
  const states = async () => {
    const path = `${CONNECTORS}/example/sync-status?warehouse_id=${warehouse_id}`;
    const { sync_states, ...of } = await service.admin.ok("GET", path);
    const workflows_url = "http://127.0.0.1:8233/namespaces/default/workflows/";
    assert.deepEqual(of, { connector: "example", warehouse_id, workflows_url });
    return sync_states;
  };
  const untouched = (sync_type: string) => ({
    ...{ connector_name: "example", warehouse_id, sync_type, sync_status: "idle" },
    ...{ last_synced_at: null, last_success_at: null, last_error_at: null, last_error_message: null },
    consecutive_errors: 0,
    workflow_id: `connector-sync-example-${warehouse_id}-${sync_type}`,
  });

  it("has a row for each type, also for what was never synced", async () => {
    assert.deepEqual(await states(), ["fulfillment", "inventory", "items", "orders"].map(untouched));
  });

  it("has what is known of a type, of this connector and warehouse alone", async () => {
    const known = {
      ...untouched("items"),
      sync_status: "error",
      last_synced_at: "2026-05-06T12:00:00.123456+00:00",
      last_error_at: "2026-05-06T12:00:00.123456+00:00",
      last_error_message: "The source answered with HTTP status 502",
      consecutive_errors: 3,
    };
    const put = (connector: string, warehouse: number) =>
      db.run(
        `insert into sync_state (connector_name, warehouse_id, sync_type, sync_status, last_synced_at, last_error_at,
           last_error_message, consecutive_errors) values ($1, $2, 'items', 'error', $3, $3, $4, 3)`,
        [connector, warehouse, known.last_synced_at, known.last_error_message],
      );
    await put("another", warehouse_id);
    await put("example", await connectorWarehouse());
    assert.deepEqual(await states(), ["fulfillment", "inventory", "items", "orders"].map(untouched));
    await put("example", warehouse_id);
    const now = await states();
    assert.deepEqual(now[2], known);
    assert.deepEqual([now[0], now[1], now[3]], ["fulfillment", "inventory", "orders"].map(untouched));
  });
});
