import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { floorWorker, into, press, says } from "../support/at-scanner.js";
import { consoleBrowser, scan } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, salesOrder, shippedOrder, stock, warehouse } from "../support/fixtures.js";
import { newUpc } from "../support/gtins.js";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { PASSWORD, person } from "../support/people.js";
import { testService } from "../support/service.js";
import { comeBack, device, hasDelivery, kept, leave } from "../support/without-net.js";

/** Somebody who counts what they do: each key, text that is typed, click, choice and scan is one action. */
function hands(first: Page) {
  let page = first;
  let actions = 0;
  const one = async (act: Promise<unknown>) => {
    actions++;
    await act;
  };
  return {
    press: (key: string) => one(page.keyboard.press(key)),
    type: (text: string) => one(page.keyboard.type(text)),
    click: (what: Locator) => one(what.click()),
    choose: (field: Locator, label: string) => one(field.selectOption({ label })),
    fill: (field: Locator, text: string) => one(field.fill(text)),
    /** Into the field of this name, once it is there. */
    scan: async (name: string, code: string) => {
      await page.getByRole("textbox", { name, exact: true }).waitFor();
      await one(scan(page, code));
    },
    /** Opens another tab, after the first one was killed. */
    open: (next: Page, url: string) => {
      page = next;
      return one(page.goto(url));
    },
    actions: () => actions,
  };
}

describe("a day takes few actions", () => {
  const service = testService({ worker: true });
  let username: string;
  let warehouse_id: number;
  let mug: { item_id: number; sku: string };
  before(async () => {
    username = (await person()).username;
    warehouse_id = await warehouse();
    mug = await item({ sku: "MUG-1" });
    await stock(warehouse_id, await bin(warehouse_id, { code: "A-07" }), mug.item_id, 100);
  });
  const browser = consoleBrowser(() => service);

  const shown = (page: Page, text: string | RegExp) => page.getByRole("main").getByText(text).first().waitFor();
  const set = (so_id: number, fields: Record<string, string | null>) =>
    db.run(
      `update sales_orders set ${Object.keys(fields)
        .map((name, i) => `${name} = $${i + 2}`)
        .join(", ")} where so_id = $1`,
      [so_id, ...Object.values(fields)],
    );

  it("a lead's morning: from the sign-in to three waves that wait for pickers in at most 12", async () => {
    for (const ship_method of ["UPS Ground", "DHL", "Van"])
      for (let i = 0; i < 2; i++)
        await set((await salesOrder(warehouse_id, [{ item_id: mug.item_id, quantity: 1 }])).so_id, { ship_method });
    const page = await browser.open({ path: "/console/" });
    const { press, type, click, choose, actions } = hands(page);
    await page.locator("input[name=username]:focus").waitFor();
    await type(username);
    await press("Tab");
    await type(PASSWORD);
    await press("Enter");
    await page.getByRole("heading", { level: 1, name: "The day at a glance" }).waitFor();
    await press("Control+k");
    await type("plan waves");
    await page.getByRole("option", { name: /^Plan waves/ }).waitFor();
    await press("Enter");
    await choose(page.getByLabel("Together"), "of one ship method");
    await click(page.getByRole("button", { name: "Plan", exact: true }));
    await click(page.getByRole("button", { name: "Release" }));
    await shown(page, "3 waves wait for pickers.");
    assert.ok(actions() <= 12, `${actions()} actions`);
    const batches = await db.value<number>(
      "select count(*)::int from pick_batches where warehouse_id = $1 and status = 'OPEN' and assigned_to is null",
      [warehouse_id],
    );
    assert.equal(batches, 3);
  });

  it("a customer service hour: ten questions in at most 25", async () => {
    const customer_name = "Ada Lovelace";
    const line = [{ item_id: mug.item_id, quantity: 2 }];
    const sent = await shippedOrder(warehouse_id, line);
    await set(sent.so_id, { customer_name, ship_address: "12 Main Street", carrier: "UPS", tracking_number: "1Z9" });
    const rare = await item({ sku: "RARE-1" });
    const late = await salesOrder(warehouse_id, [{ item_id: rare.item_id, quantity: 3 }], "SO-LATE");
    await set(late.so_id, { customer_name, ship_by_date: "2026-01-05", customer_phone: "+1 555 0100" });
    const back = await service.admin.ok("POST", `/api/admin/sales-orders/${sent.so_id}/create-rma`, {
      lines: [{ item_id: mug.item_id, quantity: 1 }],
    });
    const page = await browser.open({ path: "/console/day", username });
    const { press, type, click, actions } = hands(page);
    const find = async (text: string) => {
      await press("Control+k");
      await type(text);
      await page.getByRole("dialog").getByRole("option", { name: text }).first().waitFor();
      await press("Enter");
    };
    await page.getByRole("heading", { level: 1 }).waitFor();
    // 1 to 3: has it left, where to, and where can she see how far it is?
    await find(sent.so_number);
    await shown(page, /^Shipped/);
    await shown(page, "12 Main Street");
    const parcel = page.getByRole("link", { name: "1Z9" }).first();
    assert.match((await parcel.getAttribute("href")) ?? "", /ups\.com.*1Z9$/);
    // 4 to 6: what else has she ordered, is any of it late, and what is her number?
    await click(page.getByRole("link", { name: customer_name }).first());
    await page.getByRole("link", { name: "SO-LATE" }).waitFor();
    await shown(page, "+1 555 0100");
    await shown(page, /^Late$/);
    // 7: why has it not left?
    await click(page.getByRole("link", { name: "SO-LATE" }));
    await shown(page, /^Waits for stock: .*RARE-1/);
    // 8: then she does not want it.
    await click(page.getByRole("button", { name: "Cancel order" }));
    await click(page.getByRole("dialog").getByRole("button", { name: "Cancel order" }));
    await shown(page, "Cancelled");
    // 9: has her return come?
    await find(back.so_number);
    await shown(page, /^Waits for what comes back/);
    // 10: are there mugs?
    await find("MUG-1");
    await page.getByRole("link", { name: "A-07" }).first().waitFor();
    assert.ok(actions() <= 25, `${actions()} actions`);
  });

  it("a receiver's hour, half of it without the net: nothing lost, nothing doubled, in at most 45", async function () {
    this.timeout(patient(180_000));
    await service.admin.ok("PUT", "/api/admin/settings", { settings: { allow_over_receiving: "false" } });
    const jam = await item({ sku: "JAM-1", upc: newUpc() });
    const radio = await item({ sku: "RADIO-1", upc: newUpc() });
    await service.admin.ok("PUT", `/api/admin/items/${jam.item_id}`, { lot_policy: "required" });
    await db.run("update items set serial_policy = 'at_receipt' where item_id = $1", [radio.item_id]);
    const here = await warehouse();
    const place = { dock: `DOCK-${here}`, jam: `JAM-${here}`, mug: `MUG-${here}`, radio: `RADIO-${here}` };
    await bin(here, { code: place.dock, type: "Staging" });
    for (const code of [place.jam, place.mug, place.radio]) await bin(here, { code });
    const expected = (lines: [{ item_id: number }, number][]) =>
      purchaseOrder(
        here,
        lines.map(([{ item_id }, quantity]) => ({ item_id, quantity })),
      );
    const one = await expected([
      [jam, 24],
      [mug, 10],
    ]);
    const two = await expected([
      [radio, 3],
      [mug, 20],
    ]);
    const three = await expected([[jam, 6]]);
    const gtin = ({ upc }: { upc: string | null }) => `01${`${upc}`.padStart(14, "0")}`;
    const carton = (lot: string, units: number) => `${gtin(jam)}10${lot}\u001d30${units}`;
    const serial = (number: number) => `${gtin(radio)}21R-${number}`;

    let page = await device(browser, "receive", await floorWorker(here));
    const { scan, click, fill, open, actions } = hands(page);
    const button = (name: string | RegExp) => page.getByRole("button", { name });
    const said = (text: string) => says(page, text);
    const toPage = (path: string) => `${service.url}/scan/${path}`;
    // In the net: the first carton, and a look at the other deliveries.
    await scan("Scan the purchase order", one.po_number);
    await scan("Scan an item", carton("A", 12));
    await scan("Scan the bin", place.dock);
    await click(button(/^Receive 12/));
    await said(`Received 12 × JAM-1 into ${place.dock}`);
    for (const { po_number, po_id } of [two, three]) {
      await click(button("Back"));
      await scan("Scan the purchase order", po_number);
      await hasDelivery(page, po_id);
    }
    await leave(page);
    await kept(page, 0);
    // Without it: the rest of the first delivery, while somebody else takes in five of its mugs.
    await click(button("Back"));
    await scan("Scan the purchase order", one.po_number);
    await scan("Scan an item", carton("B", 12));
    await click(button(/^Receive 12/));
    await kept(page, 1);
    await scan("Scan an item", mug.sku);
    await fill(page.getByLabel("How many?"), "6");
    await click(button(/^Receive 6/));
    await kept(page, 2);
    const colleague = await browser.open({ path: "/scan/receive", username: await floorWorker(here), size: "phone" });
    await into(colleague, "Scan the purchase order", one.po_number);
    await into(colleague, "Scan an item", mug.sku);
    await colleague.getByLabel("How many?").fill("5");
    await into(colleague, "Scan the bin", place.dock);
    await press(colleague, /^Receive 5/);
    await says(colleague, `Received 5 × ${mug.sku}`);
    // The second one, with three serial numbers, in the middle of which the tab is killed.
    await click(button("Back"));
    await scan("Scan the purchase order", two.po_number);
    await scan("Scan an item", serial(1));
    await scan("Scan serial number 2 of 3", serial(2));
    await said("R-2");
    const context = page.context();
    await page.close();
    page = await context.newPage();
    await open(page, toPage("receive"));
    await scan("Scan serial number 3 of 3", serial(3));
    await click(button(/^Receive 3/));
    await kept(page, 3);
    await click(button(new RegExp(mug.sku)));
    await click(button(/^Receive 20/));
    await kept(page, 4);
    // Both lots and the radios go to their shelves.
    await click(button("Back"));
    await click(page.getByRole("link", { name: "Menu" }));
    await click(page.getByRole("link", { name: "Put away" }));
    for (const [code, bin_code, count] of [
      [carton("A", 12), place.jam, 5],
      [carton("B", 12), place.jam, 6],
      [serial(1), place.radio, 7],
    ] as const) {
      await scan("Scan an item", code);
      await scan("Scan the bin", bin_code);
      await click(button(/^Put /));
      await kept(page, count);
    }
    await comeBack(page);
    // Back: the mugs that the colleague was faster with are told, and five of the six still fit.
    await said(`Not received: 6 × ${mug.sku} of ${one.po_number}`);
    await click(button("Receive them again"));
    await fill(page.getByLabel("How many?"), "5");
    await click(button(/^Receive 5/));
    await said(`Received 5 × ${mug.sku}`);
    await click(button("Back"));
    await scan("Scan the purchase order", three.po_number);
    await scan("Scan an item", carton("A", 6));
    await click(button(/^Receive 6/));
    await said("Received 6 × JAM-1");
    assert.ok(actions() <= 45, `${actions()} actions`);

    const receipts = await db.rows(
      `select po_id, sku, lot_number, sum(quantity_received)::int as units, count(*)::int as times
       from item_receipts join items using (item_id) where warehouse_id = $1 group by 1, 2, 3 order by 1, 2, 3`,
      [here],
    );
    assert.deepEqual(receipts, [
      { po_id: one.po_id, sku: "JAM-1", lot_number: "A", units: 12, times: 1 },
      { po_id: one.po_id, sku: "JAM-1", lot_number: "B", units: 12, times: 1 },
      { po_id: one.po_id, sku: mug.sku, lot_number: null, units: 10, times: 2 },
      { po_id: two.po_id, sku: mug.sku, lot_number: null, units: 20, times: 1 },
      { po_id: two.po_id, sku: "RADIO-1", lot_number: null, units: 3, times: 1 },
      { po_id: three.po_id, sku: "JAM-1", lot_number: "A", units: 6, times: 1 },
    ]);
    const lying = await db.rows(
      `select bin_code, sku, lot_number, quantity_on_hand as units
       from inventory join bins using (bin_id) join items using (item_id)
       where bins.warehouse_id = $1 and quantity_on_hand > 0 order by 1, 2, 3`,
      [here],
    );
    assert.deepEqual(lying, [
      { bin_code: place.dock, sku: "JAM-1", lot_number: "A", units: 6 },
      { bin_code: place.dock, sku: mug.sku, lot_number: null, units: 30 },
      { bin_code: place.jam, sku: "JAM-1", lot_number: "A", units: 12 },
      { bin_code: place.jam, sku: "JAM-1", lot_number: "B", units: 12 },
      { bin_code: place.radio, sku: "RADIO-1", lot_number: null, units: 3 },
    ]);
    const serials = await db.rows<{ serial_number: string; state: string }>(
      "select serial_number, state from serials where item_id = $1 order by 1",
      [radio.item_id],
    );
    assert.deepEqual(
      serials,
      ["R-1", "R-2", "R-3"].map((serial_number) => ({ serial_number, state: "IN_STOCK" })),
    );
    await assertInvariants();
  });

  it("an hour of customers' returns, and the damage found meanwhile: in at most 35", async function () {
    this.timeout(patient(180_000));
    const here = await warehouse();
    const place = { good: `GOOD-${here}`, corner: `CORNER-${here}`, shelf: `SHELF-${here}` };
    for (const code of [place.good, place.corner]) await bin(here, { code });
    const cup = await item({ sku: "CUP-1", upc: newUpc() });
    const lamp = await item({ sku: "LAMP-1", upc: newUpc() });
    await stock(here, await bin(here, { code: place.shelf }), cup.item_id, 10);
    const returned = async (tracking_number: string, lines: [{ item_id: number }, number][]) => {
      const units = lines.map(([{ item_id }, quantity]) => ({ item_id, quantity }));
      const order = await shippedOrder(here, units);
      await db.run("insert into item_fulfillments (so_id, warehouse_id, tracking_number) values ($1, $2, $3)", [
        ...[order.so_id, here, tracking_number],
      ]);
      const path = `/api/admin/sales-orders/${order.so_id}/create-rma`;
      return { order, ...((await service.admin.ok("POST", path, { lines: units })) as { so_number: string }) };
    };
    const one = await returned("1Z-A", [[cup, 3]]);
    await returned("1Z-B", [
      [cup, 1],
      [lamp, 1],
    ]);
    const three = await returned("1Z-C", [[lamp, 2]]);
    const four = await returned("1Z-D", [[cup, 2]]);

    const page = await browser.open({ path: "/scan/returns", username: await floorWorker(here), size: "phone" });
    const { scan, click, actions } = hands(page);
    const button = (name: string | RegExp) => page.getByRole("button", { name });
    const find = "Scan the return, its order or the label of the parcel";
    const complete = () => says(page, "all of it has come.");
    // By its own number: three as new, scanned one by one.
    await scan(find, one.so_number);
    await scan("Scan an item", cup.upc as string);
    await scan("Scan the bin", cup.upc as string);
    await scan("Scan the bin", cup.upc as string);
    await click(button(/^As new/));
    await scan("Scan the bin", place.good);
    await click(button(/^Receive 3/));
    await complete();
    // By the label of the parcel: one as new, into the bin of the last ones, and one that was opened.
    await scan(find, "1Z-B");
    await scan("Scan an item", cup.upc as string);
    await click(button(/^As new/));
    await click(button(/^Receive 1/));
    await scan("Scan an item", lamp.upc as string);
    await click(button("Opened"));
    await scan("Scan the bin", place.corner);
    await click(button(/^Receive 1/));
    await complete();
    // By its order: one broken, and one of another item that was never theirs.
    await scan(find, three.order.so_number);
    await scan("Scan an item", cup.upc as string);
    await says(page, "CUP-1 is not expected here.");
    await scan("Scan an item", lamp.upc as string);
    await click(button("Damaged"));
    await scan("Scan the bin", place.corner);
    await click(button(/^Receive 1/));
    await says(page, "not sold until a lead has decided");
    // The other one comes with the next parcel: the corner for what is damaged is known.
    await scan("Scan an item", lamp.upc as string);
    await click(button("Damaged"));
    await click(button(/^Receive 1/));
    await complete();
    // What was announced and is in no box: the rest waits.
    await scan(find, "1Z-D");
    await scan("Scan an item", cup.upc as string);
    await click(button(/^As new/));
    await click(button(/^Receive 1/));
    await says(page, `Received 1 × CUP-1 into ${place.good}`);
    // On the way back, two cups lie broken on their shelf.
    await click(button("Back"));
    await click(page.getByRole("link", { name: "Menu" }));
    await click(page.getByRole("link", { name: /^Damage/ }));
    await scan("Scan the bin", place.shelf);
    await scan("Scan an item", cup.upc as string);
    await scan("Scan one more of them", cup.upc as string);
    await click(button("Broken"));
    await says(page, `2 × CUP-1 in ${place.shelf} are out of sale.`);
    assert.ok(actions() <= 35, `${actions()} actions`);

    const stocked = (item_id: number) =>
      db.rows<{ bin_code: string; units: number; free: number }>(
        `select bin_code, sum(quantity_on_hand)::int as units, sum(quantity_on_hand - quantity_allocated)::int as free
         from inventory join bins using (bin_id) where item_id = $1 and quantity_on_hand > 0
         group by bin_code order by bin_code`,
        [item_id],
      );
    assert.deepEqual(await stocked(cup.item_id), [
      { bin_code: place.good, units: 5, free: 5 },
      { bin_code: place.shelf, units: 10, free: 8 },
    ]);
    assert.deepEqual(await stocked(lamp.item_id), [{ bin_code: place.corner, units: 3, free: 0 }]);
    const open = await service.admin.ok("GET", `/api/admin/inbox?warehouse_id=${here}&kind=inspection`);
    assert.equal(open.parts[0].total, 4);
    const { sales_order } = await service.admin.ok("GET", `/api/lookup/so/${four.so_number}`);
    assert.equal(sales_order.status, "PARTIALLY_RECEIVED");
    await assertInvariants();
  });
});
