import assert from "node:assert/strict";
import { floorWorker, into, press, says } from "../support/at-scanner.js";
import { toAddress } from "../support/carrier-requests.js";
import { accountWith, CARRIER_ENV, type LocalCarrier, labelIn, openCarrier } from "../support/carriers.js";
import { consoleBrowser, scan, type Visit } from "../support/console.js";
import { db } from "../support/db.js";
import { item, warehouse } from "../support/fixtures.js";
import { measure, newBox } from "../support/parcels.js";
import { openService, type TestService } from "../support/service.js";
import { pickedOrder } from "../support/walk.js";

describe("packing into parcels at the scanner", () => {
  let service: TestService;
  let carrier: LocalCarrier;
  let box: { box_id: number; box_code: string };
  before(async () => {
    service = await openService({ worker: true, env: { ...CARRIER_ENV, LABEL_DELAYS_MS: "500,1000" } });
    carrier = await openCarrier();
    box = await newBox(service.admin);
  });
  const browser = consoleBrowser(() => service);
  after(async () => {
    await service.close();
    await carrier.close();
  });
  beforeEach(() => carrier.mended());

  /** Somebody at the bench of a warehouse, and a picked order of so many mugs there. */
  async function bench(quantity: number, look: Partial<Visit> = {}) {
    const here = await warehouse();
    const mug = await item();
    await measure(mug.item_id, { weight: "1", sides: [4, 4, 4] });
    const order = await pickedOrder(service.admin, here, [{ item: mug, quantity }]);
    await toAddress(order.so_id);
    const visit = { path: "/scan/pack", username: await floorWorker(here), size: "phone", ...look } as Visit;
    return { here, mug, order, page: await browser.open(visit) };
  }
  const parcelsOf = (so_id: number) =>
    db.rows<{ parcel_id: number }>(
      `select parcel_id, status, box_id, weight_lbs::float8 as weight,
         (select sum(quantity)::int from parcel_lines l where l.parcel_id = p.parcel_id) as units
       from parcels p where so_id = $1 order by parcel_number`,
      [so_id],
    );

  it("takes a box after the other, has labels bought, and waits for no carrier", async () => {
    const { here, mug, order, page } = await bench(3);
    await accountWith(service.admin, here, carrier);
    await into(page, "Scan an order or a tote", order.so_number);
    await press(page, "Pack into parcels");
    await says(page, `is the smallest that holds all that is left: 3 × ${mug.sku}`);
    await browser.check(page, "scan-parcels-boxes");
    await into(page, "Scan a box", "no box");
    await says(page, "No box in use has this code.");
    await into(page, "Scan a box", box.box_code.toLowerCase());
    await into(page, "Scan an item", mug.sku);
    await page.getByRole("button", { name: `Take ${mug.sku} out` }).waitFor();
    await press(page, "One more");
    await scan(page, mug.sku);
    await page.getByText("3", { exact: true }).first().waitFor();
    await press(page, `Take ${mug.sku} out`);
    await says(page, "Nothing yet");
    for (const _ of [1, 2]) await scan(page, mug.sku);
    const inParcel = page.locator("section", { has: page.getByRole("heading", { name: "In the parcel" }) });
    await inParcel.getByText("2", { exact: true }).waitFor();
    await page.getByLabel("Weight on the scale (lb)").fill("1.5");
    await press(page, "Close the parcel");
    await says(page, "1.5 lb is less than what is in it weighs: at least 1.96 lb.");
    await browser.check(page, "scan-parcels-open");
    await page.getByLabel("Weight on the scale (lb)").fill("2.75");
    await press(page, "Close the parcel");
    await page.getByRole("link", { name: "Label of parcel 1" }).waitFor();
    await browser.check(page, "scan-parcels-label");

    await carrier.fault({ status: 503, times: 1000 });
    await press(page, box.box_code);
    await into(page, "Scan an item", mug.sku);
    await page.getByRole("button", { name: "Close the parcel" }).waitFor();
    await press(page, "Close the parcel");
    await says(page, "The label comes later: the carrier does not answer. Go on.");
    await browser.check(page, "scan-parcels-later");
    await press(page, "Complete the order");
    await says(page, `${order.so_number} is packed`);
    const [first, second] = await parcelsOf(order.so_id);
    assert.deepEqual(
      [first, second].map((one) => ({ ...one, parcel_id: 0 })),
      [
        { parcel_id: 0, status: "CLOSED", box_id: box.box_id, weight: 2.75, units: 2 },
        { parcel_id: 0, status: "CLOSED", box_id: box.box_id, weight: 1.5, units: 1 },
      ],
    );
    await carrier.mended();
    for (const one of [first, second]) await labelIn(service.admin, one?.parcel_id as number, "bought");
  });

  it("goes on where it was after a reload and without the net, and does each thing once", async () => {
    const { mug, order, page } = await bench(2, { colours: "dark" });
    await into(page, "Scan an order or a tote", order.so_number);
    await press(page, "Pack into parcels");
    await page.getByText("Other boxes").click();
    await browser.check(page, "scan-parcels-other-boxes");
    await press(page, "No box");
    await page.getByRole("textbox", { name: "Scan an item" }).waitFor();
    await page.reload();
    await page.getByRole("textbox", { name: "Scan an item" }).waitFor();
    await page.context().setOffline(true);
    await scan(page, mug.sku);
    await says(page, "Sending");
    await page.context().setOffline(false);
    await page.getByRole("button", { name: `Take ${mug.sku} out` }).waitFor();
    // A house without carriers misses no label. The next parcel is another one.
    await press(page, "Close the parcel");
    await says(page, "Ask for the label of parcel 1");
    // Whoever scans the order again is where it was left.
    await page.getByRole("button", { name: "Back" }).click();
    await into(page, "Scan an order or a tote", order.so_number);
    await into(page, "Scan a box", box.box_code);
    await page.getByRole("textbox", { name: "Scan an item" }).waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("button", { name: "Go on with parcel 2" }).waitFor();
    const [, second] = await parcelsOf(order.so_id);
    await into(page, "Scan a box", `PCL-${second?.parcel_id}`);
    await into(page, "Scan an item", mug.sku);
    await page.getByRole("button", { name: "Close the parcel" }).waitFor();
    await press(page, "Close the parcel");
    await press(page, "Complete the order");
    await says(page, `${order.so_number} is packed`);
    assert.deepEqual(
      (await parcelsOf(order.so_id)).map((one) => ({ ...one, parcel_id: 0 })),
      [
        { parcel_id: 0, status: "CLOSED", box_id: null, weight: 1, units: 1 },
        { parcel_id: 0, status: "CLOSED", box_id: box.box_id, weight: 1.5, units: 1 },
      ],
    );
  });

  it("packs an order of one unit with a label, and says what its address lacks and where it goes", async () => {
    const { here, mug, order, page } = await bench(1);
    await db.run("update items set length_in = null where item_id = $1", [mug.item_id]);
    await accountWith(service.admin, here, carrier);
    await toAddress(order.so_id, { line1: null, postal_code: "1" });
    await into(page, "Scan an order or a tote", order.so_number);
    await into(page, "Scan an item", "no such item");
    await page.getByRole("alert").waitFor();
    await press(page, "Pack into parcels");
    // Nobody knows how large the mug is: all boxes are there to choose from, with what is left to pack.
    await page.getByRole("button", { name: box.box_code }).waitFor();
    await says(page, "Left to pack");
    await page.getByText(mug.sku).waitFor();
    assert.equal(await page.getByRole("alert").count(), 0, "what was refused before is still said");
    await browser.check(page, "scan-parcels-no-suggestion");
    await into(page, "Scan a box", box.box_code);
    await into(page, "Scan an item", mug.sku);
    await page.getByLabel("Weight on the scale (lb)").fill("40");
    await press(page, "Close the parcel");
    await says(page, "40 lb is more than what is in it allows");
    await press(page, `Take ${mug.sku} out`);
    await says(page, "Nothing yet");
    assert.equal(await page.getByRole("alert").count(), 0, "what was refused before is still said");
    await into(page, "Scan an item", mug.sku);
    assert.equal(await page.getByLabel("Weight on the scale (lb)").inputValue(), "", "what the scale said before");
    await press(page, "Close the parcel");
    await says(page, /: Street is missing, Postal code “1” is not one of the country\. The desk corrects it/);
    await toAddress(order.so_id);
    await press(page, "Ask for the label of parcel 1");
    await page.getByRole("link", { name: "Label of parcel 1" }).waitFor();
    await press(page, "Complete the order");
    await says(page, `${order.so_number} is packed`);
    await page.goto(`${service.url}/scan/ship`);
    await into(page, "Scan an order", order.so_number);
    await says(page, "12 Main Street, Springfield, IL, 62701, US");
  });

  it("ships parcels without a label one after the other, the first before the rest is packed", async () => {
    const { mug, order, page } = await bench(3);
    const [first] = await packed(order.so_id, mug.sku, 1);
    const shipped = async () =>
      (await db.rows("select from parcels where so_id = $1 and status = 'SHIPPED'", [order.so_id])).length;
    await page.goto(`${service.url}/scan/ship`);
    await into(page, "Scan an order", `PCL-${first}`);
    await page.getByRole("heading", { name: `Order ${order.so_number} · Parcel 1` }).waitFor();
    await into(page, "Scan the tracking number", "1Z1");
    await page.getByLabel("Carrier").fill("UPS");
    await press(page, "Ship with UPS");
    await says(page, `${order.so_number}: parcels that left: 1`);
    assert.equal(await shipped(), 1);
    const [, third] = await packed(order.so_id, mug.sku, 2);
    await service.admin.ok("POST", "/api/packing/complete", { so_id: order.so_id });
    await into(page, "Scan an order", `PCL-${third}`);
    await page.getByRole("heading", { name: `Order ${order.so_number} · Parcel 3` }).waitFor();
    await browser.check(page, "scan-ship-one-parcel");
    await into(page, "Scan the tracking number", `PCL-${third}`);
    await says(page, "is this order. Scan the number on the parcel.");
    await into(page, "Scan the tracking number", "1Z3");
    await press(page, "Ship with UPS");
    await page.getByText("1Z3").waitFor({ state: "detached" });
    await into(page, "Scan an order", order.so_number);
    await page.getByRole("heading", { name: `Order ${order.so_number}`, exact: true }).waitFor();
    await into(page, "Scan the tracking number", "1Z2");
    await press(page, "Ship with UPS");
    await says(page, `${order.so_number} left with UPS: 1Z2`);
    assert.equal(await shipped(), 3);
  });

  /** Parcels of one unit each, closed without a box or a label. */
  async function packed(so_id: number, sku: string, count: number): Promise<number[]> {
    const made: number[] = [];
    for (let i = 0; i < count; i++) {
      const { parcel_id } = await service.admin.ok("POST", "/api/packing/parcels", { so_id });
      await service.admin.ok("POST", `/api/packing/parcels/${parcel_id}/scan`, { scanned_barcode: sku, quantity: 1 });
      await service.admin.ok("POST", `/api/packing/parcels/${parcel_id}/close`, {});
      made.push(parcel_id);
    }
    return made;
  }
});
