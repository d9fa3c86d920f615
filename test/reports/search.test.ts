import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";

const ROUTE = "/api/admin/search";

interface Found {
  type: string;
  id: number | string;
  label: string;
  sublabel: string | null;
}

describe("search over everything", () => {
  const service = testService();
  let here: number;
  let elsewhere: number;
  before(async () => {
    [here, elsewhere] = [await fixtures.warehouse(), await fixtures.warehouse()];
  });

  const find = async (q: string, by: Caller = service.admin, more = ""): Promise<Found[]> =>
    (await by.ok("GET", `${ROUTE}?q=${encodeURIComponent(q)}${more}`)).results;
  const labels = async (q: string, by?: Caller, more?: string) =>
    (await find(q, by, more)).map(({ type, label }) => `${type} ${label}`);
  /** A sales order; by the way, orders get newer with each call. */
  async function order(so_number: string, customer_name: string | null = null, warehouse_id = here) {
    const { so_id } = await fixtures.salesOrder(warehouse_id, [], so_number);
    await db.run("update sales_orders set customer_name = $2 where so_id = $1", [so_id, customer_name]);
    return so_id;
  }
  const unit = (item_id: number, serial: string, warehouse_id = here) =>
    db.run("insert into serials (item_id, serial_number, state, warehouse_id) values ($1, $2, 'IN_STOCK', $3)", [
      ...[item_id, serial, warehouse_id],
    ]);
  /** So many orders that fit nothing, newer than all. */
  const manyOrders = (count: number) =>
    db.run(
      `insert into sales_orders (so_number, warehouse_id, created_at)
       select 'FILL-' || gen_random_uuid(), $1, now() + interval '1 hour' from generate_series(1, $2::int)`,
      [here, count],
    );

  it("needs two characters", async () => {
    for (const q of ["", "m", "  m  "]) {
      const { status, body } = await service.admin.get(`${ROUTE}?q=${encodeURIComponent(q)}`);
      assert.deepEqual(
        [status, body],
        [400, { error: "min_length", min_length: 2, detail: "q must have at least 2 characters" }],
      );
    }
    assert.equal((await service.admin.get(ROUTE)).status, 400);
  });

  it("finds things of every kind, in the order of kinds", async () => {
    const { item_id, sku } = await fixtures.item({ sku: "GIRAFFE" });
    const bin_id = await fixtures.bin(here, { code: "GIRAFFE-BIN" });
    const { po_id } = await fixtures.purchaseOrder(here, [], "PO-GIRAFFE");
    const so_id = await order("SO-1-GIRAFFE", "Gira Ffe");
    await order("SO-2", "Ms Giraffe");
    const answer = await service.admin.ok("GET", `${ROUTE}?q=%20giraffe&warehouse_id=${here}`);
    const { warehouse_code } = (await db.row<{ warehouse_code: string }>(
      "select warehouse_code from warehouses where warehouse_id = $1",
      [here],
    )) ?? { warehouse_code: "" };
    const [, bin, , newest] = answer.results;
    assert.ok(bin.sublabel.startsWith(`${warehouse_code} / Z`));
    assert.equal(newest.label, "SO-2");
    assert.deepEqual(
      { ...answer, results: answer.results.map(({ type, id, label }: Found) => [type, id, label]) },
      {
        query: "giraffe",
        warehouse_id: here,
        results: [
          ["item", item_id, sku],
          ["bin", bin_id, "GIRAFFE-BIN"],
          ["po", po_id, "PO-GIRAFFE"],
          ["so", newest.id, "SO-2"],
          ["so", so_id, "SO-1-GIRAFFE"],
          ["customer", "Ms Giraffe", "Ms Giraffe"],
        ],
      },
    );
    const sublabels = Object.fromEntries(
      answer.results.map(({ type, label, sublabel }: Found) => [`${type} ${label}`, sublabel]),
    );
    assert.equal(sublabels["item GIRAFFE"], "Item GIRAFFE");
    assert.equal(sublabels["po PO-GIRAFFE"], "Vendor");
    assert.equal(sublabels["so SO-1-GIRAFFE"], "Gira Ffe");
    assert.equal(sublabels["customer Ms Giraffe"], "SO-2");
  });

  it("finds an item by name, UPC, MPN and alias, a bin by barcode, an order by vendor or customer", async () => {
    const { item_id } = await fixtures.item({ sku: "TAPIR", upc: "UPC-TAPIR-9", aliases: ["ALIAS-OKAPI"] });
    await db.run("update items set mpn = 'MPN-LEMUR', item_name = 'A quiet animal' where item_id = $1", [item_id]);
    const bin_id = await fixtures.bin(here, { code: "QUOLL" });
    await db.run("update bins set bin_barcode = 'NUMBAT' where bin_id = $1", [bin_id]);
    const { po_id } = await fixtures.purchaseOrder(here, [], "PO-QUAGGA");
    await db.run("update purchase_orders set vendor_name = 'Dodo & Sons' where po_id = $1", [po_id]);
    for (const q of ["quiet", "upc-tapir", "lemur", "okapi", "ALIAS-OKAPI"])
      assert.deepEqual(await labels(q), ["item TAPIR"], q);
    assert.deepEqual(await labels("numbat"), ["bin QUOLL"]);
    assert.deepEqual(await labels("dodo &"), ["po PO-QUAGGA"]);
  });

  it("takes wildcards as they are written", async () => {
    await fixtures.item({ sku: "100%-COTTON", upc: null });
    await fixtures.item({ sku: "100X-COTTON", upc: null });
    assert.deepEqual(await labels("100%"), ["item 100%-COTTON"]);
    assert.deepEqual(await labels("%%"), []);
    assert.deepEqual(await labels("100_"), []);
  });

  it("finds the beginnings of words by two characters", async () => {
    await fixtures.item({ sku: "YK-1", upc: null });
    await fixtures.item({ sku: "RED-YKES", upc: null });
    await fixtures.item({ sku: "SYKE", upc: null });
    await order("SO-YK", "Bo Yk");
    assert.deepEqual(await labels("yk"), ["item RED-YKES", "item YK-1", "so SO-YK", "customer Bo Yk"]);
  });

  it("shows ten of a kind, the exact one first, the newest orders before older ones", async () => {
    const numbers = Array.from({ length: 12 }, (_, i) => `EMU-${i + 1}`);
    for (const sku of numbers) await fixtures.item({ sku, upc: null });
    for (const number of numbers) await order(number, `Emu ${number}`);
    const found = await labels("EMU-1");
    assert.equal(found[0], "item EMU-1");
    assert.deepEqual(
      found.filter((it) => it.startsWith("so")),
      ["so EMU-1", "so EMU-12", "so EMU-11", "so EMU-10"],
    );
    const all = await find("emu");
    const counts = new Map<string, number>();
    for (const { type } of all) counts.set(type, (counts.get(type) ?? 0) + 1);
    assert.deepEqual(Object.fromEntries(counts), { item: 10, so: 10, customer: 10 });
    assert.deepEqual(
      pluck(
        all.filter(({ type }) => type === "so"),
        "label",
      ),
      numbers.slice(2).reverse(),
    );
  });

  it("finds orders behind the many newer ones", async () => {
    await order("SO-PANGOLIN", "Old Customer");
    await manyOrders(600);
    assert.deepEqual(await labels("pangolin"), ["so SO-PANGOLIN"]);
    assert.deepEqual(await labels("old customer"), ["so SO-PANGOLIN", "customer Old Customer"]);
  });

  it("finds lots and serials by the beginning of their numbers, the exact one first", async () => {
    const { item_id, sku } = await fixtures.item({ upc: null });
    const bin_id = await fixtures.bin(here);
    for (const lot of ["IBEX-12", "IBEX-1", "RED-IBEX"]) await fixtures.stock(here, bin_id, item_id, 1, lot);
    for (const serial of ["IBEX_SN", "IBEX-1", "XIBEX-1"]) await unit(item_id, serial);
    assert.deepEqual(await labels("ib"), ["lot IBEX-1", "lot IBEX-12", "serial IBEX-1", "serial IBEX_SN"]);
    assert.deepEqual(await labels("ibex-12"), ["lot IBEX-12"]);
    assert.deepEqual(await labels("IBEX_"), ["serial IBEX_SN"], "a wildcard is taken as it is written");
    const [lot, , serial] = await find("ibex");
    assert.deepEqual([lot?.sublabel, serial?.sublabel], [sku, sku]);
    assert.equal(lot?.id, await db.value("select lot_id from lots where lot_number = 'IBEX-1'"));
    const { external_id } = (await db.row<{ external_id: string }>(
      "select external_id from serials where serial_number = 'IBEX_SN'",
    )) as { external_id: string };
    assert.deepEqual(await labels(external_id), ["serial IBEX_SN"]);
  });

  it("finds lots and serials in the user's warehouses, for users of stock", async () => {
    const { item_id } = await fixtures.item({ upc: null });
    for (const at of [here, elsewhere]) {
      await fixtures.stock(at, await fixtures.bin(at), item_id, 1, `MINK-${at}`);
      await unit(item_id, `MINK-${at}`, at);
    }
    const user = await service.user({ warehouse_ids: [here], page_keys: ["inventory"] });
    assert.deepEqual(await labels("mink", user), [`lot MINK-${here}`, `serial MINK-${here}`]);
    const stranger = await service.user({ warehouse_ids: [here], page_keys: ["items"] });
    assert.deepEqual(await labels("mink", stranger), []);
  });

  it("shows fifty at most, those of the kinds that come first", async () => {
    const numbers = Array.from({ length: 10 }, (_, i) => `SKINK-${i}`);
    const { item_id } = await fixtures.item({ upc: null });
    for (const number of numbers) {
      await fixtures.item({ sku: number, upc: null });
      await fixtures.bin(here, { code: number });
      await fixtures.purchaseOrder(here, [], number);
      await order(number, number);
      await unit(item_id, number);
    }
    const found = await find("skink");
    assert.deepEqual([found.length, found.filter(({ type }) => type === "serial").length], [50, 0]);
  });

  it("shows a user the own warehouses alone", async () => {
    await fixtures.bin(here, { code: "LYNX-HERE" });
    await fixtures.bin(elsewhere, { code: "LYNX-THERE" });
    await fixtures.purchaseOrder(elsewhere, [], "LYNX-PO");
    await order("LYNX-SO", "Lynx", elsewhere);
    const user = await service.user({
      warehouse_ids: [here],
      page_keys: ["items", "bins", "purchase-orders", "sales-orders"],
    });
    assert.deepEqual(await labels("lynx", user), ["bin LYNX-HERE"]);
    assert.deepEqual(await labels("lynx-so", user), []);
    assert.equal((await labels("lynx")).length, 5);
    assert.deepEqual(await labels("lynx", service.admin, `&warehouse_id=${here}`), ["bin LYNX-HERE"]);
  });

  it("finds orders by what a customer who calls has at hand: tracking number, e-mail, telephone", async () => {
    const parcel = await order("SO-CALLER-1", "Ibis");
    await db.run(
      `insert into item_fulfillments (so_id, warehouse_id, tracking_number, carrier)
       values ($1, $2, 'JD0146000IBIS77', 'DHL')`,
      [parcel, here],
    );
    assert.deepEqual(await labels("jd0146000ibis77"), ["so SO-CALLER-1"]);
    assert.deepEqual(await labels("0IBIS77"), ["so SO-CALLER-1"]);
    const set = (so_id: number, email: string, phone: string) =>
      db.run("update sales_orders set customer_email = $2, customer_phone = $3 where so_id = $1", [
        ...[so_id, email, phone],
      ]);
    await set(parcel, "Ibis@example.com", "+44 20 7946-0911");
    await set(await order("SO-CALLER-2", "Ibis", elsewhere), "ibis@example.com", "+44 20 7946 0912");
    const both = ["so SO-CALLER-2", "so SO-CALLER-1", "customer Ibis"];
    assert.deepEqual(await labels("ibis@EXAMPLE.com"), both);
    for (const phone of ["020 79460911", "0044 (20) 7946 0911", "+44-20-7946-0911"])
      assert.deepEqual(await labels(phone), ["so SO-CALLER-1", "customer Ibis"], phone);
    for (const other of ["7946091", "ibis@example.co", "79460911 x"]) assert.deepEqual(await labels(other), [], other);
    const clerk = await service.user({ warehouse_ids: [here], page_keys: ["sales-orders"] });
    assert.deepEqual(await labels("ibis@example.com", clerk), ["so SO-CALLER-1", "customer Ibis"]);
    const buyer = await service.user({ warehouse_ids: [here], page_keys: ["items"] });
    assert.deepEqual(await labels("ibis@example.com", buyer), []);
  });

  it("finds orders by where they go, behind those with such a number or name", async () => {
    const goesTo = (so_id: number, line1: string | null, postal_code: string | null, city: string | null) =>
      db.run(
        `update sales_orders
         set shipping_address_line1 = $2, shipping_address_postal_code = $3, shipping_address_city = $4
         where so_id = $1`,
        [so_id, line1, postal_code, city],
      );
    const seven = await order("SO-STREET-7", "Zoe");
    await goesTo(seven, "Okapistraße 7a", "99912", "Weilerstadt");
    await goesTo(await order("SO-STREET-77"), "Okapistr. 77", "99913", "Weilerstadt");
    const asText = await order("SO-STREET-TEXT");
    await db.run("update sales_orders set ship_address = 'Okapi Street 12, Übersee' where so_id = $1", [asText]);
    await goesTo(await order("SO-STREET-THERE", null, elsewhere), "Okapistraße 7", "99914", "Weilerstadt");
    const user = await service.user({ warehouse_ids: [here], page_keys: ["sales-orders"] });
    for (const q of ["okapistraße 7", "Okapistrasse 7", "okapistr. 7, weilerstadt", "7a Okapistraße", "99912 weiler"])
      assert.deepEqual(await labels(q, user), ["so SO-STREET-7"], q);
    assert.deepEqual(await labels("okapi st 12", user), ["so SO-STREET-TEXT"]);
    assert.deepEqual(await labels("übersee", user), ["so SO-STREET-TEXT"]);
    assert.deepEqual(await labels("weilerstadt", user), ["so SO-STREET-77", "so SO-STREET-7"]);
    assert.deepEqual((await find("99912"))[0]?.sublabel, "Zoe · Okapistraße 7a, Weilerstadt, 99912");
    for (const other of ["okapistraße 8", "kapistraße", "77 7a"]) assert.deepEqual(await labels(other, user), []);
    await order("SO-STREET-NAME", "Okapi");
    assert.deepEqual((await labels("okapi", user)).slice(0, 2), ["so SO-STREET-NAME", "so SO-STREET-TEXT"]);
    await manyOrders(600);
    assert.deepEqual(await labels("okapistraße 7a", user), ["so SO-STREET-7"]);
    const listed = await user.ok("GET", "/api/admin/sales-orders?q=okapistraße 7, weilerstadt");
    assert.deepEqual(pluck(listed.sales_orders, "so_number"), ["SO-STREET-7"]);
  });

  it("shows a user what the granted pages show", async () => {
    await fixtures.item({ sku: "HERON", upc: null });
    await fixtures.bin(here, { code: "HERON" });
    await fixtures.purchaseOrder(here, [], "HERON");
    await order("HERON", "Heron");
    const kinds = async (...page_keys: string[]) => {
      const user = await service.user({ warehouse_ids: [here], page_keys });
      return (await find("heron", user)).map(({ type }) => type);
    };
    assert.deepEqual(await kinds(), []);
    assert.deepEqual(await kinds("items"), ["item"]);
    assert.deepEqual(await kinds("bins"), ["bin"]);
    assert.deepEqual(await kinds("purchase-orders"), ["po"]);
    assert.deepEqual(await kinds("sales-orders"), ["so", "customer"]);
  });
});
