import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { createReturn } from "../support/at-desk.js";
import { choose, confirmDialog, consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, pendingAdjustment, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { person } from "../support/people.js";
import { pickedFromStock, receiving, serialItem, statesOf } from "../support/serials.js";
import { testService } from "../support/service.js";

describe("the desk names lots and serials", () => {
  const service = testService({ worker: true });
  let admin: string;
  let here: number;
  let shelf: number;
  before(async () => {
    admin = (await person()).username;
    here = await warehouse();
    shelf = await bin(here, { code: "A-01" });
  });
  afterEach(() => assertInvariants());
  const browser = consoleBrowser(() => service);
  const open = (path: string) => browser.open({ path: `/console/${path}`, username: admin });
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first().click();
  const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

  /** Five units of each lot of an item. */
  async function lots(...numbers: string[]) {
    const goods = await item();
    for (const lot of numbers) await stock(here, shelf, goods.item_id, 5, lot);
    return goods;
  }
  async function unitsOf(item_id: number) {
    const rows = await db.rows<{ lot: string; units: number }>(
      "select lot_number as lot, quantity_on_hand as units from inventory where item_id = $1",
      [item_id],
    );
    return Object.fromEntries(rows.map(({ lot, units }) => [lot, units]));
  }

  it("at the pick of an order", async () => {
    const { item_id, sku } = await lots("FIRST", "OTHER");
    await db.run("update items set lot_picking = 'any_of_bin' where item_id = $1", [item_id]);
    const { so_id } = await salesOrder(here, [{ item_id, quantity: 2 }]);
    const page = await open(`orders/${so_id}`);
    await press(page, "Pick");
    await page.getByLabel(`Lot of ${sku}`).selectOption({ label: "OTHER (5 available)" });
    await browser.check(page, "lots-desk-pick");
    await confirmDialog(page);
    await page.getByText("Picked", { exact: true }).first().waitFor();
    assert.deepEqual(await unitsOf(item_id), { FIRST: 5, OTHER: 3 });
  });

  it("at a return, of which the order says what was shipped", async () => {
    const goods = await serialItem(here, "at_receipt");
    await service.admin.ok("POST", "/api/receiving/receive", receiving(goods, ["S-1", "S-2"]));
    const { so_id } = await pickedFromStock(service.admin, goods, 1);
    const unit = { so_id, scanned_barcode: goods.sku, serial_number: "S-2" };
    await service.admin.ok("POST", "/api/packing/verify", unit);
    await service.admin.ok("POST", "/api/packing/complete", { so_id });
    await service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/admin-ship`, {});
    const page = await open(`orders/${so_id}`);
    await page.getByRole("link", { name: "S-2" }).waitFor();
    await createReturn(page, /1 shipped/, 1);
    await press(page, "Receive");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Serial numbers").fill("S-2");
    await browser.check(page, "serials-return");
    await dialog.getByRole("combobox", { name: "Bin" }).click();
    await choose(page, "A-01");
    await confirmDialog(page);
    assert.deepEqual(await statesOf(goods), { "S-1": "IN_STOCK", "S-2": "IN_STOCK" });
  });

  it("at the approval of units that were found", async () => {
    const { item_id, sku } = await lots("A", "B");
    await db.run("update items set lot_policy = 'required' where item_id = $1", [item_id]);
    await pendingAdjustment(here, shelf, item_id, 2);
    const page = await open("review");
    await row(page, sku).getByRole("button", { name: "Approve" }).click();
    await page.getByRole("dialog").locator("[type=submit]").click();
    await page.getByText("The number of the lot is missing.").waitFor();
    await page.getByRole("dialog").getByRole("textbox", { name: "Lot" }).fill("B");
    await browser.check(page, "lots-review");
    await confirmDialog(page);
    await page.getByText("No difference waits for a decision").waitFor();
    assert.deepEqual(await unitsOf(item_id), { A: 5, B: 7 });
  });

  it("at the approval of units that are gone", async () => {
    const goods = await serialItem(here, "at_receipt");
    await service.admin.ok("POST", "/api/receiving/receive", receiving(goods, ["S-1", "S-2", "S-3"]));
    await pendingAdjustment(here, goods.bin_id, goods.item_id, -2);
    const page = await open("review");
    await row(page, goods.sku).getByRole("button", { name: "Approve" }).click();
    await page.getByRole("dialog").getByLabel("Serial numbers").fill("S-3\nS-1\n");
    await confirmDialog(page);
    await page.getByText("No difference waits for a decision").waitFor();
    assert.deepEqual(await statesOf(goods), { "S-1": "GONE", "S-2": "IN_STOCK", "S-3": "GONE" });
  });

  it("at a correction of stock, where the item has serials", async () => {
    const goods = await serialItem(here, "at_receipt");
    await service.admin.ok("POST", "/api/receiving/receive", receiving(goods, ["S-1", "S-2"]));
    const page = await open(`stock?q=${goods.sku}`);
    await row(page, goods.sku).getByRole("button", { name: "Adjust" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Adjustment").selectOption("REMOVE");
    await dialog.getByLabel("Quantity").fill("1");
    await dialog.getByLabel("Reason").fill("fell down");
    await dialog.getByLabel("Serial numbers").fill("S-2");
    await browser.check(page, "serials-adjust");
    await confirmDialog(page);
    await page.goto(`${service.url}/console/adjustments`);
    await press(page, "Adjust stock");
    await page.locator(":focus").and(dialog.getByRole("combobox")).waitFor();
    await choose(page, goods.sku);
    await dialog.getByLabel("Serial numbers").fill("S-2");
    await dialog.getByLabel("Quantity").fill("1");
    await dialog.getByLabel("Reason").fill("found");
    await dialog.getByRole("combobox", { name: "Bin" }).click();
    await choose(page, (await db.value<string>("select bin_code from bins where bin_id = $1", [goods.bin_id])) ?? "");
    await confirmDialog(page);
    assert.deepEqual(await statesOf(goods), { "S-1": "IN_STOCK", "S-2": "IN_STOCK" });
  });

  it("at the correction of a row, which is of its lot", async () => {
    const { item_id, sku } = await lots("ONE", "TWO");
    const page = await open(`stock?q=${sku}`);
    await row(page, "TWO").getByRole("button", { name: "Adjust" }).click();
    const dialog = page.getByRole("dialog");
    await page.getByText(`Adjust ${sku}, lot TWO, in A-01`).waitFor();
    await dialog.getByLabel("Adjustment").selectOption("REMOVE");
    await dialog.getByLabel("Quantity").fill("2");
    await dialog.getByLabel("Reason").fill("fell down");
    await confirmDialog(page);
    await row(page, "TWO").getByRole("cell", { name: "3", exact: true }).first().waitFor();
    assert.deepEqual(await unitsOf(item_id), { ONE: 5, TWO: 3 });
  });

  it("at what goes back to the supplier", async () => {
    const goods = await serialItem(here, "at_receipt");
    await service.admin.ok("POST", "/api/receiving/receive", receiving(goods, ["S-1", "S-2"]));
    const { inventory } = await service.admin.ok("GET", `/api/admin/inventory?q=${goods.sku}`);
    const hold = { quantity: 1, condition: "QUARANTINE", reason: "it rattles" };
    await service.admin.ok("POST", `/api/admin/inventory/${inventory[0].inventory_id}/hold`, hold);
    const page = await open(`inspections?q=${goods.sku}`);
    await row(page, goods.sku).getByRole("button", { name: "Decide" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Decision").selectOption("return_to_supplier");
    await dialog.getByLabel("Serial numbers").fill("S-2");
    await dialog.getByLabel("Reason").fill("back to them");
    await confirmDialog(page);
    assert.deepEqual(await statesOf(goods), { "S-1": "IN_STOCK", "S-2": "GONE" });
  });

  it("recall a unit by its serial number, and say that it was destroyed", async () => {
    const goods = await serialItem(here, "at_receipt");
    const serial = `R-${goods.item_id}`;
    await service.admin.ok("POST", "/api/receiving/receive", receiving(goods, [serial, "S-2"]));
    const page = await open(`serials/${serial}`);
    await press(page, "Recall");
    await page.getByRole("dialog").getByLabel("Reason").fill("the plug melts");
    await confirmDialog(page);
    await page.getByText("0 of 1 unit is accounted for").waitFor();
    await row(page, serial).getByText("To be counted").waitFor();
    await browser.check(page, "serials-recall");
    await row(page, serial).getByRole("button", { name: "Destroyed" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("scrapped");
    await confirmDialog(page);
    await page.getByText("1 of 1 unit is accounted for").waitFor();
    assert.deepEqual(await statesOf(goods), { [serial]: "GONE", "S-2": "IN_STOCK" });
  });

  it("ask in which bin a unit was that was destroyed, and of which lot", async () => {
    const goods = await serialItem(here, "at_receipt");
    const serial = `B-${goods.item_id}`;
    await service.admin.ok("POST", "/api/receiving/receive", receiving(goods, [serial, "S-2", "S-3"]));
    const { item_id, bin_id } = goods;
    const other = await bin(here, { code: `OTHER-${item_id}` });
    const move = { item_id, from_bin_id: bin_id, to_bin_id: other, quantity: 2 };
    await service.admin.ok("POST", "/api/transfers/move", move);
    const { recall_id } = await service.admin.ok("POST", "/api/admin/recalls", {
      ...{ item_id, serial_numbers: [serial], reason: "the plug melts" },
    });
    const page = await open(`recalls/${recall_id}`);
    await row(page, serial).getByRole("button", { name: "Destroyed" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("scrapped");
    await dialog.getByLabel("Bin").selectOption(`OTHER-${item_id} · 2 pcs`);
    await confirmDialog(page);
    await page.getByText("1 of 1 unit is accounted for").waitFor();
    const left = await db.value("select quantity_on_hand from inventory where item_id = $1 and bin_id = $2", [
      ...[item_id, other],
    ]);
    assert.equal(left, 1);
  });

  it("merge two records of one lot, and lead to the recall of one", async () => {
    const { item_id, sku } = await lots("LOT-7", "LOT-T");
    const { lots: known } = await service.admin.ok("GET", `/api/admin/lots?item_id=${item_id}`);
    const idOf = (lot: string) =>
      (known as { lot_id: number; lot_number: string }[]).find(({ lot_number }) => lot_number === lot)?.lot_id;
    const page = await open(`lots/${idOf("LOT-T")}`);
    await press(page, "Merge");
    await page.locator(":focus").and(page.getByRole("combobox")).waitFor();
    await page.keyboard.type("LOT-7");
    await page.getByRole("option", { name: "LOT-7" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("7 read as T");
    await browser.check(page, "lots-merge");
    await confirmDialog(page);
    await page.getByRole("heading", { name: `Lot LOT-7 · ${sku}` }).waitFor();
    assert.deepEqual(await unitsOf(item_id), { "LOT-7": 10 });

    await press(page, "Recall");
    await page.getByRole("dialog").getByLabel("Reason").fill("glass in the jar");
    await confirmDialog(page);
    await page.waitForURL(/recalls\/\d+$/);
    const recall = page.url();
    await page.goto(`${service.url}/console/lots/${idOf("LOT-7")}`);
    const toRecall = page.getByRole("link", { name: /^Recall \d+$/ });
    await toRecall.waitFor();
    for (const name of ["Recall", "Release"])
      assert.equal(await page.getByRole("button", { name, exact: true }).count(), 0, name);
    await toRecall.click();
    await page.waitForURL(recall);
  });

  it("correct the number of a lot", async () => {
    const { item_id, sku } = await lots("LOT-T");
    const { lots: known } = await service.admin.ok("GET", `/api/admin/lots?item_id=${item_id}`);
    const page = await open(`lots/${known[0].lot_id}`);
    await press(page, "Edit");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Lot", { exact: false }).first().fill("LOT-7");
    await dialog.getByLabel("Reason").fill("7 read as T");
    await browser.check(page, "lots-edit");
    await confirmDialog(page);
    await page.getByRole("heading", { name: `Lot LOT-7 · ${sku}` }).waitFor();
    assert.deepEqual(await unitsOf(item_id), { "LOT-7": 5 });
  });
});
