import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { FROM_EUROPE } from "../support/carrier-requests.js";
import {
  accountWith,
  CARRIER_ENV,
  type CarrierName,
  keyOf,
  type LocalCarrier,
  labelIn,
  openCarrier,
  PARCELS,
  parcelTo,
} from "../support/carriers.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { openService, type TestService } from "../support/service.js";

const LONDON = { line1: "10 High Street", city: "London", state: "", postal_code: "N1 9GU", country: "United Kingdom" };
const MUG = { hs_code: "6912.00", origin_country: "PT", customs_value_minor: 1290, customs_currency: "EUR" };

/** What each carrier is told of two mugs of 0.5 lb, and how a parcel is read there. */
const told: Record<CarrierName, { path(key: string): string; customs(of: Shipment): unknown; expected: object }> = {
  easypost: {
    path: (key) => `/v2/shipments/${key}`,
    customs: ({ customs_info }) => customs_info,
    expected: {
      ...{ contents_type: "merchandise", customs_certify: true, customs_signer: FROM_EUROPE.name },
      ...{ restriction_type: "none", non_delivery_option: "return" },
      customs_items: [
        {
          ...{ description: "Blue mug", quantity: 2, hs_tariff_number: "6912.00", origin_country: "PT" },
          ...{ code: "SKU", currency: "EUR", value: 25.8, weight: 16 },
        },
      ],
    },
  },
  sendcloud: {
    path: (key) => `/api/v2/parcels?external_reference=${key}`,
    customs: ({ parcels: [parcel] }) => {
      const { customs_invoice_nr: invoice, customs_shipment_type: type, parcel_items, ...of } = parcel ?? {};
      const total = [of.total_order_value, of.total_order_value_currency];
      return { invoice: `${invoice}`.slice(-2), type, parcel_items, total };
    },
    expected: {
      ...{ invoice: "-1", type: 2, total: ["25.80", "EUR"] },
      parcel_items: [
        {
          ...{ sku: "SKU", description: "Blue mug", quantity: 2, hs_code: "6912.00", origin_country: "PT" },
          ...{ weight: "0.226", value: "12.90" },
        },
      ],
    },
  },
  karrio: {
    path: (key) => `/v1/shipments?reference=${key}`,
    customs: ({ results: [shipment] }) => ({ ...(shipment?.customs as object), invoice: undefined }),
    expected: {
      ...{ content_type: "merchandise", incoterm: "DDU", invoice: undefined, commercial_invoice: true, certify: true },
      ...{ signer: FROM_EUROPE.name, duty: { paid_by: "recipient", currency: "EUR" } },
      commodities: [
        {
          ...{ sku: "SKU", title: "Blue mug", description: "Blue mug", quantity: 2, hs_code: "6912.00" },
          ...{ origin_country: "PT", weight: 0.226, weight_unit: "KG", value_amount: 12.9, value_currency: "EUR" },
        },
      ],
    },
  },
};

/** What each carrier calls what a parcel is sent for. */
const kinds: Record<string, Record<CarrierName, string | number>> = {
  gift: { easypost: "gift", sendcloud: 0, karrio: "gift" },
  commercial_sample: { easypost: "sample", sendcloud: 3, karrio: "sample" },
  returned_goods: { easypost: "returned_goods", sendcloud: 4, karrio: "return_merchandise" },
  documents: { easypost: "documents", sendcloud: 1, karrio: "documents" },
  other: { easypost: "other", sendcloud: 2, karrio: "other" },
};

interface Shipment {
  customs_info: unknown;
  parcels: Record<string, unknown>[];
  results: Record<string, unknown>[];
}
const keys = { easypost: "EZTK_local:", sendcloud: "local_public:local_secret", karrio: "key_test_local:" };

for (const [name, { path, customs, expected }] of Object.entries(told) as [CarrierName, (typeof told)[CarrierName]][])
  describe(`a parcel that goes abroad by ${name}`, function () {
    this.timeout(60_000);
    let service: TestService;
    let carrier: LocalCarrier;
    let admin: Caller;
    let warehouse_id: number;
    before(async () => {
      service = await openService({ worker: true, env: CARRIER_ENV });
      carrier = await openCarrier(name);
      admin = service.admin;
      warehouse_id = await fixtures.warehouse();
      await accountWith(admin, warehouse_id, carrier, { carrier: name, ship_from: FROM_EUROPE });
    });
    after(async () => {
      await service.close();
      await carrier.close();
    });

    /** A parcel of two units of an item that says this. */
    async function parcel(says: object, to: Record<string, string> = LONDON) {
      const { parcel_id } = await parcelTo(warehouse_id, to);
      const { item_id, sku } = await fixtures.item();
      await admin.ok("PUT", `/api/admin/items/${item_id}`, { item_name: "Blue mug", weight_lbs: 0.5, ...says });
      await add(parcel_id, item_id);
      return { parcel_id, sku };
    }
    const add = (parcel_id: number, item_id: number) =>
      db.run("insert into parcel_lines (parcel_id, item_id, quantity) values ($1, $2, 2)", [parcel_id, item_id]);
    const refused = async (parcel_id: number, code: string) => {
      for (const route of ["rates", "label"]) {
        const answer = await admin.post(`${PARCELS}/${parcel_id}/${route}`, {});
        assert.deepEqual([answer.status, answer.code], [400, code], route);
        assert.deepEqual((await admin.ok("GET", `${PARCELS}/${parcel_id}/labels`)).labels, []);
      }
    };

    /** What the carrier was told of a parcel of mugs that is sent so. */
    async function saidOf(body: object) {
      const { parcel_id, sku } = await parcel(MUG);
      await admin.ok("POST", `${PARCELS}/${parcel_id}/label`, body);
      const { status, purchase_id, last_error } = await labelIn(admin, parcel_id, "bought", "failed");
      assert.equal(status, "bought", last_error);
      const headers = { authorization: `Basic ${Buffer.from(keys[name]).toString("base64")}` };
      const token = name === "karrio" ? { authorization: "Token key_test_local" } : headers;
      const answer = await fetch(carrier.url + path(await keyOf(purchase_id)), { headers: token });
      const said = customs((await answer.json()) as Shipment);
      return JSON.parse(JSON.stringify(said).replaceAll(sku, "SKU"));
    }

    it("is declared to the carrier, item by item", async () => {
      assert.deepEqual(await saidOf({}), JSON.parse(JSON.stringify(expected)));
    });

    it("is declared as what it is sent for", async () => {
      for (const [customs_contents, as] of Object.entries(kinds))
        assert.deepEqual(
          Object.values(await saidOf({ customs_contents })).filter((value) => value === as[name]),
          [as[name]],
          customs_contents,
        );
    });

    it("is bought for only once its items say what customs ask, in one currency", async () => {
      const { parcel_id } = await parcel({ ...MUG, hs_code: null });
      await refused(parcel_id, "customs_incomplete");
      const mixed = await parcel(MUG);
      const { item_id } = await fixtures.item();
      await admin.ok("PUT", `/api/admin/items/${item_id}`, { weight_lbs: 1, ...MUG, customs_currency: "GBP" });
      await add(mixed.parcel_id, item_id);
      await refused(mixed.parcel_id, "customs_currencies");
      await refused((await parcelTo(warehouse_id, LONDON)).parcel_id, "parcel_empty");
    });

    it("needs no declaration where it passes no customs", async () => {
      const vienna = { line1: "Ring 1", city: "Wien", state: "", postal_code: "1010", country: "Österreich" };
      const { parcel_id } = await parcel({}, vienna);
      await admin.ok("POST", `${PARCELS}/${parcel_id}/label`, {});
      const { status, last_error } = await labelIn(admin, parcel_id, "bought", "failed");
      assert.equal(status, "bought", last_error);
    });
  });
