import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { sequenceAll } from "../../activities/outbound/sequencer.js";
import { confirmDialog, consoleBrowser, tabTo } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

const MANY = 10_000;
const nameOf = (n: number) => `ROW-${String(n).padStart(5, "0")}`;

describe("lists at the desk", () => {
  const service = testService();
  let admin: string;
  let here: number;
  let code: string;
  let so_id: number;
  let shelf: number;
  before(async () => {
    admin = (await person()).username;
    here = await warehouse();
    await warehouse();
    code = (await service.admin.ok("GET", `/api/admin/warehouses/${here}`)).warehouse_code;
    const { item_id } = await item({ sku: "AAA-1" });
    shelf = await bin(here);
    await stock(here, shelf, item_id, 50);
    for (let n = 0; n < 3; n++) so_id = (await salesOrder(here, [{ item_id, quantity: 1 }], `SO-200${n}`)).so_id;
    await db.run(
      `insert into items (sku, item_name, category)
       select 'ROW-' || lpad(n::text, 5, '0'), 'Row ' || n, 'C' || n % 7 from generate_series(1, $1::int) n`,
      [MANY - 1],
    );
  });
  const browser = consoleBrowser(() => service);
  const open = (path: string, username = admin) => browser.open({ path: `/console/${path}`, username });

  const scrollTo = (page: Page, part: number) =>
    page.evaluate(`{
      const list = document.querySelector("section.scrolls");
      list.scrollTo(0, (list.scrollHeight - list.clientHeight) * ${part});
    }`);
  const rowOf = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
  const inSight = (page: Page, sku: string) =>
    page.evaluate<boolean>(`(() => {
      const [list, link] = ["section.scrolls", "a"].map((of) =>
        [...document.querySelectorAll(of)].find((one) => of !== "a" || one.textContent === "${sku}"));
      if (!list || !link) return false;
      const [around, one] = [list.getBoundingClientRect(), link.getBoundingClientRect()];
      return one.top >= around.top && one.bottom <= around.bottom;
    })()`);

  it("scroll through ten thousand rows, of which only those near what is seen are drawn", async () => {
    const page = await open("items?sort=sku");
    await page.getByText("10,000 found").waitFor();
    await rowOf(page, "AAA-1").waitFor();
    await scrollTo(page, 1);
    await until(() => inSight(page, nameOf(MANY - 1)));
    await page.waitForURL(/page=200/);
    assert.ok((await page.getByRole("row").count()) < 300);
    assert.equal(await rowOf(page, "AAA-1").count(), 0);
    await scrollTo(page, 0.5);
    await until(() => inSight(page, nameOf(MANY / 2)));
    await scrollTo(page, 0);
    await until(() => inSight(page, "AAA-1"));
    await page.waitForURL((url) => !url.search.includes("page"));
  });

  it("begin where an address says, and are there again when somebody comes back", async () => {
    const page = await open("items?sort=sku&page=51");
    const first = nameOf(2_500);
    await until(() => inSight(page, first));
    await page.getByRole("link", { name: first }).click();
    await page.getByRole("heading", { name: new RegExp(first) }).waitFor();
    await page.goBack();
    await until(() => inSight(page, first));
    await page.getByRole("button", { name: /Sort by Name/ }).click();
    await until(() => inSight(page, nameOf(1)));
    assert.doesNotMatch(page.url(), /page=/);
  });

  it("show what changed meanwhile without leaving their place", async () => {
    const page = await open("items?sort=sku&page=101");
    const sku = nameOf(5_002);
    await until(() => inSight(page, sku));
    const { item_id } = (await service.admin.ok("GET", `/api/admin/items?q=${sku}`)).items[0];
    await service.admin.ok("PUT", `/api/admin/items/${item_id}`, { item_name: "Renamed" });
    const path = `/api/admin/sales-orders/${so_id}`;
    const { lines } = await service.admin.ok("GET", path);
    const pick = { so_line_id: lines[0].so_line_id, bin_id: shelf, quantity: 1 };
    await service.admin.ok("POST", `${path}/admin-pick`, { lines: [pick] });
    await sequenceAll();
    await rowOf(page, sku).getByText("Renamed").waitFor();
    assert.ok(await inSight(page, sku));
  });

  it("are walked with j and k, and Enter opens the row", async () => {
    const page = await open("items?sort=sku");
    await rowOf(page, "AAA-1").waitFor();
    const focused = page.locator("tr:focus");
    await page.keyboard.press("j");
    await focused.filter({ hasText: "AAA-1" }).waitFor();
    // The next row may still be on its way.
    await until(async () => {
      await page.keyboard.press("j");
      return ((await focused.textContent()) ?? "").includes(nameOf(60));
    }, 30_000);
    assert.ok(await inSight(page, nameOf(60)));
    await page.keyboard.press("k");
    await focused.filter({ hasText: nameOf(59) }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: new RegExp(nameOf(59)) }).waitFor();
  });

  it("take letters that are typed into a field as letters", async () => {
    const page = await open("items?sort=sku");
    await rowOf(page, "AAA-1").waitFor();
    await tabTo(page, /^Search$/);
    await page.keyboard.type("jkxj");
    await page.getByText("Nothing found").waitFor();
    assert.equal(await page.locator("tr:focus").count(), 0);
  });

  it("open a row wherever it is clicked, and leave its text to be marked", async () => {
    const page = await open("items?sort=sku");
    await rowOf(page, nameOf(3)).getByText("Row 3").click();
    await page.getByRole("heading", { name: new RegExp(nameOf(3)) }).waitFor();
    await page.goBack();
    await rowOf(page, nameOf(4)).waitFor();
    const text = rowOf(page, nameOf(4)).getByText("Row 4");
    const place = await text.boundingBox();
    assert.ok(place);
    const [y, end] = [place.y + place.height / 2, place.x + place.width - 2];
    await page.mouse.move(place.x + 12, y);
    await page.mouse.down();
    await page.mouse.move(end, y, { steps: 5 });
    await page.mouse.up();
    assert.match(page.url(), /items\?/);
    assert.equal(await page.evaluate("getSelection().toString().length > 2"), true);
  });

  it("have the columns and the height of rows that a user chose", async () => {
    const page = await open("items?sort=sku");
    await rowOf(page, "AAA-1").waitFor();
    const height = async () => (await rowOf(page, "AAA-1").boundingBox())?.height ?? 0;
    const before = await height();
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("checkbox", { name: "Category" }).uncheck();
    await page.getByRole("checkbox", { name: "Rows close together" }).check();
    await browser.check(page, "list-columns");
    await page.keyboard.press("Escape");
    await page.reload();
    await rowOf(page, "AAA-1").waitFor();
    assert.equal(await page.getByRole("columnheader", { name: /Category/ }).count(), 0);
    assert.ok((await height()) < before);
    const other = await open("items?sort=sku", (await person()).username);
    await other.getByRole("columnheader", { name: /Category/ }).waitFor();
  });

  it("have what is filtered as chips, and the rest of the filters behind a button", async () => {
    const page = await open("orders");
    await rowOf(page, "SO-2000").waitFor();
    await page.getByRole("button", { name: "Add filter" }).click();
    await page.getByLabel("Status", { exact: true }).selectOption("OPEN");
    await page.waitForURL(/status=OPEN/);
    await page.getByLabel("From", { exact: true }).fill("2020-01-31");
    await page.waitForURL(/date_from=2020-01-31/);
    await browser.check(page, "list-filters");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "From: Jan 31, 2020" }).waitFor();
    await page.getByRole("banner").getByLabel("Warehouse").selectOption({ label: code });
    await browser.check(page, "list-chips");
    await tabTo(page, /^Status: Open/);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => !url.search.includes("status"));
    await page.getByRole("button", { name: `Warehouse: ${code}, remove the filter` }).click();
    await until(async () => (await page.getByRole("banner").getByLabel("Warehouse").inputValue()) === "");
  });

  it("are cards on a phone", async () => {
    const page = await browser.open({ path: "/console/orders", username: admin, size: "phone" });
    const row = rowOf(page, "SO-2000");
    await row.getByRole("cell").first().waitFor();
    const label = await page.evaluate<string>(
      `getComputedStyle(document.querySelector('td[data-label=Customer]'), '::before').content`,
    );
    assert.match(label, /^"Customer"/);
    await browser.check(page, "list-cards");
    await row.getByRole("cell", { name: "Customer" }).click();
    await page.getByRole("heading", { name: /SO-2000/ }).waitFor();
    const dark = await browser.open({
      ...{ path: "/console/items?q=ROW-0001", username: admin, size: "phone", colours: "dark", language: "de" },
    });
    await rowOf(dark, nameOf(10)).waitFor();
    await browser.check(dark, "list-cards-dark");
  });

  it("are kept as views, own and shared ones", async () => {
    const [ann, bob] = [(await person()).username, (await person()).username];
    const menu = (page: Page, name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });
    const views = (page: Page) => page.getByRole("button", { name: "Views" }).click();
    const hers = await open("items?sort=-sku&category=C3", ann);
    await rowOf(hers, "C3").first().waitFor();
    for (const name of ["Mine", "Ours"]) {
      await views(hers);
      await menu(hers, "Save this view").click();
      await hers.getByLabel("Name", { exact: false }).last().fill(name);
      if (name === "Ours") await hers.getByLabel("Everybody may use it").check();
      await browser.check(hers, `list-save-${name}`);
      await confirmDialog(hers);
    }
    const his = await open("items", bob);
    await rowOf(his, "AAA-1").waitFor();
    await views(his);
    await menu(his, `Ours · ${ann}`).waitFor();
    assert.equal(await menu(his, "Mine").count(), 0);
    await browser.check(his, "list-views");
    await menu(his, `Ours · ${ann}`).click();
    await his.waitForURL(/category=C3/);
    await rowOf(his, "C3").first().waitFor();
    await views(hers);
    await menu(hers, "Delete “Ours”").click();
    await confirmDialog(hers);
    await his.reload();
    await views(his);
    await his.getByText("None is saved yet").waitFor();
  });

  it("say how many rows there are when these were counted, without keeping anybody waiting for it", async () => {
    await db.run(
      `insert into items (sku, item_name, category)
       select 'LATER-' || lpad(n::text, 5, '0'), 'Later', 'LATER' from generate_series(1, $1::int) n`,
      [MANY + 20],
    );
    const page = await open("items?sort=sku&category=LATER");
    await rowOf(page, "LATER-00001").waitFor();
    await page.getByText("10,020 found", { exact: true }).waitFor();
    await scrollTo(page, 1);
    await until(() => inSight(page, `LATER-${MANY + 20}`));
  });
});
