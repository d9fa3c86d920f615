import assert from "node:assert/strict";
import { releaseIfIdle } from "../activities/picking/index.js";
import { engine } from "../api/process.js";
import { db } from "../src/db.js";
import { BatchId, SoNumbers, WarehouseId } from "../src/search-attributes.js";
import { systemActor } from "../src/system.js";
import type { Caller } from "./support/caller.js";
import { assertEventsMatchSchemas } from "./support/events.js";
import {
  bin,
  item,
  salesOrder,
  stock,
  stockOf,
  warehouse,
} from "./support/fixtures.js";
import { type House, openHouse } from "./support/house.js";
import { assertInvariants } from "./support/invariants.js";
import { until } from "./support/until.js";

describe("picking", () => {
  let house: House;
  let picker: Caller;
  let warehouse_id: number;
  before(async () => {
    house = await openHouse({ worker: true });
    warehouse_id = await warehouse();
  });
  after(() => house.close());
  // Nobody's walk is in another's way: each test has a picker of its own.
  beforeEach(async () => {
    picker = await house.user({ warehouse_ids: [warehouse_id] });
  });
  afterEach(assertInvariants);

  /** An item with units in a bin at a place of the walk. */
  async function shelved(quantity: number, pick_sequence = 100) {
    const made = await item();
    const bin_id = await bin(warehouse_id, { pick_sequence });
    return {
      ...made,
      bin_id,
      inventory_id: await stock(warehouse_id, bin_id, made.item_id, quantity),
    };
  }
  const wave = (so_ids: number[], more = {}, by = picker) =>
    by.post("/api/picking/wave-create", { so_ids, warehouse_id, ...more });
  const startWave = async (...so_ids: number[]) =>
    await picker.ok("POST", "/api/picking/wave-create", {
      so_ids,
      warehouse_id,
    });
  const next = (batch_id: number) =>
    picker.ok("GET", `/api/picking/batch/${batch_id}/next`);
  const confirm = (
    pick_task_id: number,
    scanned_barcode: string,
    quantity_picked: number,
  ) =>
    picker.post("/api/picking/confirm", {
      pick_task_id,
      scanned_barcode,
      quantity_picked,
    });
  const complete = (batch_id: number) =>
    picker.post("/api/picking/complete-batch", { batch_id });
  const cancel = (batch_id: number) =>
    picker.post("/api/picking/cancel-batch", { batch_id });
  const orderStatus = async (so_id: number) =>
    (
      await db.row<{ status: string }>(
        "select status from sales_orders where so_id = $1",
        [so_id],
      )
    )?.status;
  const linesOf = (so_id: number) =>
    db.rows<{ picked: number; allocated: number; status: string }>(
      "select quantity_picked as picked, quantity_allocated as allocated, status from sales_order_lines where so_id = $1 order by line_number",
      [so_id],
    );
  /** How the process of a batch ended, once it has. */
  const endOf = async (batch_id: number) =>
    (await engine().workflow.getHandle(`pick-wave-${batch_id}`).result()) as {
      ended: string;
    };
  const isRunning = async (batch_id: number) =>
    (await engine().workflow.getHandle(`pick-wave-${batch_id}`).describe())
      .status.name === "RUNNING";
  /** Walks a batch to its end, confirming every task. */
  async function pickAll(batch_id: number) {
    for (
      let task = await next(batch_id);
      task.pick_task_id;
      task = await next(batch_id)
    ) {
      const done = await confirm(
        task.pick_task_id,
        task.upc,
        task.quantity_to_pick,
      );
      assert.equal(done.status, 200, JSON.stringify(done.body));
    }
  }

  describe("a wave", () => {
    it("combines orders into one walk along the bins, and picks each order's share", async () => {
      const far = await shelved(20, 900);
      const near = await shelved(20, 200);
      const first = await salesOrder(warehouse_id, [
        { item_id: far.item_id, quantity: 2 },
        { item_id: near.item_id, quantity: 3 },
      ]);
      const second = await salesOrder(warehouse_id, [
        { item_id: near.item_id, quantity: 4 },
      ]);
      const created = await wave([first.so_id, second.so_id]);
      assert.equal(created.status, 200, JSON.stringify(created.body));
      const { batch_id, batch_number, ...rest } = created.body;
      assert.equal(
        created.headers.get("x-service-workflow-id"),
        `pick-wave-${batch_id}`,
      );
      assert.match(batch_number, /^WAVE-/);
      assert.deepEqual(
        [
          rest.batch_status,
          rest.total_orders,
          rest.total_picks,
          rest.total_units,
        ],
        ["IN_PROGRESS", 2, 2, 9],
      );
      assert.deepEqual(rest.orders, [
        { so_id: first.so_id, so_number: first.so_number, line_count: 2 },
        { so_id: second.so_id, so_number: second.so_number, line_count: 1 },
      ]);
      assert.deepEqual(
        [
          rest.first_pick.sku,
          rest.first_pick.quantity_to_pick,
          rest.first_pick.tote_number,
          rest.first_pick.so_number,
        ],
        [near.sku, 7, "WAVE", null],
      );
      assert.deepEqual(rest.first_pick.contributing_orders, [
        { so_number: first.so_number, quantity: 3 },
        { so_number: second.so_number, quantity: 4 },
      ]);
      assert.deepEqual(await stockOf(near.inventory_id), {
        on_hand: 20,
        allocated: 7,
      });

      const active = await picker.ok("GET", "/api/picking/active-batch");
      assert.deepEqual(
        [
          active.active,
          active.batch_id,
          active.total_picks,
          active.completed_picks,
        ],
        [true, batch_id, 2, 0],
      );
      const done = await confirm(
        rest.first_pick.pick_task_id,
        near.upc as string,
        7,
      );
      assert.deepEqual(
        [done.status, done.body.task.status, done.body.remaining_tasks],
        [200, "PICKED", 1],
      );
      assert.deepEqual(await stockOf(near.inventory_id), {
        on_hand: 13,
        allocated: 0,
      });
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
      const events = await db.rows<{
        entity_id: number;
        payload: { lines: { quantity_picked: number }[] };
      }>(
        "select entity_id, payload from integration_events where event_type = 'pick.confirmed' and entity_id = any($1) order by outbox_id",
        [[first.so_id, second.so_id]],
      );
      assert.deepEqual(
        events.map((e) => [
          e.entity_id,
          e.payload.lines.map((l) => l.quantity_picked),
        ]),
        [
          [first.so_id, [2, 3]],
          [second.so_id, [4]],
        ],
      );
      await assertEventsMatchSchemas();
      const picks = await db.rows<{
        details: { quantity_picked: number; sku: string };
      }>(
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
      const order = await salesOrder(warehouse_id, [
        { item_id: goods.item_id, quantity: 2 },
      ]);
      const { batch_id } = await startWave(order.so_id);
      await pickAll(batch_id);
      await complete(batch_id);
      await endOf(batch_id);
      const handle = engine().workflow.getHandle(`pick-wave-${batch_id}`);
      const described = await handle.describe();
      const found = (
        key: Parameters<typeof described.typedSearchAttributes.get>[0],
      ) => described.typedSearchAttributes.get(key);
      assert.deepEqual(
        [found(BatchId), found(WarehouseId), found(SoNumbers)],
        [batch_id, warehouse_id, [order.so_number]],
      );
      assert.match(
        (await described.staticSummary()) ?? "",
        new RegExp(`Wave ${batch_id}: 1 order\\(s\\)`),
      );
      const { events } = await handle.fetchHistory();
      const scans = events?.filter(
        (e) =>
          e.workflowExecutionSignaledEventAttributes?.signalName === "scanned",
      );
      assert.equal(scans?.length, 1);
    });

    it("takes from the bin first on the walk, then from what has lain longest, and never from staging", async () => {
      const { item_id } = await item();
      const staging = await stock(
        warehouse_id,
        await bin(warehouse_id, { type: "Staging", pick_sequence: 1 }),
        item_id,
        50,
      );
      const late = await stock(
        warehouse_id,
        await bin(warehouse_id, { pick_sequence: 300 }),
        item_id,
        5,
      );
      const young = await stock(
        warehouse_id,
        await bin(warehouse_id, { pick_sequence: 200 }),
        item_id,
        5,
      );
      const old = await stock(
        warehouse_id,
        await bin(warehouse_id, {
          pick_sequence: 200,
          type: "PickableStaging",
        }),
        item_id,
        5,
      );
      await db.run(
        "update inventory set updated_at = now() - interval '1 day' where inventory_id = $1",
        [old],
      );
      const order = await salesOrder(warehouse_id, [{ item_id, quantity: 12 }]);
      await startWave(order.so_id);
      assert.deepEqual(
        await Promise.all(
          [staging, old, young, late].map(
            async (row) => (await stockOf(row)).allocated,
          ),
        ),
        [0, 5, 5, 2],
      );
    });

    it("turns standing reservations into tasks", async () => {
      const goods = await shelved(10);
      const { so_id } = await house.admin
        .ok("POST", "/api/admin/sales-orders", {
          so_number: `RES-${goods.sku}`,
          warehouse_id,
          lines: [{ item_id: goods.item_id, quantity_ordered: 6 }],
        })
        .then((body) => body.sales_order);
      assert.deepEqual(await stockOf(goods.inventory_id), {
        on_hand: 10,
        allocated: 6,
      });
      await startWave(so_id);
      assert.deepEqual(await stockOf(goods.inventory_id), {
        on_hand: 10,
        allocated: 6,
      });
      assert.deepEqual(
        await db.rows(
          "select * from stock_reservations r join sales_order_lines using (so_line_id) where so_id = $1",
          [so_id],
        ),
        [],
      );
    });

    it("refuses as a whole when stock does not cover every order, and goes on without those excluded", async () => {
      const goods = await shelved(5);
      const small = await salesOrder(warehouse_id, [
        { item_id: goods.item_id, quantity: 3 },
      ]);
      const large = await salesOrder(warehouse_id, [
        { item_id: goods.item_id, quantity: 4 },
      ]);
      const refused = await wave([small.so_id, large.so_id]);
      assert.equal(refused.status, 409);
      assert.deepEqual(refused.body, {
        error: "insufficient_coverage",
        unpickable: [
          {
            so_id: large.so_id,
            so_number: large.so_number,
            lines: [
              {
                sku: goods.sku,
                item_name: `Item ${goods.sku}`,
                ordered: 4,
                available: 2,
              },
            ],
          },
        ],
      });
      assert.deepEqual(await stockOf(goods.inventory_id), {
        on_hand: 5,
        allocated: 0,
      });
      const without = await wave([small.so_id, large.so_id], {
        exclude_so_ids: [large.so_id],
      });
      assert.deepEqual(
        [without.status, without.body.total_orders, without.body.total_units],
        [200, 1, 3],
      );
    });

    it("names what is wrong with its orders", async () => {
      const goods = await shelved(5);
      const lines = [{ item_id: goods.item_id, quantity: 1 }];
      const order = await salesOrder(warehouse_id, lines);
      const elsewhere = await salesOrder(await warehouse(), lines);
      const empty = await salesOrder(warehouse_id, []);
      const shipped = await salesOrder(warehouse_id, lines);
      await db.run(
        "update sales_orders set status = 'SHIPPED' where so_id = $1",
        [shipped.so_id],
      );
      const error = async (so_ids: number[], more = {}) => {
        const { status, body } = await wave(so_ids, more);
        return [status, body.error];
      };
      assert.deepEqual(await error([order.so_id, order.so_id]), [
        400,
        "The same order is named twice",
      ]);
      assert.deepEqual(
        await error([order.so_id], { exclude_so_ids: [order.so_id] }),
        [400, "Every order is excluded"],
      );
      assert.deepEqual(await error([2_000_000_000]), [
        400,
        "Sales order 2000000000 not found",
      ]);
      assert.deepEqual(await error([elsewhere.so_id]), [
        400,
        `Sales order ${elsewhere.so_number} belongs to another warehouse`,
      ]);
      assert.deepEqual(await error([empty.so_id]), [
        400,
        `Sales order ${empty.so_number} has no items to pick`,
      ]);
      assert.deepEqual(await error([shipped.so_id]), [
        400,
        `Sales order ${shipped.so_number} is SHIPPED`,
      ]);
      assert.equal((await wave([])).status, 400);
    });

    it("is refused for orders in somebody else's wave, and exactly one of many pickers gets an order", async () => {
      const goods = await shelved(50);
      const order = await salesOrder(warehouse_id, [
        { item_id: goods.item_id, quantity: 5 },
      ]);
      const pickers = await Promise.all(
        Array.from({ length: 6 }, () =>
          house.user({ warehouse_ids: [warehouse_id] }),
        ),
      );
      const answers = await Promise.all(
        pickers.map((by) => wave([order.so_id], {}, by)),
      );
      assert.deepEqual(
        answers.map((a) => a.status).sort(),
        [200, 409, 409, 409, 409, 409],
      );
      const winner = answers.find((a) => a.status === 200)?.body.batch_id;
      for (const loser of answers.filter((a) => a.status === 409)) {
        assert.deepEqual(loser.body, {
          error: `Sales order ${order.so_number} is already in an active batch`,
          so_number: order.so_number,
          batch_id: winner,
        });
      }
      assert.deepEqual(await stockOf(goods.inventory_id), {
        on_hand: 50,
        allocated: 5,
      });
    });

    it("puts the picker's earlier wave back, whose process ends as superseded", async () => {
      const goods = await shelved(10);
      const one = await salesOrder(warehouse_id, [
        { item_id: goods.item_id, quantity: 3 },
      ]);
      const two = await salesOrder(warehouse_id, [
        { item_id: goods.item_id, quantity: 2 },
      ]);
      const earlier = await startWave(one.so_id, two.so_id);
      await pickAll(earlier.batch_id);
      assert.deepEqual(await stockOf(goods.inventory_id), {
        on_hand: 5,
        allocated: 0,
      });
      const later = await startWave(two.so_id);
      assert.equal((await endOf(earlier.batch_id)).ended, "superseded");
      assert.deepEqual(await stockOf(goods.inventory_id), {
        on_hand: 10,
        allocated: 2,
      });
      assert.equal(
        (await picker.ok("GET", `/api/picking/batch/${earlier.batch_id}`))
          .status,
        "CANCELLED",
      );
      assert.deepEqual(await linesOf(one.so_id), [
        { picked: 0, allocated: 0, status: "PENDING" },
      ]);
      await pickAll(later.batch_id);
      assert.equal((await complete(later.batch_id)).status, 200);
      assert.equal(await orderStatus(one.so_id), "OPEN");
    });

    it("gives a repeat under the same idempotency key the first wave", async () => {
      const goods = await shelved(10);
      const order = await salesOrder(warehouse_id, [
        { item_id: goods.item_id, quantity: 3 },
      ]);
      const scanner = picker.with({ "idempotency-key": `wave-${order.so_id}` });
      const body = { so_ids: [order.so_id], warehouse_id };
      const first = await scanner.ok("POST", "/api/picking/wave-create", body);
      const again = await scanner.ok("POST", "/api/picking/wave-create", body);
      assert.deepEqual(first, again);
      assert.ok(await isRunning(first.batch_id));
      await pickAll(first.batch_id);
      const done = await scanner
        .with({ "idempotency-key": `end-${order.so_id}` })
        .ok("POST", "/api/picking/complete-batch", {
          batch_id: first.batch_id,
        });
      await endOf(first.batch_id);
      const repeat = await scanner
        .with({ "idempotency-key": `end-${order.so_id}` })
        .ok("POST", "/api/picking/complete-batch", {
          batch_id: first.batch_id,
        });
      assert.deepEqual(done, repeat);
    });
  });

  describe("a per-order batch", () => {
    it("has tasks and a tote for each order", async () => {
      const goods = await shelved(10);
      const one = await salesOrder(warehouse_id, [
        { item_id: goods.item_id, quantity: 3 },
      ]);
      const two = await salesOrder(warehouse_id, [
        { item_id: goods.item_id, quantity: 2 },
      ]);
      const created = await picker.ok("POST", "/api/picking/create-batch", {
        so_identifiers: [two.so_number, one.so_number],
        warehouse_id,
      });
      assert.match(created.batch_number, /^BATCH-/);
      assert.deepEqual(
        [created.status, created.total_orders, created.total_items],
        ["OPEN", 2, 5],
      );
      assert.deepEqual(created.orders, [
        { so_number: two.so_number, tote_number: "TOTE-1" },
        { so_number: one.so_number, tote_number: "TOTE-2" },
      ]);
      assert.deepEqual(
        created.tasks
          .map((t: Record<string, unknown>) => [
            t.so_number,
            t.quantity_to_pick,
            t.tote_number,
          ])
          .sort(),
        [
          [one.so_number, 3, "TOTE-2"],
          [two.so_number, 2, "TOTE-1"],
        ].sort(),
      );
      const shown = await picker.ok(
        "GET",
        `/api/picking/batch/${created.batch_id}`,
      );
      assert.deepEqual(
        [shown.kind, shown.to_id, shown.tasks.length],
        ["SO", null, 2],
      );
      assert.deepEqual((await next(created.batch_id)).contributing_orders, []);
      await pickAll(created.batch_id);
      assert.equal((await complete(created.batch_id)).status, 200);
      assert.equal(await orderStatus(two.so_id), "PICKED");
    });

    it("names what is wrong with its orders, as a wave does", async () => {
      const goods = await shelved(5);
      const lines = [{ item_id: goods.item_id, quantity: 1 }];
      const order = await salesOrder(warehouse_id, lines);
      const elsewhere = await salesOrder(await warehouse(), lines);
      const empty = await salesOrder(warehouse_id, []);
      const shipped = await salesOrder(warehouse_id, lines);
      await db.run(
        "update sales_orders set status = 'SHIPPED' where so_id = $1",
        [shipped.so_id],
      );
      const error = async (so_identifiers: string[], more = {}) => {
        const body = { so_identifiers, warehouse_id, ...more };
        const answer = await picker.post("/api/picking/create-batch", body);
        return [answer.status, answer.body.error];
      };
      const { so_number, so_id } = order;
      assert.deepEqual(await error([so_number, so_number]), [
        400,
        "The same order is named twice",
      ]);
      assert.deepEqual(await error([so_number], { exclude_so_ids: [so_id] }), [
        400,
        "Every order is excluded",
      ]);
      assert.deepEqual(await error([elsewhere.so_number]), [
        400,
        `Sales order ${elsewhere.so_number} belongs to another warehouse`,
      ]);
      assert.deepEqual(await error([empty.so_number]), [
        400,
        `Sales order ${empty.so_number} has no items to pick`,
      ]);
      assert.deepEqual(await error([shipped.so_number]), [
        400,
        `Sales order ${shipped.so_number} is SHIPPED`,
      ]);
    });

    it("answers 400 for unknown orders and for those in an active batch", async () => {
      const goods = await shelved(10);
      const order = await salesOrder(warehouse_id, [
        { item_id: goods.item_id, quantity: 3 },
      ]);
      const create = (by: Caller, so_identifiers: string[]) =>
        by.post("/api/picking/create-batch", { so_identifiers, warehouse_id });
      assert.deepEqual((await create(picker, ["NOPE"])).body, {
        error: "Sales order NOPE not found",
      });
      assert.equal((await create(picker, [order.so_number])).status, 200);
      const other = await house.user({ warehouse_ids: [warehouse_id] });
      const refused = await create(other, [order.so_number]);
      assert.deepEqual(
        [refused.status, refused.body.error],
        [400, `Sales order ${order.so_number} is already in an active batch`],
      );
      const uncovered = await salesOrder(warehouse_id, [
        { item_id: goods.item_id, quantity: 99 },
      ]);
      assert.equal(
        (await create(other, [uncovered.so_number])).body.error,
        "insufficient_coverage",
      );
    });
  });

  describe("validating a scan", () => {
    const validate = (barcode: string) =>
      picker.post("/api/picking/wave-validate", {
        so_barcode: barcode,
        warehouse_id,
      });

    it("tells what the order asks for, under either name of the field", async () => {
      const goods = await shelved(10);
      const order = await salesOrder(warehouse_id, [
        { item_id: goods.item_id, quantity: 3 },
      ]);
      const expected = {
        valid: true,
        kind: "SO",
        so_id: order.so_id,
        so_number: order.so_number,
        line_count: 1,
        total_units: 3,
      };
      assert.deepEqual((await validate(order.so_number)).body, expected);
      assert.deepEqual(
        (
          await picker.post("/api/picking/wave-validate", {
            barcode: order.so_number,
            warehouse_id,
          })
        ).body,
        expected,
      );
      assert.equal(
        (await picker.post("/api/picking/wave-validate", { warehouse_id })).body
          .error,
        "validation_error",
      );
    });

    it("tells why an order cannot join", async () => {
      const goods = await shelved(10);
      const order = await salesOrder(warehouse_id, [
        { item_id: goods.item_id, quantity: 3 },
      ]);
      const empty = await salesOrder(warehouse_id, []);
      assert.deepEqual(
        [(await validate("NOPE")).status, (await validate("NOPE")).body.valid],
        [404, false],
      );
      assert.equal((await validate(empty.so_number)).status, 400);
      const { batch_id } = await startWave(order.so_id);
      const taken = await validate(order.so_number);
      assert.deepEqual(
        [taken.status, taken.body.valid, taken.body.batch_id],
        [409, false, batch_id],
      );
      await pickAll(batch_id);
      await complete(batch_id);
      const picked = await validate(order.so_number);
      assert.deepEqual(
        [picked.status, picked.body.error],
        [400, `Sales order ${order.so_number} is PICKED`],
      );
    });
  });

  describe("scanning", () => {
    /** A wave of one task. */
    async function oneTask(quantity = 5) {
      const goods = await shelved(20);
      const order = await salesOrder(warehouse_id, [
        { item_id: goods.item_id, quantity },
      ]);
      const { batch_id, first_pick } = await startWave(order.so_id);
      return {
        ...goods,
        ...order,
        batch_id,
        task: first_pick.pick_task_id as number,
      };
    }

    it("takes the UPC, an alias or the SKU, and refuses another item by naming the expected one", async () => {
      for (const barcode of ["upc", "alias", "sku"] as const) {
        const w = await oneTask();
        await db.run(
          `update items set barcode_aliases = '["ALIAS-1"]' where item_id = $1`,
          [w.item_id],
        );
        const wrong = await confirm(w.task, "ANOTHER", 5);
        assert.deepEqual(
          [wrong.status, wrong.body.error],
          [400, `Wrong item: expected ${w.sku}`],
        );
        const scanned = { upc: w.upc as string, alias: "ALIAS-1", sku: w.sku }[
          barcode
        ];
        assert.equal((await confirm(w.task, scanned, 5)).status, 200);
      }
    });

    it("refuses too many units, unknown tasks, tasks that are done and other warehouses", async () => {
      const w = await oneTask();
      assert.deepEqual((await confirm(w.task, w.upc as string, 6)).body, {
        error: "Only 5 to pick, 6 given",
      });
      assert.equal((await confirm(2_000_000_000, "x", 1)).status, 400);
      assert.equal(
        (await confirm(w.task, w.upc as string, 0)).body.error,
        "validation_error",
      );
      const stranger = await house.user({ warehouse_ids: [await warehouse()] });
      const body = {
        pick_task_id: w.task,
        scanned_barcode: w.upc,
        quantity_picked: 5,
      };
      assert.equal(
        (await stranger.post("/api/picking/confirm", body)).status,
        403,
      );
      assert.equal(
        (await stranger.get(`/api/picking/batch/${w.batch_id}`)).status,
        403,
      );
      assert.equal(
        (await stranger.get(`/api/picking/batch/${w.batch_id}/next`)).status,
        403,
      );
      await confirm(w.task, w.upc as string, 5);
      assert.deepEqual((await confirm(w.task, w.upc as string, 5)).body, {
        error: "Pick task is already PICKED",
      });
      assert.deepEqual(
        (await picker.post("/api/picking/short", { pick_task_id: w.task }))
          .body,
        { error: "Pick task is already PICKED" },
      );
    });

    it("refuses short picks of unknown tasks and of more than there is to pick", async () => {
      const w = await oneTask();
      const short = (pick_task_id: number, quantity_available: number) =>
        picker.post("/api/picking/short", { pick_task_id, quantity_available });
      assert.deepEqual((await short(2_000_000_000, 1)).body, {
        error: "Pick task 2000000000 does not exist",
      });
      assert.deepEqual((await short(w.task, 6)).body, {
        error: "Only 5 to pick, 6 given",
      });
      assert.deepEqual(await stockOf(w.inventory_id), {
        on_hand: 20,
        allocated: 5,
      });
    });

    it("counts parallel confirmations of one task once", async () => {
      const w = await oneTask();
      const answers = await Promise.all(
        Array.from({ length: 16 }, () => confirm(w.task, w.upc as string, 5)),
      );
      assert.equal(answers.filter((a) => a.status === 200).length, 1);
      assert.deepEqual(await stockOf(w.inventory_id), {
        on_hand: 15,
        allocated: 0,
      });
    });

    it("shares a short pick first come first served, and lets the wave complete", async () => {
      const goods = await shelved(20);
      const one = await salesOrder(warehouse_id, [
        { item_id: goods.item_id, quantity: 4 },
      ]);
      const two = await salesOrder(warehouse_id, [
        { item_id: goods.item_id, quantity: 4 },
      ]);
      const { batch_id, first_pick } = await startWave(one.so_id, two.so_id);
      const { body } = await picker.post("/api/picking/short", {
        pick_task_id: first_pick.pick_task_id,
        quantity_available: 5,
      });
      assert.deepEqual(body.task, {
        pick_task_id: first_pick.pick_task_id,
        status: "SHORT",
        sku: goods.sku,
        quantity_to_pick: 8,
        quantity_picked: 5,
        shortage: 3,
        bin_code: first_pick.bin_code,
      });
      assert.deepEqual(await linesOf(one.so_id), [
        { picked: 4, allocated: 4, status: "PICKED" },
      ]);
      assert.deepEqual(await linesOf(two.so_id), [
        { picked: 1, allocated: 1, status: "PENDING" },
      ]);
      assert.deepEqual(await stockOf(goods.inventory_id), {
        on_hand: 15,
        allocated: 0,
      });
      const audits = await db.rows<{
        entity_id: number;
        details: Record<string, unknown>;
      }>(
        "select entity_id, details from audit_log where details->>'type' = 'SHORT_PICK' and entity_id = any($1) order by log_id",
        [[one.so_id, two.so_id]],
      );
      assert.deepEqual(
        audits.map((a) => [a.entity_id, a.details.shortage]),
        [
          [one.so_id, 0],
          [two.so_id, 3],
        ],
      );
      const done = await complete(batch_id);
      assert.deepEqual(
        [done.status, done.body.summary?.total_shorts],
        [200, 1],
      );
    });

    it("does not complete a line that was picked less than ordered without a short pick", async () => {
      const w = await oneTask(5);
      await confirm(w.task, w.upc as string, 3);
      const refused = await complete(w.batch_id);
      assert.equal(refused.status, 400);
      assert.match(refused.body.error, new RegExp(w.sku));
      assert.equal(await orderStatus(w.so_id), "OPEN");
      assert.ok(await isRunning(w.batch_id));
      assert.equal((await cancel(w.batch_id)).status, 200);
    });
  });

  describe("ending a walk", () => {
    async function started() {
      const goods = await shelved(20);
      const order = await salesOrder(warehouse_id, [
        { item_id: goods.item_id, quantity: 5 },
      ]);
      const { batch_id } = await startWave(order.so_id);
      return { ...goods, ...order, batch_id };
    }

    it("completes only when every task is done, and only once", async () => {
      const w = await started();
      assert.deepEqual((await complete(w.batch_id)).body, {
        error: "1 pick task(s) are still pending",
      });
      await pickAll(w.batch_id);
      const answers = await Promise.all([
        complete(w.batch_id),
        complete(w.batch_id),
        complete(w.batch_id),
      ]);
      assert.deepEqual(answers.map((a) => a.status).sort(), [200, 409, 409]);
      await endOf(w.batch_id);
      const again = await complete(w.batch_id);
      assert.deepEqual(
        [again.status, again.body],
        [409, { error: "batch_not_active", status: "COMPLETED" }],
      );
      assert.deepEqual((await cancel(w.batch_id)).body, {
        error: "batch_not_active",
        status: "COMPLETED",
      });
      const events = await db.rows(
        "select 1 from integration_events where entity_id = $1 and event_type = 'pick.confirmed'",
        [w.so_id],
      );
      assert.equal(events.length, 1);
    });

    it("cancels: picked units go back to their bins and the order stays open", async () => {
      const w = await started();
      await pickAll(w.batch_id);
      assert.equal((await stockOf(w.inventory_id)).on_hand, 15);
      assert.equal((await cancel(w.batch_id)).status, 200);
      assert.deepEqual(await stockOf(w.inventory_id), {
        on_hand: 20,
        allocated: 0,
      });
      assert.equal(await orderStatus(w.so_id), "OPEN");
      assert.equal((await endOf(w.batch_id)).ended, "cancelled");
      assert.deepEqual(await picker.ok("GET", "/api/picking/active-batch"), {
        active: false,
      });
      const actions = await db.rows<{ action_type: string }>(
        "select action_type from audit_log where entity_type = 'SO' and entity_id = $1 order by log_id",
        [w.so_id],
      );
      assert.deepEqual(
        actions.map((a) => a.action_type),
        ["PICK", "SO_PICK_RELEASED"],
      );
    });

    it("answers 400 or 404 for a batch that does not exist, and 403 in another warehouse", async () => {
      assert.equal((await complete(1_999_999_999)).status, 400);
      assert.equal((await cancel(1_999_999_999)).status, 404);
      assert.equal(
        (await picker.get("/api/picking/batch/1999999999")).status,
        404,
      );
      assert.deepEqual(
        (await picker.get("/api/picking/batch/1999999999/next")).body,
        { message: "All tasks complete" },
      );
      const w = await started();
      const stranger = await house.user({ warehouse_ids: [await warehouse()] });
      for (const end of ["complete-batch", "cancel-batch"]) {
        assert.equal(
          (await stranger.post(`/api/picking/${end}`, { batch_id: w.batch_id }))
            .status,
          403,
        );
      }
    });

    it("ends a wave whose process the engine has lost, from its rows", async () => {
      const w = await started();
      await engine()
        .workflow.getHandle(`pick-wave-${w.batch_id}`)
        .terminate("lost");
      await pickAll(w.batch_id);
      const done = await complete(w.batch_id);
      assert.equal(done.status, 200, JSON.stringify(done.body));
      assert.equal(await orderStatus(w.so_id), "PICKED");
    });
  });

  describe("a wave left idle", () => {
    const idleHours = (hours: string) =>
      house.admin.ok("PUT", "/api/admin/settings", {
        settings: { batch_idle_release_hours: hours },
      });
    afterEach(() => idleHours("12"));

    async function started() {
      const goods = await shelved(20);
      const order = await salesOrder(warehouse_id, [
        { item_id: goods.item_id, quantity: 5 },
      ]);
      const { batch_id } = await startWave(order.so_id);
      return { ...goods, batch_id };
    }

    it("is let go by its timer", async () => {
      await idleHours("0.0003");
      const w = await started();
      assert.equal((await endOf(w.batch_id)).ended, "idle");
      assert.deepEqual(await stockOf(w.inventory_id), {
        on_hand: 20,
        allocated: 0,
      });
    });

    it("is not let go while its rows tell of scans, or when the setting is 0", async () => {
      const w = await started();
      const look = (n: number) =>
        releaseIfIdle(w.batch_id, systemActor(`look-${w.batch_id}-${n}`));
      await db.run(
        "update pick_batches set created_at = now() - interval '13 hours' where batch_id = $1",
        [w.batch_id],
      );
      await idleHours("0");
      assert.deepEqual(await look(1), { again_ms: null });
      await idleHours("12");
      const { pick_task_id, upc } = await next(w.batch_id);
      await confirm(pick_task_id, upc, 5);
      const { again_ms } = await look(2);
      assert.ok(again_ms && again_ms > 11.9 * 3_600_000);
      await db.run(
        "update pick_tasks set picked_at = now() - interval '12 hours 1 minute' where pick_task_id = $1",
        [pick_task_id],
      );
      assert.equal((await look(3)).ended, "idle");
      assert.deepEqual(await stockOf(w.inventory_id), {
        on_hand: 20,
        allocated: 0,
      });
      assert.equal((await look(4)).ended, "cancelled");
    });
  });

  it("goes on when its history has grown long, from its rows", async () => {
    const goods = await shelved(20);
    const order = await salesOrder(warehouse_id, [
      { item_id: goods.item_id, quantity: 5 },
    ]);
    const { batch_id } = await startWave(order.so_id);
    const handle = engine().workflow.getHandle(`pick-wave-${batch_id}`);
    const { runId } = await handle.describe();
    const scan = {
      sku: goods.sku,
      bin_code: "B",
      quantity_picked: 0,
      status: "PICKED",
      remaining_tasks: 1,
      by: "test",
    };
    // The engine suggests a fresh start after 4,096 events; a signal is one at least.
    for (let sent = 0; sent < 4_200; sent += 200) {
      await Promise.all(
        Array.from({ length: 200 }, () => handle.signal("scanned", scan)),
      );
    }
    await until(async () => (await handle.describe()).runId !== runId);
    await pickAll(batch_id);
    assert.equal((await complete(batch_id)).status, 200);
    assert.deepEqual(
      [(await endOf(batch_id)).ended, await orderStatus(order.so_id)],
      ["completed", "PICKED"],
    );
  });

  it("keeps its promise when many pickers compete for the same stock", async () => {
    const goods = await shelved(30);
    const orders = await Promise.all(
      Array.from({ length: 10 }, () =>
        salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 4 }]),
      ),
    );
    const pickers = await Promise.all(
      orders.map(() => house.user({ warehouse_ids: [warehouse_id] })),
    );
    const answers = await Promise.all(
      orders.map((order, i) => wave([order.so_id], {}, pickers[i])),
    );
    assert.equal(answers.filter((a) => a.status === 200).length, 7);
    assert.equal(
      answers.filter((a) => a.body.error === "insufficient_coverage").length,
      3,
    );
    assert.deepEqual(await stockOf(goods.inventory_id), {
      on_hand: 30,
      allocated: 28,
    });
  });

  it("scans on while the engine is away, and says so where a step needs it", async () => {
    const goods = await shelved(20);
    const order = await salesOrder(warehouse_id, [
      { item_id: goods.item_id, quantity: 5 },
    ]);
    const { batch_id, first_pick } = await startWave(order.so_id);
    await house.withoutEngine(async () => {
      assert.equal(
        (await confirm(first_pick.pick_task_id, goods.upc as string, 5)).status,
        200,
      );
      const answers = await Promise.all([
        complete(batch_id),
        cancel(batch_id),
        wave([order.so_id]),
        picker.post("/api/picking/create-batch", {
          so_identifiers: [order.so_number],
          warehouse_id,
        }),
      ]);
      for (const { status, body, headers } of answers) {
        assert.deepEqual(
          [status, body.error, headers.get("retry-after")],
          [503, "workflow_engine_unavailable", "1"],
        );
      }
    });
    await until(async () => (await complete(batch_id)).status === 200);
  });
});
