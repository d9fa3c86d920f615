import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { floor, floorWorker, into, orderTo, press, says } from "../support/at-scanner.js";
import { consoleBrowser, scan } from "../support/console.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

describe("the scanner and what somebody did meanwhile", () => {
  const service = testService({ worker: true });
  const browser = consoleBrowser(() => service);
  afterEach(() => assertInvariants());

  const open = (task: string, username: string): Promise<Page> =>
    browser.open({ path: `/scan/${task}`, username, size: "phone" });
  const gone = (page: Page, text: string) => until(async () => (await page.getByText(text).count()) === 0);

  it("says that a scan did not count whose wave another device had taken, and that the wave has ended", async () => {
    const site = await floor();
    const { so_number } = await orderTo("pick", site, service.admin);
    const username = await floorWorker(site.here);
    const one = await open("pick", username);
    await into(one, "Scan an order", so_number);
    await press(one, /^Start/);
    await says(one, `2 × ${site.goods.sku}`);
    await says(one, "This is device");
    const two = await open("pick", username);
    await press(two, "Pick it on this device");
    await says(two, "This is device");

    await into(one, "Scan the item", site.goods.sku);
    await says(one, "The wave is no longer on this device");
    await says(one, `${username} picks this wave, on device`);
    await one.getByRole("alert").filter({ hasText: site.goods.sku }).waitFor();
    await browser.check(one, "scan-meanwhile-held");

    await into(two, "Scan the item", site.goods.sku);
    await press(two, "Finish the wave");
    await says(two, "2 pcs picked");
    await press(one, "Pick it on this device");
    await says(one, "This wave was ended elsewhere.");
    await one.getByRole("textbox", { name: "Scan an order" }).waitFor();
    await gone(one, "The wave is no longer on this device");
  });

  it("says that a parcel was closed by somebody else, also after a scan of one unit too many", async () => {
    const site = await floor();
    const { so_number } = await orderTo("pack", site, service.admin);
    const username = await floorWorker(site.here);
    const [one, two] = [await open("pack", username), await open("pack", await floorWorker(site.here))];
    for (const page of [one, two]) await into(page, "Scan an order or a tote", so_number);
    for (const packed of ["1 of 2", "2 of 2"]) {
      await into(one, "Scan an item", site.goods.sku);
      await says(one, packed);
    }
    await scan(one, site.goods.sku);
    await one.getByRole("alert").filter({ hasText: site.goods.sku }).waitFor();
    await scan(two, site.goods.sku);
    await press(two, "Close the parcel");
    await says(two, `${so_number} is packed`);
    await press(one, "Close the parcel");
    await says(one, "This order is not to be packed:");
  });

  it("forgets why a scan was refused once the next one is kept without the net", async () => {
    const site = await floor();
    const { so_number } = await orderTo("pick", site, service.admin);
    const page = await open("pick", await floorWorker(site.here));
    await into(page, "Scan an order", so_number);
    await press(page, /^Start/);
    await says(page, "This is device");
    await into(page, "Scan the item", site.more.sku);
    await says(page, "This is the wrong item.");
    await page.context().setOffline(true);
    await says(page, "scans are kept (0)");
    await scan(page, site.goods.sku);
    await says(page, "scans are kept (1)");
    assert.equal(await page.getByRole("alert").count(), 0);
    await page.context().setOffline(false);
    await says(page, "The net is back. Scans sent: 1");
    await press(page, "Finish the wave");
    await says(page, "2 pcs picked");
  });
});
