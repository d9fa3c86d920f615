import assert from "node:assert/strict";
import { sequenceAll } from "../../activities/outbound/sequencer.js";
import { confirmDialog, consoleBrowser, tabTo } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, pendingAdjustment, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { failedPush } from "../support/push-rows.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";
import { subscribe } from "../support/webhooks.js";

describe("the inbox at the desk", () => {
  const service = testService({ worker: true });
  let admin: string;
  let house: number;
  let late: Awaited<ReturnType<typeof salesOrder>>;
  before(async () => {
    admin = (await person()).username;
    const warehouse_id = await warehouse();
    house = warehouse_id;
    const shelf = await bin(warehouse_id);
    const mug = await item({ sku: "MUG-9" });
    await stock(warehouse_id, shelf, mug.item_id, 50);
    const ordered = async (number: string, set: string) => {
      const order = await salesOrder(warehouse_id, [{ item_id: mug.item_id, quantity: 2 }], number);
      await db.run(`update sales_orders set ${set} where so_id = $1`, [order.so_id]);
      return order;
    };
    late = await ordered("SO-7001", "ship_by_date = current_date - 4");
    await ordered("SO-7002", "ship_by_date = current_date - 2");
    await ordered("SO-7003", "hold_reason = 'differs_from_shop'");
    await pendingAdjustment(warehouse_id, shelf, mug.item_id, -3);
    await failedPush(warehouse_id, "shopify");
    const { subscription_id } = await subscribe(service.admin, { display_name: "Acme ERP" });
    await db.run(
      "update webhook_subscriptions set status = 'paused', pause_reason = 'dlq_ceiling' where subscription_id = $1",
      [subscription_id],
    );
  });
  const browser = consoleBrowser(() => service);

  it("names what needs a person, and leads to where it is settled", async () => {
    const visit = { path: "/console/inbox", username: admin };
    await browser.look("inbox", visit, async (page) => {
      for (const label of ["SO-7001", "SO-7003", "Acme ERP"]) await page.getByRole("link", { name: label }).waitFor();
    });
    const page = await browser.open(visit);
    await page.getByRole("link", { name: "Inbox 6 wait" }).waitFor();
    await page.getByRole("table", { name: "Late orders" }).getByRole("link", { name: "SO-7001" }).click();
    await page.waitForURL(new RegExp(`/console/orders/${late.so_id}$`));
  });

  it("says why in the words of the reader", async () => {
    const page = await browser.open({ path: "/console/inbox", username: admin, language: "de" });
    const table = page.getByRole("table", { name: "Shops, die von einem Versand nichts wissen" });
    await table.getByText(/^Sendung · Die Quelle antwortete/).waitFor();
    // Nobody has taken one.
    assert.equal(await table.getByRole("columnheader", { name: "Übernommen von" }).count(), 0);
  });

  it("says which warehouse an entry is of, while all are looked at, and who opened it by full name", async () => {
    const { username } = await person({ full_name: "Grace Hopper" });
    const sql = "insert into recalls (reason, opened_by) values ('Sharp rims', $1) returning recall_id";
    const recall_id = await db.value<number>(sql, [username]);
    const code = `${await db.value("select warehouse_code from warehouses where warehouse_id = $1", [house])}`;
    await warehouse();
    const page = await browser.open({ path: "/console/inbox", username: admin });
    const cell = (table: string, name: string) => page.getByRole("table", { name: table }).getByRole("cell", { name });
    await cell("Late orders", code).first().waitFor();
    await cell("Open recalls", "Grace Hopper").waitFor();
    await db.run("delete from recalls where recall_id = $1", [recall_id]);
  });

  it("does the next step of an entry in its row, and says so with a link", async () => {
    const page = await browser.open({ path: "/console/inbox", username: admin });
    const rowOf = (label: string) => page.getByRole("row").filter({ hasText: label });
    const step = async (label: string, name: string) => {
      await rowOf(label).getByRole("button", { name, exact: true }).click();
      await confirmDialog(page);
    };
    const { so_id } = await salesOrder(house, [], "SO-7004");
    await db.run("update sales_orders set hold_reason = 'differs_from_shop' where so_id = $1", [so_id]);
    await page.reload();
    await step("SO-7004", "Release");
    await rowOf("SO-7004").waitFor({ state: "detached" });
    const said = page.getByRole("status").getByRole("link", { name: /SO-7004/ });
    await said.click();
    await page.waitForURL(new RegExp(`/console/orders/${so_id}$`));
    assert.equal(await db.value("select hold_reason from sales_orders where so_id = $1", [so_id]), null);
    await page.goto(`${service.url}/console/inbox`);
    await rowOf("MUG-9").getByRole("button", { name: "Reject" }).waitFor();
    await rowOf("Acme ERP").getByRole("button", { name: "Resume" }).waitFor();
    await rowOf("SO-7001").getByRole("button", { name: "Change ship-by day" }).click();
    await page.getByRole("dialog").getByLabel("To be shipped until").fill("2100-01-01");
    await confirmDialog(page);
    await rowOf("SO-7001").waitFor({ state: "detached" });
    await service.admin.ok("PUT", `/api/admin/sales-orders/${late.so_id}`, { ship_by_date: "2026-01-01" });
  });

  it("offers the steps that the user may take alone", async () => {
    const { username } = await person({ role: "USER", warehouse_ids: [house], page_keys: ["adjustments"] });
    const page = await browser.open({ path: "/console/inbox", username });
    const row = page.getByRole("row").filter({ hasText: "MUG-9" });
    await row.getByRole("button", { name: "Take" }).waitFor();
    assert.equal(await row.getByRole("button", { name: "Approve" }).count(), 0);
    const seller = await person({ role: "USER", warehouse_ids: [house], page_keys: ["sales-orders"] });
    const { so_id } = await salesOrder(house, [], "SO-7005");
    const set = "status = 'PICKED', ship_by_date = current_date - 1";
    await db.run(`update sales_orders set ${set} where so_id = $1`, [so_id]);
    const orders = await browser.open({ path: "/console/inbox", username: seller.username });
    const rowOf = (label: string) => orders.getByRole("row").filter({ hasText: label });
    await rowOf("SO-7002").getByRole("button", { name: "Change ship-by day" }).waitFor();
    await rowOf("SO-7005").getByText("Picked").waitFor();
    assert.equal(await rowOf("SO-7005").getByRole("button", { name: "Change ship-by day" }).count(), 0);
    await db.run("update sales_orders set ship_by_date = null where so_id = $1", [so_id]);
  });

  it("lets somebody take an entry and put another off, by keyboard alone", async () => {
    const page = await browser.open({ path: "/console/inbox", username: admin });
    const rowOf = (label: string) => page.getByRole("row").filter({ hasText: label });
    await rowOf("SO-7001").waitFor();
    await tabTo(page, "Take");
    await page.keyboard.press("Enter");
    await rowOf("SO-7001").getByText(admin).waitFor();
    await rowOf("SO-7001").getByRole("button", { name: "Give back" }).waitFor();
    await rowOf("SO-7002").getByRole("button", { name: "Put off" }).click();
    await confirmDialog(page);
    await rowOf("SO-7002").waitFor({ state: "detached" });
    await page.getByLabel("Shown").selectOption("mine");
    await rowOf("SO-7001").waitFor();
    await rowOf("SO-7003").waitFor({ state: "detached" });
    await page.getByLabel("Shown").selectOption("snoozed");
    await rowOf("SO-7002").getByRole("button", { name: "Show again" }).click();
    await page.getByText("Nothing needs you now").waitFor();
    await page.getByLabel("Shown").selectOption("");
    await rowOf("SO-7002").waitFor();
  });

  it("keeps the list of what became of a part until it is closed, though nothing is left in the part", async () => {
    const page = await browser.open({ path: "/console/inbox", username: admin });
    const dialog = page.getByRole("dialog");
    const part = page.getByRole("heading", { name: "Late orders" });
    await page.getByRole("table", { name: "Late orders" }).getByLabel("Select all").check();
    await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Put off" }).click();
    await dialog.locator("[type=submit]").click();
    await dialog.getByRole("status").getByText("2 done").waitFor();
    await part.waitFor({ state: "hidden" });
    await dialog.getByRole("cell", { name: "SO-7001" }).waitFor();
    await browser.check(page, "inbox-put-off");
    await dialog.getByRole("button", { name: "Undo" }).click();
    await part.waitFor();
    await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
    await page.getByRole("table", { name: "Late orders" }).getByRole("link", { name: "SO-7002" }).waitFor();
  });

  it("is not for who has no page at all", async () => {
    const { username } = await person({ role: "USER", warehouse_ids: [await warehouse()] });
    const page = await browser.open({ path: "/console/", username });
    await page.getByRole("navigation").waitFor();
    await page.getByText("No page of the console was granted").first().waitFor();
  });

  it("tells by the browser that more waits, if it is wanted and allowed", async () => {
    const page = await browser.open({ path: "/console/inbox", username: admin });
    const alerts = page.getByRole("switch", { name: "Notify me in the browser" });
    await alerts.click();
    await page.getByRole("alert").getByText("The browser does not allow it.").waitFor();
    assert.equal(await alerts.isChecked(), false);
    await page.context().grantPermissions(["notifications"]);
    await alerts.click();
    await page.locator("input[role=switch]:checked").waitFor();
    // A headless browser shows none, so what it was asked for is kept.
    await page.evaluate(`
      window.shown = [];
      window.Notification = class { constructor(title, { body }) { window.shown.push(title + ": " + body); } };
      window.Notification.permission = "granted"`);
    await page.getByRole("link", { name: "The day" }).click();
    await page.getByRole("heading", { level: 1, name: "The day at a glance" }).waitFor();
    const { so_id } = await salesOrder(house, [], "SO-7009");
    await db.run("update sales_orders set hold_reason = 'differs_from_shop' where so_id = $1", [so_id]);
    await service.admin.ok("PUT", `/api/admin/sales-orders/${so_id}`, { memo: "Ring twice" });
    await sequenceAll();
    await until(async () => (await page.evaluate("window.shown.length")) === 1);
    assert.match(await page.evaluate<string>("window.shown[0]"), /^Inbox: \d+ wait$/);
  });
});
