import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { floorWorker, into, press, says } from "../support/at-scanner.js";
import { confirmDialog, consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, salesOrder, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";

const UPC = "400000000015";

describe("a floor day with lots", () => {
  const service = testService({ worker: true });
  const browser = consoleBrowser(() => service);

  const daysAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  /** The GS1 label of a unit: item, last day and lot. */
  const label = (lot: string, day: string) =>
    `]C101${UPC.padStart(14, "0")}17${day.replaceAll("-", "").slice(2)}10${lot}`;
  const row = (page: Page, ...texts: string[]) =>
    texts.reduce((rows, text) => rows.filter({ hasText: text }), page.getByRole("row"));

  it("is done in the browser, from the dock to a recall that is closed", async function () {
    this.timeout(patient(180_000));
    const here = await warehouse();
    const jam = await item({ sku: "JAM-1", upc: UPC });
    await service.admin.ok("PUT", `/api/admin/items/${jam.item_id}`, { lot_policy: "required", requires_expiry: true });
    await bin(here, { code: "DOCK-1", type: "Staging" });
    for (const [place, code] of ["A-01", "A-02"].entries()) await bin(here, { code, pick_sequence: place + 1 });
    const { po_number } = await purchaseOrder(here, [{ item_id: jam.item_id, quantity: 10 }]);
    const soon = { lot: "SOON", day: daysAhead(5), bin: "A-02", units: 4 };
    const later = { lot: "LATER", day: daysAhead(60), bin: "A-01", units: 6 };

    const scanner = await browser.open({ path: "/scan/receive", username: await floorWorker(here), size: "phone" });
    await into(scanner, "Scan the purchase order", po_number);
    // The later one is nearer to the door: that it came first and lies first does not matter.
    for (const one of [later, soon]) {
      await into(scanner, "Scan an item", label(one.lot, one.day));
      await says(scanner, `Lot: ${one.lot}`);
      await scanner.getByLabel("How many?").fill(String(one.units));
      // The device chooses the dock again by itself.
      if (one === later) await into(scanner, "Scan the bin", "DOCK-1");
      await press(scanner, new RegExp(`^Receive ${one.units} `));
      await says(scanner, `Received ${one.units} × JAM-1 into DOCK-1`);
    }
    await scanner.goto(`${service.url}/scan/putaway`);
    for (const one of [later, soon]) {
      // A code without a lot does not say which one it is, while there are two.
      const isAsked = one === later;
      await into(scanner, "Scan an item", isAsked ? UPC : label(one.lot, one.day));
      if (isAsked) await says(scanner, "Which lot?");
      if (isAsked) await scanner.getByRole("button", { name: `${one.lot} JAM-1` }).click();
      await into(scanner, "Scan the bin", one.bin);
      await press(scanner, `Put ${one.units} × JAM-1 into ${one.bin}`);
      await says(scanner, `${one.units} × JAM-1 put into ${one.bin}`);
    }

    const orders = [
      await salesOrder(here, [{ item_id: jam.item_id, quantity: 1 }]),
      await salesOrder(here, [{ item_id: jam.item_id, quantity: 1 }]),
    ];
    await scanner.goto(`${service.url}/scan/pick`);
    for (const { so_number } of orders) {
      await into(scanner, "Scan an order", so_number);
      await says(scanner, so_number);
    }
    await press(scanner, /^Start/);
    const planned = (lot: string) => scanner.locator(".the-lot dd").filter({ hasText: lot }).waitFor();
    await planned("SOON");
    await browser.check(scanner, "lots-day-pick");
    await into(scanner, "Scan the item", label(later.lot, later.day));
    await says(scanner, "This is lot LATER. Take lot SOON.");
    await browser.check(scanner, "lots-day-wrong-lot");

    const office = await browser.open({ path: "/console/expiring", username: (await person()).username });
    await row(office, "JAM-1").getByRole("link", { name: "SOON" }).click();
    await office.getByRole("button", { name: "Hold", exact: true }).click();
    await office.getByRole("dialog").getByLabel("Reason").fill("lids are loose");
    await confirmDialog(office);
    await office.getByText("lids are loose").waitFor();

    // Whoever stands before the shelf is told by the next scan, and led to the other lot.
    await into(scanner, "Scan the item", label(soon.lot, soon.day));
    await says(scanner, "This task is over (Short). What is shown now is to be done.");
    await planned("LATER");
    await browser.check(scanner, "lots-day-held");
    await into(scanner, "Scan the item", label(later.lot, later.day));
    await says(scanner, "Everything is picked.");
    await scanner.getByText("Sending…").first().waitFor({ state: "hidden" });
    await press(scanner, "Finish the wave");
    await says(scanner, "2 pcs picked");

    await office.goto(`${service.url}/console/expiring`);
    await row(office, "JAM-1", "SOON").getByText("On hold").waitFor();
    assert.equal(await row(office, "LATER").count(), 0);
    const lots = await db.rows(
      `select lot_number, quantity_on_hand, quantity_allocated from inventory
       where item_id = $1 and quantity_on_hand > 0 order by lot_number`,
      [jam.item_id],
    );
    assert.deepEqual(lots, [
      { lot_number: "LATER", quantity_on_hand: 4, quantity_allocated: 0 },
      { lot_number: "SOON", quantity_on_hand: 4, quantity_allocated: 0 },
    ]);

    await press(scanner, "Pack them");
    for (const [place, { so_number }] of orders.entries()) {
      await into(scanner, place === 0 ? "Scan an order or a tote" : "Scan the next order", so_number);
      await into(scanner, "Scan an item", label(later.lot, later.day));
      await press(scanner, "Close the parcel");
      await says(scanner, `${so_number} is packed`);
    }
    await scanner.goto(`${service.url}/scan/ship`);
    for (const { so_number } of orders) {
      await into(scanner, "Scan an order", so_number);
      await scanner.getByRole("textbox", { name: "Scan the tracking number" }).waitFor();
      await scanner.getByLabel("Carrier").fill("UPS");
      await into(scanner, "Scan the tracking number", `1Z-${so_number}`);
      await press(scanner, "Ship with UPS");
      await says(scanner, `${so_number} left with UPS`);
    }

    // Two of those that are left look odd: the desk has them looked at, and they are fine.
    const button = (name: string) => office.getByRole("button", { name, exact: true });
    const because = async (reason: string) => {
      await office.getByRole("dialog").getByLabel("Reason").fill(reason);
      await confirmDialog(office);
      await office.getByRole("dialog").waitFor({ state: "detached" });
    };
    await office.goto(`${service.url}/console/stock?q=JAM-1`);
    await row(office, "LATER").getByRole("button", { name: "Hold" }).click();
    await office.getByRole("dialog").getByLabel("Condition").selectOption("QUARANTINE");
    await office.getByRole("dialog").getByLabel("Quantity").fill("2");
    await because("labels are faint");
    await row(office, "LATER").getByText("2 held").waitFor();
    await office.goto(`${service.url}/console/inspections`);
    await row(office, "JAM-1").getByRole("button", { name: "Decide" }).click();
    await because("they can be read");
    await office.getByText("No goods wait for an inspection").waitFor();

    // Glass was found in one that was sold.
    await office.goto(`${service.url}/console/lots?q=LATER`);
    await office.getByRole("link", { name: "LATER" }).click();
    await button("Recall").click();
    await office.getByRole("dialog").getByLabel("Reason").fill("glass in the jar");
    await confirmDialog(office);
    await office.getByText("0 of 6 units are accounted for").waitFor();
    const recall = office.url();
    await office.getByRole("link", { name: "Whom to call" }).click();
    await office.getByRole("heading", { name: /^Whom to call/ }).waitFor();
    for (const { so_number } of orders) await row(office, so_number).waitFor();
    await browser.check(office, "lots-day-calls");
    await button("All were told").click();
    await office.getByRole("dialog").getByLabel("How the customer was told").fill("by telephone");
    await confirmDialog(office);
    await office.getByText("Nobody is to be told any more").waitFor();

    await scanner.goto(`${service.url}/scan/count`);
    await into(scanner, "Scan the bin to count", later.bin);
    for (let units = 0; units < 4; units++)
      await into(scanner, "Scan an item: each scan is one more", label(later.lot, later.day));
    await press(scanner, "Done counting");
    await says(scanner, `${later.bin} is counted, and all is right.`);

    await office.goto(recall);
    await office.getByText("6 of 6 units are accounted for").waitFor();
    await button("Close the recall").click();
    await confirmDialog(office);
    await office.getByText("Closed", { exact: true }).first().waitFor();
    await assertInvariants();
  });
});
