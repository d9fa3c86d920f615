import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import { db } from "../support/db.js";
import { assertFitsEpcis, fitsEpcis } from "../support/epcis.js";
import { bin, item, purchaseOrder, stock, warehouse } from "../support/fixtures.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { checkOut, codeOfBin, codeOfWarehouse, saleOf, tillOf } from "../support/till.js";
import { unique } from "../support/unique.js";

describe("the exports of a lot", () => {
  const service = testService({ worker: true });
  const lotOf = async (item_id: number) =>
    (await db.value<number>("select lot_id from lots where item_id = $1", [item_id])) as number;
  const rowsOf = (text: string) => parse(text, { columns: true }) as Record<string, string>[];

  /** Ten units that came from a vendor; some were moved, shipped, brought back, transferred, and sold at a till. */
  async function travelled({ upc = null, lot = "L-7" }: { upc?: string | null; lot?: string } = {}) {
    const { admin } = service;
    const [here, shop] = [await warehouse(), await warehouse()];
    const [dock, shelf] = [await bin(here, { pick_sequence: 9 }), await bin(here, { pick_sequence: 1 })];
    const counter = await bin(shop);
    const { item_id, sku } = await item({ upc });
    const { canonical_id } = await admin.ok("POST", "/api/admin/vendors", {
      ...{ vendor_name: "Orchard", phone: "030 1", billing_address: "Field 1, Werder" },
    });
    const { po_id, po_number } = await purchaseOrder(here, [{ item_id, quantity: 10 }]);
    await db.run("update purchase_orders set vendor_id = $2 where po_id = $1", [po_id, canonical_id]);
    await admin.ok("POST", "/api/receiving/receive", {
      ...{ po_id, items: [{ item_id, quantity: 10, bin_id: dock, lot_number: lot, expiry_date: "2030-01-31" }] },
    });
    const move = { item_id, from_bin_id: dock, to_bin_id: shelf, quantity: 6, lot_number: lot };
    await admin.ok("POST", "/api/transfers/move", move);
    const { sales_order } = await admin.ok("POST", "/api/admin/sales-orders", {
      ...{ so_number: `SO-${unique()}`, warehouse_id: here, customer_name: "Ada", customer_phone: "030 2" },
      ...{ ship_address: "Lane 5, Berlin", lines: [{ item_id, quantity_ordered: 4 }] },
    });
    const { so_id, so_number } = sales_order;
    const { so_line_id } = (await admin.ok("GET", `/api/admin/sales-orders/${so_id}`)).lines[0];
    await admin.ok("POST", `/api/admin/sales-orders/${so_id}/admin-pick`, {
      lines: [{ so_line_id, bin_id: shelf, quantity: 4 }],
    });
    await admin.ok("POST", "/api/packing/verify", { so_id, scanned_barcode: sku, quantity: 4 });
    await admin.ok("POST", "/api/packing/complete", { so_id });
    await admin.ok("POST", "/api/shipping/fulfill", { so_id, carrier: "UPS", tracking_number: "1Z-9" });
    const rma = await admin.ok("POST", `/api/admin/sales-orders/${so_id}/create-rma`, {
      lines: [{ item_id, quantity: 1 }],
    });
    await admin.ok("POST", `/api/admin/sales-orders/${rma.so_id}/receive-return`, {
      ...{ item_id, quantity: 1, warehouse_id: here, bin_id: dock, lot_number: lot },
    });
    await admin.ok("POST", "/api/admin/inter-warehouse-transfer", {
      ...{ item_id, quantity: 2, from_bin_id: shelf, to_bin_id: counter },
      ...{ from_warehouse_id: here, to_warehouse_id: shop },
    });
    const { caller: till } = await tillOf(service, { warehouse_ids: [shop] });
    const place = { sku, warehouse: await codeOfWarehouse(shop), bin: await codeOfBin(counter) };
    const sold = await checkOut(till, saleOf(place));
    assert.equal(sold.status, 200, JSON.stringify(sold.body));
    const path = `/api/admin/lots/${await lotOf(item_id)}`;
    return { here, shop, sku, po_number, so_number, rma: rma.so_number, sale: sold.body.so_number, path };
  }
  const numberOf = (row: Record<string, string>) => row.reference_document_number;

  it("are a sheet with the key data elements of each receiving and shipping", async () => {
    const { here, path, po_number, so_number, rma, sale, sku } = await travelled();
    const { body, headers } = await service.admin.get(`${path}/traceability`);
    assert.equal(headers.get("content-type"), "text/csv; charset=utf-8");
    assert.match(String(headers.get("content-disposition")), /filename="traceability-L-7.csv"/);
    const rows = rowsOf(body);
    const transfer = numberOf(rows[2] as Record<string, string>);
    assert.deepEqual(
      rows.map((row) => [row.tracking_event, row.quantity, row.reference_document_type, numberOf(row)]),
      [
        ["receiving", "10", "purchase order", po_number],
        ["receiving", "1", "return authorization", rma],
        ["shipping", "2", "inter-warehouse transfer", transfer],
        ["receiving", "2", "inter-warehouse transfer", transfer],
        ["shipping", "4", "sales order", so_number],
        ["shipping", "1", "till sale", sale],
      ],
    );
    const [received, , , , shipped] = rows;
    const { warehouse_name } = (await db.row<Record<string, string>>(
      "select warehouse_name from warehouses where warehouse_id = $1",
      [here],
    )) as Record<string, string>;
    for (const [row, expected] of [
      [received, { from_name: "Orchard", from_phone: "030 1", from_address: "Field 1, Werder" }],
      [received, { to_name: warehouse_name, traceability_lot_code: "L-7", unit_of_measure: "each", sku }],
      [received, { expiry_date: "2030-01-31", recorded_by: service.admin.username }],
      [shipped, { from_name: warehouse_name, to_name: "Ada", to_phone: "030 2", to_address: "Lane 5, Berlin" }],
      [shipped, { carrier: "UPS", tracking_number: "1Z-9", tlc_source_name: "Orchard" }],
    ] as [Record<string, string>, Record<string, string>][])
      for (const [name, value] of Object.entries(expected)) assert.equal(row[name], value, name);
    assert.match(String(received?.event_date), /^\d{4}-\d\d-\d\d$/);
  });

  it("are an EPCIS document that fits the published schema", async () => {
    const { path, so_number } = await travelled();
    const { body, headers } = await service.admin.get(`${path}/epcis`);
    assert.equal(headers.get("content-type"), "application/ld+json; charset=utf-8");
    assertFitsEpcis(body);
    const events = body.epcisBody.eventList;
    assert.deepEqual(pluck(events, "bizStep"), [
      ...["receiving", "receiving", "storing", "storing", "picking", "shipping", "retail_selling"],
    ]);
    assert.deepEqual(pluck(events, "disposition"), [
      ...["in_progress", "returned", undefined, undefined, undefined, "in_transit", "retail_sold"],
    ]);
    assert.equal(new Set(pluck(events, "eventID")).size, events.length);
    const shipping = events[5];
    assert.deepEqual([shipping["wes:document"], shipping["wes:party"]], [so_number, "Ada"]);
    assert.deepEqual(pluck(shipping.bizTransactionList, "type"), ["po", "desadv"]);
    const again = await service.admin.ok("GET", `${path}/epcis`);
    assert.deepEqual(again.epcisBody, body.epcisBody);
    body.epcisBody.eventList[0].bizStep = "eating";
    assert.equal(fitsEpcis(body), false, "the schema says what a step may be");
  });

  it("name units by GTIN and lot where a GS1 label would", async () => {
    for (const [lot, named] of [
      ["L/7", "https://id.gs1.org/01/04006381333931/10/L%2F7"],
      ["a lot of the old house", undefined],
    ] as const) {
      await db.run("update items set upc = null where upc = '4006381333931'");
      const { path } = await travelled({ upc: "4006381333931", lot });
      const [event] = (await service.admin.ok("GET", `${path}/epcis`)).epcisBody.eventList;
      const { external_id } = await service.admin.ok("GET", path);
      assert.equal(event.quantityList[0].epcClass, named ?? `urn:uuid:${external_id}`);
    }
  });

  it("name who gave the lot its number, where that is known", async () => {
    const { path } = await travelled();
    await service.admin.ok("PUT", path, { attributes: { tlc_source: "Orchard, press 2" } });
    const { body } = await service.admin.get(`${path}/traceability`);
    assert.deepEqual([...new Set(pluck(rowsOf(body), "tlc_source_name"))], ["Orchard, press 2"]);
  });

  it("have all of a long life, each step once, also before anything happened", async () => {
    const warehouse_id = await warehouse();
    const [from, to] = [await bin(warehouse_id), await bin(warehouse_id)];
    const { item_id } = await item();
    const moves = 4_003;
    const lot_id = await db.value<number>("insert into lots (item_id, lot_number) values ($1, 'L') returning lot_id", [
      item_id,
    ]);
    const eventsOf = async () => {
      const { body } = await service.admin.get(`/api/admin/lots/${lot_id}/epcis`);
      assertFitsEpcis(body);
      return body.epcisBody.eventList;
    };
    assert.deepEqual(await eventsOf(), []);
    await db.run(
      `insert into bin_transfers (item_id, from_bin_id, to_bin_id, warehouse_id, quantity, transfer_type, lot_number)
       select $1, $2, $3, $4, n, 'MOVE', 'L' from generate_series(1, ${moves}) n`,
      [item_id, from, to, warehouse_id],
    );
    const quantities = (await eventsOf()).map(({ quantityList: [units] }: { quantityList: [{ quantity: number }] }) => {
      return units.quantity;
    });
    assert.deepEqual(
      quantities,
      Array.from({ length: moves }, (_, n) => n + 1),
    );
    const { body } = await service.admin.get(`/api/admin/lots/${lot_id}/traceability`);
    assert.match(body, /^tracking_event,[\w,]+\r\n$/);
  });

  it("show each of the lots of one transfer to another warehouse, and a recall finds the units of both", async () => {
    const [here, there] = [await warehouse(), await warehouse()];
    const [from_bin_id, to_bin_id] = [await bin(here), await bin(there)];
    const { item_id } = await item();
    for (const lot of ["L-1", "L-2"]) await stock(here, from_bin_id, item_id, 3, lot);
    const done = await service.admin.ok("POST", "/api/admin/inter-warehouse-transfer", {
      ...{ item_id, from_bin_id, from_warehouse_id: here, to_bin_id, to_warehouse_id: there, quantity: 5 },
    });
    const moved = new Map<string, number>(pluckAll(done.lots, "lot_number", "quantity") as [string, number][]);
    assert.deepEqual([...moved.values()].sort(), [2, 3]);
    const lots = await db.rows<{ lot_id: number; lot_number: string }>(
      "select lot_id, lot_number from lots where item_id = $1 order by lot_id",
      [item_id],
    );
    for (const { lot_id, lot_number } of lots) {
      const path = `/api/admin/lots/${lot_id}`;
      const units = moved.get(lot_number);
      const { steps } = await service.admin.ok("GET", `${path}/trace?kind=move`);
      assert.deepEqual(pluckAll(steps, "quantity", "warehouse_id"), [[units, here]]);
      const rows = rowsOf((await service.admin.get(`${path}/traceability`)).body);
      assert.deepEqual(pluckAll(rows, "tracking_event", "quantity"), [
        ["shipping", `${units}`],
        ["receiving", `${units}`],
      ]);
      const { body } = await service.admin.get(`${path}/epcis`);
      assertFitsEpcis(body);
      assert.deepEqual(pluck(body.epcisBody.eventList, "bizStep"), ["storing"]);
    }
    // Those that stayed, and those that left by the transfer.
    const { recall_id } = await service.admin.ok("POST", "/api/admin/recalls", {
      ...{ lot_ids: pluck(lots, "lot_id"), reason: "glass" },
    });
    const { places } = await service.admin.ok("GET", `/api/admin/recalls/${recall_id}`);
    const lying = (warehouse_id: number) =>
      places
        .filter((place: { warehouse_id: number; quantity_on_hand: number }) => place.warehouse_id === warehouse_id)
        .reduce((sum: number, { quantity_on_hand }: { quantity_on_hand: number }) => sum + quantity_on_hand, 0);
    assert.deepEqual([lying(here), lying(there)], [1, 5]);
  });

  it("show a user what concerns the user's warehouses alone", async () => {
    const { shop, path } = await travelled();
    const user = await service.user({ warehouse_ids: [shop], page_keys: ["inventory"] });
    const { body } = await user.get(`${path}/traceability`);
    assert.deepEqual(pluck(rowsOf(body), "reference_document_type"), [
      ...["inter-warehouse transfer", "inter-warehouse transfer", "till sale"],
    ]);
    const elsewhere = await service.user({ warehouse_ids: [await warehouse()], page_keys: ["inventory"] });
    for (const file of ["traceability", "epcis"]) {
      const refused = await elsewhere.get(`${path}/${file}`);
      assert.deepEqual([refused.status, refused.code], [404, "lot_not_found"]);
    }
  });
});
