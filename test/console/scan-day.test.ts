import assert from "node:assert/strict";
import { consoleBrowser } from "../support/console.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { person } from "../support/people.js";
import { books, smallWarehouse, theDay, workADay } from "../support/scan-day.js";
import { testService } from "../support/service.js";

describe("a day on the floor", () => {
  const service = testService({ worker: true });
  const browser = consoleBrowser(() => service);

  it("is done with a scanner that types and keys alone, from the delivery to the parcels", async () => {
    const site = await smallWarehouse();
    const page = await browser.open({ path: "/scan/", username: site.username, size: "phone" });
    await workADay(page, site, (step) => browser.check(page, `scan-${step}`));
    assert.deepEqual(await books(), theDay);
    await assertInvariants();
  });

  it("can begin without a barcode", async () => {
    const warehouse_id = await warehouse();
    const { item_id } = await item();
    await stock(warehouse_id, await bin(warehouse_id), item_id, 4);
    const [first, second] = [
      await salesOrder(warehouse_id, [{ item_id, quantity: 3 }]),
      await salesOrder(warehouse_id, [{ item_id, quantity: 1 }]),
    ];
    const { username } = await person({ role: "USER", warehouse_ids: [warehouse_id], allowed_functions: ["pick"] });
    const page = await browser.open({ path: "/scan/pick", username, size: "phone" });
    await page.getByRole("button", { name: first.so_number }).click();
    await page.getByRole("button", { name: "Start the wave (3 pcs)" }).waitFor();
    await page.getByRole("button", { name: second.so_number }).click();
    await page.getByRole("button", { name: "Start the wave (4 pcs)" }).waitFor();
    await page.getByRole("heading", { name: "Waiting orders" }).waitFor({ state: "detached" });
    await browser.check(page, "scan-pick-chosen");
  });
});
