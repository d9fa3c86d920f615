import { trackedParcel } from "../support/carrier-requests.js";
import { confirmDialog, consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { item, salesOrder, warehouse } from "../support/fixtures.js";
import { closedParcel, openParcel } from "../support/parcels.js";
import { person } from "../support/people.js";
import { openService, type TestService } from "../support/service.js";
import { pickedOrder } from "../support/walk.js";

describe("the desk's parcels", () => {
  let service: TestService;
  let admin: string;
  before(async () => {
    service = await openService();
    admin = (await person()).username;
  });
  const browser = consoleBrowser(() => service);
  after(() => service.close());

  it("sets a box up, changes it, takes it out of use and deletes it", async () => {
    const page = await browser.open({ path: "/console/boxes", username: admin });
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "New box" }).click();
    await dialog.getByLabel("Code").fill("M");
    await dialog.getByLabel("Name").fill("Medium carton");
    for (const [label, inches] of Object.entries({ Length: "10", Width: "8", Height: "6.5" }))
      await dialog.getByLabel(`${label} inside (in)`).fill(inches);
    await browser.check(page, "parcels-new-box");
    await confirmDialog(page);
    await page.getByRole("cell", { name: "10 × 8 × 6.5" }).waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    await dialog.getByLabel("May weigh packed (lb)").fill("20");
    await confirmDialog(page);
    await page.getByRole("cell", { name: "20" }).waitFor();
    await browser.check(page, "parcels-boxes");
    await page.getByRole("button", { name: "Pause" }).click();
    await confirmDialog(page);
    await page.getByRole("cell", { name: "Inactive" }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await confirmDialog(page);
    await page.getByRole("cell", { name: "Medium carton" }).waitFor({ state: "detached" });
  });

  it("shows where a parcel is, and what its carrier noted of it", async () => {
    const warehouse_id = await warehouse();
    const { item_id } = await item();
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
    const parcel_id = await trackedParcel(so_id, warehouse_id);
    await db.run(
      `with known as (update parcel_trackings set status = 'out_for_delivery', status_at = now()
                      where parcel_id = $1 returning purchase_id)
       insert into parcel_scans (purchase_id, scanned_at, status, message, place)
       select purchase_id, now(), 'out_for_delivery', 'With the driver', 'Springfield, IL' from known`,
      [parcel_id],
    );
    const page = await browser.open({ path: `/console/parcels/${parcel_id}`, username: admin });
    await page.getByRole("heading", { name: "On its way", level: 2 }).waitFor();
    await page.getByRole("cell", { name: "With the driver" }).waitFor();
    await page.getByRole("cell", { name: "Out for delivery" }).waitFor();
    await browser.check(page, "parcel-on-its-way");
  });

  it("lists parcels of all orders, and shows those of an order", async () => {
    const mug = await item();
    const order = await pickedOrder(service.admin, await warehouse(), [{ item: mug, quantity: 3 }]);
    const { parcel_id } = await closedParcel(service.admin, order.so_id, mug.sku, 2);
    await service.admin.ok("POST", `/api/shipping/parcels/${parcel_id}/ship`, {
      ...{ tracking_number: "1Z999AA10123456784", carrier: "UPS" },
    });
    await openParcel(service.admin, order.so_id, mug.sku);
    const page = await browser.open({ path: "/console/parcels", username: admin });
    await page.getByRole("cell", { name: "1Z999AA10123456784" }).waitFor();
    await browser.check(page, "parcels-list");
    await page.getByRole("cell", { name: order.so_number }).first().click();
    await page.getByRole("heading", { name: order.so_number, level: 1 }).waitFor();
    await page.getByRole("heading", { name: "Parcels", level: 2 }).waitFor();
    await page.getByRole("cell", { name: "1Z999AA10123456784" }).waitFor();
    await browser.check(page, "parcels-of-order");
  });
});
