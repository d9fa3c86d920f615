import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { file, pdfOf, scannedPdf, zplOf } from "../support/printed/fetch.js";
import { testService } from "../support/service.js";

describe("packing slips", () => {
  const service = testService({ env: { SERVICE_COMPANY_TIMEZONE: "Pacific/Auckland" } });
  let warehouse: number;
  let packer: Caller;
  before(async () => {
    warehouse = await fixtures.warehouse();
    packer = await service.user({ warehouse_ids: [warehouse] });
  });

  const slipOf = (barcode: string) => `/api/packing/order/${encodeURIComponent(barcode)}/packing-slip`;
  const order = async (lines: number, fields: Record<string, string | null> = {}) => {
    const items = await Promise.all(Array.from({ length: lines }, () => fixtures.item()));
    const made = await fixtures.shippedOrder(
      warehouse,
      items.map(({ item_id }) => ({ item_id, quantity: 7 })),
    );
    for (const [column, value] of Object.entries(fields))
      await db.run(`update sales_orders set ${column} = $2 where so_id = $1`, [made.so_id, value]);
    return { ...made, skus: items.map(({ sku }) => sku) };
  };
  const shown = (texts: string[]) => texts.join(" ").replace(/\s+/g, " ");

  it("tells the customer what was ordered, packed and shipped, from whom and to whom", async () => {
    for (const [key, value] of [
      ["company_name", "Müller & Söhne"],
      ["company_address", "Hauptstraße 1\nBerlin"],
      ["returns_text", "Within 30 days."],
    ])
      await service.admin.ok("PUT", "/api/admin/settings", { settings: { [`picking_ticket_${key}`]: value } });
    const { so_number, skus } = await order(2, {
      ...{ so_barcode: "SCAN-ME", order_date: "2026-05-06", shipped_at: "2026-05-07T13:00:00Z" },
      ...{ shipping_address_name: "Zofia Wójcik", shipping_address_line1: "Żelazna 5" },
      ...{ shipping_address_city: "Warszawa", shipping_address_postal_code: "00-001" },
      ...{ shipping_address_country: "Polska", billing_address_line1: "Οδός Ερμού 3" },
    });
    await db.run("update sales_order_lines set quantity_shipped = 5 where line_number = 2");
    const [page, ...others] = await scannedPdf(packer, slipOf("SCAN-ME"));
    assert.ok(page);
    assert.deepEqual([others, page.width, page.height], [[], 210, 297]);
    assert.deepEqual(page.barcodes, [{ text: "SCAN-ME", format: "Code128" }]);
    const text = shown(page.texts);
    for (const part of [
      ...["Müller & Söhne", "Hauptstraße 1 Berlin", "Packing slip", so_number, "2026-05-06", "UPS", "1Z999"],
      ...["Zofia Wójcik", "Żelazna 5 00-001 Warszawa Polska", "Bill to Οδός Ερμού 3", "Within 30 days.", "Page 1 of 1"],
      // One in the night of the company's next day.
      "Shipped on 2026-05-08",
    ])
      assert.ok(text.includes(part), `${part} in ${text}`);
    assert.match(text, new RegExp(`7 7 7 ${skus[0]} .*7 7 5 ${skus[1]}`));
  });

  it("says at the bench what is enclosed, and nothing of a shipment that is still to come", async () => {
    const { so_number, so_id, skus } = await order(2, { shipped_at: null });
    await db.run(
      "update sales_order_lines set quantity_shipped = 0, quantity_packed = 0, quantity_picked = 4 where so_id = $1",
      [so_id],
    );
    const [page] = await scannedPdf(packer, slipOf(so_number));
    const text = shown(page?.texts ?? []);
    assert.match(text, new RegExp(`Enclosed .*7 4 ${skus[0]} `));
    assert.doesNotMatch(text, /Shipped|Packed/);
  });

  it("is found by number, barcode or external id, and names the free address and the day it was made", async () => {
    const { so_number, so_id } = await order(1, {
      ...{ so_barcode: null, ship_address: "Somewhere 1\nTown", order_date: null },
      ...{ created_at: "2026-01-01T12:00:00Z", shipped_at: null },
    });
    const row = await db.row<{ external_id: string }>("select external_id from sales_orders where so_id = $1", [so_id]);
    for (const name of [so_number, row?.external_id as string]) {
      const [page] = await scannedPdf(packer, slipOf(name));
      const text = shown(page?.texts ?? []);
      assert.match(text, /Customer Somewhere 1 Town/);
      assert.match(text, /Ordered on 2026-01-02/);
      assert.doesNotMatch(text, /Shipped on|Bill to/);
      assert.equal(page?.barcodes[0]?.text, so_number);
    }
  });

  it("has as many pages as it needs, each with its number and a head for its lines", async () => {
    const { so_number, skus } = await order(60);
    for (const [size, width] of [
      ["A4", 210],
      ["Letter", 216],
      ["4x6in", 102],
    ]) {
      const pages = await pdfOf(packer, `${slipOf(so_number)}?size=${size}`);
      assert.ok(pages.length > 1);
      for (const [i, page] of pages.entries()) {
        assert.deepEqual([page.width, page.outside], [width, []]);
        assert.ok(page.texts.includes(`Page ${i + 1} of ${pages.length}`), page.texts.join("|"));
      }
      const all = pages.flatMap(({ texts }) => texts);
      assert.deepEqual(
        skus.filter((sku) => all.filter((text) => text === sku).length !== 1),
        [],
      );
    }
    const labels = await zplOf(packer, `${slipOf(so_number)}?format=zpl`);
    assert.ok(labels.length > 1);
    const printed = labels.flatMap(({ fields }) => fields.map(({ data }) => data));
    assert.ok(skus.every((sku) => printed.includes(sku)));
    assert.ok(labels[0]?.fields.some(({ kind, data }) => kind === "BC" && data === so_number));
  });

  it("is one file for many orders, one after the other as they are named", async () => {
    const [one, other] = [await order(1), await order(60)];
    const slipsOf = (ids: (number | string)[]) => `/api/packing/packing-slips?so_ids=${ids.join(",")}`;
    const pages = await pdfOf(packer, slipsOf([other.so_id, one.so_id]));
    assert.ok(pages.length > 2);
    assert.ok(pages.at(-1)?.texts.includes("Page 1 of 1"));
    assert.match(shown(pages.at(-1)?.texts ?? []), new RegExp(one.so_number));
    assert.match(shown(pages[0]?.texts ?? []), new RegExp(other.so_number));
    const elsewhere = await fixtures.salesOrder(await fixtures.warehouse(), [
      { item_id: (await fixtures.item()).item_id, quantity: 1 },
    ]);
    const refused = async (path: string) => {
      const { status, body } = await packer.get(path);
      return [status, body.error];
    };
    assert.deepEqual(await refused(slipsOf([one.so_id, 2_000_000_000])), [404, "Sales order not found"]);
    assert.equal((await refused(slipsOf([one.so_id, elsewhere.so_id])))[0], 403);
    assert.equal((await refused(`${slipsOf([one.so_id])}&format=zpl&size=A4`))[0], 400);
    assert.equal((await refused(slipsOf(["x"])))[0], 400);
    await db.run("update sales_orders set order_type = 'return' where so_id = $1", [other.so_id]);
    assert.equal((await refused(slipsOf([other.so_id])))[0], 400);
  });

  it("keeps whatever texts on its pages", async () => {
    const long = (column: string, most: number) => [column, "Ẅ^XZ~W\n".repeat(most).slice(0, most)];
    const { so_number, so_id } = await order(
      3,
      Object.fromEntries([
        ...["carrier", "ship_method", "shipping_address_city"].map((column) => long(column, 100)),
        ...["shipping_address_line1", "shipping_address_line2", "billing_address_line1"].map((c) => long(c, 200)),
        ...[long("tracking_number", 255), long("customer_name", 200), long("ship_address", 512)],
      ]),
    );
    await db.run(
      `update items set item_name = repeat('Ẅ', 256), sku = repeat('^', 120) || item_id
       where item_id in (select item_id from sales_order_lines where so_id = $1)`,
      [so_id],
    );
    await db.run(
      `update app_settings set value = repeat(E'^XA~JR\n', 100) where key like 'picking\\_ticket\\_company\\_%'`,
    );
    for (const size of ["A4", "4x6in"])
      for (const page of await pdfOf(packer, `${slipOf(so_number)}?size=${size}`)) assert.deepEqual(page.outside, []);
    await zplOf(packer, `${slipOf(so_number)}?format=zpl&dpi=300`);
    await db.run("delete from app_settings where key like 'picking\\_ticket\\_company\\_%'");
  });

  it("is refused for a return, for paper in a label printer, in another warehouse, and without an order", async () => {
    const { so_number, so_id } = await order(1);
    const code = async (path: string, by = packer) => (await by.get(path)).code;
    assert.equal(await code(slipOf("nothing")), "so_not_found");
    const stranger = await service.user({ warehouse_ids: [await fixtures.warehouse()] });
    assert.equal(await code(slipOf(so_number), stranger), "so_not_found");
    await file(service.admin, slipOf(so_number));
    for (const size of ["A4", "Letter"])
      assert.equal(await code(`${slipOf(so_number)}?format=zpl&size=${size}`), "size_not_on_roll");
    for (const query of ["size=A5", "format=html", "copies=2"])
      assert.equal(await code(`${slipOf(so_number)}?${query}`), "validation_error");
    await db.run("update sales_orders set order_type = 'return', parent_so_id = $1 where so_id = $1", [so_id]);
    assert.equal(await code(slipOf(so_number)), "return_not_fulfillable");
  });
});
