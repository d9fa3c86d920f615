import assert from "node:assert/strict";
import { request } from "node:http";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { newUpc } from "../support/gtins.js";
import { pluck } from "../support/pluck.js";
import { shippingStation } from "../support/station.js";

describe("looking up at a station", () => {
  const at = shippingStation();

  describe("an order", () => {
    it("shows all of it", async () => {
      const [mug, jug] = [await fixtures.item(), await fixtures.item({ upc: null })];
      const { so_id, so_number } = await at.packed([
        { item: mug, quantity: 3 },
        { item: jug, quantity: 4, found: 1 },
      ]);
      const address = {
        ...{ name: "Mary Miller", line1: "12 Main Street", line2: "Floor 2", city: "Springfield" },
        ...{ state: "IL", postal_code: "62701", country: "US", phone: "+1 555 0100" },
      };
      const set = Object.keys(address).map((name, i) => `shipping_address_${name} = $${i + 2}`);
      await db.run(`update sales_orders set ${set} where so_id = $1`, [so_id, ...Object.values(address)]);
      await db.run(
        `update sales_orders set customer_phone = '+1', memo = 'gift', ship_method = 'Ground', order_total = 19.90,
           customer_shipping_paid = 0, created_by = 'shop', order_date = '2026-05-06',
           created_at = '2026-05-06 12:00:00.5+00' where so_id = $1`,
        [so_id],
      );
      const uuids = await db.rows<{ id: string }>(
        "select external_id as id from items where item_id = any($1) order by item_id",
        [[mug.item_id, jug.item_id]],
      );
      const { external_id, ...found } = (await at.look(so_number)).body;
      assert.match(external_id, /^[0-9a-f-]{36}$/);
      const line = (of: typeof mug, n: number) => ({
        ...{ external_id: uuids[n]?.id, sku: of.sku, display_name: `Item ${of.sku}`, upc: of.upc },
        properties: [],
      });
      assert.deepEqual(found, {
        ...{ so_number, status: "PACKED", warehouse_id: at.here, customer_name: "Customer", customer_phone: "+1" },
        ...{ memo: "gift", shipping_address: address, ship_method: "Ground" },
        items: [
          { ...line(mug, 0), qty: 3, qty_ordered: 3 },
          { ...line(jug, 1), qty: 1, qty_ordered: 4 },
        ],
        ...{ order_total: 19.9, customer_shipping_paid: 0, marketplace: "shop", order_date: "2026-05-06" },
        ...{ ff_created_at: "2026-05-06T12:00:00.500000Z", shippable: true, shippable_from_statuses: ["PACKED"] },
        ...{ shipped_by: null, tracking_number: null, carrier: null, shipped_at: null, station_label: null },
      });
    });

    it("shows nulls where nothing is set, in any status", async () => {
      const { so_id, so_number } = await fixtures.salesOrder(at.here, []);
      for (const status of ["OPEN", "CANCELLED", "WAITING_STOCK"]) {
        await db.run("update sales_orders set status = $2 where so_id = $1", [so_id, status]);
        const { body } = await at.look(so_number);
        const nothing = ["name", "line1", "line2", "city", "state", "postal_code", "country", "phone"];
        assert.deepEqual(body.shipping_address, Object.fromEntries(nothing.map((part) => [part, null])));
        assert.deepEqual(
          [body.status, body.shippable, body.items, body.order_total, body.customer_shipping_paid, body.memo],
          [status, false, [], null, null, null],
        );
      }
    });

    it("says from which statuses orders ship where packing is not required", async () => {
      const { so_id, so_number } = await fixtures.salesOrder(at.here, []);
      await db.run("update sales_orders set status = 'PICKED' where so_id = $1", [so_id]);
      const told = async () => {
        const { shippable, shippable_from_statuses } = (await at.look(so_number)).body;
        return [shippable, shippable_from_statuses];
      };
      assert.deepEqual(await told(), [false, ["PACKED"]]);
      await at.setPackingRequired(false);
      assert.deepEqual(await told(), [true, ["PICKED", "PACKED"]]);
      await at.setPackingRequired(true);
    });

    it("is found by its whole number alone, in the warehouses of the token", async () => {
      const far = await fixtures.salesOrder(at.elsewhere, []);
      await fixtures.salesOrder(at.here, [], "A_b-1#2.3");
      for (const number of [far.so_number, "SO-NOWHERE", "a_b-1#2.3"]) {
        const { status, body } = await at.look(number);
        assert.deepEqual([status, body.error_kind, body.details], [404, "not_found", {}]);
      }
      assert.equal((await at.look("A_b-1#2.3")).body.so_number, "A_b-1#2.3");
      for (const number of ["2026/1001", "INV 1001", "Nº 7 (b) 100%"]) {
        await fixtures.salesOrder(at.here, [], number);
        assert.equal((await at.look(number)).body.so_number, number);
      }
      const both = await at.newStation({ warehouse_ids: [at.here, at.elsewhere] });
      assert.equal((await at.look(far.so_number, both)).status, 200);
    });

    it("is not asked for by what is no number", async () => {
      for (const number of [" SO1", "SO1 ", "SO\n1", "x".repeat(129)]) {
        const { status, body } = await at.look(number);
        assert.deepEqual([status, body.error_kind], [422, "invalid_so_number"], number);
      }
      assert.equal((await at.look("x".repeat(128))).status, 404);
    });
  });

  describe("an item", () => {
    const find = (barcode: string) => at.station.get(`/api/v1/station/items/${encodeURIComponent(barcode)}`);

    it("shows its stock by bin, of all types, with all lots, without empty ones", async () => {
      const mug = await fixtures.item({ weight: "1.25" });
      const [shelf, dock, empty] = [
        await fixtures.bin(at.here, { code: "A-1" }),
        await fixtures.bin(at.here, { code: "B-2", type: "Staging" }),
        await fixtures.bin(at.here),
      ];
      await fixtures.stock(at.here, shelf, mug.item_id, 5, "LOT-1");
      await fixtures.stock(at.here, shelf, mug.item_id, 2);
      await fixtures.stock(at.here, dock, mug.item_id, 9);
      await fixtures.stock(at.here, empty, mug.item_id, 0);
      await fixtures.stock(at.elsewhere, await fixtures.bin(at.elsewhere), mug.item_id, 4);
      const { status, body } = await find(mug.upc as string);
      assert.equal(status, 200);
      const known = await db.row<{ id: string; code: string; free: number }>(
        `select external_id as id, (select warehouse_code from warehouses where warehouse_id = $2) as code
         from items where item_id = $1`,
        [mug.item_id, at.here],
      );
      assert.deepEqual(body.item, {
        ...{ external_id: known?.id, sku: mug.sku, item_name: `Item ${mug.sku}`, upc: mug.upc, weight_lbs: 1.25 },
      });
      const place = { warehouse_id: at.here, warehouse_code: known?.code };
      const units = body.locations.map((location: Record<string, unknown>) => {
        const { quantity_available, ...rest } = location;
        return rest;
      });
      assert.deepEqual(units, [
        { ...place, bin_code: "A-1", bin_type: "Pickable", quantity_on_hand: 7 },
        { ...place, bin_code: "B-2", bin_type: "Staging", quantity_on_hand: 9 },
      ]);
    });

    it("says what of it is promised", async () => {
      const mug = await fixtures.item();
      const shelf = await fixtures.bin(at.here);
      const inventory_id = await fixtures.stock(at.here, shelf, mug.item_id, 5);
      const { so_id } = await fixtures.salesOrder(at.here, [{ item_id: mug.item_id, quantity: 2 }]);
      await db.run("update inventory set quantity_allocated = 2 where inventory_id = $1", [inventory_id]);
      await db.run(
        `insert into stock_reservations (inventory_id, so_line_id, quantity)
         select $1, so_line_id, 2 from sales_order_lines where so_id = $2`,
        [inventory_id, so_id],
      );
      await db.run("update sales_order_lines set quantity_allocated = 2 where so_id = $1", [so_id]);
      const [location] = (await find(mug.upc as string)).body.locations;
      assert.deepEqual([location.quantity_on_hand, location.quantity_available], [5, 3]);
    });

    it("is found by UPC and alias, and by every form of its code", async () => {
      const plain = await fixtures.item({ upc: "036000291452", aliases: ["BOX-OF-12", "00012345678905"] });
      const small = await fixtures.item({ upc: "96385074" });
      const sku = async (barcode: string) => (await find(barcode)).body.item?.sku;
      for (const form of ["036000291452", "0036000291452", "00036000291452"])
        assert.equal(await sku(form), plain.sku, form);
      for (const form of ["BOX-OF-12", "012345678905", "0012345678905"]) assert.equal(await sku(form), plain.sku, form);
      for (const form of ["96385074", "0000096385074"]) assert.equal(await sku(form), small.sku, form);
      for (const other of ["36000291452", "136000291452", plain.sku, "box-of-12"])
        assert.equal((await find(other)).status, 404, other);
    });

    it("is found by a GS1 label, and not where several active items have its GTIN", async () => {
      const upc = newUpc();
      const one = await fixtures.item({ upc: `0${upc}` });
      const label = `]C10100${upc}10LOT-7`;
      assert.equal((await find(label)).body.item.sku, one.sku);
      const two = await fixtures.item({ upc });
      const { status, body } = await find(label);
      const skus = body.details.candidates.map(({ sku }: { sku: string }) => sku);
      assert.deepEqual([status, body.error_kind, skus], [409, "ambiguous_barcode", [one.sku, two.sku]]);
      assert.equal((await find(upc)).body.item.sku, two.sku);
      const three = await fixtures.item({ aliases: [upc] });
      assert.equal((await find(upc)).status, 409);
      await db.run("update items set is_active = false where item_id = $1", [three.item_id]);
      await db.run("update items set is_active = false where item_id = $1", [two.item_id]);
      for (const code of [label, upc]) assert.equal((await find(code)).body.item.sku, one.sku);
    });

    it("without stock here has no locations; archived or unknown it is not found", async () => {
      const far = await fixtures.item();
      await fixtures.stock(at.elsewhere, await fixtures.bin(at.elsewhere), far.item_id, 4);
      const found = await find(far.upc as string);
      assert.deepEqual([found.status, found.body.locations, found.body.item.weight_lbs], [200, [], null]);
      await db.run("update items set is_active = false where item_id = $1", [far.item_id]);
      for (const barcode of [far.upc as string, "nothing", " ", "x".repeat(129)]) {
        const { status, body } = await find(barcode);
        assert.deepEqual([status, body.error_kind], [404, "not_found"], barcode);
      }
    });
  });

  describe("with or without success", () => {
    it("carries the header of the draft model, on unknown paths too", async () => {
      const { so_number } = await at.packedMug();
      const answers = [
        await at.look(so_number),
        await at.service.anyone.get(at.pathOf(so_number)),
        await at.station.get("/api/v1/station/nowhere"),
        await at.station.post("/api/v1/station/"),
        await at.station.get("/API/V1/Station/orders/%E0%A4%A"),
        await at.ship(so_number, { tracking: "" }),
      ];
      assert.deepEqual(pluck(answers, "status"), [200, 401, 404, 404, 422, 422]);
      for (const answer of answers) {
        assert.equal(answer.headers.get("x-service-canonical-model"), "DRAFT-v1");
        const { error_kind, message, details } = answer.body;
        if (answer.status > 200)
          assert.deepEqual([typeof error_kind, typeof message, typeof details], ["string", "string", "object"]);
      }
    });

    it("does not read a larger body than it may, with or without a length", async () => {
      const body = JSON.stringify(at.parcel({ tracking: "x".repeat(64 * 1024) }));
      const { hostname, port } = new URL(at.station.url);
      const send = (headers: Record<string, string>) =>
        new Promise<{ status?: number | undefined; header: unknown; text: string }>((resolve, reject) => {
          const sent = request(
            {
              ...{ hostname, port, method: "POST", path: at.pathOf("SO-1", "ship") },
              headers: { ...at.station.headers, "content-type": "application/json", ...headers },
            },
            async (answer) => {
              let text = "";
              for await (const part of answer) text += part;
              resolve({ status: answer.statusCode, header: answer.headers["x-service-canonical-model"], text });
            },
          );
          sent.on("error", reject);
          sent.end(body);
        });
      const chunked: Record<string, string> = { "transfer-encoding": "chunked" };
      for (const headers of [{ "content-length": `${body.length}` }, chunked]) {
        const { status, header, text } = await send(headers);
        const { error_kind, details } = JSON.parse(text);
        assert.deepEqual(
          [status, header, error_kind, details],
          [413, "DRAFT-v1", "body_too_large", { max_body_kb: 64 }],
        );
      }
    });
  });
});
