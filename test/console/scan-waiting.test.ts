import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { floorFunctions } from "../../src/auth/rights.js";
import { consoleBrowser, scan } from "../support/console.js";
import { bin, item, stock } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";
import { testSites, transferOrder } from "../support/transfers.js";

describe("what the scanner lists for people without pages of the desk", () => {
  const service = testService({ worker: true });
  const at = testSites();
  const browser = consoleBrowser(() => service);

  const worker = () => person({ role: "USER", warehouse_ids: [at.source], allowed_functions: [...floorFunctions] });
  async function open(task: string, username: string): Promise<Page> {
    const page = await browser.open({ path: `/scan/${task}`, username, size: "phone" });
    const { warehouses } = await service.admin.ok("GET", "/api/warehouses/list");
    const { code } = warehouses.find(({ id }: { id: number }) => id === at.source);
    const choice = page.getByRole("button", { name: code });
    await choice.or(page.getByRole("textbox")).first().waitFor();
    if ((await choice.count()) > 0) await choice.click();
    return page;
  }
  const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();

  it("expected purchase orders, of which one is chosen by thumb", async () => {
    const { item_id, sku } = await item();
    const lines = [{ item_id, quantity_ordered: 9 }];
    const body = { po_number: "PO-EXPECTED", warehouse_id: at.source, vendor_name: "Potter", lines };
    await service.admin.ok("POST", "/api/admin/purchase-orders", body);
    const page = await open("receive", (await worker()).username);
    await press(page, /PO-EXPECTED Potter/);
    await page.getByText(sku).waitFor();
  });

  it("transfer orders: one is begun by a picker, and gone on with by another, who is not sent to pack", async () => {
    const { item_id, sku } = await item();
    const shelf = await bin(at.source);
    await stock(at.source, shelf, item_id, 8);
    const { to_number, to_id } = await transferOrder(service.admin, at, [{ item_id, quantity: 8 }]);
    const [ann, ben] = [await worker(), await worker()];
    const hers = await open("pick", ann.username);
    await press(hers, new RegExp(to_number));
    await press(hers, "Start to pick it");
    await hers.getByText(`8 × ${sku}`).waitFor();

    const his = await open("pick", ben.username);
    await press(his, new RegExp(to_number));
    await press(his, `Take it over from ${ann.username}`);
    await his.getByText(`8 × ${sku}`).waitFor();
    await scan(his, sku);
    await press(his, "Finish the wave");
    await his.getByText("8 pcs picked").waitFor();
    await his.getByRole("button", { name: "Next wave" }).waitFor();
    assert.equal(await his.getByRole("link", { name: "Pack them" }).count(), 0);
    const { approvals } = await service.admin.ok("GET", `/api/admin/transfer-orders/${to_id}`);
    assert.deepEqual([approvals[0].submitted_by, approvals[0].lines[0].quantity], [ben.username, 8]);
  });
});
