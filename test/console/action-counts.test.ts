import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, shippedOrder, stock, warehouse } from "../support/fixtures.js";
import { PASSWORD, person } from "../support/people.js";
import { testService } from "../support/service.js";

/** Somebody who counts what they do: each key, each text that is typed, each click and each choice is one action. */
function hands(page: Page) {
  let actions = 0;
  const one = async (act: Promise<unknown>) => {
    actions++;
    await act;
  };
  return {
    press: (key: string) => one(page.keyboard.press(key)),
    type: (text: string) => one(page.keyboard.type(text)),
    click: (what: Locator) => one(what.click()),
    choose: (field: Locator, label: string) => one(field.selectOption({ label })),
    actions: () => actions,
  };
}

describe("a day at the desk takes few actions", () => {
  const service = testService({ worker: true });
  let username: string;
  let warehouse_id: number;
  let mug: { item_id: number; sku: string };
  before(async () => {
    username = (await person()).username;
    warehouse_id = await warehouse();
    mug = await item({ sku: "MUG-1" });
    await stock(warehouse_id, await bin(warehouse_id, { code: "A-07" }), mug.item_id, 100);
  });
  const browser = consoleBrowser(() => service);

  const shown = (page: Page, text: string | RegExp) => page.getByRole("main").getByText(text).first().waitFor();
  const set = (so_id: number, fields: Record<string, string | null>) =>
    db.run(
      `update sales_orders set ${Object.keys(fields)
        .map((name, i) => `${name} = $${i + 2}`)
        .join(", ")} where so_id = $1`,
      [so_id, ...Object.values(fields)],
    );

  it("a lead's morning: from the sign-in to three waves that wait for pickers in at most 12", async () => {
    for (const ship_method of ["UPS Ground", "DHL", "Van"])
      for (let i = 0; i < 2; i++)
        await set((await salesOrder(warehouse_id, [{ item_id: mug.item_id, quantity: 1 }])).so_id, { ship_method });
    const page = await browser.open({ path: "/console/" });
    const { press, type, click, choose, actions } = hands(page);
    await page.locator("input[name=username]:focus").waitFor();
    await type(username);
    await press("Tab");
    await type(PASSWORD);
    await press("Enter");
    await page.getByRole("heading", { level: 1, name: "The day at a glance" }).waitFor();
    await press("Control+k");
    await type("plan waves");
    await page.getByRole("option", { name: /^Plan waves/ }).waitFor();
    await press("Enter");
    await choose(page.getByLabel("Together"), "of one ship method");
    await click(page.getByRole("button", { name: "Plan", exact: true }));
    await click(page.getByRole("button", { name: "Release" }));
    await shown(page, "3 waves wait for pickers.");
    assert.ok(actions() <= 12, `${actions()} actions`);
    const batches = await db.value<number>(
      "select count(*)::int from pick_batches where warehouse_id = $1 and status = 'OPEN' and assigned_to is null",
      [warehouse_id],
    );
    assert.equal(batches, 3);
  });

  it("a customer service hour: ten questions in at most 25", async () => {
    const customer_name = "Ada Lovelace";
    const line = [{ item_id: mug.item_id, quantity: 2 }];
    const sent = await shippedOrder(warehouse_id, line);
    await set(sent.so_id, { customer_name, ship_address: "12 Main Street", carrier: "UPS", tracking_number: "1Z9" });
    const rare = await item({ sku: "RARE-1" });
    const late = await salesOrder(warehouse_id, [{ item_id: rare.item_id, quantity: 3 }], "SO-LATE");
    await set(late.so_id, { customer_name, ship_by_date: "2026-01-05", customer_phone: "+1 555 0100" });
    const back = await service.admin.ok("POST", `/api/admin/sales-orders/${sent.so_id}/create-rma`, {
      lines: [{ item_id: mug.item_id, quantity: 1 }],
    });
    const page = await browser.open({ path: "/console/day", username });
    const { press, type, click, actions } = hands(page);
    const find = async (text: string) => {
      await press("Control+k");
      await type(text);
      await page.getByRole("dialog").getByRole("option", { name: text }).first().waitFor();
      await press("Enter");
    };
    await page.getByRole("heading", { level: 1 }).waitFor();
    // 1 to 3: has it left, where to, and where can she see how far it is?
    await find(sent.so_number);
    await shown(page, /^Shipped/);
    await shown(page, "12 Main Street");
    const parcel = page.getByRole("link", { name: "1Z9" }).first();
    assert.match((await parcel.getAttribute("href")) ?? "", /ups\.com.*1Z9$/);
    // 4 to 6: what else has she ordered, is any of it late, and what is her number?
    await click(page.getByRole("link", { name: customer_name }).first());
    await page.getByRole("link", { name: "SO-LATE" }).waitFor();
    await shown(page, "+1 555 0100");
    await shown(page, /^Late$/);
    // 7: why has it not left?
    await click(page.getByRole("link", { name: "SO-LATE" }));
    await shown(page, /^Waits for stock: .*RARE-1/);
    // 8: then she does not want it.
    await click(page.getByRole("button", { name: "Cancel order" }));
    await click(page.getByRole("dialog").getByRole("button", { name: "Cancel order" }));
    await shown(page, "Cancelled");
    // 9: has her return come?
    await find(back.so_number);
    await shown(page, /^Waits for what comes back/);
    // 10: are there mugs?
    await find("MUG-1");
    await page.getByRole("link", { name: "A-07" }).first().waitFor();
    assert.ok(actions() <= 25, `${actions()} actions`);
  });
});
