import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, stock, warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";

describe("the console with several warehouses", () => {
  const service = testService();
  let admin: string;
  let [east, west, books] = [0, 0, 0];
  let mug: Awaited<ReturnType<typeof item>>;
  before(async () => {
    admin = (await person()).username;
    [east, west, books] = [await warehouse(), await warehouse(), await warehouse()];
    await db.run(
      `update warehouses set warehouse_code = n.code from unnest($1::int[], '{EAST,WEST,VIRTUAL}'::text[]) n (id, code)
       where warehouse_id = n.id`,
      [[east, west, books]],
    );
    mug = await item({ sku: "MUG-1" });
    // The same code in both: only the warehouse tells them apart.
    for (const id of [east, west]) await stock(id, await bin(id, { code: "A-01" }), mug.item_id, 5);
  });
  const browser = consoleBrowser(() => service);
  const lookAt = (page: Page, id: number) => page.getByRole("banner").getByLabel("Warehouse").selectOption(String(id));
  const chosenIn = (page: Page, name: string) => page.locator(`select[name=${name}]`).inputValue();
  const offeredIn = async (page: Page, name: string) =>
    (await page.locator(`select[name=${name}] option`).allTextContents()).map((text) => text.split(" · ")[0]);

  it("says of each row, and of what is done to it, which one it is of, as long as it is not chosen", async () => {
    const page = await browser.open({ path: "/console/stock", username: admin });
    await page.getByRole("columnheader", { name: "Warehouse" }).waitFor();
    assert.equal(await page.getByRole("row", { name: /A-01.*EAST/ }).count(), 1);
    await page
      .getByRole("row", { name: /A-01.*WEST/ })
      .getByRole("button", { name: "Adjust" })
      .click();
    await page.getByRole("dialog", { name: "Adjust MUG-1 in A-01, WEST" }).waitFor();
    await page.keyboard.press("Escape");
    await lookAt(page, west);
    await page.getByRole("columnheader", { name: "Warehouse" }).waitFor({ state: "detached" });
    await browser.look("stock-of-all", { path: "/console/stock", username: admin }, (page) =>
      page.getByRole("cell", { name: "WEST", exact: true }).waitFor(),
    );
  });

  it("offers bins by a pattern to whoever may make one", async () => {
    await service.admin.ok("POST", "/api/admin/zones", {
      ...{ warehouse_id: east, zone_code: "P", zone_name: "Picking", zone_type: "STORAGE" },
    });
    const rights = { role: "USER" as const, warehouse_ids: [east] };
    const { username } = await person({ ...rights, page_keys: ["bins", "zones"] });
    const page = await browser.open({ path: "/console/bins", username });
    await page.getByRole("link", { name: "New bins by a pattern" }).click();
    await page.getByRole("main").getByLabel("Zone").selectOption({ label: "P · Picking" });
    await page.getByLabel("Aisles").fill("Q");
    await page.getByLabel("Rows").fill("1-3");
    await page.getByRole("button", { name: "Create 3 bins" }).click();
    await page.getByText("3 of 3 bins were created").waitFor();
    assert.equal(await db.value("select count(*)::int from bins where aisle = 'Q' and warehouse_id = $1", [east]), 3);
  });

  it("begins no order in one of several, nor where nothing is picked from", async () => {
    for (const [path, field] of [
      ["orders/new", "warehouse_id"],
      ["transfer-orders/new", "source"],
      ["transfer-orders/import", "source"],
      ["imports", "warehouse_id"],
      ["purchase-orders/new", "warehouse_id"],
    ] as const) {
      const page = await browser.open({ path: `/console/${path}`, username: admin });
      await page.locator(`select[name=${field}]`).waitFor();
      assert.equal(await chosenIn(page, field), "", path);
      await lookAt(page, books);
      await page.reload();
      await page.locator(`select[name=${field}]`).waitFor();
      assert.equal(await chosenIn(page, field), "", path);
      await lookAt(page, east);
      await page.reload();
      await page.locator(`select[name=${field}]`).waitFor();
      assert.equal(await chosenIn(page, field), String(east), path);
      await page.evaluate("localStorage.clear()");
      await page.close();
    }
  });

  it("begins in the only one that the user may sell from, and offers no others", async () => {
    const clerk = await person({
      role: "USER",
      warehouse_ids: [east, books],
      page_keys: ["sales-orders", "transfer-orders"],
    });
    const page = await browser.open({ path: "/console/orders/new", username: clerk.username });
    await page.locator("select[name=warehouse_id]").waitFor();
    assert.equal(await chosenIn(page, "warehouse_id"), String(east));
    assert.deepEqual((await offeredIn(page, "warehouse_id")).toSorted(), ["Choose a warehouse", "EAST", "VIRTUAL"]);
    await page.goto(`${service.url}/console/transfer-orders/new`);
    await page.locator("select[name=destination]").waitFor();
    assert.deepEqual(await offeredIn(page, "destination"), ["Choose a warehouse", "VIRTUAL"]);
    const alone = await person({ role: "USER", warehouse_ids: [east], page_keys: ["transfer-orders"] });
    const other = await browser.open({ path: "/console/transfer-orders/new", username: alone.username });
    await other.getByText("There is no other warehouse that you may use.").waitFor();
  });
});
