import assert from "node:assert/strict";
import { accountWith, CARRIER_ENV, labelIn, openCarrier, PARCELS, parcelTo } from "../support/carriers.js";
import * as fixtures from "../support/fixtures.js";
import { openService } from "../support/service.js";

describe("a carrier that hangs beside another one", function () {
  this.timeout(60_000);

  it("holds up neither a quote nor a label, and the reason says that it was left out", async () => {
    const env = { ...CARRIER_ENV, CONNECTOR_HTTP_TIMEOUT_MS: "20000", CONNECTOR_CIRCUIT_OPEN_MS: "60000" };
    const service = await openService({ worker: true, env });
    const [hanging, other] = [await openCarrier(), await openCarrier()];
    try {
      const { admin } = service;
      const warehouse_id = await fixtures.warehouse();
      for (const [account_name, carrier] of [
        ["Hangs", hanging],
        ["Answers", other],
      ] as const)
        await accountWith(admin, warehouse_id, carrier, { account_name, check_address: false });
      await hanging.fault({ delay_ms: 19_000, times: 20, path: "/shipments" });
      const { parcel_id } = await parcelTo(warehouse_id);
      const quoted = await admin.ok("POST", `${PARCELS}/${parcel_id}/rates`, {});
      const why = "Hangs: No answer within 10 seconds";
      assert.deepEqual(quoted.messages, [why]);
      assert.equal(quoted.reason, `The cheapest, as no rule has one; without ${why}`);
      assert.ok(quoted.rates.every((rate: { account_name: string }) => rate.account_name === "Answers"));
      await admin.ok("POST", `${PARCELS}/${parcel_id}/label`, {});
      const { status, reason } = await labelIn(admin, parcel_id, "bought", "failed");
      assert.deepEqual([status, reason], ["bought", quoted.reason]);
    } finally {
      await service.close();
      await Promise.all([hanging.close(), other.close()]);
    }
  });
});
