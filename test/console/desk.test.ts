import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { sequenceAll } from "../../activities/outbound/sequencer.js";
import { consoleBrowser, tabTo } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { PASSWORD, person } from "../support/people.js";
import { testService } from "../support/service.js";

describe("the console of the desk", () => {
  const service = testService({ env: { SERVICE_TEMPORAL_UI_URL: "http://127.0.0.1:8233" } });
  let admin: string;
  let mug: Awaited<ReturnType<typeof item>>;
  let order: Awaited<ReturnType<typeof salesOrder>>;
  let waiting: typeof order;
  let shelf: number;
  const pickAll = async (so_id: number, quantity: number) => {
    const { lines } = await service.admin.ok("GET", `/api/admin/sales-orders/${so_id}`);
    const pick = { so_line_id: lines[0].so_line_id, bin_id: shelf, quantity };
    await service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/admin-pick`, { lines: [pick] });
  };
  before(async () => {
    admin = (await person()).username;
    const warehouse_id = await warehouse();
    mug = await item({ sku: "MUG-1" });
    for (let n = 0; n < 60; n++) await item();
    const shelves = [await bin(warehouse_id), await bin(warehouse_id)];
    for (const one of shelves) await stock(warehouse_id, one, mug.item_id, 12, `LOT-${one}`);
    shelf = shelves[0] as number;
    order = await salesOrder(warehouse_id, [{ item_id: mug.item_id, quantity: 3 }], "SO-1001");
    waiting = await salesOrder(warehouse_id, [{ item_id: mug.item_id, quantity: 1 }], "SO-1002");
    await pickAll(order.so_id, 3);
    await service.admin.ok("POST", `/api/admin/sales-orders/${order.so_id}/admin-ship`);
    await sequenceAll();
  });
  const browser = consoleBrowser(() => service);

  const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).waitFor();
  async function signIn(page: Page, username: string, password = PASSWORD) {
    await tabTo(page, /Username/);
    await page.keyboard.type(username);
    await tabTo(page, /^Password/);
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
  }

  it("signs in by keyboard alone, at the page that was asked for, after a wrong password", async () => {
    const page = await browser.open({ path: "/console/items?q=MUG" });
    await signIn(page, admin, "not this one");
    await page.getByText("Username or password is wrong.").waitFor();
    await browser.check(page, "login-refused");
    await page.getByLabel(/^Password/).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "MUG-1" }).waitFor();
  });

  it("has a password that must be changed changed first", async () => {
    const { username, user_id } = await person();
    await db.run("update users set must_change_password = true where user_id = $1", [user_id]);
    const page = await browser.open({ path: "/console/items", username });
    await heading(page, "Change password");
    await browser.check(page, "new-password");
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByLabel("New password").fill("another horse 22");
    await page.keyboard.press("Enter");
    await heading(page, "Items");
  });

  it("asks to sign in again when the session ended, and goes on where one was", async () => {
    const page = await browser.open({ path: `/console/orders/${order.so_id}`, username: admin });
    await heading(page, "SO-1001");
    await page.context().clearCookies({ name: "service_auth" });
    await page.getByRole("button", { name: "Stock" }).click();
    await page.getByRole("link", { name: "Items" }).click();
    await signIn(page, admin);
    await heading(page, "Items");
    assert.match(page.url(), /\/console\/items$/);
  });

  it("signs out", async () => {
    const page = await browser.open({ path: "/console/", username: admin });
    await page.getByRole("button", { name: /Account/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await heading(page, /Sign in/);
  });

  it("shows only the pages that were granted", async () => {
    const { username } = await person({ role: "USER", page_keys: ["items"], warehouse_ids: [] });
    const page = await browser.open({ path: "/console/orders", username });
    await page.getByText("There is no such page.").waitFor();
    assert.deepEqual(await page.getByRole("navigation").getByRole("link").allInnerTexts(), ["Inbox", "Items"]);
  });

  it("lists items: filter, order and page stand in the address, and the keyboard opens one", async () => {
    await browser.look("items", { path: "/console/items", username: admin }, (page) =>
      page.getByRole("link", { name: /SKU/ }).first().waitFor(),
    );
    const page = await browser.open({ path: "/console/items", username: admin });
    await page.getByRole("button", { name: /Sort by SKU/ }).click();
    await page.getByRole("columnheader", { name: /SKU/ }).and(page.locator("[aria-sort=ascending]")).waitFor();
    await page.getByRole("button", { name: /Sort by SKU/ }).click();
    await page.waitForURL(/sort=-sku/);
    const fileOf = async (kind: string) => {
      const saved = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download CSV" }).click();
      await page.getByRole("menuitem", { name: kind }).click();
      return readFileSync(await (await saved).path(), "utf8");
    };
    for (const kind of ["CSV for Excel", "CSV for programs"]) {
      const file = await fileOf(kind);
      assert.match(file, /^\ufeff[^\ufeff]/, "not one byte order mark, by which spreadsheets know UTF-8");
      assert.equal(file.trim().split("\n").length, 62);
    }
    await page.getByLabel("Search", { exact: true }).fill("MUG");
    await page.waitForURL(/[?&]q=MUG/);
    await page.getByText("1 found").waitFor();
    await tabTo(page, "MUG-1");
    await page.keyboard.press("Enter");
    await heading(page, /MUG-1/);
  });

  it("shows an item with its stock, and archives it once it is confirmed", async () => {
    const visit = { path: `/console/items/${mug.item_id}`, username: admin };
    await browser.look("item", visit, (page) => page.getByText(/^LOT-/).first().waitFor());
    const page = await browser.open(visit);
    const colourOf = (name: string) =>
      page.evaluate<string>(
        `getComputedStyle([...document.querySelectorAll("button")].find((one) => one.innerText === "${name}")).color`,
      );
    await page.getByRole("button", { name: "Delete", exact: true }).waitFor();
    assert.notEqual(await colourOf("Delete"), await colourOf("Edit"));
    assert.equal(await colourOf("Archive"), await colourOf("Edit"));
    await page.getByRole("button", { name: "Archive" }).click();
    await page.getByRole("dialog").locator("[type=submit]").click();
    await page.getByText("Archived", { exact: true }).waitFor();
    const { body } = await service.admin.get(`/api/admin/items/${mug.item_id}`);
    assert.equal(body.item.is_active, false);
    // What is archived is sold to nobody.
    await service.admin.ok("POST", `/api/admin/items/${mug.item_id}/archive`);
  });

  it("lists orders, and tells the whole story of one with a link to its workflow", async () => {
    await browser.look("orders", { path: "/console/orders", username: admin }, (page) =>
      page.getByRole("link", { name: "SO-1001" }).waitFor(),
    );
    const visit = { path: `/console/orders/${order.so_id}`, username: admin };
    await browser.look("order", visit, (page) =>
      page
        .getByText("Open in the Temporal UI")
        .or(page.getByText("In der Temporal-Oberfläche öffnen"))
        .first()
        .waitFor(),
    );
    const page = await browser.open(visit);
    await page.getByText(/^Shipped on /).waitFor();
    const story = page.locator("section", { has: page.getByRole("heading", { name: "Story" }) });
    for (const said of [/^3 × MUG-1 picked from /, /^It was shipped with /, /^Programs are told: picked$/])
      await story.getByText(said).first().waitFor();
    assert.doesNotMatch((await story.textContent()) ?? "", /system:|[A-Z]+_[A-Z]+|\w+\.(confirmed|completed)/);
    const wave = story.getByRole("link", { name: /^It was put into wave / });
    const name = (await wave.textContent()) ?? "";
    await wave.click();
    await page.getByRole("heading", { level: 1, name: name.replace("It was put into wave ", "") }).waitFor();
  });

  it("changes the language in place", async () => {
    const page = await browser.open({ path: "/console/items", username: admin });
    await page.getByRole("button", { name: /Account/ }).click();
    await page.getByRole("menuitem", { name: "Deutsch" }).click();
    await heading(page, "Artikel");
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
  });

  it("shows what changed meanwhile, without being asked", async () => {
    const page = await browser.open({ path: "/console/orders?q=SO-1002", username: admin });
    await page.getByRole("cell", { name: "Open" }).waitFor();
    await pickAll(waiting.so_id, 1);
    await sequenceAll();
    await page.getByRole("cell", { name: "Picked" }).waitFor();
  });
});
