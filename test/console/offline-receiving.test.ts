import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { floorWorker, into, press, says, signIn, sumOf } from "../support/at-scanner.js";
import { consoleBrowser, scan } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, warehouse } from "../support/fixtures.js";
import { newUpc } from "../support/gtins.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";
import { comeBack, device, hasDelivery, kept, leave, leaveDuring } from "../support/without-net.js";

describe("receiving without the net", () => {
  const service = testService({ worker: true });
  const browser = consoleBrowser(() => service);
  afterEach(() => assertInvariants());

  /** A warehouse that expects twelve jars with lots and five mugs. */
  async function site() {
    const here = await warehouse();
    const jam = await item({ upc: newUpc() });
    const mug = await item({ upc: newUpc() });
    await service.admin.ok("PUT", `/api/admin/items/${jam.item_id}`, { lot_policy: "required" });
    const code = { dock: `DOCK-${here}`, shelf: `SHELF-${here}`, other: `OTHER-${here}` };
    const dock = await bin(here, { code: code.dock, type: "Staging" });
    const shelf = await bin(here, { code: code.shelf, pick_sequence: 1 });
    const other = await bin(here, { code: code.other, pick_sequence: 2 });
    await service.admin.ok("POST", "/api/putaway/update-preferred", { item_id: jam.item_id, bin_id: shelf });
    const po = await purchaseOrder(here, [
      { item_id: jam.item_id, quantity: 12 },
      { item_id: mug.item_id, quantity: 5 },
    ]);
    const username = await floorWorker(here);
    const label = (lot: string) => `01${`${jam.upc}`.padStart(14, "0")}10${lot}`;
    const received = () => sumOf("select quantity_received from item_receipts where po_id = $1", po.po_id);
    const moved = () => sumOf("select quantity from bin_transfers where warehouse_id = $1", here);
    return { ...po, here, jam, mug, code, dock, shelf, other, username, label, received, moved };
  }
  type Site = Awaited<ReturnType<typeof site>>;

  /** Opens the delivery on a device of its own, which then has it. */
  async function opened({ username, po_number, po_id }: Site, answers?: number[]): Promise<Page> {
    const page = await device(browser, "receive", username, answers);
    await into(page, "Scan the purchase order", po_number);
    await page.getByRole("textbox", { name: "Scan an item" }).waitFor();
    await hasDelivery(page, po_id);
    return page;
  }
  const toPage = (page: Page, path: string) => page.goto(`${service.url}/scan/${path}`);
  /** Receives so many of what is scanned into the bin that is scanned, or into the one that was used last. */
  async function book(page: Page, code: string, units: number, into_bin?: string): Promise<void> {
    await into(page, "Scan an item", code);
    await page.getByLabel("How many?").fill(String(units));
    if (into_bin) await into(page, "Scan the bin", into_bin);
    await press(page, new RegExp(`^Receive ${units} `));
  }
  async function put(page: Page, code: string, units: number, to: string): Promise<void> {
    await into(page, "Scan an item", code);
    await page.getByLabel("How many?").fill(String(units));
    await into(page, "Scan the bin", to);
    await press(page, new RegExp(`^Put ${units} `));
  }
  /** As somebody else receives it meanwhile. */
  const another = (po_id: number, item_id: number, bin_id: number, quantity: number) =>
    service.admin.ok("POST", "/api/receiving/receive", { po_id, items: [{ item_id, bin_id, quantity }] });
  const unitsIn = (item_id: number, bin_id: number, lot: string | null) =>
    sumOf(
      `select quantity_on_hand from inventory
       where item_id = $1 and bin_id = $2 and lot_number is not distinct from $3`,
      ...[item_id, bin_id, lot],
    );
  const overReceiving = (value: string) =>
    service.admin.ok("PUT", "/api/admin/settings", { settings: { allow_over_receiving: value } });

  it("goes on with lots, put-away and the dock that was used last, and sends each once, in order", async () => {
    const at = await site();
    const page = await opened(at);
    await book(page, at.mug.sku, 1, at.code.dock);
    await says(page, `Received 1 × ${at.mug.sku} into ${at.code.dock}`);
    await leave(page);
    await kept(page, 0);
    await browser.check(page, "offline-receive");
    // What the device knows is judged at once.
    await into(page, "Scan an item", "nothing");
    await says(page, "this device does not know this code");
    await scan(page, at.label("L-1"));
    await says(page, "Lot: L-1");
    await says(page, `Bin: ${at.code.dock}`);
    await page.getByLabel("How many?").fill("4");
    await browser.check(page, "offline-receive-book");
    await press(page, /^Receive 4 /);
    await kept(page, 1);
    await says(page, `Kept without the net: 4 × ${at.jam.sku} for ${at.code.dock}`);
    await says(page, "4 of 12");
    await into(page, "Scan an item", `${at.mug.upc}`);
    await into(page, "Scan another bin instead", at.label("L-1"));
    await says(page, `This is a code of ${at.jam.sku}, not a bin.`);
    await scan(page, newUpc());
    await says(page, "This is a code of an item, not a bin.");
    // A bin that the device does not know.
    await scan(page, at.code.other);
    await says(page, `This device does not know ${at.code.other}`);
    await press(page, /^Receive 1 /);
    await kept(page, 2);
    await press(page, "Back");
    await says(page, "On this device");
    await says(page, "11 to come");
    await browser.check(page, "offline-receive-orders");
    await scan(page, at.po_number.toLowerCase());
    await book(page, at.label("L-2"), 2);
    await kept(page, 3);

    await toPage(page, "putaway");
    await says(page, `4 · ${at.code.dock}`);
    await browser.check(page, "offline-putaway");
    await into(page, "Scan an item", at.label("L-1"));
    await says(page, at.code.shelf);
    await press(page, `${at.code.shelf}: I am there`);
    await says(page, "The house has not checked this yet");
    await browser.check(page, "offline-putaway-put");
    await press(page, /^Put 4 /);
    await kept(page, 4);
    await put(page, at.label("L-2"), 1, at.code.other);
    await kept(page, 5);
    await says(page, `1 · ${at.code.dock}`);
    assert.equal(await at.received(), 1);

    await comeBack(page);
    await says(page, "The net is back. Scans sent: 5");
    await browser.check(page, "offline-putaway-back");
    assert.equal(await at.received(), 1 + 4 + 1 + 2);
    assert.equal(await unitsIn(at.jam.item_id, at.shelf, "L-1"), 4);
    assert.equal(await unitsIn(at.jam.item_id, at.other, "L-2"), 1);
    assert.equal(await unitsIn(at.jam.item_id, at.dock, "L-2"), 1);
    assert.equal(await unitsIn(at.mug.item_id, at.other, null), 1);
  });

  it("has the device answer a scan in whose moment the net goes", async () => {
    const at = await site();
    const page = await opened(at);
    const isBack = async () => {
      await comeBack(page);
      await page.getByText("scans are kept").waitFor({ state: "detached" });
    };
    await press(page, "Back");
    await page.getByRole("textbox", { name: "Scan the purchase order" }).waitFor();
    await leaveDuring(page, "**/api/receiving/po/*");
    await scan(page, at.po_number);
    await says(page, "0 of 12");
    await kept(page, 0);
    await isBack();
    await leaveDuring(page, "**/api/lookup/item/**");
    await into(page, "Scan an item", at.label("L-1"));
    await says(page, "Lot: L-1");
    await kept(page, 0);
    await isBack();
    await leaveDuring(page, "**/api/lookup/bin/**");
    await into(page, "Scan the bin", at.code.dock);
    await press(page, /^Receive 1 /);
    await kept(page, 1);
    await isBack();
    assert.equal(await at.received(), 1);

    await toPage(page, "putaway");
    await leaveDuring(page, "**/api/lookup/item/**");
    await into(page, "Scan an item", at.label("L-1"));
    await page.getByRole("textbox", { name: "Scan the bin" }).waitFor();
    await kept(page, 0);
    await isBack();
    await leaveDuring(page, "**/api/lookup/bin/**");
    await scan(page, at.code.other);
    await press(page, /^Put 1 /);
    await kept(page, 1);
    await isBack();
    assert.equal(await unitsIn(at.jam.item_id, at.other, "L-1"), 1);
  });

  it("sends once what was scanned before its tab was killed, with an answer lost, whatever page is open", async () => {
    const at = await site();
    let page = await opened(at);
    const context = page.context();
    // It arrives, and its answer does not.
    await page.route("**/api/receiving/receive", async (route) => {
      await route.fetch().catch(() => {});
      await route.abort().catch(() => {});
    });
    await book(page, at.mug.sku, 2, at.code.dock);
    await until(async () => (await at.received()) === 2);
    await context.setOffline(true);
    await page.close();
    page = await context.newPage();
    await toPage(page, "receive");
    await kept(page, 1);
    await says(page, "2 of 5");
    await book(page, at.mug.sku, 1);
    await kept(page, 2);
    await page.close();
    page = await context.newPage();
    await toPage(page, "");
    await says(page, "Not yet sent: Receive");
    await context.setOffline(false);
    await page.getByText("Not yet sent: Receive").waitFor({ state: "detached" });
    assert.equal(await at.received(), 3);
    assert.equal(await sumOf("select 1 from item_receipts where po_id = $1", at.po_id), 2);
    await press(page, "Receive");
    await says(page, "The net is back. Scans sent: 2");
  });

  it("tells what was refused and what depended on it, and sends what did not", async () => {
    const at = await site();
    const page = await opened(at);
    await leave(page);
    await kept(page, 0);
    await book(page, at.mug.sku, 4, at.code.dock);
    await kept(page, 1);
    await book(page, at.label("L-1"), 2);
    await kept(page, 2);
    await toPage(page, "putaway");
    await put(page, at.mug.sku, 3, at.code.other);
    await kept(page, 3);
    await put(page, at.label("L-1"), 1, `NOWHERE-${at.here}`);
    await kept(page, 4);
    // A second receiver takes in three of the five mugs meanwhile.
    await overReceiving("false");
    await another(at.po_id, at.mug.item_id, at.dock, 3);
    await toPage(page, "");
    await comeBack(page);
    await press(page, "Refused: Receive (1)");
    await says(page, `Not received: 4 × ${at.mug.sku} of ${at.po_number} into ${at.code.dock}`);
    await says(page, `Not put away: 3 × ${at.mug.sku} from ${at.code.dock} into ${at.code.other}`);
    await says(page, "What came before it was refused, so it was not sent.");
    await says(page, `Not put away: 1 × ${at.jam.sku} from ${at.code.dock} into NOWHERE-${at.here}`);
    await says(page, "There is no such bin.");
    await says(page, `They lie in NOWHERE-${at.here}, but still in ${at.code.dock} in the books.`);
    await browser.check(page, "offline-refused");
    // The lot was received, and is at the dock.
    assert.equal(await at.received(), 3 + 2);
    assert.equal(await at.moved(), 0);
    await press(page, "Receive them again");
    await page.getByLabel("How many?").fill("2");
    await press(page, /^Receive 2 /);
    await says(page, `Not put away: 3 × ${at.mug.sku}`);
    await press(page, "Put them away again");
    // The page before it takes scans of items as well.
    await page.getByRole("heading", { name: "Put away", exact: true }).waitFor();
    await put(page, at.label("L-1"), 1, at.code.other);
    await says(page, `1 × ${at.jam.sku} put into ${at.code.other}`);
    await press(page, "I have seen to all of it");
    await page.getByText("I have seen to all of it").waitFor({ state: "detached" });
    assert.deepEqual([await at.received(), await at.moved()], [3 + 2 + 2, 1]);
    await overReceiving("true");
  });

  it("tells of a delivery that was closed, with what to do in German", async () => {
    const at = await site();
    const page = await opened(at);
    await leave(page);
    await kept(page, 0);
    await book(page, at.mug.sku, 1, at.code.dock);
    await kept(page, 1);
    await db.run("update purchase_orders set status = 'CLOSED' where po_id = $1", [at.po_id]);
    await page.evaluate("localStorage.language = '\"de\"'; localStorage.theme = '\"dark\"'");
    await page.reload();
    await says(page, "Kein Netz seit");
    await comeBack(page);
    await says(page, `Nicht gebucht: 1 × ${at.mug.sku}`);
    await says(page, "noch einmal buchen oder für die Leitstelle zur Seite stellen");
    await browser.check(page, "offline-refused-german");
    assert.equal(await at.received(), 0);
    await press(page, "Alles ist erledigt");
    await page.getByRole("textbox", { name: "Bestellung scannen" }).waitFor();
  });

  it("keeps what is one's own from the next user of the device, and sends it when its user is back", async () => {
    const at = await site();
    const page = await opened(at);
    await leave(page);
    await kept(page, 0);
    await book(page, at.mug.sku, 2, at.code.dock);
    await kept(page, 1);
    await page.route("**/api/receiving/receive", (route) => route.abort());
    // Nobody can sign out without the net.
    await page.context().clearCookies();
    await comeBack(page);
    await page.reload();
    const two = await floorWorker(at.here);
    await page.unrouteAll();
    await signIn(page, two);
    await says(page, `Not yet sent, by ${at.username}: Receive`);
    await into(page, "Scan the purchase order", at.po_number);
    await says(page, "0 of 5");
    assert.equal(await at.received(), 0);
    await toPage(page, "");
    await press(page, /^Sign out/);
    await signIn(page, at.username);
    await until(async () => (await at.received()) === 2);
    assert.equal(await db.value("select received_by from item_receipts where po_id = $1", [at.po_id]), at.username);
  });

  it("is sent by one of two tabs, and counted once", async () => {
    const at = await site();
    const page = await opened(at);
    const other = await page.context().newPage();
    await toPage(other, "receive");
    await other.getByRole("textbox", { name: "Scan an item" }).waitFor();
    await leave(page);
    await kept(page, 0);
    for (const [tab, count] of [page, other, page, other].map((tab, i) => [tab, i + 1] as const)) {
      await book(tab, at.mug.sku, 1, count === 1 ? at.code.dock : undefined);
      await kept(tab, count);
    }
    const sent: string[] = [];
    for (const tab of [page, other])
      tab.on("request", (request) => {
        if (request.url().endsWith("/api/receiving/receive")) sent.push(request.headers()["idempotency-key"] ?? "");
      });
    await comeBack(page);
    await says(page, "The net is back. Scans sent: 4");
    await says(other, "The net is back. Scans sent: 4");
    assert.equal(await at.received(), 4);
    assert.equal(new Set(sent).size, 4);
    assert.equal(sent.length, 4);
  });

  it("goes on in the other tab when the one that sends is closed", async () => {
    const at = await site();
    const page = await opened(at);
    const other = await page.context().newPage();
    await toPage(other, "");
    await leave(page);
    await kept(page, 0);
    await book(page, at.mug.sku, 1, at.code.dock);
    await kept(page, 1);
    await says(other, "Not yet sent: Receive");
    await page.close();
    await comeBack(other);
    await until(async () => (await at.received()) === 1);
  });

  it("forgets a dock that is no longer there", async () => {
    const at = await site();
    const page = await opened(at);
    await book(page, at.mug.sku, 1, at.code.dock);
    await says(page, `Received 1 × ${at.mug.sku} into ${at.code.dock}`);
    await into(page, "Scan an item", at.mug.sku);
    await page.getByRole("button", { name: "Receive 1 ×" }).waitFor();
    await db.run("update bins set is_active = false where bin_id = $1", [at.dock]);
    await page.reload();
    await page.getByRole("textbox", { name: "Scan the bin" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Receive 1 ×" }).count(), 0);
    await db.run("update bins set is_active = true where bin_id = $1", [at.dock]);
  });

  it("opens from the device where a proxy answers that the service is gone", async () => {
    const at = await site();
    const page = await opened(at, [502, 503]);
    const gone = (status: number) => page.context().route("**/*", (route) => route.fulfill({ status, body: "gone" }));
    await gone(503);
    await page.reload();
    await kept(page, 0);
    await page.context().unrouteAll();
    await gone(502);
    await toPage(page, "receive");
    await says(page, "0 of 5");
    await book(page, at.mug.sku, 1, at.code.dock);
    await kept(page, 1);
    await page.context().unrouteAll();
    await says(page, "The net is back. Scans sent: 1");
    assert.equal(await at.received(), 1);
  });
});
