import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { scannedPdf, zplOf } from "../support/printed/fetch.js";
import { testService } from "../support/service.js";

describe("what customs ask of a parcel", () => {
  const service = testService();
  let warehouse: number;
  let packer: Caller;
  before(async () => {
    warehouse = await fixtures.warehouse();
    packer = await service.user({ warehouse_ids: [warehouse] });
    for (const [key, value] of [
      ["company_name", "Mugs Ltd"],
      ["company_address", "Harbour 1\nPorto"],
    ])
      await service.admin.ok("PUT", "/api/admin/settings", { settings: { [`picking_ticket_${key}`]: value } });
  });

  const MUG = { hs_code: "6912.00", origin_country: "PT", customs_value_minor: 1290, customs_currency: "EUR" };

  /** A closed parcel of an order to Switzerland with so many units of items that say this. */
  async function parcel(...contents: { units: number; says?: object; weight_lbs?: number }[]) {
    const items = await Promise.all(
      contents.map(async ({ says = MUG, weight_lbs = 1.1 }) => {
        const item = await fixtures.item();
        await service.admin.ok("PUT", `/api/admin/items/${item.item_id}`, { weight_lbs, ...says });
        return item;
      }),
    );
    const lines = contents.map(({ units }, i) => ({ item_id: items[i]?.item_id as number, quantity: units }));
    const { so_id, so_number } = await fixtures.shippedOrder(warehouse, lines);
    await db.run(
      `update sales_orders set shipping_address_name = 'Urs Meier', shipping_address_line1 = 'Seeweg 3',
         shipping_address_city = 'Zug', shipping_address_postal_code = '6300', shipping_address_country = 'CH'
       where so_id = $1`,
      [so_id],
    );
    const made = await db.row<{ parcel_id: number }>(
      `insert into parcels (so_id, warehouse_id, parcel_number, status, closed_at, weight_lbs)
       values ($1, $2, 1, 'CLOSED', now(), 5.5) returning parcel_id`,
      [so_id, warehouse],
    );
    const { parcel_id } = made ?? assert.fail();
    for (const { item_id, quantity } of lines)
      await db.run("insert into parcel_lines (parcel_id, item_id, quantity) values ($1, $2, $3)", [
        ...[parcel_id, item_id, quantity],
      ]);
    return { parcel_id, so_number, skus: items.map(({ sku }) => sku), path: `/api/packing/parcels/${parcel_id}` };
  }

  it("is told by item, with the worth and the weight of the units in the parcel", async () => {
    const { parcel_id, so_number, skus, path } = await parcel({ units: 2 }, { units: 1, says: {}, weight_lbs: 0 });
    const { sender, recipient, lines, ...told } = await packer.ok("GET", `${path}/customs`);
    assert.deepEqual(told, {
      ...{ parcel_id, so_number, tracking_number: null, recipient_country: "CH", gross_weight_lbs: 5.5 },
      ...{ total_quantity: 3, total_minor: null, currency: null, complete: false },
    });
    assert.deepEqual(sender, ["Mugs Ltd", "Harbour 1\nPorto"]);
    assert.deepEqual(recipient, ["Urs Meier", "Seeweg 3", "6300 Zug", "CH"]);
    const [mug, unknown] = skus.map((sku) => lines.find((line: { sku: string }) => line.sku === sku));
    assert.deepEqual(mug, {
      ...{ sku: skus[0], description: `Item ${skus[0]}`, quantity: 2, hs_code: "6912.00", origin_country: "PT" },
      ...{ net_weight_lbs: 2.2, value_minor: 2580, currency: "EUR", missing: [] },
    });
    assert.deepEqual(unknown.missing, [
      ...["hs_code", "origin_country", "customs_value_minor", "customs_currency", "weight_lbs"],
    ]);
  });

  it("is printed as CN 22, CN 23 and invoice", async () => {
    const { so_number, path } = await parcel({ units: 2 }, { units: 3, says: { ...MUG, customs_value_minor: 5 } });
    for (const [asked, title] of [
      ["form=cn22&contents=gift", "Customs declaration CN 22 .* Gift"],
      ["", "Customs declaration CN 23 .* Sale of goods"],
      ["form=invoice&size=Letter", "Commercial invoice .* Sale of goods"],
      ["form=cn22&size=4x6in", "Customs declaration CN 22"],
    ]) {
      const [page, ...more] = await scannedPdf(packer, `${path}/customs-paper?${asked}`);
      assert.deepEqual(more, []);
      const text = (page?.texts ?? []).join(" ").replace(/\s+/g, " ");
      assert.match(text, new RegExp(title as string));
      for (const part of [so_number, "Mugs Ltd", "Porto", "Urs Meier", "6300 Zug", "6912.00 PT", "25.80", "0.15"])
        assert.ok(text.includes(part), `${part} in ${text}`);
      // Two of 1.1 lb and three, and the parcel.
      for (const part of ["0.998", "1.497", "2.495", "25.95", "in EUR"])
        assert.ok(text.includes(part), `${part} in ${text}`);
    }
    const [label] = await zplOf(packer, `${path}/customs-paper?format=zpl`);
    assert.ok(label);
  });

  it("goes on to further pages where it is long", async () => {
    const { path } = await parcel(...Array.from({ length: 60 }, () => ({ units: 1 })));
    const pages = await scannedPdf(packer, `${path}/customs-paper`);
    assert.ok(pages.length > 1);
    assert.match(pages.at(-1)?.texts.join(" ") ?? "", /Total/);
  });

  it("is not printed as long as something is missing, in two currencies, or of an empty parcel", async () => {
    const lacking = await parcel({ units: 1, says: { ...MUG, hs_code: null } });
    const refused = await packer.get(`${lacking.path}/customs-paper`);
    assert.deepEqual([refused.status, refused.code], [400, "customs_incomplete"]);
    assert.deepEqual(refused.body.items, [{ sku: lacking.skus[0], missing: ["hs_code"] }]);
    const mixed = await parcel({ units: 1 }, { units: 1, says: { ...MUG, customs_currency: "CHF" } });
    const { code, body } = await packer.get(`${mixed.path}/customs-paper`);
    assert.deepEqual([code, body.currencies], ["customs_currencies", "CHF, EUR"]);
    const empty = await parcel();
    assert.equal((await packer.get(`${empty.path}/customs-paper`)).code, "parcel_empty");
    const paper = await packer.get(`${lacking.path}/customs-paper?format=zpl&size=A4`);
    assert.equal(paper.code, "size_not_on_roll");
  });

  it("is told of parcels of one's own warehouses", async () => {
    const { path } = await parcel({ units: 1 });
    const elsewhere = await service.user({ warehouse_ids: [await fixtures.warehouse()] });
    for (const route of ["customs", "customs-paper"]) {
      assert.deepEqual((await elsewhere.get(`${path}/${route}`)).status, 403);
      const unknown = await packer.get(`/api/packing/parcels/1999999999/${route}`);
      assert.deepEqual([unknown.status, unknown.code], [404, "parcel_not_found"]);
    }
  });
});
