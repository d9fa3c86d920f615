import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import * as desk from "../support/at-desk.js";
import { consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { person } from "../support/people.js";
import { runAgeing } from "../support/polling.js";
import * as floor from "../support/scan-day.js";
import { openService, type TestService } from "../support/service.js";

describe("a whole day, at the desk and on the floor", () => {
  let service: TestService;
  let ageing: ReturnType<typeof runAgeing>;
  before(async () => {
    service = await openService({ worker: true });
    ageing = runAgeing();
  });
  after(async () => {
    await ageing.stop();
    await service.close();
  });
  const browser = consoleBrowser(() => service);

  const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).waitFor();
  const goTo = (page: Page, name: string) =>
    page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
  /** A row with all of these in it. */
  const row = (page: Page, ...cells: string[]) =>
    cells.reduce((rows, cell) => rows.filter({ hasText: cell }), page.getByRole("row")).first();

  async function lookUp(page: Page, number: string) {
    await page.keyboard.press("Control+k");
    await page.keyboard.type(number);
    await page.getByRole("option", { name: number }).first().waitFor();
    await page.keyboard.press("Enter");
    await heading(page, number);
  }

  /** What the service itself says of stock and orders. */
  async function books(warehouse_id: number) {
    const list = async (path: string, name: string) =>
      (await service.admin.ok("GET", `/api/admin/${path}`))[name] as Record<string, string | number>[];
    const of = `warehouse_id=${warehouse_id}`;
    const stock = await list(`inventory?${of}`, "inventory");
    const returns = await list(`sales-orders?${of}&order_type=return`, "sales_orders");
    const orders = [...(await list(`sales-orders?${of}`, "sales_orders")), ...returns].map(async ({ so_id }) => {
      const { sales_order, lines } = await service.admin.ok("GET", `/api/admin/sales-orders/${so_id}`);
      const unitsOf = (counter: string) =>
        Object.fromEntries(lines.map((line: Record<string, unknown>) => [line.sku, line[counter]]));
      const { so_number, status, tracking_number } = sales_order;
      const units = unitsOf(status === "SHIPPED" ? "quantity_shipped" : "quantity_received");
      return [so_number, { status, tracking_number, units }] as const;
    });
    return {
      deliveries: (await list(`purchase-orders?${of}`, "purchase_orders")).map(({ status }) => status),
      stock: Object.fromEntries(
        stock
          .filter(({ quantity_on_hand }) => quantity_on_hand !== 0)
          .map((one) => [
            `${one.bin_code} ${one.sku}`,
            { on_hand: one.quantity_on_hand, allocated: one.quantity_allocated },
          ]),
      ),
      orders: Object.fromEntries(await Promise.all(orders)),
    };
  }

  it("is done through the pages alone, from the delivery to the parcels and a return", async function () {
    this.timeout(patient(120_000));
    const site = await floor.smallWarehouse();
    const [first, second] = site.orders;
    // As a shop brings an order that somebody is to look at.
    await db.run("update sales_orders set status = 'FRAUD_REVIEW' where so_number = $1", [first]);
    const scanner = await browser.open({ path: "/scan/", username: site.username, size: "phone" });
    const office = await browser.open({ path: "/console/", username: (await person()).username });

    await floor.receiveDelivery(scanner, site);
    await floor.putAwayDelivery(scanner);

    await office.getByRole("link", { name: "1 held for review" }).click();
    await office.getByRole("link", { name: first }).click();
    await heading(office, first);
    await desk.decide(office, "Release");
    await office.getByRole("dialog").waitFor({ state: "detached" });
    await office.getByText("Open", { exact: true }).first().waitFor();
    await desk.press(office, "Picking ticket");
    await row(office, "MUG-1", "A-01").waitFor();
    await desk.decide(office, "Mark as printed");
    await office.getByRole("dialog").waitFor({ state: "detached" });

    await floor.startWave(scanner, site.orders);
    await floor.says(scanner, "Pick 1 of 2");
    await goTo(office, "The day");
    // Nobody waits for the page to read its waves again.
    await office.reload();
    await row(office, first, second).getByText("0 of 2").waitFor();
    await floor.pickWave(scanner);
    await floor.packAndShip(scanner, site.orders);

    await lookUp(office, first);
    await office.getByText("Shipped", { exact: true }).first().waitFor();
    for (const told of [
      "It was released from review",
      "Its picking ticket was printed",
      "× MUG-1 picked from",
      "It was put into wave",
      "It was packed: 3 units",
      "It was shipped with UPS, tracking number 1Z999AA1",
    ])
      await office.locator(".mantine-Timeline-item").filter({ hasText: told }).first().waitFor();
    await browser.check(office, "whole-day-shipped");

    await desk.createReturn(office, /MUG-1, 2 shipped/, 1);
    await desk.receiveReturn(office, 1, "DOCK-1", "Received");
    await browser.check(office, "whole-day-returned");
    await floor.putAwayReturn(scanner);
    await row(office, first, "Shipped").waitFor();
    await office.getByRole("link", { name: "MUG-1", exact: true }).click();
    await row(office, "A-01", "8").waitFor();

    await assertInvariants();
    assert.deepEqual(await books(site.here), {
      deliveries: ["RECEIVED"],
      stock: { "A-01 MUG-1": { on_hand: 8, allocated: 0 }, "A-02 LAMP-2": { on_hand: 5, allocated: 0 } },
      orders: {
        [first]: { status: "SHIPPED", tracking_number: "1Z999AA1", units: { "MUG-1": 2, "LAMP-2": 1 } },
        [second]: { status: "SHIPPED", tracking_number: "1Z999AA2", units: { "MUG-1": 1 } },
        [`${first}-RMA`]: { status: "RECEIVED", tracking_number: null, units: { "MUG-1": 1 } },
      },
    });
  });
});
