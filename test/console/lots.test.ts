import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { confirmDialog, consoleBrowser, tabTo } from "../support/console.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

describe("the console's pages of lots", () => {
  const service = testService({ worker: true });
  let admin: string;
  let warehouse_id: number;
  let shelf: number;
  before(async () => {
    admin = (await person()).username;
    warehouse_id = await warehouse();
    shelf = await bin(warehouse_id, { code: "A-01" });
  });
  afterEach(() => assertInvariants());
  const browser = consoleBrowser(() => service);

  /** Twelve units of a lot that expires in so many days. */
  async function goods(lot: string, days = 5) {
    const { item_id, sku } = await item();
    const inventory_id = await stock(warehouse_id, shelf, item_id, 12, lot);
    const { lots } = await service.admin.ok("GET", `/api/admin/lots?item_id=${item_id}`);
    const { lot_id } = lots[0];
    const expiry_date = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    await service.admin.ok("PUT", `/api/admin/lots/${lot_id}`, { expiry_date });
    return { item_id, sku, lot, lot_id: lot_id as number, inventory_id };
  }
  const lotOf = (lot_id: number) => service.admin.ok("GET", `/api/admin/lots/${lot_id}`);
  const open = (path: string, username = admin) => browser.open({ path: `/console/${path}`, username });
  const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).waitFor();
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first().click();
  const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
  async function reason(page: Page, text: string) {
    await page.getByRole("dialog").getByLabel("Reason").fill(text);
    await confirmDialog(page);
  }

  it("show lots, a lot with its life, and what expires", async () => {
    const { lot_id, sku } = await goods("LOT-1");
    const link = (name: string) => (page: Page) => page.getByRole("link", { name }).first().waitFor();
    await browser.look("lots", { path: "/console/lots", username: admin }, link("LOT-1"));
    await browser.look("lot", { path: `/console/lots/${lot_id}`, username: admin }, link("A-01"));
    await browser.look("expiring", { path: "/console/expiring", username: admin }, link("LOT-1"));
    const page = await open("expiring?expires_within=1");
    await page.getByText("Nothing found").waitFor();
    await page.getByLabel("Last day").selectOption("7");
    await row(page, sku).getByRole("link", { name: "LOT-1" }).click();
    await heading(page, `Lot LOT-1 · ${sku}`);
  });

  it("are found by the field at the top", async () => {
    const { lot_id, sku } = await goods("TOP-1");
    const page = await open("lots");
    await heading(page, "Lots");
    await page.keyboard.press("/");
    await page.keyboard.type("top-");
    await page.getByRole("option", { name: `TOP-1 ${sku}` }).click();
    await page.waitForURL(new RegExp(`lots/${lot_id}$`));
  });

  it("say that an order waits for units with more days left, and why it lost others", async () => {
    const { item_id, sku } = await goods("OLD-1", 10);
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 2 }]);
    const page = await open(`orders/${so_id}`);
    const ask = async (days: string) => {
      await press(page, "Edit");
      await page.getByRole("dialog").getByLabel("Fewest days left").fill(days);
      await confirmDialog(page);
    };
    await ask("5");
    await page.getByRole("status").filter({ hasText: "Ready to be picked" }).waitFor();
    await ask("30");
    await page.getByText(`Waits for stock with at least 30 days left: 2 of ${sku} missing`).waitFor();
    await page.getByText("2 reserved units were released").waitFor();
    await page.getByText("Reason: Fewer days left than it asks for").waitFor();
    await browser.check(page, "order-waits-for-fresh");
  });

  it("find lots by item, condition and last day", async () => {
    const soon = await goods("FIND-1", 5);
    const later = await goods("FIND-2", 20);
    await service.admin.ok("POST", `/api/admin/lots/${later.lot_id}/hold`, { condition: "HOLD", reason: "look" });
    const page = await open("lots?q=FIND");
    await page.getByRole("status").filter({ hasText: "2 found" }).waitFor();
    await page.getByRole("button", { name: "Add filter" }).click();
    await page.getByLabel("Condition", { exact: true }).selectOption("HOLD");
    await page.getByRole("status").filter({ hasText: "1 found" }).waitFor();
    await page.getByRole("link", { name: "FIND-2" }).waitFor();
    await page.getByLabel("Condition", { exact: true }).selectOption("");
    await page.getByRole("status").filter({ hasText: "2 found" }).waitFor();
    await page.getByLabel("Last day", { exact: true }).selectOption("7");
    await page.getByRole("link", { name: "FIND-2" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "FIND-1" }).waitFor();
    await page.getByLabel("Lot or item").fill(soon.sku);
    await page.getByRole("status").filter({ hasText: "1 found" }).waitFor();
  });

  it("hold and release a lot with a reason, and correct it, by keyboard alone", async () => {
    const { lot_id } = await goods("LOT-2");
    const page = await open(`lots/${lot_id}`);
    await tabTo(page, /^Hold$/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await tabTo(page, /^Reason/);
    await page.keyboard.type("complaint 17");
    await page.keyboard.press("Enter");
    await page.getByText("complaint 17").waitFor();
    assert.deepEqual((await lotOf(lot_id)).condition, "HOLD");
    await press(page, "Release");
    await reason(page, "it was fine");
    await page.getByText("complaint 17").waitFor({ state: "detached" });
    assert.equal((await lotOf(lot_id)).condition, "AVAILABLE");

    await press(page, "Edit");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Last day").fill("2099-01-31");
    await dialog.getByLabel("Supplier's lot").fill("S-118");
    await confirmDialog(page);
    await page.getByText("S-118").waitFor();
    const { expiry_date, places } = await lotOf(lot_id);
    assert.deepEqual([expiry_date, places[0].expiry_date], ["2099-01-31", "2099-01-31"]);
    await dialog.waitFor({ state: "detached" });
    await press(page, "Edit");
    await dialog.getByLabel("Produced on").fill("2099-02-01");
    await dialog.locator("[type=submit]").click();
    await dialog.getByRole("alert").waitFor();
  });

  it("let only an administrator hold, correct and recall lots", async () => {
    const { lot_id } = await goods("LOT-3");
    const fields = { role: "USER" as const, warehouse_ids: [warehouse_id], page_keys: ["inventory" as const] };
    const page = await open(`lots/${lot_id}`, (await person(fields)).username);
    await heading(page, /^Lot LOT-3/);
    for (const name of ["Hold", "Edit", "Recall"])
      assert.equal(await page.getByRole("button", { name, exact: true }).count(), 0, name);
    assert.equal(await page.getByRole("link", { name: "Recalls" }).count(), 0);
    await page.getByRole("link", { name: "Inspections" }).first().waitFor();
  });

  it("hold a part of a stock row, show it, and release it", async () => {
    const { item_id, sku } = await goods("LOT-4");
    const held = async () =>
      (await service.admin.ok("GET", `/api/admin/inventory?item_id=${item_id}`)).inventory[0].quantity_held;
    const page = await open(`stock?q=${sku}`);
    await row(page, sku).getByRole("button", { name: "Hold" }).click();
    await page.getByRole("dialog").getByLabel("Quantity").fill("5");
    await reason(page, "cartons are wet");
    await row(page, sku).getByText("5 held").waitFor();
    assert.equal(await held(), 5);
    await browser.look("holds", { path: "/console/holds", username: admin }, (page) =>
      page.getByText("cartons are wet").waitFor(),
    );
    await page.goto(`${service.url}/console/holds?q=${sku}`);
    await row(page, sku).getByRole("button", { name: "Release" }).click();
    await page.getByRole("dialog").getByLabel("Quantity").fill("2");
    await reason(page, "dry again");
    await until(async () => (await held()) === 3);
  });

  it("decide inspections of units in quarantine", async () => {
    const { sku, inventory_id } = await goods("LOT-5");
    await service.admin.ok("POST", `/api/admin/inventory/${inventory_id}/hold`, {
      ...{ quantity: 4, condition: "QUARANTINE", reason: "seal is broken" },
    });
    await browser.look("inspections", { path: "/console/inspections", username: admin }, (page) =>
      page.getByText("seal is broken").waitFor(),
    );
    const page = await open(`inspections?q=${sku}`);
    await row(page, sku).getByRole("link").first().click();
    await heading(page, /^Inspection \d+/);
    await press(page, "Decide");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Decision").selectOption("damage");
    await dialog.getByLabel("Quantity").fill("1");
    await reason(page, "one is crushed");
    await page.getByRole("cell", { name: "one is crushed" }).waitFor();
    await browser.check(page, "inspection");
    await press(page, "Decide");
    await reason(page, "the others are whole");
    await page.getByText("Closed").first().waitFor();
    const { inventory } = await service.admin.ok("GET", `/api/admin/inventory?q=${sku}`);
    assert.equal(inventory[0].quantity_held, 1);
  });

  it("recall a lot, and say of each unit what became of it", async () => {
    const { item_id, sku, lot_id } = await goods("LOT-6");
    const { so_id, so_number } = await salesOrder(warehouse_id, [{ item_id, quantity: 2 }]);
    const { batch_id, first_pick } = await service.admin.ok("POST", "/api/picking/wave-create", {
      ...{ so_ids: [so_id], warehouse_id },
    });
    await service.admin.ok("POST", "/api/picking/confirm", {
      ...{ pick_task_id: first_pick.pick_task_id, scanned_barcode: sku, quantity_picked: 2 },
    });
    await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id });
    await service.admin.ok("POST", "/api/packing/verify", { so_id, scanned_barcode: sku, quantity: 2 });
    await service.admin.ok("POST", "/api/packing/complete", { so_id });
    await service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/admin-ship`, {});

    const page = await open(`lots/${lot_id}`);
    await row(page, so_number).first().waitFor();
    await press(page, "Recall");
    await reason(page, "glass in the jar");
    await page.waitForURL(/recalls\/\d+$/);
    await page.getByText("0 of 12 units are accounted for").waitFor();
    await browser.check(page, "recall-open");

    await row(page, so_number).getByRole("button", { name: "Was told" }).click();
    await page.getByRole("dialog").getByLabel("How the customer was told").fill("by telephone");
    await confirmDialog(page);
    await page.getByText("2 of 12 units are accounted for").waitFor();
    await row(page, "A-01").getByRole("button", { name: "Destroyed" }).click();
    await page.getByRole("dialog").getByLabel("Quantity").fill("7");
    await reason(page, "burnt");
    await page.getByText("9 of 12 units are accounted for").waitFor();

    await press(page, "Close the recall");
    await page.getByRole("dialog").getByLabel("Reason").fill("the rest is lost");
    await page.getByRole("dialog").locator("[type=submit]").click();
    await page.getByText("Not all units are accounted for.").waitFor();
    await page.getByLabel("Close it although units are open").check();
    await confirmDialog(page);
    await page.getByText("the rest is lost").waitFor();
    await browser.look("recalls", { path: "/console/recalls", username: admin }, (page) =>
      page.getByText("glass in the jar").waitFor(),
    );
  });

  it("tell the life of a unit by its serial number", async () => {
    const { item_id, sku } = await item();
    await service.admin.ok("PUT", `/api/admin/items/${item_id}`, { serial_policy: "at_receipt" });
    const { purchase_order } = await service.admin.ok("POST", "/api/admin/purchase-orders", {
      ...{ po_number: "PO-SN", warehouse_id, lines: [{ item_id, quantity_ordered: 1 }] },
    });
    await service.admin.ok("POST", "/api/receiving/receive", {
      po_id: purchase_order.po_id,
      items: [{ item_id, quantity: 1, bin_id: shelf, serial_numbers: ["SN-0001"] }],
    });
    const visit = { path: "/console/serials/SN-0001", username: admin };
    await browser.look("serial", visit, (page) => page.getByRole("heading", { name: `${sku} · SN-0001` }).waitFor());
    const order = await open(`purchase-orders/${purchase_order.po_id}`);
    await order.getByRole("link", { name: "SN-0001" }).waitFor();
    const list = { path: "/console/serials", username: admin };
    await browser.look("serials", list, (page) => page.getByRole("link", { name: "SN-0001" }).first().waitFor());
    const page = await open(`items/${item_id}`);
    await page.getByRole("link", { name: "1 pc" }).click();
    await row(page, "SN-0001").getByText("In stock", { exact: true }).waitFor();
    const field = page.getByRole("searchbox", { name: "Serial number" });
    await field.fill("SN-0002");
    await page.getByText("Nothing found").waitFor();
    await field.fill("sn-00");
    await page.getByRole("link", { name: "SN-0001" }).click();
    await page.getByText("PO-SN").waitFor();
    const elsewhere = await open("holds");
    await heading(elsewhere, "Holds");
    await elsewhere.keyboard.press("/");
    await elsewhere.keyboard.type("sn-0001");
    await elsewhere.getByRole("option", { name: `SN-0001 ${sku}` }).click();
    await elsewhere.waitForURL(/serials\/SN-0001$/);
    await open("serials/SN-0002").then((page) => page.getByText("There is no such serial number.").waitFor());
  });
});
