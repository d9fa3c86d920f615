import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { type Floor, floor, floorWorker, into, orderTo, press, says } from "../support/at-scanner.js";
import { truckToLoad } from "../support/collections.js";
import { consoleBrowser, scan } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, shippedOrder, stock } from "../support/fixtures.js";
import { newBox } from "../support/parcels.js";
import { replenishmentTask } from "../support/replenishments.js";
import { testService } from "../support/service.js";
import { hasDelivery } from "../support/without-net.js";

const SOURCES = fileURLToPath(new URL("../../../console/scan/", import.meta.url));

describe("every page of the scanner, in every state", () => {
  const service = testService({ worker: true });
  before(async () => {
    await service.admin.ok("PUT", "/api/admin/settings", { settings: { allow_over_receiving: "true" } });
  });
  const browser = consoleBrowser(() => service);

  let codes = 98_760_000;
  /** The sources of the states that were walked. */
  const walked = new Set<string>();

  /**
   * A scan, digits alone, aimed at each number of the page, at the last of its buttons and at nothing: it is answered,
   * no number has it, and no button was pressed.
   */
  async function probe(page: Page, source: string): Promise<void> {
    walked.add(source);
    const numbers = page.locator("input[type=number]");
    const heading = await page.getByRole("heading", { level: 1 }).textContent();
    const values = await numbers.evaluateAll((all: { value: string }[]) => all.map(({ value }) => value));
    const last = page.getByRole("button").last();
    for (const target of [...(await numbers.all()), last, undefined]) {
      if (target) await target.focus();
      else await page.evaluate("document.activeElement.blur()");
      const code = String(++codes);
      await scan(page, code);
      await says(page, code);
      const kept = await numbers.evaluateAll((all: { value: string }[]) => all.map(({ value }) => value));
      assert.deepEqual(kept, values, `${source}: a number has changed`);
      assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), heading, source);
    }
  }
  async function start(task: string, site: Floor): Promise<Page> {
    const username = await floorWorker(site.here);
    return browser.open({ path: `/scan/${task}`, username, size: "phone" });
  }
  const back = (page: Page) => page.getByRole("button", { name: "Back" }).click();

  it("takes scans: the menu and the choice of a warehouse", async () => {
    const site = await floor();
    const page = await start("", site);
    await page.getByRole("link", { name: "Receive" }).waitFor();
    await probe(page, "menu.tsx");
    await page.goto(`${service.url}/scan/warehouse`);
    await page.getByRole("heading", { name: "Where are you?" }).waitFor();
    await probe(page, "components/warehouse.tsx");
    await page.goto(`${service.url}/scan/badge-pin`);
    await page.getByRole("heading", { name: "PIN of your badge" }).waitFor();
    await probe(page, "badge-pin.tsx");
  });

  it("takes scans: the sign-out with something unsent", async () => {
    const site = await floor();
    // The first page of a browser: those behind it ask through the service worker, where no request can be lost here.
    const page = await start("receive", site);
    await page.route("**/api/receiving/receive", (route) => route.abort());
    await into(page, "Scan the purchase order", site.bought.po_number);
    await press(page, new RegExp(site.goods.sku));
    await into(page, "Scan the bin", site.code.dock);
    await press(page, /^Receive 10/);
    await says(page, "Sending");
    await page.goto(`${service.url}/scan/`);
    await says(page, "Not yet sent: Receive");
    await press(page, /^Sign out/);
    await says(page, "Some of it is not yet sent.");
    await probe(page, "menu.tsx");
  });

  it("takes scans: receiving", async () => {
    const site = await floor();
    const page = await start("receive", site);
    await page.getByRole("textbox").waitFor();
    await probe(page, "pages/receiving/receive/receive.tsx");
    await into(page, "Scan the purchase order", site.bought.po_number);
    await page.getByRole("textbox", { name: "Scan an item" }).waitFor();
    await probe(page, "pages/receiving/receive/receive.tsx");
    await press(page, new RegExp(site.goods.sku));
    await page.getByRole("textbox", { name: "Scan the bin" }).waitFor();
    await probe(page, "pages/receiving/receive/book.tsx");
    await scan(page, site.code.dock);
    await page.getByRole("button", { name: /^Receive 10/ }).waitFor();
    await probe(page, "pages/receiving/receive/book.tsx");
    await page.getByRole("button", { name: "One more" }).click();
    await press(page, /^Receive 11/);
    await says(page, "11 is more than the 10 that are still to come, of 10 ordered.");
    await browser.check(page, "scan-receive-more");
    await probe(page, "pages/receiving/receive/book.tsx");
    // The right bin is taken instead of the wrong one, whatever was asked.
    await scan(page, site.code.shelf);
    await press(page, /^Receive 11/);
    await press(page, "all the same");
    await says(page, `Received 11 × ${site.goods.sku} into ${site.code.shelf}`);
    await page.goto(`${service.url}/scan/receive`);
    await service.admin.ok("POST", `/api/admin/purchase-orders/${site.bought.po_id}/close`);
    await page.reload();
    await says(page, "CLOSED");
    await probe(page, "pages/receiving/receive/receive.tsx");
  });

  it("takes scans: putting away", async () => {
    const site = await floor();
    const page = await start("putaway", site);
    await page.getByRole("textbox").waitFor();
    await probe(page, "pages/receiving/putaway/putaway.tsx");
    await scan(page, site.goods.sku);
    await page.getByRole("textbox", { name: "Scan the bin" }).waitFor();
    await probe(page, "pages/receiving/putaway/putaway.tsx");
    await scan(page, site.code.other);
    await page.getByRole("button", { name: `into ${site.code.other}` }).waitFor();
    await probe(page, "pages/receiving/putaway/putaway.tsx");
    await scan(page, site.code.shelf);
    await page.getByRole("button", { name: `into ${site.code.shelf}` }).click();
    await says(page, `5 × ${site.goods.sku} put into ${site.code.shelf}`);
    await says(page, "Nothing waits to be put away.");
    await probe(page, "pages/receiving/putaway/putaway.tsx");
    const dock = await db.value<number>("select bin_id from bins where bin_code = $1", [site.code.dock]);
    for (const lot of ["A", "B"]) await stock(site.here, Number(dock), site.goods.item_id, 1, lot);
    await page.reload();
    await page.getByRole("textbox", { name: "Scan an item" }).waitFor();
    await scan(page, site.goods.sku);
    await says(page, "Which lot?");
    await probe(page, "pages/receiving/putaway/putaway.tsx");
  });

  it("takes scans: filling up pick faces", async () => {
    const site = await floor();
    const task = await replenishmentTask({ warehouse_id: site.here, by: service.admin });
    const page = await start("replenish", site);
    await page.getByRole("textbox").waitFor();
    await probe(page, "pages/picking/replenish/replenish.tsx");
    await press(page, "Take the first");
    const codes = { "the reserve bin": task.from_bin_code, "an item": task.sku, "the pick face": task.to_bin_code };
    for (const [name, code] of Object.entries(codes)) {
      await page.getByRole("textbox", { name: `Scan ${name}` }).waitFor();
      await probe(page, "pages/picking/replenish/carry.tsx");
      await scan(page, code);
    }
    await page.getByRole("button", { name: /^Put 10/ }).waitFor();
    await probe(page, "pages/picking/replenish/carry.tsx");
    await back(page);
    await press(page, "No more there");
    await probe(page, "pages/picking/replenish/carry.tsx");
  });

  it("takes scans: picking", async () => {
    const site = await floor();
    const [one, two] = [await orderTo("pick", site, service.admin), await orderTo("pick", site, service.admin)];
    const page = await start("pick", site);
    await page.getByRole("textbox").waitFor();
    await probe(page, "pages/picking/collect.tsx");
    await scan(page, one.so_number);
    await says(page, "2 pcs");
    await probe(page, "pages/picking/collect.tsx");
    await press(page, /^Start/);
    await page.getByRole("textbox", { name: "Scan the item" }).waitFor();
    await probe(page, "pages/picking/walk.tsx");
    await press(page, "Not enough here");
    await says(page, "How many are there?");
    await probe(page, "pages/picking/short-pick.tsx");
    await back(page);
    await press(page, "Cancel the wave");
    await says(page, "What was picked goes back");
    await probe(page, "pages/picking/walk.tsx");
    await press(page, "Go on picking");
    await into(page, "Scan the item", site.goods.sku);
    await says(page, "Everything is picked.");
    await probe(page, "pages/picking/walk.tsx");
    await press(page, "Finish the wave");
    await says(page, "2 pcs picked");
    await probe(page, "pages/picking/pick.tsx");
    await press(page, "Next wave");
    await into(page, "Scan an order", two.so_number);
    await says(page, "2 pcs");
  });

  it("takes scans: where the rest of a short pick is, or that there is none", async () => {
    const site = await floor();
    const spare = await bin(site.here, { code: `SPARE-${site.here}`, pick_sequence: 9 });
    await stock(site.here, spare, site.goods.item_id, 1);
    const { so_number } = await orderTo("pick", site, service.admin);
    const page = await start("pick", site);
    await into(page, "Scan an order", so_number);
    await says(page, "2 pcs");
    await press(page, /^Start/);
    for (const said of ["The rest is in", "Everything is picked."]) {
      await press(page, "Not enough here");
      await says(page, "How many are there?");
      await press(page, "Nowhere to be seen");
      await says(page, new RegExp(said));
      await probe(page, "pages/picking/walk.tsx");
    }
  });

  it("takes scans: receiving and putting away without the net", async () => {
    const site = await floor();
    // Both pages are there before the net is not.
    const page = await start("putaway", site);
    await page.getByRole("textbox").waitFor();
    await page.getByRole("link", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Receive" }).click();
    await into(page, "Scan the purchase order", site.bought.po_number);
    await hasDelivery(page, site.bought.po_id);
    await page.context().setOffline(true);
    await says(page, "scans are kept (0)");
    await probe(page, "pages/receiving/receive/receive.tsx");
    await press(page, new RegExp(site.goods.sku));
    await into(page, "Scan the bin", site.code.dock);
    await probe(page, "pages/receiving/receive/book.tsx");
    await scan(page, site.code.dock);
    await press(page, /^Receive 10/);
    await says(page, "scans are kept (1)");
    await press(page, "Back");
    await says(page, "On this device");
    await probe(page, "pages/receiving/receive/receive.tsx");
    await page.getByRole("link", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Put away" }).click();
    await says(page, `15 · ${site.code.dock}`);
    await probe(page, "pages/receiving/putaway/putaway.tsx");
    await page.context().setOffline(false);
    await says(page, "The net is back. Scans sent: 1");
    await probe(page, "pages/receiving/putaway/putaway.tsx");
  });

  it("takes scans: without the net, and where the wave is on another device", async () => {
    const site = await floor();
    const { so_number } = await orderTo("pick", site, service.admin);
    const page = await start("pick", site);
    await into(page, "Scan an order", so_number);
    await press(page, /^Start/);
    await page.getByRole("textbox", { name: "Scan the item" }).waitFor();
    await page.context().setOffline(true);
    await says(page, "scans are kept (0)");
    await probe(page, "pages/picking/walk.tsx");
    await scan(page, site.goods.sku);
    await says(page, "scans are kept (1)");
    await db.run(
      `update pick_leases set device = 'OTHER', lease_id = gen_random_uuid()
       from pick_batches p where p.batch_id = pick_leases.batch_id and warehouse_id = $1`,
      [site.here],
    );
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "It is put back" }).waitFor();
    await probe(page, "pages/picking/on-device.tsx");
    await press(page, "It is put back");
    await says(page, "on device OTHER");
    await probe(page, "pages/picking/on-device.tsx");
  });

  it("takes scans: where several items have the code", async () => {
    const site = await floor();
    const code = `BOTH-${site.here}`;
    const both = [await item({ aliases: [code] }), await item({ aliases: [code] })];
    const page = await start("look-up", site);
    await into(page, "Scan an item or a bin, or type a part of its name", code);
    await says(page, both[1]?.sku as string);
    await probe(page, "pages/reports/look-up.tsx");
    await page.goto(`${service.url}/scan/count`);
    await into(page, "Scan the bin to count", site.code.shelf);
    await page.getByRole("textbox", { name: /^Scan an item/ }).waitFor();
    await scan(page, code);
    await says(page, both[1]?.sku as string);
    await probe(page, "pages/counting/sheet.tsx");
  });

  it("takes scans: packing", async () => {
    const site = await floor();
    const { so_number } = await orderTo("pack", site, service.admin);
    const page = await start("pack", site);
    await page.getByRole("textbox").waitFor();
    await probe(page, "pages/shipping/pack/pack.tsx");
    await scan(page, so_number);
    await page.getByRole("textbox", { name: "Scan an item" }).waitFor();
    await probe(page, "pages/shipping/pack/parcel.tsx");
    await scan(page, site.goods.sku);
    await says(page, "1 of 2");
    await scan(page, site.goods.sku);
    await page.getByRole("button", { name: "Close the parcel" }).waitFor();
    await probe(page, "pages/shipping/pack/parcel.tsx");
    await press(page, "Close the parcel");
    await says(page, `${so_number} is packed`);
    await probe(page, "pages/shipping/pack/pack.tsx");
  });

  it("takes scans: packing into parcels", async () => {
    const site = await floor();
    const { so_number } = await orderTo("pack", site, service.admin);
    const { box_code } = await newBox(service.admin);
    const page = await start("pack", site);
    await into(page, "Scan an order or a tote", so_number);
    await press(page, "Pack into parcels");
    await page.getByRole("textbox", { name: "Scan a box" }).waitFor();
    await probe(page, "pages/shipping/pack/in-parcels.tsx");
    await scan(page, box_code);
    await page.getByRole("textbox", { name: "Scan an item" }).waitFor();
    await probe(page, "pages/shipping/pack/open-parcel.tsx");
    await page.getByRole("button", { name: "One more" }).click();
    await scan(page, site.goods.sku);
    await page.getByLabel("Weight on the scale (lb)").fill("2");
    await probe(page, "pages/shipping/pack/open-parcel.tsx");
    await press(page, "Close the parcel");
    await page.getByRole("button", { name: "Complete the order" }).waitFor();
    await probe(page, "pages/shipping/pack/in-parcels.tsx");
  });

  it("takes scans: shipping", async () => {
    const site = await floor();
    const { so_number } = await orderTo("ship", site, service.admin);
    const page = await start("ship", site);
    await page.getByRole("textbox").waitFor();
    await probe(page, "pages/shipping/ship/ship.tsx");
    await scan(page, so_number);
    await page.getByRole("textbox", { name: "Scan the tracking number" }).waitFor();
    await page.getByLabel("Carrier").fill("UPS");
    await probe(page, "pages/shipping/ship/ship.tsx");
    await probe(page, "pages/shipping/ship/ship.tsx");
    // As long as a carrier's can be, and no wider than the page.
    await scan(page, "9205590164917312751089".repeat(2));
    await says(page, "9205590164917312751089".repeat(2));
    await browser.check(page, "scan-ship-tracking");
    await press(page, "Ship with UPS");
    await says(page, `${so_number} left with UPS`);
    await browser.check(page, "scan-ship-left");
    await probe(page, "pages/shipping/ship/ship.tsx");
  });

  it("takes scans: loading a truck", async () => {
    const site = await floor();
    const { parcels } = await truckToLoad(site.here);
    const page = await start("load", site);
    await page.getByRole("button", { name: /^UPS/ }).waitFor();
    await probe(page, "pages/shipping/load/load.tsx");
    await press(page, /^UPS/);
    await page.getByRole("textbox", { name: "Scan a parcel" }).waitFor();
    await probe(page, "pages/shipping/load/load.tsx");
    await scan(page, parcels[0]?.code as string);
    await says(page, "1 of 2");
    await probe(page, "pages/shipping/load/load.tsx");
  });

  it("takes scans: an order that somebody else has shipped meanwhile", async () => {
    const site = await floor();
    const { so_id, so_number } = await orderTo("ship", site, service.admin);
    const page = await start("ship", site);
    await page.getByRole("textbox").waitFor();
    await scan(page, so_number);
    await page.getByRole("textbox", { name: "Scan the tracking number" }).waitFor();
    await service.admin.ok("POST", "/api/shipping/fulfill", { so_id, tracking_number: "1Z", carrier: "UPS" });
    await page.reload();
    await says(page, "This order is not to be shipped: SHIPPED.");
    await probe(page, "components/parts.tsx");
  });

  it("takes scans: counting", async () => {
    const site = await floor();
    const page = await start("count", site);
    await page.getByRole("textbox").waitFor();
    await probe(page, "pages/counting/count.tsx");
    await scan(page, site.code.shelf);
    await page.getByRole("textbox", { name: /^Scan an item/ }).waitFor();
    await probe(page, "pages/counting/sheet.tsx");
    await scan(page, site.goods.sku);
    await page.getByRole("button", { name: "Done counting" }).waitFor();
    await probe(page, "pages/counting/sheet.tsx");
    await scan(page, site.more.sku);
    await says(page, "not expected");
    await probe(page, "pages/counting/sheet.tsx");
  });

  it("takes scans: moving", async () => {
    const site = await floor();
    const page = await start("move", site);
    await page.getByRole("textbox").waitFor();
    await probe(page, "pages/stock/move.tsx");
    await scan(page, site.code.empty);
    await says(page, `${site.code.empty} is empty.`);
    await probe(page, "pages/stock/choose-stock.tsx");
    await back(page);
    await into(page, "Scan the bin to take from", site.code.shelf);
    await page.getByRole("textbox", { name: "Scan an item" }).waitFor();
    await probe(page, "pages/stock/choose-stock.tsx");
    await scan(page, site.goods.sku);
    await page.getByRole("textbox", { name: "Scan the bin to put into" }).waitFor();
    await probe(page, "pages/stock/move.tsx");
    await scan(page, site.code.other);
    await page.getByRole("button", { name: /^Move 1/ }).waitFor();
    await probe(page, "pages/stock/move.tsx");
  });

  it("takes scans: returns", async () => {
    const site = await floor();
    const { so_id, so_number } = await shippedOrder(site.here, [{ item_id: site.goods.item_id, quantity: 3 }]);
    const announce = (quantity: number) =>
      service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/create-rma`, {
        lines: [{ item_id: site.goods.item_id, quantity }],
      });
    const one = await announce(1);
    await announce(2);
    const page = await start("returns", site);
    await page.getByRole("textbox").waitFor();
    await probe(page, "pages/receiving/returns/returns.tsx");
    await scan(page, so_number);
    await says(page, "Which return?");
    await probe(page, "pages/receiving/returns/returns.tsx");
    await scan(page, one.so_number);
    await page.getByRole("textbox", { name: "Scan an item" }).waitFor();
    await probe(page, "pages/receiving/returns/returns.tsx");
    await scan(page, site.goods.sku);
    await says(page, "In which condition?");
    await probe(page, "pages/receiving/returns/book.tsx");
    await press(page, "As new");
    await scan(page, site.code.shelf);
    await page.getByRole("button", { name: /^Receive 1/ }).waitFor();
    await probe(page, "pages/receiving/returns/book.tsx");
    await press(page, /^Receive 1/);
    await says(page, "all of it has come.");
    await probe(page, "pages/receiving/returns/returns.tsx");
  });

  it("takes scans: damage", async () => {
    const site = await floor();
    const page = await start("damage", site);
    await page.getByRole("textbox").waitFor();
    await probe(page, "pages/stock/damage/damage.tsx");
    await scan(page, site.code.shelf);
    await into(page, "Scan an item", site.goods.sku);
    await says(page, "What happened?");
    await probe(page, "pages/stock/damage/damage.tsx");
    await press(page, "Broken");
    await says(page, "are out of sale.");
    await probe(page, "pages/stock/damage/damage.tsx");
  });

  it("takes scans: looking up", async () => {
    const site = await floor();
    const page = await start("look-up", site);
    await page.getByRole("textbox").waitFor();
    await probe(page, "pages/reports/look-up.tsx");
    await scan(page, site.goods.sku);
    await says(page, "Where it is");
    await probe(page, "pages/reports/show.tsx");
    await scan(page, site.code.shelf);
    await says(page, "In it");
    await probe(page, "pages/reports/show.tsx");
  });

  it("is walked here: a page with a state of its own has one above", () => {
    const states = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".tsx"))
      .filter((name) => readFileSync(SOURCES + name, "utf8").includes("<Screen "));
    assert.deepEqual([...walked].sort(), states.sort());
  });
});
