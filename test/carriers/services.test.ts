import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { CARRIERS, FROM_EUROPE } from "../support/carrier-requests.js";
import {
  accountWith,
  CARRIER_ENV,
  type CarrierName,
  keyOf,
  LABELS,
  type LocalCarrier,
  labelIn,
  openCarrier,
  PARCELS,
  parcelTo,
} from "../support/carriers.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { openService, type TestService } from "../support/service.js";

/** What each carrier service is asked for to buy a label, and how its answers may be lost. */
const services: Record<Exclude<CarrierName, "easypost">, { to: Record<string, string>; buy: object; void: string }> = {
  sendcloud: {
    to: { line1: "Stadhuisplein 10", city: "Eindhoven", state: "", postal_code: "5611 EM", country: "NL" },
    buy: { path: "/api/v2/parcels", method: "PUT" },
    void: "submitted",
  },
  karrio: {
    to: { line1: "Ring 1", city: "Berlin", state: "", postal_code: "10115", country: "DE" },
    buy: { path: "/purchase" },
    void: "refunded",
  },
};

for (const [name, { to, buy: buying, void: refund }] of Object.entries(services))
  describe(`labels of ${name}`, function () {
    this.timeout(60_000);
    let service: TestService;
    let carrier: LocalCarrier;
    let admin: Caller;
    let warehouse_id: number;
    before(async () => {
      service = await openService({ worker: true, env: CARRIER_ENV });
      carrier = await openCarrier(name as CarrierName);
      admin = service.admin;
    });
    after(async () => {
      await service.close();
      await carrier.close();
    });
    beforeEach(async () => {
      await carrier.mended();
      warehouse_id = await fixtures.warehouse();
    });

    const account = (fields: object = {}) =>
      accountWith(admin, warehouse_id, carrier, { carrier: name, ship_from: FROM_EUROPE, ...fields });
    const count = async (purchase_id: number) => {
      const { bought, voided } = await carrier.bought(await keyOf(purchase_id));
      return [bought, voided];
    };
    async function label(fault?: object) {
      const { parcel_id } = await parcelTo(warehouse_id, to);
      if (fault) await carrier.fault(fault);
      await admin.ok("POST", `${PARCELS}/${parcel_id}/label`, {});
      return { parcel_id, ...(await labelIn(admin, parcel_id, "bought", "failed")) };
    }

    it("are quoted, bought once, stored, and taken back", async () => {
      const account_id = await account();
      assert.equal((await admin.ok("POST", `${CARRIERS}/${account_id}/test`, {})).connected, true);
      const { parcel_id } = await parcelTo(warehouse_id, to);
      const { rates } = await admin.ok("POST", `${PARCELS}/${parcel_id}/rates`, {});
      await admin.ok("POST", `${PARCELS}/${parcel_id}/label`, {});
      const bought = await labelIn(admin, parcel_id, "bought", "failed");
      assert.equal(bought.status, "bought", bought.last_error);
      assert.deepEqual(
        [bought.carrier, bought.service, bought.cost_minor, bought.cost_currency, bought.label_format],
        [rates[0].carrier, rates[0].service, rates[0].cost_minor, rates[0].cost_currency, "pdf"],
      );
      const path = `${service.url}${LABELS}/${bought.purchase_id}/file`;
      const file = Buffer.from(await (await fetch(path, { headers: admin.headers })).arrayBuffer());
      assert.equal(file.subarray(0, 5).toString(), "%PDF-");
      await admin.ok("POST", `${LABELS}/${bought.purchase_id}/void`, {});
      const voided = await labelIn(admin, parcel_id, "voided", "void_failed");
      assert.deepEqual([voided.status, voided.refund], ["voided", refund]);
      assert.deepEqual(await count(bought.purchase_id), [1, 1]);
      const costs = await admin.ok("GET", `/api/v1/dashboard/carrier-costs?warehouse_id=${warehouse_id}`);
      const { carrier: by, service: how, cost_currency } = bought;
      const one = { carrier: by, service: how, cost_currency };
      assert.deepEqual(costs.costs, [{ ...one, labels: 1, voided: 1, cost_minor: 0, mean_minor: null }]);
      assert.equal((await admin.get("/api/v1/dashboard/carrier-costs")).code, "invalid_view");
      const long = `warehouse_id=${warehouse_id}&start=2026-01-01&end=2026-06-01`;
      assert.equal((await admin.get(`/api/v1/dashboard/carrier-costs?${long}`)).status, 422);
    });

    it("are bought once, whatever becomes of the answer, and come as ZPL", async () => {
      await account({ label_format: "zpl" });
      for (const fault of [{ drop: "after" }, { drop: "before" }, { status: 503 }, { delay_ms: 3_000 }]) {
        const bought = await label({ ...buying, ...fault });
        assert.equal(bought.status, "bought", `${JSON.stringify(fault)}: ${bought.last_error}`);
        assert.deepEqual(await count(bought.purchase_id), [1, 0], JSON.stringify(fault));
        assert.equal(bought.label_format, "zpl");
      }
    });

    it("are refused by the carrier, and nothing is bought", async () => {
      await account();
      const { status, refusal, purchase_id } = await label({ refuse: true, ...buying });
      assert.deepEqual([status, refusal], ["failed", "refused"]);
      assert.deepEqual(await count(purchase_id), [0, 0]);
    });

    it("are not bought with a wrong key", async () => {
      const config = { ...carrier.config, [name === "karrio" ? "api_token" : "secret_key"]: "wrong" };
      const account_id = await account({ config });
      assert.equal((await admin.ok("POST", `${CARRIERS}/${account_id}/test`, {})).connected, false);
    });
  });

describe("labels of sendcloud to Italy", () => {
  it("need the province, which is said by its field before anything is made there", async () => {
    const service = await openService({ env: CARRIER_ENV });
    const carrier = await openCarrier("sendcloud");
    try {
      const warehouse_id = await fixtures.warehouse();
      await accountWith(service.admin, warehouse_id, carrier, { carrier: "sendcloud" });
      const to = { line1: "Via Appia 1", city: "Roma", state: "", postal_code: "00183", country: "IT" };
      const { so_id, parcel_id } = await parcelTo(warehouse_id, to);
      const refused = await service.admin.post(`${PARCELS}/${parcel_id}/rates`, {});
      assert.equal(refused.code, "address_refused");
      assert.deepEqual(
        refused.body.faults.map(({ field }: { field: string }) => field),
        ["shipping_address_state"],
      );
      assert.deepEqual(await carrier.calls(), []);
      await db.run("update sales_orders set shipping_address_state = 'Roma' where so_id = $1", [so_id]);
      const asked = await service.admin.post(`${PARCELS}/${parcel_id}/rates`, {});
      assert.equal(asked.code, "service_not_available", "the local carrier is asked, and does not go there");
      assert.notDeepEqual(await carrier.calls(), []);
    } finally {
      await service.close();
      await carrier.close();
    }
  });
});
