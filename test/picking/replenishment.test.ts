import assert from "node:assert/strict";
import { submitCount } from "../../activities/counting/index.js";
import type { Replenishment } from "../../src/picking/replenishment/shapes.js";
import { type Answer, type Caller, statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { newUpc } from "../support/gtins.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { faced, look, overPromised } from "../support/replenishments.js";
import { testService } from "../support/service.js";
import { unique } from "../support/unique.js";
import { waitingOrder } from "../support/waiting.js";
import { actor } from "../support/walk.js";

const statusAndCode = ({ status, code }: Answer) => [status, code];

describe("replenishment", () => {
  // Without a worker: no workflow looks between the steps of a test.
  const service = testService();
  let house: number;
  let desk: Caller;
  let carrier: Caller;
  beforeEach(async () => {
    house = await fixtures.warehouse();
    desk = service.admin;
    carrier = await service.user({ warehouse_ids: [house] });
  });
  afterEach(async () => {
    await assertInvariants();
    assert.deepEqual(await overPromised(house), []);
  });

  const goods = (of: Parameters<typeof faced>[1] = {}) => faced({ warehouse_id: house, by: desk }, of);
  const tasks = async (more = ""): Promise<Replenishment[]> =>
    (await desk.ok("GET", `/api/admin/replenishments?warehouse_id=${house}${more}`)).replenishments;
  const take = (more: object = {}, by = carrier) =>
    by.post("/api/replenishment/take", { warehouse_id: house, ...more });
  const taken = async (by = carrier): Promise<Replenishment> =>
    by.ok("POST", "/api/replenishment/take", { warehouse_id: house });
  const confirm = (replenishment_id: number, quantity: number, by = carrier) =>
    by.post("/api/replenishment/confirm", { replenishment_id, quantity });
  const short = (replenishment_id: number, by = carrier) => by.post("/api/replenishment/short", { replenishment_id });
  const giveBack = (replenishment_id: number, by = carrier) =>
    by.post("/api/replenishment/give-back", { replenishment_id });
  const order = async (item_id: number, quantity: number) => {
    const lines = [{ item_id, quantity_ordered: quantity }];
    const body = { so_number: `R-${unique()}`, warehouse_id: house, lines };
    return (await desk.ok("POST", "/api/admin/sales-orders", body)).sales_order as { so_id: number };
  };
  const counted = (count_id: number) =>
    db.row(
      `select bin_id, (select count(*)::int from cycle_count_lines l where l.count_id = c.count_id) as lines
       from cycle_counts c where count_id = $1`,
      [count_id],
    );
  const units = (bin_id: number) =>
    db.value<number>("select coalesce(sum(quantity_on_hand), 0)::int as units from inventory where bin_id = $1", [
      bin_id,
    ]);

  describe("tasks", () => {
    it("fill a face up to its highest number when it has fewer than its lowest, and are made once", async () => {
      const { face, reserve, item_id } = await goods({ min: 4, max: 10 });
      await fixtures.stock(house, face, item_id, 3);
      assert.deepEqual(await look(house), { open: 1, urgent: 0, made: 1 });
      assert.deepEqual(pluckAll(await tasks(), "from_bin_id", "to_bin_id", "quantity", "is_urgent", "status"), [
        [reserve, face, 7, false, "OPEN"],
      ]);
      assert.deepEqual(await look(house), { open: 1, urgent: 0, made: 0 });
    });

    it("are none for a face that has enough, or whose warehouse has no reserve", async () => {
      const { face, item_id } = await goods({ min: 4, max: 10 });
      await fixtures.stock(house, face, item_id, 4);
      const bare = await goods({ units: 5 });
      await db.run("update bins set is_reserve = false where bin_id = $1", [bare.reserve]);
      assert.deepEqual(await look(house), { open: 0, urgent: 0, made: 0 });
    });

    it("take whole cases, and the last units of a row as they are", async () => {
      await goods({ min: 4, max: 20, case_units: 6, units: 50 });
      await goods({ min: 4, max: 20, case_units: 6, units: 13 });
      await goods({ min: 4, max: 5, case_units: 6, units: 50 });
      await look(house);
      assert.deepEqual(pluck((await tasks()).reverse(), "quantity"), [18, 13, 6]);
    });

    it("take what expires first, and nothing that is on hold, in doubt or past its sale", async () => {
      const { item_id, inventory_id } = await goods({ min: 10, max: 30, units: 8 });
      const row = async (day: string | null, set = "") => {
        const bin_id = await fixtures.bin(house, { is_reserve: true });
        const id = await fixtures.stock(house, bin_id, item_id, 8, `L${unique()}`);
        await db.run(`update inventory set expiry_date = $2::date ${set} where inventory_id = $1`, [id, day]);
        return { bin_id, id };
      };
      const late = await row("2199-05-01");
      const soon = await row("2199-01-01");
      await row("2199-01-01", ", quantity_doubted = 8");
      await row("2001-01-01");
      const held = await row("2199-02-01");
      await desk.ok("POST", `/api/admin/inventory/${held.id}/hold`, { quantity: 6, reason: "wet" });
      await look(house);
      assert.deepEqual(pluckAll((await tasks()).reverse(), "from_bin_id", "quantity"), [
        [soon.bin_id, 8],
        [held.bin_id, 2],
        [late.bin_id, 8],
        [await db.value("select bin_id as id from inventory where inventory_id = $1", [inventory_id]), 8],
      ]);
    });

    it("are urgent for units that orders have reserved in reserve, above the highest number too", async () => {
      const { item_id, face } = await goods({ min: 2, max: 5, case_units: 4, units: 30 });
      await order(item_id, 9);
      assert.deepEqual(await look(house), { open: 1, urgent: 1, made: 1 });
      assert.deepEqual(pluckAll(await tasks(), "quantity", "is_urgent", "to_bin_id"), [[12, true, face]]);
      assert.deepEqual(await look(house), { open: 1, urgent: 1, made: 0 });
    });

    it("become urgent when orders come that need their units", async () => {
      const { item_id } = await goods({ min: 2, max: 10 });
      await look(house);
      await order(item_id, 4);
      assert.deepEqual(await look(house), { open: 1, urgent: 1, made: 0 });
    });

    it("leave alone what orders on hold have reserved, and what can be had on a face", async () => {
      const { item_id, face } = await goods({ min: 2, max: 10 });
      const { so_id } = await order(item_id, 4);
      await db.run("update sales_orders set hold_reason = 'on_hold_in_shop' where so_id = $1", [so_id]);
      await order(item_id, 3);
      await fixtures.stock(house, face, item_id, 5);
      assert.deepEqual(await look(house), { open: 0, urgent: 0, made: 0 });
    });

    it("whose units are gone are cancelled, and others are made", async () => {
      const { item_id, inventory_id } = await goods({ min: 4, max: 10, units: 10 });
      await look(house);
      await db.run("update inventory set quantity_doubted = 6 where inventory_id = $1", [inventory_id]);
      const other = await fixtures.bin(house, { is_reserve: true });
      await fixtures.stock(house, other, item_id, 50);
      const mark = await auditMark();
      assert.deepEqual(await look(house), { open: 1, urgent: 0, made: 1 });
      assert.deepEqual(pluckAll(await tasks(), "status", "from_bin_id"), [
        ["OPEN", other],
        ["CANCELLED", (await tasks())[1]?.from_bin_id],
      ]);
      assert.deepEqual(pluck(await auditSince(mark), "action_type"), ["CANCEL", "CREATE"]);
      await db.run("update inventory set quantity_doubted = 0 where inventory_id = $1", [inventory_id]);
    });

    it("to what is no face any more are cancelled", async () => {
      const { item_id, face } = await goods();
      await look(house);
      const limits = { min_units: null, max_units: null, case_units: null };
      await desk.ok("POST", "/api/admin/preferred-bins", { item_id, bin_id: face, ...limits });
      assert.deepEqual(await look(house), { open: 0, urgent: 0, made: 0 });
    });

    it("are made once by two looks at once", async () => {
      await goods();
      const looked = await Promise.all([look(house), look(house), look(house)]);
      assert.deepEqual(pluck(looked, "open"), [1, 1, 1]);
      assert.equal((await tasks()).length, 1);
    });
  });

  describe("at the floor", () => {
    it("gives the urgent task first, the same one again, and never one to two people", async () => {
      await goods();
      const wanted = await goods();
      await order(wanted.item_id, 5);
      await look(house);
      const mark = await auditMark();
      const first = await taken();
      assert.deepEqual([first.item_id, first.status, first.assigned_to], [wanted.item_id, "TAKEN", carrier.username]);
      assert.equal((await taken()).replenishment_id, first.replenishment_id);
      const [row, ...others] = await auditSince(mark);
      assert.deepEqual([row?.action_type, row?.entity_type, others], ["UPDATE", "REPLENISHMENT", []]);
      const second = await service.user({ warehouse_ids: [house] });
      assert.deepEqual(statusAndCode(await take({ replenishment_id: first.replenishment_id }, second)), [
        409,
        "replenishment_taken",
      ]);
      const other = await taken(second);
      assert.notEqual(other.replenishment_id, first.replenishment_id);
      const third = await service.user({ warehouse_ids: [house] });
      assert.deepEqual(statusAndCode(await take({}, third)), [404, "nothing_to_replenish"]);
      const mine = await second.ok("GET", `/api/replenishment/tasks?warehouse_id=${house}`);
      assert.deepEqual(pluck(mine.tasks, "replenishment_id"), [other.replenishment_id]);
    });

    it("gives many people at once a task each", async () => {
      for (let i = 0; i < 4; i++) await goods();
      await look(house);
      const people = await Promise.all([1, 2, 3, 4, 5].map(() => service.user({ warehouse_ids: [house] })));
      const answers = await Promise.all(people.map((by) => take({}, by)));
      assert.deepEqual(pluck(answers, "status").sort(), [200, 200, 200, 200, 404]);
      const ids = answers.filter(({ status }) => status === 200).map(({ body }) => body.replenishment_id);
      assert.equal(new Set(ids).size, 4);
    });

    it("lists what waits, urgent ones first, the own before all", async () => {
      const plain = await goods();
      const wanted = await goods();
      await order(wanted.item_id, 5);
      await look(house);
      const listed = async () =>
        pluck((await carrier.ok("GET", `/api/replenishment/tasks?warehouse_id=${house}`)).tasks, "item_id");
      assert.deepEqual(await listed(), [wanted.item_id, plain.item_id]);
      const [first] = (await tasks()).filter((task) => task.item_id === plain.item_id);
      await carrier.ok("POST", "/api/replenishment/take", {
        ...{ warehouse_id: house, replenishment_id: first?.replenishment_id },
      });
      assert.deepEqual(await listed(), [plain.item_id, wanted.item_id]);
    });

    it("is confirmed in parts, each a move with its event", async () => {
      const { face, reserve, sku } = await goods({ min: 4, max: 10, units: 30 });
      await look(house);
      const { replenishment_id } = await taken();
      const part = await confirm(replenishment_id, 4);
      assert.deepEqual([part.status, part.body.task.status, part.body.task.quantity_done], [200, "TAKEN", 4]);
      assert.equal(part.body.message, `Carried 4 of ${sku} to ${part.body.task.to_bin_code}`);
      assert.deepEqual(await look(house), { open: 1, urgent: 0, made: 0 });
      const more = await confirm(replenishment_id, 7);
      assert.deepEqual(
        [...statusAndCode(more), more.body.error],
        [...[400, "carries_more_than_task", "Only 6 to carry, 7 given"]],
      );
      const rest = await confirm(replenishment_id, 6);
      assert.deepEqual([rest.body.task.status, rest.body.task.quantity_done, rest.body.count_id], ["DONE", 10, null]);
      assert.deepEqual([await units(face), await units(reserve)], [10, 20]);
      const moved = await db.rows(
        `select transfer_type, quantity, (select count(*)::int from integration_events e
           where e.event_type = 'inventorytransfer.completed' and e.entity_id = t.transfer_id) as events
         from bin_transfers t where warehouse_id = $1 order by transfer_id`,
        [house],
      );
      assert.deepEqual(moved, [
        { transfer_type: "REPLENISH", quantity: 4, events: 1 },
        { transfer_type: "REPLENISH", quantity: 6, events: 1 },
      ]);
      assert.deepEqual(statusAndCode(await confirm(replenishment_id, 1)), [409, "replenishment_ended"]);
    });

    it("carries what orders have reserved before free units, so that they can be picked", async () => {
      const { item_id, inventory_id } = await goods({ min: 2, max: 4, units: 20 });
      const { so_id } = await order(item_id, 3);
      await look(house);
      const { replenishment_id } = await taken();
      await carrier.ok("POST", "/api/replenishment/confirm", { replenishment_id, quantity: 3 });
      assert.deepEqual(await fixtures.stockOf(inventory_id), { on_hand: 17, allocated: 0 });
      // Who comes later has the rest, which is in reserve.
      await waitingOrder(house, [{ item_id, quantity: 17 }]);
      const planned = await desk.ok("POST", "/api/admin/waves/plan", { warehouse_id: house });
      assert.deepEqual(pluck(planned.batches, "so_ids"), [[so_id]]);
    });

    it("carries the units of the order that is due first", async () => {
      const { item_id, inventory_id } = await goods({ min: 1, max: 2, units: 20 });
      const later = await order(item_id, 2);
      const first = await order(item_id, 2);
      await db.run("update sales_orders set priority = 9 where so_id = $1", [first.so_id]);
      await look(house);
      const { replenishment_id } = await taken();
      await carrier.ok("POST", "/api/replenishment/confirm", { replenishment_id, quantity: 2 });
      const left = await db.rows<{ so_id: number }>(
        "select so_id from stock_reservations join sales_order_lines using (so_line_id) where inventory_id = $1",
        [inventory_id],
      );
      assert.deepEqual([pluck(left, "so_id"), first.so_id !== later.so_id], [[later.so_id], true]);
    });

    it("puts a reserve bin that it empties on the count list", async () => {
      const { reserve } = await goods({ min: 4, max: 10, units: 7 });
      await look(house);
      const { replenishment_id } = await taken();
      const { count_id } = await carrier.ok("POST", "/api/replenishment/confirm", { replenishment_id, quantity: 7 });
      assert.ok(count_id);
      assert.deepEqual(await counted(count_id), { bin_id: reserve, lines: 0 });
      await submitCount({ count_id, lines: [] }, actor(desk));
    });

    it("reported short puts the rest of the row in doubt and its bin on the count list; others are taken", async () => {
      const { item_id, reserve, inventory_id } = await goods({ min: 4, max: 10, units: 12 });
      await order(item_id, 2);
      await look(house);
      const { replenishment_id } = await taken();
      await carrier.ok("POST", "/api/replenishment/confirm", { replenishment_id, quantity: 3 });
      const other = await fixtures.bin(house, { is_reserve: true });
      await fixtures.stock(house, other, item_id, 50);
      const answer = await short(replenishment_id);
      assert.deepEqual([answer.body.message, answer.body.task.status], ["Shortage recorded", "SHORT"]);
      assert.deepEqual(await counted(answer.body.count_id), { bin_id: reserve, lines: 1 });
      const doubted = await db.value<number>("select quantity_doubted as d from inventory where inventory_id = $1", [
        inventory_id,
      ]);
      assert.equal(doubted, 9);
      assert.deepEqual(await look(house), { open: 1, urgent: 0, made: 1 });
      assert.deepEqual(pluckAll(await tasks("&status=OPEN"), "from_bin_id", "quantity"), [[other, 7]]);
      assert.deepEqual(statusAndCode(await short(replenishment_id)), [409, "replenishment_ended"]);
    });

    it("given back waits for another, and its rest only", async () => {
      await goods();
      await look(house);
      const { replenishment_id } = await taken();
      await carrier.ok("POST", "/api/replenishment/confirm", { replenishment_id, quantity: 4 });
      const given = await giveBack(replenishment_id);
      assert.deepEqual([given.body.status, given.body.assigned_to], ["OPEN", null]);
      for (const refused of [await giveBack(replenishment_id), await confirm(replenishment_id, 1)])
        assert.deepEqual(statusAndCode(refused), [409, "replenishment_not_taken"]);
      assert.deepEqual(statusAndCode(await short(replenishment_id)), [409, "replenishment_not_taken"]);
      const second = await service.user({ warehouse_ids: [house] });
      const again = await taken(second);
      assert.deepEqual([again.replenishment_id, again.quantity_done], [replenishment_id, 4]);
    });

    it("that nobody goes on with is given back by the next look", async () => {
      await goods();
      await look(house);
      const { replenishment_id } = await taken();
      await look(house);
      assert.equal((await tasks())[0]?.status, "TAKEN");
      await db.run("update replenishments set updated_at = now() - interval '13 hours' where replenishment_id = $1", [
        replenishment_id,
      ]);
      assert.deepEqual(await look(house), { open: 1, urgent: 0, made: 0 });
      assert.deepEqual(pluckAll(await tasks(), "status", "assigned_to"), [["OPEN", null]]);
    });

    it("cancelled at the desk ends for who has it", async () => {
      await goods();
      await look(house);
      const { replenishment_id } = await taken();
      const path = `/api/admin/replenishments/${replenishment_id}/cancel`;
      assert.equal((await desk.ok("POST", path, {})).status, "CANCELLED");
      assert.deepEqual(statusAndCode(await desk.post(path, {})), [409, "replenishment_ended"]);
      assert.deepEqual(statusAndCode(await confirm(replenishment_id, 1)), [409, "replenishment_ended"]);
      assert.deepEqual(statusAndCode(await take({ replenishment_id })), [409, "replenishment_ended"]);
      assert.deepEqual(statusAndCode(await giveBack(replenishment_id)), [409, "replenishment_ended"]);
    });

    it("reads the label of the item: of a row with a lot, that lot's; of one without, any", async () => {
      const upc = newUpc();
      const { item_id, inventory_id, reserve } = await goods();
      await db.run("update items set upc = $2 where item_id = $1", [item_id, upc]);
      await db.run("update inventory set lot_number = 'L-1' where inventory_id = $1", [inventory_id]);
      await db.run("insert into lots (item_id, lot_number) values ($1, 'L-1') on conflict do nothing", [item_id]);
      await look(house);
      const { replenishment_id } = await taken();
      const scan = (lot: string) =>
        carrier.post("/api/replenishment/confirm", {
          ...{ replenishment_id, quantity: 1, scanned_barcode: `(01)00${upc}(10)${lot}` },
        });
      assert.deepEqual(statusAndCode(await scan("L-2")), [400, "scan_disagrees"]);
      assert.equal((await scan("L-1")).status, 200);
      await carrier.ok("POST", "/api/replenishment/give-back", { replenishment_id });
      await db.run("update replenishments set status = 'CANCELLED' where replenishment_id = $1", [replenishment_id]);
      await db.run("update inventory set quantity_on_hand = 0 where item_id = $1", [item_id]);
      const plain = await fixtures.stock(house, reserve, item_id, 20);
      await look(house);
      const next = await taken();
      const body = { replenishment_id: next.replenishment_id, quantity: 1, scanned_barcode: `(01)00${upc}(10)L-9` };
      assert.equal((await carrier.post("/api/replenishment/confirm", body)).status, 200);
      assert.deepEqual(await fixtures.stockOf(plain), { on_hand: 19, allocated: 0 });
    });

    it("refuses what cannot be, and changes nothing", async () => {
      const { item_id, face, reserve, inventory_id } = await goods({ units: 8, max: 8 });
      const other = await fixtures.item();
      await look(house);
      const { replenishment_id } = await taken();
      const wrong = (body: object) => carrier.post("/api/replenishment/confirm", { replenishment_id, ...body });
      const misread = await wrong({ quantity: 1, scanned_barcode: other.sku });
      assert.deepEqual(statusAndCode(misread), [400, "scanned_other_item"]);
      await db.run("update bins set is_active = false where bin_id = $1", [face]);
      assert.deepEqual(statusAndCode(await wrong({ quantity: 1 })), [400, "bin_inactive"]);
      await db.run("update bins set is_active = true where bin_id = $1", [face]);
      await desk.ok("POST", "/api/admin/adjustments/direct", {
        ...{ item_id, bin_id: reserve, warehouse_id: house, quantity: 7, adjustment_type: "REMOVE", reason: "broken" },
      });
      assert.deepEqual(statusAndCode(await wrong({ quantity: 2 })), [400, "insufficient_stock"]);
      assert.deepEqual(await fixtures.stockOf(inventory_id), { on_hand: 1, allocated: 0 });
      for (const missing of [
        await confirm(999_999, 1),
        await short(999_999),
        await giveBack(999_999),
        await take({ replenishment_id: 999_999 }),
        await desk.post("/api/admin/replenishments/999999/cancel", {}),
      ])
        assert.deepEqual(statusAndError(missing), [404, "Replenishment task not found"]);
      const elsewhere = await fixtures.warehouse();
      const lost = await desk.post("/api/replenishment/take", { warehouse_id: elsewhere, replenishment_id });
      assert.deepEqual(statusAndCode(lost), [404, "replenishment_not_found"]);
      await carrier.ok("POST", "/api/replenishment/short", { replenishment_id });
    });
  });
});
