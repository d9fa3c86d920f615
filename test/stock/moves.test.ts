import assert from "node:assert/strict";
import fc from "fast-check";
import { completeWave } from "../../activities/picking/index.js";
import { confirmPick } from "../../activities/picking/scan.js";
import { confirmPutAway } from "../../activities/receiving/putaway.js";
import { int } from "../../src/platform/db/columns.js";
import { transaction } from "../../src/platform/db/db.js";
import { DomainError } from "../../src/platform/problem.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, stockOf, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluckAll } from "../support/pluck.js";
import { waitingForLocks } from "../support/queued-behind-lock.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";
import { actor, startWave } from "../support/walk.js";

describe("moving stock", () => {
  const service = testService();
  let mover: Caller;
  let pickers: Caller[];
  before(async () => {
    mover = await service.user({ role: "ADMIN" });
    pickers = await Promise.all(Array.from({ length: 4 }, () => service.user({ role: "ADMIN" })));
  });
  afterEach(() => assertInvariants());

  const move = (item_id: number, from_bin_id: number, to_bin_id: number, quantity: number) =>
    confirmPutAway({ item_id, from_bin_id, to_bin_id, quantity }, actor(mover));
  const picker = (n: number) => pickers[n] as Caller;

  /** An order whose units are reserved. */
  async function reserve(warehouse_id: number, item_id: number, quantity: number): Promise<number> {
    const so_number = `R-${item_id}-${++orders}`;
    const lines = [{ item_id, quantity_ordered: quantity }];
    await service.admin.ok("POST", "/api/admin/sales-orders", { so_number, warehouse_id, lines });
    return (await db.value<number>("select so_id from sales_orders where so_number = $1", [so_number])) as number;
  }
  let orders = 0;

  const tasksOf = (batch_id: number) =>
    db.rows<{
      pick_task_id: number;
      bin_id: number;
      quantity_to_pick: number;
      pick_sequence: number;
      shares: number[][];
    }>(
      `select pick_task_id, bin_id, quantity_to_pick, pick_sequence,
         (select json_agg(json_build_array(so_id, quantity) order by so_id) from wave_pick_breakdown w
          where w.pick_task_id = t.pick_task_id) as shares
       from pick_tasks t where batch_id = $1 and status = 'PENDING' order by pick_task_id`,
      [batch_id],
    );
  const reservedAt = async (inventory_id: number) =>
    (
      await db.rows<{ so_id: number; quantity: number }>(
        `select so_id, r.quantity from stock_reservations r join sales_order_lines using (so_line_id)
       where inventory_id = $1 order by so_id`,
        [inventory_id],
      )
    ).map(({ so_id, quantity }) => [so_id, quantity]);

  /** A warehouse with ten units of an item in one bin, and a shelf beside it. */
  async function tenUnits() {
    const warehouse_id = await warehouse();
    const { item_id, sku } = await item();
    const [from, to] = [await bin(warehouse_id, { pick_sequence: 10 }), await bin(warehouse_id, { pick_sequence: 20 })];
    const inventory_id = await stock(warehouse_id, from, item_id, 10);
    const there = async () =>
      (await db.value<number>("select inventory_id from inventory where item_id = $1 and bin_id = $2", [
        item_id,
        to,
      ])) as number;
    return { warehouse_id, item_id, sku, from, to, inventory_id, there };
  }

  it("takes free units first, then reserved ones of the youngest order, whose reservation goes with them", async () => {
    const { warehouse_id, item_id, from, to, inventory_id, there } = await tenUnits();
    const older = await reserve(warehouse_id, item_id, 3);
    const younger = await reserve(warehouse_id, item_id, 4);
    await move(item_id, from, to, 3);
    assert.deepEqual(await stockOf(inventory_id), { on_hand: 7, allocated: 7 });
    assert.deepEqual(await stockOf(await there()), { on_hand: 3, allocated: 0 });
    await move(item_id, from, to, 5);
    assert.deepEqual(
      [await reservedAt(inventory_id), await reservedAt(await there())],
      [
        [[older, 2]],
        [
          [older, 1],
          [younger, 4],
        ],
      ],
    );
    await move(item_id, to, from, 8);
    assert.deepEqual(
      [await reservedAt(inventory_id), await reservedAt(await there())],
      [
        [
          [older, 3],
          [younger, 4],
        ],
        [],
      ],
    );
  });

  it("sends a pick task after the goods that it will take", async () => {
    const { warehouse_id, item_id, from, to } = await tenUnits();
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 10 }]);
    const { batch_id } = await startWave(picker(0), warehouse_id, [so_id]);
    const [before] = await tasksOf(batch_id);
    await move(item_id, from, to, 10);
    assert.deepEqual(await tasksOf(batch_id), [{ ...before, bin_id: to, pick_sequence: 20 }]);
  });

  it("splits a task of which only a part moves, with the shares of the youngest orders", async () => {
    const { warehouse_id, item_id, from, to } = await tenUnits();
    const first = (await salesOrder(warehouse_id, [{ item_id, quantity: 4 }])).so_id;
    const second = (await salesOrder(warehouse_id, [{ item_id, quantity: 6 }])).so_id;
    const { batch_id } = await startWave(picker(0), warehouse_id, [first, second]);
    const totals = () => db.row("select total_orders, total_items from pick_batches where batch_id = $1", [batch_id]);
    const before = await totals();
    await move(item_id, from, to, 7);
    const tasks = await tasksOf(batch_id);
    assert.deepEqual(pluckAll(tasks, "bin_id", "pick_sequence", "quantity_to_pick", "shares"), [
      [from, 10, 3, [[first, 3]]],
      [
        to,
        20,
        7,
        [
          [first, 1],
          [second, 6],
        ],
      ],
    ]);
    assert.deepEqual(await totals(), before);
  });

  it("leaves a task that was already picked where it was picked", async () => {
    const { warehouse_id, item_id, sku, from, to } = await tenUnits();
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 6 }]);
    const { batch_id, first_pick } = await startWave(picker(0), warehouse_id, [so_id]);
    const pick_task_id = first_pick?.pick_task_id as number;
    await confirmPick({ pick_task_id, scanned_barcode: sku, quantity_picked: 6 }, actor(picker(0)));
    await move(item_id, from, to, 4);
    const task = await db.row("select bin_id, quantity_picked from pick_tasks where batch_id = $1", [batch_id]);
    assert.deepEqual(task, { bin_id: from, quantity_picked: 6 });
  });

  it("conserves stock and every promise, whatever is moved", async () => {
    const quantity = (max: number) => fc.integer({ min: 1, max });
    const anyMove = fc.record({ from: fc.nat(2), to: fc.nat(2), quantity: quantity(12) });
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(fc.nat(12), fc.nat(12), fc.nat(12)),
        fc.array(quantity(6), { maxLength: 3 }),
        fc.array(quantity(6), { maxLength: 3 }),
        fc.array(quantity(6), { maxLength: 3 }),
        fc.array(anyMove, { minLength: 1, maxLength: 8 }),
        everyPromiseIsKept,
      ),
      { numRuns: 40 },
    );
  }).timeout(120_000);

  interface AnyMove {
    from: number;
    to: number;
    quantity: number;
  }

  async function everyPromiseIsKept(
    units: number[],
    reserved: number[],
    wave: number[],
    batch: number[],
    moves: AnyMove[],
  ) {
    const warehouse_id = await warehouse();
    const { item_id, sku } = await item();
    const bins: number[] = [];
    for (const [i, on_hand] of units.entries()) {
      const bin_id = await bin(warehouse_id, { pick_sequence: i });
      await stock(warehouse_id, bin_id, item_id, on_hand);
      bins.push(bin_id);
    }
    const order = async (quantity: number) => (await salesOrder(warehouse_id, [{ item_id, quantity }])).so_id;
    for (const n of reserved) await reserve(warehouse_id, item_id, n);
    const batches: number[] = [];
    for (const [n, quantities] of [wave, batch].entries()) {
      const soIds = await Promise.all(quantities.map(order));
      const made = await startWave(picker(n), warehouse_id, soIds, n === 0).catch(refused);
      if (made) batches.push(made.batch_id);
    }

    const before = { lines: await linesOf(item_id), batches: await promisedIn(batches) };
    const rows = await rowsOf(item_id, bins);
    for (const { from, to, quantity } of moves) {
      if (from === to) continue;
      const done = await move(item_id, bins[from] as number, bins[to] as number, quantity).catch(refused);
      expectMoved(rows[from] as Row, rows[to] as Row, quantity, done !== undefined);
    }
    assert.deepEqual(await rowsOf(item_id, bins), rows);
    assert.deepEqual({ lines: await linesOf(item_id), batches: await promisedIn(batches) }, before);
    await assertInvariants();

    for (const batch_id of batches) {
      for (const { pick_task_id, quantity_to_pick } of await tasksOf(batch_id)) {
        await confirmPick({ pick_task_id, scanned_barcode: sku, quantity_picked: quantity_to_pick }, actor(mover));
      }
      await completeWave(batch_id, actor(mover));
    }
    await assertInvariants();
  }

  /** Swallows a refusal; anything else is a fault. */
  function refused(error: unknown): undefined {
    if (!(error instanceof DomainError)) throw error;
  }

  interface Row {
    free: number;
    reserved: number;
    promised: number;
  }

  /** What a move does to two rows: free units go first, then reserved ones, then those of pick tasks. */
  function expectMoved(from: Row, to: Row, quantity: number, done: boolean) {
    assert.equal(done, quantity <= from.free + from.reserved + from.promised);
    let left = done ? quantity : 0;
    for (const kind of ["free", "reserved", "promised"] as const) {
      const units = Math.min(left, from[kind]);
      from[kind] -= units;
      to[kind] += units;
      left -= units;
    }
  }

  const rowsOf = (item_id: number, bins: number[]) =>
    db.rows<Row>(
      `select quantity_on_hand - quantity_allocated as free,
         (select coalesce(sum(quantity), 0) from stock_reservations r
           where r.inventory_id = i.inventory_id) as reserved,
         (select coalesce(sum(quantity_to_pick), 0) from pick_tasks t join bins b using (bin_id)
          where t.inventory_id = i.inventory_id and t.bin_id = i.bin_id and t.pick_sequence = b.pick_sequence
            and t.status = 'PENDING') as promised
       from inventory i where item_id = $1 and bin_id = any($2) order by array_position($2, bin_id)`,
      [item_id, bins],
    );
  const linesOf = (item_id: number) =>
    db.rows("select so_line_id, quantity_allocated from sales_order_lines where item_id = $1 order by so_line_id", [
      item_id,
    ]);
  const promisedIn = (batches: number[]) =>
    db.rows(
      `select batch_id, total_items, w.so_line_id, sum(w.quantity) as units
       from pick_batches p join pick_tasks t using (batch_id) join wave_pick_breakdown w using (pick_task_id)
       where batch_id = any($1) group by batch_id, w.so_line_id order by batch_id, w.so_line_id`,
      [batches],
    );

  it("goes well together with picks of the same goods", async () => {
    for (let round = 0; round < 5; round++) {
      const { warehouse_id, item_id, sku, from, to } = await tenUnits();
      const orders = await Promise.all(
        Array.from({ length: 5 }, () => salesOrder(warehouse_id, [{ item_id, quantity: 2 }])),
      );
      const { batch_id, tasks } = await startWave(
        picker(0),
        warehouse_id,
        orders.map((o) => o.so_id),
        false,
      );
      const picks = tasks.map(({ pick_task_id }) =>
        confirmPick({ pick_task_id, scanned_barcode: sku, quantity_picked: 2 }, actor(picker(0))),
      );
      const moves = Array.from({ length: 5 }, () => move(item_id, from, to, 2).catch(refused));
      await Promise.all([...moves, ...picks]);
      await completeWave(batch_id, actor(picker(0)));
      await assertInvariants();
    }
  });

  it("hides no goods from whoever waited for them, though they lie in a bin that had none", async () => {
    for (const ask of [waveOfAll, reserveAll]) {
      const { warehouse_id, item_id, from, to } = await tenUnits();
      let asked: Promise<unknown> | undefined;
      const arrived = await transaction(async (tx) => {
        await tx.run("update inventory set quantity_on_hand = 0 where bin_id = $1", [from]);
        asked = ask(warehouse_id, item_id);
        await until(async () => (await waitingForLocks()) === 1);
        return tx.row(
          { inventory_id: int },
          `insert into inventory (item_id, bin_id, warehouse_id, quantity_on_hand) values ($1, $2, $3, 10)
           returning inventory_id`,
          [item_id, to, warehouse_id],
        );
      });
      await asked;
      const { allocated } = await stockOf(arrived?.inventory_id as number);
      assert.equal(allocated, 10);
    }
  });

  const waveOfAll = async (warehouse_id: number, item_id: number) => {
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 10 }]);
    return startWave(picker(0), warehouse_id, [so_id]);
  };
  const reserveAll = (warehouse_id: number, item_id: number) => reserve(warehouse_id, item_id, 10);

  it("goes well together with waves that are planned over the same goods", async () => {
    const { warehouse_id, item_id, from, to } = await tenUnits();
    const orders = await Promise.all(pickers.map(() => salesOrder(warehouse_id, [{ item_id, quantity: 2 }])));
    await Promise.all([
      ...pickers.map((by, i) => startWave(by, warehouse_id, [(orders[i] as { so_id: number }).so_id])),
      ...Array.from({ length: 6 }, () => move(item_id, from, to, 1)),
      ...Array.from({ length: 6 }, () => move(item_id, to, from, 1).catch(refused)),
    ]);
  });
});
