import assert from "node:assert/strict";
import { cancelCount } from "../../activities/counting/index.js";
import { transaction } from "../../src/platform/db/db.js";
import { db } from "../support/db.js";
import { item, salesOrder, stock } from "../support/fixtures.js";
import { pickFloor } from "../support/pick-floor.js";
import { queuedBehindLock, waitingForLocks } from "../support/queued-behind-lock.js";
import { until } from "../support/until.js";

describe("short picks beside the counts of their bin", () => {
  const { at, shelved, startWave } = pickFloor();

  /** Two items in one bin, and a picker on the way to each. */
  async function twoInOneBin() {
    const { service, warehouse_id } = at();
    const one = await shelved(5);
    const { item_id } = await item();
    await stock(warehouse_id, one.bin_id, item_id, 5);
    const toFindLess = async (id: number) => {
      const { so_id } = await salesOrder(warehouse_id, [{ item_id: id, quantity: 5 }]);
      const picker = await service.user({ warehouse_ids: [warehouse_id] });
      const { first_pick } = await picker.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
      const { pick_task_id } = first_pick;
      return (): Promise<{ count_id: number | null }> =>
        picker.ok("POST", "/api/picking/short", { pick_task_id, quantity_available: 1 });
    };
    return { ...one, first: await toFindLess(one.item_id), second: await toFindLess(item_id) };
  }

  const open = (bin_id: number) =>
    db.rows<{ count_id: number }>(
      "select count_id from cycle_counts where bin_id = $1 and status in ('PENDING', 'IN_PROGRESS')",
      [bin_id],
    );
  const doubted = async (bin_id: number) =>
    (
      await db.row<{ units: number }>("select sum(quantity_doubted) as units from inventory where bin_id = $1", [
        bin_id,
      ])
    )?.units;

  it("leave nothing in doubt without a count when the bin's count is just being ended", async () => {
    const { bin_id, inventory_id, first, second } = await twoInOneBin();
    const { count_id } = await first();
    const { ending, found } = await transaction(async (tx) => {
      await tx.run("select from inventory where inventory_id = $1 for update", [inventory_id]);
      const ending = cancelCount(count_id as number, `end ${count_id}`);
      await until(async () => (await waitingForLocks()) === 1);
      const found = second();
      await Promise.race([found, until(async () => (await waitingForLocks()) === 2)]);
      return { ending, found };
    });
    await ending;
    const { count_id: next } = await found;
    assert.deepEqual([await open(bin_id), await doubted(bin_id)], [[{ count_id: next }], 4]);
  });

  it("put it on the list once when two are recorded at once", async () => {
    const { bin_id, first, second } = await twoInOneBin();
    const found = await queuedBehindLock("select from bins where bin_id = $1 for update", [bin_id], first, second);
    assert.equal((await open(bin_id)).length, 1);
    assert.equal(found.filter(({ count_id }) => count_id === null).length, 1);
    assert.equal(await doubted(bin_id), 8);
  });

  it("keep it on the list where the count that was open did not name what they did not find", async () => {
    const { picker, warehouse_id } = at();
    const { bin_id } = await shelved(5);
    const site = { warehouse_id, bin_ids: [bin_id] };
    const { counts } = await picker.ok("POST", "/api/inventory/cycle-count/create", site);
    const { item_id } = await item();
    await stock(warehouse_id, bin_id, item_id, 5);
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 5 }]);
    const { pick_task_id } = (await startWave(so_id)).first_pick;
    const found = await picker.ok("POST", "/api/picking/short", { pick_task_id, quantity_available: 1 });
    assert.equal(found.count_id, null);
    const submit = async (count_id: number) => {
      const { lines } = await picker.ok("GET", `/api/inventory/cycle-count/${count_id}`);
      await picker.ok("POST", "/api/inventory/cycle-count/submit", {
        count_id,
        lines: lines.map(({ count_line_id, expected_quantity }: Record<string, number>) => ({
          ...{ count_line_id, counted_quantity: expected_quantity },
        })),
      });
    };
    await submit(counts[0].count_id);
    const [another] = await open(bin_id);
    assert.deepEqual([typeof another?.count_id, await doubted(bin_id)], ["number", 4]);
    await submit(another?.count_id as number);
    assert.deepEqual([await open(bin_id), await doubted(bin_id)], [[], 0]);
  });
});
