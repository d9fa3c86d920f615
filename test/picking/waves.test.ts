import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { BatchId, SoNumbers, WarehouseId } from "../../src/platform/temporal/search-attributes.js";
import { agingUnits, tasks } from "../support/aging-stock.js";
import { type Caller, statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import { bin, item, salesOrder, stock, stockOf, warehouse } from "../support/fixtures.js";
import { pickFloor } from "../support/pick-floor.js";
import { pluck } from "../support/pluck.js";
import { scansIn } from "../support/scans-in-history.js";
import type { TestService } from "../support/service.js";

describe("pick waves and batches", () => {
  const { at, shelved, wave, startWave, next, confirm, complete, orderStatus, linesOf, endOf, pickAll } = pickFloor();
  let service: TestService;
  let picker: Caller;
  let warehouse_id: number;
  beforeEach(() => {
    ({ service, picker, warehouse_id } = at());
  });

  describe("a wave", () => {
    it("of many orders with long numbers is found by the first of them", async () => {
      const { item_id } = await shelved(100, 500);
      const orders = [];
      for (let i = 0; i < 50; i++) orders.push(await salesOrder(warehouse_id, [{ item_id, quantity: 1 }]));
      const ids = orders.map(({ so_id }) => so_id);
      // Letters of several bytes, too: Temporal counts these.
      await db.run(
        `update sales_orders set so_number = 'WEB-Ü' || gen_random_uuid(), so_barcode = null where so_id = any($1)`,
        [ids],
      );
      const created = await wave(ids);
      assert.equal(created.status, 200, JSON.stringify(created.body));
      const handle = temporalClient().workflow.getHandle(`pick-wave-${created.body.batch_id}`);
      const { typedSearchAttributes: found } = await handle.describe();
      const numbers = found.get(SoNumbers) ?? [];
      const known = created.body.orders.map(({ so_number }: { so_number: string }) => so_number);
      assert.ok(numbers.length > 20 && numbers.length < 50, String(numbers.length));
      for (const number of numbers) assert.ok(known.includes(number), number);
      await pickAll(created.body.batch_id);
    });

    it("takes what expires later where what expires first lies outside of the pickers' bins", async () => {
      const goods = { ...(await item()), warehouse_id };
      await agingUnits({ ...goods, bin_id: await bin(warehouse_id, { type: "Staging" }) }, "FIRST", 5, 1);
      const pickable = { ...goods, bin_id: await bin(warehouse_id) };
      for (const [days, lot] of ["SECOND", "THIRD", "FOURTH"].entries()) await agingUnits(pickable, lot, 2, days + 2);
      const { so_id } = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 3 }]);
      const created = await wave([so_id]);
      assert.equal(created.status, 200, JSON.stringify(created.body));
      assert.deepEqual(await tasks(pickable), { SECOND: 2, THIRD: 1 });
      await pickAll(created.body.batch_id);
    });

    it("combines orders into one walk along the bins, and picks each order's share", async () => {
      const far = await shelved(20, 900);
      const near = await shelved(20, 200);
      const first = await salesOrder(warehouse_id, [
        { item_id: far.item_id, quantity: 2 },
        { item_id: near.item_id, quantity: 3 },
      ]);
      const second = await salesOrder(warehouse_id, [{ item_id: near.item_id, quantity: 4 }]);
      const created = await wave([first.so_id, second.so_id]);
      assert.equal(created.status, 200, JSON.stringify(created.body));
      const { batch_id, batch_number, ...rest } = created.body;
      assert.equal(created.headers.get("x-service-workflow-id"), `pick-wave-${batch_id}`);
      assert.match(batch_number, /^WAVE-/);
      assert.deepEqual(
        [rest.batch_status, rest.total_orders, rest.total_picks, rest.total_units],
        ["IN_PROGRESS", 2, 2, 9],
      );
      assert.deepEqual(rest.orders, [
        { so_id: first.so_id, so_number: first.so_number, line_count: 2 },
        { so_id: second.so_id, so_number: second.so_number, line_count: 1 },
      ]);
      assert.deepEqual(
        [rest.first_pick.sku, rest.first_pick.quantity_to_pick, rest.first_pick.tote_number, rest.first_pick.so_number],
        [near.sku, 7, "WAVE", null],
      );
      assert.deepEqual(rest.first_pick.contributing_orders, [
        { so_number: first.so_number, quantity: 3 },
        { so_number: second.so_number, quantity: 4 },
      ]);
      assert.deepEqual(await stockOf(near.inventory_id), { on_hand: 20, allocated: 7 });

      const active = await picker.ok("GET", "/api/picking/active-batch");
      assert.deepEqual(
        [active.active, active.batch_id, active.total_picks, active.completed_picks],
        [true, batch_id, 2, 0],
      );
      const done = await confirm(rest.first_pick.pick_task_id, near.upc as string, 7);
      assert.deepEqual([done.status, done.body.task.status, done.body.remaining_tasks], [200, "PICKED", 1]);
      assert.deepEqual(await stockOf(near.inventory_id), { on_hand: 13, allocated: 0 });
      assert.equal((await next(batch_id)).pick_number, 2);
      await pickAll(batch_id);
      assert.deepEqual(await next(batch_id), { message: "All tasks complete" });

      const completed = await complete(batch_id);
      assert.equal(completed.status, 200, JSON.stringify(completed.body));
      assert.deepEqual(completed.body.summary, {
        total_orders: 2,
        total_items_picked: 9,
        total_shorts: 0,
        orders: [
          { so_number: first.so_number, status: "PICKED" },
          { so_number: second.so_number, status: "PICKED" },
        ],
      });
      assert.equal(await orderStatus(second.so_id), "PICKED");
      assert.deepEqual(await linesOf(first.so_id), [
        { picked: 2, allocated: 2, status: "PICKED" },
        { picked: 3, allocated: 3, status: "PICKED" },
      ]);
      assert.equal((await endOf(batch_id)).ended, "completed");
      const events = await db.rows<{ entity_id: number; payload: { lines: { quantity_picked: number }[] } }>(
        `select entity_id, event_data(integration_events) as payload from integration_events
          where event_type = 'pick.confirmed' and entity_id = any($1) order by outbox_id`,
        [[first.so_id, second.so_id]],
      );
      assert.deepEqual(
        events.map((e) => [e.entity_id, e.payload.lines.map((l) => l.quantity_picked)]),
        [
          [first.so_id, [2, 3]],
          [second.so_id, [4]],
        ],
      );
      await assertEventsMatchSchemas();
      const picks = await db.rows<{ details: { quantity_picked: number; sku: string } }>(
        "select details from audit_log where action_type = 'PICK' and entity_id = $1 order by log_id",
        [first.so_id],
      );
      assert.deepEqual(
        picks.map((p) => [p.details.sku, p.details.quantity_picked]),
        [
          [near.sku, 3],
          [far.sku, 2],
        ],
      );
    });

    it("shows itself in the engine: search attributes, a summary, its picks, how it ended", async () => {
      const goods = await shelved(5);
      const order = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 2 }]);
      const { batch_id } = await startWave(order.so_id);
      await pickAll(batch_id);
      await complete(batch_id);
      await endOf(batch_id);
      const handle = temporalClient().workflow.getHandle(`pick-wave-${batch_id}`);
      const described = await handle.describe();
      const found = (key: Parameters<typeof described.typedSearchAttributes.get>[0]) =>
        described.typedSearchAttributes.get(key);
      assert.deepEqual(
        [found(BatchId), found(WarehouseId), found(SoNumbers)],
        [batch_id, warehouse_id, [order.so_number]],
      );
      assert.match((await described.staticSummary()) ?? "", new RegExp(`Wave ${batch_id}: 1 order\\(s\\)`));
      const { events } = await handle.fetchHistory();
      assert.equal(scansIn(events).length, 1);
      const [timer] = (events ?? []).flatMap((event) => event.timerStartedEventAttributes ?? []);
      assert.equal(Number(timer?.startToFireTimeout?.seconds), 12 * 3_600, "until it is looked whether it is idle");
    });

    it("takes from the bin first on the walk, then from what has lain longest, and never from staging", async () => {
      const { item_id } = await item();
      const staging = await stock(
        warehouse_id,
        await bin(warehouse_id, { type: "Staging", pick_sequence: 1 }),
        item_id,
        50,
      );
      const late = await stock(warehouse_id, await bin(warehouse_id, { pick_sequence: 300 }), item_id, 5);
      const young = await stock(warehouse_id, await bin(warehouse_id, { pick_sequence: 200 }), item_id, 5);
      const old = await stock(
        warehouse_id,
        await bin(warehouse_id, { pick_sequence: 200, type: "PickableStaging" }),
        item_id,
        5,
      );
      await db.run("update inventory set updated_at = now() - interval '1 day' where inventory_id = $1", [old]);
      const order = await salesOrder(warehouse_id, [{ item_id, quantity: 12 }]);
      await startWave(order.so_id);
      assert.deepEqual(
        await Promise.all([staging, old, young, late].map(async (row) => (await stockOf(row)).allocated)),
        [0, 5, 5, 2],
      );
    });

    it("turns standing reservations into tasks", async () => {
      const goods = await shelved(10);
      const { so_id } = await service.admin
        .ok("POST", "/api/admin/sales-orders", {
          so_number: `RES-${goods.sku}`,
          warehouse_id,
          lines: [{ item_id: goods.item_id, quantity_ordered: 6 }],
        })
        .then((body) => body.sales_order);
      assert.deepEqual(await stockOf(goods.inventory_id), { on_hand: 10, allocated: 6 });
      await startWave(so_id);
      assert.deepEqual(await stockOf(goods.inventory_id), { on_hand: 10, allocated: 6 });
      assert.deepEqual(
        await db.rows("select * from stock_reservations r join sales_order_lines using (so_line_id) where so_id = $1", [
          so_id,
        ]),
        [],
      );
    });

    it("refuses as a whole when stock does not cover every order, and goes on without those excluded", async () => {
      const goods = await shelved(5);
      const small = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 3 }]);
      const large = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 4 }]);
      const refused = await wave([small.so_id, large.so_id]);
      assert.equal(refused.status, 409);
      assert.deepEqual(refused.body, {
        error: "insufficient_coverage",
        unpickable: [
          {
            so_id: large.so_id,
            so_number: large.so_number,
            lines: [{ sku: goods.sku, item_name: `Item ${goods.sku}`, ordered: 4, available: 2 }],
          },
        ],
      });
      assert.deepEqual(await stockOf(goods.inventory_id), { on_hand: 5, allocated: 0 });
      const without = await wave([small.so_id, large.so_id], { exclude_so_ids: [large.so_id] });
      assert.deepEqual([without.status, without.body.total_orders, without.body.total_units], [200, 1, 3]);
    });

    it("is refused for orders in somebody else's wave, and exactly one of many pickers gets an order", async () => {
      const goods = await shelved(50);
      const order = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 5 }]);
      const pickers = await Promise.all(
        Array.from({ length: 6 }, () => service.user({ warehouse_ids: [warehouse_id] })),
      );
      const answers = await Promise.all(pickers.map((by) => wave([order.so_id], {}, by)));
      assert.deepEqual(answers.map((a) => a.status).sort(), [200, 409, 409, 409, 409, 409]);
      const winner = answers.find((a) => a.status === 200)?.body.batch_id;
      for (const loser of answers.filter((a) => a.status === 409)) {
        assert.deepEqual(loser.body, {
          error: `Sales order ${order.so_number} is already in active pick batch`,
          so_number: order.so_number,
          batch_id: winner,
        });
      }
      assert.deepEqual(await stockOf(goods.inventory_id), { on_hand: 50, allocated: 5 });
    });

    it("puts the picker's earlier wave back, whose process ends as superseded", async () => {
      const goods = await shelved(10);
      const one = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 3 }]);
      const two = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 2 }]);
      const earlier = await startWave(one.so_id, two.so_id);
      await pickAll(earlier.batch_id);
      assert.deepEqual(await stockOf(goods.inventory_id), { on_hand: 5, allocated: 0 });
      const later = await startWave(two.so_id);
      assert.equal((await endOf(earlier.batch_id)).ended, "superseded");
      assert.deepEqual(await stockOf(goods.inventory_id), { on_hand: 10, allocated: 5 });
      assert.equal((await picker.ok("GET", `/api/picking/batch/${earlier.batch_id}`)).status, "CANCELLED");
      assert.deepEqual(await linesOf(one.so_id), [{ picked: 0, allocated: 3, status: "PENDING" }]);
      await pickAll(later.batch_id);
      assert.equal((await complete(later.batch_id)).status, 200);
      assert.equal(await orderStatus(one.so_id), "OPEN");
    });
  });

  describe("a per-order batch", () => {
    it("has tasks and a tote for each order", async () => {
      const goods = await shelved(10);
      const one = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 3 }]);
      const two = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 2 }]);
      const created = await picker.ok("POST", "/api/picking/create-batch", {
        so_identifiers: [two.so_number, one.so_number],
        warehouse_id,
      });
      assert.match(created.batch_number, /^BATCH-/);
      assert.deepEqual([created.status, created.total_orders, created.total_items], ["OPEN", 2, 5]);
      assert.deepEqual(created.orders, [
        { so_number: two.so_number, tote_number: "TOTE-1" },
        { so_number: one.so_number, tote_number: "TOTE-2" },
      ]);
      assert.deepEqual(
        created.tasks.map((t: Record<string, unknown>) => [t.so_number, t.quantity_to_pick, t.tote_number]).sort(),
        [
          [one.so_number, 3, "TOTE-2"],
          [two.so_number, 2, "TOTE-1"],
        ].sort(),
      );
      const shown = await picker.ok("GET", `/api/picking/batch/${created.batch_id}`);
      assert.deepEqual([shown.kind, shown.to_id, shown.tasks.length], ["SO", null, 2]);
      assert.deepEqual(pluck(shown.orders, "so_id"), [two.so_id, one.so_id]);
      assert.deepEqual([shown.completed_at, shown.workflow_id], [null, `pick-wave-${created.batch_id}`]);
      assert.ok(shown.assigned_to && shown.created_at);
      assert.deepEqual((await next(created.batch_id)).contributing_orders, []);
      await pickAll(created.batch_id);
      assert.equal((await complete(created.batch_id)).status, 200);
      assert.equal(await orderStatus(two.so_id), "PICKED");
    });

    it("answers 400 for orders in an active batch", async () => {
      const goods = await shelved(10);
      const order = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 3 }]);
      const create = (by: Caller, so_identifiers: string[]) =>
        by.post("/api/picking/create-batch", { so_identifiers, warehouse_id });
      assert.equal((await create(picker, [order.so_number])).status, 200);
      const other = await service.user({ warehouse_ids: [warehouse_id] });
      const refused = await create(other, [order.so_number]);
      assert.deepEqual(statusAndError(refused), [
        400,
        `Sales order ${order.so_number} is already in active pick batch`,
      ]);
      const uncovered = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 99 }]);
      assert.equal((await create(other, [uncovered.so_number])).body.error, "insufficient_coverage");
    });
  });

  describe("starting a walk", () => {
    interface Order {
      so_id: number;
      so_number: string;
    }
    const ways = {
      "wave-create": (orders: Order[]) => ({ so_ids: orders.map((order) => order.so_id) }),
      "create-batch": (orders: Order[]) => ({ so_identifiers: orders.map((order) => order.so_number) }),
    };
    for (const [path, named] of Object.entries(ways)) {
      it(`by ${path} is refused with the name of what is wrong`, async () => {
        const goods = await shelved(5);
        const lines = [{ item_id: goods.item_id, quantity: 1 }];
        const order = await salesOrder(warehouse_id, lines);
        const [mine, others] = [await warehouse(), await warehouse()];
        const picker = await service.user({ warehouse_ids: [warehouse_id, mine] });
        const elsewhere = await salesOrder(mine, lines);
        const hidden = await salesOrder(others, lines);
        const empty = await salesOrder(warehouse_id, []);
        const shipped = await salesOrder(warehouse_id, lines);
        await db.run("update sales_orders set status = 'SHIPPED' where so_id = $1", [shipped.so_id]);
        const refusal = async (orders: Order[], more = {}) => {
          const { status, body } = await picker.post(`/api/picking/${path}`, {
            ...named(orders),
            warehouse_id,
            ...more,
          });
          assert.equal(status, 400);
          return body.error;
        };
        assert.equal(await refusal([order, order]), "Duplicate order in the wave: the same one is named twice");
        assert.equal(await refusal([order], { exclude_so_ids: [order.so_id] }), "Every order is excluded");
        assert.equal(await refusal([elsewhere]), `Sales order ${elsewhere.so_number} belongs to another warehouse`);
        // Of a warehouse that is not the picker's it does not say more than of an order that is not there.
        const name = path === "wave-create" ? hidden.so_id : hidden.so_number;
        assert.equal(await refusal([order, hidden]), `Sales order ${name} not found`);
        assert.equal(await refusal([empty]), `Sales order ${empty.so_number} has no items to pick`);
        assert.equal(await refusal([shipped]), `Sales order ${shipped.so_number} is SHIPPED`);
        assert.equal(await refusal([]), "validation_error");
        const unknown = { so_id: 2_000_000_000, so_number: "2000000000" };
        assert.equal(await refusal([unknown]), "Sales order 2000000000 not found");
      });
    }
  });

  describe("validating a scan", () => {
    const validate = (barcode: string) =>
      picker.post("/api/picking/wave-validate", { so_barcode: barcode, warehouse_id });

    it("answers what the order asks for, under either name of the field", async () => {
      const goods = await shelved(10);
      const order = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 3 }]);
      const expected = {
        valid: true,
        kind: "SO",
        so_id: order.so_id,
        so_number: order.so_number,
        line_count: 1,
        total_units: 3,
      };
      await db.run("update sales_orders set so_barcode = 'WAVE-ME' where so_id = $1", [order.so_id]);
      for (const barcode of [order.so_number, "WAVE-ME", "wave-me"])
        assert.deepEqual((await validate(barcode)).body, expected);
      assert.deepEqual(
        (await picker.post("/api/picking/wave-validate", { barcode: order.so_number, warehouse_id })).body,
        expected,
      );
      assert.equal((await picker.post("/api/picking/wave-validate", { warehouse_id })).body.error, "validation_error");
    });

    it("answers why an order cannot join", async () => {
      const goods = await shelved(10);
      const order = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 3 }]);
      const empty = await salesOrder(warehouse_id, []);
      assert.deepEqual([(await validate("NOPE")).status, (await validate("NOPE")).body.valid], [404, false]);
      assert.equal((await validate(empty.so_number)).status, 400);
      const { batch_id } = await startWave(order.so_id);
      const taken = await validate(order.so_number);
      assert.deepEqual([taken.status, taken.body.valid, taken.body.batch_id], [409, false, batch_id]);
      await pickAll(batch_id);
      await complete(batch_id);
      const picked = await validate(order.so_number);
      assert.deepEqual([picked.status, picked.body.error], [400, `Sales order ${order.so_number} is PICKED`]);
    });
  });
});
