import assert from "node:assert/strict";
import { truckToLoad } from "../support/collections.js";
import { confirmDialog, consoleBrowser, scan } from "../support/console.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { person } from "../support/people.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";

describe("collections at desk and scanner", () => {
  let service: TestService;
  before(async () => {
    service = await openService({ worker: true });
  });
  const browser = consoleBrowser(() => service);
  after(() => service.close());

  const leftAt = (collection_id: number) =>
    db.row<{ driver_name: string | null; collected_at: string | null }>(
      "select driver_name, collected_at from carrier_collections where collection_id = $1",
      [collection_id],
    );

  it("are listed, read, closed and handed over at the desk", async () => {
    const warehouse_id = await fixtures.warehouse();
    const { username } = await person();
    const { collection_id, parcels } = await truckToLoad(warehouse_id);
    const page = await browser.open({ path: "/console/collections", username });
    await page.getByRole("cell", { name: "0 of 2" }).waitFor();
    await browser.check(page, "collections-list");
    await page.getByRole("cell", { name: "UPS" }).first().click();
    await page.getByRole("cell", { name: parcels[0]?.so_number as string }).waitFor();
    await page.getByRole("button", { name: "Ask for the manifest" }).click();
    await confirmDialog(page);
    await page.getByText("With manifest").waitFor();
    await browser.check(page, "collections-one");
    await service.admin.ok("POST", `/api/shipping/collections/${collection_id}/scan`, {
      scanned_barcode: parcels[0]?.code,
    });
    await page.getByRole("button", { name: "Hand over" }).click();
    await page.getByRole("dialog").getByLabel("Driver").fill("Jo Miller");
    await browser.check(page, "collections-hand-over");
    await confirmDialog(page);
    await page.getByText("Jo Miller").waitFor();
    assert.equal((await leftAt(collection_id))?.driver_name, "Jo Miller");
    assert.equal(await page.getByRole("button", { name: "Hand over" }).count(), 0);
  });

  it("say at the desk what came after the manifest, and give each manifest", async () => {
    const warehouse_id = await fixtures.warehouse();
    const { username } = await person();
    const { collection_id } = await truckToLoad(warehouse_id);
    await db.run(
      `update carrier_collections
       set status = 'manifested', manifested_at = now(), remote_id = 'sf_2', manifest_number = 2
       where collection_id = $1`,
      [collection_id],
    );
    await db.run(
      `insert into collection_manifests (collection_id, manifest_number, content)
       values ($1, 1, '%PDF-'), ($1, 2, '%PDF-')`,
      [collection_id],
    );
    const page = await browser.open({ path: `/console/collections/${collection_id}`, username });
    await page.getByText("2 of the parcels came after the manifest").waitFor();
    await browser.check(page, "collections-late");
    assert.match(
      (await page.getByRole("link", { name: "Manifest 1" }).getAttribute("href")) as string,
      /manifest\?manifest_number=1$/,
    );
    await page.getByRole("button", { name: "Manifest 2" }).waitFor();
    await page.getByRole("button", { name: "Ask for a further manifest" }).click();
    await confirmDialog(page);
    await until(
      async () =>
        (await db.value<number>("select manifest_number from carrier_collections where collection_id = $1", [
          collection_id,
        ])) === 3,
    );
  });

  it("are begun at the desk", async () => {
    const warehouse_id = await fixtures.warehouse();
    const { username } = await person();
    const { account_id } = await truckToLoad(warehouse_id, 1);
    const page = await browser.open({ path: "/console/collections", username });
    await page.getByRole("button", { name: "Begin a collection" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Account").selectOption(String(account_id));
    await dialog.getByLabel("Carrier").fill("DHL");
    await confirmDialog(page);
    await page.getByRole("cell", { name: "DHL" }).waitFor();
  });

  it("are loaded at the scanner, parcel after parcel, and say in words what does not go with them", async () => {
    const warehouse_id = await fixtures.warehouse();
    const { username } = await person({ role: "USER", warehouse_ids: [warehouse_id], allowed_functions: ["ship"] });
    const { collection_id, parcels } = await truckToLoad(warehouse_id, 3);
    const [one, two, missing] = parcels as [(typeof parcels)[0], (typeof parcels)[0], (typeof parcels)[0]];
    const page = await browser.open({ path: "/scan/load", username, size: "phone" });
    const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
    await page.getByRole("button", { name: /^UPS/ }).click();
    await says("0 of 3");
    await browser.check(page, "scan-load-truck");
    await scan(page, one.code);
    await says("1 of 3");
    await says(`${one.so_number}, parcel 1 is loaded`);
    await scan(page, two.tracking_number);
    await says("2 of 3");
    await page.getByRole("button", { name: "Take one down again" }).click();
    await scan(page, two.code);
    await says("1 of 3");
    await page.getByRole("button", { name: "Go on loading" }).click();
    await scan(page, "NEVER-WAS");
    await says("No parcel and no shipment of this warehouse has this code.");
    await scan(page, two.code);
    await says("2 of 3");
    await says(missing.tracking_number);
    await page.getByLabel("Driver").fill("Jo");
    await page.getByRole("button", { name: "Hand over without 1" }).click();
    await says("UPS has 2 parcels. Left here: 1.");
    await browser.check(page, "scan-load-left");
    await until(async () => (await leftAt(collection_id))?.driver_name === "Jo");
  });
});
