import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { releaseIfIdle } from "../../activities/picking/index.js";
import {
  approveTransfer,
  cancelTransfer,
  shortCloseLine,
  startTransferPicking,
  submitTransfer,
} from "../../activities/transfers/index.js";
import { DomainError } from "../../src/platform/problem.js";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { testService } from "../support/service.js";
import { confirm, submitted, TRANSFERS, testSites, transferOrder, walk } from "../support/transfers.js";
import { actor } from "../support/walk.js";

/** The workflow does one step after the other; without it, as when the engine lost it, the rows must decide. */
describe("steps of a transfer order at the same time", () => {
  const service = testService({ worker: true });
  const at = testSites();
  let ann: Caller;
  let ben: Caller;
  let carl: Caller;
  before(async () => {
    ann = await service.user({ role: "ADMIN" });
    ben = await service.user({ role: "ADMIN" });
    carl = await service.user({ role: "ADMIN" });
  });
  afterEach(() => assertInvariants());

  /** How each of several commands ended: `done`, or the kind of its refusal; sorted. */
  async function outcomes(...commands: Promise<unknown>[]): Promise<string[]> {
    const ended = await Promise.allSettled(commands);
    return ended
      .map((end) => {
        if (end.status === "fulfilled") return "done";
        if (end.reason instanceof DomainError) return end.reason.kind;
        throw end.reason;
      })
      .sort();
  }
  /** The same of a request. */
  async function asked(request: Answer | Promise<Answer>): Promise<void> {
    const { status, code = "" } = await request;
    if (status >= 300) throw new DomainError(code, status, {});
  }
  const ordered = async () => {
    const item = await at.goods(10);
    return { ...item, ...(await transferOrder(ann, at, [{ item_id: item.item_id, quantity: 10 }])) };
  };
  type Ordered = Awaited<ReturnType<typeof ordered>>;
  const arrived = (item_id: number) =>
    db.value<number>(
      "select coalesce(sum(quantity_on_hand), 0)::int as units from inventory where bin_id = $1 and item_id = $2",
      [at.staging, item_id],
    );
  const five = [1, 2, 3, 4, 5];

  it("let one of two cancellations win", async () => {
    const ways = [
      ({ to_id }: Ordered, by: Caller) => cancelTransfer(to_id, actor(by)),
      ({ path }: Ordered, by: Caller) => asked(by.post(`${path}/cancel`)),
    ];
    for (const cancel of ways) {
      const order = await ordered();
      const ended = await outcomes(cancel(order, ann), cancel(order, ben));
      assert.deepEqual(ended, ["done", "invalid_status_for_cancel"]);
      assert.deepEqual(await fixtures.stockOf(order.inventory_id), { on_hand: 10, allocated: 0 });
    }
  });

  it("let a cancellation or an approval win, never both", async () => {
    for (const byProcess of [true, false, true, false]) {
      const { to_id, path, to_approval_id, item } = await submitted(service, at, 6);
      const ended = await outcomes(
        byProcess ? asked(ann.post(`${path}/cancel`)) : cancelTransfer(to_id, actor(ann)),
        byProcess
          ? asked(ben.post(`${path}/approvals/${to_approval_id}/approve`))
          : approveTransfer({ to_id, to_approval_id }, actor(ben)),
      );
      const approved = (await arrived(item.item_id)) === 6;
      const loser = approved ? "to_already_partially_approved" : "approval_not_pending";
      assert.deepEqual(ended, ["done", loser].sort());
      const stock = approved ? { on_hand: 14, allocated: 4 } : { on_hand: 20, allocated: 0 };
      assert.deepEqual(await fixtures.stockOf(item.inventory_id), stock);
    }
  });

  it("submit picks once, approve them once, and approve or give them up", async () => {
    for (const _ of five) {
      const { to_id, item_id, lines } = await ordered();
      const { tasks } = await walk(ann, to_id);
      await confirm(ann, tasks[0] as (typeof tasks)[0], 6);
      assert.deepEqual(await outcomes(submitTransfer(to_id, actor(ann)), submitTransfer(to_id, actor(ann))), [
        "done",
        "nothing_picked",
      ]);
      const { approvals } = await ann.ok("GET", `${TRANSFERS}/${to_id}`);
      const { to_approval_id } = approvals[0];
      const to_line_id = lines[0]?.to_line_id as number;
      const ended = await outcomes(
        approveTransfer({ to_id, to_approval_id }, actor(ben)),
        approveTransfer({ to_id, to_approval_id }, actor(carl)),
        shortCloseLine({ to_id, to_line_id }, actor(ann)),
      );
      const approved = (await arrived(item_id)) === 6;
      assert.deepEqual(
        ended,
        approved
          ? ["approval_not_pending", "done", "done"]
          : ["approval_snapshot_empty", "approval_snapshot_empty", "done"],
      );
    }
  });

  it("give one of two pickers the walk", async () => {
    const { to_id } = await ordered();
    const ended = await outcomes(startTransferPicking(to_id, actor(ann)), startTransferPicking(to_id, actor(ben)));
    assert.deepEqual(ended, ["done", "picked_by_another"]);
  });

  it("count a pick or put it back, whatever ends its walk meanwhile", async () => {
    for (const n of five) {
      const { to_id, path, inventory_id } = await ordered();
      const { batch_id, tasks } = await walk(ann, to_id);
      const { pick_task_id, sku } = tasks[0] as (typeof tasks)[0];
      await db.run("update pick_batches set started_at = now() - interval '13 hours' where batch_id = $1", [batch_id]);
      const pick = ann.post("/api/picking/confirm", { pick_task_id, scanned_barcode: sku, quantity_picked: 10 });
      const [picked, released] = await Promise.all([pick, releaseIfIdle(batch_id, `idle-${batch_id}-${n}`)]);
      const { transfer_order, lines } = await ann.ok("GET", path);
      assert.deepEqual(
        [picked.status, transfer_order.status, lines[0].picked_qty],
        released.ended ? [400, "OPEN", 0] : [200, "AWAITING_APPROVAL", 10],
      );
      assert.deepEqual(await fixtures.stockOf(inventory_id), { on_hand: 10, allocated: 10 });
    }
  });

  it("complete a walk once, also when its workflow ends under the completions that come after", async function () {
    this.timeout(patient(60_000));
    for (const _ of five) {
      const { to_id } = await ordered();
      const { batch_id, tasks } = await walk(ann, to_id);
      await confirm(ann, tasks[0] as (typeof tasks)[0], 10);
      const completions = Array.from({ length: 24 }, async (_, n) => {
        await pause(4 * n);
        const keyed = ann.with({ "idempotency-key": `${batch_id}-${n}` });
        // A machine with much else to do may answer 503, as the workflow is busy: then one asks again.
        for (;;) {
          const answer = await keyed.post("/api/picking/complete-batch", { batch_id });
          if (answer.status !== 503) return asked(answer);
          await pause(200);
        }
      });
      const ended = await outcomes(...completions);
      assert.deepEqual(ended, [...completions.slice(1).map(() => "batch_not_active"), "done"]);
    }
  });

  it("decide on several open approvals of one order", async () => {
    const goods = [await at.goods(4), await at.goods(4)];
    const order = await transferOrder(
      ann,
      at,
      goods.map(({ item_id }) => ({ item_id, quantity: 4 })),
    );
    const { tasks } = await walk(ann, order.to_id);
    const ids: number[] = [];
    for (const task of tasks) {
      await confirm(ann, task, 4);
      ids.push((await submitTransfer(order.to_id, actor(ann))).to_approval_id);
    }
    assert.equal(ids.length, 2);
    const decide = (to_approval_id: number) => approveTransfer({ to_id: order.to_id, to_approval_id }, actor(ben));
    assert.deepEqual(await outcomes(...ids.map(decide)), ["done", "done"]);
    assert.equal((await order.read()).transfer_order.status, "CLOSED");
  });
});
