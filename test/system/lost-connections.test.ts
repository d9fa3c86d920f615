import assert from "node:assert/strict";
import { planWave } from "../../activities/picking/create-wave.js";
import { adjustDirectly } from "../../activities/stock/adjustments.js";
import { takeBatchId } from "../../src/picking/queries.js";
import { connect, databaseUnavailable, disconnect, transaction } from "../../src/platform/db/db.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { type LossyProxy, type Moment, openProxy } from "../support/proxy.js";
import { openService, type TestService } from "../support/service.js";
import { actor } from "../support/walk.js";

describe("a command whose connection is lost", () => {
  let service: TestService;
  let proxy: LossyProxy;
  let picker: Caller;
  let warehouse_id: number;
  let bin_id: number;
  let goods: { item_id: number };
  before(async () => {
    service = await openService();
    await disconnect();
    proxy = await openProxy(service.config.databaseUrl);
    connect(proxy.url, 4);
    picker = await service.user();
    warehouse_id = await warehouse();
    bin_id = await bin(warehouse_id);
    goods = await item();
    await stock(warehouse_id, bin_id, goods.item_id, 100);
  });
  after(async () => {
    await service.close();
    await proxy.close();
  });

  it("in the middle tells the same with every further statement", async () => {
    const broken = transaction(async (tx) => {
      await tx.run("select 1");
      proxy.loseAll();
      await assert.rejects(tx.run("select 1"), databaseUnavailable);
      await tx.run("select 1");
    });
    await assert.rejects(broken, databaseUnavailable);
    assert.deepEqual(await db.row("select 1 as there"), { there: 1 });
  });

  const moments: Moment[] = ["before commit", "after commit"];
  for (const moment of moments) {
    it(`${moment} fails, and has happened once after it was asked again`, async () => {
      const by = actor(picker);
      const add = () =>
        adjustDirectly(
          { item_id: goods.item_id, bin_id, warehouse_id, adjustment_type: "ADD", quantity: 5, reason: moment },
          by,
        );
      proxy.loseAt(by.commandId, moment);
      await assert.rejects(add(), databaseUnavailable);
      const done = await add();
      assert.deepEqual(await add(), done);
      const made = await db.rows("select adjustment_id from inventory_adjustments where reason_detail = $1", [moment]);
      assert.deepEqual(made, [{ adjustment_id: done.adjustment_id }]);
      await assertInvariants();
    });

    // As the engine does: the activity again, with all that it was given.
    it(`${moment} of a wave makes that wave once`, async () => {
      const order = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 3 }]);
      const wave = {
        ...{ batchId: await takeBatchId(), warehouseId: warehouse_id },
        ...{ soIds: [order.so_id], excludeSoIds: [], combine: true },
      };
      const by = actor(picker);
      proxy.loseAt(by.commandId, moment);
      await assert.rejects(planWave(wave, by), databaseUnavailable);
      const plan = await planWave(wave, by);
      assert.equal(plan.batch_id, wave.batchId);
      assert.deepEqual(await planWave(wave, by), plan);
      await assertInvariants();
    });
  }
});
