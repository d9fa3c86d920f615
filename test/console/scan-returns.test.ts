import assert from "node:assert/strict";
import type { floorFunctions } from "../../src/auth/rights.js";
import { floorWorker, into, press, says } from "../support/at-scanner.js";
import { consoleBrowser, scan } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, shippedOrder, stock, warehouse } from "../support/fixtures.js";
import { newUpc } from "../support/gtins.js";
import { assertInvariants } from "../support/invariants.js";
import { person } from "../support/people.js";
import { pluckAll } from "../support/pluck.js";
import { labelOf, pickedFromStock, receiving, type SerialItem, serialItem } from "../support/serials.js";
import { testService } from "../support/service.js";

describe("returns and damage at the scanner", () => {
  const service = testService({ worker: true });
  let here: number;
  let shelf: string;
  let corner: string;
  before(async () => {
    here = await warehouse();
    shelf = `SHELF-${here}`;
    corner = `CORNER-${here}`;
    for (const code of [shelf, corner]) await bin(here, { code });
  });
  const browser = consoleBrowser(() => service);
  afterEach(() => assertInvariants());

  /** A return of so many units of items; its order was shipped with one more of each. */
  async function announced(lines: [{ item_id: number }, number][]) {
    const order = await shippedOrder(
      here,
      lines.map(([{ item_id }, quantity]) => ({ item_id, quantity: quantity + 1 })),
    );
    const again = async () =>
      service.admin.ok("POST", `/api/admin/sales-orders/${order.so_id}/create-rma`, {
        lines: lines.map(([{ item_id }]) => ({ item_id, quantity: 1 })),
      });
    const made = await service.admin.ok("POST", `/api/admin/sales-orders/${order.so_id}/create-rma`, {
      lines: lines.map(([{ item_id }, quantity]) => ({ item_id, quantity })),
    });
    return { order, so_id: made.so_id as number, so_number: made.so_number as string, again };
  }
  const start = async (path: string, username: string) =>
    browser.open({ path: `/scan/${path}`, username, size: "phone" });
  const rows = async (item_id: number) => {
    const { inventory } = await service.admin.ok("GET", `/api/admin/inventory?item_id=${item_id}&sort=bin_code`);
    return pluckAll(inventory, "bin_code", "quantity_on_hand", "quantity_available");
  };

  it("are received by what is scanned, in the condition in which they came", async () => {
    const mug = await item({ upc: newUpc() });
    const { so_number, order } = await announced([[mug, 3]]);
    const page = await start("returns", await floorWorker(here));
    await into(page, "Scan the return, its order or the label of the parcel", "NO-SUCH-RMA");
    await says(page, "No return, order or parcel has this code.");
    await browser.check(page, "scan-returns");
    await scan(page, order.so_number);
    await says(page, `Return ${so_number}`);
    await says(page, "3 of 3");
    await into(page, "Scan an item", (await item()).sku);
    await says(page, "is not expected here.");
    await scan(page, mug.upc as string);
    await says(page, "In which condition?");
    await scan(page, mug.upc as string);
    assert.equal(await page.getByLabel("How many?").inputValue(), "2");
    await press(page, "As new");
    await into(page, "Scan the bin", shelf);
    await browser.check(page, "scan-returns-book");
    await press(page, `Receive 2 × ${mug.sku} into ${shelf}`);
    await says(page, `Received 2 × ${mug.sku} into ${shelf}`);
    assert.equal(await page.getByRole("button", { name: "Take it back" }).count(), 0, "for the desk's people");
    await into(page, "Scan an item", mug.sku);
    await press(page, "Opened");
    await into(page, "Scan the bin", corner);
    await press(page, /^Receive 1/);
    await says(page, "not sold until a lead has decided");
    await says(page, `${so_number}: all of it has come.`);
    assert.deepEqual(await rows(mug.item_id), [
      [corner, 1, 0],
      [shelf, 2, 2],
    ]);
    await into(page, "Scan the return, its order or the label of the parcel", so_number);
    await says(page, "Nothing more is received on this return.");
  });

  it("are told apart where an order has several, and can be taken back", async () => {
    const mug = await item();
    const { so_number, order, again } = await announced([[mug, 2]]);
    const second = (await again()).so_number as string;
    const { username } = await person({
      ...{ role: "USER", warehouse_ids: [here], allowed_functions: ["receive"], page_keys: ["sales-orders"] },
    });
    const page = await start("returns", username);
    await into(page, "Scan the return, its order or the label of the parcel", order.so_number);
    await says(page, "Which return?");
    await browser.check(page, "scan-returns-which");
    await press(page, new RegExp(`^${second}`));
    await into(page, "Scan an item", mug.sku);
    await press(page, "As new");
    await into(page, "Scan the bin", shelf);
    await press(page, /^Receive 1/);
    await says(page, `${second}: all of it has come.`);
    await press(page, "Take it back");
    await says(page, `1 × ${mug.sku} are taken back`);
    assert.deepEqual(await rows(mug.item_id), [[shelf, 0, 0]]);
    await into(page, "Scan the return, its order or the label of the parcel", so_number);
    await says(page, "2 of 2");
  });

  it("ask for serial numbers where units left with some, and for a lot where nobody knows it", async () => {
    const radio: SerialItem = await serialItem(here, "at_receipt");
    await service.admin.ok("POST", "/api/receiving/receive", receiving(radio, ["S-1", "S-2"]));
    const { so_id } = await pickedFromStock(service.admin, radio, 2);
    for (const serial of ["S-1", "S-2"])
      await service.admin.ok("POST", "/api/packing/verify", {
        ...{ so_id, scanned_barcode: labelOf(radio, serial), quantity: 1 },
      });
    await service.admin.ok("POST", "/api/packing/complete", { so_id });
    await service.admin.ok("POST", "/api/shipping/fulfill", { so_id, tracking_number: "1Z-R", carrier: "UPS" });
    const lines = [{ item_id: radio.item_id, quantity: 2 }];
    await service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/create-rma`, { lines });
    const page = await start("returns", await floorWorker(here));
    await into(page, "Scan the return, its order or the label of the parcel", "1Z-R");
    await into(page, "Scan an item", labelOf(radio, "S-2"));
    await press(page, "One more");
    await press(page, "Damaged");
    await into(page, "Scan serial number 2 of 2", "S-2");
    await says(page, "S-2 is in the list already.");
    await scan(page, "S-1");
    await into(page, "Scan the bin", corner);
    await press(page, /^Receive 2/);
    await says(page, "all of it has come.");

    const jam = await item();
    await service.admin.ok("PUT", `/api/admin/items/${jam.item_id}`, { lot_policy: "required" });
    const back = await announced([[jam, 1]]);
    await scan(page, back.so_number);
    await into(page, "Scan an item", jam.sku);
    await press(page, "As new");
    await into(page, "Scan the bin", shelf);
    await press(page, /^Receive 1/);
    await page.getByLabel("Lot", { exact: true }).fill("L-7");
    await press(page, /^Receive 1/);
    await says(page, "all of it has come.");
    const lot = "select lot_number from inventory where item_id = $1 and quantity_on_hand = 1";
    assert.equal(await db.value(lot, [jam.item_id]), "L-7");
  });

  it("take damaged units out of sale from anywhere, and say who decides", async () => {
    const mug = await item({ upc: newUpc() });
    await stock(here, await bin(here, { code: `D-${here}` }), mug.item_id, 5);
    const page = await start("damage", await floorWorker(here));
    await into(page, "Scan the bin", `D-${here}`);
    await into(page, "Scan an item", mug.upc as string);
    await into(page, "Scan one more of them", mug.upc as string);
    await says(page, "What happened?");
    await browser.check(page, "scan-damage");
    await press(page, "Wet or dirty");
    await says(page, `2 × ${mug.sku} in D-${here} are out of sale.`);
    await browser.check(page, "scan-damage-told");
    assert.deepEqual(await rows(mug.item_id), [[`D-${here}`, 5, 3]]);
    // Where damaged goods are collected, they are what is moved.
    const collected = await bin(here, { code: `DAMAGED-${here}` });
    await db.run("update zones set zone_type = 'DAMAGE' where zone_id = (select zone_id from bins where bin_id = $1)", [
      collected,
    ]);
    await press(page, "Carry them to another bin");
    await into(page, "Scan the bin to put into", `DAMAGED-${here}`);
    await press(page, /^Move 2/);
    await says(page, `2 × ${mug.sku} moved to DAMAGED-${here}`);
    const held = await service.admin.ok("GET", `/api/admin/holds?item_id=${mug.item_id}`);
    assert.deepEqual(pluckAll(held.holds, "bin_code", "quantity_held", "condition", "reason"), [
      [`DAMAGED-${here}`, 2, "QUARANTINE", "Wet or dirty"],
    ]);
  });

  it("lead from a pick to the damage in its bin and back, and the pick goes on with other units", async () => {
    const mug = await item();
    const [first, second] = [`P1-${here}`, `P2-${here}`];
    await stock(here, await bin(here, { code: first, pick_sequence: 1 }), mug.item_id, 2);
    await stock(here, await bin(here, { code: second, pick_sequence: 2 }), mug.item_id, 2);
    const { so_number } = await salesOrder(here, [{ item_id: mug.item_id, quantity: 2 }]);
    const page = await start("pick", await floorWorker(here));
    await into(page, "Scan an order", so_number);
    await press(page, /^Start/);
    await says(page, first);
    await press(page, "Damaged units here");
    await says(page, `Damaged in ${first}`);
    await press(page, "Back");
    await says(page, "Pick 1 of 1");
    await press(page, "Damaged units here");
    await press(page, "Broken");
    await says(page, `1 × ${mug.sku} in ${first} are out of sale.`);
    await browser.check(page, "scan-pick-damaged");
    // The other unit there is picked, then one from elsewhere.
    await into(page, "Scan the item", mug.sku);
    await says(page, second);
    await into(page, "Scan the item", mug.sku);
    await says(page, "Everything is picked.");
    await press(page, "Finish the wave");
    await says(page, "2 pcs picked");
    assert.deepEqual(await rows(mug.item_id), [
      [first, 1, 0],
      [second, 1, 1],
    ]);
  });

  it("are there for who may: returns for receivers, damage for whoever works on the floor", async () => {
    const tasksOf = async (allowed_functions: (typeof floorFunctions)[number][]) => {
      const { username } = await person({ role: "USER", warehouse_ids: [here], allowed_functions });
      const page = await start("", username);
      await page.getByRole("link", { name: "Look up" }).waitFor();
      const names = await page.getByRole("link").allTextContents();
      return ["Returns", "Damage"].filter((name) => names.some((shown) => shown.startsWith(name)));
    };
    assert.deepEqual(await tasksOf(["pick"]), ["Damage"]);
    assert.deepEqual(await tasksOf(["receive"]), ["Returns", "Damage"]);
    assert.deepEqual(await tasksOf([]), []);
  });
});
