import assert from "node:assert/strict";
import { transaction } from "../../src/platform/db/db.js";
import { startApi } from "../support/api-process.js";
import { db } from "../support/db.js";
import { stockOf } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { waitingForLocks } from "../support/queued-behind-lock.js";
import { endRole, killRoles } from "../support/roles.js";
import { openService, type TestService } from "../support/service.js";
import { checkOut, openShop, orders, PATIENT, saleOf } from "../support/till.js";
import { until } from "../support/until.js";

describe("a till whose API process is killed in the midst of a sale", function () {
  this.timeout(120_000);
  let service: TestService;
  before(async () => {
    service = await openService();
  });
  after(async () => {
    killRoles();
    await service.close();
  });

  /**
   * Kills the API that a sale was sent to while the sale waits for this lock; gives what asking again elsewhere says.
   */
  async function soldThrough(lock: string, shop: Awaited<ReturnType<typeof openShop>>) {
    const { caller, api } = await startApi(service.config.databaseUrl, service.config.tokenPepper, PATIENT);
    const sale = saleOf(shop);
    const before = await orders();
    await transaction(async (tx) => {
      await tx.run(lock);
      const lost = assert.rejects(checkOut(caller.with(shop.till.headers), sale));
      await until(async () => (await waitingForLocks()) === 1);
      await endRole(api, "SIGKILL");
      await lost;
    });
    const answers = await Promise.all([checkOut(shop.till, sale), checkOut(shop.till, sale)]);
    for (const answer of answers) assert.deepEqual([answer.status, answer.body], [200, answers[0]?.body]);
    assert.equal(await orders(), before + 1);
    assert.deepEqual(await stockOf(shop.inventory_id), { on_hand: 9, allocated: 0 });
    const audits = await db.rows("select from audit_log where details->>'idempotency_key' = $1", [
      sale.idempotency_key,
    ]);
    assert.equal(audits.length, 1);
    await assertInvariants();
    return answers.map(({ headers }) => headers.get("x-idempotent-replay"));
  }

  it("sells once where nothing was committed", async () => {
    const shop = await openShop(service);
    const replays = await soldThrough(
      `select from inventory where inventory_id = ${shop.inventory_id} for update`,
      shop,
    );
    assert.deepEqual(replays.sort(), ["true", null].sort());
  });

  it("gets the answer of a sale that was committed after the process was gone", async () => {
    const shop = await openShop(service);
    assert.deepEqual(await soldThrough("lock audit_log in share mode", shop), ["true", "true"]);
  });
});
