import assert from "node:assert/strict";
import { checkWebhookHealth } from "../../activities/outbound/notifications/health.js";
import { db } from "../support/db.js";
import { warehouse } from "../support/fixtures.js";
import { destination, messagesTo } from "../support/notifications.js";
import { testService } from "../support/service.js";
import { delivery, numberedEvent, subscribe } from "../support/webhooks.js";

const asked = {
  event_filter: ["ceiling_near", "delivery_stalled", "dlq_growth", "subscription_lagging", "subscription_paused"].map(
    (name) => `dispatcher.${name}`,
  ),
};

describe("the state of webhooks", () => {
  const service = testService();
  afterEach(async () => {
    await db.run("delete from notification_webhooks");
    await db.run("delete from webhook_conditions");
    await db.run("update webhook_subscriptions set status = 'revoked', pause_reason = null");
  });

  const check = (thresholds: object = {}) =>
    checkWebhookHealth({
      ...{ dispatcherHealthStalledS: 900, dispatcherHealthDlqGrowth: 3, dispatcherHealthLagEvents: 20_000 },
      ...thresholds,
    });
  const here = async (fields: object = asked): Promise<number> =>
    (await destination(service.admin, await warehouse(), fields)).webhook_id;
  const toldOf = async (webhook_id: number) => (await messagesTo(webhook_id)).map(({ event_type }) => event_type);

  /** A webhook, and how its status is set. */
  async function webhook(fields: object = {}) {
    const { subscription_id } = await subscribe(service.admin, fields);
    const set = (status: string, reason: string | null = null) =>
      db.run("update webhook_subscriptions set status = $2, pause_reason = $3 where subscription_id = $1", [
        ...[subscription_id, status, reason],
      ]);
    return { subscription_id, set };
  }

  it("is told once until it is over, to all who ask for it, in any warehouse", async () => {
    const [one, other] = [await here(), await here()];
    const silent = [await here({}), await here({ ...asked, enabled: false })];
    const { set } = await webhook();
    assert.deepEqual(await check(), { begun: 0, ended: 0 });
    await set("paused", "dlq_ceiling");
    assert.deepEqual(await check(), { begun: 1, ended: 0 });
    assert.deepEqual(await check(), { begun: 0, ended: 0 });
    for (const webhook_id of [one, other])
      assert.deepEqual(await toldOf(webhook_id), ["dispatcher.subscription_paused"]);
    for (const webhook_id of silent) assert.deepEqual(await toldOf(webhook_id), []);
    const message = await db.row<{ facts: object }>("select facts from notifications where webhook_id = $1", [one]);
    assert.deepEqual(message?.facts, { pause_reason: "dlq_ceiling", display_name: "Acme ERP" });
    await set("active");
    assert.deepEqual(await check(), { begun: 0, ended: 1 });
    await set("paused", "pending_ceiling");
    assert.deepEqual(await check(), { begun: 1, ended: 0 });
    assert.equal((await toldOf(one)).length, 2);
    await set("revoked");
    assert.deepEqual(await check(), { begun: 0, ended: 1 });
  });

  it("says nothing of a pause by a person", async () => {
    const webhook_id = await here();
    const { set } = await webhook();
    await set("paused", "manual");
    assert.deepEqual(await check(), { begun: 0, ended: 0 });
    assert.deepEqual(await toldOf(webhook_id), []);
  });

  it("is told to the partner's contact, asked or not, also where a person did it, and to no other", async () => {
    const [contact, other] = [await here({}), await here({})];
    await webhook({ contact_webhook_id: other });
    const { set } = await webhook({ contact_webhook_id: contact });
    for (const reason of ["gone", "manual"]) {
      await set("paused", reason);
      assert.deepEqual(await check(), { begun: 1, ended: 0 });
      await set("active");
      assert.deepEqual(await check(), { begun: 0, ended: 1 });
    }
    assert.deepEqual(await toldOf(contact), Array(2).fill("dispatcher.subscription_paused"));
    assert.deepEqual(await toldOf(other), []);
  });

  it("tells of a webhook before it pauses itself", async () => {
    const [asking, contact] = [await here(), await here({})];
    const { subscription_id } = await webhook({ contact_webhook_id: contact, dlq_ceiling: 10, pending_ceiling: 100 });
    const dead = (count: number) =>
      Promise.all(Array.from({ length: count }, () => delivery(subscription_id, { status: "dlq", age: "2 hours" })));
    await dead(7);
    assert.deepEqual(await check(), { begun: 0, ended: 0 });
    await dead(1);
    assert.deepEqual(await check(), { begun: 1, ended: 0 });
    for (const one of [asking, contact]) assert.deepEqual(await toldOf(one), ["dispatcher.ceiling_near"]);
    const message = await db.row<{ facts: object }>("select facts from notifications where webhook_id = $1", [contact]);
    assert.deepEqual(message?.facts, {
      ...{ display_name: "Acme ERP", waiting: 0, given_up: 8, pending_ceiling: 100, dlq_ceiling: 10 },
    });
    await db.run("delete from webhook_deliveries where subscription_id = $1", [subscription_id]);
    assert.deepEqual(await check(), { begun: 0, ended: 1 });
    await Promise.all(Array.from({ length: 80 }, () => delivery(subscription_id, { status: "pending" })));
    assert.deepEqual(await check(), { begun: 1, ended: 0 });
  });

  it("tells of an event that fails for long, and not of one that only waits", async () => {
    const webhook_id = await here();
    const { subscription_id } = await webhook();
    await delivery(subscription_id, { status: "pending", age: "20 minutes" });
    assert.deepEqual(await check(), { begun: 0, ended: 0 });
    await db.run("delete from webhook_deliveries");
    const first = await delivery(subscription_id, { status: "failed", age: "20 minutes" });
    const retry = await delivery(subscription_id, { status: "pending", attempt_number: 2 });
    await db.run("update webhook_deliveries set first_delivery_id = $1 where delivery_id = $2", [first, retry]);
    assert.deepEqual(await check({ dispatcherHealthStalledS: 1_800 }), { begun: 0, ended: 0 });
    assert.deepEqual(await check(), { begun: 1, ended: 0 });
    assert.deepEqual(await toldOf(webhook_id), ["dispatcher.delivery_stalled"]);
  });

  it("tells of dead letters of the last hour, from the threshold on", async () => {
    const webhook_id = await here();
    const { subscription_id } = await webhook();
    for (let n = 0; n < 2; n++) await delivery(subscription_id, { status: "dlq" });
    await delivery(subscription_id, { status: "dlq", age: "2 hours" });
    assert.deepEqual(await check(), { begun: 0, ended: 0 });
    await delivery(subscription_id, { status: "dlq" });
    assert.deepEqual(await check(), { begun: 1, ended: 0 });
    assert.deepEqual(await toldOf(webhook_id), ["dispatcher.dlq_growth"]);
  });

  it("tells of a webhook that is far behind", async () => {
    const webhook_id = await here();
    await webhook();
    for (let n = 0; n < 3; n++) await numberedEvent();
    assert.deepEqual(await check(), { begun: 0, ended: 0 });
    assert.deepEqual(await check({ dispatcherHealthLagEvents: 3 }), { begun: 1, ended: 0 });
    assert.deepEqual(await toldOf(webhook_id), ["dispatcher.subscription_lagging"]);
  });
});
