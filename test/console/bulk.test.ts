import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Page, Route } from "playwright-core";
import { consoleBrowser, tabTo } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, pendingAdjustment, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";
import { unique } from "../support/unique.js";
import { until } from "../support/until.js";

describe("the desk with many records at once", () => {
  const service = testService();
  let admin: string;
  let house: number;
  let shelf: number;
  let mug: Awaited<ReturnType<typeof item>>;
  before(async () => {
    admin = (await person()).username;
    house = await warehouse();
    shelf = await bin(house);
    mug = await item({ sku: "MUG" });
    await stock(house, shelf, mug.item_id, 100);
  });
  const browser = consoleBrowser(() => service);

  const openPage = (path: string, username = admin) => browser.open({ path: `/console/${path}`, username });
  const select = (page: Page, name: string) => page.getByRole("checkbox", { name: `Select ${name}`, exact: true });
  const bar = (page: Page) => page.getByRole("region", { name: "Selection" });
  const dialog = (page: Page) => page.getByRole("dialog");
  /** What the dialog says in the end, and of each record. */
  const outcome = async (page: Page) => {
    await dialog(page).getByRole("status").waitFor();
    const rows = await dialog(page).getByRole("row").allInnerTexts();
    return {
      said: await dialog(page).getByRole("status").textContent(),
      rows: rows.slice(1).map((row) => row.split(/\s*\t\s*/)),
    };
  };
  const close = async (page: Page) => {
    await dialog(page).getByRole("button", { name: "Close", exact: true }).last().click();
    await dialog(page).waitFor({ state: "detached" });
  };
  const choose = async (page: Page, action: string) => {
    await bar(page).getByRole("button", { name: action, exact: true }).click();
    await dialog(page).waitFor();
  };
  const submit = (page: Page) => dialog(page).locator("[type=submit]").click();
  /** Orders whose numbers begin alike, and the page that lists them alone. */
  const orders = async (many: number) => {
    const name = `B${unique()}`;
    const made = [];
    for (let n = 1; n <= many; n++)
      made.push(await salesOrder(house, [{ item_id: mug.item_id, quantity: 1 }], `${name}-${n}`));
    return { made, numbers: made.map(({ so_number }) => so_number), path: `orders?q=${name}&sort=so_number` };
  };
  const priorities = async (numbers: string[]) =>
    (
      await db.rows<{ priority: number }>(
        "select priority from sales_orders where so_number = any($1) order by so_number",
        [numbers],
      )
    ).map(({ priority }) => priority);

  it("changes many orders by keyboard alone, says what came of it, and takes it back", async () => {
    const { numbers, path } = await orders(3);
    const page = await openPage(path);
    await page.getByRole("link", { name: numbers[0] as string }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await bar(page).getByText("1 selected").waitFor();
    await tabTo(page, `Select ${numbers[2]}`);
    await page.keyboard.press("Space");
    await bar(page).getByText("2 selected").waitFor();
    await bar(page).getByRole("button", { name: "Change priority" }).focus();
    await page.keyboard.press("Enter");
    await dialog(page).waitFor();
    await tabTo(page, "Priority");
    await page.keyboard.type("7");
    await page.keyboard.press("Enter");
    const { said, rows } = await outcome(page);
    assert.equal(said, "2 done");
    assert.deepEqual(rows.map(([number]) => number).sort(), [numbers[0], numbers[2]]);
    assert.deepEqual(await priorities(numbers), [7, 0, 7]);
    await dialog(page).getByRole("button", { name: "Close", exact: true }).last().and(page.locator(":focus")).waitFor();
    await dialog(page).getByRole("button", { name: "Undo" }).click();
    await dialog(page).getByText("2 put back").waitFor();
    assert.deepEqual(await priorities(numbers), [0, 0, 0]);
    await close(page);
  });

  it("selects all in sight, or all that is found, and forgets them where something else is asked for", async () => {
    const { made, path } = await orders(53);
    const page = await openPage(path);
    await page.getByRole("checkbox", { name: "Select all in sight" }).check();
    await bar(page).getByText("50 selected").waitFor();
    await bar(page).getByRole("button", { name: "Select all 53 found" }).click();
    await bar(page).getByText("53 selected").waitFor();
    await choose(page, "Change ship-by day");
    await dialog(page).getByLabel("Ship by").fill("2031-05-06");
    await submit(page);
    assert.equal((await outcome(page)).said, "53 done");
    const days = await db.rows("select distinct ship_by_date::text as day from sales_orders where so_id = any($1)", [
      made.map(({ so_id }) => so_id),
    ]);
    assert.deepEqual(days, [{ day: "2031-05-06" }]);
    await close(page);
    assert.equal(await bar(page).count(), 0);
    await page.getByRole("checkbox", { name: "Select all in sight" }).check();
    await bar(page).waitFor();
    await page.getByLabel("Order, customer, address").fill(`${made[0]?.so_number}`);
    await bar(page).waitFor({ state: "detached" });
  });

  it("names what was refused and why: another person cancelled an order of the selection meanwhile", async () => {
    const { made, numbers, path } = await orders(3);
    const clerk = await person({ role: "USER", page_keys: ["sales-orders"], warehouse_ids: [house] });
    const page = await openPage(path, clerk.username);
    for (const number of numbers) await select(page, number).check();
    await choose(page, "Change priority");
    await dialog(page).getByLabel("Priority").fill("5");
    const [first, second] = made;
    await service.admin.ok("POST", `/api/admin/sales-orders/${second?.so_id}/cancel`);
    await submit(page);
    const { said, rows } = await outcome(page);
    assert.equal(said, "2 done · 1 refused");
    assert.equal(rows[0]?.[0], second?.so_number);
    assert.notEqual(rows[0]?.[1], "");
    await browser.check(page, "bulk-refused");
    await dialog(page).getByRole("button", { name: "Try 1 again" }).click();
    await dialog(page).getByText("2 done · 1 refused").waitFor();
    await close(page);
    // What was refused stays selected.
    await bar(page).getByText("1 selected").waitFor();
    await service.admin.ok("GET", `/api/admin/sales-orders/${first?.so_id}`);
    assert.deepEqual(await priorities(numbers), [5, 0, 5]);
    // It is cancelled already: nothing is left to do with it.
    await page.getByRole("table").getByText("Cancelled").waitFor();
    assert.equal(await bar(page).getByRole("button", { name: "Cancel order" }).count(), 0);
  });

  it("shows the progress, stops, and goes on with what was not begun", async () => {
    const { numbers, path } = await orders(6);
    const page = await openPage(path);
    const waiting: Route[] = [];
    await page.route(/\/api\/admin\/sales-orders\/\d+$/, (route) => {
      if (route.request().method() === "PUT") waiting.push(route);
      else void route.continue();
    });
    await page.getByRole("checkbox", { name: "Select all in sight" }).check();
    await choose(page, "Change priority");
    await dialog(page).getByLabel("Priority").fill("3");
    await submit(page);
    await until(() => waiting.length === 4);
    await dialog(page).getByText("0 of 6").waitFor();
    await dialog(page).getByRole("button", { name: "Stop" }).click();
    for (const route of waiting.splice(0)) await route.continue();
    assert.equal((await outcome(page)).said, "4 done · 2 not begun");
    await page.unrouteAll();
    await dialog(page).getByRole("button", { name: "Try 2 again" }).click();
    await dialog(page).getByText("6 done").waitFor();
    assert.deepEqual(await priorities(numbers), [3, 3, 3, 3, 3, 3]);
  });

  it("releases orders as waves, and says which lack stock", async () => {
    const { made, numbers, path } = await orders(2);
    const rare = await item({ sku: "RARE" });
    const name = numbers[0]?.split("-")[0];
    const lacking = await salesOrder(house, [{ item_id: rare.item_id, quantity: 2 }], `${name}-3`);
    const page = await openPage(path);
    await page.getByRole("checkbox", { name: "Select all in sight" }).check();
    await choose(page, "Release as waves");
    await browser.check(page, "bulk-release");
    await submit(page);
    const { said, rows } = await outcome(page);
    assert.equal(said, "2 done · 1 refused");
    assert.deepEqual(rows[0], [lacking.so_number, "Not enough stock: 2 × RARE missing"]);
    const { pick_batches } = await service.admin.ok("GET", `/api/admin/pick-batches?warehouse_id=${house}`);
    assert.deepEqual(pick_batches.at(-1).orders.toSorted(), made.map(({ so_number }) => so_number).toSorted());
  });

  it("prints packing slips, tickets and labels of many", async () => {
    const { numbers, path } = await orders(2);
    const page = await openPage(path);
    await page.getByRole("checkbox", { name: "Select all in sight" }).check();
    await choose(page, "Packing slips");
    const saved = page.waitForEvent("download");
    await submit(page);
    assert.equal((await saved).suggestedFilename(), "packing-slips.pdf");
    assert.equal(readFileSync(await (await saved).path(), "latin1").slice(0, 5), "%PDF-");
    await close(page);
    await page.getByRole("checkbox", { name: "Select all in sight" }).check();
    await choose(page, "Picking tickets");
    await submit(page);
    for (const number of numbers) await page.getByRole("heading", { name: `Picking ticket ${number}` }).waitFor();
    await browser.check(page, "tickets");
    await page.getByRole("button", { name: "Mark as printed" }).click();
    await submit(page);
    await dialog(page).waitFor({ state: "detached" });
    const printed = "select count(*)::int from sales_orders where so_number = any($1) and printed_at is not null";
    assert.equal(await db.value(printed, [numbers]), 2);
  });

  it("archives many items, and makes them active again", async () => {
    const made = [await item({ sku: "OLD-1" }), await item({ sku: "OLD-2" })];
    const active = () =>
      db.value<number>("select count(*)::int from items where is_active and item_id = any($1)", [
        made.map(({ item_id }) => item_id),
      ]);
    await browser.look("bulk-items", { path: "/console/items?q=OLD-", username: admin }, async (page, { language }) => {
      await page.getByRole("checkbox", { name: language === "de" ? "OLD-1 auswählen" : "Select OLD-1" }).check();
      await page.getByText(language === "de" ? "1 ausgewählt" : "1 selected").waitFor();
    });
    const page = await openPage("items?q=OLD-");
    await page.getByRole("checkbox", { name: "Select all in sight" }).check();
    await choose(page, "Print labels");
    const saved = page.waitForEvent("download");
    await submit(page);
    await saved;
    await close(page);
    await page.getByRole("checkbox", { name: "Select all in sight" }).check();
    await choose(page, "Archive");
    await submit(page);
    assert.equal((await outcome(page)).said, "2 done");
    assert.equal(await active(), 0);
    await dialog(page).getByRole("button", { name: "Undo" }).click();
    await dialog(page).getByText("2 put back").waitFor();
    assert.equal(await active(), 2);
  });

  it("decides on many adjustments, and tells it when none is left", async () => {
    for (const change of [-1, -2]) await pendingAdjustment(house, shelf, mug.item_id, change);
    const page = await openPage("review");
    await page.getByRole("checkbox", { name: "Select all in sight" }).check();
    await choose(page, "Reject");
    await submit(page);
    assert.equal((await outcome(page)).said, "2 done");
    await page.getByText("No difference waits for a decision").waitFor({ state: "attached" });
    await close(page);
  });

  it("offers only what the user may do", async () => {
    const { numbers, path } = await orders(1);
    const clerk = await person({ role: "USER", page_keys: ["sales-orders"], warehouse_ids: [house] });
    const page = await openPage(path, clerk.username);
    await select(page, numbers[0] as string).check();
    assert.deepEqual(await bar(page).getByRole("button").allInnerTexts(), [
      ...["Packing slips", "Change ship-by day", "Change priority", "Cancel order", "Clear selection"],
    ]);
    const looker = await person({ role: "USER", page_keys: ["backorders"], warehouse_ids: [house] });
    const other = await openPage("backorders", looker.username);
    await other.getByRole("heading", { name: "Backorders" }).waitFor();
    assert.equal(await other.getByRole("checkbox").count(), 0);
  });
});
