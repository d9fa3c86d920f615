import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";
import { startWave } from "../support/walk.js";

describe("the console by the clock of the warehouse", () => {
  const service = testService({ env: { SERVICE_COMPANY_TIMEZONE: "Europe/Berlin" } });
  let admin: string;
  let [york, auckland] = [0, 0];
  before(async () => {
    admin = (await person()).username;
    [york, auckland] = [await warehouse(), await warehouse()];
    await db.run(
      `update warehouses set timezone = n.zone, warehouse_code = n.code
       from unnest($1::int[], $2::text[], $3::text[]) n (id, zone, code) where warehouse_id = n.id`,
      [
        [york, auckland],
        ["America/New_York", "Pacific/Auckland"],
        ["YORK", "AKL"],
      ],
    );
    // Around the day on which New York sets its clock in spring, which has 23 hours, and in autumn, which has 25.
    for (const at of [
      ...["2026-03-08T04:59:00Z", "2026-03-08T05:00:00Z", "2026-03-09T03:59:00Z", "2026-03-09T04:00:00Z"],
      ...["2026-11-01T03:59:00Z", "2026-11-01T04:00:00Z", "2026-11-02T04:59:00Z", "2026-11-02T05:00:00Z"],
    ])
      await db.run(
        `insert into audit_log (action_type, entity_type, entity_id, user_id, warehouse_id, details, created_at)
         values ('PICK', 'SO', 1, 'ann', $1, '{}', $2)`,
        [york, at],
      );
    await db.run(
      `insert into audit_log (action_type, entity_type, entity_id, user_id, warehouse_id, details, created_at)
       values ('PICK', 'SO', 1, 'ben', $1, '{}', '2026-04-04T12:30:00Z')`,
      [auckland],
    );
  });
  const browser = consoleBrowser(() => service);
  const lookAt = (page: Page, id: number) => page.getByRole("banner").getByLabel("Warehouse").selectOption(String(id));
  const timesIn = async (page: Page) => {
    const rows = page.getByRole("table", { name: "Audit log" }).getByRole("row");
    await rows.nth(1).waitFor();
    const texts = await page
      .getByRole("table", { name: "Audit log" })
      .locator("tbody td:first-child")
      .allTextContents();
    return texts.map((text) => text.replaceAll("\u00a0", " ").replaceAll("\u202f", " "));
  };

  for (const timezoneId of ["Pacific/Auckland", "America/New_York", "Europe/Berlin"])
    describe(`in a browser in ${timezoneId}`, () => {
      it("shows times and filters days by it, over both changes of the clock", async () => {
        for (const [day, first, last] of [
          ["2026-03-08", "Mar 8, 2026, 12:00 AM", "Mar 8, 2026, 11:59 PM"],
          ["2026-11-01", "Nov 1, 2026, 12:00 AM", "Nov 1, 2026, 11:59 PM"],
        ] as const) {
          const path = `/console/audit?action_type=PICK&start_date=${day}&end_date=${day}`;
          const page = await browser.open({ path, username: admin, timezoneId });
          await lookAt(page, york);
          await page.getByText("by the clock of YORK (America/New York)").waitFor();
          assert.deepEqual(await timesIn(page), [last, first]);
          await page.goto(`${service.url}/console/day?day=${day}`);
          await page
            .getByRole("heading", { name: `By hour, ${first.slice(0, 11).trim().replace(/,$/, "")}` })
            .waitFor();
          await page.locator("figure").getByText("12:00 AM").first().waitFor();
          await page.locator("figure").getByText("11:00 PM").first().waitFor();
        }
      });

      it("takes today, and moments that are typed, by it", async () => {
        const page = await browser.open({ path: "/console/productivity?range=today", username: admin, timezoneId });
        const asked = page.waitForRequest(
          (request) =>
            /dashboard\/productivity.*[?&]start=/.test(request.url()) &&
            request.url().includes(`warehouse_id=${auckland}`),
        );
        await lookAt(page, auckland);
        await page.getByText("by the clock of AKL (Pacific/Auckland)").waitFor();
        const today = "select (now() at time zone 'Pacific/Auckland')::date::text as day";
        const now = await db.row<{ day: string }>(today);
        const { searchParams } = new URL((await asked).url());
        assert.deepEqual([searchParams.get("start"), searchParams.get("end")], [now?.day, now?.day]);
        const moments = await browser.open({ path: "/console/inbound", username: admin, timezoneId });
        await lookAt(moments, york);
        await moments.getByText("by the clock of YORK").waitFor();
        await moments.getByRole("button", { name: "Add filter" }).click();
        const field = moments.locator("input[type=datetime-local]").first();
        for (const [local, moment] of [
          ["2026-03-08T01:30", "2026-03-08T06:30:00.000Z"],
          ["2026-03-08T03:30", "2026-03-08T07:30:00.000Z"],
          ["2026-07-01T12:00", "2026-07-01T16:00:00.000Z"],
          ["2026-11-01T03:00", "2026-11-01T08:00:00.000Z"],
        ] as const) {
          await field.fill(local);
          await moments.waitForURL((url) => url.searchParams.get("since") === moment);
          await until(async () => (await field.inputValue()) === local);
        }
      });
    });

  it("shows each row by its own warehouse's where they differ, and says so", async () => {
    const path = "/console/audit?action_type=PICK&start_date=2026-04-05&end_date=2026-04-05";
    const page = await browser.open({ path, username: admin, timezoneId: "America/New_York" });
    await page.getByText("Each row by the clock of its warehouse; all else by the clock of the company").waitFor();
    // There it is Sunday already, and half past one comes once more.
    assert.deepEqual(await timesIn(page), ["Apr 5, 2026, 1:30 AM GMT+13"]);
    await browser.look("audit-of-all", { path, username: admin }, (page) => page.getByText("GMT+13").waitFor());
  });

  it("shows a wave and a picking ticket by that of their warehouse, whatever the desk looks at", async () => {
    const { item_id } = await item();
    await stock(york, await bin(york), item_id, 5);
    const { so_id } = await salesOrder(york, [{ item_id, quantity: 2 }]);
    const { batch_id } = await startWave(service.admin, york, [so_id]);
    await db.run("update pick_batches set created_at = '2026-03-08T04:59:00Z' where batch_id = $1", [batch_id]);
    const page = await browser.open({ path: `/console/waves/${batch_id}`, username: admin });
    await page.getByText("by the clock of YORK (America/New York)").waitFor();
    await page.getByText(/Mar\s7,\s2026,\s11:59\sPM/).waitFor();
    await page.goto(`${service.url}/console/orders/${so_id}/ticket`);
    await page.getByText("by the clock of YORK (America/New York)").waitFor();
  });

  it("shows what goes from one warehouse to another by that of the first, in the list as on its page", async () => {
    const { to_id } = (await db.row<{ to_id: number }>(
      `insert into transfer_orders (to_number, source_warehouse_id, destination_warehouse_id, created_by, created_at)
       values ('TO-AKL', $1, $2, 'ann', '2026-04-04T12:30:00Z') returning to_id`,
      [auckland, york],
    )) as { to_id: number };
    const page = await browser.open({ path: "/console/transfer-orders", username: admin });
    await page.getByText(/Apr\s5,\s2026,\s1:30\sAM\sGMT\+13/).waitFor();
    await page.goto(`${service.url}/console/transfer-orders/${to_id}`);
    await page.getByText(/Apr\s5,\s2026,\s1:30\sAM/).waitFor();
  });

  it("is set on the warehouse's page, which is by it at once", async () => {
    const other = await warehouse();
    const page = await browser.open({ path: `/console/warehouses/${other}`, username: admin });
    await page.getByText(/by the clock of .* \(Europe\/Berlin\)/).waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Time zone" }).fill("Tokyo");
    await page.getByRole("option", { name: "Asia/Tokyo" }).click();
    await browser.check(page, "warehouse-clock");
    await dialog.locator("[type=submit]").click();
    await page.getByText(/by the clock of .* \(Asia\/Tokyo\)/).waitFor();
    const { timezone } = await service.admin.ok("GET", `/api/admin/warehouses/${other}`);
    assert.equal(timezone, "Asia/Tokyo");
    await db.run("delete from warehouses where warehouse_id = $1", [other]);
  });

  it("has closed days on its page, added and removed one by one; one that was only typed is kept too", async () => {
    const other = await warehouse();
    const page = await browser.open({ path: `/console/warehouses/${other}`, username: admin });
    const dialog = page.getByRole("dialog");
    const stored = async () => (await service.admin.ok("GET", `/api/admin/warehouses/${other}`)).closed_days;
    await page.getByRole("button", { name: "Edit" }).click();
    for (const day of ["2026-12-26", "2026-12-25"]) {
      await dialog.getByLabel("Another day").fill(day);
      await dialog.getByRole("button", { name: "Add day" }).click();
    }
    await dialog.getByLabel("Another day").fill("2027-01-01");
    await browser.check(page, "warehouse-closed-days");
    await dialog.locator("[type=submit]").click();
    await page.getByText(/Dec\s25,\s2026, Dec\s26,\s2026, Jan\s1,\s2027/).waitFor();
    assert.deepEqual(await stored(), ["2026-12-25", "2026-12-26", "2027-01-01"]);
    await page.getByRole("button", { name: "Edit" }).click();
    await dialog.getByRole("button", { name: "Remove Dec 26, 2026" }).press("Enter");
    await dialog.locator("[type=submit]").click();
    await page.getByText(/Dec\s25,\s2026, Jan\s1,\s2027/).waitFor();
    assert.deepEqual(await stored(), ["2026-12-25", "2027-01-01"]);
    await db.run("delete from warehouses where warehouse_id = $1", [other]);
  });

  it("opens in a browser that names no language but the locale of its system", async () => {
    const page = await browser.open({ path: "/console/day", username: admin });
    await page.addInitScript("Object.defineProperty(navigator, 'languages', { value: ['en-US@posix'] })");
    await page.reload();
    await page.getByRole("heading", { name: "The day at a glance" }).waitFor();
  });
});
