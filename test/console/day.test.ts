import assert from "node:assert/strict";
import { sequenceAll } from "../../activities/outbound/sequencer.js";
import { consoleBrowser, tabTo } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";
import { delivery, subscribe } from "../support/webhooks.js";

describe("the day at the desk", () => {
  const service = testService({ worker: true });
  let admin: string;
  let order: Awaited<ReturnType<typeof salesOrder>>;
  let late: typeof order;
  let shelf: number;
  let warehouse_id: number;
  before(async () => {
    admin = (await person()).username;
    warehouse_id = await warehouse();
    const mug = await item({ sku: "MUG-1" });
    shelf = await bin(warehouse_id);
    await stock(warehouse_id, shelf, mug.item_id, 50);
    const ordered = (number: string) => salesOrder(warehouse_id, [{ item_id: mug.item_id, quantity: 2 }], number);
    order = await ordered("SO-2001");
    const second = await ordered("SO-2002");
    late = await ordered("SO-2003");
    await db.run("update sales_orders set ship_by_date = '2026-01-05' where so_id = $1", [late.so_id]);
    const held = await ordered("SO-2004");
    await db.run("update sales_orders set status = 'FRAUD_REVIEW' where so_id = $1", [held.so_id]);
    const picker = await service.user({ username: "petra", warehouse_ids: [warehouse_id] });
    await picker.ok("POST", "/api/picking/wave-create", { so_ids: [order.so_id, second.so_id], warehouse_id });
    const { subscription_id } = await subscribe(service.admin, { display_name: "Acme ERP" });
    await delivery(subscription_id, { status: "dlq", error_kind: "timeout" });
    await db.run(
      `insert into sync_state (connector_name, warehouse_id, sync_type, sync_status, last_error_at, last_error_message)
       values ('shopify', $1, 'orders', 'error', now(), 'The source answered with HTTP status 502')`,
      [warehouse_id],
    );
    await db.run(
      `insert into audit_log (action_type, entity_type, entity_id, user_id, warehouse_id, details, created_at)
       select action, 'SO', n, case n % 3 when 0 then 'petra' else $2 end, $1,
         jsonb_build_object('item_id', n, 'total_packed', 2), now() - n * interval '1 minute'
       from unnest(array['RECEIVE', 'PUTAWAY', 'PICK', 'PACK', 'SHIP']) as a(action), generate_series(1, 200) as n`,
      [warehouse_id, admin],
    );
  });
  const browser = consoleBrowser(() => service);

  it("begins with the day at a glance", async () => {
    const visit = { path: "/console/", username: admin };
    await browser.look("day", visit, async (page, { language }) => {
      await page.getByRole("link", { name: "SO-2003" }).waitFor();
      await page.getByText("petra").waitFor();
      await page.getByText(language === "de" ? "HTTP-Status 502" : "HTTP status 502").waitFor();
      await page.getByRole("cell", { name: "Acme ERP" }).waitFor();
      await page.locator(".recharts-bar-rectangle").first().waitFor();
    });
    const page = await browser.open(visit);
    await page.waitForURL(/\/console\/day$/);
    await page.getByText("0 of 1", { exact: true }).waitFor();
    const names = page.locator(".recharts-legend-wrapper").first().locator("p");
    await names.first().waitFor();
    const legend = await names.allInnerTexts();
    assert.deepEqual(
      legend.map((text) => text.replace(/: .*/, "")),
      ["Receipts", "Put-aways", "Picks for orders", "Orders packed", "Orders shipped"],
    );
    await page.getByRole("link", { name: "1 held for review" }).click();
    await page.getByRole("link", { name: "SO-2004" }).waitFor();
  });

  it("follows what happens without being asked", async () => {
    const page = await browser.open({ path: "/console/day", username: admin });
    await page.getByText("1 late").waitFor();
    const { lines } = await service.admin.ok("GET", `/api/admin/sales-orders/${late.so_id}`);
    const pick = { so_line_id: lines[0].so_line_id, bin_id: shelf, quantity: 2 };
    await service.admin.ok("POST", `/api/admin/sales-orders/${late.so_id}/admin-pick`, { lines: [pick] });
    await service.admin.ok("POST", `/api/admin/sales-orders/${late.so_id}/admin-ship`);
    await sequenceAll();
    await page.getByText("0 late").waitFor();
  });

  it("shows nothing of pages that were not granted", async () => {
    const { username } = await person({ role: "USER", page_keys: ["dashboard"], warehouse_ids: [warehouse_id] });
    const page = await browser.open({ path: "/console/", username });
    await page.getByText("1 held for review").waitFor();
    assert.deepEqual(await page.getByRole("navigation").getByRole("link").allInnerTexts(), [
      "The day",
      "Inbox",
      "Productivity",
      "Carrier costs",
      "Ageing",
    ]);
    assert.deepEqual(await page.getByRole("main").getByRole("link").allInnerTexts(), []);
    assert.equal(await page.getByText("Waves being picked").count(), 0);
  });

  it("leads who decides about held orders alone to them", async () => {
    const page_keys = ["dashboard", "fraud"] as const;
    const { username } = await person({ role: "USER", page_keys: [...page_keys], warehouse_ids: [warehouse_id] });
    const page = await browser.open({ path: "/console/", username });
    await page.getByRole("link", { name: "1 held for review" }).click();
    await page.getByRole("heading", { level: 1, name: "Held orders" }).waitFor();
  });

  it("writes days as it is done where the browser is", async () => {
    const path = "/console/day?day=2026-03-08";
    for (const [language, day] of [
      ["en", "Mar 8, 2026"],
      ["en-GB", "8 Mar 2026"],
      ["de", "08.03.2026"],
    ] as const) {
      const page = await browser.open({ path, username: admin, language });
      await page.getByRole("heading", { level: 2, name: day }).waitFor();
    }
  });

  it("tells how old open orders and stock are", () =>
    browser.look("ageing", { path: "/console/ageing", username: admin }, (page) =>
      page
        .getByText(/^(1 day|1 Tag)$/)
        .first()
        .waitFor(),
    ));

  it("tells who did how much, in the way that a person prefers", async () => {
    const visit = { path: "/console/productivity", username: admin };
    await browser.look("productivity", visit, (page) => page.locator(".recharts-bar-rectangle").first().waitFor());
    await browser.look("productivity-table", { ...visit, path: `${visit.path}?view=table&range=last_7d` }, (page) =>
      page.getByRole("cell", { name: "petra" }).waitFor(),
    );
    const page = await browser.open(visit);
    await page.getByRole("button", { name: "How it opens" }).click();
    await page.getByRole("dialog").getByLabel("View").selectOption("table");
    await page.getByRole("dialog").getByLabel("First chart").selectOption("shipped");
    await page.locator("[role=dialog] [type=submit]").click();
    const heads = page.getByRole("columnheader");
    await heads.first().waitFor();
    // Orders, units and items are not added up.
    const titles = ["Person", "Orders shipped", "Orders picked", "Units packed", "Items received", "Items put away"];
    assert.deepEqual(await heads.allInnerTexts(), titles);
  });

  it("finds an order by its number with the keyboard alone, from any page", async () => {
    const page = await browser.open({ path: "/console/items", username: admin });
    await tabTo(page, "Items");
    await page.keyboard.press("/");
    await page.keyboard.type("SO-2001");
    await page.getByRole("option", { name: /SO-2001/ }).waitFor();
    await browser.check(page, "search");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "SO-2001" }).waitFor();
    assert.match(page.url(), new RegExp(`/console/orders/${order.so_id}$`));
    await page.keyboard.press("Control+k");
    await page.keyboard.type("mug");
    await page.getByRole("option", { name: /MUG-1/ }).waitFor();
  });
});
