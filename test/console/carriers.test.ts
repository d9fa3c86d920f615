import assert from "node:assert/strict";
import { CARRIER_ENV, type LocalCarrier, openCarrier } from "../support/carriers.js";
import { confirmDialog, consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { openService, type TestService } from "../support/service.js";

describe("the desk's carriers", () => {
  let service: TestService;
  let carrier: LocalCarrier;
  let admin: string;
  let here: number;
  before(async () => {
    service = await openService({ env: CARRIER_ENV });
    carrier = await openCarrier();
    admin = (await person()).username;
    here = await warehouse();
  });
  const browser = consoleBrowser(() => service);
  after(async () => {
    await service.close();
    await carrier.close();
  });

  it("sets an account up, tests it, changes it, and takes it out of use; nothing secret is shown", async () => {
    const page = await browser.open({ path: "/console/carriers", username: admin });
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "New carrier account" }).click();
    await dialog.getByLabel("Warehouse").selectOption(String(here));
    await dialog.getByLabel("Kind").selectOption("Sendcloud");
    await dialog.getByLabel("Public key").waitFor();
    await dialog.getByLabel("Kind").selectOption("By hand");
    await dialog.getByText("Labels are bought elsewhere").waitFor();
    await dialog.getByLabel("Kind").selectOption("EasyPost");
    await dialog.getByLabel("API key").fill("wrong");
    await dialog.getByLabel("Address of the API").fill(carrier.url);
    await dialog.getByLabel("Labels as").selectOption("ZPL");
    await dialog.locator("[name=account_name]").fill("EasyPost, main");
    const from = { name: "Acme", line1: "417 Montgomery Street", city: "San Francisco", state: "CA" };
    for (const [part, text] of Object.entries(from)) await dialog.locator(`[name="from.${part}"]`).fill(text);
    await dialog.getByRole("combobox", { name: "Country" }).fill("United St");
    await page.getByRole("option", { name: "United States (US)" }).click();
    await dialog.getByLabel("Cut-off").fill("16:30");
    for (const day of ["Sat", "Sun"]) await dialog.getByLabel(day).uncheck();
    await dialog.getByLabel("Scan each parcel as it is loaded").check();
    await browser.check(page, "carriers-new-account");
    await confirmDialog(page);
    await page.getByRole("cell", { name: "Acme, San Francisco, US" }).waitFor();
    await page.getByRole("cell", { name: "ZPL" }).waitFor();
    await page.getByRole("cell", { name: "Mon Tue Wed Thu Fri 16:30 · each parcel scanned" }).waitFor();
    const stored = () =>
      db.rows<{ collection_days: number[] }>(
        "select collection_at::text, collection_days, scan_out from carrier_accounts where warehouse_id = $1",
        [here],
      );
    assert.deepEqual(await stored(), [{ collection_at: "16:30:00", collection_days: [1, 2, 3, 4, 5], scan_out: true }]);

    await page.getByRole("button", { name: "Test" }).click();
    await dialog.locator("[type=submit]").click();
    await dialog.getByRole("alert").getByText("EasyPost answered with HTTP status 40").waitFor();
    await dialog.getByRole("button", { name: "Back" }).click();

    // The address leads elsewhere than the key was given for: both are sent again.
    await page.getByRole("button", { name: "Edit" }).click();
    const secrets = await dialog.locator("input[type=password]").evaluateAll((all) => all.map((one) => one.value));
    assert.ok(secrets.length > 1 && secrets.every((value) => value === ""), secrets.join());
    await dialog.getByLabel("API key").fill("EZTK_local");
    // What was said of collections is there, and can be taken back.
    assert.equal(await dialog.getByLabel("Cut-off").inputValue(), "16:30");
    assert.equal(await dialog.getByLabel("Sun").isChecked(), false);
    await dialog.getByLabel("Cut-off").fill("");
    await dialog.getByLabel("Sun").check();
    await dialog.getByLabel("Scan each parcel as it is loaded").uncheck();
    await browser.check(page, "carriers-edit-account");
    await confirmDialog(page);
    await page.getByRole("cell", { name: "each parcel scanned" }).waitFor({ state: "detached" });
    assert.deepEqual(await stored(), [{ collection_at: null, collection_days: [1, 2, 3, 4, 5, 7], scan_out: false }]);
    await page.getByRole("button", { name: "Test" }).click();
    await confirmDialog(page);
    await page.getByText("Test account EasyPost, main").waitFor();
    await browser.check(page, "carriers-accounts");

    const visit = { path: "/console/carriers", username: admin, language: "de", size: "phone" } as const;
    const german = await browser.open(visit);
    await german.getByRole("button", { name: "Bearbeiten" }).click();
    assert.equal(await german.getByLabel("Annahmeschluss").inputValue(), "");
    await german.getByRole("group", { name: "An", exact: true }).getByLabel("Sa", { exact: true }).check();
    await german.getByLabel("Jedes Paket beim Verladen scannen").check();
    await browser.check(german, "carriers-edit-account-german");
    await confirmDialog(german);
    await german.getByText("jedes Paket gescannt").waitFor();
    const [row] = await stored();
    assert.deepEqual(row?.collection_days, [1, 2, 3, 4, 5, 6, 7]);

    await page.getByRole("button", { name: "Pause" }).click();
    await confirmDialog(page);
    await page.getByRole("cell", { name: "Inactive" }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await confirmDialog(page);
    await page.getByRole("cell", { name: "EasyPost, main" }).waitFor({ state: "detached" });
  });

  it("sets rules up, by what they are for and what they take, and says why one is refused", async () => {
    const { account_id } = await service.admin.ok("POST", "/api/admin/carriers", {
      ...{ warehouse_id: here, account_name: "House account", carrier: "manual" },
      ship_from: { name: "Acme", line1: "417 Montgomery Street", city: "San Francisco", country: "US" },
    });
    const page = await browser.open({
      path: "/console/carrier-rules",
      username: admin,
      size: "phone",
      colours: "dark",
    });
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "New carrier rule" }).click();
    await dialog.getByLabel("Warehouse").selectOption(String(here));
    await dialog.getByLabel("Name").fill("Light to Germany");
    await dialog.getByLabel("To countries").fill("de, AT");
    await dialog.getByLabel("Weighs at least (lb)").fill("5");
    await dialog.getByLabel("Weighs less than (lb)").fill("2.5");
    await dialog.getByLabel("Goods").selectOption("no dangerous goods");
    await dialog.getByLabel("Account").selectOption(String(account_id));
    await dialog.getByLabel("Days on the way, at most").fill("3");
    await dialog.locator("[type=submit]").click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("Weighs at least (lb)").fill("0.5");
    await browser.check(page, "carriers-new-rule");
    await confirmDialog(page);
    await page.getByText("from 0.5 lb · below 2.5 lb · to DE, AT · no dangerous goods").waitFor();
    await page.getByText("House account · in 3 days at most").waitFor();
    await browser.check(page, "carriers-rules");

    await page.getByRole("button", { name: "Edit" }).click();
    assert.equal(await dialog.getByLabel("Account").inputValue(), String(account_id));
    await dialog.getByLabel("To countries").fill("");
    await dialog.getByLabel("Service").fill("Priority");
    await confirmDialog(page);
    await page.getByText("House account · Priority · in 3 days at most").waitFor();
    await page.getByText("from 0.5 lb · below 2.5 lb · no dangerous goods").waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await confirmDialog(page);
    await page.getByRole("cell", { name: "Light to Germany" }).waitFor({ state: "detached" });
  });
});
