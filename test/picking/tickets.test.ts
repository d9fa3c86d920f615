import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { desk } from "../support/desk.js";
import * as fixtures from "../support/fixtures.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { scannedPdf } from "../support/printed/fetch.js";
import { auditMark, auditSince } from "../support/records.js";

const ORDERS = "/api/admin/sales-orders";

describe("a picking ticket", () => {
  const { at, order } = desk();

  it("shows the order, where its items live, and the company's own words", async () => {
    const { here, elsewhere, clerk, service } = at();
    const [first, second] = [await fixtures.bin(here), await fixtures.bin(here, { code: "HOME-2" })];
    const mug = await fixtures.item();
    const jug = await fixtures.item();
    const cup = await fixtures.item({ upc: null });
    await db.run("update items set default_bin_id = $2 where item_id = $1", [jug.item_id, second]);
    await db.run(
      "insert into preferred_bins (item_id, bin_id, priority) values ($1, $2, 3), ($1, $3, 2), ($1, $4, 1)",
      [mug.item_id, first, second, await fixtures.bin(elsewhere)],
    );
    const { so_id, so_number } = await fixtures.salesOrder(here, [
      { item_id: mug.item_id, quantity: 2 },
      { item_id: jug.item_id, quantity: 1 },
      { item_id: cup.item_id, quantity: 1 },
    ]);
    await service.admin.ok("PATCH", `${ORDERS}/${so_id}/address`, { shipping_address_city: "London" });
    await service.admin.ok("PUT", "/api/admin/settings", {
      settings: { picking_ticket_company_name: "Mugs & Co", picking_ticket_returns_text: "Send it back." },
    });
    const { sales_order, lines, branding } = await clerk.ok("GET", `${ORDERS}/${so_id}/picking-ticket`);
    const { created_at, order_date, ...header } = sales_order;
    assert.ok(created_at && order_date);
    assert.deepEqual(header, {
      ...{ so_id, so_number, customer_name: "Customer", status: "OPEN" },
      ...{ warehouse_id: here, ship_method: null, ship_address: null },
      ...{ ship_by_date: null, shipping_address_city: "London" },
      ...Object.fromEntries(
        ["name", "line1", "line2", "state", "postal_code", "country"].map((part) => [`shipping_address_${part}`, null]),
      ),
    });
    assert.deepEqual(
      lines.map(({ so_line_id, ...line }: Record<string, unknown>) => line),
      [[mug, 2, "HOME-2"] as const, [jug, 1, "HOME-2"] as const, [cup, 1, null] as const].map(
        ([{ sku, upc }, quantity_ordered, preferred_bin_code], i) => ({
          ...{ line_number: i + 1, sku, item_name: `Item ${sku}`, upc },
          ...{ quantity_ordered, quantity_shipped: 0, properties: [], preferred_bin_code },
        }),
      ),
    );
    assert.deepEqual(branding, {
      ...{ company_name: "Mugs & Co", company_address: "", logo_url: "" },
      returns_text: "Send it back.",
    });
  });

  it("has its barcode, and its lines in the order of the walk", async () => {
    const { here, clerk } = at();
    const items: { item_id: number; sku: string; quantity: number }[] = [];
    for (const pick_sequence of [30, null, 10, 20]) {
      const { item_id, sku } = await fixtures.item();
      if (pick_sequence !== null) {
        const bin_id = await fixtures.bin(here);
        await db.run("update bins set pick_sequence = $2 where bin_id = $1", [bin_id, pick_sequence]);
        await db.run("update items set default_bin_id = $2 where item_id = $1", [item_id, bin_id]);
      }
      items.push({ item_id, sku, quantity: 1 });
    }
    const lines = items.map(({ item_id, quantity }) => ({ item_id, quantity }));
    const { so_id, so_number } = await fixtures.salesOrder(here, lines);
    const ticket = await clerk.ok("GET", `${ORDERS}/${so_id}/picking-ticket`);
    assert.deepEqual(
      pluck(ticket.lines, "sku"),
      [2, 3, 0, 1].map((place) => items[place]?.sku),
    );
    assert.equal(ticket.barcode.code, so_number);
    assert.match(ticket.barcode.svg, /^<svg .*<\/svg>$/);
    await db.run("update sales_orders set so_barcode = 'BC-9' where so_id = $1", [so_id]);
    assert.equal((await clerk.ok("GET", `${ORDERS}/${so_id}/picking-ticket`)).barcode.code, "BC-9");
  });

  it("is of an order that there is, in a warehouse of the user", async () => {
    const { clerk, elsewhere } = at();
    const { path } = await order({ warehouse_id: elsewhere });
    assert.equal((await clerk.get(`${path}/picking-ticket`)).status, 403);
    assert.equal((await clerk.get(`${ORDERS}/999999/picking-ticket`)).status, 404);
  });

  it("is marked as printed once, for orders of the user's warehouses", async () => {
    const { clerk, here, elsewhere, service } = at();
    const [one, two] = [await order(), await order()];
    const away = await order({ warehouse_id: elsewhere });
    const mark = (ids: number[], caller = clerk) => caller.ok("POST", `${ORDERS}/mark-printed`, { so_ids: ids });
    const since = await auditMark();
    const { marked } = await mark([one.so_id]);
    assert.deepEqual(pluck(marked, "so_id"), [one.so_id]);
    const all = [two.so_id, one.so_id, away.so_id, 999999, two.so_id];
    const more = await mark(all);
    assert.deepEqual(pluck(more.marked, "so_id"), [two.so_id]);
    assert.deepEqual((await mark(all)).marked, []);
    assert.deepEqual((await mark([])).marked, []);
    assert.deepEqual(
      pluckAll(await auditSince(since), "action_type", "entity_id", "warehouse_id"),
      [one, two].map(({ so_id }) => ["UPDATE", so_id, here]),
    );
    const { sales_orders } = await clerk.ok("GET", `${ORDERS}?q=${one.so_number}`);
    assert.equal(sales_orders[0].printed_at, marked[0].printed_at);
    const hidden = await clerk.ok("GET", `${ORDERS}?hide_printed=true&q=${one.so_number}`);
    assert.equal(hidden.total, 0);
    const [far] = (await mark([away.so_id], service.admin)).marked;
    assert.equal(far.so_id, away.so_id);
  });

  it("is marked once by whoever comes first", async () => {
    const { clerk } = at();
    const ids = [(await order()).so_id, (await order()).so_id];
    const answers = await Promise.all(
      [ids, ids.toReversed(), ids].map((so_ids) => clerk.ok("POST", `${ORDERS}/mark-printed`, { so_ids })),
    );
    assert.deepEqual(answers.map(({ marked }) => marked.length).sort(), [0, 0, 2]);
  });

  it("is drawn as a file, with those of other orders, one after the other as they are named", async () => {
    const { here, elsewhere, clerk, service } = at();
    const bin_id = await fixtures.bin(here, { code: "DRAWN-1" });
    const { item_id, sku } = await fixtures.item();
    await db.run("insert into preferred_bins (item_id, bin_id, priority) values ($1, $2, 1)", [item_id, bin_id]);
    const [one, other] = [
      await fixtures.salesOrder(here, [{ item_id, quantity: 7 }]),
      await fixtures.salesOrder(here, [{ item_id, quantity: 1 }]),
    ];
    await db.run("update sales_orders set ship_by_date = '2026-03-04', ship_method = 'Courier' where so_id = $1", [
      one.so_id,
    ]);
    const far = await fixtures.salesOrder(elsewhere, [{ item_id, quantity: 1 }]);
    const file = (...ids: (number | string)[]) => `/api/admin/picking-tickets?so_ids=${ids.join(",")}`;
    const pages = await scannedPdf(clerk, file(other.so_id, one.so_id));
    assert.deepEqual(
      pages.map(({ barcodes }) => barcodes.map(({ text }) => text)),
      [[other.so_number], [one.so_number]],
    );
    const text = pages[1]?.texts.join(" ").replace(/\s+/g, " ") ?? "";
    for (const part of ["Picking ticket", one.so_number, "2026-03-04", "Courier", `DRAWN-1 7 ${sku}`, "Page 1 of 1"])
      assert.ok(text.includes(part), `${part} in ${text}`);
    const refused = async (path: string) => {
      const { status, code } = await clerk.get(path);
      return [status, code];
    };
    assert.deepEqual(await refused(file(one.so_id, 2_000_000_000)), [404, "so_not_found"]);
    assert.deepEqual(await refused(file(far.so_id)), [403, "warehouse_denied"]);
    assert.deepEqual(await refused(`${file(one.so_id)}&format=zpl&size=A4`), [400, "size_not_on_roll"]);
    assert.equal((await refused(file("x")))[0], 400);
    await db.run("update sales_orders set order_type = 'return' where so_id = $1", [other.so_id]);
    assert.deepEqual(await refused(file(other.so_id)), [400, "return_not_fulfillable"]);
    assert.equal((await (await service.user({ warehouse_ids: [here] })).get(file(one.so_id))).status, 403);
  });
});
