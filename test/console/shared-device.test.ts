import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type Floor, floor, floorWorker, into, orderTo, press, says, signIn, sumOf } from "../support/at-scanner.js";
import { consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

/** A page of the scanner on which one person does something whose answer is lost. */
interface Task {
  page: string;
  title: string;
  /** What is sent. */
  path: string;
  /** Before anybody opens it; returns what the steps need. */
  prepare?: (site: Floor) => Promise<{ so_id: number; so_number: string }>;
  work: (page: Page, site: Floor, order: { so_number: string }) => Promise<void>;
  /** How often, or how much of it, is in the books; `$1` is the warehouse. */
  inBooks: string;
  once: number;
}

describe("a handheld that two people share", () => {
  const service = testService({ worker: true });
  before(async () => {
    await service.admin.ok("PUT", "/api/admin/settings", { settings: { allow_over_receiving: "true" } });
  });
  const browser = consoleBrowser(() => service);

  const tasks: Task[] = [
    {
      ...{ page: "receive", title: "Receive", path: "/api/receiving/receive", once: 10 },
      work: async (page, { bought, goods, code }) => {
        await into(page, "Scan the purchase order", bought.po_number);
        await press(page, new RegExp(goods.sku));
        await into(page, "Scan the bin", code.dock);
        await press(page, /^Receive 10/);
      },
      inBooks: "select quantity_received from item_receipts where warehouse_id = $1",
    },
    {
      ...{ page: "putaway", title: "Put away", path: "/api/putaway/confirm", once: 5 },
      work: async (page, { goods, code }) => {
        await into(page, "Scan an item", goods.sku);
        await into(page, "Scan the bin", code.other);
        await press(page, /^Put 5/);
      },
      inBooks: "select quantity from bin_transfers join bins b on b.bin_id = from_bin_id where b.warehouse_id = $1",
    },
    {
      ...{ page: "pick", title: "Pick", path: "/api/picking/confirm", once: 2 },
      prepare: (site) => orderTo("pick", site, service.admin),
      work: async (page, { goods }, { so_number }) => {
        await into(page, "Scan an order", so_number);
        await says(page, "2 pcs");
        await press(page, /^Start/);
        await into(page, "Scan the item", goods.sku);
      },
      inBooks: "select quantity_picked from sales_order_lines join sales_orders using (so_id) where warehouse_id = $1",
    },
    {
      ...{ page: "pack", title: "Pack", path: "/api/packing/verify", once: 1 },
      prepare: (site) => orderTo("pack", site, service.admin),
      work: async (page, { goods }, { so_number }) => {
        await into(page, "Scan an order or a tote", so_number);
        await into(page, "Scan an item", goods.sku);
      },
      inBooks: "select quantity_packed from sales_order_lines join sales_orders using (so_id) where warehouse_id = $1",
    },
    {
      ...{ page: "ship", title: "Ship", path: "/api/shipping/fulfill", once: 1 },
      prepare: (site) => orderTo("ship", site, service.admin),
      work: async (page, _, { so_number }) => {
        await into(page, "Scan an order", so_number);
        await page.getByLabel("Carrier").fill("UPS");
        await into(page, "Scan the tracking number", "1Z999AA1");
        await press(page, "Ship with UPS");
      },
      inBooks: "select 1 from item_fulfillments where warehouse_id = $1",
    },
    {
      ...{ page: "count", title: "Count", path: "/api/inventory/cycle-count/submit", once: 1 },
      work: async (page, { goods, code }) => {
        await into(page, "Scan the bin to count", code.shelf);
        await into(page, "Scan an item: each scan is one more", goods.sku);
        await press(page, "Done counting");
      },
      inBooks: "select 1 from inventory_adjustments where warehouse_id = $1",
    },
    {
      ...{ page: "move", title: "Move", path: "/api/transfers/move", once: 1 },
      work: async (page, { goods, code }) => {
        await into(page, "Scan the bin to take from", code.shelf);
        await into(page, "Scan an item", goods.sku);
        await into(page, "Scan the bin to put into", code.other);
        await press(page, /^Move 1/);
      },
      inBooks: "select 1 from bin_transfers join bins b on b.bin_id = from_bin_id where b.warehouse_id = $1",
    },
  ];

  const toPage = (page: Page, path: string) => page.goto(`${service.url}/scan/${path}`);
  async function signOut(page: Page): Promise<void> {
    await toPage(page, "");
    await press(page, /^Sign out/);
  }

  for (const { page: path, title, path: sent, prepare, work, inBooks, once } of tasks)
    it(`sends what one did on the page ${title} for nobody else, and once when that person is back`, async () => {
      const site = await floor();
      const [one, two] = [await floorWorker(site.here), await floorWorker(site.here)];
      const order = (await prepare?.(site)) ?? { so_number: "" };
      const page = await browser.open({ path: `/scan/${path}`, username: one, size: "phone" });
      // It arrives, and its answer does not come back, however often it is sent.
      await page.route(`**${sent}`, async (route) => {
        await route.fetch().catch(() => {});
        await route.abort().catch(() => {});
      });
      await work(page, site, order);
      await until(async () => (await sumOf(inBooks, site.here)) === once);

      await signOut(page);
      await says(page, "Some of it is not yet sent.");
      await browser.check(page, "scan-sign-out");
      await press(page, "Sign out and keep it");
      const asked: string[] = [];
      page.on("request", (request) => request.method() === "POST" && asked.push(new URL(request.url()).pathname));
      await page.getByLabel("Username").waitFor();
      await page.unrouteAll();
      await signIn(page, two);
      await page.getByRole("link", { name: title }).waitFor();
      await toPage(page, path);
      await page.getByRole("textbox").first().waitFor();
      await says(page, `Not yet sent, by ${one}: ${title}`);
      await browser.check(page, `scan-shared-${path}`);
      assert.ok(!asked.includes(sent), "it was sent for another");

      // Nothing of the second person's is unsent.
      await signOut(page);
      await page.getByLabel("Username").waitFor();
      await signIn(page, one);
      // The notice of it, or else the page: it may be sent already.
      await page.getByRole("link", { name: title }).first().click();
      await page.getByText(/Not yet sent/).waitFor({ state: "detached" });
      const isUnanswered = "Object.keys(localStorage).some((key) => key.includes('unanswered'))";
      await until(async () => !(await page.evaluate<boolean>(isUnanswered)));
      assert.deepEqual(
        asked.filter((name) => name === sent),
        [sent],
      );
      assert.equal(await sumOf(inBooks, site.here), once);
      assert.deepEqual(
        await db.rows("select 1 from audit_log where user_id = $1 and entity_type <> 'USER'", [two]),
        [],
      );
    });

  it("shows on the page Look up what oneself looked up, and what is not yet sent", async () => {
    const site = await floor();
    const [one, two] = [await floorWorker(site.here), await floorWorker(site.here)];
    const page = await browser.open({ path: "/scan/receive", username: one, size: "phone" });
    const { work, inBooks } = tasks[0] as Task;
    await page.route("**/api/receiving/receive", (route) => route.abort());
    await work(page, site, { so_number: "" });
    await toPage(page, "look-up");
    await into(page, "Scan an item or a bin, or type a part of its name", site.goods.sku);
    await says(page, "Where it is");
    await says(page, "Not yet sent: Receive");
    await signOut(page);
    await press(page, "Sign out and keep it");
    await signIn(page, two);
    await page.getByRole("link", { name: "Look up" }).click();
    await says(page, `Not yet sent, by ${one}: Receive`);
    assert.equal(await page.getByText("Where it is").count(), 0);
    assert.equal(await sumOf(inBooks, site.here), 0);
    await signOut(page);
    await page.unrouteAll();
    await signIn(page, one);
    await page.getByRole("link", { name: "Look up" }).click();
    await says(page, "Where it is");
  });

  it("does not send again what the service no longer knows, and says so", async () => {
    const site = await floor();
    const one = await floorWorker(site.here);
    const page = await browser.open({ path: "/scan/receive", username: one, size: "phone" });
    const { work, inBooks } = tasks[0] as Task;
    await page.route("**/api/receiving/receive", async (route) => {
      await route.fetch().catch(() => {});
      await route.abort().catch(() => {});
    });
    await work(page, site, { so_number: "" });
    await until(async () => (await sumOf(inBooks, site.here)) === 10);
    await toPage(page, "");
    await says(page, "Not yet sent: Receive");
    await page.unrouteAll();
    // Two days later, and the key is gone.
    await page.evaluate(`for (const key of Object.keys(localStorage).filter((name) => name.includes("unanswered"))) {
      const sent = JSON.parse(localStorage.getItem(key));
      localStorage.setItem(key, JSON.stringify({ ...sent, at: sent.at - 48 * 3600_000 }));
    }`);
    await db.run("delete from command_log");
    await toPage(page, "receive");
    await says(page, "Look whether it was done.");
    await page.getByRole("textbox").waitFor();
    await browser.check(page, "scan-too-old");
    await press(page, "I have looked");
    await page.getByText("Look whether it was done.").waitFor({ state: "detached" });
    assert.equal(await sumOf(inBooks, site.here), 10);
    await signOut(page);
    await page.getByLabel("Username").waitFor();
  });

  it("waits at the sign-out for what is on its way", async () => {
    const site = await floor();
    const one = await floorWorker(site.here);
    const page = await browser.open({ path: "/scan/receive", username: one, size: "phone" });
    const { work, inBooks } = tasks[0] as Task;
    await page.route("**/api/receiving/receive", (route) => route.abort());
    await work(page, site, { so_number: "" });
    await signOut(page);
    await page.unrouteAll();
    await press(page, "Wait until it is sent: Receive");
    await says(page, /^Received 10/);
    assert.equal(await sumOf(inBooks, site.here), 10);
    await signOut(page);
    await page.getByLabel("Username").waitFor();
  });

  it("says that a sign-out waits for the net, or why it is refused", async () => {
    const site = await floor();
    const page = await browser.open({ path: "/scan/", username: await floorWorker(site.here), size: "phone" });
    const logout = "**/api/auth/logout";
    await page.route(logout, (route) => route.fulfill({ status: 400, json: { error: "bad_request" } }));
    await press(page, /^Sign out/);
    await page.getByRole("alert").waitFor();
    await page.unrouteAll();
    await page.context().setOffline(true);
    await press(page, "Try again");
    await says(page, "No answer yet.");
    assert.equal(await page.getByRole("link", { name: "Receive" }).count(), 0);
    await browser.check(page, "scan-signing-out");
    await page.context().setOffline(false);
    await page.getByLabel("Username").waitFor();
  });

  it("refuses a page of one once the other has signed in, in another tab", async () => {
    const site = await floor();
    const [one, two] = [await floorWorker(site.here), await floorWorker(site.here)];
    const page = await browser.open({ path: "/scan/receive", username: one, size: "phone" });
    await into(page, "Scan the purchase order", site.bought.po_number);
    await press(page, new RegExp(site.goods.sku));
    await into(page, "Scan the bin", site.code.dock);
    const other = await page.context().newPage();
    await other.goto(`${service.url}/scan/`);
    await press(other, /^Sign out/);
    await signIn(other, two);
    await other.getByRole("link", { name: "Receive" }).waitFor();
    await press(page, /^Receive 10/);
    await says(page, `Not yet sent, by ${one}: Receive`);
    await page.getByRole("textbox", { name: "Scan the purchase order" }).waitFor();
    assert.equal(await sumOf((tasks[0] as Task).inBooks, site.here), 0);
  });
});
