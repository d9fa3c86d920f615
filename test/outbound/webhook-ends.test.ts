import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { canonicalUrl } from "../../src/outbound/webhooks/canonical-url.js";
import { type Caller, statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import {
  connector,
  deliveriesOf,
  delivery,
  newWebhook,
  publicUrl,
  storedSecrets,
  subscribe,
  WEBHOOKS,
} from "../support/webhooks.js";

const on = (subscription_id: string) => `${WEBHOOKS}/${subscription_id}`;

describe("webhook subscriptions, in time,", () => {
  const service = testService();
  let admin: Caller;
  let mark: number;
  before(async () => {
    admin = service.admin;
  });
  beforeEach(async () => {
    mark = await auditMark();
  });

  const secretsOf = (subscription_id: string) => storedSecrets(subscription_id, service.config);
  const actions = async () => (await auditSince(mark)).map((row) => row.action_type);
  const changedAt = async (subscription_id: string) =>
    (await db.value<string>("select updated_at from webhook_subscriptions where subscription_id = $1", [
      subscription_id,
    ])) as string;

  describe("get a new secret", () => {
    it("while the one before holds for another day", async () => {
      const { subscription_id, secret } = await subscribe(admin);
      const before = await changedAt(subscription_id);
      mark = await auditMark();
      const path = `${on(subscription_id)}/rotate-secret`;
      const { status, body } = await admin.post(path);
      assert.equal(status, 200);
      assert.deepEqual(body, { subscription_id, secret: body.secret, secret_generation: 1 });
      assert.notEqual(body.secret, secret);
      const [newer, older] = await secretsOf(subscription_id);
      assert.deepEqual(newer, { generation: 1, hours: null, secret: body.secret });
      assert.deepEqual([older?.generation, older?.secret], [2, secret]);
      assert.ok((older?.hours ?? 0) > 23.9 && (older?.hours ?? 0) <= 24);
      assert.deepEqual(await actions(), ["WEBHOOK_SECRET_ROTATE"]);
      // Senders go by this.
      assert.ok((await changedAt(subscription_id)) > before);
    });

    it("twice at once, and have two generations", async () => {
      const { subscription_id, secret } = await subscribe(admin);
      const path = `${on(subscription_id)}/rotate-secret`;
      const answers = await Promise.all([...Array.from({ length: 5 }, () => admin.ok("POST", path))]);
      const kept = await secretsOf(subscription_id);
      assert.deepEqual(pluck(kept, "generation"), [1, 2]);
      const shown = answers.map((answer) => answer.secret);
      assert.equal(new Set([secret, ...shown]).size, 6);
      for (const one of kept) assert.ok(shown.includes(one.secret));
    });
  });

  describe("revoked", () => {
    it("end what waits, leave what is being sent, and stay revoked", async () => {
      const { subscription_id } = await subscribe(admin);
      await delivery(subscription_id, { status: "pending" });
      await delivery(subscription_id, { status: "in_flight" });
      await delivery(subscription_id, { status: "dlq" });
      mark = await auditMark();
      const path = on(subscription_id);
      for (const _ of ["first", "again"]) {
        const { status, body } = await admin.delete(path);
        assert.deepEqual([status, body], [200, { subscription_id, purged: false, status: "revoked" }]);
      }
      assert.deepEqual(await actions(), ["WEBHOOK_SUBSCRIPTION_DELETE_SOFT"]);
      assert.deepEqual(pluckAll(await deliveriesOf(subscription_id), "status", "error_kind", "error_detail"), [
        ["failed", "unknown", "The subscription was revoked"],
        ["in_flight", null, null],
        ["dlq", null, null],
      ]);
      const refused = await admin.patch(path, { status: "active" });
      assert.deepEqual([refused.status, refused.body], [400, { error: "cannot_modify_revoked_subscription" }]);
      const rotated = await admin.post(`${path}/rotate-secret`);
      assert.deepEqual([rotated.status, rotated.body], [400, { error: "cannot_rotate_revoked_subscription" }]);
    });

    it("while paused have no reason for it any more", async () => {
      const { subscription_id } = await subscribe(admin);
      await admin.ok("PATCH", on(subscription_id), { status: "paused" });
      await admin.ok("DELETE", on(subscription_id));
      const record = await admin.ok("GET", on(subscription_id));
      assert.deepEqual([record.status, record.pause_reason], ["revoked", null]);
    });
  });

  describe("purged", () => {
    it("take all with them but where they sent to", async () => {
      const made = await subscribe(admin);
      const { subscription_id, connector_id, delivery_url } = made;
      await delivery(subscription_id, { status: "succeeded" });
      mark = await auditMark();
      const purged = await admin.ok("DELETE", `${on(subscription_id)}?purge=true`);
      assert.deepEqual(purged, { subscription_id, purged: true, tombstone_id: purged.tombstone_id });
      assert.deepEqual(
        await db.rows(
          `select subscription_id from webhook_subscriptions where subscription_id = $1
           union all select subscription_id from webhook_secrets where subscription_id = $1
           union all select subscription_id from webhook_deliveries where subscription_id = $1`,
          [subscription_id],
        ),
        [],
      );
      assert.deepEqual(
        await db.row(
          `select subscription_id, delivery_url_at_delete, delivery_url_canonical, connector_id, deleted_by,
            acknowledged_at
           from webhook_subscriptions_tombstones where tombstone_id = $1`,
          [purged.tombstone_id],
        ),
        {
          ...{ subscription_id, delivery_url_at_delete: delivery_url },
          ...{ delivery_url_canonical: delivery_url, connector_id },
          ...{ deleted_by: admin.userId, acknowledged_at: null },
        },
      );
      const [row] = await auditSince(mark);
      assert.equal(row?.action_type, "WEBHOOK_SUBSCRIPTION_DELETE_HARD");
      assert.equal(row?.details.tombstone_id, purged.tombstone_id);
      assert.equal((await admin.get(on(subscription_id))).status, 404);
    });

    for (const status of ["pending", "in_flight"] as const)
      it(`with a delivery ${status} are not`, async () => {
        const { subscription_id } = await subscribe(admin);
        await delivery(subscription_id, { status });
        assert.deepEqual(statusAndBody(await admin.delete(`${on(subscription_id)}?purge=true`)), [
          409,
          {
            ...{ error: "live_deliveries_block_hard_delete", live_count: 1 },
            detail: "Delete it without purge first, and purge it when they ended",
          },
        ]);
        assert.equal((await admin.get(on(subscription_id))).status, 200);
      });

    it("while something is replayed, are gone with it or not at all", async () => {
      const outcomes = new Set<string>();
      for (let round = 0; round < 12; round++) {
        const { subscription_id } = await subscribe(admin);
        const id = await delivery(subscription_id, { status: "dlq" });
        const path = on(subscription_id);
        const [purged, replayed] = await Promise.all([
          admin.delete(`${path}?purge=true`),
          admin.post(`${path}/replay/${id}`),
        ]);
        outcomes.add(`${purged.status} ${replayed.status}`);
        const rows = await deliveriesOf(subscription_id);
        assert.equal(rows.length, purged.status === 200 ? 0 : 2);
      }
      for (const outcome of outcomes) assert.ok(["200 404", "409 201"].includes(outcome), outcome);
    });
  });

  describe("to a URL that a deleted one sent to", () => {
    const purge = async (delivery_url: string) => {
      const { subscription_id } = await subscribe(admin, { delivery_url });
      const path = `${on(subscription_id)}?purge=true`;
      return (await admin.ok("DELETE", path)).tombstone_id as number;
    };
    const known = async (url: string) =>
      db.rows<{ by: number }>(
        `select acknowledged_by as by from webhook_subscriptions_tombstones
         where delivery_url_canonical = $1 and acknowledged_at is not null`,
        [canonicalUrl(url)],
      );

    it("are refused, in whatever spelling, until that is acknowledged", async () => {
      const url = publicUrl();
      const tombstone_id = await purge(url);
      const spelt = `HTTPS://93.184.216.34:443${new URL(url).pathname}/#top`;
      const asked = await newWebhook({ delivery_url: spelt });
      const refused = await admin.post(WEBHOOKS, asked);
      assert.deepEqual(statusAndBody(refused), [
        409,
        {
          ...{ error: "url_reuse_tombstone", tombstone_id },
          detail: "A deleted subscription sent to this URL; send acknowledge_url_reuse: true if it is meant",
        },
      ]);
      assert.equal(refused.headers.get("x-service-url-reuse-tombstone"), String(tombstone_id));
      const meant = { ...asked, acknowledge_url_reuse: true };
      assert.equal((await admin.ok("POST", WEBHOOKS, meant)).delivery_url, spelt);
      assert.deepEqual(await known(url), [{ by: admin.userId }]);
      // From then on it is free.
      assert.equal((await admin.post(WEBHOOKS, asked)).status, 201);
    });

    it("are refused with a dot behind the host, or without one", async () => {
      const path = `/${randomUUID()}`;
      const bare = `https://partner.invalid${path}`;
      const dotted = `https://PARTNER.invalid.${path}`;
      const to = async (delivery_url: string) =>
        (await admin.post(WEBHOOKS, await newWebhook({ delivery_url }))).status;
      await purge(dotted);
      assert.deepEqual([await to(bare), await to(dotted)], [409, 409]);
    });

    it("cannot be changed either, until that is acknowledged", async () => {
      const delivery_url = publicUrl();
      const { subscription_id } = await subscribe(admin);
      const tombstone_id = await purge(delivery_url);
      const path = on(subscription_id);
      const refused = await admin.patch(path, { delivery_url });
      assert.deepEqual(
        [refused.status, refused.headers.get("x-service-url-reuse-tombstone")],
        [409, String(tombstone_id)],
      );
      const meant = { delivery_url, acknowledge_url_reuse: true };
      const changed = await admin.ok("PATCH", path, meant);
      assert.equal(changed.delivery_url, delivery_url);
      assert.deepEqual(await known(delivery_url), [{ by: admin.userId }]);
    });

    it("stay where they are when their URL was theirs before", async () => {
      const delivery_url = publicUrl();
      const { subscription_id } = await subscribe(admin, { delivery_url });
      await purge(delivery_url);
      const changes = { delivery_url, display_name: "Still" };
      const changed = await admin.ok("PATCH", on(subscription_id), changes);
      assert.equal(changed.display_name, "Still");
      assert.deepEqual(await known(delivery_url), []);
    });
  });

  it("compare URLs as the reference says", () => {
    for (const [url, canonical] of [
      ["HTTPS://Partner.Example.COM", "https://partner.example.com/"],
      ["https://p.example.com:443/a/", "https://p.example.com/a"],
      ["http://p.example.com:80/a", "http://p.example.com/a"],
      ["https://p.example.com:8443/a//", "https://p.example.com:8443/a/"],
      ["https://p.example.com/a/?b=C/#d", "https://p.example.com/a?b=C/"],
      ["https://Me:Pw@p.example.com/A", "https://Me:Pw@p.example.com/A"],
    ] as const)
      assert.equal(canonicalUrl(url), canonical);
  });

  it("hold their connector", async () => {
    const connector_id = await connector();
    await subscribe(admin, { connector_id });
    await assert.rejects(
      db.run("delete from connectors where connector_id = $1", [connector_id]),
      /webhook_subscriptions/,
    );
  });
});
