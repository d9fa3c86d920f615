import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { followRefunds } from "../../activities/carriers/follow-refunds.js";
import { insertAccount, toAddress } from "../support/carrier-requests.js";
import {
  accountWith,
  CARRIER_ENV,
  keyOf,
  LABELS,
  type LocalCarrier,
  labelIn,
  openCarrier,
  PARCELS,
} from "../support/carriers.js";
import { confirmDialog, consoleBrowser, tabTo, type Visit } from "../support/console.js";
import { db } from "../support/db.js";
import { item, warehouse } from "../support/fixtures.js";
import { closedParcel, measure, newBox } from "../support/parcels.js";
import { person } from "../support/people.js";
import { openService, type TestService } from "../support/service.js";
import { pickedOrder } from "../support/walk.js";

describe("a parcel at the desk", () => {
  let service: TestService;
  let carrier: LocalCarrier;
  let admin: string;
  let here: number;
  before(async () => {
    const quickly = { LABEL_DELAYS_MS: "500,1000" };
    service = await openService({ worker: true, env: { ...CARRIER_ENV, ...quickly } });
    carrier = await openCarrier();
    admin = (await person()).username;
    here = await warehouse();
    await accountWith(service.admin, here, carrier, { account_name: "EasyPost, main" });
  });
  const browser = consoleBrowser(() => service);
  after(async () => {
    await service.close();
    await carrier.close();
  });
  beforeEach(() => carrier.mended());

  /** A picked order of so many mugs, of known size and weight. */
  async function mugs(quantity: number) {
    const mug = await item();
    await measure(mug.item_id, { weight: "1", sides: [4, 4, 4] });
    const order = await pickedOrder(service.admin, here, [{ item: mug, quantity }]);
    await toAddress(order.so_id);
    return { ...order, mug };
  }
  const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
  const status = (page: Page, text: string) =>
    page.getByRole("main").getByText(text, { exact: true }).first().waitFor();

  it("is opened, filled, closed, labelled, shipped and taken back", async () => {
    const { box_code } = await newBox(service.admin);
    const { so_id, so_number, mug } = await mugs(3);
    const page = await browser.open({ path: `/console/orders/${so_id}`, username: admin });
    const dialog = page.getByRole("dialog");
    await page.getByText("It is in no parcel").waitFor();
    await press(page, "Open a parcel");
    await dialog.getByText(`${box_code} is the smallest that holds all that is left: 3 × ${mug.sku}`).waitFor();
    await browser.check(page, "parcel-suggestion");
    await confirmDialog(page);
    await page.getByRole("cell", { name: box_code }).waitFor();
    await page.getByRole("row").filter({ hasText: box_code }).getByRole("link").click();

    await page.getByRole("heading", { name: `Parcel 1 of ${so_number}` }).waitFor();
    await tabTo(page, "Put units in");
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Quantity").fill("9");
    // More than there are is not sent.
    await dialog.locator("[type=submit]").click();
    await dialog.locator("[name=quantity]:invalid").waitFor();
    await dialog.getByLabel("Quantity").fill("2");
    await confirmDialog(page);
    await page.getByRole("cell", { name: mug.sku, exact: true }).waitFor();
    await press(page, "Take out");
    await dialog.getByLabel("Quantity").fill("1");
    await confirmDialog(page);
    await press(page, "Put units in");
    await dialog.getByLabel("Quantity").fill("1");
    await confirmDialog(page);
    await press(page, "Close");
    await dialog.getByLabel("Weight (lb)").fill("1");
    await dialog.locator("[type=submit]").click();
    await dialog.getByText("1 lb is less than what is in it weighs").waitFor();
    await dialog.getByLabel("Weight (lb)").fill("3.5");
    await confirmDialog(page);
    await page.getByRole("button", { name: "Reopen" }).waitFor();
    await browser.check(page, "parcel-closed");

    const german = await browser.open({ path: new URL(page.url()).pathname, username: admin, language: "de" });
    await press(german, "Etikett kaufen");
    await german.getByText("Der günstigste, da keine Regel einen hat").waitFor();
    await press(page, "Buy a label");
    await dialog.getByText("The cheapest, as no rule has one").waitFor();
    await dialog.getByLabel(/^USPS Priority/).check();
    await browser.check(page, "parcel-rates");
    await confirmDialog(page);
    await status(page, "Bought");
    await page.getByRole("button", { name: "Reopen" }).waitFor({ state: "detached" });
    const [label] = await db.rows<{ tracking_number: string }>("select tracking_number from label_purchases");
    await page
      .getByRole("link", { name: label?.tracking_number as string })
      .first()
      .waitFor();
    await browser.check(page, "parcel-labelled");
    await german.reload();
    await german.getByText("So gewünscht").waitFor();
    await press(page, "Customs paper");
    await dialog.locator("[type=submit]").click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByRole("button", { name: "Back" }).click();

    // Not all is packed: the order is not PACKED, and this part of it leaves.
    await press(page, "Ship");
    assert.equal(await dialog.getByLabel("Tracking").inputValue(), label?.tracking_number);
    await confirmDialog(page);
    await press(page, "Void the shipment");
    await dialog.getByLabel("Reason").fill("left behind");
    await confirmDialog(page);
    await page.getByRole("button", { name: "Ship", exact: true }).waitFor();
    await page.getByRole("row").filter({ hasText: "Bought" }).getByRole("button", { name: "Void" }).click();
    await confirmDialog(page);
    await status(page, "Taken back");
    await press(page, "Void");
    await confirmDialog(page);
    await status(page, "Voided");
    await browser.check(page, "parcel-voided");
    const [row] = await db.rows("select quantity_packed, quantity_shipped from sales_order_lines where so_id = $1", [
      so_id,
    ]);
    assert.deepEqual(row, { quantity_packed: 0, quantity_shipped: 0 });
  });

  it("takes the rest of an order, whose packing is completed, and waits for a carrier that is down", async () => {
    const { so_id, so_number } = await mugs(2);
    const visit: Visit = {
      path: `/console/orders/${so_id}`,
      username: admin,
      size: "phone",
      colours: "dark",
      answers: [503],
    };
    const page = await browser.open(visit);
    await press(page, "Pack the rest");
    await page.getByRole("dialog").getByLabel("Weight (lb)").fill("2.5");
    await browser.check(page, "parcel-rest");
    await confirmDialog(page);
    await press(page, "Complete packing");
    await confirmDialog(page);
    await page.getByText("Packed", { exact: true }).first().waitFor();
    const parcel_id = await db.value<number>("select parcel_id from parcels where so_id = $1", [so_id]);

    await carrier.fault({ status: 503, times: 1000 });
    await page.goto(`${service.url}/console/parcels/${parcel_id}`);
    await page.getByRole("heading", { name: `Parcel 1 of ${so_number}` }).waitFor();
    await press(page, "Buy a label");
    await page.getByRole("dialog").getByText("You can have it bought all the same").waitFor();
    await browser.check(page, "parcel-rates-away");
    await confirmDialog(page);
    await page.getByText("It is bought as soon as the carrier answers").waitFor();
    await status(page, "Being bought");
    await browser.check(page, "parcel-label-later");
    await carrier.mended();
    await status(page, "Bought");
  });

  /** A closed parcel whose label the carrier does not take back, as the parcel is on its way already. */
  async function notTakenBack() {
    const { so_id, so_number, mug } = await mugs(1);
    const { parcel_id } = await closedParcel(service.admin, so_id, mug.sku);
    const buy = async () => {
      await service.admin.ok("POST", `${PARCELS}/${parcel_id}/label`, {});
      return (await labelIn(service.admin, parcel_id, "bought", "failed")).purchase_id as number;
    };
    const purchase_id = await buy();
    await carrier.step({ reference: await keyOf(purchase_id), status: "in_transit" });
    await service.admin.ok("POST", `${LABELS}/${purchase_id}/void`, {});
    assert.equal((await labelIn(service.admin, parcel_id, "voided", "void_failed")).status, "void_failed");
    return { parcel_id, so_number, purchase_id, buy };
  }

  it("has a label written off that its carrier does not take back, and gets another one", async () => {
    const { parcel_id, purchase_id, buy } = await notTakenBack();
    const page = await browser.open({ path: `/console/parcels/${parcel_id}`, username: admin });
    const dialog = page.getByRole("dialog");
    await status(page, "Not taken back");
    assert.equal(await page.getByRole("button", { name: "Buy a label" }).count(), 0);
    await tabTo(page, "Write off");
    await page.keyboard.press("Enter");
    // Without a reason it is not sent.
    await dialog.locator("[type=submit]").click();
    await dialog.locator("[name=reason]:invalid").waitFor();
    await dialog.getByLabel("Reason").fill("The carrier has it");
    await browser.check(page, "parcel-write-off");
    await confirmDialog(page);
    await status(page, "Written off");
    await page.getByRole("button", { name: "Buy a label" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Write off" }).count(), 0);
    await browser.check(page, "parcel-written-off");
    const reason = await db.value(
      "select details->>'reason' from audit_log where action_type = 'LABEL_WRITTEN_OFF' order by log_id desc limit 1",
    );
    assert.equal(reason, "The carrier has it");

    // The next one is taken back, and the carrier refuses to pay for it.
    const next = await buy();
    assert.notEqual(next, purchase_id);
    await page.reload();
    await status(page, "Bought");
    assert.equal(await page.getByRole("button", { name: "Write off" }).count(), 0);
    await service.admin.ok("POST", `${LABELS}/${next}/void`, {});
    await labelIn(service.admin, parcel_id, "voided", "void_failed");
    await carrier.refund({ reference: await keyOf(next), status: "rejected" });
    await followRefunds(service.config, new AbortController().signal);
    await page.reload();
    await page.getByText("it stays among the costs").waitFor();
    await browser.check(page, "parcel-refund-rejected");
  });

  it("offers to write a label off only to whoever packs, in German too", async () => {
    const { parcel_id, so_number } = await notTakenBack();
    const clerk = await person({ role: "USER", warehouse_ids: [here], page_keys: ["sales-orders"] });
    const shown = await browser.open({ path: `/console/parcels/${parcel_id}`, username: clerk.username });
    await status(shown, "Not taken back");
    assert.equal(await shown.getByRole("button", { name: "Write off" }).count(), 0);
    const visit: Visit = { path: `/console/parcels/${parcel_id}`, username: admin, language: "de", size: "phone" };
    const page = await browser.open(visit);
    await press(page, "Abschreiben");
    await page.getByText(`Etikett von Paket 1 von ${so_number} abschreiben?`).waitFor();
    await page.getByRole("dialog").getByLabel("Grund").fill("Schon unterwegs");
    await browser.check(page, "parcel-write-off-german");
    await confirmDialog(page);
    await status(page, "Abgeschrieben");
  });

  it("has the label noted that somebody bought elsewhere", async () => {
    const house = await warehouse();
    await insertAccount(house);
    const mug = await item();
    const order = await pickedOrder(service.admin, house, [{ item: mug, quantity: 1 }]);
    const { parcel_id } = await closedParcel(service.admin, order.so_id, mug.sku);
    const page = await browser.open({ path: `/console/parcels/${parcel_id}`, username: admin, language: "de" });
    const dialog = page.getByRole("dialog");
    await press(page, "Etikett vermerken");
    await dialog.getByLabel("Sendungsnummer").fill("1Z999AA10123456784");
    await dialog.getByLabel("Kosten").fill("7,20");
    await dialog.locator("[type=submit]").click();
    // An amount is one of a currency.
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("Währung").fill("eur");
    await browser.check(page, "parcel-note-label");
    await confirmDialog(page);
    await status(page, "Gekauft");
    await page.getByText("7,20\u00a0€").first().waitFor();
    await browser.check(page, "parcel-noted");
  });

  it("is shown, without what only packers and shippers do, to whoever has the orders alone", async () => {
    const { so_id } = await mugs(1);
    const { parcel_id } = await service.admin.ok("POST", "/api/packing/parcels", { so_id });
    const clerk = await person({ role: "USER", warehouse_ids: [here], page_keys: ["sales-orders"] });
    const page = await browser.open({ path: `/console/orders/${so_id}`, username: clerk.username });
    await page.getByRole("heading", { name: "Parcels" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Open a parcel" }).count(), 0);
    await page.goto(`${service.url}/console/parcels/${parcel_id}`);
    await page.getByText("Nothing is in it yet.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Void" }).count(), 0);
  });
});
