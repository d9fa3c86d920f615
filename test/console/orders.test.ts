import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { choose, createReturn, decide, press, receiveReturn, typeOver } from "../support/at-desk.js";
import { confirmDialog, consoleBrowser, scan, tabTo } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, salesOrder, shippedOrder, stock, warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { barcodesOf } from "../support/printed/picture.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";
import { pickedOrder } from "../support/walk.js";

describe("the desk's pages of sales", () => {
  const service = testService({ worker: true, env: { SERVICE_TEMPORAL_UI_URL: "http://127.0.0.1:8233" } });
  let username: string;
  let warehouse_id: number;
  let mug: Awaited<ReturnType<typeof item>>;
  let shelf: number;
  before(async () => {
    username = (await person()).username;
    warehouse_id = await warehouse();
    mug = await item({ sku: "MUG-1" });
    shelf = await bin(warehouse_id);
    await stock(warehouse_id, shelf, mug.item_id, 100);
  });
  const browser = consoleBrowser(() => service);

  const ordered = (quantity: number, so_number?: string) =>
    salesOrder(warehouse_id, [{ item_id: mug.item_id, quantity }], so_number);
  const statusOf = (so_number: string) =>
    db.value<string>("select status from sales_orders where so_number = $1", [so_number]);
  const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).waitFor();
  const openPage = (path: string) => browser.open({ path: `/console/${path}`, username });
  const look = (picture: string, path: string, ready: (page: Page) => Promise<unknown>) =>
    browser.look(picture, { path: `/console/${path}`, username }, ready);

  /** An order that waits for its decision, because it goes elsewhere than its bill. */
  async function held(so_number: string) {
    const order = await ordered(1, so_number);
    await db.run(
      `update sales_orders
       set status = 'FRAUD_REVIEW', shipping_address_line1 = '12 Harbour Road', shipping_address_city = 'Hull',
         billing_address_line1 = '3 Mill Lane', billing_address_city = 'York', memo = 'call the customer'
       where so_id = $1`,
      [order.so_id],
    );
    return order;
  }

  it("create an order by keyboard alone", async () => {
    const page = await openPage("orders");
    await press(page, "New order");
    await tabTo(page, "Order number");
    await page.keyboard.type("SO-NEW");
    await choose(page, "Item", "MUG", /MUG-1/);
    await typeOver(page, "Quantity", "4");
    await press(page, "Create order");
    await heading(page, "SO-NEW");
    const { so_id } = (await db.row("select so_id from sales_orders where so_number = 'SO-NEW'")) as { so_id: number };
    const { lines } = await service.admin.ok("GET", `/api/admin/sales-orders/${so_id}`);
    assert.equal(lines[0].quantity_allocated, 4);
    await press(page, "Sales orders");
    await page.getByRole("link", { name: "SO-NEW", exact: true }).waitFor();
  });

  it("add items to an order by scans, say what can still be sold, and make its number", async () => {
    const cup = await item({ sku: "CUP-7" });
    await stock(warehouse_id, shelf, cup.item_id, 2);
    const page = await openPage("orders/new");
    for (let times = 0; times < 3; times++) {
      await page.getByRole("combobox", { name: "Item" }).focus();
      await scan(page, "UPC-CUP-7");
      await page
        .getByRole("group", { name: "Line 1" })
        .and(page.locator(`:has(input[value="${times + 1}"])`))
        .waitFor();
    }
    await page.getByText("2 can still be sold here").waitFor();
    await page.getByRole("combobox", { name: "Item" }).focus();
    await scan(page, "NOTHING-LIKE-IT");
    await page.getByText("There is no such item.").waitFor();
    await browser.check(page, "new-order-lines");
    await page.getByRole("button", { name: "Create order" }).click();
    await page.getByText(/^Order SO-\d+ was created\.$/).waitFor();
    await heading(page, /^SO-\d+$/);
    await browser.check(page, "order-created");
    const units = "select sum(quantity_ordered)::int from sales_order_lines where item_id = $1";
    assert.equal(await db.value(units, [cup.item_id]), 3);
  });

  it("say why an order is refused, and keep what was typed", async () => {
    await ordered(1, "SO-TAKEN");
    const page = await openPage("orders/new");
    await page.getByLabel("Order number").fill("SO-TAKEN");
    await choose(page, "Item", "MUG", /MUG-1/);
    await press(page, "Create order");
    await page.getByText("There is an order with this number already.").waitFor();
    assert.equal(await page.getByLabel("Order number").inputValue(), "SO-TAKEN");
  });

  it("release an order that is held by keyboard alone", async () => {
    await held("SO-HELD");
    await look("held-orders", "held-orders", (page) => page.getByText("12 Harbour Road").waitFor());
    const page = await openPage("held-orders");
    await decide(page, "Release");
    await page.getByText("No orders are held").waitFor();
    assert.equal(await statusOf("SO-HELD"), "OPEN");
  });

  it("cancel an order by keyboard alone, and then offer it no more", async () => {
    const { so_id } = await ordered(2, "SO-CANCEL");
    const page = await openPage(`orders/${so_id}`);
    await decide(page, "Cancel order");
    await page.getByText("Cancel SO-CANCEL: done.").waitFor();
    await page.getByText("Cancelled").first().waitFor();
    assert.equal(await page.getByRole("button", { name: "Cancel order" }).count(), 0);
    assert.equal(await statusOf("SO-CANCEL"), "CANCELLED");
  });

  it("make a return of a shipped order and receive it in parts, by keyboard alone", async () => {
    const { so_id } = await shippedOrder(warehouse_id, [{ item_id: mug.item_id, quantity: 3 }]);
    const { code } = (await db.row("select bin_code as code from bins where bin_id = $1", [shelf])) as { code: string };
    const page = await openPage(`orders/${so_id}`);
    await createReturn(page, /MUG-1, 3 shipped/, 2);
    for (const after of ["Partly received", "Received"]) await receiveReturn(page, 1, code, after);
    await browser.check(page, "return");
    await look("returns", "returns", (one) => one.getByRole("link", { name: /-RMA/ }).waitFor());
  });

  it("say that nothing was chosen, where a return has no units", async () => {
    const { so_id } = await shippedOrder(warehouse_id, [{ item_id: mug.item_id, quantity: 2 }]);
    const page = await openPage(`orders/${so_id}`);
    await page.getByRole("button", { name: "Create return" }).click();
    await page.getByRole("dialog").locator("[type=submit]").click();
    await page.getByRole("dialog").getByText("Nothing was chosen.").waitFor();
  });

  it("pick, ship and revert an order", async () => {
    const { so_id } = await ordered(2, "SO-PICK");
    const page = await openPage(`orders/${so_id}`);
    const act = async (button: string, fill?: () => Promise<unknown>) => {
      await page.getByRole("button", { name: button, exact: true }).click();
      await fill?.();
      await confirmDialog(page);
    };
    await act("Pick", () => browser.check(page, "order-pick"));
    await page.getByText("Picked", { exact: true }).first().waitFor();
    await act("Ship", () => page.getByLabel("Tracking number").fill("1Z77"));
    await page.getByText("Shipment", { exact: false }).first().waitFor();
    assert.equal(await statusOf("SO-PICK"), "SHIPPED");
    await act("Revert status", () => page.getByLabel("Back to", { exact: true }).selectOption("OPEN"));
    await page.getByRole("button", { name: "Pick", exact: true }).waitFor();
    assert.equal(await statusOf("SO-PICK"), "OPEN");
  });

  it("list shipments, find one by its tracking number, and lead to its order", async () => {
    const { so_id, so_number } = await shippedOrder(warehouse_id, [{ item_id: mug.item_id, quantity: 1 }]);
    await db.run(
      `insert into item_fulfillments (so_id, warehouse_id, tracking_number, carrier, status, voided_at, voided_by,
         void_reason)
       values ($1, $2, '1Z-FIRST', 'UPS', 'VOIDED', now(), 'ann', 'wrong label'),
              ($1, $2, '1Z-SECOND', 'UPS', 'SHIPPED', null, null, null)`,
      [so_id, warehouse_id],
    );
    await look("shipments", "shipments", (page) => page.getByText("1Z-SECOND").waitFor());
    const page = await openPage("shipments");
    const parcel = page.getByRole("link", { name: "1Z-FIRST" });
    assert.equal(await parcel.getAttribute("href"), "https://www.ups.com/track?tracknum=1Z-FIRST");
    await tabTo(page, "Order or tracking number");
    await page.keyboard.type("second");
    await page.getByText("1Z-FIRST").waitFor({ state: "detached" });
    await press(page, so_number);
    await heading(page, so_number);
  });

  it("edit header, address and lines, and tell of it", async () => {
    const { so_id } = await ordered(2, "SO-EDIT");
    const page = await openPage(`orders/${so_id}`);
    const act = async (open: Promise<unknown>, fill: () => Promise<unknown>) => {
      await open;
      await fill();
      await confirmDialog(page);
    };
    const edits = page.getByRole("button", { name: "Edit", exact: true });
    await act(edits.first().click(), () => page.getByLabel("Customer", { exact: true }).fill("Ada"));
    await db.run("update sales_orders set shipping_address_country = 'Great Britain' where so_id = $1", [so_id]);
    await page.reload();
    await act(edits.last().click(), async () => {
      await page.getByLabel("Street").first().fill("12 Harbour Road");
      await page.getByLabel("City").first().fill("Hull");
    });
    const country = () => db.value("select shipping_address_country from sales_orders where so_id = $1", [so_id]);
    await page.getByText("The address was corrected").waitFor();
    assert.equal(await page.getByText("The address was corrected").count(), 1, "one sentence of all that was changed");
    assert.equal(await country(), "Great Britain", "what was there before there were codes stays");
    await act(edits.last().click(), async () => {
      await page.getByRole("combobox", { name: "Country" }).first().fill("united ki");
      await page.getByRole("option", { name: "United Kingdom (GB)" }).click();
    });
    await until(async () => (await country()) === "GB");
    await act(page.getByRole("button", { name: "Quantity" }).click(), () =>
      page.getByRole("textbox", { name: "Ordered" }).fill("5"),
    );
    await act(page.getByRole("button", { name: "Reserve" }).click(), () =>
      page.getByRole("textbox", { name: "Reserved" }).fill("3"),
    );
    await act(page.getByRole("button", { name: "Ship in part" }).click(), () =>
      page.getByRole("textbox", { name: /MUG-1/ }).fill("1"),
    );
    for (const told of [/Customer → Ada/, /Shipping address, City: – → Hull/, /MUG-1, Ordered: 2 → 5/])
      await page.getByText(told).waitFor();
    await page.getByRole("heading", { name: "Related orders" }).waitFor();
    await browser.check(page, "order-edited");
  });

  it("release an urgent order to a picker at once, or say why not", async () => {
    const goods = await item();
    await stock(warehouse_id, await bin(warehouse_id), goods.item_id, 2);
    const { so_id, so_number } = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 2 }]);
    const page = await openPage(`orders/${so_id}`);
    await heading(page, so_number);
    await page.getByRole("button", { name: "Release to pickers" }).click();
    await page
      .getByRole("dialog")
      .getByLabel("Picker")
      .selectOption({ value: String(service.admin.userId) });
    await db.run("update sales_orders set hold_reason = 'differs_from_shop' where so_id = $1", [so_id]);
    await page.locator("[role=dialog] [type=submit]").click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    assert.equal(await db.value("select count(*)::int from pick_batch_orders where so_id = $1", [so_id]), 0);
    await db.run("update sales_orders set hold_reason = null where so_id = $1", [so_id]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Release to pickers" }).click();
    await page
      .getByRole("dialog")
      .getByLabel("Picker")
      .selectOption({ value: String(service.admin.userId) });
    await confirmDialog(page);
    await page.getByText(/^Being picked in wave WAVE-\d+ by /).waitFor();
    assert.equal(await page.getByRole("button", { name: "Release to pickers" }).count(), 0);
  });

  it("hold an order with a reason, which “Why?” says, and release it", async () => {
    const goods = await item();
    await stock(warehouse_id, await bin(warehouse_id), goods.item_id, 2);
    const { so_id, so_number } = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 2 }]);
    const page = await openPage(`orders/${so_id}`);
    await heading(page, so_number);
    await page.getByRole("button", { name: "Hold", exact: true }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("The card is being checked");
    await browser.check(page, "order-hold");
    await confirmDialog(page);
    await page.getByText("Held by hand", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Why?" }).click();
    const part = (name: string) => page.locator("section", { has: page.getByRole("heading", { name }) });
    await part("Why?").getByText("Reason: The card is being checked").waitFor();
    await part("Story").getByText("It is held by hand").waitFor();
    await part("Story").getByText("Reason: The card is being checked").waitFor();
    await page.getByRole("button", { name: "Release", exact: true }).click();
    await confirmDialog(page);
    await page.getByRole("button", { name: "Hold", exact: true }).waitFor();
    assert.equal(await db.value("select hold_reason from sales_orders where so_id = $1", [so_id]), null);
  });

  it("ask what becomes of an order that was picked short, and do as they are told", async () => {
    const goods = await item();
    const { so_id, so_number } = await pickedOrder(service.admin, warehouse_id, [
      { item: goods, quantity: 5, found: 3 },
    ]);
    const page = await openPage("orders?work=short");
    await press(page, so_number);
    await heading(page, so_number);
    await page.getByText(`2 of 5 × ${goods.sku}`).waitFor();
    await browser.check(page, "order-short");
    await page.getByRole("button", { name: "Ship in part" }).click();
    await page.getByText("2 that a picker did not find are taken off the books.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Let it wait" }).click();
    await page.getByRole("textbox", { name: "Reason" }).fill("the customer waits");
    await confirmDialog(page);
    await page.getByText("Picked short").waitFor({ state: "detached" });
    await page.getByRole("link", { name: `${so_number}-BO` }).waitFor();
    assert.equal((await service.admin.ok("GET", `/api/admin/sales-orders/${so_id}`)).sales_order.is_short, false);
  });

  it("say why an order waits, and where the units lie that it lacks", async () => {
    const goods = await item();
    const dock = await bin(warehouse_id, { type: "Staging" });
    await stock(warehouse_id, dock, goods.item_id, 5);
    const line = { item_id: goods.item_id, quantity_ordered: 5 };
    const other = { so_number: "SO-FIRST", warehouse_id, lines: [line] };
    await service.admin.ok("POST", "/api/admin/sales-orders", other);
    const { so_id } = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 3 }]);
    const { po_id, po_number } = await purchaseOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 8 }]);
    await db.run("update purchase_orders set expected_date = '2026-12-05' where po_id = $1", [po_id]);
    await look("order-why", `orders/${so_id}`, async (page) => {
      await page.getByRole("button", { name: /^(Why|Warum)\?$/ }).click();
      await page.getByText(/still to be put away|noch nicht eingelagert/).waitFor();
      await page.getByText("SO-FIRST (5)").waitFor();
      await page.getByText(/^8 (expected 5 Dec|expected Dec 5|erwartet 05\.12\.)/).waitFor();
      await page.getByRole("link", { name: po_number }).waitFor();
    });
    const { so_id: planned } = await salesOrder(warehouse_id, [{ item_id: mug.item_id, quantity: 1 }]);
    await db.run("update sales_orders set ship_method = 'Kite' where so_id = $1", [planned]);
    await service.admin.ok("POST", "/api/admin/waves/release", { warehouse_id, filter: { ship_method: "Kite" } });
    const page = await openPage(`orders/${planned}`);
    await page.getByText(/^In wave WAVE-\d+, which waits for a picker$/).waitFor();
    await page.getByRole("button", { name: "Why?" }).click();
    await page.getByText(/released WAVE-\d+ on/).waitFor();
    await page.getByText(/^WAVE-\d+ waits for a picker\.$/).waitFor();
    const { so_id: review } = await held("SO-REVIEW-WHY");
    await page.goto(`${service.url}/console/orders/${review}`);
    await page.getByRole("button", { name: "Why?" }).click();
    await page.getByText("It is held for review, by the rule of its addresses.").waitFor();
    await service.admin.ok("POST", `/api/admin/sales-orders/${review}/cancel`);
  });

  it("show the address that an order ships to once", async () => {
    const { so_id } = await ordered(1, "SO-WHERE");
    const set = (values: string) => db.run(`update sales_orders set ${values} where so_id = $1`, [so_id]);
    await set("ship_address = '12 Harbour Road, Hull', customer_address = '12 Harbour Road, Hull'");
    const page = await openPage(`orders/${so_id}`);
    await page.getByText("12 Harbour Road, Hull", { exact: true }).waitFor();
    await set("shipping_address_line1 = '12 Harbour Road', shipping_address_city = 'Hull'");
    await page.reload();
    await page.getByText("12 Harbour Road", { exact: true }).waitFor();
    assert.equal(await page.getByText("Harbour Road").count(), 1);
    await set("ship_address = '12 Harbour Road, Hull, at the back door', customer_address = '3 Mill Lane'");
    await page.reload();
    await page.getByText("12 Harbour Road, Hull, at the back door").waitFor();
    await page.getByText("3 Mill Lane").waitFor();
  });

  it("correct an address that is one text, and show it no more", async () => {
    const { so_id } = await ordered(1, "SO-MOVED");
    await db.run("update sales_orders set ship_address = '12 Harbour Road, Hull' where so_id = $1", [so_id]);
    const page = await openPage(`orders/${so_id}`);
    await page.getByText("12 Harbour Road, Hull", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Edit" }).nth(1).click();
    await page.getByRole("dialog").getByText("It ships to “12 Harbour Road, Hull”").waitFor();
    const shipping = page.getByRole("dialog").getByRole("group", { name: "Shipping address" });
    await shipping.getByLabel("Street").fill("3 Mill Lane");
    await confirmDialog(page);
    await page.getByText("3 Mill Lane", { exact: true }).waitFor();
    assert.equal(await page.getByText("Harbour Road").count(), 0);
  });

  it("list backorders with what is on its way, and cancel one", async () => {
    const { so_id } = await ordered(5, "SO-SPLIT");
    const { lines } = await service.admin.ok("GET", `/api/admin/sales-orders/${so_id}`);
    const short = { so_line_id: lines[0].so_line_id, short_qty: 2 };
    await service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/partial-fulfill`, { lines: [short] });
    await db.run("update sales_orders set status = 'WAITING_STOCK' where parent_so_id = $1", [so_id]);
    await look("backorders", "backorders", (page) => page.getByText("SO-SPLIT", { exact: true }).waitFor());
    const page = await openPage("backorders");
    await page
      .getByRole("row", { name: /SO-SPLIT/ })
      .getByRole("button", { name: "Cancel backorder" })
      .click();
    await page.getByRole("dialog").locator("[type=submit]").click();
    await page.getByRole("row", { name: /SO-SPLIT/ }).waitFor({ state: "detached" });
  });

  it("show the ticket of an order, and note that it was printed", async () => {
    const { so_id } = await ordered(1, "SO-TICKET");
    await look("ticket", `orders/${so_id}/ticket`, (page) =>
      page.getByRole("cell", { name: "MUG-1", exact: true }).waitFor(),
    );
    const page = await openPage(`orders/${so_id}/ticket`);
    await page.emulateMedia({ media: "print" });
    const barcode = page.getByRole("img", { name: "Barcode SO-TICKET" });
    await barcode.evaluate((picture) => (picture as unknown as { decode(): Promise<void> }).decode());
    assert.deepEqual(await barcodesOf(await barcode.screenshot()), [{ text: "SO-TICKET", format: "Code128" }]);
    await page.getByRole("link", { name: "Back" }).waitFor({ state: "hidden" });
    await page.emulateMedia({ media: "screen" });
    await decide(page, "Mark as printed");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const { sales_order } = await service.admin.ok("GET", `/api/admin/sales-orders/${so_id}`);
    assert.ok(sales_order.printed_at);
  });

  it("look right: the list, a new order, and an order with many actions", async () => {
    const { so_id } = await ordered(2, "SO-LOOK");
    await look("orders", "orders", (page) => page.getByRole("link", { name: "SO-LOOK" }).waitFor());
    await look("new-order", "orders/new", (page) => page.locator("form").waitFor());
    await look("order-open", `orders/${so_id}`, (page) => page.getByRole("heading", { name: "SO-LOOK" }).waitFor());
  });

  it("offer to a user only what the user may do", async () => {
    const { so_id } = await ordered(2, "SO-USER");
    await held("SO-USER-HELD");
    const user = await person({ role: "USER", page_keys: ["sales-orders"], warehouse_ids: [warehouse_id] });
    const page = await browser.open({ path: `/console/orders/${so_id}`, username: user.username });
    await page.getByRole("button", { name: "Cancel order" }).waitFor();
    for (const name of ["Pick", "Change memo", "Picking ticket"])
      assert.equal(await page.getByRole("button", { name, exact: true }).count(), 0, name);
    const clerk = await person({ role: "USER", page_keys: ["fraud"], warehouse_ids: [warehouse_id] });
    const queue = await browser.open({ path: "/console/held-orders", username: clerk.username });
    await queue.getByRole("button", { name: "Release" }).waitFor();
    assert.equal(await queue.getByRole("button", { name: "Cancel order" }).count(), 0);
  });
});
