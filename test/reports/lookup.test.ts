import assert from "node:assert/strict";
import { type Caller, statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import type { TestService } from "../support/service.js";
import { openTwoWarehouses } from "../support/two-warehouses.js";

describe("lookups", () => {
  let service: TestService;
  let here: number;
  let elsewhere: number;
  let worker: Caller;
  before(async () => {
    ({ service, user: worker, warehouse_id: here, elsewhere } = await openTwoWarehouses());
  });
  after(() => service.close());

  const skus = (found: { sku: string }[]) => found.map((entry) => entry.sku);

  describe("an item", () => {
    it("is found by UPC, SKU and alias, with where it lies", async () => {
      const mug = await item({ aliases: ["MUG-ALIAS", "MUG-OTHER"], weight: "1.2500" });
      await db.run("update items set category = 'Kitchen', mpn = 'M-7' where item_id = $1", [mug.item_id]);
      const bin_id = await bin(here, { code: "A-01-1" });
      const inventory_id = await stock(here, bin_id, mug.item_id, 12, "LOT-1");
      await db.run("update inventory set quantity_allocated = 5 where inventory_id = $1", [inventory_id]);
      for (const barcode of [mug.upc, mug.sku, "MUG-ALIAS", "MUG-OTHER"]) {
        const found = await worker.ok("GET", `/api/lookup/item/${barcode}`);
        const { external_id, ...shown } = found.item;
        assert.deepEqual(shown, {
          item_id: mug.item_id,
          sku: mug.sku,
          item_name: `Item ${mug.sku}`,
          upc: mug.upc,
          mpn: "M-7",
          category: "Kitchen",
          weight_lbs: 1.25,
          lot_policy: "optional",
          serial_policy: "none",
        });
        assert.equal(found.locations.length, 1);
        const { zone_name, ...location } = found.locations[0];
        assert.ok(zone_name);
        assert.deepEqual(location, {
          bin_id,
          bin_code: "A-01-1",
          bin_type: "Pickable",
          quantity_on_hand: 12,
          quantity_allocated: 5,
          quantity_available: 7,
          lot_number: "LOT-1",
          expiry_date: null,
        });
      }
    });

    it("has no weight when that is zero", async () => {
      const { sku } = await item({ weight: "0" });
      assert.equal((await worker.ok("GET", `/api/lookup/item/${sku}`)).item.weight_lbs, null);
      assert.equal((await service.admin.ok("GET", `/api/lookup/item/search?q=${sku}`))[0].weight_lbs, null);
    });

    it("shows a user the locations of the user's warehouses only, bins with goods first", async () => {
      const { item_id, sku } = await item();
      await stock(here, await bin(here, { code: "EMPTY", pick_sequence: 1 }), item_id, 0);
      await stock(here, await bin(here, { code: "FULL", pick_sequence: 2 }), item_id, 3);
      await stock(elsewhere, await bin(elsewhere, { code: "FAR", pick_sequence: 3 }), item_id, 3);
      const binsFor = async (caller: Caller) =>
        (await caller.ok("GET", `/api/lookup/item/${sku}`)).locations.map((l: { bin_code: string }) => l.bin_code);
      assert.deepEqual(await binsFor(worker), ["FULL", "EMPTY"]);
      assert.deepEqual(await binsFor(service.admin), ["FULL", "FAR", "EMPTY"]);
    });

    it("finds a SKU whatever its capitals, one with the same capitals first, and none of several others", async () => {
      const [one, other] = [await item({ sku: "Case-1", upc: null }), await item({ sku: "CASE-1", upc: null })];
      const answer = (barcode: string) => worker.get(`/api/lookup/item/${barcode}`);
      assert.equal((await answer("Case-1")).body.item.item_id, one.item_id);
      assert.equal((await answer("CASE-1")).body.item.item_id, other.item_id);
      assert.equal((await answer("case-1")).status, 409);
      const { item_id } = await item({ sku: "Alone-1", upc: null });
      for (const barcode of ["alone-1", "ALONE-1"]) assert.equal((await answer(barcode)).body.item.item_id, item_id);
    });

    it("finds a barcode whatever its capitals, as UPC or as alias", async () => {
      const { item_id } = await item({ upc: "X001Upc" });
      await db.run("update items set barcode_aliases = $2 where item_id = $1", [item_id, '["Box \\"1\\"", "Fnsku-9"]']);
      for (const barcode of ["X001Upc", "x001upc", "fnsku-9", "FNSKU-9", 'bOX "1"'])
        assert.equal(
          (await worker.get(`/api/lookup/item/${encodeURIComponent(barcode)}`)).body.item?.item_id,
          item_id,
          barcode,
        );
      assert.equal((await worker.get("/api/lookup/item/fnsku")).status, 404);
      const other = await item({ sku: "fnsku-9", upc: null });
      assert.equal((await worker.get("/api/lookup/item/fnsku-9")).body.item.item_id, other.item_id);
      assert.equal((await worker.get("/api/lookup/item/FNSKU-9")).status, 409);
    });

    it("answers 404 when nothing fits", async () => {
      await item({ sku: "Case-2", upc: null });
      for (const barcode of ["Case", "nothing"]) {
        const { status, body } = await worker.get(`/api/lookup/item/${barcode}`);
        assert.deepEqual([status, body], [404, { error: "Item not found" }]);
      }
    });

    it("answers 400 to NUL in the barcode", async () => {
      assert.deepEqual(statusAndError(await worker.get("/api/lookup/item/a%00b")), [400, "validation_error"]);
    });
  });

  describe("the item search", () => {
    it("finds a piece of SKU, name, UPC, MPN or alias, whatever its case", async () => {
      const lamp = await item({ sku: "LAMP-77", upc: "990077", aliases: ["Leuchte-77", 'say "77"'] });
      await db.run("update items set item_name = 'Green lantern', mpn = 'Mpn-Of-77' where item_id = $1", [
        lamp.item_id,
      ]);
      for (const q of ["amp-7", "GREEN LAN", "90077", "mpn-of", "leuchte", 'say "77']) {
        const found = await service.admin.ok("GET", `/api/lookup/item/search?q=${encodeURIComponent(q)}`);
        assert.deepEqual(skus(found), ["LAMP-77"], q);
      }
      const [found] = await service.admin.ok("GET", "/api/lookup/item/search?q=lamp-77");
      assert.deepEqual(Object.keys(found).sort(), [
        ...[
          "category",
          "external_id",
          "item_id",
          "item_name",
          "lot_policy",
          "serial_policy",
          "sku",
          "upc",
          "weight_lbs",
        ],
      ]);
    });

    it("says with a warehouse how many units can still be sold there", async () => {
      const [house, other] = [await warehouse(), await warehouse()];
      const cup = await item({ sku: "FREE-1" });
      const row = await stock(house, await bin(house), cup.item_id, 9);
      await stock(other, await bin(other), cup.item_id, 50);
      await db.run("update inventory set quantity_allocated = 4 where inventory_id = $1", [row]);
      await item({ sku: "FREE-2" });
      const asked = `/api/lookup/item/search?q=free-&warehouse_id=${house}`;
      const found: { sku: string; quantity_free: number }[] = await service.admin.ok("GET", asked);
      assert.deepEqual(
        found.map(({ sku, quantity_free }) => [sku, quantity_free]),
        [
          ["FREE-1", 5],
          ["FREE-2", 0],
        ],
      );
      assert.equal((await worker.get(asked)).status, 403);
    });

    it("takes wildcards as they are", async () => {
      await item({ sku: "50%_off" });
      assert.deepEqual(skus(await service.admin.ok("GET", "/api/lookup/item/search?q=0%25_o")), ["50%_off"]);
      assert.deepEqual(await service.admin.ok("GET", "/api/lookup/item/search?q=%25_%25_%25"), []);
    });

    it("gives nothing for no text, and at most 50", async () => {
      for (const query of ["", "?q=", "?q=%20"]) {
        assert.deepEqual(await worker.ok("GET", `/api/lookup/item/search${query}`), []);
      }
      for (let i = 0; i < 51; i++) await item({ sku: `MANY-${i}` });
      assert.equal((await service.admin.ok("GET", "/api/lookup/item/search?q=many-")).length, 50);
    });

    it("shows a user items with stock or a preferred bin in the user's warehouses", async () => {
      const [stocked, preferred, far, nowhere] = [
        await item({ sku: "SCOPE-1" }),
        await item({ sku: "SCOPE-2" }),
        await item({ sku: "SCOPE-3" }),
        await item({ sku: "SCOPE-4" }),
      ];
      await stock(here, await bin(here), stocked.item_id, 0);
      await db.run("insert into preferred_bins (item_id, bin_id) values ($1, $2)", [
        preferred.item_id,
        await bin(here),
      ]);
      await stock(elsewhere, await bin(elsewhere), far.item_id, 5);
      assert.deepEqual(skus(await worker.ok("GET", "/api/lookup/item/search?q=scope-")), [stocked.sku, preferred.sku]);
      assert.deepEqual(skus(await service.admin.ok("GET", "/api/lookup/item/search?q=scope-")), [
        ...[stocked.sku, preferred.sku, far.sku, nowhere.sku],
      ]);
    });
  });

  describe("a bin", () => {
    it("is found by barcode and code, with what lies in it", async () => {
      const bin_id = await bin(here, { code: "C-03-2" });
      await db.run(
        "update bins set bin_barcode = 'BC-C032', aisle = 'C', row_num = '03', level_num = '2' where bin_id = $1",
        [bin_id],
      );
      const { item_id, sku, upc } = await item();
      await stock(here, bin_id, item_id, 9);
      for (const barcode of ["BC-C032", "C-03-2"]) {
        const found = await worker.ok("GET", `/api/lookup/bin/${barcode}`);
        const { external_id, zone_name, ...shown } = found.bin;
        assert.ok(zone_name);
        assert.deepEqual(shown, {
          bin_id,
          bin_code: "C-03-2",
          bin_barcode: "BC-C032",
          bin_type: "Pickable",
          warehouse_id: here,
          aisle: "C",
          row_num: "03",
          level_num: "2",
        });
        assert.deepEqual(found.items, [
          {
            ...{ item_id, sku, item_name: `Item ${sku}`, upc, lot_number: null, expiry_date: null },
            ...{ quantity_on_hand: 9, quantity_allocated: 0, quantity_available: 9 },
          },
        ]);
      }
    });

    it("is the one where the scanner is, of those with the same code; a barcode goes before that", async () => {
      const [far, near] = [await bin(elsewhere, { code: "D-04" }), await bin(here, { code: "D-04-HERE" })];
      await db.run("update bins set bin_code = 'D-04' where bin_id = $1", [near]);
      await db.run("update bins set bin_barcode = 'D-04-THERE' where bin_id = $1", [far]);
      const { admin } = service;
      const found = async (barcode: string, warehouse_id: number) =>
        (await admin.ok("GET", `/api/lookup/bin/${barcode}?warehouse_id=${warehouse_id}`)).bin.bin_id;
      assert.deepEqual([await found("D-04", elsewhere), await found("D-04", here)], [far, near]);
      for (const barcode of ["D-04-THERE", "d-04-there"]) assert.equal(await found(barcode, here), far);
      assert.equal((await worker.get(`/api/lookup/bin/D-04?warehouse_id=${elsewhere}`)).status, 403);
    });

    it("answers 404 for an unknown bin and for one of another warehouse", async () => {
      await bin(elsewhere, { code: "FAR-1" });
      assert.equal((await service.admin.get("/api/lookup/bin/FAR-1")).status, 200);
      for (const barcode of ["FAR-1", "NOPE"]) {
        const { status, body } = await worker.get(`/api/lookup/bin/${barcode}`);
        assert.deepEqual([status, body], [404, { error: "Bin not found" }]);
      }
    });

    it("is found by a piece of code or barcode, within the user's warehouses", async () => {
      await bin(here, { code: "FIND-1" });
      await bin(elsewhere, { code: "FIND-2" });
      await db.run("update bins set bin_barcode = 'Other-Piece' where bin_code = 'FIND-1'");
      const codes = async (caller: Caller, q: string) =>
        (await caller.ok("GET", `/api/lookup/bin/search?q=${q}`)).map((b: { bin_code: string }) => b.bin_code);
      assert.deepEqual(await codes(worker, "ind-"), ["FIND-1"]);
      assert.deepEqual(await codes(service.admin, "ind-"), ["FIND-1", "FIND-2"]);
      assert.deepEqual(await codes(worker, "r-pIeCe"), ["FIND-1"]);
      assert.deepEqual(await codes(worker, ""), []);
    });
  });

  describe("a sales order", () => {
    it("is found by number and barcode, in any status, with its lines inside", async () => {
      const { item_id, sku } = await item();
      const { so_id, so_number } = await salesOrder(here, [{ item_id, quantity: 4 }]);
      await db.run(
        `update sales_orders set so_barcode = 'SCAN-ME', status = 'CANCELLED', customer_phone = '+44', customer_address
          = 'Here',
                ship_address = 'There', memo = 'Careful' where so_id = $1`,
        [so_id],
      );
      for (const barcode of [so_number, "SCAN-ME", so_number.toLowerCase(), "scan-me"]) {
        const { sales_order } = await worker.ok("GET", `/api/lookup/so/${barcode}`);
        assert.deepEqual(sales_order, {
          so_id,
          external_id: sales_order.external_id,
          so_number,
          so_barcode: "SCAN-ME",
          customer_name: "Customer",
          customer_phone: "+44",
          customer_address: "Here",
          ship_address: "There",
          status: "CANCELLED",
          warehouse_id: here,
          memo: "Careful",
          lines: [
            {
              ...{ sku, item_name: `Item ${sku}`, quantity_ordered: 4 },
              ...{ quantity_picked: 0, quantity_packed: 0, quantity_shipped: 0 },
            },
          ],
        });
      }
    });

    it("answers 404 for an unknown order and for one of another warehouse", async () => {
      const far = await salesOrder(elsewhere, []);
      assert.equal((await service.admin.get(`/api/lookup/so/${far.so_number}`)).status, 200);
      for (const barcode of [far.so_number, "NOPE"]) {
        const { status, body } = await worker.get(`/api/lookup/so/${barcode}`);
        assert.deepEqual([status, body], [404, { error: "Sales order not found" }]);
      }
    });
  });

  it("list the active warehouses that a user may use, by name, and whether orders are picked there", async () => {
    await db.run("insert into warehouses (warehouse_code, warehouse_name, is_active) values ('GONE', 'Gone', false)");
    await db.run("update warehouses set warehouse_code = 'FAR', warehouse_name = 'Afar' where warehouse_id = $1", [
      elsewhere,
    ]);
    const { warehouses } = await service.admin.ok("GET", "/api/warehouses/list");
    const names = warehouses.map((w: { name: string }) => w.name);
    assert.deepEqual(warehouses[0], { id: elsewhere, name: "Afar", code: "FAR", is_sellable: false, timezone: "UTC" });
    assert.deepEqual(names, names.toSorted());
    assert.ok(!names.includes("Gone"));
    await bin(here, { type: "Staging" });
    await bin(elsewhere);
    await db.run(`insert into warehouses (warehouse_code, warehouse_name) values ('BOOKS', 'Only in the books')`);
    const sellable = async () =>
      (await service.admin.ok("GET", "/api/warehouses/list")).warehouses.flatMap(
        ({ id, is_sellable }: { id: number; is_sellable: boolean }) => (is_sellable ? [id] : []),
      );
    assert.ok((await sellable()).includes(elsewhere));
    await db.run("update zones set zone_type = 'QUALITY' where warehouse_id = $1", [elsewhere]);
    assert.ok(!(await sellable()).includes(elsewhere));
    const own = (await worker.ok("GET", "/api/warehouses/list")).warehouses;
    assert.deepEqual(pluck(own, "id"), [here]);
  });
});
