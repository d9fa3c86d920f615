import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { into, says, press as touch } from "../support/at-scanner.js";
import { toAddress } from "../support/carrier-requests.js";
import { accountWith, CARRIER_ENV, type LocalCarrier, openCarrier } from "../support/carriers.js";
import { confirmDialog, consoleBrowser, scan } from "../support/console.js";
import { db } from "../support/db.js";
import { item, warehouse } from "../support/fixtures.js";
import { measure, newBox } from "../support/parcels.js";
import { person } from "../support/people.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";
import { pickedOrder } from "../support/walk.js";

const BERLIN = {
  ...{ name: "Erika Muster", line1: "Domstr. 1", city: "Berlin", state: null, postal_code: "10115", country: "DE" },
};
const CUSTOMS = { hs_code: "6913.10", origin_country: "PT", customs_value_minor: 4900, customs_currency: "USD" };
/** An order leaves by one scan and one touch. */
const ACTIONS_AN_ORDER = 2;

describe("a shipping clerk's day", function () {
  this.timeout(240_000);
  let service: TestService;
  let carrier: LocalCarrier;
  let username: string;
  let here: number;
  let box: { box_id: number; box_code: string };
  before(async () => {
    service = await openService({ worker: true, env: { ...CARRIER_ENV, LABEL_DELAYS_MS: "500,1000" } });
    carrier = await openCarrier();
    username = (await person()).username;
    here = await warehouse();
    box = await newBox(service.admin);
    const account = { account_name: "EasyPost", scan_out: true, collection_at: "23:59" };
    await accountWith(service.admin, here, carrier, account);
  });
  const browser = consoleBrowser(() => service);
  after(async () => {
    await service.close();
    await carrier.close();
  });

  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first().click();
  const shown = (page: Page, text: string) => page.getByRole("main").getByText(text, { exact: true }).first().waitFor();
  const parcelOf = (so_id: number) =>
    db.value<number>("select min(parcel_id) from parcels where so_id = $1", [so_id]) as Promise<number>;
  const open = (page: Page, path: string) => page.goto(`${service.url}/console/${path}`);

  async function order(of: { item_id: number; sku: string }, quantity: number, to = {}) {
    const made = await pickedOrder(service.admin, here, [{ item: of, quantity }]);
    await toAddress(made.so_id, to);
    return made;
  }

  /** Packs an order as one parcel at the desk; gives the page of that. */
  async function packWhole(desk: Page, so_id: number) {
    await open(desk, `orders/${so_id}`);
    await press(desk, "Pack the rest");
    await confirmDialog(desk);
    await press(desk, "Complete packing");
    await confirmDialog(desk);
    await shown(desk, "Packed");
    await open(desk, `parcels/${await parcelOf(so_id)}`);
  }
  async function buy(desk: Page) {
    await press(desk, "Buy a label");
    await desk.getByRole("radio").first().waitFor();
    await confirmDialog(desk);
    await shown(desk, "Bought");
  }

  it("goes from the bench to the truck, and to what became of it", async () => {
    const mug = await item();
    const vase = await item();
    await measure(mug.item_id, { weight: "1", sides: [4, 4, 4] });
    await measure(vase.item_id, { weight: "2", sides: [5, 5, 8] });
    const two = await order(mug, 3);
    const abroad = await order(vase, 1, BERLIN);
    const one = await order(mug, 1);

    // At the bench: two parcels; the carrier is down for the second one, and nobody waits for it.
    const bench = await browser.open({ path: "/scan/pack", username, size: "phone" });
    await into(bench, "Scan an order or a tote", two.so_number);
    await touch(bench, "Pack into parcels");
    await into(bench, "Scan a box", box.box_code);
    await into(bench, "Scan an item", mug.sku);
    await bench.getByText("1", { exact: true }).first().waitFor();
    await scan(bench, mug.sku);
    await bench.getByText("2", { exact: true }).first().waitFor();
    await touch(bench, "Close the parcel");
    await bench.getByRole("link", { name: "Label of parcel 1" }).waitFor();
    await into(bench, "Scan a box", box.box_code);
    await into(bench, "Scan an item", mug.sku);
    await carrier.fault({ status: 503, times: 1000 });
    await touch(bench, "Close the parcel");
    await says(bench, "The label comes later");
    await touch(bench, "Complete the order");
    await says(bench, "is packed");
    await carrier.mended();

    // Abroad: what customs ask is missing, so nothing is bought until it is said.
    const desk = await browser.open({ path: "/console/parcels", username, answers: [400] });
    await packWhole(desk, abroad.so_id);
    await press(desk, "Buy a label");
    await desk.getByRole("dialog").getByText(`is missing of ${vase.sku}`).waitFor();
    assert.equal(await desk.getByText("You can have it bought all the same").count(), 0);
    await service.admin.ok("PUT", `/api/admin/items/${vase.item_id}`, CUSTOMS);
    await desk.reload();
    await buy(desk);

    // An address that is corrected after its label was bought: the label is taken back, and another one bought.
    await packWhole(desk, one.so_id);
    await buy(desk);
    await open(desk, `orders/${one.so_id}`);
    await desk.getByRole("button", { name: "Edit", exact: true }).last().click();
    await desk.getByRole("dialog").locator("[name=shipping_address_line1]").fill("14 Main Street");
    await confirmDialog(desk);
    await desk.getByText("The label of parcel 1 says a former address").waitFor();
    await browser.check(desk, "shipping-day-address-changed");
    await open(desk, `parcels/${await parcelOf(one.so_id)}`);
    await desk.getByText("The label of parcel 1 says a former address").waitFor();
    await desk.getByRole("row").filter({ hasText: "Bought" }).getByRole("button", { name: "Void" }).click();
    await confirmDialog(desk);
    await shown(desk, "Taken back");
    await buy(desk);
    assert.equal(await desk.getByText("says a former address").count(), 0);

    // Each order leaves with the numbers of its labels, found by its own number or by the code of a parcel.
    const bought = "select count(*)::int from label_purchases where status = 'bought'";
    await until(async () => (await db.value<number>(bought)) === 4);
    const scanner = await browser.open({ path: "/scan/ship", username, size: "phone" });
    let actions = 0;
    for (const [code, { so_number }, count] of [
      [two.so_number, two, 2],
      [`PCL-${await parcelOf(abroad.so_id)}`, abroad, 1],
      [one.so_number, one, 1],
    ] as const) {
      await into(scanner, "Scan an order", code);
      const button = scanner.getByRole("button", { name: `Ship parcels: ${count}` });
      await button.waitFor();
      if (count === 2) await browser.check(scanner, "shipping-day-ship");
      await button.click();
      actions += 2;
      await says(scanner, `${so_number}: parcels that left: ${count}`);
    }
    assert.equal(actions, 3 * ACTIONS_AN_ORDER);

    // The truck leaves without one.
    const shipped = "select parcel_id from parcels where status = 'SHIPPED' order by parcel_id";
    const parcels = await db.column<number>(shipped);
    assert.equal(parcels.length, 4);
    const truck = await browser.open({ path: "/scan/load", username, size: "phone" });
    await truck.getByRole("button", { name: /^USPS/ }).click();
    for (const [at, id] of parcels.slice(0, -1).entries()) {
      await into(truck, "Scan a parcel", `PCL-${id}`);
      await says(truck, `${at + 1} of 4`);
    }
    await truck.getByLabel("Driver").fill("Jo Miller");
    await touch(truck, "Hand over without 1");
    await says(truck, "USPS has 3 parcels. Left here: 1.");

    // The next days: one was left behind, one is lost.
    const lost = await db.row<{ parcel_id: number; so_number: string }>(
      "select parcel_id, so_number from parcels join sales_orders using (so_id) where parcel_id = $1",
      [parcels[0]],
    );
    await db.run("update parcels set shipped_at = now() - interval '9 days' where parcel_id = $1", [lost?.parcel_id]);
    await db.run(
      "update parcel_trackings set heard_at = now(), last_scan_at = now() - interval '9 days' where parcel_id = $1",
      [lost?.parcel_id],
    );
    await open(desk, "inbox");
    await desk
      .getByText(lost?.so_number as string)
      .first()
      .waitFor();
    await browser.check(desk, "shipping-day-inbox");
    await open(desk, "carrier-costs");
    await desk.getByLabel("Warehouse", { exact: true }).first().selectOption(String(here));
    await desk.getByRole("cell", { name: "GroundAdvantage" }).first().waitFor();
    await browser.check(desk, "shipping-day-costs");
  });
});
