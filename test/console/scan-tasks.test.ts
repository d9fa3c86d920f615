import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { floorFunctions } from "../../src/auth/rights.js";
import { consoleBrowser, scan } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { replenishmentTask } from "../support/replenishments.js";
import { labelOf, pickedFromStock, serialItem, statesOf } from "../support/serials.js";
import { testService } from "../support/service.js";
import { pickedOrder } from "../support/walk.js";

describe("the tasks of the scanner", () => {
  const service = testService({ worker: true });
  let here: number;
  let username: string;
  before(async () => {
    here = await warehouse();
  });
  beforeEach(async () => {
    // Nobody goes on with the wave of another test.
    const fields = { role: "USER" as const, warehouse_ids: [here], allowed_functions: [...floorFunctions] };
    ({ username } = await person(fields));
  });
  const browser = consoleBrowser(() => service);

  /** Opens a task in the only warehouse that there is. */
  const start = (task: string, language: "en" | "de" = "en") =>
    browser.open({
      path: `/scan/${task}`,
      username,
      size: "phone",
      language,
      colours: language === "de" ? "dark" : "light",
    });
  const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true }).waitFor();
  const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
  const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
  async function into(page: Page, name: string, code: string) {
    await field(page, name);
    await scan(page, code);
  }

  /** An item on a shelf, and an order for it. */
  async function ordered(onHand: number, quantity: number) {
    const goods = await item();
    const code = `S-${goods.sku}`;
    const bin_id = await bin(here, { code });
    await stock(here, bin_id, goods.item_id, onHand);
    return { ...goods, bin_id, code, ...(await salesOrder(here, [{ item_id: goods.item_id, quantity }])) };
  }
  async function walking(page: Page, ...orders: { so_number: string }[]) {
    for (const { so_number } of orders) {
      await into(page, "Scan an order", so_number);
      await says(page, so_number);
    }
    await press(page, /^Start/);
  }
  const statusOf = (so_id: number) => db.value<string>("select status from sales_orders where so_id = $1", [so_id]);

  it("ask at receipt for what the item asks for, and say at the field what is wrong with it", async () => {
    const goods = await item();
    const asked = { lot_policy: "required", requires_expiry: true, shelf_life_days: 30, min_days_at_receipt: 10 };
    await service.admin.ok("PUT", `/api/admin/items/${goods.item_id}`, asked);
    const dock = `D-${goods.sku}`;
    await bin(here, { type: "Staging", code: dock });
    const { po_number } = await purchaseOrder(here, [{ item_id: goods.item_id, quantity: 4 }]);
    const page = await start("receive");
    await into(page, "Scan the purchase order", po_number);
    await press(page, new RegExp(goods.sku));
    await into(page, "Scan the lot", "LOT-1");
    await into(page, "Scan the bin", dock);
    await press(page, /^Receive 4/);
    await says(page, "The last day is missing, or the day of production.");
    const production = page.getByLabel("Day of production");
    assert.equal(await production.getAttribute("aria-invalid"), "true");
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    await production.fill(daysAgo(25));
    await press(page, /^Receive 4/);
    await says(page, /Only \d+ days are left; at least 10 are asked for./);
    await browser.check(page, "scan-receive-asked");
    await production.fill(daysAgo(2));
    await press(page, /^Receive 4/);
    await says(page, `Received 4 × ${goods.sku} into ${dock}`);
    const lot = await db.row(
      `select lot_number, production_date::text as produced, expiry_date - production_date as days from lots
       where item_id = $1`,
      [goods.item_id],
    );
    assert.deepEqual(lot, { lot_number: "LOT-1", produced: daysAgo(2), days: 30 });
  });

  it("take a lot and a last day that stand on the goods and on no label", async () => {
    const goods = await item();
    const dock = `D-${goods.sku}`;
    await bin(here, { type: "Staging", code: dock });
    const { po_number } = await purchaseOrder(here, [{ item_id: goods.item_id, quantity: 4 }]);
    const page = await start("receive");
    await into(page, "Scan the purchase order", po_number);
    await press(page, new RegExp(goods.sku));
    await into(page, "Scan the bin", dock);
    await press(page, "Say the lot or the last day");
    await page.getByLabel("Lot", { exact: true }).fill("B-7");
    await page.getByLabel("Last day").fill("2099-12-31");
    await browser.check(page, "scan-receive-told");
    await press(page, /^Receive 4/);
    await says(page, `Received 4 × ${goods.sku} into ${dock}`);
    const lot = await db.row("select lot_number, expiry_date::text as expiry from lots where item_id = $1", [
      goods.item_id,
    ]);
    assert.deepEqual(lot, { lot_number: "B-7", expiry: "2099-12-31" });
  });

  it("receive and pack units by serial number, and say which one is wrong", async () => {
    const goods = { ...(await serialItem(here, "at_receipt")), warehouse_id: here };
    const shelf = `S-${goods.sku}`;
    await bin(here, { code: shelf });
    const page = await start("receive");
    await into(page, "Scan the purchase order", goods.po_number);
    await into(page, "Scan an item", labelOf(goods, "S-1"));
    await into(page, "Scan serial number 2 of 100", "S-1");
    await says(page, "S-1 is in the list already.");
    await into(page, "Scan serial number 2 of 100", goods.upc as string);
    await says(page, `This is a code of ${goods.sku}, not the serial number of a unit.`);
    for (const [i, serial] of ["S-2", "WRONG", labelOf(goods, "S-3")].entries())
      await into(page, `Scan serial number ${i + 2} of 100`, serial);
    await field(page, "Scan serial number 5 of 100");
    await press(page, "Remove WRONG");
    await field(page, "Scan serial number 4 of 100");
    await page.reload();
    await field(page, "Scan serial number 4 of 100");
    await browser.check(page, "scan-receive-serials");
    await press(page, "No more: 3 in all");
    await into(page, "Scan the bin", shelf);
    await press(page, `Receive 3 × ${goods.sku}`);
    await says(page, `Received 3 × ${goods.sku} into ${shelf}`);
    assert.deepEqual(Object.keys(await statesOf(goods)), ["S-1", "S-2", "S-3"]);

    await press(page, new RegExp(goods.sku));
    await into(page, "Scan serial number 1 of 97", "S-2");
    await press(page, "No more: 1 in all");
    await into(page, "Scan the bin", shelf);
    await press(page, `Receive 1 × ${goods.sku}`);
    await says(page, "Serial S-2 is known already.");

    const { so_number } = await pickedFromStock(service.admin, goods, 2);
    await page.goto(`${service.url}/scan/pack`);
    await into(page, "Scan an order or a tote", so_number);
    await into(page, "Scan an item", goods.sku);
    await says(page, `Scan the serial number of ${goods.sku}.`);
    await into(page, "Scan the serial number of the unit", "S-9");
    await says(page, "Serial S-9 was never received.");
    await browser.check(page, "scan-pack-serial");
    await into(page, "Scan the serial number of the unit", "S-2");
    await says(page, "1 of 2");
    await into(page, "Scan an item", labelOf(goods, "S-2"));
    await says(page, "Serial S-2 is packed or shipped already.");
    await into(page, "Scan an item", goods.sku);
    await press(page, "Another item first");
    await into(page, "Scan an item", labelOf(goods, "S-3"));
    await press(page, "Close the parcel");
    await says(page, `${so_number} is packed`);
    assert.deepEqual(await statesOf(goods), { "S-1": "IN_STOCK", "S-2": "PACKED", "S-3": "PACKED" });
  });

  it("report a short pick with its reason, and come back to where they were", async () => {
    const { so_number, so_id, sku, code } = await ordered(5, 5);
    const page = await start("pick");
    await walking(page, { so_number });
    await into(page, "Scan the item", "something else");
    await says(page, "This is the wrong item.");
    await press(page, "Not enough here");
    await press(page, "One more");
    await page.reload();
    await says(page, code);
    await browser.check(page, "scan-pick-short");
    await press(page, "Another item lies here");
    await says(page, "4 pcs are in no other bin: the desk decides.");
    await says(page, "Everything is picked.");
    await press(page, "Finish the wave");
    await says(page, "Short picks: 1");
    const { short_picks } = await service.admin.ok("GET", "/api/admin/short-picks");
    assert.deepEqual(
      [short_picks[0].sku, short_picks[0].qty_picked, short_picks[0].reason],
      [sku, 1, "Another item lies here"],
    );
    assert.equal(await statusOf(so_id), "PICKED");
  });

  it("show what the customer wants of the units, line by line, but not what programs noted", async () => {
    const { so_id, so_number, sku, item_id } = await ordered(2, 1);
    await db.run(
      "insert into sales_order_lines (so_id, item_id, quantity_ordered, line_number) values ($1, $2, 1, 2)",
      [so_id, item_id],
    );
    for (const [line_number, value] of [
      [1, `Ann ${"x".repeat(120)}`],
      [2, "Bob"],
    ] as const)
      await db.run("update sales_order_lines set properties = $3 where so_id = $1 and line_number = $2", [
        ...[so_id, line_number],
        JSON.stringify([
          { name: "Engraving", value },
          { name: "_program", value: "noted" },
        ]),
      ]);
    const page = await start("pick");
    await walking(page, { so_number });
    await says(page, /1 for .*: Engraving: Ann/);
    await says(page, /1 for .*: Engraving: Bob/);
    await browser.check(page, "scan-pick-wishes");
    await into(page, "Scan the item", sku);
    await press(page, "Finish the wave");
    await page.getByRole("link", { name: "Pack them" }).click();
    await into(page, "Scan an order or a tote", so_number);
    await says(page, /^Engraving: Ann/);
    await says(page, "Engraving: Bob");
    assert.equal(await page.getByText("noted").count(), 0);
    await browser.check(page, "scan-pack-wishes");
  });

  it("send the picker on to the bin that has the rest", async () => {
    const { so_number, item_id, sku } = await ordered(5, 5);
    const other = `T-${sku}`;
    await stock(here, await bin(here, { code: other, pick_sequence: 200 }), item_id, 2);
    const page = await start("pick", "de");
    await into(page, "Auftrag scannen", so_number);
    await says(page, so_number);
    await press(page, /^Welle starten/);
    await press(page, "Zu wenig am Platz");
    await press(page, "Nicht auffindbar");
    await says(page, `Der Rest liegt in ${other}.`);
    await says(page, "3 Stück liegen nirgends sonst");
    await browser.check(page, "scan-pick-rest");
    await into(page, "Artikel scannen", sku);
    await says(page, "Alles ist gepickt.");
    await press(page, "Welle abschließen");
    await says(page, "Fehlmengen: 1");
  });

  it("leave out orders that there is not enough for, and cancel a wave", async () => {
    const [lacking, other] = [await ordered(1, 3), await ordered(2, 2)];
    const page = await start("pick");
    await page.getByRole("button", { name: other.so_number }).waitFor();
    await page.getByText(/waits? for stock/).click();
    await page.getByRole("listitem").filter({ hasText: lacking.so_number }).waitFor();
    assert.equal(await page.getByRole("button", { name: lacking.so_number }).count(), 0);
    await browser.check(page, "scan-pick-waiting");
    await walking(page, lacking, other);
    await says(page, `${lacking.sku}: 1 of 3`);
    await browser.check(page, "scan-pick-lacking");
    await press(page, "Pick the others");
    await says(page, "Pick 1 of 1");
    await press(page, "Cancel the wave");
    await browser.check(page, "scan-pick-cancel");
    await page.getByRole("contentinfo").getByRole("button", { name: "Cancel the wave" }).click();
    await says(page, "The wave was cancelled");
    assert.equal(await statusOf(other.so_id), "OPEN");
    const active = await db.row<{ n: number }>(
      "select count(*) as n from pick_batches where status in ('OPEN', 'IN_PROGRESS')",
    );
    assert.equal(active?.n, 0);
  });

  it("give a picker the next wave that the desk released, and let it be given back before its first pick", async () => {
    const goods = await ordered(5, 2);
    await db.run("update sales_orders set priority = 77 where so_id = $1", [goods.so_id]);
    const filter = { min_priority: 77 };
    await service.admin.ok("POST", "/api/admin/waves/release", { warehouse_id: here, filter });
    const page = await start("pick");
    await press(page, "Pick the next wave (1 waits)");
    await says(page, goods.code);
    await press(page, /^Give it back/);
    await says(page, "The wave waits for somebody else.");
    await press(page, "Pick the next wave (1 waits)");
    const next = await ordered(5, 2);
    await db.run("update sales_orders set priority = 77 where so_id = $1", [next.so_id]);
    await service.admin.ok("POST", "/api/admin/waves/release", { warehouse_id: here, filter });
    await into(page, "Scan the item", goods.sku);
    await says(page, "Everything is picked.");
    await press(page, "Finish the wave");
    await says(page, "2 pcs picked");
    assert.equal(await statusOf(goods.so_id), "PICKED");
    // From one wave to the next it is one press.
    await press(page, "Pick the next wave (1 waits)");
    await says(page, next.code);
    await press(page, /^Give it back/);
    await says(page, "The wave waits for somebody else.");
  });

  it("say that the desk has cancelled the wave, when the picker scans on", async () => {
    const goods = await ordered(5, 2);
    const page = await start("pick");
    await walking(page, goods);
    await says(page, /^Pick 1 of 1/);
    const of = "select batch_id from pick_batch_orders where so_id = $1";
    const batch_id = await db.value<number>(of, [goods.so_id]);
    await service.admin.ok("POST", `/api/admin/pick-batches/${batch_id}/delete`);
    await into(page, "Scan the item", goods.sku);
    await says(page, "This wave was ended elsewhere.");
    await field(page, "Scan an order");
  });

  it("say why a bin is suggested for what is put away, and what lost", async () => {
    const goods = await item();
    const [dock, home, near] = [
      await bin(here, { type: "Staging" }),
      await bin(here, { code: `H-${goods.sku}` }),
      await bin(here, { code: `N-${goods.sku}` }),
    ];
    await stock(here, dock, goods.item_id, 4);
    await db.run("update bins set max_units = 3 where bin_id = $1", [home]);
    await db.run("insert into preferred_bins (item_id, bin_id, priority) values ($1, $2, 1)", [goods.item_id, home]);
    const rules = "/api/admin/put-away-rules";
    const zone_id = await db.value("select zone_id from bins where bin_id = $1", [near]);
    const rule = { warehouse_id: here, priority: 1, rule_name: "Shelves", zone_id };
    const { rule_id } = await service.admin.ok("POST", rules, rule);
    const page = await start("putaway");
    await into(page, "Scan an item", goods.sku);
    await page.getByText("Why here?").click();
    await says(page, "It is the nearest bin with room by the rule Shelves.");
    await says(page, `H-${goods.sku} has no room for it`);
    await browser.check(page, "scan-why-here");

    await db.run("update bins set is_active = false where zone_id = $1", [zone_id]);
    await page.reload();
    await page.getByText("Why is no bin suggested?").click();
    await says(page, "No bin that the rules allow has room.");
    await says(page, "Shelves: no bin with room");
    await service.admin.ok("DELETE", `${rules}/${rule_id}`);
  });

  it("fill up a pick face from reserve, in parts, until there is no more", async () => {
    const { sku, from_bin_code, to_bin_code, ...task } = await replenishmentTask({
      warehouse_id: here,
      by: service.admin,
    });
    const page = await start("");
    await page.getByRole("link", { name: "Fill up faces 1" }).click();
    await press(page, "Take the first");
    await into(page, "Scan the reserve bin", to_bin_code);
    await says(page, `is another bin; ${from_bin_code} is asked for.`);
    await browser.check(page, "scan-replenish-from");
    await scan(page, from_bin_code);
    await into(page, "Scan an item", sku);
    await page.getByRole("spinbutton").fill("6");
    await page.reload();
    await into(page, "Scan the pick face", from_bin_code);
    await says(page, `is another bin; ${to_bin_code} is asked for.`);
    await scan(page, to_bin_code);
    await browser.check(page, "scan-replenish-to");
    await press(page, `Put 6 × ${sku} into ${to_bin_code}`);
    await says(page, `6 × ${sku} put into ${to_bin_code}`);
    await says(page, `4 × ${sku}`);

    await press(page, "Give it back");
    await says(page, "The rest waits for somebody else.");
    await into(page, "Scan a reserve bin", to_bin_code);
    await says(page, "Nothing is to be taken from there.");
    await scan(page, from_bin_code);
    await press(page, "No more there");
    await browser.check(page, "scan-replenish-short");
    await press(page, "There is no more of it");
    await says(page, `The task has ended; ${from_bin_code} will be counted.`);
    const ended = "select status, quantity_done from replenishments where replenishment_id = $1";
    assert.deepEqual(await db.row(ended, [task.replenishment_id]), { status: "SHORT", quantity_done: 6 });
  });

  it("go on with other tasks when the desk has cancelled the one that is carried", async () => {
    const task = await replenishmentTask({ warehouse_id: here, by: service.admin });
    const page = await start("replenish");
    await press(page, new RegExp(task.sku));
    await into(page, "Scan the reserve bin", task.from_bin_code);
    await into(page, "Scan an item", task.sku);
    await into(page, "Scan the pick face", task.to_bin_code);
    await service.admin.ok("POST", `/api/admin/replenishments/${task.replenishment_id}/cancel`);
    await press(page, /^Put 10/);
    await says(page, "The task has ended already.");
    await field(page, "Scan a reserve bin");
  });

  it("say why units are picked here, and not others", async () => {
    const { item_id, sku, so_number } = await ordered(5, 2);
    const dock = await bin(here, { type: "Staging", code: `D-${sku}` });
    await stock(here, dock, item_id, 9, "LOT-7");
    const page = await start("pick");
    await walking(page, { so_number });
    await page.getByText("Why here?").click();
    await says(page, "No other bin has units that can be picked.");
    await says(page, `D-${sku} · LOT-7 (9): still to be put away`);
    await browser.check(page, "scan-why-picked");
  });

  it("do not pack what is not on the order, and hand out the packing slip", async () => {
    const { so_number, so_id, sku } = await ordered(4, 4);
    const page = await start("pick");
    await walking(page, { so_number });
    await into(page, "Scan the item", sku);
    await press(page, "Finish the wave");
    await page.getByRole("link", { name: "Pack them" }).click();
    await into(page, "Scan an order or a tote", so_number);
    await into(page, "Scan an item", "something else");
    await says(page, "This item is not on the order.");
    await press(page, "One more");
    await scan(page, sku);
    await says(page, "2 of 4");
    await page.reload();
    await says(page, "2 of 4");
    const slip = await page.getByRole("link", { name: "Packing slip", exact: true }).getAttribute("href");
    const paper = await page.request.get(new URL(slip ?? "", service.url).href);
    assert.deepEqual([paper.status(), paper.headers()["content-type"]], [200, "application/pdf"]);
    assert.equal(await statusOf(so_id), "PICKED");
  });

  it("say what was packed until it is shipped, with the weight as it is written there", async () => {
    const goods = await item({ weight: "0.85" });
    await stock(here, await bin(here), goods.item_id, 2);
    const { so_id, so_number } = await salesOrder(here, [{ item_id: goods.item_id, quantity: 2 }]);
    const { batch_id, first_pick } = await service.admin.ok("POST", "/api/picking/wave-create", {
      ...{ so_ids: [so_id], warehouse_id: here },
    });
    const { pick_task_id } = first_pick;
    const scanned = { scanned_barcode: goods.sku, quantity_picked: 2 };
    await service.admin.ok("POST", "/api/picking/confirm", { pick_task_id, ...scanned });
    await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id });
    const page = await start("pack", "de");
    await into(page, "Auftrag oder Behälter scannen", so_number);
    for (const units of [1, 2]) {
      await into(page, "Artikel scannen", goods.sku);
      await says(page, `${units} von 2`);
    }
    await press(page, "Paket schließen");
    await says(page, "Gewicht: 1,7 lb");
    await page.getByRole("link", { name: "Versenden" }).click();
    await field(page, "Sendungsnummer scannen");
    await page.goto(`${service.url}/scan/pack`);
    await field(page, "Auftrag oder Behälter scannen");
    assert.equal(await page.getByText(`${so_number} ist gepackt`).count(), 0);
  });

  it("ask before an order leaves of which the desk has not decided about what was not found", async () => {
    const goods = await item();
    const { so_id, so_number } = await pickedOrder(service.admin, here, [{ item: goods, quantity: 3, found: 2 }]);
    const page = await start("pack");
    await into(page, "Scan an order or a tote", so_number);
    await says(page, /the desk has not decided yet what becomes of the rest/);
    await browser.check(page, "scan-pack-undecided");
    for (const units of [1, 2]) {
      await into(page, "Scan an item", goods.sku);
      await says(page, `${units} of 2`);
    }
    await press(page, "Close the parcel");
    await page.getByRole("link", { name: "Ship it" }).click();
    const ready = async () => {
      await into(page, "Scan the tracking number", "1Z-UNDECIDED");
      await page.getByLabel("Carrier").fill("UPS");
      await press(page, "Ship with UPS");
      await says(page, `the desk has not decided about 1 × ${goods.sku}.`);
    };
    await ready();
    await browser.check(page, "scan-ship-undecided");
    await press(page, "Leave it here until the desk decides");
    await into(page, "Scan an order", so_number);
    assert.equal(await statusOf(so_id), "PACKED");
    await ready();
    await press(page, "Ship without the rest");
    await says(page, `${so_number} left with UPS`);
    assert.equal(await statusOf(so_id), "SHIPPED");
  });

  it("do not pack an order of which nothing was picked", async () => {
    const { so_number, so_id } = await ordered(2, 2);
    const { batch_id, first_pick } = await service.admin.ok("POST", "/api/picking/wave-create", {
      ...{ so_ids: [so_id], warehouse_id: here },
    });
    const { pick_task_id } = first_pick;
    await service.admin.ok("POST", "/api/picking/short", { pick_task_id, quantity_available: 0, reason: "gone" });
    await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id });
    if ((await statusOf(so_id)) !== "PICKED") return;
    const page = await start("pack");
    await into(page, "Scan an order or a tote", so_number);
    await says(page, "Nothing was picked of this order. Tell the desk.");
    assert.equal(await page.getByRole("button", { name: "Close the parcel" }).count(), 0);
  });

  it("say how far an order is that is not to be packed or shipped, and how much lies in a bin", async () => {
    const { so_number, sku, code } = await ordered(2, 2);
    const other = await bin(here);
    const page = await start("pack", "de");
    await into(page, "Auftrag oder Behälter scannen", so_number);
    await says(page, "Dieser Auftrag ist nicht zu packen: Offen.");
    await page.goto(`${service.url}/scan/ship`);
    await into(page, "Auftrag scannen", so_number);
    await says(page, "Dieser Auftrag ist nicht zu versenden: Offen.");
    await page.goto(`${service.url}/scan/move`);
    await into(page, "Platz scannen, von dem entnommen wird", code);
    await into(page, "Artikel scannen", sku);
    await field(page, "Zielplatz scannen");
    await page.getByLabel("Wie viele?", { exact: true }).last().fill("3");
    const { bin_code } = (await db.row<{ bin_code: string }>("select bin_code from bins where bin_id = $1", [
      other,
    ])) ?? { bin_code: "" };
    await scan(page, bin_code);
    await press(page, `3 × ${sku} nach ${bin_code} umlagern`);
    await says(page, `Auf ${code} liegen 2, nicht 3.`);
  });

  it("take up a count that waits, and find a bin empty", async () => {
    const { bin_id, code } = await ordered(4, 1);
    const { counts } = await service.admin.ok("POST", "/api/inventory/cycle-count/create", {
      ...{ warehouse_id: here, bin_ids: [bin_id] },
    });
    const page = await start("count");
    await says(page, "Waiting to be counted");
    await browser.check(page, "scan-count-open");
    await scan(page, code);
    await press(page, "The bin is empty");
    await press(page, "Done counting");
    await says(page, `${code} is counted. Differences: 1`);
    const made = await db.rows("select count_id from cycle_counts where bin_id = $1", [bin_id]);
    assert.deepEqual(made, [{ count_id: counts[0].count_id }]);
  });

  it("tell where an item is and what is in a bin, by scan and by a part of the name", async () => {
    const { sku, code } = await ordered(7, 1);
    const page = await start("look-up");
    const label = "Scan an item or a bin, or type a part of its name";
    await into(page, label, sku);
    await says(page, "Where it is");
    await says(page, "7 of 7 free");
    await browser.check(page, "scan-look-up-item");
    await scan(page, code);
    await says(page, "In it");
    await browser.check(page, "scan-look-up-bin");
    const href = await page.getByRole("link", { name: "Print the label", exact: true }).getAttribute("href");
    assert.equal((await page.request.get(new URL(href ?? "", service.url).href)).status(), 200);
    await page.getByRole("button", { name: "Back" }).click();
    // The second time, while what was found the first time is shown.
    for (let time = 1; time <= 2; time++) {
      await into(page, label, sku.slice(0, -1));
      await says(page, "Did you mean");
      await page.getByRole("button", { name: sku }).first().click();
      await says(page, "Where it is");
    }
    await scan(page, "nothing of this name");
    await says(page, "Nothing is called nothing of this name.");
  });

  it("are in German and in the dark", async () => {
    const page = await start("", "de");
    await page.getByRole("link", { name: "Einlagern" }).waitFor();
    await browser.check(page, "scan-menu-de");
    for (const [task, title] of [
      ...[["putaway", "Einlagern"] as const, ["pick", "Picken"] as const, ["pack", "Packen"] as const],
      ...[["ship", "Versand"] as const, ["count", "Zählen"] as const, ["move", "Umlagern"] as const],
      ...[["look-up", "Nachsehen"] as const, ["replenish", "Greifplätze auffüllen"] as const],
    ]) {
      await page.goto(`${service.url}/scan/${task}`);
      await page.getByRole("heading", { name: title }).waitFor();
      await page.getByRole("textbox").first().waitFor();
      await browser.check(page, `scan-${task}-de`);
    }
  });
});
