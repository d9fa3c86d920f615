import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import {
  accountWith,
  CARRIER_ENV,
  keyOf,
  type LocalCarrier,
  labelIn,
  openCarrier,
  PARCELS,
  parcelTo,
} from "../support/carriers.js";
import { warehouse } from "../support/fixtures.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";

describe("a label of a carrier that takes its time", function () {
  this.timeout(60_000);
  let service: TestService;
  let carrier: LocalCarrier;
  before(async () => {
    service = await openService({ worker: true, env: { ...CARRIER_ENV, CONNECTOR_HTTP_TIMEOUT_MS: "20000" } });
    carrier = await openCarrier();
  });
  after(async () => {
    await service.close();
    await carrier.close();
  });

  it("is bought by the attempt that was begun, which the Temporal UI shows after some seconds", async () => {
    const warehouse_id = await warehouse();
    await accountWith(service.admin, warehouse_id, carrier);
    const { parcel_id } = await parcelTo(warehouse_id);
    await carrier.fault({ delay_ms: 7_000, path: "/buy" });
    const { purchase_id } = await service.admin.ok("POST", `${PARCELS}/${parcel_id}/label`, {});
    const handle = temporalClient().workflow.getHandle(`label-purchase-${parcel_id}`);
    await until(async () => {
      const { raw } = await handle.describe();
      return (raw.pendingActivities ?? []).some(({ activityType }) => activityType?.name === "attemptLabel");
    });
    const label = await labelIn(service.admin, parcel_id, "bought", "failed");
    assert.deepEqual([label.status, label.attempts, label.last_error], ["bought", 1, null]);
    assert.equal((await carrier.bought(await keyOf(purchase_id))).bought, 1);
    assert.equal((await handle.result()).ended, "bought");
    const asked = (await carrier.calls()).filter(({ path }) => path.endsWith("/buy"));
    assert.equal(asked.length, 1, "it is asked once");
  });
});
