import assert from "node:assert/strict";
import { filming } from "../support/camera-film.js";
import { consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";

const PO_NUMBER = "PO-CAMERA-1";

describe("the camera of the scanner", () => {
  const service = testService();
  let username: string;
  before(async () => {
    const here = await warehouse();
    const { item_id } = await item({ sku: "MUG-1", upc: "400000000015" });
    await purchaseOrder(here, [{ item_id, quantity: 10 }], PO_NUMBER);
    await bin(here, { code: "DOCK-1", type: "Staging" });
    ({ username } = await person({ role: "USER", warehouse_ids: [here], allowed_functions: ["receive"] }));
  });

  describe("before a label", () => {
    const browser = consoleBrowser(() => service, filming("code128", PO_NUMBER));

    it("reads it", async () => {
      const page = await browser.open({ path: "/scan/receive", username, size: "phone" });
      await page.getByRole("textbox", { name: "Scan the purchase order" }).waitFor();
      await page.getByRole("button", { name: "Scan with the camera" }).click();
      await page.getByRole("textbox", { name: "Scan an item" }).waitFor();
      await page.getByText(PO_NUMBER).first().waitFor();
    });
  });

  describe("before a GS1 label", () => {
    const browser = consoleBrowser(() => service, filming("gs1-128", "(02)00400000000015(37)4(10)LOT-7"));

    it("takes the quantity and the lot along", async () => {
      const page = await browser.open({ path: "/scan/receive", username, size: "phone" });
      const type = async (field: string, code: string) => {
        await page.getByRole("textbox", { name: field }).fill(code);
        await page.keyboard.press("Enter");
      };
      await type("Scan the purchase order", PO_NUMBER);
      await page.getByRole("textbox", { name: "Scan an item" }).waitFor();
      await page.getByRole("button", { name: "Scan with the camera" }).click();
      await type("Scan the bin", "DOCK-1");
      await page.getByRole("button", { name: "Receive 4 × MUG-1" }).click();
      await page.getByText("Received 4 × MUG-1 into DOCK-1").waitFor();
      assert.deepEqual(await db.rows("select lot_number from item_receipts"), [{ lot_number: "LOT-7" }]);
    });
  });
});
