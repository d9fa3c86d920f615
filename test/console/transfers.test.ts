import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Caller } from "../support/caller.js";
import { choose, consoleBrowser, tabTo } from "../support/console.js";
import { PASSWORD, person, sessionsOf } from "../support/people.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { walk as begin, confirm as pick, type Sites, transferOrder, twoSites } from "../support/transfers.js";

describe("the console's pages of transfers", () => {
  const service = testService({ worker: true, env: { SERVICE_TEMPORAL_UI_URL: "http://127.0.0.1:8233" } });
  let picker: string;
  let approver: string;
  let byPicker: Caller;
  let at: Sites;
  let sku: string;
  let item_id: number;
  before(async () => {
    [picker, approver] = [(await person()).username, (await person()).username];
    byPicker = await sessionsOf(() => service).signedIn(picker, PASSWORD);
    at = await twoSites();
    ({ sku, item_id } = await at.goods(20));
  });
  const browser = consoleBrowser(() => service);
  const confirm = (page: Page) => page.getByRole("dialog").locator("[type=submit]").click();

  /** Makes an order by keyboard alone, and gives its page. */
  async function made(): Promise<{ page: Page; to_id: number }> {
    const page = await browser.open({ path: "/console/transfer-orders/new", username: picker });
    await page.locator("select[name=source]").selectOption(String(at.source));
    await page.locator("select[name=destination]").selectOption(String(at.destination));
    await tabTo(page, /^Item$/);
    await choose(page, sku);
    await tabTo(page, /^Quantity/);
    await page.keyboard.type("10");
    await tabTo(page, "Create transfer order");
    await page.keyboard.press("Enter");
    await page.waitForURL(/transfer-orders\/\d+$/);
    return { page, to_id: Number(page.url().split("/").at(-1)) };
  }

  /** Picks so many units on the walk that the page began, and submits them. */
  async function walk(page: Page, to_id: number, units: number): Promise<void> {
    await page.getByRole("button", { name: "Start picking" }).click();
    await confirm(page);
    await page
      .getByRole("cell", { name: /BATCH-TO-/ })
      .first()
      .waitFor();
    const { walks } = await byPicker.ok("GET", `/api/admin/transfer-orders/${to_id}`);
    const { tasks } = await byPicker.ok("GET", `/api/picking/batch/${walks.at(-1).batch_id}`);
    await pick(byPicker, tasks[0], units);
  }

  it("walk an order: a part is rejected and submitted again, then approved, and the rest given up", async () => {
    const { page, to_id } = await made();
    await walk(page, to_id, 6);
    await page.reload();
    await page.getByRole("button", { name: "Submit picks" }).click();
    await confirm(page);
    await page.getByRole("button", { name: "Approve" }).click();
    await confirm(page);
    await page.getByText("You submitted this yourself. Somebody else has to approve it.").waitFor();

    const other = await browser.open({ path: `/console/transfer-orders/${to_id}`, username: approver });
    await other.getByRole("button", { name: "Reject" }).click();
    await other.getByLabel("Reason").fill("two are wet");
    await confirm(other);
    await other.getByRole("cell", { name: "two are wet" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Submit picks" }).click();
    await confirm(page);
    await browser.look("transfers-order", { path: `/console/transfer-orders/${to_id}`, username: approver }, (page) =>
      page.getByText("two are wet").waitFor(),
    );

    await other.reload();
    await other.getByRole("button", { name: "Approve" }).waitFor();
    await tabTo(other, "Approve");
    await other.keyboard.press("Enter");
    await other.locator(":focus").and(other.locator("[role=dialog] [type=submit]")).waitFor();
    await other.keyboard.press("Enter");
    await other.getByRole("dialog").waitFor({ state: "hidden" });
    await other.getByRole("button", { name: "Close short" }).click();
    await confirm(other);
    await other.getByText("Closed", { exact: true }).waitFor();
    const { transfer_order, lines, approvals } = await service.admin.ok("GET", `/api/admin/transfer-orders/${to_id}`);
    assert.deepEqual([transfer_order.status, lines[0].approved_qty], ["CLOSED", 6]);
    assert.deepEqual(pluck(approvals, "status"), ["REJECTED", "APPROVED"]);
  });

  it("list what was picked, of which some lines are approved and the others go on waiting", async () => {
    const goods = [await at.goods(5, "LOT-B"), await at.goods(7)];
    const lines = goods.map(({ item_id }, i) => ({ item_id, quantity: i === 0 ? 5 : 7 }));
    const order = await transferOrder(byPicker, at, lines);
    const { batch_id, tasks } = await begin(byPicker, order.to_id);
    for (const task of tasks) await pick(byPicker, task, task.sku === goods[0]?.sku ? 5 : 7);
    await byPicker.ok("POST", "/api/picking/complete-batch", { batch_id });
    const page = await browser.open({ path: `/console/transfer-orders/${order.to_id}`, username: approver });
    await page.getByText(new RegExp(`5 × ${goods[0]?.sku} from .* · LOT-B`)).waitFor();
    await page.getByText(new RegExp(`7 × ${goods[1]?.sku} from `)).waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("checkbox", { name: `7 × ${goods[1]?.sku}` }).uncheck();
    await browser.check(page, "transfers-approve-lines");
    await confirm(page);
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    const { approvals } = await order.read();
    assert.deepEqual(
      approvals.map((one: { status: string; lines: { sku: string }[] }) => [
        one.status,
        ...one.lines.map((l) => l.sku),
      ]),
      [
        ["APPROVED", goods[0]?.sku],
        ["PENDING", goods[1]?.sku],
      ],
    );
    await page.getByRole("button", { name: "Approve" }).click();
    await confirm(page);
    await page.getByText("Closed", { exact: true }).waitFor();
  });

  it("import an order, name the rows that are wrong, and cancel and delete it", async () => {
    const page = await browser.open({ path: "/console/transfer-orders/import", username: picker });
    const file = (text: string) => ({ name: "to.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    await page.locator("select[name=source]").selectOption(String(at.source));
    await page.locator("select[name=destination]").selectOption(String(at.destination));
    await page.locator("input[type=file]").setInputFiles(file("sku,quantity\nNOBODY,1\n"));
    await page.getByRole("button", { name: "Check the file" }).click();
    await page.getByText("There is no item NOBODY.").waitFor();
    await browser.check(page, "transfers-import");
    await page.locator("input[type=file]").setInputFiles(file(`sku,quantity\n${sku},1.000\n`));
    await page.getByRole("button", { name: "Check the file" }).click();
    await page.getByText('quantity: "1.000" has to be digits alone, such as 1000').waitFor();
    await page.locator("input[type=file]").setInputFiles(file(`sku,quantity\n${sku},2\n`));
    await page.getByRole("button", { name: "Check the file" }).click();
    await page.getByText("Lines that the order would have: 1").waitFor();
    await page.getByRole("button", { name: "Import" }).click();
    await page.waitForURL(/transfer-orders\/\d+$/);
    await page.getByRole("button", { name: "Cancel order" }).click();
    await confirm(page);
    await page.getByRole("button", { name: "Delete" }).click();
    await confirm(page);
    await page.waitForURL(/transfer-orders$/);
  });

  it("move stock between warehouses, and list orders and moves", async () => {
    const page = await browser.open({ path: "/console/moves", username: picker });
    await page.getByRole("button", { name: "Move stock" }).click();
    const dialog = page.getByRole("dialog");
    const codeOf = async (bin_id: number) => (await service.admin.ok("GET", `/api/admin/bins/${bin_id}`)).bin.bin_code;
    for (const [label, text] of [
      ["Item", sku],
      ["From bin", await codeOf(at.bin_id)],
      ["To bin", await codeOf(at.staging)],
    ] as const) {
      await dialog.getByRole("combobox", { name: label }).fill(text);
      await page.getByRole("option", { name: new RegExp(text) }).click();
    }
    await dialog.getByLabel("Quantity").fill("3");
    await confirm(page);
    await page.getByRole("cell", { name: "3", exact: true }).waitFor();
    const { inventory } = await service.admin.ok("GET", `/api/admin/items/${item_id}`);
    assert.ok(inventory.some(({ bin_id }: { bin_id: number }) => bin_id === at.staging));
    for (const path of ["moves", "transfer-orders", "transfer-orders/new"])
      await browser.look(
        `transfers-${path.replace("/", "-")}`,
        { path: `/console/${path}`, username: picker },
        (page) => page.getByRole("heading", { level: 1 }).waitFor(),
      );
  });
});
