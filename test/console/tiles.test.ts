import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { todayAt } from "../../src/platform/db/days.js";
import { consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { patient } from "../support/machine-speed.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

describe("the figures of the day", () => {
  const service = testService();
  let admin: string;
  let [here, there] = [0, 0];
  before(async () => {
    admin = (await person()).username;
    [here, there] = [await fixtures.warehouse(), await fixtures.warehouse()];
    for (const where of [here, there]) await work(where, where === here ? there : here);
  });
  const browser = consoleBrowser(() => service);

  /** Something of each kind that waits, and beside it what almost is of that kind. */
  async function work(where: number, other: number): Promise<void> {
    const [shelf, dock] = [await fixtures.bin(where), await fixtures.bin(where, { type: "Staging" })];
    const [mug, none] = [await fixtures.item(), await fixtures.item()];
    await fixtures.stock(where, shelf, mug.item_id, 10);
    for (let n = 0; n < 3; n++) await fixtures.stock(where, dock, (await fixtures.item()).item_id, 7);
    await fixtures.stock(where, dock, none.item_id, 0);
    const kept = await fixtures.item();
    for (const days of [-1, 7, 8])
      await db.run(`update inventory set expiry_date = current_date + $2::int where inventory_id = $1`, [
        await fixtures.stock(where, await fixtures.bin(where), kept.item_id, 1, `LOT-${where}-${days}`),
        days,
      ]);
    const looked = await fixtures.stock(where, shelf, kept.item_id, 1);
    await service.admin.ok("POST", `/api/admin/inventory/${looked}/hold`, { condition: "QUARANTINE", reason: "wet" });
    const order = async (status: string, item_id: number, type = "sale", ship_by = "2999-01-01") => {
      const { so_id } = await fixtures.salesOrder(where, [{ item_id, quantity: 2 }]);
      await db.run("update sales_orders set status = $2, order_type = $3, ship_by_date = $4 where so_id = $1", [
        ...[so_id, status, type, ship_by],
      ]);
      return so_id;
    };
    for (const status of ["OPEN", "OPEN", "PICKED", "PICKED", "PICKED", "PACKED", "SHIPPED", "CANCELLED"])
      await order(status, mug.item_id);
    for (const status of ["WAITING_STOCK", "WAITING_STOCK", "FRAUD_REVIEW"]) await order(status, none.item_id);
    // Nothing of it is there, so nobody can pick it.
    await order("OPEN", none.item_id);
    await order("OPEN", mug.item_id, "return");
    // Nobody may pick, pack or ship these until somebody decides.
    for (const status of ["OPEN", "PICKED", "PACKED"]) {
      const so_id = await order(status, mug.item_id);
      await db.run("update sales_orders set hold_reason = 'differs_from_shop' where so_id = $1", [so_id]);
      await db.run("update sales_order_lines set quantity_picked = 2, quantity_allocated = 2 where so_id = $1", [
        so_id,
      ]);
    }
    await order("OPEN", mug.item_id, "sale", "2026-01-01");
    await order("SHIPPED", mug.item_id, "sale", "2026-01-01");
    // The packed one was picked short.
    await db.run(
      `update sales_order_lines set quantity_picked = quantity_ordered, quantity_allocated = quantity_ordered
       where so_id in (select so_id from sales_orders where status = 'PICKED' and warehouse_id = $1)`,
      [where],
    );
    const picked = [await order("OPEN", mug.item_id), await order("OPEN", mug.item_id)];
    await db.run(`update sales_orders so set ship_by_date = ${todayAt("so.warehouse_id")} where so_id = $1`, [
      picked[0],
    ]);
    for (const [place, so_id] of picked.entries())
      await db.run(
        `with batch as (
           insert into pick_batches (batch_number, warehouse_id, status) values ($1, $2, 'OPEN') returning batch_id)
         insert into pick_batch_orders (batch_id, so_id, active) select batch_id, $3, $4 from batch`,
        [`W-${so_id}`, where, so_id, place === 0],
      );
    for (const status of ["OPEN", "PARTIAL", "PARTIAL", "CLOSED", "RECEIVED", "ARCHIVED"]) {
      const { po_id } = await fixtures.purchaseOrder(where, [{ item_id: mug.item_id, quantity: 1 }]);
      await db.run("update purchase_orders set status = $2 where po_id = $1", [po_id, status]);
    }
    await db.run(
      `insert into audit_log (action_type, entity_type, entity_id, user_id, warehouse_id, details, created_at)
       select action, 'SO', 1, 'ann', $1, details || '{"sku": "MUG", "quantity_to_pick": 2, "quantity_picked": 1,
         "shortage": 1, "batch_id": 1}', now() - age
       from (values ('PICK', '{"type": "SHORT_PICK"}'::jsonb, interval '1 hour'),
         ('TO_LINE_PICKED', '{"type": "SHORT_PICK"}', '6 days'), ('PICK', '{"type": "SHORT_PICK"}', '8 days'),
         ('PICK', '{}', '1 hour')) as v(action, details, age)`,
      [where],
    );
    await db.run(
      `insert into inventory_adjustments (item_id, bin_id, warehouse_id, quantity_change, reason_code, status)
       select $1, $2, $3, 1, 'CYCLE_COUNT', s from unnest('{PENDING,PENDING,APPROVED,REJECTED}'::text[]) as s`,
      [mug.item_id, shelf, where],
    );
    await db.run(
      `with orders as (
         insert into transfer_orders (to_number, source_warehouse_id, destination_warehouse_id, status)
         select 'T-' || $1::int || n, $2, $1, status
         from unnest('{OPEN,PARTIALLY_PICKED,AWAITING_APPROVAL,CLOSED}'::text[]) with ordinality as o(status, n)
         returning to_id, status)
       insert into transfer_order_approvals (to_id, submitted_by, status, approved_at)
       select to_id, 'ann', a.status, now()
       from orders join (values ('PARTIALLY_PICKED', 'PENDING'), ('AWAITING_APPROVAL', 'PENDING'),
         ('AWAITING_APPROVAL', 'PENDING'), ('CLOSED', 'APPROVED')) as a(order_status, status)
         on orders.status = a.order_status`,
      [where, other],
    );
  }

  /** How many rows the list says that it has, once it is there. */
  async function rowsOf(page: Page): Promise<number> {
    const main = page.getByRole("main");
    await main.locator("tbody tr").first().waitFor();
    const said = await main.getByRole("status").allTextContents();
    const total = said.map((text) => /(\d+)\D*$/.exec(text)?.[1]).find(Boolean);
    return total === undefined ? main.locator("tbody tr").count() : Number(total);
  }

  for (const all of [true, false])
    it(`open lists of as many rows as they say, ${all ? "of all warehouses" : "of one"}`, async function () {
      this.timeout(patient(240_000));
      const page = await browser.open({ path: "/console/day", username: admin });
      if (!all) await page.getByRole("banner").getByLabel("Warehouse").selectOption(String(here));
      const main = page.getByRole("main");
      const tile = (name: string) => main.getByRole("group", { name });
      const each = all ? 2 : 1;
      // Read anew once the warehouse is another one.
      const isRead = async (name: string) => (await tile(name).textContent())?.startsWith(`${2 * each}`) ?? false;
      await until(() => isRead("Adjustments to review"));
      await until(() => isRead("Expires within 7 days"));
      await tile("Inspections to decide")
        .filter({ hasText: String(each) })
        .waitFor();
      const urgent = main.getByRole("link", { name: /^\d+ (late|to be shipped|held|waiting|picked short)/ });
      await urgent.filter({ hasText: `${2 * each} waiting` }).waitFor();
      const figures: { label: string; said: number; to: string }[] = [];
      for (const one of [...(await main.getByRole("group").all()), ...(await urgent.all())]) {
        const link = (await one.getAttribute("href")) ? one : one.getByRole("link");
        const said = Number(/\d+/.exec((await one.textContent()) as string)?.[0]);
        figures.push({
          ...{ label: (await link.textContent()) as string, said },
          to: (await link.getAttribute("href")) as string,
        });
      }
      assert.deepEqual(
        figures.map(({ label, said }) => [label.replace(/^\d+ /, ""), said / each]),
        [
          ...[
            ["To be put away", 3],
            ["Open purchase orders", 3],
            ["Ready to pick", 4],
            ["Not enough stock", 1],
            ["In a wave", 1],
          ],
          ...[
            ["Ready to pack", 3],
            ["Ready to ship", 1],
            ["Short picks, 7 days", 2],
            ["Adjustments to review", 2],
          ],
          ...[
            ["Transfers to approve", 2],
            ["Expires within 7 days", 2],
            ["Inspections to decide", 1],
            ["late", 1],
            ["to be shipped today", 1],
            ["held for review", 1],
            ["held by shop or by hand", 3],
            ["waiting for stock", 2],
            ["picked short, to be decided", 1],
          ],
        ],
      );
      for (const { label, said, to } of figures) {
        await page.goto(service.url + to);
        assert.equal(await rowsOf(page), said, label);
      }
    });

  it("are of the same rows in the interface", async () => {
    const of = { warehouse_id: here };
    const board = await service.admin.ok("GET", `/api/admin/dashboard?warehouse_id=${of.warehouse_id}`);
    for (const [work, count] of [
      ["ready_to_pick", board.orders_ready_to_pick],
      ["lacks_stock", board.orders_lacking_stock],
      ["in_picking", board.orders_in_picking],
      ["ready_to_pack", board.ready_to_pack],
      ["ready_to_ship", board.ready_to_ship],
    ]) {
      const list = await service.admin.ok("GET", `/api/admin/sales-orders?work=${work}&warehouse_id=${here}`);
      assert.equal(list.total, count, work);
    }
    assert.equal((await service.admin.get("/api/admin/sales-orders?work=none")).status, 400);
  });
});
