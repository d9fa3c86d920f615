import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, stock } from "../support/fixtures.js";
import { newUpc } from "../support/gtins.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck, pluckAll } from "../support/pluck.js";
import type { TestService } from "../support/service.js";
import { openTwoWarehouses } from "../support/two-warehouses.js";

const GS = "\u001d";

describe("scanned codes", () => {
  let service: TestService;
  let here: number;
  let worker: Caller;
  before(async () => {
    ({ service, user: worker, warehouse_id: here } = await openTwoWarehouses());
  });
  after(() => service.close());
  afterEach(() => assertInvariants());

  const look = (barcode: string) => worker.get(`/api/lookup/item/${encodeURIComponent(barcode)}`);
  const skuOf = async (barcode: string) => (await look(barcode)).body.item?.sku;
  /** A label for the item with this UPC-A. */
  const label = (upc: string, more = "") => `]C101${upc.padStart(14, "0")}${more}`;

  describe("in the lookup", () => {
    it("find an item by every form of its GTIN, as UPC or as alias", async () => {
      const [upc, alias] = [newUpc(), newUpc()];
      const stored: [string, string][] = [
        [(await item({ upc: `0${upc}` })).sku, upc],
        [(await item({ aliases: [alias, "BOX"] })).sku, alias],
      ];
      for (const [sku, code] of stored)
        for (const form of [code, `0${code}`, `00${code}`, label(code), `https://id.gs1.org/01/00${code}`])
          assert.equal(await skuOf(form), sku, form);
    });

    it("fit an item byte for byte before another by its GTIN, whatever the code is of", async () => {
      for (const exactly of [{ aliases: [newUpc()] }, { sku: newUpc() }, { upc: newUpc() }]) {
        const upc = exactly.aliases?.[0] ?? exactly.sku ?? exactly.upc;
        await item({ upc: `0${upc}` });
        const { sku } = await item(exactly);
        assert.equal(await skuOf(`${upc}`), sku);
      }
      const upc = newUpc();
      const whole = await item({ aliases: [label(upc, "10L")] });
      assert.equal(await skuOf(label(upc, "10L")), whole.sku);
    });

    it("that have no GTIN fit byte for byte alone", async () => {
      await item({ upc: "0400000000016" });
      assert.equal((await look("400000000016")).status, 404);
    });

    it("are refused where several items have the GTIN, unless all but one are archived", async () => {
      const upc = newUpc();
      const [one, two] = [await item({ upc }), await item({ upc: `0${upc}` })];
      assert.equal(await skuOf(upc), one.sku);
      const refused = await look(`00${upc}`);
      const ids = `${one.item_id}, ${two.item_id}`;
      const error = `GTIN 00${upc} is that of several items (${ids}): scan a code that only one of them has`;
      assert.deepEqual([refused.status, refused.body.error], [409, error]);
      assert.deepEqual(
        refused.body.candidates.map(({ external_id: _, ...shown }: { external_id: string }) => shown),
        [one, two].map((each) => ({ ...each, item_name: `Item ${each.sku}` })),
      );
      await db.run("update items set is_active = false where item_id = $1", [one.item_id]);
      assert.equal(await skuOf(`00${upc}`), two.sku);
      await db.run("update items set is_active = false where item_id = $1", [two.item_id]);
      assert.equal((await look(`00${upc}`)).status, 409);
    });

    it("are refused where several items have this very code, and name which one is meant", async () => {
      const first = await item({ upc: `CODE-${newUpc()}` });
      const code = first.upc as string;
      const others = [await item({ upc: code }), await item({ aliases: [code] }), await item({ sku: code })];
      const all = [first, ...others];
      const { status, body } = await look(code);
      const ids = all.map(({ item_id }) => item_id);
      assert.deepEqual(
        [status, body.error],
        [409, `Code ${code} is that of several items (${ids.join(", ")}): scan a code that only one of them has`],
      );
      assert.deepEqual(pluck(body.candidates, "item_id"), ids);
      for (const { item_id, sku } of all) {
        const chosen = await worker.ok("GET", `/api/lookup/item/${code}?item_id=${item_id}`);
        assert.deepEqual([chosen.item.item_id, chosen.item.sku], [item_id, sku]);
      }
      const stranger = await item();
      assert.equal((await worker.get(`/api/lookup/item/${code}?item_id=${stranger.item_id}`)).status, 404);
      await db.run("update items set is_active = false where item_id = any($1)", [ids.slice(1)]);
      assert.equal(await skuOf(code), first.sku);
    });

    it("tell what else the label says", async () => {
      const { upc } = await item({ upc: newUpc() });
      const gtin = (upc as string).padStart(14, "0");
      const said = async (barcode: string) => (await look(barcode)).body.scan;
      assert.deepEqual(await said(label(upc as string, `1727123110LOT-7${GS}21S1`)), {
        ...{ gtin, lot_number: "LOT-7", expiry_date: "2027-12-31", serial_number: "S1", quantity: null },
        ...{ best_before_date: null, production_date: null, packaging_date: null, net_weight_kg: null },
      });
      assert.deepEqual(await said(upc as string), {
        ...{ gtin, lot_number: null, expiry_date: null, serial_number: null, quantity: null },
        ...{ best_before_date: null, production_date: null, packaging_date: null, net_weight_kg: null },
      });
      const { sku } = await item();
      assert.equal((await said(sku)).gtin, null);
    });
  });

  it("find items in every search", async () => {
    const [upc, alias] = [newUpc(), newUpc()];
    const found = await item({ upc, aliases: [alias] });
    await stock(here, await bin(here), found.item_id, 1);
    for (const code of [`00${upc}`, label(alias, "10L1")].map(encodeURIComponent)) {
      const skus = (rows: { sku?: string; label?: string }[]) => rows.map((row) => row.sku ?? row.label);
      const { admin } = service;
      assert.deepEqual(skus(await worker.ok("GET", `/api/lookup/item/search?q=${code}`)), [found.sku]);
      assert.deepEqual(skus((await admin.ok("GET", `/api/admin/items?q=${code}`)).items), [found.sku]);
      assert.deepEqual(skus((await admin.ok("GET", `/api/admin/inventory?q=${code}`)).inventory), [found.sku]);
      assert.deepEqual(skus((await admin.ok("GET", `/api/admin/search?q=${code}`)).results), [found.sku]);
    }
  });

  describe("of a receipt or a move", () => {
    /** An item of a purchase order, with a label that names lot, expiry and serial number. */
    async function labelled() {
      const upc = newUpc();
      const { item_id } = await item({ upc });
      const { po_id } = await purchaseOrder(here, [{ item_id, quantity: 100 }]);
      const bin_id = await bin(here, { type: "Staging" });
      const scanned_barcode = label(upc, `1727123110LOT-7${GS}21S1`);
      const receive = (more: object) =>
        worker.post("/api/receiving/receive", { po_id, items: [{ item_id, quantity: 2, bin_id, ...more }] });
      const rows = () =>
        db.rows<{ bin_id: number; lot_number: string; expiry_date: string; on_hand: number }>(
          `select bin_id, lot_number, expiry_date, quantity_on_hand as on_hand from inventory where item_id = $1
           order by inventory_id`,
          [item_id],
        );
      return { upc, item_id, po_id, bin_id, scanned_barcode, receive, rows };
    }

    it("fill in lot, serial number and expiry", async () => {
      const { bin_id, po_id, scanned_barcode, receive, rows } = await labelled();
      const { status, body } = await receive({ scanned_barcode, lot_number: null });
      assert.equal(status, 200);
      const lot = { lot_number: "LOT-7", expiry_date: "2027-12-31" };
      assert.deepEqual(await rows(), [{ bin_id, ...lot, on_hand: 2 }]);
      const { receipts } = await service.admin.ok("GET", `/api/admin/purchase-orders/${po_id}/receipts`);
      assert.deepEqual(
        [receipts[0].receipt_id, receipts[0].lot_number, receipts[0].serial_number],
        [body.receipt_ids[0], "LOT-7", "S1"],
      );
      const event = await db.row<{ lot: string; serial: string }>(
        `select event_data(e) #>> '{lines,0,lot_number}' as lot, event_data(e) #>> '{lines,0,serial_number}' as serial
         from integration_events e where event_type = 'receipt.completed' order by created_at desc limit 1`,
      );
      assert.deepEqual(event, { lot: "LOT-7", serial: "S1" });
      const [place] = (await look(scanned_barcode)).body.locations;
      assert.equal(place.expiry_date, "2027-12-31");
    });

    it("agree with what the request says, or are refused", async () => {
      const { upc, scanned_barcode, receive, rows } = await labelled();
      const said = { lot_number: "LOT-7", serial_number: "S1", expiry_date: "2027-12-31" };
      assert.equal((await receive({ scanned_barcode, ...said })).status, 200);
      for (const [field, wrong] of Object.entries({
        lot_number: "L8",
        serial_number: "S2",
        expiry_date: "2027-12-30",
      })) {
        const { status, body } = await receive({ scanned_barcode, ...said, [field]: wrong });
        const scanned = said[field as keyof typeof said];
        assert.deepEqual(
          [status, body],
          [400, { error: `The label says ${field} ${scanned}, but the request says ${wrong}` }],
        );
      }
      assert.equal((await receive({ scanned_barcode: upc, lot_number: "L8", expiry_date: "2028-01-01" })).status, 200);
      assert.deepEqual(pluckAll(await rows(), "lot_number", "expiry_date", "on_hand"), [
        ["LOT-7", "2027-12-31", 2],
        ["L8", "2028-01-01", 2],
      ]);
    });

    it("are refused when they are another item's or nobody's", async () => {
      const { upc, item_id, bin_id, receive, rows } = await labelled();
      const other = await item({ upc: newUpc() });
      for (const scanned_barcode of [other.upc, label(other.upc as string), "nobody's"]) {
        const { status, body } = await receive({ scanned_barcode });
        assert.deepEqual([status, body], [400, { error: `The scanned code is not one of item ${item_id}` }]);
      }
      const move = { item_id, from_bin_id: bin_id, to_bin_id: await bin(here), quantity: 1 };
      for (const path of ["/api/putaway/confirm", "/api/transfers/move"])
        assert.equal((await worker.post(path, { ...move, scanned_barcode: other.upc })).status, 400);
      assert.deepEqual(await rows(), []);
      assert.equal((await receive({ scanned_barcode: label(upc) })).status, 200);
    });

    it("are right where they are the item's own, whoever else has them", async () => {
      const { upc, item_id, bin_id, receive } = await labelled();
      for (const other of [{ upc }, { upc: `0${upc}` }, { aliases: [upc] }, { sku: upc }]) await item(other);
      for (const code of [upc, `0${upc}`, label(upc)]) {
        assert.equal((await receive({ scanned_barcode: code })).status, 200, code);
        const move = { item_id, from_bin_id: bin_id, to_bin_id: await bin(here), quantity: 1, scanned_barcode: code };
        for (const path of ["/api/putaway/confirm", "/api/transfers/move"])
          assert.equal((await worker.post(path, move)).status, 200, `${path} ${code}`);
      }
    });

    it("name the lot that is put away or moved, which keeps its expiry", async () => {
      const { item_id, bin_id, scanned_barcode, receive, rows } = await labelled();
      await receive({ scanned_barcode });
      await stock(here, bin_id, item_id, 5);
      const to_bin_id = await bin(here);
      const move = { item_id, from_bin_id: bin_id, to_bin_id, quantity: 1, scanned_barcode };
      for (const path of ["/api/putaway/confirm", "/api/transfers/move"]) {
        const { status, body } = await worker.post(path, { ...move, lot_number: "L8" });
        assert.deepEqual([status, body.error], [400, "The label says lot_number LOT-7, but the request says L8"]);
        await worker.ok("POST", path, move);
      }
      const lot = { lot_number: "LOT-7", expiry_date: "2027-12-31" };
      assert.deepEqual(
        (await rows()).filter((row) => row.lot_number !== null),
        [
          { bin_id, ...lot, on_hand: 0 },
          { bin_id: to_bin_id, ...lot, on_hand: 2 },
        ],
      );
    });
  });

  describe("expiry", () => {
    it("is the earliest of the units in a row, and goes with the last unit that is of no lot", async () => {
      const { item_id } = await item();
      const { po_id } = await purchaseOrder(here, [{ item_id, quantity: 100 }]);
      const [dock, shelf] = [await bin(here, { type: "Staging" }), await bin(here)];
      const expiries = () =>
        db.column<string>(
          "select expiry_date from inventory where item_id = $1 order by bin_id, lot_number nulls first",
          [item_id],
        );
      const receive = (more: object) =>
        worker.ok("POST", "/api/receiving/receive", {
          po_id,
          items: [{ item_id, quantity: 1, bin_id: dock, ...more }],
        });
      const move = (quantity: number, more = {}) =>
        worker.ok("POST", "/api/transfers/move", { item_id, from_bin_id: dock, to_bin_id: shelf, quantity, ...more });
      await receive({ expiry_date: "2027-06-30" });
      await receive({ expiry_date: "2027-05-31" });
      await receive({});
      assert.deepEqual(await expiries(), ["2027-05-31"]);
      await move(3);
      assert.deepEqual(await expiries(), ["2027-05-31", "2027-05-31"]);
      await receive({ expiry_date: "2027-04-30" });
      assert.deepEqual(await expiries(), ["2027-04-30", "2027-05-31"]);
      await move(1);
      await receive({});
      assert.deepEqual(await expiries(), [null, "2027-04-30"]);
      await receive({ lot_number: "A", expiry_date: "2028-01-31" });
      const elsewhere = await bin(here, { type: "Staging" });
      await receive({ lot_number: "A", bin_id: elsewhere });
      assert.deepEqual(await expiries(), [null, "2028-01-31", "2027-04-30", "2028-01-31"]);
    });

    it("is a day", async () => {
      const { item_id } = await item();
      const { po_id } = await purchaseOrder(here, [{ item_id, quantity: 1 }]);
      const items = [{ item_id, quantity: 1, bin_id: await bin(here), expiry_date: "2027-02-30" }];
      assert.equal((await worker.post("/api/receiving/receive", { po_id, items })).status, 400);
    });
  });
});
