import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { unseal } from "../../src/auth/sealed.js";
import { urlOwner } from "../../src/outbound/secrets.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { warehouse } from "../support/fixtures.js";
import { destination, messagesTo, NOTIFICATIONS } from "../support/notifications.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { publicUrl } from "../support/webhooks.js";

describe("notification destinations", () => {
  const service = testService();
  let warehouse_id: number;
  let user: Caller;
  beforeEach(async () => {
    warehouse_id = await warehouse();
    user = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["notifications"] });
  });

  const stored = (webhook_id: number) =>
    db.row<{ url_sealed: string; secret_sealed: string | null }>(
      "select url_sealed, secret_sealed from notification_webhooks where webhook_id = $1",
      [webhook_id],
    );
  const auditsOf = (webhook_id: number) =>
    db.rows<{ action_type: string; warehouse_id: number; details: object }>(
      `select action_type, warehouse_id, details from audit_log
       where entity_type = 'NOTIFICATION_WEBHOOK' and entity_id = $1 order by log_id`,
      [webhook_id],
    );

  it("are made with the defaults of the interface, and show the host alone", async () => {
    const url = `https://93.184.216.34/secret-${randomUUID()}?sig=${randomUUID()}`;
    const made = await user.post(NOTIFICATIONS, { warehouse_id, url });
    assert.equal(made.status, 201);
    const { webhook_id, created_at, warehouse_code, ...rest } = made.body;
    assert.deepEqual(rest, {
      ...{ warehouse_id, channel_kind: "teams", host_preview: "93.184.216.34", enabled: true },
      event_filter: ["backorder.opened", "backorder.fulfillable"],
    });
    assert.ok(created_at);
    const { notification_webhooks } = await user.ok("GET", `${NOTIFICATIONS}?warehouse_id=${warehouse_id}`);
    assert.deepEqual(notification_webhooks, [made.body]);
    const { url_sealed = "" } = (await stored(webhook_id)) ?? {};
    assert.equal(unseal(url_sealed, urlOwner(webhook_id), service.config), url);
    const [row] = await auditsOf(webhook_id);
    assert.deepEqual([row?.action_type, row?.warehouse_id], ["NOTIFICATION_WEBHOOK_CREATE", warehouse_id]);
    const everywhere = await db.row<{ leaks: number }>(
      `select (select count(*) from audit_log where details::text like '%secret-%')
            + (select count(*) from command_log where answer::text like '%secret-%') as leaks`,
    );
    assert.equal(everywhere?.leaks, 0);
  });

  it("are changed, get another URL and are deleted, each with its audit row", async () => {
    const { webhook_id } = await destination(user, warehouse_id);
    const path = `${NOTIFICATIONS}/${webhook_id}`;
    const changed = await user.ok("PATCH", path, { enabled: false, event_filter: ["backorder.cancelled"] });
    assert.deepEqual([changed.enabled, changed.event_filter], [false, ["backorder.cancelled"]]);
    const before = await stored(webhook_id);
    const rotated = await user.ok("POST", `${path}/rotate-url`, { url: "https://93.184.216.35/new" });
    assert.equal(rotated.host_preview, "93.184.216.35");
    assert.notEqual((await stored(webhook_id))?.url_sealed, before?.url_sealed);
    assert.equal((await user.delete(path)).status, 200);
    assert.equal((await user.delete(path)).status, 404);
    assert.deepEqual(
      (await auditsOf(webhook_id)).map(({ action_type }) => action_type.replace("NOTIFICATION_WEBHOOK_", "")),
      ["CREATE", "UPDATE", "ROTATE_URL", "DELETE"],
    );
  });

  it("drop what waits when they are switched off", async () => {
    const { webhook_id } = await destination(user, warehouse_id);
    await db.run(
      `insert into notifications (webhook_id, event_type, facts, occurred_at)
       values ($1, 'backorder.opened', '{}', now())`,
      [webhook_id],
    );
    await user.ok("PATCH", `${NOTIFICATIONS}/${webhook_id}`, { event_filter: ["backorder.opened"] });
    assert.deepEqual(pluck(await messagesTo(webhook_id), "status"), ["pending"]);
    await user.ok("PATCH", `${NOTIFICATIONS}/${webhook_id}`, { enabled: false });
    assert.deepEqual(pluck(await messagesTo(webhook_id), "status"), ["stopped"]);
  });

  it("refuse what is no URL, not HTTPS, or not on the public internet", async () => {
    const refused = async (url: string) => {
      const { status, body } = await user.post(NOTIFICATIONS, { warehouse_id, url });
      return [status, body.error];
    };
    assert.deepEqual(await refused("http://93.184.216.34/x"), [400, "https_required"]);
    assert.deepEqual(await refused("https://127.0.0.1/x"), [400, "private_destination"]);
    assert.deepEqual(await refused("https://169.254.169.254/x"), [400, "private_destination"]);
    assert.match(`${(await refused("ftp://93.184.216.34/x"))[1]}`, /scheme/);
    assert.deepEqual(await refused("https://user:word@93.184.216.34/x"), [400, "validation_error"]);
    assert.deepEqual(await refused("no url"), [400, "validation_error"]);
    const { webhook_id } = await destination(user, warehouse_id);
    for (const [url, code] of [
      ["https://10.0.0.1/x", "private_destination"],
      ["http://93.184.216.34/x", "https_required"],
      ["ftp://93.184.216.34/x", "unsupported_scheme"],
    ]) {
      const rotate = await user.post(`${NOTIFICATIONS}/${webhook_id}/rotate-url`, { url });
      assert.deepEqual([rotate.status, rotate.code], [400, code]);
    }
  });

  it("refuse unknown events, none at all, unknown kinds and unknown warehouses", async () => {
    const status = async (fields: object) =>
      (await service.admin.post(NOTIFICATIONS, { warehouse_id, url: publicUrl(), ...fields })).status;
    assert.equal(await status({ event_filter: [] }), 400);
    assert.equal(await status({ event_filter: ["ship.confirmed"] }), 400);
    assert.equal(await status({ channel_kind: "slack" }), 400);
    assert.equal(await status({ surprise: 1 }), 400);
    const unknown = await service.admin.post(NOTIFICATIONS, { warehouse_id: 2_000_000_000, url: publicUrl() });
    assert.deepEqual([unknown.status, unknown.body.error], [400, "Warehouse 2000000000 not found"]);
  });

  it("belong to their warehouses, and only who sees all webhooks is told of them", async () => {
    const elsewhere = await warehouse();
    const { webhook_id } = await destination(service.admin, elsewhere);
    const path = `${NOTIFICATIONS}/${webhook_id}`;
    assert.equal((await user.post(NOTIFICATIONS, { warehouse_id: elsewhere, url: publicUrl() })).status, 403);
    assert.equal((await user.get(`${NOTIFICATIONS}?warehouse_id=${elsewhere}`)).status, 403);
    assert.deepEqual((await user.ok("GET", NOTIFICATIONS)).notification_webhooks, []);
    for (const [method, rest, body] of [
      ["PATCH", "", { enabled: false }],
      ["POST", "/rotate-url", { url: publicUrl() }],
      ["POST", "/test-send", {}],
      ["DELETE", "", undefined],
    ] as const)
      assert.equal((await user.call(method, path + rest, body)).status, 404, method + rest);
    const health = { event_filter: ["dispatcher.dlq_growth"] };
    assert.equal((await user.post(NOTIFICATIONS, { warehouse_id, url: publicUrl(), ...health })).status, 403);
    const own = await destination(user, warehouse_id);
    assert.equal((await user.patch(`${NOTIFICATIONS}/${own.webhook_id}`, health)).status, 403);
    assert.equal((await service.admin.patch(`${NOTIFICATIONS}/${own.webhook_id}`, health)).status, 200);
  });
});
