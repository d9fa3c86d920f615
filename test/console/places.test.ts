import assert from "node:assert/strict";
import { consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, stock, warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";

describe("the console's pages of places", () => {
  const service = testService();
  let admin: string;
  let warehouse_id: number;
  let shelf: number;
  before(async () => {
    admin = (await person()).username;
    warehouse_id = await warehouse();
    shelf = await bin(warehouse_id, { code: "A-01" });
    await stock(warehouse_id, shelf, (await item({ sku: "MUG-1" })).item_id, 12, "LOT-7");
  });
  const browser = consoleBrowser(() => service);

  it("show warehouses, zones and bins with what lies in them", async () => {
    for (const [name, path, text] of [
      ["places-warehouse", `warehouses/${warehouse_id}`, /^Z/],
      ["places-zones", "zones", /^Z/],
      ["places-bins", "bins", "A-01"],
      ["places-bin", `bins/${shelf}`, "MUG-1"],
    ] as const)
      await browser.look(name, { path: `/console/${path}`, username: admin }, (page) =>
        page.getByRole("main").getByRole("link", { name: text }).first().waitFor(),
      );
  });

  it("show a map of the bins, by whatever its colour says", async () => {
    const house = await warehouse();
    for (const aisle of ["A", "B", "C"])
      for (let row = 1; row <= 8; row++)
        for (const level of ["1", "2", "3"]) {
          const place = await bin(house, { code: `${aisle}-0${row}-${level}` });
          await db.run(
            `update bins set aisle = $2, row_num = $3, level_num = $4, max_units = 24,
               zone_id = (select min(zone_id) from bins b where b.warehouse_id = bins.warehouse_id) where bin_id = $1`,
            [place, aisle, `0${row}`, level],
          );
          const units = (row * Number(level)) % 25;
          if (units > 4) await stock(house, place, (await item()).item_id, units);
        }
    const unmeasured = await bin(house, { code: "B-01" });
    await stock(house, unmeasured, (await item()).item_id, 3);
    const { username } = await person({ role: "USER", page_keys: ["bins"], warehouse_ids: [house] });
    const visit = { path: "/console/bins/map", username };
    await browser.look("bin-map", visit, (page) => page.getByRole("link", { name: /^A-08-3: 24/ }).waitFor());
    const page = await browser.open(visit);
    await page.getByText("None to most: 100 %").waitFor();
    await page.getByRole("link", { name: "B-01: 3 pcs, how much it holds is not known" }).waitFor();
    await page.getByText("Untouched for").click();
    await page.getByRole("link", { name: "A-08-3: 24 pcs, untouched for 0 days" }).click();
    await page.getByRole("heading", { name: "A-08-3" }).waitFor();
  });

  it("make a warehouse, a zone and a bin, and take the bin away", async () => {
    const page = await browser.open({ path: "/console/warehouses", username: admin });
    const dialog = page.getByRole("dialog");
    const confirm = () => dialog.locator("[type=submit]").click();
    await page.getByRole("button", { name: "New warehouse" }).click();
    await dialog.getByLabel("Code").fill("EAST");
    await dialog.getByLabel("Name").fill("East side");
    await confirm();
    await page.getByRole("heading", { name: "EAST · East side" }).waitFor();

    await page.getByRole("button", { name: "New zone" }).click();
    await dialog.getByLabel("Code").fill("Q");
    await dialog.getByLabel("Name").fill("Quarantine");
    await dialog.getByLabel("Type").selectOption("QUALITY");
    await confirm();
    await page.getByRole("cell", { name: "Quality check" }).waitFor();

    await page.getByRole("link", { name: "Bins" }).click();
    await page.getByRole("button", { name: "New bin" }).click();
    await dialog.getByLabel("Warehouse").selectOption({ label: "EAST · East side" });
    await dialog.getByRole("option", { name: "Q · Quarantine" }).waitFor({ state: "attached" });
    await dialog.getByLabel("Code", { exact: false }).first().fill("Q-01");
    await dialog.getByLabel("Barcode").fill("Q-01");
    await browser.check(page, "places-new-bin");
    await confirm();
    await page.getByRole("heading", { name: "Q-01" }).waitFor();
    const { bins } = await service.admin.ok("GET", "/api/admin/bins?q=Q-01");
    assert.deepEqual([bins.length, bins[0].zone_name], [1, "Quarantine"]);

    await page.getByRole("button", { name: "Delete" }).click();
    await confirm();
    await page.waitForURL(/\/bins$/);
    assert.equal((await service.admin.ok("GET", "/api/admin/bins?q=Q-01")).total, 0);
  });

  it("print the labels of a zone, and say why a bin stays", async () => {
    const page = await browser.open({ path: "/console/zones", username: admin });
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Print labels" }).first().click();
    const [file] = await Promise.all([page.waitForEvent("download"), dialog.locator("[type=submit]").click()]);
    assert.match(file.suggestedFilename(), /^bins-.*\.pdf$/);
    await page.goto(`${service.url}/console/bins/${shelf}`);
    await page.getByRole("button", { name: "Delete" }).click();
    await dialog.locator("[type=submit]").click();
    await page.getByText("The bin is not empty.").waitFor();
  });

  it("make a rule of put-away, change it, pause it and delete it", async () => {
    const page = await browser.open({ path: "/console/put-away-rules", username: admin });
    const dialog = page.getByRole("dialog");
    const confirm = async () => {
      await dialog.locator("[type=submit]").click();
      await dialog.waitFor({ state: "detached" });
    };
    const rules = async () => (await service.admin.ok("GET", "/api/admin/put-away-rules")).put_away_rules;
    const zones = [];
    for (const zone_code of ["ZA", "ZB"]) {
      const zone = { warehouse_id, zone_code, zone_name: zone_code, zone_type: "STORAGE" };
      zones.push((await service.admin.ok("POST", "/api/admin/zones", zone)).zone_id);
    }
    await page.getByRole("button", { name: "New rule" }).click();
    await dialog.getByLabel("Name").fill("Heavy goods");
    await dialog.getByLabel("Priority").fill("3");
    await dialog.getByLabel("Weight of a unit").fill("40.5");
    await dialog.getByLabel("Class").selectOption("A");
    await dialog.getByLabel("Only bins without another item").check();
    await dialog.getByLabel("Warehouse").selectOption(String(warehouse_id));
    for (const code of ["ZB", "ZA"]) {
      await dialog.getByLabel("Zones").click();
      await page.getByRole("option", { name: code, exact: true }).click();
    }
    await page.keyboard.press("Tab");
    await page.getByRole("listbox").waitFor({ state: "hidden" });
    await browser.check(page, "places-new-rule");
    await confirm();
    await page.getByText("class A · up to 40.5 lb").waitFor();
    await page.getByText("ZB, ZA · no other item").waitFor();

    await page.getByRole("button", { name: "Edit" }).click();
    for (const pill of ["ZB", "ZA"]) await dialog.getByText(pill, { exact: true }).first().waitFor();
    await dialog.getByLabel("Zones").press("Backspace");
    await dialog.getByLabel("Category").fill("Mugs");
    await confirm();
    await page.getByText("category Mugs · class A · up to 40.5 lb").waitFor();
    await page.getByText("ZB · no other item").waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await confirm();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    const [rule] = await rules();
    assert.deepEqual(
      [rule.rule_name, rule.priority, rule.category, rule.item_class, rule.max_weight_lbs, rule.zone_ids],
      ["Heavy goods", 3, "Mugs", "A", 40.5, [zones[1]]],
    );
    assert.deepEqual([rule.one_item, rule.one_lot, rule.is_active], [true, false, false]);
    await browser.look("places-rules", { path: "/console/put-away-rules", username: admin }, (page) =>
      page.getByText("Heavy goods").waitFor(),
    );
    await page.getByRole("button", { name: "Delete" }).click();
    await confirm();
    await page.getByRole("table").getByText("Heavy goods").waitFor({ state: "detached" });
    assert.deepEqual(await rules(), []);
  });
});
