import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { floor, floorWorker, into, orderTo, press, says, sumOf, type } from "../support/at-scanner.js";
import { consoleBrowser, scan } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, salesOrder, stock } from "../support/fixtures.js";
import { newUpc } from "../support/gtins.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

const GS = "\u001d";

describe("scans", () => {
  const service = testService({ worker: true });
  const browser = consoleBrowser(() => service);

  /** Holds all requests to this path until it is called. */
  async function hold(page: Page, path: string): Promise<() => void> {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(path, async (route) => {
      await released;
      await route.continue();
    });
    return release;
  }
  const start = async (task: string, here: number) =>
    browser.open({ path: `/scan/${task}`, username: await floorWorker(here), size: "phone" });

  it("that come faster than they are answered wait, are shown, and are answered one by one", async () => {
    const site = await floor();
    const { so_number, so_id } = await orderTo("pack", site, service.admin);
    const page = await start("pack", site.here);
    await into(page, "Scan an order or a tote", so_number);
    await page.getByRole("textbox", { name: "Scan an item" }).waitFor();
    const release = await hold(page, "**/api/packing/verify");
    for (const code of [site.goods.sku, "other", site.goods.sku]) await scan(page, code);
    await says(page, `Scans that wait: other, ${site.goods.sku}`);
    await browser.check(page, "scan-waiting");
    release();
    await page.getByRole("button", { name: "Close the parcel" }).waitFor();
    assert.equal(await page.getByText("Scans that wait").count(), 0);
    assert.equal(await sumOf("select quantity_packed from sales_order_lines where so_id = $1", so_id), 2);
  });

  it("go to the step that they are for, also while the page is on its way there", async () => {
    const site = await floor();
    const page = await start("receive", site.here);
    await page.getByRole("textbox").waitFor();
    const release = await hold(page, "**/api/receiving/po/**");
    for (const code of [site.bought.po_number, site.goods.sku, site.code.dock]) await scan(page, code);
    await says(page, `Scans that wait: ${site.goods.sku}, ${site.code.dock}`);
    release();
    await page.getByRole("button", { name: `Receive 1 × ${site.goods.sku}` }).waitFor();
    await says(page, `Bin: ${site.code.dock}`);
  });

  it("come before what is pressed after them: nothing is booked as it was before the scan", async () => {
    const site = await floor();
    const page = await start("receive", site.here);
    await into(page, "Scan the purchase order", site.bought.po_number);
    await into(page, "Scan an item", site.goods.sku);
    await into(page, "Scan the bin", site.code.dock);
    const book = page.getByRole("button", { name: `Receive 1 × ${site.goods.sku}` });
    await book.waitFor();
    const release = await hold(page, "**/api/lookup/bin/**");
    await scan(page, site.code.shelf);
    await book.click({ force: true });
    release();
    await says(page, `Bin: ${site.code.shelf}`);
    await book.click();
    await says(page, `Received 1 × ${site.goods.sku} into ${site.code.shelf}`);
    const received = "select sum(quantity_received) from purchase_order_lines where po_id = $1";
    assert.equal(await sumOf(received, site.bought.po_id), 1);
  });

  it("can be forgotten while they wait, and are on another page", async () => {
    const site = await floor();
    const page = await start("receive", site.here);
    await page.getByRole("textbox").waitFor();
    await hold(page, "**/api/receiving/po/**");
    await scan(page, site.bought.po_number);
    await scan(page, "forgotten");
    await press(page, "Forget them");
    await says(page, "Scan the purchase order");
    assert.equal(await page.getByText("forgotten").count(), 0);
    await scan(page, "left behind");
    await says(page, "left behind");
    await page.getByRole("link", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Receive" }).waitFor();
    assert.equal(await page.getByText("left behind").count(), 0);
  });

  it("that are looked up and not answered say so, wherever they are for", async () => {
    const site = await floor();
    const page = await start("look-up", site.here);
    const label = "Scan an item or a bin, or type a part of its name";
    await page.getByRole("textbox", { name: label }).waitFor();
    const release = await hold(page, "**/api/lookup/item/**");
    await scan(page, site.goods.sku);
    const late = page.getByRole("complementary").filter({ hasText: "No answer yet." });
    await late.filter({ hasText: site.goods.sku }).waitFor();
    await browser.check(page, "scan-late");
    release();
    await says(page, "Where it is");
    assert.equal(await late.count(), 0);
  });

  it("that are not answered hold nothing up on another page", async () => {
    const site = await floor();
    const page = await start("look-up", site.here);
    await page.getByRole("textbox").waitFor();
    const release = await hold(page, "**/api/lookup/item/**");
    await scan(page, "unanswered");
    await page.getByRole("link", { name: "Menu" }).click();
    await press(page, "Move");
    await into(page, "Scan the bin to take from", site.code.shelf);
    await page.getByRole("textbox", { name: "Scan an item" }).waitFor();
    await scan(page, site.goods.sku);
    await page.getByRole("complementary").filter({ hasText: "No answer yet." }).waitFor();
    release();
    await page.getByRole("textbox", { name: "Scan the bin to put into" }).waitFor();
  });

  it("of whole labels are sent as they are, and what else they say is kept", async () => {
    const site = await floor();
    const upc = newUpc();
    const goods = await item({ upc });
    const { po_number, po_id } = await purchaseOrder(site.here, [{ item_id: goods.item_id, quantity: 50 }]);
    // Net weight, a variant and a number of the maker beside lot and day.
    const label = `01${upc.padStart(14, "0")}3103000500172712312402X-9${GS}10LOT-7${GS}93INTERN`;
    const page = await start("receive", site.here);
    const sent: unknown[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/api/receiving/receive")) sent.push(request.postDataJSON());
    });
    await into(page, "Scan the purchase order", po_number);
    await into(page, "Scan an item", `]C1${label}`);
    await says(page, "Lot: LOT-7");
    await says(page, "best before Dec 31, 2027");
    await into(page, "Scan the bin", site.code.dock);
    await press(page, /^Receive 1 /);
    await says(page, /^Received 1 /);
    const rows = await db.rows(
      `select r.lot_number, i.expiry_date::text as expiry_date
       from item_receipts r join inventory i using (item_id, bin_id) where po_id = $1`,
      [po_id],
    );
    assert.deepEqual(rows, [{ lot_number: "LOT-7", expiry_date: "2027-12-31" }]);
    const [{ items }] = sent as [{ items: { scanned_barcode: string }[] }];
    assert.equal(items[0]?.scanned_barcode, `]C1${label}`);

    await page.goto(`${service.url}/scan/putaway`);
    await into(page, "Scan an item", label);
    await into(page, "Scan the bin", site.code.shelf);
    const put = page.waitForRequest("**/api/putaway/confirm");
    await press(page, /^Put 1/);
    const body = (await put).postDataJSON();
    assert.deepEqual([body.scanned_barcode, body.lot_number], [label, "LOT-7"]);
    await says(page, /put into/);

    await page.goto(`${service.url}/scan/move`);
    await into(page, "Scan the bin to take from", site.code.shelf);
    await into(page, "Scan an item", `01${upc.padStart(14, "0")}10LOT-8`);
    await says(page, "Lot LOT-8 is not here.");
    await scan(page, label);
    await into(page, "Scan the bin to put into", site.code.other);
    const moved = page.waitForRequest("**/api/transfers/move");
    await press(page, /^Move 1/);
    assert.equal((await moved).postDataJSON().scanned_barcode, label);
    await says(page, /moved to/);
  });

  it("that several items fit ask which one is meant", async () => {
    const site = await floor();
    const [one, two] = [await item({ aliases: ["BOTH"] }), await item({ aliases: ["BOTH"] })];
    const lines = [one, two].map(({ item_id }) => ({ item_id, quantity: 5 }));
    const { po_number } = await purchaseOrder(site.here, lines);
    const page = await start("receive", site.here);
    await into(page, "Scan the purchase order", po_number);
    await into(page, "Scan an item", "BOTH");
    await says(page, "Several items have this barcode.");
    await page
      .getByRole("button", { name: new RegExp(two.sku) })
      .first()
      .click();
    await into(page, "Scan the bin", site.code.dock);
    await press(page, `Receive 1 × ${two.sku}`);
    await says(page, `Received 1 × ${two.sku}`);
  });

  it("of a wrong bin are called a wrong bin, and what was scanned is named", async () => {
    const site = await floor();
    const { so_number } = await orderTo("pick", site, service.admin);
    const page = await start("pick", site.here);
    await into(page, "Scan an order", so_number);
    await says(page, "2 pcs");
    await press(page, /^Start/);
    await into(page, "Scan the item", site.code.other);
    await says(page, "This is another bin.");
    await says(page, site.code.other);
    await scan(page, site.more.sku);
    await says(page, "This is the wrong item.");
    await says(page, site.more.sku);

    // And once is enough.
    const { sku } = await item();
    await page.goto(`${service.url}/scan/receive`);
    await into(page, "Scan the purchase order", site.bought.po_number);
    await into(page, "Scan an item", sku);
    assert.equal(await page.getByRole("alert").textContent(), `${sku} is not expected here.`);
  });

  it("of the item in hand, where a bin is wanted, are one more of it", async () => {
    const site = await floor();
    const page = await start("receive", site.here);
    await into(page, "Scan the purchase order", site.bought.po_number);
    await into(page, "Scan an item", site.more.sku);
    await into(page, "Scan the bin", site.more.sku);
    await scan(page, site.code.dock);
    await page.getByRole("button", { name: `Receive 2 × ${site.more.sku}` }).waitFor();
    await scan(page, site.more.sku);
    await press(page, `Receive 3 × ${site.more.sku}`);
    await says(page, `Received 3 × ${site.more.sku}`);

    // No more than there are.
    await page.goto(`${service.url}/scan/move`);
    await into(page, "Scan the bin to take from", site.code.dock);
    await into(page, "Scan an item", site.more.sku);
    await page.getByRole("textbox", { name: "Scan the bin to put into" }).waitFor();
    for (let more = 0; more < 3; more++) await scan(page, site.more.sku);
    await scan(page, site.code.other);
    await press(page, `Move 3 × ${site.more.sku}`);
    await says(page, `3 × ${site.more.sku} moved to`);
  });

  it("of an order again, where the number of its parcel is wanted, are refused", async () => {
    const site = await floor();
    const { so_number } = await orderTo("ship", site, service.admin);
    const page = await start("ship", site.here);
    await into(page, "Scan an order", so_number);
    await into(page, "Scan the tracking number", so_number);
    await says(page, "is this order. Scan the number on the parcel.");
    await scan(page, "1Z5");
    await says(page, "Scan another tracking number instead");
    assert.equal(await page.getByText("is this order").count(), 0);
    // Its neighbours, whether they are packed or not.
    for (const as of ["ship", "pick"] as const) {
      const other = await orderTo(as, site, service.admin);
      await scan(page, other.so_number);
      await says(page, `${other.so_number} is another order. Scan the number on the parcel.`);
      await says(page, "1Z5");
    }
    await scan(page, "1Z6");
    await says(page, "1Z6");
    await page.getByText("is another order").waitFor({ state: "detached" });
    // What cannot be asked for is taken as it is.
    await page.context().setOffline(true);
    await scan(page, "1Z7");
    await says(page, "1Z7");
    await page.context().setOffline(false);
  });

  it("of one item twice do not confirm the next task, which nobody saw", async () => {
    const site = await floor();
    const goods = await item();
    await stock(site.here, await bin(site.here, { pick_sequence: 1 }), goods.item_id, 3);
    await stock(site.here, await bin(site.here, { pick_sequence: 2 }), goods.item_id, 2);
    await stock(site.here, await bin(site.here, { pick_sequence: 3 }), goods.item_id, 1);
    const { so_number, so_id } = await salesOrder(site.here, [{ item_id: goods.item_id, quantity: 6 }]);
    const page = await start("pick", site.here);
    await into(page, "Scan an order", so_number);
    await says(page, "6 pcs");
    await press(page, /^Start/);
    await page.getByRole("textbox", { name: "Scan the item" }).waitFor();
    const release = await hold(page, "**/api/picking/confirm");
    await scan(page, goods.sku);
    await scan(page, goods.sku);
    await says(page, "Scans that wait");
    release();
    await says(page, "Pick 2 of 3");
    await says(page, "was scanned before this task was shown.");
    assert.equal(await sumOf("select quantity_picked from sales_order_lines where so_id = $1", so_id), 3);
    // It is said of that task alone.
    await press(page, "Not enough here");
    await press(page, "Nowhere to be seen");
    await says(page, "Pick 3 of 3");
    assert.equal(await page.getByText("was scanned before").count(), 0);
    await scan(page, goods.sku);
    await says(page, "Everything is picked.");
  });

  it("that fingers type are found whatever their capitals, on every page", async () => {
    const site = await floor();
    const [pick, pack, ship] = [
      await orderTo("pick", site, service.admin),
      await orderTo("pack", site, service.admin),
      await orderTo("ship", site, service.admin),
    ];
    const page = await start("pick", site.here);
    const small = (text: string) => text.toLowerCase();
    const goTo = (task: string) => page.goto(`${service.url}/scan/${task}`);
    await type(page, "Scan an order", small(pick.so_number));
    await says(page, "2 pcs");
    await press(page, /^Start/);
    await type(page, "Scan the item", small(site.code.shelf));
    await says(page, "The right bin");
    await type(page, "Scan the item", small(site.goods.sku));
    await says(page, "Everything is picked.");
    await press(page, "Finish the wave");
    await goTo("pack");
    await type(page, "Scan an order or a tote", small(pack.so_number));
    await type(page, "Scan an item", small(site.goods.sku));
    await says(page, "1 of 2");
    await goTo("ship");
    await type(page, "Scan an order", small(ship.so_number));
    await page.getByRole("textbox", { name: "Scan the tracking number" }).waitFor();
    await goTo("count");
    await type(page, "Scan the bin to count", small(site.code.shelf));
    await type(page, "Scan an item: each scan is one more", small(site.goods.sku));
    await until(async () => (await page.getByLabel(`How many of ${site.goods.sku}`).inputValue()) === "1");
    await goTo("move");
    await type(page, "Scan the bin to take from", small(site.code.shelf));
    await type(page, "Scan an item", small(site.goods.sku));
    await type(page, "Scan the bin to put into", small(site.code.other));
    await press(page, /^Move 1/);
    await says(page, /moved to/);
    await goTo("receive");
    await type(page, "Scan the purchase order", small(site.bought.po_number));
    await type(page, "Scan an item", small(site.goods.sku));
    await type(page, "Scan the bin", small(site.code.dock));
    await press(page, /^Receive 1 /);
    await says(page, /^Received 1 /);
    await goTo("look-up");
    await type(page, "Scan an item or a bin, or type a part of its name", small(site.code.shelf));
    await says(page, "In it");
  });
});
