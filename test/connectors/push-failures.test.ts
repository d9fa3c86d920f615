import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { pushWorkflowId } from "../../src/connectors/pushes/push.js";
import type { FulfillmentPush } from "../../src/connectors/pushes/shapes.js";
import { startMissing } from "../../workers/reconcile.js";
import { breaking } from "../support/breaking.js";
import { db } from "../support/db.js";
import { pluck } from "../support/pluck.js";
import { PUSHES, pushesOf, pushingShop } from "../support/pushes.js";
import { until } from "../support/until.js";
import { detailsOf, listedAs, refusalOf } from "../support/workflow-environment.js";

const failing = (status = 422, error = "no such order") => ({ status, body: { error } });

describe("pushes to a shop that fail", () => {
  const shops = pushingShop();
  const { at, login, startPushing, stopPushing, packed, shipped, reached, newest, workflowOf, held } = shops;
  const told = (order_id: string) => shops.shop.of(order_id);
  const failNext = (times: number) => shops.shop.answerNext(...Array(times).fill(failing()));
  const retry = ({ push_id }: FulfillmentPush, by = at.service.admin) => by.post(`${PUSHES}/${push_id}/retry`);

  it("twice are pushed by the third attempt, after waits that can be read", async () => {
    shops.shop.answerNext(failing(), failing(500));
    const { so_id, order_id } = await shipped();
    await reached(so_id, "ship pushed");
    const push = await newest(so_id);
    assert.deepEqual([push.attempts, push.last_error, told(order_id).length], [3, null, 1]);
    const { events } = await workflowOf(push).fetchHistory();
    const timers = (events ?? []).filter((event) => event.timerStartedEventAttributes);
    assert.equal(timers.length, 2);
  });

  it("three times are failed, listed with the reason, and pushed once somebody asks for it", async () => {
    failNext(3);
    const { so_id, so_number, order_id } = await shipped();
    await reached(so_id, "ship failed");
    const push = await newest(so_id);
    const why = "The source answered with HTTP status 422: no such order";
    assert.deepEqual([push.attempts, push.last_error], [3, why]);
    assert.equal(
      await refusalOf(workflowOf(push).result()),
      `test-shop was not told of the shipment of ${so_number}: ${why}`,
    );
    assert.deepEqual(await listedAs(workflowOf(push)), { status: "FAILED", stage: "ended", outcome: "failed" });
    assert.match(await detailsOf(workflowOf(push)), /has ended: failed\n.*no such order\n.*tried again: POST/);

    const { service, here, elsewhere } = at;
    const page_keys = ["integrations"];
    const [mine, others] = [
      await service.user({ warehouse_ids: [here], page_keys }),
      await service.user({ warehouse_ids: [elsewhere], page_keys }),
    ];
    const failed = await mine.ok("GET", `${PUSHES}?status=failed`);
    assert.equal(failed.pushes[0].last_error, why);
    assert.deepEqual((await others.ok("GET", PUSHES)).pushes, []);
    assert.equal((await others.get(`${PUSHES}?warehouse_id=${here}`)).status, 403);
    assert.equal((await retry(push, others)).code, "push_not_found");

    const again = await retry(push, mine);
    assert.deepEqual([again.status, again.body.status, again.body.completed_at], [202, "pending", null]);
    assert.equal(again.headers.get("x-service-workflow-id"), pushWorkflowId(push.push_id));
    await reached(so_id, "ship pushed");
    assert.equal(told(order_id).length, 1);
    assert.equal((await newest(so_id)).attempts, 4);
    const refused = await retry(push, mine);
    assert.deepEqual([refused.status, refused.code], [409, "push_not_failed"]);
    const audits = await at.auditsOf(so_id, "FULFILLMENT_PUSH%");
    assert.deepEqual(
      audits.map(({ user_id, details }) => [user_id, details.status ?? "retry"]),
      [
        ["system", "failed"],
        [mine.username, "retry"],
        ["system", "pushed"],
      ],
    );
  });

  it("after the shop took them are pushed once: the connector looks first", async () => {
    const { shop } = shops;
    const { usual } = shop;
    shop.usual = async (request) => {
      const answer = await usual(request);
      if (request.method !== "POST") return answer;
      shop.usual = usual;
      return failing(500, "the answer was lost");
    };
    const { so_id, order_id } = await shipped();
    await reached(so_id, "ship pushed");
    assert.deepEqual(pluck(told(order_id), "id"), [(await newest(so_id)).external_id]);
  });

  it("for a fault of ours hold back the void, and are made once that is mended", async () => {
    const reconcile = () => startMissing(temporalClient(), { ...at.service.config, dispatcherEnabled: true });
    failNext(1);
    const { so_id, so_number, order_id } = await packed();
    await breaking("fulfillment_pushes", "attempts < 2", async () => {
      assert.equal((await at.ship(so_number)).status, 200);
      await reached(so_id, "ship pending");
      const workflow = workflowOf(await newest(so_id));
      const failed = async () => (await workflow.describe().catch(() => undefined))?.status.name === "FAILED";
      await until(failed);
      assert.match(await refusalOf(workflow.result()), /^test-shop has not been told of the shipment of .*"broken"/);
      await at.voidShip(so_number);
      await reached(so_id, "ship pending", "void pending");
      const { runId } = await workflow.describe();
      await reconcile();
      await until(async () => (await workflow.describe()).runId !== runId && (await failed()));
      await reached(so_id, "ship pending", "void pending");
    });
    await reconcile();
    await reached(so_id, "ship pushed", "void pushed");
    assert.deepEqual(pluck(told(order_id), "cancelled"), [true]);
  });

  it("for good leave nothing to void, and cannot be tried again once the shipment is void", async () => {
    failNext(3);
    const { so_id, so_number, order_id } = await shipped();
    await reached(so_id, "ship failed");
    await at.voidShip(so_number);
    await reached(so_id, "ship failed", "void skipped");
    const [ship, void_] = (await pushesOf(so_id)) as [FulfillmentPush, FulfillmentPush];
    assert.deepEqual([void_.attempts, void_.last_error], [0, "The shipment itself was never pushed"]);
    assert.equal(((await workflowOf(void_).result()) as { ended: string }).ended, "skipped");
    assert.deepEqual([(await retry(ship)).code, told(order_id)], ["shipment_voided", []]);
  });

  it("hold back the void until they ended, and are made although the shipment is void", async () => {
    const answer = held("POST");
    const { so_id, so_number, order_id } = await shipped();
    await until(() => shops.shop.requests.some(({ method }) => method === "POST"), 30_000);
    await at.voidShip(so_number);
    await reached(so_id, "ship pending", "void pending");
    answer();
    await reached(so_id, "ship pushed", "void pushed");
    assert.deepEqual(pluck(told(order_id), "cancelled"), [true]);
  });

  it("are not made where the shipment is void before the first attempt, nor while nothing is sent", async () => {
    await stopPushing();
    startPushing(false);
    const { so_id, so_number, order_id } = await shipped();
    await reached(so_id, "ship pending");
    await at.voidShip(so_number);
    await reached(so_id, "ship pending", "void pending");
    await stopPushing();
    startPushing();
    await reached(so_id, "ship skipped", "void skipped");
    assert.deepEqual(told(order_id), []);
  });

  it("say that credentials are gone, that the connector is, or that the source is left alone", async () => {
    const failedFor = async (why: RegExp) => {
      const { so_id } = await shipped();
      await reached(so_id, "ship failed");
      assert.match(String((await newest(so_id)).last_error), why);
    };
    await db.run("delete from connector_credentials");
    await failedFor(/^No credentials of test-shop are stored for this warehouse$/);
    await login();
    await db.run(
      `insert into connector_circuits (connector_name, warehouse_id, failures, open_until)
       values ('test-shop', $1, 5, now() + interval '1 hour')`,
      [at.here],
    );
    const waiting = await shipped();
    await until(
      async () => /is not asked again before/.test(String((await newest(waiting.so_id))?.last_error)),
      30_000,
    );
    await reached(waiting.so_id, "ship pending");
    assert.equal((await newest(waiting.so_id)).attempts, 0);

    await stopPushing();
    startPushing(false);
    const { so_id } = await shipped();
    await reached(so_id, "ship pending");
    await db.run("update fulfillment_pushes set connector_name = 'gone-shop' where so_id = $1", [so_id]);
    await stopPushing();
    startPushing();
    await reached(so_id, "ship failed");
    assert.equal(
      (await newest(so_id)).last_error,
      "This worker has no connector gone-shop that can be told of shipments",
    );
  });

  it("for a shop that is away, or asks to wait, go on by themselves, whatever the number", async () => {
    const { shop } = shops;
    shop.answerNext(
      ...Array(4).fill({ status: 503, body: { error: "away" } }),
      ...Array(12).fill({ status: 429, headers: { "retry-after": "0" }, body: { error: "not so fast" } }),
      (response) => void response.socket?.destroy(),
    );
    const { so_id, order_id } = await shipped();
    await reached(so_id, "ship pushed");
    assert.ok((await newest(so_id)).attempts > 3);
    assert.equal(told(order_id).length, 1);
  });

  it("for a shop that is away for a day have failed", async () => {
    await stopPushing();
    startPushing(false);
    const { so_id } = await shipped();
    await reached(so_id, "ship pending");
    await db.run("update fulfillment_pushes set created_at = now() - interval '25 hours' where so_id = $1", [so_id]);
    const { push_id } = await newest(so_id);
    shops.shop.usual = () => ({ status: 500, body: { error: "away" } });
    await db.run("update fulfillment_pushes set started_at = created_at where push_id = $1", [push_id]);
    await startMissing(temporalClient(), { ...at.service.config, dispatcherEnabled: true });
    await reached(so_id, "ship failed");
    assert.match(String((await newest(so_id)).last_error), /HTTP status 500: away$/);
    await stopPushing();
    startPushing();
  });

  it("are tried again all together", async () => {
    const { service, here, elsewhere } = at;
    const all = (by = service.admin, body: object = { warehouse_id: here }) => by.post(`${PUSHES}/retry`, body);
    failNext(6);
    const orders = [await shipped(), await shipped()];
    for (const { so_id } of orders) await reached(so_id, "ship failed");
    const user = await service.user({ warehouse_ids: [elsewhere], page_keys: ["integrations"] });
    assert.equal((await all(user)).status, 403);
    assert.equal((await all(service.admin, { warehouse_id: 99_999_999 })).code, "warehouse_not_found");
    assert.equal((await all(service.admin, { warehouse_id: here, connector: "one-way-shop" })).body.retried, 0);
    const { status, body } = await all();
    assert.deepEqual([status, body.warehouse_id, body.more], [202, here, false]);
    assert.ok(body.retried >= 2);
    for (const { so_id } of orders) await reached(so_id, "ship pushed");
  });

  it("are no voids of a connector that cannot take back", async () => {
    const { so_id, so_number } = await shipped("one-way-shop");
    await reached(so_id, "ship pushed");
    await at.voidShip(so_number);
    await reached(so_id, "ship pushed", "void skipped");
    assert.equal((await newest(so_id)).last_error, "one-way-shop cannot take back what was pushed");
  });
});
