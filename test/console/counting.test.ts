import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { confirmDialog, consoleBrowser, tabTo } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, pendingAdjustment, stock, warehouse } from "../support/fixtures.js";
import { PASSWORD, person, sessionsOf } from "../support/people.js";
import { testService } from "../support/service.js";

describe("the console's pages of counting", () => {
  const service = testService({ worker: true, env: { SERVICE_TEMPORAL_UI_URL: "http://127.0.0.1:8233" } });
  let counter: string;
  let reviewer: string;
  let adjustment: number;
  let count: number;
  let shelf: number;
  before(async () => {
    [counter, reviewer] = [(await person()).username, (await person()).username];
    const warehouse_id = await warehouse();
    shelf = await bin(warehouse_id, { code: "A-01" });
    const mug = await item({ sku: "MUG-1" });
    await stock(warehouse_id, shelf, mug.item_id, 12);
    adjustment = await pendingAdjustment(warehouse_id, shelf, mug.item_id, -1);
    const { counts } = await service.admin.ok("POST", "/api/inventory/cycle-count/create", {
      ...{ warehouse_id, bin_ids: [shelf] },
    });
    count = counts[0].count_id;
    const by = await sessionsOf(() => service).signedIn(counter, PASSWORD);
    const { lines } = await by.ok("GET", `/api/inventory/cycle-count/${count}`);
    const found = [{ count_line_id: lines[0].count_line_id, counted_quantity: 10 }];
    await by.ok("POST", "/api/inventory/cycle-count/submit", { count_id: count, lines: found });
    await db.run(
      `insert into app_settings (key, value) values ('require_count_approval_separation', 'true')
       on conflict (key) do update set value = 'true'`,
    );
  });
  const browser = consoleBrowser(() => service);
  const confirm = (page: Page) => page.getByRole("dialog").locator("[type=submit]").click();

  it("show counts, and what is to be reviewed", async () => {
    for (const [name, path, text] of [
      ["counting-counts", "counts", "^1 line differs$|^1 Position weicht ab$"],
      ["counting-count", `counts/${count}`, "^[-−]2$"],
      ["counting-review", "review", "MUG-1"],
    ] as const)
      await browser.look(name, { path: `/console/${path}`, username: reviewer }, (page) =>
        page.getByRole("main").getByText(new RegExp(text)).first().waitFor(),
      );
  });

  it("refuse the counter, and let somebody else approve by keyboard alone", async () => {
    const path = `/console/counts/${count}`;
    const own = await browser.open({ path, username: counter });
    await own.getByRole("button", { name: "Approve" }).click();
    await confirm(own);
    await own.getByText("You counted this yourself. Somebody else has to approve it.").waitFor();

    const page = await browser.open({ path, username: reviewer });
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await tabTo(page, "Approve");
    await page.keyboard.press("Enter");
    await page.locator(":focus").and(page.locator("[role=dialog] [type=submit]")).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: "Approved" }).waitFor();
    assert.match(
      (await page.getByRole("link", { name: /Temporal UI/ }).getAttribute("href")) ?? "",
      /cycle-count-\d+$/,
    );
    const { inventory } = await service.admin.ok("GET", `/api/admin/bins/${shelf}`);
    assert.equal(inventory[0].quantity_on_hand, 10);
  });

  it("reject an adjustment, and start a count", async () => {
    const page = await browser.open({ path: "/console/review", username: reviewer });
    await page.getByRole("button", { name: "Reject" }).click();
    await confirm(page);
    await page.getByText("No difference waits for a decision").waitFor();
    const status = await db.row("select status from inventory_adjustments where adjustment_id = $1", [adjustment]);
    assert.deepEqual(status, { status: "REJECTED" });

    await page.getByRole("navigation").getByRole("link", { name: "Counts" }).click();
    await page.getByRole("button", { name: "New count" }).click();
    await page.getByRole("dialog").getByRole("combobox", { name: "Bins" }).fill("A-01");
    await page.getByRole("option", { name: "A-01" }).click();
    await browser.check(page, "counting-new");
    await confirm(page);
    await page.getByText("2 found").waitFor();
  });

  it("make a count programme, run it, change it, and show what was seen", async () => {
    const code = await db.value<string>(
      "select warehouse_code from warehouses join bins using (warehouse_id) where bin_id = $1",
      [shelf],
    );
    const page = await browser.open({ path: "/console/count-programmes", username: reviewer });
    await page.getByText("No bins are counted by the clock").waitFor();
    await page.getByRole("button", { name: "New programme" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Counts a day at most").fill("5");
    await dialog.getByLabel("Bins of class C").fill("");
    await dialog.getByLabel(/^Empty bins/).fill("30");
    await browser.check(page, "count-programme-new");
    await confirmDialog(page);
    await page.getByText("Mon Tue Wed Thu Fri · 06:00").waitFor();
    await page.getByRole("link", { name: code as string }).click();
    await page.getByRole("heading", { name: `Count programme ${code}` }).waitFor();
    await page.getByRole("button", { name: "Run now" }).click();
    await confirmDialog(page);
    await page.getByText(/: 0 counts, 0 by doubt, 0 empty; 0 wait/).waitFor();
    await page.getByRole("button", { name: "Change" }).click();
    await dialog.getByLabel("Bins of class C").fill("90");
    await confirmDialog(page);
    await page.getByRole("cell", { name: "90 days" }).nth(1).waitFor();
    await page
      .getByRole("cell", { name: /^1 of 1 · 100 %$/ })
      .first()
      .waitFor();
    const path = new URL(page.url()).pathname;
    await browser.look("count-programme", { path, username: reviewer }, (shown) => shown.getByRole("table").waitFor());
    await browser.look("count-programmes", { path: "/console/count-programmes", username: reviewer }, (shown) =>
      shown
        .getByRole("link", { name: code as string })
        .first()
        .waitFor(),
    );
    await page.getByRole("button", { name: "Pause" }).click();
    await confirmDialog(page);
    await page.getByRole("button", { name: "Resume" }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await confirmDialog(page);
    await page.getByText("No bins are counted by the clock").waitFor();
  });
});
