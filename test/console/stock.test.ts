import assert from "node:assert/strict";
import { choose, consoleBrowser, tabTo } from "../support/console.js";
import { bin, item, stock, warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { replenishmentTask } from "../support/replenishments.js";
import { testService } from "../support/service.js";

describe("the console's pages of stock", () => {
  const service = testService();
  let admin: string;
  let warehouse_id: number;
  let shelf: number;
  let mug: Awaited<ReturnType<typeof item>>;
  before(async () => {
    admin = (await person()).username;
    warehouse_id = await warehouse();
    shelf = await bin(warehouse_id, { code: "A-01" });
    mug = await item({ sku: "MUG-1", aliases: ["CASE-12"] });
    await stock(warehouse_id, shelf, mug.item_id, 12, "LOT-7");
    await service.admin.ok("POST", "/api/admin/preferred-bins", { item_id: mug.item_id, bin_id: shelf });
    await service.admin.ok("POST", "/api/admin/adjustments/direct", {
      ...{ item_id: mug.item_id, bin_id: shelf, warehouse_id, adjustment_type: "ADD", quantity: 3, reason: "found" },
    });
  });
  const browser = consoleBrowser(() => service);
  const detail = (item_id: string | number) => service.admin.ok("GET", `/api/admin/items/${item_id}`);

  it("show items, their stock and movements, and adjustments", async () => {
    const visit = { path: `/console/items/${mug.item_id}`, username: admin };
    await browser.look("stock-item", visit, async (page, { language }) => {
      await page.getByText(/Stock adjusted|Bestand korrigiert/).waitFor();
      await page.getByText(language === "de" ? "Art der Änderung: Korrektur" : "Kind of change: Correction").waitFor();
    });
    for (const [name, path] of [
      ["stock-list", "/console/stock"],
      ["stock-adjustments", "/console/adjustments"],
    ] as const)
      await browser.look(name, { path, username: admin }, (page) =>
        page.getByRole("link", { name: "MUG-1" }).first().waitFor(),
      );
  });

  it("change all of a pick face, and tell a task for it from goods that came", async () => {
    const { item_id } = await replenishmentTask({ warehouse_id, by: service.admin });
    const page = await browser.open({ path: `/console/items/${item_id}`, username: admin });
    await page.getByText("Replenishment: Created").waitFor();
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await page.getByRole("dialog").getByLabel("Fill up to").fill("12");
    await page.getByRole("dialog").getByLabel("Units of a case").fill("6");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: "12", exact: true }).waitFor();
    await page.getByRole("cell", { name: "6", exact: true }).waitFor();
  });

  it("make an item by keyboard alone, after a refusal", async () => {
    const page = await browser.open({ path: "/console/items", username: admin });
    await tabTo(page, "New item");
    await page.keyboard.press("Enter");
    await tabTo(page, /^SKU/);
    await page.keyboard.type("MUG-1");
    await tabTo(page, /^Name/);
    await page.keyboard.type("Red mug");
    await tabTo(page, /^Default bin/);
    await choose(page, "A-01");
    await tabTo(page, "Create");
    await page.keyboard.press("Enter");
    await page.getByText("There is an item with this SKU.").waitFor();
    await browser.check(page, "stock-new-item");
    await page.getByRole("dialog").getByLabel(/^SKU/).fill("MUG-2");
    await page.keyboard.press("Enter");
    await page.waitForURL(/items\/\d+$/);
    await page.getByRole("heading", { name: /MUG-2 · Red mug/ }).waitFor();
    const made = await detail(page.url().split("/").at(-1) as string);
    assert.deepEqual([made.item.item_name, made.item.default_bin_id], ["Red mug", shelf]);
  });

  it("change an item, adjust its stock, and print its label", async () => {
    const page = await browser.open({ path: `/console/items/${mug.item_id}`, username: admin });
    await page.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Further barcodes").fill("CASE-12\nCASE-24");
    await dialog.getByLabel("Tariff number").fill("6912.00");
    await dialog.getByLabel("Value for customs").fill("12.90");
    await dialog.getByLabel("Currency").fill("eur");
    await dialog.getByLabel("Dangerous goods").check();
    await dialog.locator("[type=submit]").click();
    await page.getByText("CASE-12, CASE-24").waitFor();
    await page.getByText("€12.90").waitFor();
    const { is_hazardous, hs_code, customs_value_minor, customs_currency } = (await detail(mug.item_id)).item;
    assert.deepEqual([is_hazardous, hs_code, customs_value_minor, customs_currency], [true, "6912.00", 1290, "EUR"]);

    await page.getByRole("button", { name: "Adjust" }).first().click();
    await dialog.getByLabel("Adjustment").selectOption("REMOVE");
    await dialog.getByLabel("Quantity").fill("5");
    await dialog.getByLabel("Reason").fill("broken");
    await dialog.locator("[type=submit]").click();
    await dialog.waitFor({ state: "hidden" });
    assert.equal((await detail(mug.item_id)).inventory[0].quantity_on_hand, 10);

    await page.getByRole("button", { name: "Print label" }).click();
    await dialog.getByLabel("Print as").selectOption("zpl");
    const [file] = await Promise.all([page.waitForEvent("download"), dialog.locator("[type=submit]").click()]);
    assert.equal(file.suggestedFilename(), "item-MUG-1.zpl");
  });

  it("say in German, too, why a file or its rows are not taken", async () => {
    const page = await browser.open({ path: "/console/imports", username: admin, language: "de" });
    const check = async (lines: string[]) => {
      const buffer = Buffer.from(lines.join("\r\n"), "latin1");
      await page.locator("input[type=file]").setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer });
      await page.getByRole("button", { name: "Datei prüfen" }).click();
    };
    await check(["SKU;Artikelname", "CUP-2;Tasse"]);
    await page.getByText('Zeile 1: unbekannte Spalten "artikelname"; es gibt die Spalten sku, item_name').waitFor();
    await check(["sku;upc", "CUP-2;"]);
    await page.getByText('Zeile 1: "item_name" fehlt').waitFor();
    await check([
      "sku;item_name;upc;weight_lbs;default_bin;quantity",
      "MUG-1;Noch eine;;;;",
      "CUP-2;;;;;",
      "CUP-3;Tasse;4006381333932;;;",
      "CUP-4;Tasse;;;;7",
      "CUP-5;Tasse;;1,500;;",
      "CUP-6;Tasse;;;NIRGENDS;",
      "CUP-7;Tasse;;;;x",
    ]);
    for (const why of [
      ...["die SKU MUG-1 gibt es schon", "item_name: fehlt", "upc: die Prüfziffer von 4006381333932 stimmt nicht"],
      ...["quantity: braucht einen default_bin", 'weight_lbs: "1,500" ist nicht eindeutig: mit Punkt schreiben'],
      "mit Anmerkung: default_bin: NIRGENDS gibt es nicht; ohne ihn importiert",
      'quantity: "x" darf nur Ziffern haben, wie 1000',
    ])
      await page.getByText(why, { exact: true }).waitFor();
  });

  it("import a file, and say which rows were not taken", async () => {
    const page = await browser.open({ path: "/console/imports", username: admin });
    const buffer = Buffer.from("\ufeffSKU;item_name\nCUP-1;Cup; \nMUG-1;Again\n");
    await page.locator("input[type=file]").setInputFiles({ name: "items.csv", mimeType: "text/csv", buffer });
    await page.getByRole("button", { name: "Check the file" }).click();
    await page.getByText("1 of 2 rows would be imported").waitFor();
    await page.getByText(/MUG-1 already exists/).waitFor();
    await browser.check(page, "imports-desk");
    assert.equal((await service.admin.ok("GET", "/api/admin/items?q=CUP-1")).total, 0);
    await page.getByRole("button", { name: "Import 1 row" }).click();
    await page.getByText("Imported 1 of 2").waitFor();
    const [cup] = (await service.admin.ok("GET", "/api/admin/items?q=CUP-1")).items;
    assert.equal(cup.item_name, "Cup");
    await browser.look("imports", { path: "/console/imports", username: admin }, (page) =>
      page.getByRole("button", { name: /Check|prüfen/ }).waitFor(),
    );
  });
});
