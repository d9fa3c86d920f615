import assert from "node:assert/strict";
import { choose, confirmDialog, consoleBrowser, tabTo } from "../support/console.js";
import { bin, item, purchaseOrder, warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";

describe("the console's pages of purchasing", () => {
  const service = testService();
  let admin: string;
  let order: Awaited<ReturnType<typeof purchaseOrder>> & { warehouse_id: number };
  before(async () => {
    admin = (await person()).username;
    const warehouse_id = await warehouse();
    const shelf = await bin(warehouse_id, { code: "A-01" });
    const mug = await item({ sku: "MUG-1" });
    order = {
      warehouse_id,
      ...(await purchaseOrder(warehouse_id, [{ item_id: mug.item_id, quantity: 10 }], "PO-1001")),
    };
    await service.admin.ok("POST", "/api/receiving/receive", {
      ...{ po_id: order.po_id, items: [{ item_id: mug.item_id, quantity: 4, bin_id: shelf, lot_number: "LOT-7" }] },
    });
    await service.admin.ok("POST", "/api/admin/vendors", {
      vendor_name: "Potter & Sons",
      email: "kiln@potter.example",
    });
  });
  const browser = consoleBrowser(() => service);

  it("show orders with lines and receipts, and vendors", async () => {
    const { vendors } = await service.admin.ok("GET", "/api/admin/vendors");
    for (const [name, path, text] of [
      ["purchasing-orders", "purchase-orders", "PO-1001"],
      ["purchasing-order", `purchase-orders/${order.po_id}`, "LOT-7"],
      ["purchasing-new", "purchase-orders/new", /New purchase order|Neue Bestellung/],
      ["purchasing-vendors", "vendors", "Potter & Sons"],
      ["purchasing-vendor", `vendors/${vendors[0].canonical_id}`, "kiln@potter.example"],
    ] as const)
      await browser.look(name, { path: `/console/${path}`, username: admin }, (page) =>
        page.getByRole("main").getByText(text).first().waitFor(),
      );
  });

  it("mark the line of which more came than was ordered", async () => {
    const settings = (allow: string) =>
      service.admin.ok("PUT", "/api/admin/settings", { settings: { allow_over_receiving: allow } });
    const { item_id, sku } = await item();
    const bin_id = await bin(order.warehouse_id);
    const { po_id } = await purchaseOrder(order.warehouse_id, [{ item_id, quantity: 10 }]);
    await settings("true");
    await service.admin.ok("POST", "/api/receiving/receive", { po_id, items: [{ item_id, quantity: 13, bin_id }] });
    await settings("false");
    await browser.look("purchasing-too-many", { path: `/console/purchase-orders/${po_id}`, username: admin }, (page) =>
      page
        .getByRole("row", { name: sku })
        .getByText(/3 too many|3 zu viel/)
        .first()
        .waitFor(),
    );
  });

  it("make an order by keyboard alone", async () => {
    const page = await browser.open({ path: "/console/purchase-orders", username: admin });
    await tabTo(page, "New purchase order");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "New purchase order" }).waitFor();
    await tabTo(page, /^Number$/);
    await page.keyboard.type("PO-2001");
    await tabTo(page, /^Vendor$/);
    await page.keyboard.type("Potter & Sons");
    await page.keyboard.press("Escape");
    await tabTo(page, /^Item$/);
    await choose(page, "MUG");
    await tabTo(page, /^Quantity/);
    await page.keyboard.type("24");
    await tabTo(page, /^Unit cost/);
    await page.keyboard.type("1.25");
    await tabTo(page, "Create purchase order");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "PO-2001" }).waitFor();
    const { purchase_orders } = await service.admin.ok("GET", "/api/admin/purchase-orders?q=PO-2001");
    const made = await service.admin.ok("GET", `/api/admin/purchase-orders/${purchase_orders[0].po_id}`);
    assert.equal(made.purchase_order.vendor_name, "Potter & Sons");
    const [{ sku, quantity_ordered, unit_cost }] = made.lines;
    assert.deepEqual([sku, quantity_ordered, unit_cost], ["MUG-1", 24, 1.25]);
  });

  it("take a receipt back, change a line, and close and reopen the order", async () => {
    const page = await browser.open({ path: `/console/purchase-orders/${order.po_id}`, username: admin });
    await page.getByRole("button", { name: "Reverse receipt" }).click();
    await page.getByLabel("Reason").fill("wrong item");
    await confirmDialog(page);
    await page.getByText("Nothing was received yet").waitFor();
    await page.getByRole("cell").getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Quantity").fill("12");
    await confirmDialog(page);
    await page.getByRole("cell", { name: "12" }).first().waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await confirmDialog(page);
    await page.getByRole("button", { name: "Reopen" }).click();
    await confirmDialog(page);
    await page.getByRole("main").getByText("Open", { exact: true }).waitFor();
    const now = await service.admin.ok("GET", `/api/admin/purchase-orders/${order.po_id}`);
    assert.deepEqual([now.purchase_order.status, now.lines[0].quantity_ordered], ["OPEN", 12]);
  });
});
