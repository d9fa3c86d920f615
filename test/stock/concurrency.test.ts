import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { connect, disconnect } from "../../src/platform/db/db.js";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, salesOrder, stock, stockOf, warehouse } from "../support/fixtures.js";
import { assertInvariants, unexplainedUnits } from "../support/invariants.js";
import { testService } from "../support/service.js";
import { pickedOrder } from "../support/walk.js";

const SCANNERS = 16;
let numbers = 0;

describe("sixteen scanners at once", function () {
  this.timeout(60_000);
  const service = testService({ worker: true });
  let here: number;
  let goods: { item_id: number; sku: string };
  let scanners: Caller[];
  before(async () => {
    here = await warehouse();
    goods = await item();
    scanners = [];
    for (let i = 0; i < SCANNERS; i++) scanners.push(await service.user({ role: "ADMIN" }));
    await service.admin.ok("PUT", "/api/admin/settings", { settings: { allow_over_receiving: "false" } });
  });
  afterEach(() => assertInvariants());

  /** Everybody asks at the same moment. */
  const all = (ask: (scanner: Caller, i: number) => Promise<Answer>) => Promise.all(scanners.map(ask));
  const post = (path: string, body: object) => all((scanner) => scanner.post(path, body));
  /** As a scanner does: under a key, and again where a busy machine left no time to answer (503). */
  async function ask(scanner: Caller, path: string, body: object): Promise<Answer> {
    const keyed = scanner.with({ "idempotency-key": randomUUID() });
    let answer = await keyed.post(path, body);
    for (let times = 1; answer.status === 503 && times < 5; times++) answer = await keyed.post(path, body);
    return answer;
  }
  const order = (quantity: number, item_id = goods.item_id) => salesOrder(here, [{ item_id, quantity }]);
  async function shelf(units: number) {
    const bin_id = await bin(here);
    const { item_id, sku } = await item();
    const inventory_id = await stock(here, bin_id, item_id, units);
    return { bin_id, item_id, sku, inventory_id };
  }
  /** A wave for one order of so many units, from a shelf of its own. */
  async function wave(units: number) {
    const place = await shelf(units);
    const { so_id } = await order(units, place.item_id);
    const { batch_id, first_pick } = await service.admin.ok("POST", "/api/picking/wave-create", {
      so_ids: [so_id],
      warehouse_id: here,
    });
    return { ...place, so_id, batch_id, pick_task_id: first_pick.pick_task_id };
  }

  describe("on one pick task", () => {
    it("pick it once", async () => {
      const { pick_task_id, sku, inventory_id } = await wave(5);
      const answers = await post("/api/picking/confirm", { pick_task_id, scanned_barcode: sku, quantity_picked: 3 });
      assert.deepEqual(tally(answers), { ok: 1, "400 Pick task is already PICKED": 15 });
      assert.deepEqual(await stockOf(inventory_id), { on_hand: 2, allocated: 0 });
    });

    it("pick it or report it short, not both", async () => {
      const { pick_task_id, sku, inventory_id } = await wave(5);
      const answers = await all((scanner, i) =>
        i % 2
          ? scanner.post("/api/picking/short", { pick_task_id, quantity_available: 1 })
          : scanner.post("/api/picking/confirm", { pick_task_id, scanned_barcode: sku, quantity_picked: 5 }),
      );
      const [won] = answers.filter(({ status }) => status === 200);
      const { status, quantity_picked } = won?.body.task ?? {};
      assert.deepEqual(tally(answers), { ok: 1, [`400 Pick task is already ${status}`]: 15 });
      assert.deepEqual(await stockOf(inventory_id), { on_hand: 5 - quantity_picked, allocated: 0 });
    });
  });

  it("on one purchase order line receive what was ordered and no more", async () => {
    const bin_id = await bin(here);
    const { item_id } = await item();
    const { po_id } = await purchaseOrder(here, [{ item_id, quantity: 10 }]);
    const answers = await post("/api/receiving/receive", { po_id, items: [{ item_id, quantity: 1, bin_id }] });
    const { ok: received, ...refused } = tally(answers);
    assert.equal(received, 10);
    assert.equal(
      Object.values(refused).reduce((a, b) => a + b, 0),
      6,
    );
    const [receipt] = answers.flatMap(({ body }) => body.receipt_ids ?? []);
    assert.deepEqual(await unexplainedUnits(here).then(ofItem(item_id)), 0);

    const cancelled = await post("/api/receiving/cancel", { po_id, receipt_ids: [receipt] });
    const reversed = cancelled.map(({ body }) => body.reversed);
    assert.deepEqual(reversed.toSorted(), [...Array(15).fill(0), 1]);
    assert.equal(await onHand(item_id), 9);
  });

  it("on one order pack each unit once, close it once and ship it once", async () => {
    const { so_id } = await pickedOrder(service.admin, here, [{ item: goods, quantity: 10 }]);
    assert.deepEqual(tally(await post("/api/packing/verify", { so_id, scanned_barcode: goods.sku })), {
      ok: 10,
      [`400 All units of ${goods.sku} are already verified`]: 6,
    });
    const packed = tally(await post("/api/packing/complete", { so_id }));
    assert.equal(packed.ok, 1);
    assert.equal(Object.keys(packed).length, 2, JSON.stringify(packed));
    const shipped = tally(await post("/api/shipping/fulfill", { so_id, tracking_number: "1Z", carrier: "UPS" }));
    assert.equal(shipped.ok, 1);
    assert.equal(Object.keys(shipped).length, 2, JSON.stringify(shipped));
    const events = await db.rows(
      `select event_type from integration_events where entity_type = 'sales_order' and entity_id = $1
        order by outbox_id`,
      [so_id],
    );
    assert.deepEqual(events, [
      { event_type: "pick.confirmed" },
      { event_type: "pack.confirmed" },
      { event_type: "ship.confirmed" },
    ]);
  });

  describe("on one wave", () => {
    it("complete it once", async () => {
      const { batch_id, pick_task_id, sku, so_id } = await wave(5);
      await service.admin.ok("POST", "/api/picking/confirm", {
        ...{ pick_task_id, scanned_barcode: sku, quantity_picked: 5 },
      });
      const answers = await all((scanner) => ask(scanner, "/api/picking/complete-batch", { batch_id }));
      assert.deepEqual(tally(answers), { ok: 1, "409 batch_not_active": 15 });
      assert.equal(await statusOf(so_id), "PICKED");
    });

    it("complete it or cancel it, not both", async () => {
      const { batch_id, pick_task_id, sku, so_id, inventory_id } = await wave(5);
      await service.admin.ok("POST", "/api/picking/confirm", {
        ...{ pick_task_id, scanned_barcode: sku, quantity_picked: 5 },
      });
      const answers = await all((scanner, i) =>
        ask(scanner, `/api/picking/${i % 2 ? "complete" : "cancel"}-batch`, { batch_id }),
      );
      assert.deepEqual(tally(answers), { ok: 1, "409 batch_not_active": 15 });
      const completed = answers.some(({ status }, i) => status === 200 && i % 2 === 1);
      assert.equal(await statusOf(so_id), completed ? "PICKED" : "OPEN");
      assert.equal((await stockOf(inventory_id)).on_hand, completed ? 0 : 5);
    });
  });

  describe("that want a wave", () => {
    const start = (scanner: Caller, so_id: number) =>
      scanner.post("/api/picking/wave-create", { so_ids: [so_id], warehouse_id: here });

    it("over the same order: one walks", async () => {
      const { item_id } = await shelf(5);
      const { so_id, so_number } = await order(5, item_id);
      const answers = await all((scanner) => start(scanner, so_id));
      assert.deepEqual(tally(answers), { ok: 1, [`409 Sales order ${so_number} is already in active pick batch`]: 15 });
    });

    it("over the last goods: as many walk as there are goods for", async () => {
      const { item_id, inventory_id } = await shelf(10);
      const orders = await Promise.all(scanners.map(() => order(3, item_id)));
      const answers = await all((scanner, i) => start(scanner, orders[i]?.so_id ?? 0));
      assert.deepEqual(tally(answers), { ok: 3, "409 insufficient_coverage": 13 });
      assert.deepEqual(await stockOf(inventory_id), { on_hand: 10, allocated: 9 });
    });

    it("as one user: the last one walks, the others were put back, and their orders hold what they had", async () => {
      const picker = await service.user({ role: "ADMIN" });
      const { item_id, inventory_id } = await shelf(100);
      const orders = await Promise.all(scanners.map(() => order(2, item_id)));
      const answers = await Promise.all(orders.map(({ so_id }) => start(picker, so_id)));
      assert.deepEqual(tally(answers), { ok: 16 });
      const active = await db.rows(
        "select batch_id from pick_batches where assigned_user_id = $1 and status in ('OPEN', 'IN_PROGRESS')",
        [picker.userId],
      );
      assert.equal(active.length, 1);
      assert.deepEqual(await stockOf(inventory_id), { on_hand: 100, allocated: 32 });
    });
  });

  describe("on two bins", () => {
    let bins: number[];
    let things: number[];
    let po_id: number;
    before(async () => {
      bins = [await bin(here), await bin(here)];
      things = [(await item()).item_id, (await item()).item_id];
      for (const item_id of things) for (const bin_id of bins) await stock(here, bin_id, item_id, 20);
      const lines = things.map((item_id) => ({ item_id, quantity: 1_000 }));
      ({ po_id } = await purchaseOrder(here, lines));
    });

    /** An item, and the bins in one direction or the other. */
    interface Place {
      item_id: number;
      bin_id: number;
      to_bin_id: number;
    }
    type Deed = (scanner: Caller, place: Place) => Promise<Answer[]>;

    const carry =
      (path: string): Deed =>
      async (scanner, { item_id, bin_id, to_bin_id }) => [
        await scanner.post(path, { item_id, from_bin_id: bin_id, to_bin_id, quantity: 2 }),
      ];
    const adjust =
      (adjustment_type: "ADD" | "REMOVE"): Deed =>
      async (scanner, { item_id, bin_id }) => [
        await scanner.post("/api/admin/adjustments/direct", {
          ...{ item_id, bin_id, warehouse_id: here, adjustment_type },
          ...{ quantity: 3, reason: "counted" },
        }),
      ];
    const receive: Deed = async (scanner, { bin_id }) => {
      const received = await scanner.post("/api/receiving/receive", {
        po_id,
        items: things.map((item_id) => ({ item_id, quantity: 2, bin_id })),
      });
      const receipt_ids = received.body.receipt_ids.slice(0, 1);
      return [received, await scanner.post("/api/receiving/cancel", { po_id, receipt_ids })];
    };
    const orderSome: Deed = async (scanner) => [
      await scanner.post("/api/admin/sales-orders", {
        ...{ so_number: `C-${++numbers}`, warehouse_id: here },
        lines: things.map((item_id) => ({ item_id, quantity_ordered: 2 })),
      }),
    ];
    const walk: Deed = async (scanner, place) => {
      const [ordered] = (await orderSome(scanner, place)) as [Answer];
      const wave = await scanner.post("/api/picking/wave-create", {
        so_ids: [ordered.body.sales_order.so_id],
        warehouse_id: here,
      });
      const { batch_id } = wave.body;
      const picks: Answer[] = [];
      while (batch_id) {
        const next = await scanner.get(`/api/picking/batch/${batch_id}/next`);
        const { message, pick_task_id, sku, quantity_to_pick } = next.body;
        if (message) break;
        picks.push(
          await scanner.post("/api/picking/confirm", {
            ...{ pick_task_id, scanned_barcode: sku },
            quantity_picked: quantity_to_pick,
          }),
        );
      }
      if (batch_id) picks.push(await scanner.post("/api/picking/complete-batch", { batch_id }));
      return [ordered, wave, ...picks];
    };
    const deeds: Deed[] = [
      ...[carry("/api/putaway/confirm"), carry("/api/transfers/move"), receive],
      ...[adjust("ADD"), adjust("REMOVE"), orderSome, walk, walk],
    ];

    it("do everything that is done to stock, and lose no unit", async () => {
      const before = await unexplainedUnits(here);
      const told = await Promise.all(
        scanners.map(async (scanner, i) => {
          const answers: Answer[] = [];
          for (let n = 0; n < deeds.length; n++) {
            const deed = deeds[(i + n) % deeds.length] as Deed;
            const [bin_id, to_bin_id] = (i + n) % 3 ? bins : bins.toReversed();
            const item_id = things[(i >> 1) % 2];
            const place = { item_id, bin_id, to_bin_id } as Place;
            answers.push(...(await deed(scanner, place)));
          }
          return answers;
        }),
      );
      const refusals =
        /^(ok$|400 .*(available|promised|left the warehouse|Only \d+ to pick)|409 insufficient_coverage)/;
      for (const kind of Object.keys(tally(told.flat()))) assert.match(kind, refusals);
      assert.deepEqual(await unexplainedUnits(here), before);
    });
  });

  describe("after all of this", () => {
    it("have met no deadlock", async () => {
      // Sessions report what they met when they end.
      await disconnect();
      connect(service.config.databaseUrl, service.config.databasePoolSize);
      const met = await db.row("select deadlocks from pg_stat_database where datname = current_database()");
      assert.deepEqual(met, { deadlocks: 0 });
    });
  });
});

/** How often each answer came: `ok`, or the status with what it said. */
function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const kind = status < 300 ? "ok" : `${status} ${body.error}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

const ofItem = (itemId: number) => (units: { item_id: number; units: number }[]) =>
  units.find(({ item_id }) => item_id === itemId)?.units ?? 0;

async function onHand(item_id: number): Promise<number | undefined> {
  const found = await db.row<{ units: number }>(
    "select sum(quantity_on_hand)::int as units from inventory where item_id = $1",
    [item_id],
  );
  return found?.units;
}

async function statusOf(so_id: number): Promise<string | undefined> {
  const found = await db.row<{ status: string }>("select status from sales_orders where so_id = $1", [so_id]);
  return found?.status;
}
