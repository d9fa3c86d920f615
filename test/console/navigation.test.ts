import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { consoleBrowser, tabTo } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";

describe("finding one's way at the desk", () => {
  const service = testService();
  let admin: string;
  let mug: Awaited<ReturnType<typeof item>>;
  let order: Awaited<ReturnType<typeof salesOrder>>;
  before(async () => {
    admin = (await person()).username;
    const warehouse_id = await warehouse();
    mug = await item({ sku: "MUG-1" });
    await stock(warehouse_id, await bin(warehouse_id), mug.item_id, 12);
    order = await salesOrder(warehouse_id, [{ item_id: mug.item_id, quantity: 3 }], "SO-1001");
  });
  const browser = consoleBrowser(() => service);

  const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();
  const menu = (page: Page) => page.getByRole("navigation", { name: "Areas" });
  const group = (page: Page, name: string) => menu(page).getByRole("button", { name });
  const palette = (page: Page) => page.getByRole("dialog", { name: "Search everywhere" });

  it("folds the menu by keyboard, keeps what was unfolded, and unfolds the group of the page", async () => {
    const page = await browser.open({ path: "/console/items", username: admin });
    await heading(page, "Items");
    assert.equal(await group(page, "Stock").getAttribute("aria-expanded"), "true");
    assert.equal(await group(page, "Integrations").getAttribute("aria-expanded"), "false");
    assert.equal(await menu(page).getByRole("link", { name: "Webhooks", exact: true }).count(), 0);
    await tabTo(page, "Integrations");
    await page.keyboard.press("Enter");
    await menu(page).getByRole("link", { name: "Webhooks", exact: true }).waitFor();
    await browser.check(page, "menu");
    await page.goto(`${service.url}/console/orders`);
    await menu(page).getByRole("link", { name: "Webhooks", exact: true }).waitFor();
    await menu(page).getByRole("group", { name: "Sales" }).getByRole("link", { name: "Sales orders" }).waitFor();
    await group(page, "Sales").click();
    await menu(page).getByRole("link", { name: "Shipments" }).waitFor({ state: "detached" });
  });

  it("shows few pages without folding them", async () => {
    const { username } = await person({ role: "USER", page_keys: ["items", "bins"], warehouse_ids: [] });
    const page = await browser.open({ path: "/console/items", username });
    await menu(page).getByRole("link", { name: "Bins" }).waitFor();
    assert.equal(await menu(page).getByRole("button").count(), 0);
  });

  it("says above a record where it is, with the way back to its list", async () => {
    const page = await browser.open({ path: `/console/orders/${order.so_id}`, username: admin });
    const trail = page.getByRole("navigation", { name: "Where this is" });
    await heading(page, "SO-1001");
    assert.match((await trail.textContent()) ?? "", /^Sales.*Sales orders$/);
    await trail.getByRole("link", { name: "Sales orders" }).click();
    await heading(page, "Sales orders");
    assert.equal(await trail.count(), 0);
  });

  it("finds pages in either language, by what they are called, and what can be begun", async () => {
    const page = await browser.open({ path: "/console/items", username: admin });
    await heading(page, "Items");
    for (const [typed, option, title] of [
      ["seriennummern", "Serial numbers Stock", "Serial numbers"],
      ["new purch", "New purchase order Purchasing", "New purchase order"],
    ] as const) {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(typed);
      await palette(page).getByRole("option", { name: option }).waitFor();
      await page.keyboard.press("Enter");
      await heading(page, title);
    }
    await page.keyboard.press("Control+k");
    await page.keyboard.type("neuer artikel");
    await palette(page).getByRole("option", { name: "New item Stock" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "New item" }).getByLabel("SKU").fill("CUP-2");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.match(page.url(), /\/console\/items$/);

    const { username } = await person({ role: "USER", page_keys: ["items"], warehouse_ids: [] });
    const his = await browser.open({ path: "/console/items", username });
    await heading(his, "Items");
    await his.keyboard.press("/");
    await his.keyboard.type("order");
    await palette(his).getByText("Nothing found").waitFor();
  });

  it("names the records that one looked at last", async () => {
    const page = await browser.open({ path: `/console/items/${mug.item_id}`, username: admin });
    await heading(page, /MUG-1/);
    await page.goto(`${service.url}/console/orders/${order.so_id}`);
    await heading(page, "SO-1001");
    await page.getByRole("button", { name: "Search everywhere" }).click();
    const recent = palette(page).getByRole("group", { name: "Last seen" }).getByRole("option");
    await recent.first().waitFor();
    const [first, second] = await recent.allInnerTexts();
    assert.match(first ?? "", /^SO-1001/);
    assert.match(second ?? "", /^MUG-1/);
    await browser.check(page, "palette");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await heading(page, /MUG-1/);
    await page.keyboard.press("/");
    await palette(page).waitFor();
    await page.keyboard.press("Escape");
    await palette(page).waitFor({ state: "detached" });
  });

  it("has a page of a customer, from the search and from an order", async () => {
    await db.run(
      `update sales_orders set customer_name = 'Ann O/Neil', customer_email = 'ann@example.com',
         ship_by_date = current_date - 3 where so_id = $1`,
      [order.so_id],
    );
    const path = `/console/customers/${encodeURIComponent("Ann O/Neil")}`;
    await browser.look("customer", { path, username: admin }, (page) =>
      page.getByRole("link", { name: "SO-1001" }).waitFor(),
    );
    const page = await browser.open({ path: `/console/orders/${order.so_id}`, username: admin });
    await page.getByRole("link", { name: "Ann O/Neil" }).click();
    await heading(page, "Ann O/Neil");
    await page.getByText("ann@example.com").waitFor();
    const open = page.getByRole("table", { name: "Open" });
    await open.getByText("Late", { exact: true }).waitFor();
    await page.goto(`${service.url}/console/items`);
    await heading(page, "Items");
    await page.keyboard.press("/");
    await page.keyboard.type("o/neil");
    await palette(page).getByRole("group", { name: "Last seen" }).getByRole("option").click();
    await heading(page, "Ann O/Neil");
    await open.getByRole("link", { name: "SO-1001" }).click();
    await heading(page, "SO-1001");
  });

  it("leads from a name or an e-mail address to the customer, from a number to the order", async () => {
    await db.run(
      `update sales_orders set customer_name = 'Bo Ek', customer_email = 'bo@example.com', carrier = 'UPS',
         tracking_number = '1Z77' where so_id = $1`,
      [order.so_id],
    );
    const page = await browser.open({ path: "/console/zones", username: admin });
    await heading(page, "Zones");
    const find = async (text: string) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type(text);
      await palette(page)
        .getByRole("option", { name: /^SO-1001/ })
        .waitFor();
      await page.keyboard.press("Enter");
    };
    await page.keyboard.press("Control+k");
    await page.keyboard.type("nothing is called like this");
    await palette(page).getByText("Nothing found").waitFor();
    // Open already, it begins anew.
    await find("bo@example.com");
    await heading(page, "Bo Ek");
    const parcel = page.getByRole("link", { name: "1Z77" });
    assert.match((await parcel.getAttribute("href")) ?? "", /ups\.com.*1Z77$/);
    await page.goto(`${service.url}/console/zones`);
    await heading(page, "Zones");
    await find("SO-1001");
    await heading(page, "SO-1001");
  });

  it("has the palette on a phone", async () => {
    await browser.look("palette-open", { path: "/console/items", username: admin }, async (page, { language }) => {
      await page.getByRole("button", { name: language === "de" ? "Überall suchen" : "Search everywhere" }).click();
      await page.keyboard.type("MUG");
      await page.getByRole("option", { name: /MUG-1/ }).first().waitFor();
    });
    const page = await browser.open({ path: "/console/items", username: admin, size: "phone" });
    await page.getByRole("button", { name: "Search everywhere" }).click();
    await page.keyboard.type("SO-1001");
    await palette(page).getByRole("option", { name: "SO-1001" }).click();
    await heading(page, "SO-1001");
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await group(page, "Stock").click();
    await browser.check(page, "menu-phone");
    await menu(page).getByRole("link", { name: "Items" }).click();
    await heading(page, "Items");
  });
});
