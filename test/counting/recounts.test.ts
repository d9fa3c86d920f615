import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { endWithTheirRows } from "../../workers/reconcile.js";
import { RunningWorkflows } from "../../workers/running-workflows.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, stock } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { confirm, testSites, transferOrder, walk } from "../support/transfers.js";
import { until } from "../support/until.js";

const CREATE = "/api/inventory/cycle-count/create";
const SUBMIT = "/api/inventory/cycle-count/submit";
const REVIEW = "/api/admin/adjustments/review";

describe("counts of a bin that changes or is counted again", () => {
  const service = testService({ worker: true });
  const sites = testSites();
  let counter: Caller;
  before(async () => {
    counter = await service.user({ warehouse_ids: [sites.source] });
  });
  afterEach(() => assertInvariants());

  async function shelf(quantity: number) {
    const bin_id = await bin(sites.source);
    const goods = await item();
    await stock(sites.source, bin_id, goods.item_id, quantity);
    return { bin_id, ...goods };
  }

  async function count(bin_id: number) {
    const { counts } = await counter.ok("POST", CREATE, { warehouse_id: sites.source, bin_ids: [bin_id] });
    const { count_id } = counts[0] as { count_id: number };
    const { lines } = await counter.ok("GET", `/api/inventory/cycle-count/${count_id}`);
    const submit = (...quantities: number[]) =>
      counter.ok("POST", SUBMIT, {
        count_id,
        lines: quantities.map((counted_quantity, i) => ({ count_line_id: lines[i].count_line_id, counted_quantity })),
      });
    return { count_id, lines, submit };
  }

  const adjustmentOf = (answer: { summary: { adjustments: { adjustment_id: number }[] } }) =>
    answer.summary.adjustments[0]?.adjustment_id as number;
  const decide = (adjustment_id: number, action: "approve" | "reject") =>
    service.admin.post(REVIEW, { decisions: [{ adjustment_id, action }] });
  const onHand = ({ bin_id, item_id }: { bin_id: number; item_id: number }) =>
    db.value<number>(
      "select coalesce(sum(quantity_on_hand), 0) as units from inventory where bin_id = $1 and item_id = $2",
      [bin_id, item_id],
    );

  it("books a difference once when the bin is counted again before the first count is decided", async () => {
    const place = await shelf(20);
    const [first, second] = [await count(place.bin_id), await count(place.bin_id)];
    const old = adjustmentOf(await first.submit(18));
    const mark = await auditMark();
    const now = adjustmentOf(await second.submit(18));
    const [rejection] = await auditSince(mark);
    assert.deepEqual(rejection?.details, {
      ...{ status: "REJECTED", cycle_count_id: first.count_id, superseded_by_count_id: second.count_id },
      ...{ item_id: place.item_id, bin_id: place.bin_id, quantity_change: -2 },
    });
    const refused = await decide(old, "approve");
    assert.deepEqual(
      [refused.status, refused.code, refused.body.count_id, refused.body.counted_quantity],
      [409, "counted_again", second.count_id, 18],
    );
    assert.equal((await decide(now, "approve")).status, 200);
    assert.equal(await onHand(place), 18);
    const shown = await service.admin.ok("GET", `/api/admin/cycle-counts/${first.count_id}`);
    assert.deepEqual(
      [shown.adjustments[0].status, shown.adjustments[0].superseded_by_count_id],
      ["REJECTED", second.count_id],
    );
  });

  it("does not book a miscount that a recount has found to be none", async () => {
    const place = await shelf(20);
    const [wrong, right] = [await count(place.bin_id), await count(place.bin_id)];
    const old = adjustmentOf(await wrong.submit(2));
    assert.equal((await right.submit(20)).status, "COMPLETED");
    assert.equal((await decide(old, "approve")).status, 409);
    assert.equal(await onHand(place), 20);
  });

  it("leaves undecided what the newer count did not name", async () => {
    const place = await shelf(20);
    const other = await item();
    await stock(sites.source, place.bin_id, other.item_id, 7);
    const [first, second] = [await count(place.bin_id), await count(place.bin_id)];
    const { summary } = await first.submit(18, 6);
    await second.submit(19);
    const answer = await decide(summary.adjustments[1].adjustment_id, "approve");
    assert.deepEqual([answer.status, answer.body.approved], [200, 1]);
  });

  it("keeps one difference of 8 counts that are submitted at once, also of an item nobody expected", async () => {
    const place = await shelf(20);
    const stray = await item();
    const counts = await Promise.all(Array.from({ length: 8 }, () => count(place.bin_id)));
    await Promise.all(
      counts.map(({ count_id, lines }) =>
        counter.ok("POST", SUBMIT, {
          count_id,
          lines: [
            { count_line_id: lines[0].count_line_id, counted_quantity: 18 },
            { item_id: stray.item_id, unexpected: true, counted_quantity: 3 },
          ],
        }),
      ),
    );
    const pending = await db.rows<{ quantity_change: number }>(
      "select quantity_change from inventory_adjustments where bin_id = $1 and status = 'PENDING' order by 1",
      [place.bin_id],
    );
    assert.deepEqual(pluck(pending, "quantity_change"), [-2, 3]);
  });

  it("ends the process of a count that was counted again", async () => {
    const place = await shelf(20);
    const [first, second] = [await count(place.bin_id), await count(place.bin_id)];
    await first.submit(18);
    await second.submit(20);
    const client = temporalClient();
    const process = client.workflow.getHandle(`cycle-count-${first.count_id}`);
    const running = new RunningWorkflows();
    await until(async () => {
      await endWithTheirRows(client, service.config.temporalTaskQueue, await running.now(client), new Set());
      return (await process.describe()).status.name === "COMPLETED";
    });
    assert.equal(((await process.result()) as { ended: string }).ended, "rejected");
  });

  it("finds nothing missing where units were picked for a transfer", async () => {
    const goods = await sites.goods(10);
    const picker = await service.user({ role: "ADMIN" });
    const order = await transferOrder(picker, sites, [{ item_id: goods.item_id, quantity: 4 }]);
    const { tasks } = await walk(picker, order.to_id);
    await confirm(picker, tasks[0] as (typeof tasks)[0], 4);
    const { to_approval_id } = await picker.ok("POST", `/api/admin/picker/transfer-orders/${order.to_id}/submit`);
    const { bin_id } = sites;
    const counted = await count(bin_id);
    assert.equal(counted.lines[0].expected_quantity, 6);
    assert.equal((await counted.submit(6)).status, "COMPLETED");
    await service.admin.ok("POST", `${order.path}/approvals/${to_approval_id}/approve`);
    assert.equal(await onHand({ bin_id, item_id: goods.item_id }), 6);
  });
});
