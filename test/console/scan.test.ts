import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { consoleBrowser, scan, tabTo, type Visit } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, warehouse } from "../support/fixtures.js";
import { PASSWORD, person } from "../support/people.js";
import { testService } from "../support/service.js";

describe("the scanner", () => {
  const service = testService();
  let here: number;
  let there: number;
  let username: string;
  let mug: Awaited<ReturnType<typeof item>>;
  before(async () => {
    here = await warehouse();
    there = await warehouse();
    await service.admin.ok("POST", "/api/admin/warehouses", {
      ...{ warehouse_code: "VIRTUAL", warehouse_name: "At the vendors" },
    });
    mug = await item({ sku: "MUG-1", upc: "400000000015" });
    await bin(here, { code: "DOCK-1", type: "Staging" });
    const allowed_functions = ["receive"] as const;
    const who = await person({ role: "USER", warehouse_ids: [here, there], allowed_functions: [...allowed_functions] });
    username = who.username;
  });
  const browser = consoleBrowser(() => service);

  const order = () => purchaseOrder(here, [{ item_id: mug.item_id, quantity: 10 }]);
  const received = async (po_id: number) => {
    const { quantity } = (await db.row<{ quantity: number }>(
      "select coalesce(sum(quantity_received), 0)::int as quantity from item_receipts where po_id = $1",
      [po_id],
    )) as { quantity: number };
    return quantity;
  };
  /** Opens a task in the warehouse `here`. */
  async function start(path: string, visit: Partial<Visit> = {}): Promise<Page> {
    const page = await browser.open({ path, username, size: "phone", ...visit });
    const { code } = (await service.admin.ok("GET", "/api/warehouses/list")).warehouses.find(
      ({ id }: { id: number }) => id === here,
    );
    await page.getByRole("button", { name: code }).click();
    return page;
  }
  const field = (page: Page, name: string) => page.getByRole("textbox", { name }).waitFor();

  it("shows beside a task how much of it waits, and only the task while the service does not say", async () => {
    await order();
    const page = await start("/scan/");
    const tile = page.getByRole("link", { name: "Receive" });
    await tile.getByText("1 waiting").waitFor();
    await page.route("**/api/work?*", (route) => route.abort());
    await page.reload();
    await tile.waitFor();
    assert.equal(await page.getByText("waiting").count(), 0);
    await db.run("update purchase_orders set status = 'CLOSED' where warehouse_id = $1", [here]);
  });

  it("signs in, asks where one is, and shows the tasks of the person", async () => {
    await browser.look("scan-login", { path: "/scan/" }, (page) => page.getByRole("heading").waitFor());
    const page = await browser.open({ path: "/scan/", size: "phone" });
    await tabTo(page, "Username");
    await page.keyboard.type(username);
    await tabTo(page, "Password");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Where are you?" }).waitFor();
    await page.getByRole("main").getByRole("button").nth(1).waitFor();
    // Those of the person alone: the third that there is, VIRTUAL, is not among them.
    const places = await page.getByRole("main").getByRole("button").allInnerTexts();
    assert.equal(places.length, 2);
    assert.ok(!places.some((place) => place.startsWith("VIRTUAL")));
    await browser.check(page, "scan-warehouse");
    await page.getByRole("main").getByRole("button").first().click();
    await page.getByRole("link", { name: "Receive" }).waitFor();
    await browser.check(page, "scan-menu");
  });

  it("receives by scans alone: order, item, bin, one touch", async () => {
    const { po_id, po_number } = await order();
    const page = await start("/scan/receive");
    await field(page, "Scan the purchase order");
    await scan(page, po_number);
    await field(page, "Scan an item");
    await browser.check(page, "scan-receive-item");
    await scan(page, "]C10100400000000015" + "10LOT-7\u001d3004");
    await field(page, "Scan the bin");
    assert.equal(await page.getByLabel("How many?", { exact: true }).last().inputValue(), "4");
    await scan(page, "DOCK-1");
    await page.getByRole("button", { name: "Receive 4 × MUG-1" }).waitFor();
    await browser.check(page, "scan-receive-book");
    await page.getByRole("button", { name: "Receive 4 × MUG-1" }).click();
    await page.getByText("Received 4 × MUG-1 into DOCK-1").waitFor();
    assert.equal(await received(po_id), 4);
    const lot = await db.row("select lot_number from item_receipts where po_id = $1", [po_id]);
    assert.deepEqual(lot, { lot_number: "LOT-7" });
  });

  it("says what is wrong with a scan, and takes the next one", async () => {
    const { po_number } = await order();
    const page = await start("/scan/receive");
    await field(page, "Scan the purchase order");
    await scan(page, "no such order");
    await page.getByText("There is no such purchase order.").waitFor();
    await browser.check(page, "scan-refused");
    await page.getByRole("button", { name: "Scan with the camera" }).click();
    await page.getByText("The camera cannot be used.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("textbox").focus();
    await scan(page, po_number);
    await field(page, "Scan an item");
  });

  it("finds what fingers typed in small letters", async () => {
    const { po_number } = await order();
    const page = await start("/scan/receive");
    await field(page, "Scan the purchase order");
    await page.keyboard.type(po_number.toLowerCase(), { delay: 60 });
    await page.keyboard.press("Enter");
    await field(page, "Scan an item");
    await page.keyboard.type("mug-1", { delay: 60 });
    await page.keyboard.press("Enter");
    await field(page, "Scan the bin");
    await page.keyboard.type("nowhere", { delay: 60 });
    await page.keyboard.press("Enter");
    await page.getByText("There is no such bin.").waitFor();
    await page.keyboard.type("dock-1", { delay: 60 });
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Receive 1 × MUG-1" }).waitFor();
  });

  it("comes back to the same step after a reload", async () => {
    const { po_number } = await order();
    const page = await start("/scan/receive");
    await field(page, "Scan the purchase order");
    await scan(page, po_number);
    await field(page, "Scan an item");
    await scan(page, "MUG-1");
    await field(page, "Scan the bin");
    await page.reload();
    await field(page, "Scan the bin");
  });

  it("books once over a network that loses the answer, also when the page is reloaded meanwhile", async () => {
    const { po_id, po_number } = await order();
    const page = await start("/scan/receive");
    await field(page, "Scan the purchase order");
    await scan(page, po_number);
    await field(page, "Scan an item");
    await scan(page, "MUG-1");
    await field(page, "Scan the bin");
    await scan(page, "DOCK-1");
    let lost = 0;
    await page.route("**/api/receiving/receive", async (route) => {
      if (lost++ > 1) return route.continue();
      // It arrives, and its answer does not.
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Receive 1 × MUG-1" }).click();
    await page.waitForRequest("**/api/receiving/receive");
    await page.reload();
    await field(page, "Scan an item");
    assert.equal(await received(po_id), 1);
    assert.ok(lost >= 2);
  });

  it("opens without a network once it was there, and goes on when there is one", async () => {
    const page = await start("/scan/", { serviceWorkers: "allow" });
    await page.evaluate("navigator.serviceWorker.ready");
    await page.reload();
    await page.getByRole("link", { name: "Receive" }).waitFor();
    await page.context().setOffline(true);
    await page.goto(`${service.url}/scan/receive`);
    await page.getByRole("heading", { name: "Receive" }).waitFor();
    await page.context().setOffline(false);
    await field(page, "Scan the purchase order");
  });

  it("loads at most 150 KB at first", () => {
    const folder = new URL("../../console/", import.meta.url);
    const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", folder), "utf8"));
    const files = new Set<string>(["scan.html"]);
    const add = (name: string) => {
      const { file, css = [], imports = [] } = manifest[name];
      for (const one of [file, ...css]) files.add(one);
      for (const one of imports) add(one);
    };
    add("scan.html");
    const sizeOf = (name: string) => gzipSync(readFileSync(fileURLToPath(new URL(name, folder)))).length;
    const total = [...files].reduce((sum, name) => sum + sizeOf(name), 0);
    assert.ok(total <= 150 * 1024, `${Math.ceil(total / 1024)} KB: ${[...files].join(", ")}`);
  });
});
