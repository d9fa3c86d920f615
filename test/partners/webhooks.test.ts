import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { logged } from "../support/log.js";
import { partnerCaller } from "../support/partners.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import {
  connector,
  delivery,
  numberedEvent,
  WEBHOOKS as OF_ADMINS,
  publicUrl,
  subscribe,
  waiting,
} from "../support/webhooks.js";

const WEBHOOKS = "/api/partner/webhooks";
const NOBODY = "00000000-0000-4000-8000-000000000000";

describe("a partner's webhooks", () => {
  const service = testService({
    worker: true,
    env: { DISPATCHER_ENABLED: "false", DISPATCHER_REPLAY_BATCH_HARD_CAP: "2" },
  });
  const event_types = ["ship.confirmed", "pick.confirmed"];
  const opened = async (fields = {}) => {
    const connector_id = await connector();
    const warehouse_id = await fixtures.warehouse();
    const scope = { warehouse_ids: [warehouse_id], event_types };
    return { connector_id, warehouse_id, ...(await partnerCaller(service, { connector_id, ...scope, ...fields })) };
  };
  const asked = (fields = {}) => ({ display_name: "Acme ERP", delivery_url: publicUrl(), ...fields });

  it("are made for events of the link, from now on, with a secret and a key that are shown", async () => {
    const { caller, warehouse_id, connector_id, partner_link_id } = await opened();
    const mark = await auditMark();
    const made = await caller.ok("POST", WEBHOOKS, asked({ signature: "ed25519", event_types: ["ship.confirmed"] }));
    assert.match(made.secret, /^whsec_.{44}$/);
    const x = Buffer.from(made.public_key.slice("whpk_".length), "base64").toString("base64url");
    assert.ok(createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }));
    const { webhooks } = await caller.ok("GET", WEBHOOKS);
    const [webhook] = webhooks;
    assert.deepEqual(
      [webhooks.length, webhook.subscription_filter, webhook.public_keys],
      [1, { event_types: ["ship.confirmed"], warehouse_ids: [warehouse_id] }, [made.public_key]],
    );
    for (const name of ["connector_id", "contact_webhook_id", "secret"]) assert.ok(!(name in webhook), name);
    const [row] = await auditSince(mark);
    assert.deepEqual(
      [row?.action_type, row?.user_id],
      ["WEBHOOK_SUBSCRIPTION_CREATE", `system:partner_link:${partner_link_id}`],
    );
    assert.equal((await service.admin.ok("GET", `${OF_ADMINS}/${made.subscription_id}`)).connector_id, connector_id);
    const all = await caller.ok("POST", WEBHOOKS, asked());
    const [newest] = (await caller.ok("GET", WEBHOOKS)).webhooks;
    assert.deepEqual(
      [newest.subscription_id, newest.subscription_filter],
      [all.subscription_id, { event_types, warehouse_ids: [warehouse_id] }],
    );
  });

  it("reach no further than the link, nor into the network of the house", async () => {
    const { caller } = await opened();
    const codeOf = async (fields: object) => {
      const { body, code } = await caller.post(WEBHOOKS, asked(fields));
      return code ?? body.error;
    };
    for (const fields of [{ warehouse_ids: [1] }, { event_types: ["receipt.completed"] }])
      assert.equal(await codeOf(fields), "not_in_partner_link");
    const none = await opened({ event_types: [] });
    assert.equal((await none.caller.post(WEBHOOKS, asked())).code, "not_in_partner_link");
    const nowhere = await opened({ warehouse_ids: [] });
    assert.equal((await nowhere.caller.post(WEBHOOKS, asked())).code, "not_in_partner_link");
    const { subscription_id } = await caller.ok("POST", WEBHOOKS, asked());
    const gone = await subscribe(service.admin);
    await service.admin.ok("DELETE", `${OF_ADMINS}/${gone.subscription_id}?purge=true`);
    for (const [delivery_url, code] of [
      ["https://127.0.0.1/hook", "private_destination"],
      ["https://169.254.169.254/latest", "private_destination"],
      ["http://93.184.216.34/hook", "https_required"],
      ["ftp://93.184.216.34/hook", "unsupported_scheme"],
      [gone.delivery_url, "url_reuse_tombstone"],
    ]) {
      assert.equal(await codeOf({ delivery_url }), code);
      const changed = await caller.patch(`${WEBHOOKS}/${subscription_id}`, { delivery_url });
      assert.equal(changed.code ?? changed.body.error, code);
    }
    for (const fields of [{ connector_id: "other" }, { pending_ceiling: 100 }, { contact_webhook_id: 1 }])
      assert.equal(await codeOf(fields), "validation_error");
  });

  it("are changed, paused, resumed and given new secrets, also those that an admin made", async () => {
    const { caller, connector_id } = await opened();
    const { subscription_id, secret } = await subscribe(service.admin, { connector_id });
    const path = `${WEBHOOKS}/${subscription_id}`;
    const paused = await caller.ok("PATCH", path, { status: "paused", display_name: "New" });
    assert.deepEqual([paused.status, paused.pause_reason, paused.display_name], ["paused", "manual", "New"]);
    assert.equal((await caller.ok("PATCH", path, { status: "active", payload: "thin" })).payload, "thin");
    const rotated = await caller.ok("POST", `${path}/rotate-secret`);
    assert.notEqual(rotated.secret, secret);
    await service.admin.ok("PATCH", `${OF_ADMINS}/${subscription_id}`, { batch: { max_events: 5, max_wait_ms: 100 } });
    assert.equal((await caller.patch(path, { format: "cloudevents-binary" })).body.error, "conflicting_choices");
    await service.admin.ok("DELETE", `${OF_ADMINS}/${subscription_id}`);
    assert.equal((await caller.patch(path, { display_name: "x" })).body.error, "cannot_modify_revoked_subscription");
    assert.equal((await caller.post(`${path}/rotate-secret`)).body.error, "cannot_rotate_revoked_subscription");
    assert.equal((await caller.post(`${path}/test`)).body.error, "cannot_test_revoked_subscription");
    const id = await delivery(subscription_id, { status: "dlq" });
    assert.equal((await caller.post(`${path}/replay/${id}`)).body.error, "cannot_replay_to_revoked_subscription");
    assert.equal((await caller.post(`${path}/replay-batch`)).body.error, "cannot_replay_to_revoked_subscription");
  });

  it("are tested, not twice within ten seconds", async () => {
    const { caller } = await opened();
    const { subscription_id } = await caller.ok("POST", WEBHOOKS, asked());
    const path = `${WEBHOOKS}/${subscription_id}/test`;
    const tested = await caller.ok("POST", path);
    assert.deepEqual([tested.subscription_id, tested.delivered], [subscription_id, false]);
    assert.equal((await caller.post(path)).status, 429);
  });

  it("show their deliveries with what was sent, and send one or a range again", async () => {
    const { caller, connector_id } = await opened();
    const { subscription_id } = await subscribe(service.admin, { connector_id });
    await caller.ok("PATCH", `${WEBHOOKS}/${subscription_id}`, { status: "paused" });
    const event_id = await numberedEvent();
    const dead = { status: "dlq", event_id, http_status: 503, error_kind: "5xx", error_detail: "HTTP 503" } as const;
    const id = await delivery(subscription_id, dead);
    const path = `${WEBHOOKS}/${subscription_id}`;
    const { deliveries } = await caller.ok("GET", `${path}/deliveries?status=dlq`);
    assert.deepEqual(
      deliveries.map((one: { delivery_id: number }) => one.delivery_id),
      [id],
    );
    const shown = await caller.ok("GET", `${path}/deliveries/${id}`);
    assert.deepEqual([shown.http_status, shown.error_kind, shown.body.event_id], [503, "5xx", event_id]);
    const { replayed_delivery_id } = await caller.ok("POST", `${path}/replay/${id}`);
    assert.ok(replayed_delivery_id > id);
    assert.deepEqual(await caller.ok("GET", `${path}/replay-batch`), { count: 1 });
    for (let i = 0; i < 2; i++) await delivery(subscription_id, { ...dead, event_id: await numberedEvent() });
    assert.equal((await caller.post(`${path}/replay-batch`)).body.error, "batch_size_above_hard_cap");
    const filter = { status: "failed" };
    assert.equal((await caller.ok("POST", `${path}/replay-batch`, { filter })).replayed_count, 0);
    assert.equal((await caller.post(`${path}/replay-batch`, { filter })).body.error, "replay_batch_throttled");
  });

  it("attempt at once what waits for its next attempt", async () => {
    const { caller, connector_id } = await opened();
    const { subscription_id } = await subscribe(service.admin, { connector_id });
    const [one] = [await waiting(subscription_id), await waiting(subscription_id), await waiting(subscription_id)];
    const path = `${WEBHOOKS}/${subscription_id}/attempt-now`;
    assert.deepEqual(await caller.ok("POST", path, { delivery_id: one }), { subscription_id, attempts: 1 });
    assert.equal((await caller.post(path, { delivery_id: one })).body.error, "delivery_not_waiting");
    assert.deepEqual(await caller.ok("POST", path, {}), { subscription_id, attempts: 2 });
    const theirs = await subscribe(service.admin);
    const other = await waiting(theirs.subscription_id);
    assert.equal((await caller.post(path, { delivery_id: other })).body.error, "delivery_not_found");
    const elsewhere = await caller.post(`${WEBHOOKS}/${theirs.subscription_id}/attempt-now`, {});
    assert.equal(elsewhere.body.error, "subscription_not_found");
    await caller.ok("PATCH", `${WEBHOOKS}/${subscription_id}`, { status: "paused" });
    assert.equal((await caller.post(path, {})).body.error, "webhook_not_active");
  });

  it("of another connector are not there, and neither are its deliveries, which the security log says", async () => {
    const { caller, partner_link_id } = await opened();
    const own = await caller.ok("POST", WEBHOOKS, asked());
    const theirs = await subscribe(service.admin);
    const id = await delivery(theirs.subscription_id, { status: "dlq", event_id: await numberedEvent() });
    const before = await db.rows("select * from webhook_subscriptions where subscription_id = $1", [
      theirs.subscription_id,
    ]);
    const calls: [string, string][] = [
      ["PATCH", ""],
      ["POST", "/rotate-secret"],
      ["POST", "/test"],
      ["GET", "/deliveries"],
      ["GET", `/deliveries/${id}`],
      ["POST", `/replay/${id}`],
      ["GET", "/replay-batch"],
      ["POST", "/replay-batch"],
    ];
    const lines = await logged("info", async () => {
      for (const [method, rest] of calls)
        for (const subscription of [theirs.subscription_id, NOBODY]) {
          const { status, body } = await caller.call(
            method,
            `${WEBHOOKS}/${subscription}${rest}`,
            method === "GET" ? undefined : {},
          );
          assert.deepEqual([status, body.error], [404, "subscription_not_found"], rest);
        }
      for (const [method, rest] of [
        ["GET", `/deliveries/${id}`],
        ["POST", `/replay/${id}`],
      ] as const) {
        const answer = await caller.call(
          method,
          `${WEBHOOKS}/${own.subscription_id}${rest}`,
          method === "GET" ? undefined : {},
        );
        assert.deepEqual([answer.status, answer.body.error], [404, "delivery_not_found"]);
      }
    });
    const noted = lines.filter(
      ({ event, partnerLinkId }) => event === "not_of_partner" && partnerLinkId === partner_link_id,
    );
    assert.equal(noted.length, calls.length * 2 + 2);
    for (const [method, rest] of calls) {
      const { status } = await caller.call(method, `${WEBHOOKS}/no-uuid${rest}`, method === "GET" ? undefined : {});
      assert.equal(status, 400, rest);
    }
    const after = await db.rows("select * from webhook_subscriptions where subscription_id = $1", [
      theirs.subscription_id,
    ]);
    assert.deepEqual(after, before);
    const seen = JSON.stringify(await caller.ok("GET", WEBHOOKS));
    assert.ok(!seen.includes(theirs.subscription_id));
  });
});
