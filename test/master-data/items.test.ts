import assert from "node:assert/strict";
import { type Caller, statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import type { TestService } from "../support/service.js";
import { openTwoWarehouses } from "../support/two-warehouses.js";

const ROUTE = "/api/admin/items";

describe("items", () => {
  let service: TestService;
  let keeper: Caller;
  let warehouse_id: number;
  let elsewhere: number;
  before(async () => {
    ({ service, user: keeper, warehouse_id, elsewhere } = await openTwoWarehouses(["items"]));
  });
  after(() => service.close());

  let count = 0;
  const item = (fields: object = {}) => ({ sku: `MUG-${++count}`, item_name: "Blue mug", ...fields });

  it("names the other items that have one of its codes, whatever kind of code it is there", async () => {
    const made = async (fields: object) => (await keeper.ok("POST", ROUTE, item(fields))).item_id as number;
    const upc = "0400000000213";
    const mug = await made({ sku: "SHARES", upc, barcode_aliases: ["BOX-OF-12"] });
    const others = {
      [upc]: await made({ sku: "BY-GTIN", upc: `0${upc}` }),
      "BOX-OF-12": await made({ sku: "BOX-OF-12" }),
      SHARES: await made({ sku: "BY-UPC", upc: "SHARES" }),
    };
    const shared = async (item_id: number) =>
      (await keeper.ok("GET", `${ROUTE}/${item_id}`)).shared_codes.map(
        ({ code, item_id }: { code: string; item_id: number }) => [code, item_id],
      );
    assert.deepEqual(await shared(mug), Object.entries(others));
    for (const other of Object.values(others)) assert.equal((await shared(other))[0][1], mug);
    await keeper.ok("POST", `${ROUTE}/${others.SHARES}/archive`);
    assert.equal((await shared(mug)).length, 2);
    assert.equal(
      (await keeper.post(ROUTE, item({ sku: "SHARES" }))).body.error,
      "Duplicate SKU: SHARES already exists",
    );
  });

  describe("a new item", () => {
    it("is answered flat, read in full, and audited", async () => {
      const default_bin_id = await fixtures.bin(warehouse_id, { code: "HOME" });
      const mark = await auditMark();
      const made = await keeper.post(
        ROUTE,
        item({
          sku: "FULL",
          description: "holds 300 ml",
          upc: "0400000000015",
          mpn: "BM-300",
          barcode_aliases: ["0400000000022", "CASE-12"],
          category: "Kitchen",
          weight_lbs: 1.25,
          ...{ length_in: 4.5, width_in: 3.25, height_in: 4 },
          ...{ hs_code: "6912.00", origin_country: "PT", customs_value_minor: 1290, customs_currency: "EUR" },
          default_bin_id,
        }),
      );
      assert.equal(made.status, 201);
      const { item_id, external_id, created_at, ...fields } = made.body;
      assert.deepEqual(fields, {
        sku: "FULL",
        item_name: "Blue mug",
        description: "holds 300 ml",
        upc: "0400000000015",
        category: "Kitchen",
        weight_lbs: 1.25,
        default_bin_id,
        is_active: true,
      });
      const { item: read, ...places } = await keeper.ok("GET", `${ROUTE}/${item_id}`);
      assert.deepEqual(places, { inventory: [], preferred_bins: [], coming: [], shared_codes: [] });
      assert.deepEqual(read, {
        ...made.body,
        default_bin_code: "HOME",
        mpn: "BM-300",
        barcode_aliases: ["0400000000022", "CASE-12"],
        ...{ length_in: 4.5, width_in: 3.25, height_in: 4 },
        ...{ is_hazardous: false, hs_code: "6912.00", origin_country: "PT" },
        ...{ customs_value_minor: 1290, customs_currency: "EUR" },
        reorder_point: 0,
        reorder_qty: 0,
        is_lot_tracked: false,
        is_serial_tracked: false,
        ...{ lot_policy: "optional", requires_expiry: false, serial_policy: "none", lot_picking: "exact" },
        ...{
          shelf_life_days: null,
          shelf_life_from: "production",
          min_days_at_receipt: null,
          min_days_at_shipping: null,
        },
        updated_at: created_at,
      });
      assert.deepEqual(await auditSince(mark), [
        {
          action_type: "CREATE",
          entity_type: "ITEM",
          entity_id: item_id,
          user_id: keeper.username,
          warehouse_id: null,
          details: { sku: "FULL", item_name: "Blue mug" },
        },
      ]);
    });

    it("refuses what customs cannot read", async () => {
      for (const [name, value] of [
        ["hs_code", "691"],
        ["hs_code", "6912-00"],
        ["origin_country", "Portugal"],
        ["origin_country", "pt"],
        ["customs_currency", "€"],
        ["customs_value_minor", 12.9],
        ["length_in", -1],
      ] as const) {
        const { status, body } = await service.admin.post(ROUTE, item({ [name]: value }));
        assert.deepEqual([status, body.error, body.details[0].loc], [400, "validation_error", [name]], String(value));
      }
    });

    it("shows a weight of zero as null", async () => {
      const made = await service.admin.ok("POST", ROUTE, item({ weight_lbs: 0 }));
      assert.equal(made.weight_lbs, null);
      assert.equal((await service.admin.ok("GET", `${ROUTE}/${made.item_id}`)).item.weight_lbs, null);
    });

    it("needs a SKU of its own", async () => {
      const body = item();
      await service.admin.ok("POST", ROUTE, body);
      const again = await service.admin.post(ROUTE, body);
      assert.deepEqual([again.status, again.body], [400, { error: `Duplicate SKU: ${body.sku} already exists` }]);
    });

    it("needs a UPC of its own; any number may have none", async () => {
      await service.admin.ok("POST", ROUTE, item({ upc: "777" }));
      const again = await service.admin.post(ROUTE, item({ upc: "777" }));
      assert.deepEqual([again.status, again.body], [400, { error: "Duplicate UPC: 777 already exists" }]);
      for (const upc of ["", "", null]) assert.equal((await service.admin.ok("POST", ROUTE, item({ upc }))).upc, null);
    });

    it("gets its UPC alone, however many ask for it at once", async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => service.admin.post(ROUTE, item({ upc: "888" }))),
      );
      assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 400, 400, 400, 400, 400, 400, 400]);
    });

    it("is refused a default bin that is unknown or not the user's", async () => {
      const unknown = await keeper.post(ROUTE, item({ default_bin_id: 999_999 }));
      assert.deepEqual([unknown.status, unknown.body], [400, { error: "Bin 999999 not found" }]);
      const far = await fixtures.bin(elsewhere);
      assert.equal((await keeper.post(ROUTE, item({ default_bin_id: far }))).status, 403);
    });
  });

  it("an item shows where it lies and where it should lie, within the user's warehouses", async () => {
    const { item_id } = await fixtures.item();
    const near = await fixtures.bin(warehouse_id, { code: "NEAR" });
    const far = await fixtures.bin(elsewhere, { code: "FAR" });
    await fixtures.stock(warehouse_id, near, item_id, 5);
    await fixtures.stock(warehouse_id, near, item_id, 2, "LOT-1");
    await fixtures.stock(elsewhere, far, item_id, 9);
    await service.admin.ok("POST", "/api/putaway/update-preferred", { item_id, bin_id: far });
    await service.admin.ok("POST", "/api/putaway/update-preferred", { item_id, bin_id: near });
    const late = await fixtures.purchaseOrder(warehouse_id, [{ item_id, quantity: 8 }]);
    const soon = await fixtures.purchaseOrder(warehouse_id, [{ item_id, quantity: 4 }]);
    await fixtures.purchaseOrder(elsewhere, [{ item_id, quantity: 2 }]);
    await db.run("update purchase_orders set expected_date = '2026-03-01' where po_id = $1", [soon.po_id]);
    const [all, own] = [
      await service.admin.ok("GET", `${ROUTE}/${item_id}`),
      await keeper.ok("GET", `${ROUTE}/${item_id}`),
    ];
    const codes = (lines: { bin_code: string }[]) => lines.map((line) => line.bin_code);
    assert.deepEqual(codes(all.inventory), ["FAR", "NEAR"]);
    assert.deepEqual(codes(all.preferred_bins), ["NEAR", "FAR"]);
    const [{ zone_name, warehouse_code, ...stock }] = own.inventory;
    assert.deepEqual(stock, { bin_id: near, bin_code: "NEAR", quantity_on_hand: 7, quantity_allocated: 0 });
    assert.deepEqual(codes(own.inventory), ["NEAR"]);
    assert.deepEqual(codes(own.preferred_bins), ["NEAR"]);
    assert.equal(own.preferred_bins[0].priority, 1);
    assert.equal(all.coming.length, 3);
    const order = ({ po_id, po_number }: typeof soon) => ({ po_id, po_number, warehouse_code });
    assert.deepEqual(own.coming, [
      { ...order(soon), expected_date: "2026-03-01", quantity_remaining: 4 },
      { ...order(late), expected_date: null, quantity_remaining: 8 },
    ]);
  });

  it("an item that is not there is 404", async () => {
    assert.deepEqual(statusAndBody(await service.admin.get(`${ROUTE}/999999`)), [404, { error: "Item not found" }]);
  });

  describe("the list", () => {
    const skus = async (query: string) =>
      (await service.admin.ok("GET", `${ROUTE}?${query}`)).items.map((i: { sku: string }) => i.sku);

    it("finds by part of SKU, name, UPC, MPN or alias, wildcards taken literally", async () => {
      await service.admin.ok("POST", ROUTE, {
        sku: "Q-sku",
        item_name: "Q-name 100%",
        upc: "Q-upc",
        mpn: "Q-mpn",
        barcode_aliases: ["first", "Q-alias"],
      });
      for (const q of ["q-sku", "Q-NAME", "q-upc", "q-mpn", "q-alias", "q-ali", "100%25"]) {
        assert.deepEqual(await skus(`q=${q}`), ["Q-sku"], q);
      }
      assert.deepEqual(await skus("q=Q_sku"), []);
    });

    it("has one row per item, with its default bin", async () => {
      const default_bin_id = await fixtures.bin(warehouse_id);
      const made = await service.admin.ok("POST", ROUTE, item({ sku: "LISTED", mpn: "M", default_bin_id }));
      const { items } = await service.admin.ok("GET", `${ROUTE}?q=LISTED`);
      const { description, ...fields } = made;
      const bin = await service.admin.ok("GET", `/api/admin/bins/${default_bin_id}`);
      const updated_at = fields.created_at;
      assert.deepEqual(items, [{ ...fields, mpn: "M", default_bin_code: bin.bin.bin_code, updated_at }]);
    });

    it("filters by category and by whether an item is active", async () => {
      await service.admin.ok("POST", ROUTE, item({ sku: "CAT-1", category: "Garden" }));
      assert.deepEqual(await skus("category=Garden"), ["CAT-1"]);
      assert.deepEqual(await skus("category=Garden&active=true"), ["CAT-1"]);
      assert.deepEqual(await skus("category=Garden&active=false"), []);
      assert.equal((await service.admin.get(`${ROUTE}?active=yes`)).status, 400);
    });

    it("goes by SKU, page by page", async () => {
      for (const sku of ["PAGE-1", "PAGE-2", "PAGE-3"]) await service.admin.ok("POST", ROUTE, item({ sku }));
      assert.deepEqual(await skus("q=PAGE-&per_page=2"), ["PAGE-1", "PAGE-2"]);
      const { items, ...rest } = await service.admin.ok("GET", `${ROUTE}?q=PAGE-&per_page=2&page=2`);
      assert.deepEqual(pluck(items, "sku"), ["PAGE-3"]);
      assert.deepEqual(rest, { total: 3, page: 2, per_page: 2, pages: 2 });
      assert.equal((await service.admin.ok("GET", `${ROUTE}?q=nothing-like-it`)).pages, 1);
    });
  });
});
