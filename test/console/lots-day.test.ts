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

  it("takes the lot that expires first, and goes on with the other one when that is held", async function () {
    this.timeout(patient(90_000));
    const here = await warehouse();
    const jam = await item({ sku: "JAM-1", upc: UPC });
    await service.admin.ok("PUT", `/api/admin/items/${jam.item_id}`, { lot_policy: "required", requires_expiry: true });
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
      await into(scanner, "Scan the bin", one.bin);
      await press(scanner, new RegExp(`^Receive ${one.units} `));
      await says(scanner, `Received ${one.units} × JAM-1 into ${one.bin}`);
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
    await press(scanner, "Finish the wave");
    await says(scanner, "2 pcs picked");

    await office.goto(`${service.url}/console/expiring`);
    await row(office, "JAM-1", "SOON").getByText("On hold").waitFor();
    assert.equal(await row(office, "LATER").count(), 0);
    const lots = await db.rows(
      `select lot_number, quantity_on_hand, quantity_allocated from inventory where item_id = $1 order by lot_number`,
      [jam.item_id],
    );
    assert.deepEqual(lots, [
      { lot_number: "LATER", quantity_on_hand: 4, quantity_allocated: 0 },
      { lot_number: "SOON", quantity_on_hand: 4, quantity_allocated: 0 },
    ]);
    await assertInvariants();
  });
});
