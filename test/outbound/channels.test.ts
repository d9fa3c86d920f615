import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { clearChannelItems, clearSecrets } from "../../activities/maintenance/webhook-hygiene.js";
import { channelReceivers } from "../../activities/outbound/receivers.js";
import type { Caller } from "../support/caller.js";
import { CHANNELS, channel, newChannel, storedChannelSecrets } from "../support/channels.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

/** Asks for what must be refused. */
async function refused(by: Caller, status: number, code: string, method: string, path: string, body?: object) {
  const answer = await by.call(method, path, body);
  assert.deepEqual([answer.status, answer.code], [status, code], JSON.stringify(answer.body));
}

const on = (channel_id: string) => `${CHANNELS}/${channel_id}`;

describe("channels", () => {
  const service = testService();
  /** An ADMIN; `keeper` is a USER with the page and one warehouse. */
  let admin: Caller;
  let keeper: Caller;
  let warehouse_id: number;
  let elsewhere: number;
  let mark: number;
  before(async () => {
    admin = service.admin;
    warehouse_id = await fixtures.warehouse();
    elsewhere = await fixtures.warehouse();
    keeper = await service.user({ page_keys: ["channels"], warehouse_ids: [warehouse_id] });
  });
  beforeEach(async () => {
    mark = await auditMark();
  });

  const record = async (channel_id: string) =>
    (await admin.ok("GET", CHANNELS)).channels.find((one: { channel_id: string }) => one.channel_id === channel_id);
  const secretsOf = (channel_id: string) => storedChannelSecrets(channel_id, service.config);
  const wholeAfter = (channel_id: string) =>
    db.value<number | null>("select whole_after as at from channels where channel_id = $1", [channel_id]);
  const published = (channel_id: string) =>
    db.run("update channels set whole_after = null where channel_id = $1", [channel_id]);
  const pausedBy = (channel_id: string, reason: string) =>
    db.run("update channels set status = 'paused', pause_reason = $2 where channel_id = $1", [channel_id, reason]);

  describe("made", () => {
    it("are active at once, for everything, and show their secret here and nowhere else", async () => {
      const { channel_id, delivery_url, display_name } = newChannel();
      const { status, body } = await admin.post(CHANNELS, { channel_id, delivery_url, display_name });
      assert.equal(status, 201);
      const { secret, secret_generation, created_at, updated_at, ...rest } = body;
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.equal(secret_generation, 1);
      assert.deepEqual(rest, {
        ...{ channel_id, display_name, delivery_url, sku_scope: {}, transform: {} },
        ...{ status: "active", pause_reason: null, rate_limit_per_second: 10, batch_size: 100 },
        ...{ debounce_seconds: 30, pending_ceiling: 100_000, dlq_ceiling: 1_000 },
        ...{ item_count: 0, dirty_count: 0, dlq_count: 0, failures: 0 },
        ...{ retry_at: null, last_error: null, last_published_at: null },
      });
      assert.deepEqual(await secretsOf(channel_id), [{ generation: 1, hours: null, secret }]);
      assert.deepEqual(await record(channel_id), { ...rest, created_at, updated_at });
      assert.equal(await wholeAfter(channel_id), 0);
      const [audit] = await auditSince(mark);
      assert.equal(audit?.action_type, "CHANNEL_CREATE");
      assert.deepEqual(audit?.details, { channel_id, display_name, delivery_url, sku_scope: {} });
    });

    it("keep their settings", async () => {
      const settings = {
        sku_scope: { skus: ["A", "B"], categories: ["Shoes"], warehouse_ids: [warehouse_id] },
        transform: { rename: { sku: "code", available: "qty" }, constants: { zz: 1, site: "EU", live: true } },
        ...{ rate_limit_per_second: 1_000, batch_size: 1_000, debounce_seconds: 0 },
        ...{ pending_ceiling: 1_000_000, dlq_ceiling: 100_000 },
      };
      const { channel_id } = await channel(admin, settings);
      const kept = await record(channel_id);
      for (const [field, value] of Object.entries(settings)) assert.deepEqual(kept[field], value);
    });

    it("of an empty scope are of everything", async () => {
      const empty = { skus: [], categories: [], warehouse_ids: [] };
      assert.deepEqual((await channel(admin, { sku_scope: empty })).sku_scope, {});
    });

    it("have an id that nobody has, also of one that is revoked", async () => {
      const { channel_id } = await channel(admin);
      await refused(admin, 409, "channel_id_taken", "POST", CHANNELS, newChannel({ channel_id }));
      await admin.ok("DELETE", on(channel_id));
      await refused(admin, 409, "channel_id_taken", "POST", CHANNELS, newChannel({ channel_id }));
    });

    for (const [what, fields] of Object.entries({
      "an id with a slash": { channel_id: "a/b" },
      "an id of dots": { channel_id: ".." },
      "an id that is too long": { channel_id: "a".repeat(65) },
      "a name that is too long": { display_name: "a".repeat(129) },
      "an URL that shows a password": { delivery_url: "https://a:b@shop.example.com" },
      "no URL": { delivery_url: "shop" },
      "an unknown part of a scope": { sku_scope: { brands: ["A"] } },
      "an unknown field of an item": { transform: { rename: { price: "cost" } } },
      "two fields of one name": { transform: { rename: { sku: "version" } } },
      "a constant of the name of a field": { transform: { constants: { sku: "A" } } },
      "a constant that is a list": { transform: { constants: { a: [1] } } },
      "a rate of nothing": { rate_limit_per_second: 0 },
      "a rate that is too high": { rate_limit_per_second: 1_001 },
      "a batch of nothing": { batch_size: 0 },
      "a batch that is too large": { batch_size: 1_001 },
      "a debounce that is too long": { debounce_seconds: 3_601 },
      "a low pending_ceiling": { pending_ceiling: 99 },
      "a high pending_ceiling": { pending_ceiling: 1_000_001 },
      "a low dlq_ceiling": { dlq_ceiling: 9 },
      "a high dlq_ceiling": { dlq_ceiling: 100_001 },
    }))
      it(`refuse ${what}`, () => refused(admin, 400, "validation_error", "POST", CHANNELS, newChannel(fields)));

    for (const [kind, delivery_url] of [
      ["unsupported_scheme", "ftp://shop.example.com"],
      ["https_required", "http://shop.example.com"],
      ["private_destination", "https://10.0.0.1/x"],
      ["private_destination", "https://169.254.169.254/x"],
    ] as const)
      it(`refuse ${delivery_url}`, async () => {
        await refused(admin, 400, kind, "POST", CHANNELS, newChannel({ delivery_url }));
        const { channel_id } = await channel(admin);
        await refused(admin, 400, kind, "PATCH", on(channel_id), { delivery_url });
      });

    it("refuse warehouses that do not exist", async () => {
      const sku_scope = { warehouse_ids: [2_000_000_000] };
      await refused(admin, 400, "unknown_warehouse_ids", "POST", CHANNELS, newChannel({ sku_scope }));
      const { channel_id } = await channel(admin);
      await refused(admin, 400, "unknown_warehouse_ids", "PATCH", on(channel_id), { sku_scope });
    });
  });

  describe("changed", () => {
    it("say field by field what was changed", async () => {
      const { channel_id, display_name } = await channel(admin);
      mark = await auditMark();
      const changed = await admin.ok("PATCH", on(channel_id), { batch_size: 7, display_name: "Other" });
      assert.equal(changed.batch_size, 7);
      const [audit] = await auditSince(mark);
      assert.equal(audit?.action_type, "CHANNEL_UPDATE");
      assert.deepEqual(audit?.details, {
        ...{ channel_id, display_name: "Other" },
        changed: { batch_size: { old: 100, new: 7 }, display_name: { old: display_name, new: "Other" } },
      });
    });

    it("to what they are stay as they are", async () => {
      const transform = { constants: { b: 1, a: 2, longer: 3 } };
      const { channel_id } = await channel(admin, { transform });
      await published(channel_id);
      mark = await auditMark();
      const before = await record(channel_id);
      assert.deepEqual(await admin.ok("PATCH", on(channel_id), { transform, status: "active" }), before);
      assert.deepEqual(await auditSince(mark), []);
      assert.equal(await wholeAfter(channel_id), null);
    });

    it("publish the whole again when resumed, and for another scope, transform or URL", async () => {
      const { channel_id } = await channel(admin);
      await published(channel_id);
      await admin.ok("PATCH", on(channel_id), { batch_size: 5, debounce_seconds: 1, rate_limit_per_second: 3 });
      await admin.ok("PATCH", on(channel_id), { status: "paused" });
      assert.equal(await wholeAfter(channel_id), null);
      for (const change of [
        { status: "active" },
        { sku_scope: { categories: ["Shoes"] } },
        { transform: { constants: { a: 1 } } },
        { delivery_url: `https://93.184.216.34/${randomUUID()}` },
      ]) {
        await admin.ok("PATCH", on(channel_id), change);
        assert.equal(await wholeAfter(channel_id), 0, JSON.stringify(change));
        await published(channel_id);
      }
    });

    it("are paused by hand, but keep the reason that they were paused for", async () => {
      const { channel_id } = await channel(admin);
      assert.equal((await admin.ok("PATCH", on(channel_id), { status: "paused" })).pause_reason, "manual");
      assert.equal((await admin.ok("PATCH", on(channel_id), { status: "active" })).pause_reason, null);
      for (const reason of ["pending_ceiling", "dlq_ceiling", "malformed_config"]) {
        await pausedBy(channel_id, reason);
        assert.equal((await admin.ok("PATCH", on(channel_id), { status: "paused" })).pause_reason, reason);
      }
    });

    it("are not found when they do not exist", async () => {
      for (const id of ["none", "..%2f", "a".repeat(200)]) {
        await refused(admin, 404, "channel_not_found", "PATCH", on(id), { batch_size: 1 });
        await refused(admin, 404, "channel_not_found", "DELETE", on(id));
        await refused(admin, 404, "channel_not_found", "GET", `${on(id)}/dlq`);
        await refused(admin, 404, "channel_not_found", "POST", `${on(id)}/rotate-secret`, {});
      }
    });
  });

  describe("revoked", () => {
    it("stay listed, and are never changed again", async () => {
      const { channel_id } = await channel(admin);
      mark = await auditMark();
      for (const _ of [1, 2])
        assert.deepEqual(await admin.ok("DELETE", on(channel_id)), { channel_id, status: "revoked" });
      assert.deepEqual(pluck(await auditSince(mark), "action_type"), ["CHANNEL_REVOKE"]);
      assert.equal((await record(channel_id)).status, "revoked");
      assert.equal((await record(channel_id)).pause_reason, null);
      await refused(admin, 400, "cannot_modify_revoked_channel", "PATCH", on(channel_id), { status: "active" });
      await refused(admin, 400, "cannot_rotate_revoked_channel", "POST", `${on(channel_id)}/rotate-secret`, {});
      assert.equal(await wholeAfter(channel_id), null);
    });
  });

  describe("given another secret", () => {
    it("keep the one before for 24 hours", async () => {
      const { channel_id, secret: first } = await channel(admin);
      mark = await auditMark();
      const { secret: second, ...rest } = await admin.ok("POST", `${on(channel_id)}/rotate-secret`, {});
      assert.deepEqual(rest, { channel_id, secret_generation: 1 });
      const kept = await secretsOf(channel_id);
      assert.deepEqual(pluck(kept, "secret"), [second, first]);
      assert.ok((kept[1]?.hours ?? 0) > 23.9);
      assert.equal((await auditSince(mark))[0]?.action_type, "CHANNEL_SECRET_ROTATE");
      const { secret: third } = await admin.ok("POST", `${on(channel_id)}/rotate-secret`, {});
      assert.deepEqual(pluck(await secretsOf(channel_id), "secret"), [third, second]);
    });
  });

  describe("of a USER", () => {
    it("sell from the user's warehouses alone", async () => {
      const mine = await channel(keeper, { sku_scope: { warehouse_ids: [warehouse_id] } });
      const other = await channel(admin, { sku_scope: { warehouse_ids: [warehouse_id, elsewhere] } });
      const all = await channel(admin, { sku_scope: {} });
      const { channels } = await keeper.ok("GET", CHANNELS);
      const ids = channels.map(({ channel_id }: { channel_id: string }) => channel_id);
      assert.ok(ids.includes(mine.channel_id));
      for (const { channel_id } of [other, all]) {
        assert.ok(!ids.includes(channel_id));
        await refused(keeper, 404, "channel_not_found", "PATCH", on(channel_id), { batch_size: 1 });
        await refused(keeper, 404, "channel_not_found", "DELETE", on(channel_id));
        await refused(keeper, 404, "channel_not_found", "GET", `${on(channel_id)}/dlq`);
        await refused(keeper, 404, "channel_not_found", "POST", `${on(channel_id)}/rotate-secret`, {});
      }
      for (const sku_scope of [{}, { warehouse_ids: [elsewhere] }, { warehouse_ids: [warehouse_id, elsewhere] }]) {
        await refused(keeper, 403, "warehouse_denied", "POST", CHANNELS, newChannel({ sku_scope }));
        await refused(keeper, 403, "warehouse_denied", "PATCH", on(mine.channel_id), { sku_scope });
      }
    });
  });

  it("are forgotten when they are over: secrets after 24 hours, and what revoked ones were told", async () => {
    const { channel_id } = await channel(admin);
    await admin.ok("POST", `${on(channel_id)}/rotate-secret`, {});
    const { item_id, sku } = await fixtures.item();
    const told = (id: string) =>
      db.run(
        `insert into channel_items (channel_id, item_id, sku, available, version, in_scope)
           values ($1, $2, $3, 4, 1, true)`,
        [id, item_id, sku],
      );
    const { channel_id: live } = await channel(admin);
    await told(channel_id);
    await told(live);
    assert.equal(await clearSecrets(channelReceivers), 0);
    assert.equal(await clearChannelItems(), 0);
    await db.run("update channel_secrets set expires_at = now() where channel_id = $1 and generation = 2", [
      channel_id,
    ]);
    await admin.ok("DELETE", on(channel_id));
    assert.equal(await clearSecrets(channelReceivers), 1);
    assert.equal(await clearChannelItems(), 1);
    assert.equal((await record(live)).item_count, 1);
  });

  it("list their dead letters in pages", async () => {
    const { channel_id } = await channel(admin);
    const items = [await fixtures.item(), await fixtures.item(), await fixtures.item()];
    for (const { item_id, sku } of items)
      await db.run(
        `insert into channel_items (channel_id, item_id, sku, available, version, in_scope, dirty_since, attempts,
                                    parked, last_error)
         values ($1, $2, $3, 4, 1, true, now(), 8, true, '5xx: HTTP status 500')`,
        [channel_id, item_id, sku],
      );
    const rows = items.map(({ item_id, sku }) => ({
      ...{ item_id, sku, available_qty: 4, attempt_count: 8, last_error: "5xx: HTTP status 500" },
    }));
    assert.deepEqual(await admin.ok("GET", `${on(channel_id)}/dlq`), { parked: rows, total: 3 });
    assert.deepEqual(await admin.ok("GET", `${on(channel_id)}/dlq?limit=1&offset=1`), { parked: [rows[1]], total: 3 });
    const { dlq_count, dirty_count, item_count } = await record(channel_id);
    assert.deepEqual({ dlq_count, dirty_count, item_count }, { dlq_count: 3, dirty_count: 0, item_count: 3 });
  });
});
