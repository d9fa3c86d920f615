import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { startMissing } from "../../workers/reconcile.js";
import { db } from "../support/db.js";
import { auditMark, auditSince } from "../support/records.js";
import { returnsDesk } from "../support/returns.js";
import { until } from "../support/until.js";

describe("a return that nobody touched for the days of setting returns_expire_days", () => {
  const { at, create, receive, expected, headerOf, receivedOf } = returnsDesk();

  const set = (days: string) =>
    at().service.admin.ok("PUT", "/api/admin/settings", { settings: { returns_expire_days: days } });
  afterEach(() => set("0"));
  const touched = (so_id: number, days: number) =>
    db.run("update sales_orders set updated_at = now() - $2 * interval '1 day' where so_id = $1", [so_id, days]);
  const reconcile = () => startMissing(temporalClient(), at().service.config);
  const handleOf = (so_id: number) => temporalClient().workflow.getHandle(`rma-${so_id}`);
  const hasEnded = async (so_id: number) => (await handleOf(so_id).describe()).status.name === "COMPLETED";
  const endOf = async (so_id: number) => {
    await until(async () => {
      await reconcile();
      return hasEnded(so_id);
    });
    return ((await handleOf(so_id).result()) as { ended: string }).ended;
  };

  it("is voided where nothing came, and what it named may be returned anew", async () => {
    const { so_id, so_number, item_id, original } = await expected(5);
    await touched(so_id, 31);
    const mark = await auditMark();
    await set("30");
    assert.equal(await endOf(so_id), "voided");
    const [row] = (await auditSince(mark)).filter(({ entity_id }) => entity_id === so_id);
    assert.deepEqual(
      [row?.action_type, row?.user_id, row?.warehouse_id, row?.details],
      ["RETURN_VOID", "system", at().here, { so_number, reason: "nothing came for 30 days" }],
    );
    assert.equal((await receive(so_id, item_id, 1)).status, 400);
    assert.equal((await create(original.so_id, [{ item_id, quantity: 5 }])).status, 201);
  });

  it("is received where a part came, and its rest is closed", async () => {
    const { so_id, so_number, item_id, sku, original } = await expected(5);
    await receive(so_id, item_id, 2);
    await touched(so_id, 31);
    const mark = await auditMark();
    await set("30");
    assert.equal(await endOf(so_id), "received");
    const [row] = (await auditSince(mark)).filter(({ entity_id }) => entity_id === so_id);
    const so_line_id = await db.value("select so_line_id from sales_order_lines where so_id = $1", [so_id]);
    const released = [{ so_line_id, item_id, sku, quantity: 3 }];
    assert.deepEqual(
      [row?.action_type, row?.user_id, row?.details],
      ["RETURN_CLOSE", "system", { so_number, released, reason: "nothing came for 30 days" }],
    );
    assert.deepEqual([(await headerOf(so_id)).status, await receivedOf(so_id)], ["RECEIVED", [2]]);
    assert.equal((await create(original.so_id, [{ item_id, quantity: 3 }])).status, 201);
  });

  it("waits on where it was touched since, where the setting is never, and where it was paid back", async () => {
    const [overdue, recent, paid] = [await expected(3), await expected(3), await expected(3)];
    await touched(overdue.so_id, 3000);
    await reconcile();
    assert.equal((await headerOf(overdue.so_id)).status, "OPEN");
    await db.run("update sales_orders set refund_so_id = $2 where so_id = $1", [paid.so_id, paid.original.so_id]);
    for (const { so_id } of [recent, paid]) await touched(so_id, 31);
    await receive(recent.so_id, recent.item_id, 1);
    await touched(paid.so_id, 31);
    await set("30");
    await endOf(overdue.so_id);
    await handleOf(recent.so_id).signal("overdue");
    await handleOf(paid.so_id).signal("overdue");
    assert.equal((await receive(recent.so_id, recent.item_id, 1)).status, 200);
    for (const { so_id } of [recent, paid]) assert.equal(await hasEnded(so_id), false);
    assert.equal((await receive(paid.so_id, paid.item_id, 1)).status, 200);
  });

  it("ends within its days by a clock that runs on", async () => {
    const { so_id } = await expected(2);
    await touched(so_id, 0.00009);
    await set("0.0001");
    assert.equal(await endOf(so_id), "voided");
  });

  it("is found when its workflow is lost", async () => {
    const { so_id } = await expected(2);
    await touched(so_id, 31);
    await handleOf(so_id).terminate("lost");
    await set("30");
    assert.equal(await endOf(so_id), "voided");
  });
});
