import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { consoleBrowser } from "../support/console.js";
import { bin, item, stock, warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";

describe("the words of lists at the desk", () => {
  const service = testService();
  const browser = consoleBrowser(() => service);
  let here: number;
  let there: number;
  before(async () => {
    here = await warehouse();
    there = await warehouse();
  });
  const codeOf = async (id: number) => (await service.admin.ok("GET", `/api/admin/warehouses/${id}`)).warehouse_code;
  const button = (page: Page, name: string) => page.getByRole("main").getByRole("button", { name });
  const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name });

  it("say of an empty list how its rows come about, and lead there who may", async () => {
    const { username } = await person();
    const empty = (page: Page, { language }: { language: string }) =>
      page.getByText(language === "de" ? "Noch keine Bestellungen" : "No purchase orders yet").waitFor();
    await browser.look("empty-list", { path: "/console/purchase-orders", username }, empty);
    const page = await browser.open({ path: "/console/purchase-orders", username });
    await page.getByText("They come from an ERP or a file, or are made here.").waitFor();
    await link(page, "Imports").click();
    await page.getByRole("heading", { name: "Imports" }).waitFor();
    const { username: buyer } = await person({
      ...{ role: "USER" as const, warehouse_ids: [here] },
      page_keys: ["purchase-orders"],
    });
    const other = await browser.open({ path: "/console/purchase-orders", username: buyer });
    await other.getByText("No purchase orders yet").waitFor();
    assert.equal(await link(other, "Imports").count(), 0);
  });

  it("clear the filters that leave nothing, at once", async () => {
    const { item_id, sku } = await item();
    const { username } = await person();
    const page = await browser.open({ path: "/console/items?q=nothing-like-it&active=true", username });
    await page.getByText("Nothing fits the filters that are set.").waitFor();
    await browser.check(page, "nothing-found");
    await button(page, "Clear the filters").click();
    await link(page, sku).waitFor();
    assert.equal(new URL(page.url()).search, "");
    assert.ok(item_id);
  });

  it("look at all warehouses where the one that is looked at has nothing", async () => {
    const { item_id, sku } = await item();
    await stock(here, await bin(here), item_id, 3);
    const { username } = await person();
    const page = await browser.open({ path: "/console/stock", username });
    await link(page, sku).waitFor();
    await page.getByRole("banner").getByLabel("Warehouse").selectOption(String(there));
    await page.getByText(`${await codeOf(there)}: Nothing lies here`).waitFor();
    await button(page, "All warehouses").click();
    await link(page, sku).waitFor();
  });

  it("call people by their full names, and by their usernames too where two have the same", async () => {
    const { item_id } = await item();
    const shelf = await bin(here);
    await stock(here, shelf, item_id, 9);
    const people = [];
    for (const full_name of ["Ann Miller", "Ann Miller", "Zoe Other"]) {
      const by = await service.user({ role: "ADMIN", full_name });
      const body = { item_id, bin_id: shelf, warehouse_id: here, adjustment_type: "ADD", quantity: 1 };
      await by.ok("POST", "/api/admin/adjustments/direct", { ...body, reason: "found" });
      people.push({ username: by.username, full_name });
    }
    const { username } = await person();
    const page = await browser.open({ path: "/console/adjustments", username });
    for (const { username, full_name } of people) {
      const shown = full_name === "Ann Miller" ? `${full_name} (${username})` : full_name;
      await page.getByRole("cell", { name: shown, exact: true }).waitFor();
    }
    assert.equal(
      await page
        .getByTitle(people[2]?.username ?? "")
        .first()
        .textContent(),
      "Zoe Other",
    );
  });
});
