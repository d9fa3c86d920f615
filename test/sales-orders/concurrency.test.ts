import assert from "node:assert/strict";
import type { Answer } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin } from "../support/fixtures.js";
import { orderActions } from "../support/order-actions.js";

const ROUNDS = 8;
const ADMINS = 16;

describe("the desk and the floor at the same moment", function () {
  this.timeout(60_000);
  const actions = orderActions();
  const { at, act, ordered, shelved, picked, startWave } = actions;
  const { confirm, complete, eventsOf } = actions;
  before(() => bin(at().warehouse_id, { type: "Staging" }));

  const rounds = async (play: () => Promise<void>) => {
    for (let round = 0; round < ROUNDS; round++) await play();
  };
  const lyingOf = (item_id: number) =>
    db.row(
      `select sum(quantity_on_hand)::int as on_hand, sum(quantity_allocated)::int as allocated
       from inventory where item_id = $1`,
      [item_id],
    );
  const tally = (answers: Answer[]) => {
    const counts: Record<string, number> = {};
    for (const { status, body } of answers) {
      const told = `${status} ${body.kind ?? body.error ?? "ok"}`;
      counts[told] = (counts[told] ?? 0) + 1;
    }
    return counts;
  };

  it("take an order back twice: its goods go back once, and are held for it", () =>
    rounds(async () => {
      const { so_id, task_id, item_id } = await picked();
      const back = { new_status: "OPEN", release_pick_task_ids: [task_id] };
      const answers = await Promise.all([1, 2].map(() => act(so_id, "revert-status", back)));
      assert.deepEqual(tally(answers), { "200 ok": 1, "400 pick_task_wrong_state": 1 });
      assert.deepEqual(await lyingOf(item_id), { on_hand: 5, allocated: 5 });
    }));

  it("take back two orders that one task was picked for: each its share", () =>
    rounds(async () => {
      const { item_id, upc } = await shelved(9);
      const orders = [await ordered({ item_id, quantity: 3 }), await ordered({ item_id, quantity: 2 })];
      const ids = orders.map((order) => order.so_id);
      const { batch_id, first_pick } = await startWave(...ids);
      await confirm(first_pick.pick_task_id, upc ?? "", 5);
      await complete(batch_id);
      const answers = await Promise.all(
        ids.map((so_id) =>
          act(so_id, "revert-status", { new_status: "OPEN", release_pick_task_ids: [first_pick.pick_task_id] }),
        ),
      );
      assert.deepEqual(tally(answers), { "200 ok": 2 });
      assert.deepEqual(await lyingOf(item_id), { on_hand: 9, allocated: 5 });
    }));

  it(`pick, ship and cancel an order as ${ADMINS} admins: each thing is done once`, async () => {
    const { service } = at();
    const admins = await Promise.all(Array.from({ length: ADMINS }, () => service.user({ role: "ADMIN" })));
    const all = (so_id: number, action: string, body: object = {}) =>
      Promise.all(admins.map((admin) => act(so_id, action, body, admin)));
    const { item_id, bin_id } = await shelved(5);
    const { so_id, line_ids } = await ordered({ item_id, quantity: 5 });
    const lines = [{ so_line_id: line_ids[0], bin_id, quantity: 5 }];
    assert.deepEqual(tally(await all(so_id, "admin-pick", { lines })), { "200 ok": 1, "422 so_not_open": ADMINS - 1 });
    assert.deepEqual(tally(await all(so_id, "admin-ship")), { "200 ok": 1, "409 already_fulfilled": ADMINS - 1 });
    assert.deepEqual(await eventsOf(so_id), ["pick.confirmed", "ship.confirmed"]);
    const other = await picked();
    const cancelled = await all(other.so_id, "cancel");
    const named = cancelled.filter(({ body }) => body.audit_log_id !== null);
    assert.deepEqual([tally(cancelled), named.length], [{ "200 ok": 16 }, 1]);
    assert.deepEqual(await lyingOf(other.item_id), { on_hand: 5, allocated: 0 });
  });
});
