import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { startMissing } from "../../workers/reconcile.js";
import { pushingShop, TOKEN } from "../support/pushes.js";
import { until } from "../support/until.js";
import { listedAs } from "../support/workflow-environment.js";

describe("the workflow of a push to a shop", () => {
  const shops = pushingShop();
  const { at, shipped, reached, newest, workflowOf, held } = shops;

  it("gives the push up when it is cancelled in the Temporal UI, after the attempt that is under way", async () => {
    shops.shop.usual = () => ({ status: 422 });
    const answer = held("GET");
    const { so_id } = await shipped();
    await until(() => shops.shop.requests.length > 0, 30_000);
    const push = await newest(so_id);
    await workflowOf(push).cancel();
    answer();
    await assert.rejects(workflowOf(push).result());
    await reached(so_id, "ship failed");
    const { status, outcome } = await listedAs(workflowOf(push));
    assert.deepEqual([status, outcome, shops.shop.requests.length], ["CANCELLED", "cancelled", 1]);
    const [audit] = await at.auditsOf(so_id, "FULFILLMENT_PUSH_GIVE_UP");
    assert.equal(audit?.user_id, "system");
    assert.equal((await newest(so_id)).last_error, "Given up in the Temporal UI");
  });

  it("is started again by the job reconcile where Temporal lost it, and the shop has the shipment once", async () => {
    const answer = held("POST");
    const { so_id, order_id } = await shipped();
    await until(() => shops.shop.requests.some(({ method }) => method === "POST"), 30_000);
    const lost = workflowOf(await newest(so_id));
    const { runId } = await lost.describe();
    await lost.terminate("lost");
    // It begins while the request of the lost one is under way, and waits for that.
    await until(async () => {
      await startMissing(temporalClient(), at.service.config);
      return (await lost.describe()).runId !== runId;
    }, 30_000);
    answer();
    await reached(so_id, "ship pushed");
    assert.deepEqual(await lost.result(), { push_id: (await newest(so_id)).push_id, ended: "pushed" });
    assert.equal(shops.shop.of(order_id).length, 1);
  });

  it("tells nobody the credentials: its history and the row are without", async () => {
    shops.shop.usual = () => ({ status: 400, body: { error: `token ${TOKEN} is wrong` } });
    const { so_id } = await shipped();
    await reached(so_id, "ship failed");
    const push = await newest(so_id);
    assert.equal(push.last_error, "The source answered with HTTP status 400: token *** is wrong");
    await assert.rejects(workflowOf(push).result());
    const { events } = await workflowOf(push).fetchHistory();
    const texts = (events ?? []).map((event) =>
      JSON.stringify(event, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value)),
    );
    assert.ok(texts.some((text) => text.includes("is wrong")));
    for (const text of texts) assert.ok(!text.includes(TOKEN), text);
  });
});
