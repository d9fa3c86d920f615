import assert from "node:assert/strict";
import { addressColumns } from "../../src/sales-orders/addresses.js";
import { type Caller, statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck } from "../support/pluck.js";
import type { TestService } from "../support/service.js";
import { openTwoWarehouses } from "../support/two-warehouses.js";

const ROUTE = "/api/admin/sales-orders";

const nulls = (columns: string[]) => Object.fromEntries(columns.map((column) => [column, null]));

describe("sales orders", () => {
  let service: TestService;
  let clerk: Caller;
  let warehouse_id: number;
  let elsewhere: number;
  let mug: Awaited<ReturnType<typeof fixtures.item>>;
  let bowl: Awaited<ReturnType<typeof fixtures.item>>;
  before(async () => {
    ({ service, user: clerk, warehouse_id, elsewhere } = await openTwoWarehouses(["sales-orders"]));
  });
  beforeEach(async () => {
    [mug, bowl] = await Promise.all([fixtures.item(), fixtures.item({ upc: null })]);
  });
  after(() => service.close());

  let count = 0;
  const order = (fields: object = {}) => ({
    so_number: `SO-${++count}`,
    warehouse_id,
    lines: [{ item_id: mug.item_id, quantity_ordered: 10 }],
    ...fields,
  });

  describe("create", () => {
    it("answers the order with its lines, as a later read does", async () => {
      const fields = {
        customer_name: "Ada",
        customer_phone: "+44 20",
        customer_email: "ada@example.com",
        customer_address: "1 Square",
        ship_method: "UPS Ground",
        ship_address: "2 Square",
        ship_by_date: "2026-05-06",
        memo: "ring twice",
        order_origin: "web",
      };
      const body = order({
        ...fields,
        lines: [
          { item_id: mug.item_id, quantity_ordered: 10 },
          { item_id: bowl.item_id, quantity_ordered: 2 },
        ],
      });
      const made = await clerk.post(ROUTE, body);
      assert.equal(made.status, 200);
      const { so_id, external_id, created_at, order_date, ...header } = made.body.sales_order;
      assert.deepEqual(header, {
        ...nulls(addressColumns),
        ...fields,
        so_number: body.so_number,
        so_barcode: body.so_number,
        status: "OPEN",
        priority: 0,
        warehouse_id,
        order_type: "sale",
        is_short: false,
        created_by: clerk.username,
        created_by_name: clerk.username,
        shipped_at: null,
        printed_at: null,
        ...nulls([
          "min_days_at_shipping",
          "order_total",
          "customer_shipping_paid",
          "currency",
          "hold_reason",
          "shop_difference",
          "shipped_date_local",
          "source_system",
          "carrier",
          "tracking_number",
        ]),
        ...nulls([
          "parent_so_id",
          "parent_so_number",
          "backorder_opened_at",
          "backorder_fulfillable_at",
          "cancellation_reason",
          "voided_at",
          "voided_by",
        ]),
      });
      assert.equal(order_date, created_at.slice(0, 10));
      assert.deepEqual(
        made.body.lines.map(({ so_line_id, item_name, ...line }: Record<string, unknown>) => line),
        [line(1, mug, 10), line(2, bowl, 2)],
      );
      assert.deepEqual(made.body.pick_tasks, []);
      assert.deepEqual(await clerk.ok("GET", `${ROUTE}/${so_id}`), made.body);
    });

    const line = (line_number: number, { item_id, sku, upc }: typeof mug, quantity_ordered: number) => ({
      line_number,
      item_id,
      sku,
      upc,
      quantity_ordered,
      quantity_allocated: 0,
      quantity_picked: 0,
      quantity_packed: 0,
      quantity_shipped: 0,
      quantity_received: 0,
      original_so_line_id: null,
      status: "PENDING",
      properties: [],
      reported_missing: 0,
    });

    it("reserves what there is in the order's warehouse, the fullest row first, also from staging", async () => {
      const [shelf, staging, away] = await Promise.all([
        fixtures.bin(warehouse_id),
        fixtures.bin(warehouse_id, { type: "Staging" }),
        fixtures.bin(elsewhere),
      ]);
      const [few, many, other, bowls] = await Promise.all([
        fixtures.stock(warehouse_id, shelf, mug.item_id, 4),
        fixtures.stock(warehouse_id, staging, mug.item_id, 5),
        fixtures.stock(elsewhere, away, mug.item_id, 100),
        fixtures.stock(warehouse_id, shelf, bowl.item_id, 1),
      ]);
      const { lines } = await clerk.ok(
        "POST",
        ROUTE,
        order({
          lines: [
            { item_id: mug.item_id, quantity_ordered: 6 },
            { item_id: bowl.item_id, quantity_ordered: 3 },
            { item_id: mug.item_id, quantity_ordered: 9 },
          ],
        }),
      );
      assert.deepEqual(pluck(lines, "quantity_allocated"), [6, 1, 3]);
      assert.deepEqual(await fixtures.stockOf(many), { on_hand: 5, allocated: 5 });
      assert.deepEqual(await fixtures.stockOf(few), { on_hand: 4, allocated: 4 });
      assert.deepEqual(await fixtures.stockOf(bowls), { on_hand: 1, allocated: 1 });
      assert.deepEqual(await fixtures.stockOf(other), { on_hand: 100, allocated: 0 });
      await assertInvariants();
    });

    it("promises no unit twice to orders that come at the same moment", async () => {
      const shelf = await fixtures.bin(warehouse_id);
      const inventory = await fixtures.stock(warehouse_id, shelf, mug.item_id, 25);
      const made = await Promise.all(Array.from({ length: 8 }, () => clerk.ok("POST", ROUTE, order())));
      const units = made.map(({ lines }) => lines[0].quantity_allocated);
      assert.deepEqual(
        units.sort((a, b) => b - a),
        [10, 10, 5, 0, 0, 0, 0, 0],
      );
      assert.deepEqual(await fixtures.stockOf(inventory), { on_hand: 25, allocated: 25 });
      await assertInvariants();
    });

    it("keeps a barcode and line numbers of its own, writes an audit row and no event", async () => {
      const { sales_order, lines } = await clerk.ok(
        "POST",
        ROUTE,
        order({
          so_barcode: "4711",
          lines: [
            { item_id: mug.item_id, quantity_ordered: 1, line_number: 20 },
            { item_id: mug.item_id, quantity_ordered: 1, line_number: 10 },
          ],
        }),
      );
      assert.equal(sales_order.so_barcode, "4711");
      assert.deepEqual(pluck(lines, "line_number"), [10, 20]);
      assert.deepEqual(
        await db.rows(
          `select action_type, user_id, warehouse_id, details from audit_log where entity_type = 'SO'
            and entity_id = $1`,
          [sales_order.so_id],
        ),
        [
          {
            action_type: "CREATE",
            user_id: clerk.username,
            warehouse_id,
            details: { so_number: sales_order.so_number, lines: 2 },
          },
        ],
      );
      assert.deepEqual(await db.rows("select from integration_events"), []);
    });

    it("refuses a number that is taken, also when two come at the same moment", async () => {
      const body = order();
      const answers = await Promise.all([clerk.post(ROUTE, body), clerk.post(ROUTE, body)]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
      const refused = answers.find(({ status }) => status === 400);
      assert.deepEqual(refused?.body, { error: `Sales order ${body.so_number} already exists` });
    });

    it("gets a number that is free where none is given, and asks for it all the same", async () => {
      const { sales_order } = await clerk.ok("POST", ROUTE, order({ so_number: null }));
      assert.match(sales_order.so_number, /^SO-\d+$/);
      assert.equal(sales_order.so_barcode, sales_order.so_number);
      const { so_number: _, ...without } = order();
      assert.equal((await clerk.post(ROUTE, without)).status, 400);
      // Somebody gave the next number to an order already.
      const number = (await clerk.ok("POST", ROUTE, order({ so_number: null }))).sales_order.so_number as string;
      const used = Number(number.slice("SO-".length));
      for (let n = used + 1; n < used + 5; n++) await fixtures.salesOrder(warehouse_id, [], `SO-${n}`);
      const other = (await clerk.ok("POST", ROUTE, order({ so_number: null }))).sales_order.so_number;
      assert.notEqual(other, number);
    });

    it("refuses an unknown item and leaves nothing behind", async () => {
      const body = order({
        lines: [
          { item_id: mug.item_id, quantity_ordered: 1 },
          { item_id: 999_999, quantity_ordered: 1 },
        ],
      });
      const { status, body: answer } = await clerk.post(ROUTE, body);
      assert.deepEqual([status, answer], [400, { error: "Item 999999 not found" }]);
      assert.deepEqual(await db.rows("select from sales_orders where so_number = $1", [body.so_number]), []);
    });

    it("refuses an unknown warehouse, and one that is not the user's", async () => {
      const unknown = await service.admin.post(ROUTE, order({ warehouse_id: 999_999 }));
      assert.deepEqual([unknown.status, unknown.body], [400, { error: "Warehouse 999999 not found" }]);
      const denied = await clerk.post(ROUTE, order({ warehouse_id: elsewhere }));
      assert.deepEqual([denied.status, denied.body], [403, { error: "Access denied for this warehouse" }]);
    });
  });

  describe("read", () => {
    it("shows decimals as text, the day of shipping, the parent, and what was picked", async () => {
      const shelf = await fixtures.bin(warehouse_id, { code: "PICKED-HERE" });
      const inventory = await fixtures.stock(warehouse_id, shelf, mug.item_id, 9);
      const parent = await fixtures.salesOrder(warehouse_id, [{ item_id: mug.item_id, quantity: 1 }]);
      const { so_id } = await fixtures.salesOrder(warehouse_id, [{ item_id: mug.item_id, quantity: 5 }]);
      await db.run(
        `update sales_orders set order_total = '19.90', customer_shipping_paid = '0', parent_so_id = $2,
                order_type = 'replacement', shipped_at = '2026-05-06T23:30:00Z' where so_id = $1`,
        [so_id, parent.so_id],
      );
      await walked(so_id, inventory, mug.item_id, shelf, ["PICKED", "RELEASED", "PENDING"]);
      const { sales_order, lines, pick_tasks } = await clerk.ok("GET", `${ROUTE}/${so_id}`);
      assert.equal(sales_order.order_total, "19.90");
      assert.equal(sales_order.customer_shipping_paid, "0.00");
      assert.equal(sales_order.shipped_date_local, "2026-05-06");
      assert.equal(sales_order.parent_so_number, parent.so_number);
      const { pick_task_id, picked_at, ...task } = pick_tasks[0];
      assert.equal(pick_tasks.length, 1);
      assert.deepEqual(task, {
        so_line_id: lines[0].so_line_id,
        item_id: mug.item_id,
        sku: mug.sku,
        item_name: `Item ${mug.sku}`,
        bin_id: shelf,
        bin_code: "PICKED-HERE",
        ...{ lot_number: null, expiry_date: null },
        quantity_picked: 1,
        picked_by: "walker",
        status: "PICKED",
      });
    });

    /** A finished walk with one task of one unit per status. */
    async function walked(so_id: number, inventory_id: number, item_id: number, bin_id: number, statuses: string[]) {
      await db.run(
        `with batch as (
           insert into pick_batches (batch_number, warehouse_id, status)
             values ('WAVE-' || $1::int, $6, 'COMPLETED') returning batch_id
         ), tasks as (
           insert into pick_tasks (batch_id, inventory_id, item_id, bin_id, quantity_to_pick, quantity_picked, status,
             picked_by, picked_at)
           select batch_id, $2, $3, $4, 1, case status when 'PICKED' then 1 else 0 end, status, 'walker', now()
           from batch, unnest($5::text[]) as s(status) returning pick_task_id, quantity_picked
         )
         insert into wave_pick_breakdown (pick_task_id, so_id, so_line_id, quantity, quantity_picked)
         select pick_task_id, $1, so_line_id, 1, tasks.quantity_picked from tasks, sales_order_lines where so_id = $1`,
        [so_id, inventory_id, item_id, bin_id, statuses, warehouse_id],
      );
    }

    it("answers 404 for an unknown order and 403 for one of another warehouse", async () => {
      assert.deepEqual(statusAndBody(await clerk.get(`${ROUTE}/999999`)), [404, { error: "Sales order not found" }]);
      const { so_id } = await fixtures.salesOrder(elsewhere, [{ item_id: mug.item_id, quantity: 1 }]);
      const denied = await clerk.get(`${ROUTE}/${so_id}`);
      assert.deepEqual([denied.status, denied.body], [403, { error: "Access denied for this warehouse" }]);
      assert.equal((await service.admin.get(`${ROUTE}/${so_id}`)).status, 200);
    });
  });
});
