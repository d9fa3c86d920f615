import assert from "node:assert/strict";
import { labelActivities } from "../../activities/carriers/attempt-label.js";
import { accountWith, CARRIER_ENV, labelIn, openCarrier, PARCELS, parcelTo } from "../support/carriers.js";
import * as fixtures from "../support/fixtures.js";
import { openService } from "../support/service.js";
import { until } from "../support/until.js";

const MANY = 30;

describe("a carrier that hangs", function () {
  this.timeout(60_000);

  it("keeps few of the slots that other labels and syncs begin in; none of its own is lost", async () => {
    const service = await openService({ env: { ...CARRIER_ENV, CONNECTOR_HTTP_TIMEOUT_MS: "30000" } });
    const [hanging, other] = [await openCarrier(), await openCarrier()];
    try {
      await hanging.fault({ delay_ms: 8_000, times: MANY, path: "/shipments" });
      const options = { ...service.config, startPrint: async () => {} };
      const { beginLabel } = labelActivities(options, (_kind, _id, run) => run(new AbortController().signal));
      const asked = async (carrier: typeof hanging, labels: number) => {
        const warehouse_id = await fixtures.warehouse();
        await accountWith(service.admin, warehouse_id, carrier, { check_address: false });
        const parcels = await Promise.all(Array.from({ length: labels }, () => parcelTo(warehouse_id)));
        return Promise.all(
          parcels.map(async ({ parcel_id }): Promise<{ parcel_id: number; purchase_id: number }> => {
            const { purchase_id } = await service.admin.ok("POST", `${PARCELS}/${parcel_id}/label`, {});
            return { parcel_id, purchase_id };
          }),
        );
      };
      const waiting = await asked(hanging, MANY);
      const [quick] = (await asked(other, 1)) as [{ parcel_id: number; purchase_id: number }];
      const isBought = async (parcel_id: number) =>
        assert.equal((await labelIn(service.admin, parcel_id, "bought", "failed")).status, "bought");

      const answers: unknown[] = [];
      const begun = waiting.map(async ({ purchase_id }) => void answers.push(await beginLabel(purchase_id)));
      await until(() => answers.length >= MANY - 10);
      assert.deepEqual(answers, Array(MANY - 10).fill(null), "ten are waited for, the others go on as activities");
      await beginLabel(quick.purchase_id);
      await isBought(quick.parcel_id);
      await Promise.all(begun);
      for (const { parcel_id } of waiting) await isBought(parcel_id);
    } finally {
      await service.close();
      await Promise.all([hanging.close(), other.close()]);
    }
  });
});
