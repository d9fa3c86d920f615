import assert from "node:assert/strict";
import pg from "pg";
import { adjustDirectly } from "../../activities/stock/adjustments.js";
import { db } from "../support/db.js";
import { bin, item, type OrderedLine, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { waitingForLocks } from "../support/queued-behind-lock.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";
import { statusOf, waitingOrder } from "../support/waiting.js";
import { actor } from "../support/walk.js";

/**
 * What of activities/stock/backorders.ts only shows when increases meet, with real connections that wait for each other
 * in the one order that matters. A command is held where it would write its record: it has tested the waiting orders,
 * and has not committed. The property test meets these orders of events too, but not in every run.
 */
describe("orders that wait for stock, as increases meet", () => {
  const service = testService();
  let here: number;
  beforeEach(async () => {
    here = await warehouse();
  });
  afterEach(() => assertInvariants());

  /** Keeps commands from their commit, by taking their ids; until the answer is called. */
  async function hold(...commands: { commandId: string }[]): Promise<() => Promise<void>> {
    const client = new pg.Client(service.config.databaseUrl);
    await client.connect();
    await client.query("begin");
    await client.query(
      `insert into command_log (command_id, operation, request_hash) select unnest($1::text[]), 'held',
       repeat('0', 64)`,
      [commands.map(({ commandId }) => commandId)],
    );
    return () => client.end();
  }

  /** Finds a unit in a bin of its own, so that two of them meet in no row of stock. */
  async function finder(item_id: number) {
    const by = actor(service.admin);
    const bin_id = await bin(here);
    await stock(here, bin_id, item_id, 0);
    const unit = { item_id, bin_id, warehouse_id: here, quantity: 1 };
    const find = () => adjustDirectly({ ...unit, adjustment_type: "ADD", reason: "found" }, by);
    return { by, find };
  }

  /** An order that watches the first of its items, as if the others had been there when it was looked at. */
  async function watching(...lines: [OrderedLine, ...OrderedLine[]]) {
    const { so_id } = await waitingOrder(here, lines);
    await db.run("update stock_waits set watched = item_id = $2 where so_id = $1", [so_id, lines[0].item_id]);
    return so_id;
  }

  const stand = (count: number) => until(async () => (await waitingForLocks()) === count);

  it("are opened by the later of two that bring a unit each", async () => {
    // Without the lock of the warehouse, or if both only shared it, each would miss the other's unit.
    const { item_id } = await item();
    const so_id = await watching({ item_id, quantity: 2 });
    const [first, second] = [await finder(item_id), await finder(item_id)];
    const letGo = await hold(first.by, second.by);
    const found = [first.find()];
    await stand(1);
    found.push(second.find());
    await stand(2);
    await letGo();
    await Promise.all(found);
    assert.equal(await statusOf(so_id), "OPEN");
  });

  it("are opened by the later of two, where both waited as a third one moved what the order watches", async () => {
    // Without the second look after the lock both would go on sharing it, as nobody watched their item before.
    const [other, wanted] = [await item(), await item()];
    const so_id = await watching({ ...other, quantity: 1 }, { ...wanted, quantity: 2 });
    const mover = await finder(other.item_id);
    const [first, second] = [await finder(wanted.item_id), await finder(wanted.item_id)];
    const letMoverGo = await hold(mover.by);
    const letGo = await hold(first.by, second.by);
    const moved = mover.find();
    await stand(1);
    const found = [first.find(), second.find()];
    await stand(3);
    await letMoverGo();
    await moved;
    await stand(2);
    await letGo();
    await Promise.all(found);
    assert.equal(await statusOf(so_id), "OPEN");
  });
});
