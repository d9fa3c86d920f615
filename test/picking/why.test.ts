import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { pickFloor } from "../support/pick-floor.js";
import { transferOrder, walk } from "../support/transfers.js";
import { unusableStock } from "../support/unusable-stock.js";

interface Loser {
  bin_id: number;
  reason: string;
  quantity_available: number;
  reserved_for: { number: string; units: number }[];
}

describe("why a picker is sent to a bin", () => {
  const { at, startWave, cancel } = pickFloor();
  let item_id: number;
  let here: number;
  beforeEach(async () => {
    here = at().warehouse_id;
    ({ item_id } = await item());
  });

  const why = (task: number) => at().picker.ok("GET", `/api/picking/tasks/${task}/why`);
  /** Units in a bin of their own. */
  async function put(
    units: number,
    { sequence = 100, day, lot }: { sequence?: number; day?: string; lot?: string } = {},
  ) {
    const bin_id = await bin(here, { pick_sequence: sequence });
    const inventory_id = await stock(here, bin_id, item_id, units, lot);
    if (day) await db.run("update inventory set expiry_date = $2 where inventory_id = $1", [inventory_id, day]);
    return { bin_id, inventory_id };
  }
  const order = (quantity = 1) => salesOrder(here, [{ item_id, quantity }]);
  async function picking(quantity = 1) {
    const { so_id } = await order(quantity);
    const { batch_id, first_pick } = await startWave(so_id);
    return { so_id, batch_id: batch_id as number, task: first_pick.pick_task_id as number };
  }
  const decided = async (task: number) => {
    const { code, others } = await why(task);
    return [code, others.map(({ reason }: Loser) => reason)];
  };

  it("says that no other bin has units", async () => {
    const { bin_id } = await put(5, { lot: "LOT-1", day: "2098-01-01" });
    const { task } = await picking();
    const { as_of, bin_code, ...answer } = await why(task);
    assert.ok(as_of && bin_code);
    assert.deepEqual(answer, {
      ...{ pick_task_id: task, code: "only_place", words: "No other bin has units that could be picked" },
      ...{ walked_by: "pick_sequence", bin_id, lot_number: "LOT-1", expiry_date: "2098-01-01", others: [] },
    });
  });

  it("says that its units expire first", async () => {
    await put(5, { sequence: 1, day: "2098-02-01" });
    await put(5, { sequence: 9, day: "2098-01-01" });
    await put(5);
    assert.deepEqual(await decided((await picking()).task), ["first_expired", ["expires_later", "expires_later"]]);
  });

  it("says that its bin comes first on the way, or that its units have lain there longest", async () => {
    await put(5, { sequence: 1 });
    await put(5, { sequence: 2 });
    const { batch_id, task } = await picking();
    assert.deepEqual(await decided(task), ["pick_sequence", ["later_in_sequence"]]);
    await cancel(batch_id);
    await put(5, { sequence: 1 });
    assert.deepEqual(await decided((await picking()).task), ["oldest", ["equal", "later_in_sequence"]]);
  });

  it("says that other units came since", async () => {
    await put(5, { sequence: 5, day: "2098-01-01" });
    const { task } = await picking();
    const sooner = await put(5, { sequence: 1, day: "2097-01-01" });
    assert.deepEqual(await decided(task), ["was_first", ["free_since"]]);
    await db.run("update inventory set expiry_date = '2098-01-01' where inventory_id = $1", [sooner.inventory_id]);
    assert.deepEqual(await decided(task), ["was_first", ["free_since"]]);
  });

  it("says that another bin had too few, and was searched before", async () => {
    const counts = (value: string) =>
      at().service.admin.ok("PUT", "/api/admin/settings", { settings: { short_pick_creates_count: value } });
    const near = await put(5, { sequence: 1 });
    const far = await put(5, { sequence: 2 });
    await counts("false");
    const { task } = await picking(3);
    const { replacements } = await at().picker.ok("POST", "/api/picking/short", {
      ...{ pick_task_id: task, quantity_available: 1 },
    });
    await counts("true");
    const { code, bin_id, others } = await why(replacements[0].pick_task_id);
    assert.deepEqual(
      [code, bin_id, others.map((other: Loser) => [other.bin_id, other.reason])],
      ["replaces_short", far.bin_id, [[near.bin_id, "short_before"]]],
    );
    const refused = await at().picker.get(`/api/picking/tasks/${task}/why`);
    assert.deepEqual([refused.status, refused.body.error], [400, "Pick task is already SHORT"]);
  });

  it("says that a transfer order has the units since it was made", async () => {
    await put(5);
    const { to_id } = await transferOrder(at().service.admin, { source: here, destination: await elsewhere() }, [
      { item_id, quantity: 5 },
    ]);
    const { tasks } = await walk(at().service.admin, to_id);
    assert.deepEqual(await decided((tasks[0] as { pick_task_id: number }).pick_task_id), ["transfer_reserved", []]);
  });

  it("says which other units could not be picked, and who has them", async () => {
    const unusable = await unusableStock(at().service.admin, here, item_id);
    await put(1, { sequence: 9 });
    const { so_id } = await order();
    await db.run("update sales_orders set min_days_at_shipping = 90 where so_id = $1", [so_id]);
    const { first_pick } = await startWave(so_id);
    const { code, others } = await why(first_pick.pick_task_id);
    assert.equal(code, "only_place");
    const found = new Map(others.map((other: Loser) => [other.bin_id, other.reason]));
    assert.deepEqual(
      unusable.bins.map(([bin_id]) => [bin_id, found.get(bin_id)]),
      unusable.bins,
    );
    assert.equal(found.size, unusable.bins.length);
    assert.ok(others.every((other: Loser) => other.quantity_available === 0));
    const taken = others.find((other: Loser) => other.bin_id === unusable.reserved);
    assert.deepEqual(
      [taken.quantity_reserved, taken.quantity_held, taken.reserved_for],
      [4, 0, [{ number: unusable.reserved_for, units: 4 }]],
    );
  });

  it("knows the units of waves and transfer orders", async () => {
    await put(9, { sequence: 1 });
    await put(5, { sequence: 2 });
    const { to_number } = await transferOrder(at().service.admin, { source: here, destination: await elsewhere() }, [
      { item_id, quantity: 4 },
    ]);
    const { so_id, so_number } = await order(5);
    await startWave(so_id);
    const late = await order();
    const colleague = await at().service.user({ warehouse_ids: [here] });
    const { first_pick } = await colleague.ok("POST", "/api/picking/wave-create", {
      ...{ so_ids: [late.so_id], warehouse_id: here },
    });
    const { others } = await why(first_pick.pick_task_id);
    assert.deepEqual(
      others.map((other: Loser) => [other.reason, other.reserved_for]),
      [
        [
          "reserved",
          [
            { number: so_number, units: 5 },
            { number: to_number, units: 4 },
          ],
        ],
      ],
    );
  });

  it("is not known of a task that is not there", async () => {
    const { status, body } = await at().picker.get("/api/picking/tasks/999999/why");
    assert.deepEqual([status, body.error], [404, "Pick task not found"]);
  });

  /** A warehouse with a bin for what comes. */
  async function elsewhere() {
    const other = await warehouse();
    await bin(other, { type: "Staging" });
    return other;
  }
});
