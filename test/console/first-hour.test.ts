import assert from "node:assert/strict";
import { confirmDialog, consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { item } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";

describe("the first hour at the desk", () => {
  const service = testService();
  const browser = consoleBrowser(() => service);

  it("is put away for good by who does not want it", async () => {
    const { username } = await person();
    const page = await browser.open({ path: "/console/day", username });
    const title = page.getByRole("heading", { name: "The first hour" });
    await title.waitFor();
    await page.getByRole("button", { name: "Do not show again" }).click();
    await title.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    assert.equal(await title.count(), 0);
  });

  it("offers a demo, which is thrown away whole", async () => {
    const { username } = await person();
    const page = await browser.open({ path: "/console/day", username });
    await page.getByRole("button", { name: "Try it with a demo" }).click();
    await confirmDialog(page);
    await page.getByText("It is in the warehouses DEMO, DEMO-VIRTUAL.").waitFor();
    assert.equal(await page.getByRole("heading", { name: "The first hour" }).count(), 0);
    await browser.look("demo", { path: "/console/day", username }, (page) =>
      page.getByRole("heading", { name: /The demo|Die Demo/ }).waitFor(),
    );
    await page.getByRole("button", { name: "Remove the demo" }).click();
    await page.getByText("Bins: 22.").waitFor();
    await browser.check(page, "demo-remove");
    await confirmDialog(page);
    await page.getByRole("heading", { name: "The first hour" }).waitFor();
    assert.deepEqual(await db.rows("select from warehouses"), []);
    await page.reload();
    await page.getByRole("heading", { name: "The first hour" }).waitFor();
  });

  it("leads an empty house from its warehouse to the first order, and goes then", async () => {
    const { username } = await person();
    await browser.look("first-hour", { path: "/console/day", username }, (page) =>
      page.getByRole("heading", { name: /The first hour|Die erste Stunde/ }).waitFor(),
    );
    const page = await browser.open({ path: "/console/", username });
    const steps = page.locator("section").filter({ has: page.getByRole("heading", { name: "The first hour" }) });
    const step = async (name: string) => {
      await page.goto(`${service.url}/console/day`);
      await steps.getByRole("link", { name }).click();
    };
    const dialog = page.getByRole("dialog");
    await step("Warehouse");
    await page.getByRole("button", { name: "New warehouse" }).click();
    await dialog.getByLabel("Code").fill("EAST");
    await dialog.getByLabel("Name").fill("East side");
    await confirmDialog(page);
    await page.getByRole("heading", { name: "EAST · East side" }).waitFor();

    await step("Bins");
    await page.getByRole("button", { name: "New zone" }).click();
    await dialog.getByLabel("Warehouse").selectOption({ label: "EAST · East side" });
    await dialog.getByLabel("Code").fill("P");
    await dialog.getByLabel("Name").fill("Picking");
    await confirmDialog(page);
    await dialog.waitFor({ state: "detached" });
    const fields = page.getByRole("main");
    await fields.getByLabel("Warehouse").selectOption({ label: "EAST · East side" });
    await fields.getByRole("option", { name: "P · Picking" }).waitFor({ state: "attached" });
    await page.getByText("120 bins: A-01-1, A-02-1, A-03-1, … F-20-1").waitFor();
    await page.getByLabel("Aisles").fill("A-B");
    await page.getByLabel("Rows").fill("08-10");
    await page.getByLabel("Levels").fill("");
    await page.getByText("6 bins: A-08, A-09, A-10, … B-10").waitFor();
    await browser.check(page, "new-bins");
    await page.getByRole("button", { name: "Create 6 bins" }).click();
    await page.getByText("6 of 6 bins were created").waitFor();
    const made = await db.rows("select bin_code, aisle, row_num, level_num, pick_sequence from bins order by bin_id");
    assert.deepEqual(made[5], { bin_code: "B-10", aisle: "B", row_num: "10", level_num: null, pick_sequence: 6 });
    await page.getByRole("button", { name: "Print labels of the zone" }).click();
    const [file] = await Promise.all([page.waitForEvent("download"), confirmDialog(page)]);
    assert.match(file.suggestedFilename(), /^bins-P\.pdf$/);
    await dialog.waitFor({ state: "detached" });

    await page.getByLabel("Rows").fill("10-11");
    await page.getByRole("button", { name: "Create 4 bins" }).click();
    await page.getByText("2 of 4 bins were created").waitFor();
    await page.getByRole("cell", { name: /A-10/ }).waitFor();
    assert.deepEqual(await db.rows("select bin_code, pick_sequence from bins where row_num = '11' order by 1"), [
      { bin_code: "A-11", pick_sequence: 8 },
      { bin_code: "B-11", pick_sequence: 10 },
    ]);

    await item({ sku: "MUG-1" });
    await page.goto(`${service.url}/console/day`);
    await steps.getByText("Done").nth(2).waitFor();
    assert.equal(await steps.getByText("Done").count(), 3);
    const { body } = await service.admin.get("/api/warehouses/list");
    await service.admin.ok("POST", "/api/admin/sales-orders", {
      ...{ so_number: "SO-1", warehouse_id: body.warehouses[0].id, customer_name: "Ann" },
      lines: [{ item_id: (await item()).item_id, quantity_ordered: 1 }],
    });
    await page.reload();
    await page.getByRole("heading", { name: "The day at a glance" }).waitFor();
    await steps.waitFor({ state: "detached" });
  });
});
