import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { confirmDialog, consoleBrowser, tabTo } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { replenishmentTask, waitingWave } from "../support/replenishments.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

describe("the desk's pages of picking and of the counter", () => {
  const service = testService({ worker: true, env: { SERVICE_TEMPORAL_UI_URL: "http://127.0.0.1:8233" } });
  let username: string;
  let warehouse_id: number;
  let item_id: number;
  before(async () => {
    username = (await person()).username;
    warehouse_id = await warehouse();
    item_id = (await item({ sku: "MUG-1" })).item_id;
    await stock(warehouse_id, await bin(warehouse_id), item_id, 100);
  });
  const browser = consoleBrowser(() => service);

  const ordered = (quantity: number, so_number?: string) =>
    salesOrder(warehouse_id, [{ item_id, quantity }], so_number);
  /** Orders of an item of their own, whose bin nobody has doubts about, shipped by one method. */
  async function shippedBy(ship_method: string, ...quantities: number[]) {
    const goods = await item();
    await stock(warehouse_id, await bin(warehouse_id), goods.item_id, 10);
    for (const quantity of quantities) {
      const { so_id } = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity }]);
      await db.run("update sales_orders set ship_method = $2 where so_id = $1", [so_id, ship_method]);
    }
    return goods;
  }
  const look = (picture: string, path: string, ready: (page: Page) => Promise<unknown>) =>
    browser.look(picture, { path: `/console/${path}`, username }, ready);

  /** A wave over two orders, with its first task picked short. */
  async function wave() {
    const orders = [await ordered(2), await ordered(3)];
    const { batch_id, tasks } = await service.admin.ok("POST", "/api/picking/create-batch", {
      so_identifiers: orders.map(({ so_number }) => so_number),
      warehouse_id,
    });
    const { pick_task_id } = tasks[0];
    await service.admin.ok("POST", "/api/picking/short", { pick_task_id, quantity_available: 1 });
    return batch_id as number;
  }
  it("show waves with their progress, and cancel one", async () => {
    const batch_id = await wave();
    await look("waves", "waves", (page) => page.getByText("1 of 2").or(page.getByText("1 von 2")).waitFor());
    const workflow = (page: Page) => page.getByRole("link", { name: /Temporal/ });
    await look("wave", `waves/${batch_id}`, (page) => workflow(page).waitFor());
    await look("short-picks", "short-picks", (page) => page.getByRole("link", { name: "MUG-1" }).waitFor());
    const page = await browser.open({ path: `/console/waves/${batch_id}`, username });
    assert.match((await workflow(page).getAttribute("href")) ?? "", new RegExp(`/pick-wave-${batch_id}$`));
    await tabTo(page, "Cancel wave");
    await page.keyboard.press("Enter");
    await page.locator("[role=dialog] [type=submit]").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Cancelled").first().waitFor();
  });

  it("plan waves, and release what was planned", async () => {
    const { sku, item_id: vans } = await shippedBy("Van", 2, 500);
    await stock(warehouse_id, await bin(warehouse_id, { type: "Staging" }), vans, 7);
    const page = await browser.open({ path: "/console/waves", username });
    await page.getByRole("link", { name: "Plan waves" }).click();
    await page.getByLabel("Ship method").fill("Balloon");
    await page.getByRole("button", { name: "Plan", exact: true }).click();
    await page.getByText("No order that can be picked is like that.").waitFor();
    await page.getByLabel("Ship method").fill("van");
    await page.getByRole("button", { name: "Plan", exact: true }).click();
    await page.getByText("1 of 2 orders can be picked: 2 pcs in 1 wave.").waitFor();
    await page.getByText(`492 × ${sku}`).waitFor();
    await page.getByText(`${sku} is there, but: 7 still to be put away.`).waitFor();
    await page.getByLabel("Priority at least").fill("9");
    await page.getByRole("button", { name: "Plan", exact: true }).click();
    await page.getByText("No order that can be picked is like that.").waitFor();
    await page.getByLabel("Priority at least").fill("");
    await page.getByRole("button", { name: "Plan", exact: true }).click();
    await page.getByText("1 of 2 orders can be picked").waitFor();
    await page.getByLabel("Together").selectOption({ label: "to be shipped by one day" });
    await page.getByRole("button", { name: "Plan", exact: true }).click();
    await page.getByText("1 of 2 orders can be picked").waitFor();
    await page.getByRole("button", { name: "Release all: 1 wave" }).click();
    await page.getByText("1 wave waits for pickers.").waitFor();
    await page.getByRole("link", { name: "To the waves" }).click();
    const row = page.getByRole("row").filter({ hasText: "waits for a picker" });
    await row.getByRole("link").click();
    await page.getByRole("main").getByText("waits for a picker").waitFor();
    // Nobody picks it, so no process is there to be looked at.
    assert.equal(await page.getByRole("link", { name: /Temporal/ }).count(), 0);
    await page.goto(`${service.url}/console/day`);
    await page.getByRole("link", { name: "1 wave waits for a picker" }).waitFor();
    await look("plan-waves", "waves/plan", (page) => page.getByRole("heading", { level: 1 }).waitFor());
  });

  it("release the waves of a plan that are chosen, and give them to a picker at once", async () => {
    await shippedBy("Barge", 1, 1, 1);
    const page = await browser.open({ path: "/console/waves/plan", username });
    await page.getByLabel("Ship method").fill("Barge");
    await page.getByLabel("Orders of a wave at most").fill("1");
    await page.getByRole("button", { name: "Plan", exact: true }).click();
    await page.getByText("3 of 3 orders can be picked: 3 pcs in 3 waves.").waitFor();
    const planned = page.getByRole("table", { name: "What would be released" });
    const dialog = page.getByRole("dialog");
    const release = async (wave: string, to: string) => {
      await planned.getByRole("checkbox", { name: `Select ${wave}` }).check();
      await page.getByRole("button", { name: "Release these waves" }).click();
      await dialog.getByLabel("Picker").selectOption({ value: to });
      await dialog.locator("[type=submit]").click();
      await dialog.getByText("1 done").waitFor();
      await dialog.getByRole("button", { name: "Close" }).last().click();
      await planned.getByRole("row", { name: wave }).waitFor({ state: "detached" });
    };
    await release("Wave 2", String(service.admin.userId));
    await page.getByText("1 wave is for admin.").waitFor();
    await release("Wave 3", "");
    await page.getByText("1 wave waits for pickers. 1 wave is for admin.").waitFor();
    await planned.getByRole("row", { name: "Wave 1" }).waitFor();
    const released = page.getByRole("table", { name: "Released waves" });
    assert.equal(await released.getByRole("link", { name: /^WAVE-/ }).count(), 2);
    await released.getByRole("row", { name: "WAVE-" }).filter({ hasText: "admin" }).waitFor();
    await browser.check(page, "plan-released");
    // Without a printer paper is still to be had.
    await released
      .getByRole("checkbox", { name: /^Select WAVE-/ })
      .first()
      .check();
    await page.getByRole("button", { name: "Picking tickets" }).click();
    await dialog.getByText("No printer prints this by default: each is saved as a file (PDF).").waitFor();
    const [file] = await Promise.all([page.waitForEvent("download"), dialog.locator("[type=submit]").click()]);
    assert.match(file.suggestedFilename(), /\.pdf$/);
    await dialog.getByText("1 done").waitFor();
    const open = await db.rows<{ batch_id: number; assigned_to: string | null }>(
      `select batch_id, assigned_to
       from pick_batches join pick_batch_orders using (batch_id) join sales_orders using (so_id)
       where ship_method = 'Barge' order by batch_id`,
    );
    assert.deepEqual(
      open.map(({ assigned_to }) => assigned_to),
      ["admin", null],
    );
    for (const { batch_id } of open) await service.admin.ok("POST", `/api/admin/pick-batches/${batch_id}/delete`, {});
  });

  it("show who picks what, give a wave to a picker and take it back, and show those that ended", async () => {
    await shippedBy("Sled", 2);
    const filter = { ship_method: "Sled" };
    const { batches } = await service.admin.ok("POST", "/api/admin/waves/release", { warehouse_id, filter });
    const [{ batch_id, batch_number }] = batches;
    const page = await browser.open({ path: "/console/waves/board", username });
    await page.getByText(/^Free: .*\badmin\b/).waitFor();
    await page.getByRole("link", { name: /^\d waves wait for a picker$/ }).waitFor();
    await page.goto(`${service.url}/console/waves/${batch_id}`);
    await page.getByRole("button", { name: "Assign" }).click();
    const picker = page.getByRole("dialog").getByLabel("Picker");
    // Nobody is chosen by chance.
    assert.equal(await picker.inputValue(), "");
    await picker.selectOption({ value: String(service.admin.userId) });
    await confirmDialog(page);
    await page.goto(`${service.url}/console/waves/board`);
    const card = page.getByRole("article", { name: "admin" });
    await card.getByRole("link", { name: batch_number }).waitFor();
    await card.getByText("0 of 1").waitFor();
    const other = await person({
      ...{ full_name: "Bob Other", role: "USER" as const },
      ...{ warehouse_ids: [warehouse_id], allowed_functions: ["pick" as const] },
    });
    const handOver = async (from: string, to: number) => {
      const button = page.getByRole("article", { name: from }).getByRole("button", { name: "Hand over" });
      await page.reload();
      await button.click();
      await page
        .getByRole("dialog")
        .getByLabel("Picker")
        .selectOption({ value: String(to) });
      await confirmDialog(page);
      await button.waitFor({ state: "detached" });
    };
    await handOver("admin", other.user_id);
    await handOver("Bob Other", service.admin.userId);
    await db.run("update pick_batches set started_at = now() - interval '12 minutes' where batch_id = $1", [batch_id]);
    await look("pick-board", "waves/board", (shown) => shown.getByText(/12 min/).waitFor());
    await card.getByRole("link", { name: batch_number }).click();
    await page.getByRole("button", { name: "Give back" }).click();
    await confirmDialog(page);
    await page.getByRole("button", { name: "Assign" }).waitFor();
    await service.admin.ok("POST", `/api/admin/pick-batches/${batch_id}/delete`, {});
    await page.goto(`${service.url}/console/waves/history?status=CANCELLED`);
    await page.getByRole("link", { name: batch_number }).waitFor();
    await look("wave-history", "waves/history", (shown) => shown.getByRole("link", { name: batch_number }).waitFor());
  });

  it("hand a wave over whose picker is missing, from the board and from the list, and print its tickets", async () => {
    await shippedBy("Scooter", 2);
    const filter = { ship_method: "Scooter" };
    const { batches } = await service.admin.ok("POST", "/api/admin/waves/release", { warehouse_id, filter });
    const [{ batch_id, batch_number }] = batches;
    const assign = { user_id: service.admin.userId };
    await service.admin.ok("POST", `/api/admin/pick-batches/${batch_id}/assign`, assign);
    const [missing, present] = [await person({ full_name: "Mia Missing" }), await person({ full_name: "Pia Present" })];
    const page = await browser.open({ path: "/console/waves/board", username });
    const goTo = (name: string) => page.getByRole("dialog").getByLabel("Picker").selectOption({ label: name });
    const card = (name: string) => page.getByRole("article", { name });
    await card("admin").getByRole("button", { name: "Hand over" }).click();
    assert.equal(await page.getByRole("dialog").getByRole("option", { name: "admin", exact: true }).count(), 0);
    await goTo("Mia Missing");
    await confirmDialog(page);
    await card("Mia Missing").getByRole("link", { name: batch_number }).waitFor();
    assert.ok(missing.username !== present.username);
    await page.goto(`${service.url}/console/waves`);
    await page.getByRole("checkbox", { name: batch_number }).check();
    await page.getByRole("button", { name: "Hand over" }).click();
    await goTo("Pia Present");
    await page.getByRole("dialog").getByRole("button", { name: "Hand over" }).click();
    const row = page.getByRole("row").filter({ hasText: batch_number });
    await row.getByText("Pia Present").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click();
    await row.getByText("Mia Missing").waitFor();
    assert.equal(await row.getByTitle(missing.username).textContent(), "Mia Missing");
    await page.goto(`${service.url}/console/waves/${batch_id}`);
    await page.getByRole("button", { name: "Hand over" }).waitFor();
    await page.getByRole("button", { name: "Picking tickets" }).click();
    const file = await page.getByRole("menuitem", { name: "As a page (PDF)" }).getAttribute("href");
    assert.match(file ?? "", /^\/api\/admin\/picking-tickets\?so_ids=\d+&format=pdf$/);
  });

  it("give many waves to a picker at once, and take them back", async () => {
    await shippedBy("Skates", 1, 1);
    const asked = { warehouse_id, filter: { ship_method: "Skates" }, group: { max_orders: 1 } };
    const { batches } = await service.admin.ok("POST", "/api/admin/waves/release", asked);
    const page = await browser.open({ path: "/console/waves", username });
    for (const { batch_number } of batches) await page.getByRole("checkbox", { name: batch_number }).check();
    await page.getByRole("button", { name: "Assign" }).click();
    await page
      .getByRole("dialog")
      .getByLabel("Picker")
      .selectOption({ value: String(service.admin.userId) });
    await page.getByRole("dialog").getByRole("button", { name: "Assign" }).click();
    const assigned = () =>
      db.value<number>("select count(*)::int from pick_batches where batch_id = any($1) and assigned_to = 'admin'", [
        batches.map(({ batch_id }: { batch_id: number }) => batch_id),
      ]);
    await until(async () => (await assigned()) === 2);
    await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click();
    await until(async () => (await assigned()) === 0);
  });

  it("show orders that wait for a pick face, and take them back", async () => {
    const waiting_id = await waitingWave({ warehouse_id, by: service.admin });
    const page = await browser.open({ path: "/console/waves", username });
    await page.getByRole("heading", { name: "Wait for a pick face" }).waitFor();
    await page.getByRole("button", { name: "Take back" }).click();
    await confirmDialog(page);
    await page.getByRole("heading", { name: "Wait for a pick face" }).waitFor({ state: "detached" });
    assert.equal(await db.value("select count(*)::int from waves_waiting where waiting_id = $1", [waiting_id]), 0);
  });

  it("show what is to be carried to pick faces, and cancel it", async () => {
    const { sku } = await replenishmentTask({ warehouse_id, by: service.admin });
    const shown = (page: Page) => page.getByRole("row").filter({ hasText: sku });
    await look("replenishment", "replenishment", (page) => shown(page).waitFor());
    const page = await browser.open({ path: "/console/replenishment", username });
    await shown(page).getByText("0 of 10").waitFor();
    await shown(page).getByRole("button", { name: "Cancel task" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel task" }).click();
    await shown(page).getByText("Cancelled", { exact: true }).waitFor();
    await page.getByLabel("Status").selectOption("Done");
    await shown(page).first().waitFor({ state: "detached" });
  });

  it("say in the reader's language what the orders of a wave have in common", async () => {
    await shippedBy("Rickshaw", 1);
    const page = await browser.open({ path: "/console/waves/plan", username, language: "de" });
    await page.getByLabel("Versandart").fill("Rickshaw");
    await page.getByLabel("Zusammen").selectOption("mit einer Position für sich");
    await page.getByRole("button", { name: "Planen" }).click();
    await page.getByRole("cell", { name: "eine Position" }).waitFor();
  });

  it("make a template of waves, run it, and pause it", async () => {
    const page = await browser.open({ path: "/console/wave-templates", username });
    await page.getByRole("button", { name: "New template" }).click();
    const dialog = page.locator("[role=dialog]");
    await dialog.getByLabel("Name").fill("Parcels");
    await dialog.getByLabel("Times").fill("9:30, 14.00");
    await dialog.getByLabel(/^Cut-off/).fill("60");
    await dialog.getByLabel("Ship method").fill("Bicycle");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByText(/Mon Tue Wed Thu Fri · 09:30, 14:00 · cut-off 60 min later/).waitFor();
    await page.getByText("Bicycle · 20 orders at most").waitFor();
    const runs = (await page.getByRole("link", { name: "Runs in the Temporal UI" }).getAttribute("href")) ?? "";
    assert.match(decodeURIComponent(runs), /\/workflows\?query=TemporalScheduledById="wave-release-\d+"$/);
    await shippedBy("Bicycle", 2);
    await page.getByRole("button", { name: "Run now" }).click();
    await dialog.getByRole("button", { name: "Run now" }).click();
    await page.getByText(/1 order in 1 wave, 0 short of stock/).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await dialog.getByRole("button", { name: "Pause" }).click();
    // Until the dialog has closed, its button says so, too.
    await page.getByRole("table").getByRole("button", { name: "Resume" }).waitFor();
    await page.getByText("paused").waitFor();
    await look("wave-templates", "wave-templates", (page) => page.getByText("Parcels").first().waitFor());
  });

  it("edit a template of waves, and keep what the page does not know", async () => {
    const filter = { ship_method: "Train", min_priority: 3, has_lot: false };
    const { template_id } = await service.admin.ok("POST", "/api/admin/wave-templates", {
      ...{ warehouse_id, template_name: "By rail", days: [6], times: ["06:15"], ship_within_days: 2 },
      plan: { combine: false, filter, group: { by: "zone", max_orders: 5, max_units: 60 } },
    });
    const page = await browser.open({ path: "/console/wave-templates", username });
    const row = page.getByRole("row").filter({ hasText: "By rail" });
    await row
      .getByText("to be shipped within 2 days · Train · priority 3 at least · further conditions · of one zone")
      .waitFor();
    await row.getByRole("button", { name: "Edit" }).click();
    const dialog = page.locator("[role=dialog]");
    await dialog.getByLabel("Times").fill("06:15, noon");
    await dialog.getByRole("button", { name: "Save" }).click();
    assert.equal(await dialog.locator("input:invalid").getAttribute("name"), "times");
    await dialog.getByLabel("Times").fill("06:15, 12:00");
    await dialog.getByLabel("Sun").check();
    await dialog.getByLabel("Together").selectOption("near each other");
    await dialog.getByRole("button", { name: "Save" }).click();
    await row.getByText("06:15, 12:00").waitFor();
    const { days, times, ship_within_days, plan } = await service.admin.ok(
      "GET",
      `/api/admin/wave-templates/${template_id}`,
    );
    assert.deepEqual(
      { days, times, ship_within_days, plan },
      {
        ...{ days: [6, 7], times: ["06:15", "12:00"], ship_within_days: 2 },
        plan: { combine: false, filter, group: { max_orders: 5, max_units: 60 } },
      },
    );
    await db.run("update warehouses set is_active = false where warehouse_id = $1", [warehouse_id]);
    await page.reload();
    await row.getByText("not while its warehouse is inactive").waitFor();
    await row.getByRole("button", { name: "Run now" }).click();
    await dialog.getByRole("button", { name: "Run now" }).click();
    await dialog.getByText("The warehouse is not active: no waves are released in it.").waitFor();
    await db.run("update warehouses set is_active = true where warehouse_id = $1", [warehouse_id]);
  });

  it("show what the tills took, in the company's currency, once the setting says so", async () => {
    const hidden = await browser.open({ path: "/console/waves", username });
    await hidden.getByRole("button", { name: "Sales" }).click();
    await hidden.getByRole("link", { name: "Shipments" }).waitFor();
    assert.equal(await hidden.getByRole("link", { name: "Counter sales" }).count(), 0);
    const set = (settings: object) => service.admin.ok("PUT", "/api/admin/settings", { settings });
    await set({ pos_activity_enabled: "true", company_currency: "EUR" });
    const { so_id } = await ordered(1, "POS-1");
    await db.run(
      `with o as (update sales_orders set order_source = 'pos', status = 'SHIPPED' where so_id = $1)
       insert into counter_bookings
         (so_id, is_refund, cashier_id, warehouse_id, terminal_id, total_cents, payment_method)
       values ($1, false, 'ann', $2, 'TILL-1', 1990, 'card')`,
      [so_id, warehouse_id],
    );
    await look("counter-sales", "counter-sales", async (page) => {
      await page.getByRole("link", { name: "POS-1" }).waitFor();
      await page.locator(".recharts-surface").nth(1).waitFor();
      await page.getByText(/€/).first().waitFor();
    });
  });
});
