import assert from "node:assert/strict";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { type TestService, testService } from "../support/service.js";

describe("goods that arrive in a bin", () => {
  const service = testService({ worker: true });

  const closed = {
    "the bin": "update bins set is_active = $2 where bin_id = $1",
    "its zone": "update zones set is_active = $2 where zone_id = (select zone_id from bins where bin_id = $1)",
    "its warehouse":
      "update warehouses set is_active = $2 where warehouse_id = (select warehouse_id from bins where bin_id = $1)",
  };
  const quantity = 1;
  const ways: Record<
    string,
    (at: { here: number; to: number }) => Promise<() => ReturnType<TestService["admin"]["post"]>>
  > = {
    "from a vendor": async ({ here, to }) => {
      const { item_id } = await fixtures.item();
      const { po_id } = await fixtures.purchaseOrder(here, [{ item_id, quantity: 9 }]);
      const items = [{ item_id, quantity, bin_id: to }];
      return () => service.admin.post("/api/receiving/receive", { po_id, items });
    },
    "to be put away": async (at) => {
      const body = await lying(at, "Staging");
      return () => service.admin.post("/api/putaway/confirm", body);
    },
    "from another bin": async (at) => {
      const body = await lying(at, "Pickable");
      return () => service.admin.post("/api/transfers/move", body);
    },
  };
  async function lying({ here, to }: { here: number; to: number }, type: "Pickable" | "Staging") {
    const from_bin_id = await fixtures.bin(here, { type });
    const { item_id } = await fixtures.item();
    await fixtures.stock(here, from_bin_id, item_id, 9);
    return { item_id, quantity, from_bin_id, to_bin_id: to };
  }

  for (const [way, begin] of Object.entries(ways))
    it(`${way} are refused where it, its zone or its warehouse is out of use`, async () => {
      const here = await fixtures.warehouse();
      const to = await fixtures.bin(here);
      const arrive = await begin({ here, to });
      for (const [what, sql] of Object.entries(closed)) {
        await db.run(sql, [to, false]);
        const { status, code } = await arrive();
        assert.deepEqual([status, code], [400, "bin_inactive"], what);
        await db.run(sql, [to, true]);
      }
      assert.equal((await arrive()).status, 200);
    });
});
