import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type Caller, statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { delivery, newWebhook, publicUrl, storedSecrets, subscribe, WEBHOOKS } from "../support/webhooks.js";

const on = (subscription_id: string) => `${WEBHOOKS}/${subscription_id}`;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe("webhook subscriptions", () => {
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
    keeper = await service.user({ page_keys: ["webhooks"], warehouse_ids: [warehouse_id] });
  });
  beforeEach(async () => {
    mark = await auditMark();
  });

  const scanned = (subscription_id: string) =>
    db.value<number>("select scanned_event_id as id from webhook_subscriptions where subscription_id = $1", [
      subscription_id,
    ]);
  const secretsOf = (subscription_id: string) => storedSecrets(subscription_id, service.config);
  const pausedBy = (subscription_id: string, reason: string) =>
    db.run("update webhook_subscriptions set status = 'paused', pause_reason = $2 where subscription_id = $1", [
      subscription_id,
      reason,
    ]);

  describe("made", () => {
    it("are active at once, and show their secret here and nowhere else", async () => {
      const asked = await newWebhook({ subscription_filter: {} });
      const { status, body } = await admin.post(WEBHOOKS, asked);
      assert.equal(status, 201);
      const { subscription_id, secret, created_at, ...rest } = body;
      assert.match(subscription_id, UUID);
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.ok(created_at);
      assert.deepEqual(rest, {
        connector_id: asked.connector_id,
        display_name: "Acme ERP",
        delivery_url: asked.delivery_url,
        ...{ status: "active", secret_generation: 1 },
        ...{ rate_limit_per_second: 50, pending_ceiling: 10_000 },
        ...{ dlq_ceiling: 1_000, ordering: "subscription" },
      });
      assert.deepEqual(await secretsOf(subscription_id), [{ generation: 1, hours: null, secret }]);
      const record = await admin.ok("GET", on(subscription_id));
      assert.deepEqual(record, {
        ...{ subscription_id, connector_id: asked.connector_id },
        ...{ display_name: "Acme ERP", delivery_url: asked.delivery_url },
        ...{ subscription_filter: {}, status: "active", pause_reason: null },
        ...{ rate_limit_per_second: 50, pending_ceiling: 10_000 },
        ...{ dlq_ceiling: 1_000, ordering: "subscription", last_delivered_event_id: 0 },
        ...{ payload: "full", format: "envelope", batch: null },
        ...{ signature: "hmac", public_keys: [], client_tls: null, oauth: null, contact_webhook_id: null },
        ...{ created_at, updated_at: record.updated_at },
        stats: {
          ...{ attempts_24h: 0, succeeded_24h: 0, failed_24h: 0, dlq_24h: 0 },
          ...{ success_rate_24h: null, pending_count: 0 },
        },
      });
    });

    it("keep their secret out of the database, and show it to a repeat", async () => {
      const asked = await newWebhook();
      const same = admin.with({ "idempotency-key": randomUUID() });
      const first = await same.ok("POST", WEBHOOKS, asked);
      assert.deepEqual(await same.ok("POST", WEBHOOKS, asked), first);
      assert.deepEqual(
        await db.rows(
          `select command_id from command_log where strpos(answer::text, $1) > 0
           union all select log_id::text from audit_log where strpos(details::text, $1) > 0
           union all select subscription_id::text from webhook_secrets s where strpos(s::text, $1) > 0`,
          [first.secret],
        ),
        [],
      );
    });

    it("tell the audit trail, which calls them by their names", async () => {
      const filter = { event_types: ["ship.confirmed"] };
      const made = await subscribe(admin, { subscription_filter: filter });
      const { subscription_id, connector_id, delivery_url } = made;
      assert.deepEqual(await auditSince(mark), [
        {
          action_type: "WEBHOOK_SUBSCRIPTION_CREATE",
          ...{ entity_type: "WEBHOOK_SUBSCRIPTION", entity_id: 0 },
          ...{ user_id: "admin", warehouse_id: null },
          details: {
            ...{ subscription_id, display_name: "Acme ERP", connector_id },
            ...{ delivery_url, subscription_filter: filter, ordering: "subscription" },
            ...{ start_from: "beginning", last_delivered_event_id: 0 },
          },
        },
      ]);
      const path = "/api/admin/audit-log?action_type=WEBHOOK_SUBSCRIPTION_CREATE";
      const { entries } = await admin.ok("GET", path);
      assert.equal(entries[0].entity_name, "Acme ERP");
    });

    it("take every field within its limits, and a filter's values once", async () => {
      const id = randomUUID();
      const fields = {
        ...{ display_name: "x".repeat(128), rate_limit_per_second: 100 },
        ...{ pending_ceiling: 50_000, dlq_ceiling: 5_000, ordering: "aggregate" },
        subscription_filter: {
          aggregate_external_id_allowlist: [id.toUpperCase(), id],
          warehouse_ids: [warehouse_id, warehouse_id],
          event_types: ["ship.confirmed", "ship.confirmed"],
        },
      };
      const { subscription_id } = await subscribe(admin, fields);
      const record = await admin.ok("GET", on(subscription_id));
      assert.deepEqual(record.subscription_filter, {
        event_types: ["ship.confirmed"],
        warehouse_ids: [warehouse_id],
        aggregate_external_id_allowlist: [id],
      });
      assert.equal(record.dlq_ceiling, 5_000);
    });

    it("touch no process, and are made when no engine can be reached", async () => {
      const { headers } = await admin.post(WEBHOOKS, await newWebhook());
      assert.equal(headers.get("x-service-workflow-id"), null);
      await service.withoutTemporal(async () => {
        assert.ok((await subscribe(admin)).subscription_id);
      });
    });

    it("are listed newest first, revoked ones too", async () => {
      const [first, second] = [await subscribe(admin), await subscribe(admin)];
      await admin.ok("DELETE", on(first.subscription_id));
      const { webhooks } = await admin.ok("GET", WEBHOOKS);
      assert.deepEqual(pluckAll(webhooks.slice(0, 2), "subscription_id", "status"), [
        [second.subscription_id, "active"],
        [first.subscription_id, "revoked"],
      ]);
    });
  });

  describe("refused", () => {
    const refusals: Record<string, [fields: object, body: object]> = {
      "with another scheme": [
        { delivery_url: "ftp://93.184.216.34/x" },
        { error: "The scheme of delivery_url is not supported: ftp" },
      ],
      "over plain http": [{ delivery_url: "http://93.184.216.34/x" }, { error: "https_required" }],
      "towards a private address": [
        { delivery_url: "https://10.0.0.7/x" },
        { error: "private_destination", detail: "10.0.0.7 is not on the public internet" },
      ],
      "towards a private address in disguise": [
        { delivery_url: "https://0x7f.1/x" },
        { error: "private_destination", detail: "127.0.0.1 is not on the public internet" },
      ],
      "towards this machine by its name": [
        { delivery_url: "https://LOCALHOST./x" },
        { error: "private_destination", detail: "localhost is not on the public internet" },
      ],
      "towards a name of this network that nobody knows": [
        { delivery_url: "https://nobody-knows-this.internal./x" },
        { error: "private_destination", detail: "nobody-knows-this.internal is not on the public internet" },
      ],
      "with an unknown connector": [{ connector_id: "nobody" }, { error: "connector_not_found" }],
      "with a pending ceiling above the cap": [
        { pending_ceiling: 50_001 },
        { error: "pending_ceiling_above_hard_cap", hard_cap: 50_000 },
      ],
      "with a dlq ceiling above the cap": [
        { dlq_ceiling: 5_001 },
        { error: "dlq_ceiling_above_hard_cap", hard_cap: 5_000 },
      ],
      "with an empty list in the filter": [
        { subscription_filter: { warehouse_ids: [] } },
        { error: "empty_filter_array", field: "warehouse_ids", detail: "Leave the field out to select everything" },
      ],
      "with warehouses that do not exist": [
        { subscription_filter: { warehouse_ids: [999_998, 999_999] } },
        { error: "unknown_warehouse_ids", missing: [999_998, 999_999] },
      ],
    };
    for (const [how, [fields, body]] of Object.entries(refusals)) {
      it(`${how}, when made`, async () => {
        const asked = await newWebhook(fields);
        assert.deepEqual(statusAndBody(await admin.post(WEBHOOKS, asked)), [400, body]);
        assert.deepEqual(await auditSince(mark), []);
      });
      if ("connector_id" in fields) continue;
      it(`${how}, when changed`, async () => {
        const { subscription_id } = await subscribe(admin);
        const before = await admin.ok("GET", on(subscription_id));
        assert.deepEqual(statusAndBody(await admin.patch(on(subscription_id), fields)), [400, body]);
        assert.deepEqual(await admin.ok("GET", on(subscription_id)), before);
      });
    }

    it("with event types that do not exist, naming those that do", async () => {
      const { subscription_id } = await subscribe(admin);
      const fields = { subscription_filter: { event_types: ["ship.confirmed", "ship.lost"] } };
      for (const { status, body } of [
        await admin.post(WEBHOOKS, await newWebhook(fields)),
        await admin.patch(on(subscription_id), fields),
      ]) {
        assert.deepEqual([status, body.error, body.unknown], [400, "unknown_event_types", ["ship.lost"]]);
        assert.ok(body.valid.includes("ship.confirmed"));
      }
    });

    it("with fields that are wrong, naming each", async () => {
      const { subscription_id } = await subscribe(admin);
      for (const [field, value] of [
        ["display_name", ""],
        ["display_name", "x".repeat(129)],
        ["delivery_url", "partner"],
        ["delivery_url", "https:partner.example.com"],
        ["delivery_url", "https://partner.example.com/a b"],
        ["delivery_url", `https://93.184.216.34/${"x".repeat(2048)}`],
        ["delivery_url", `https://93.184.216.34/${"é".repeat(1000)}`],
        ["delivery_url", "https://ann:secret@93.184.216.34/x"],
        ["delivery_url", "https://ann@93.184.216.34/x"],
        ["delivery_url", "https:///:secret@93.184.216.34/x"],
        ["subscription_filter", { sku: ["A"] }],
        ["subscription_filter", []],
        ["subscription_filter", { event_types: "ship.confirmed" }],
        ["subscription_filter", { aggregate_external_id_allowlist: ["1"] }],
        ["rate_limit_per_second", 0],
        ["rate_limit_per_second", 101],
        ["ordering", "item"],
        ["pending_ceiling", 99],
        ["dlq_ceiling", 9],
        ["dlq_ceiling", 1.5],
        ["acknowledge_url_reuse", "yes"],
        ["secret", "chosen by me"],
      ] as const) {
        for (const { status, body } of [
          await admin.post(WEBHOOKS, await newWebhook({ [field]: value })),
          await admin.patch(on(subscription_id), { [field]: value }),
        ])
          assert.deepEqual([status, body.details?.[0].loc[0]], [400, field], `${field} ${JSON.stringify(value)}`);
      }
      const revoking = await admin.patch(on(subscription_id), { status: "revoked" });
      assert.equal(revoking.body.details[0].type, "enum");
    });
  });

  describe("that are not there", () => {
    const asked = (id: string) =>
      [
        ["GET", on(id)],
        ["PATCH", on(id), { status: "paused" }],
        ["POST", `${on(id)}/rotate-secret`],
        ["DELETE", on(id)],
        ["DELETE", `${on(id)}?purge=true`],
      ] as const;

    it("are not found", async () => {
      for (const [method, path, body] of asked(randomUUID())) {
        const answer = await admin.call(method, path, body);
        assert.deepEqual([answer.status, answer.body], [404, { error: "subscription_not_found" }]);
      }
    });

    it("and cannot be, are told so", async () => {
      for (const [method, path, body] of asked("17")) {
        const answer = await admin.call(method, path, body);
        assert.deepEqual([answer.status, answer.body], [400, { error: "invalid_subscription_id" }]);
      }
    });
  });

  describe("of a USER", () => {
    const own = () => ({ subscription_filter: { warehouse_ids: [warehouse_id] } });

    it("keep to own warehouses, which their filter names", async () => {
      const { subscription_id } = await subscribe(keeper, own());
      assert.equal((await keeper.get(on(subscription_id))).status, 200);
      const denied = [403, "Access denied for this warehouse"];
      for (const subscription_filter of [
        {},
        { event_types: ["ship.confirmed"] },
        { warehouse_ids: [warehouse_id, elsewhere] },
      ]) {
        const fields = { subscription_filter };
        for (const { status, body } of [
          await keeper.post(WEBHOOKS, await newWebhook(fields)),
          await keeper.patch(on(subscription_id), fields),
        ])
          assert.deepEqual([status, body.error], denied);
      }
    });

    it("are all that the user sees", async () => {
      const mine = await subscribe(keeper, own());
      const hidden = [
        await subscribe(admin),
        await subscribe(admin, { subscription_filter: {} }),
        await subscribe(admin, { subscription_filter: { warehouse_ids: [warehouse_id, elsewhere] } }),
      ];
      const { webhooks } = await keeper.ok("GET", WEBHOOKS);
      const ids = webhooks.map((one: typeof mine) => one.subscription_id);
      assert.ok(ids.includes(mine.subscription_id));
      for (const { subscription_id } of hidden) {
        assert.ok(!ids.includes(subscription_id));
        for (const { status } of [
          await keeper.get(on(subscription_id)),
          await keeper.patch(on(subscription_id), { status: "paused" }),
          await keeper.post(`${on(subscription_id)}/rotate-secret`),
          await keeper.delete(on(subscription_id)),
        ])
          assert.equal(status, 404);
      }
    });
  });

  describe("changed", () => {
    it("take what is sent, and tell the audit trail field by field", async () => {
      const { subscription_id, delivery_url } = await subscribe(admin);
      const path = on(subscription_id);
      const before = await admin.ok("GET", path);
      mark = await auditMark();
      const changes = {
        ...{ display_name: "New", delivery_url: publicUrl() },
        subscription_filter: { event_types: ["pick.confirmed"] },
        ...{ rate_limit_per_second: 1, pending_ceiling: 100, dlq_ceiling: 10, ordering: "aggregate" },
      };
      const changed = await admin.ok("PATCH", path, changes);
      const { updated_at } = changed;
      assert.deepEqual(changed, { ...before, ...changes, updated_at });
      assert.ok(updated_at > before.updated_at);
      assert.deepEqual(await admin.ok("GET", path), changed);
      const [row] = await auditSince(mark);
      assert.equal(row?.action_type, "WEBHOOK_SUBSCRIPTION_UPDATE");
      assert.deepEqual(row?.details, {
        ...{ subscription_id, display_name: "New" },
        changed: {
          display_name: { old: "Acme ERP", new: "New" },
          delivery_url: { old: delivery_url, new: changes.delivery_url },
          subscription_filter: { old: before.subscription_filter, new: changes.subscription_filter },
          rate_limit_per_second: { old: 50, new: 1 },
          ordering: { old: "subscription", new: "aggregate" },
          pending_ceiling: { old: 10_000, new: 100 },
          dlq_ceiling: { old: 1_000, new: 10 },
        },
      });
    });

    it("in nothing, stay as they are and nobody is told", async () => {
      const fields = { subscription_filter: { warehouse_ids: [warehouse_id], event_types: ["ship.confirmed"] } };
      const made = await subscribe(admin, fields);
      const path = on(made.subscription_id);
      const before = await admin.ok("GET", path);
      mark = await auditMark();
      const same = { ...fields, display_name: " Acme ERP ", status: "active", delivery_url: made.delivery_url };
      assert.deepEqual(await admin.ok("PATCH", path, same), before);
      assert.deepEqual(await auditSince(mark), []);
    });

    it("leave no password of an old URL in the audit trail", async () => {
      const { subscription_id } = await subscribe(admin);
      await db.run(
        `update webhook_subscriptions set delivery_url = 'https://ann:secret@93.184.216.34/x'
          where subscription_id = $1`,
        [subscription_id],
      );
      mark = await auditMark();
      const changes = { delivery_url: publicUrl() };
      await admin.ok("PATCH", on(subscription_id), changes);
      const [row] = await auditSince(mark);
      const old = "https://***@93.184.216.34/x";
      assert.deepEqual(row?.details.changed, { delivery_url: { old, new: changes.delivery_url } });
    });

    it("in their filter, look again at what lies behind the last delivered event", async () => {
      const { subscription_id } = await subscribe(admin);
      await db.run(
        `update webhook_subscriptions set last_delivered_event_id = 40, scanned_event_id = 90
         where subscription_id = $1`,
        [subscription_id],
      );
      const path = on(subscription_id);
      await admin.ok("PATCH", path, { rate_limit_per_second: 7 });
      assert.equal(await scanned(subscription_id), 90);
      await admin.ok("PATCH", path, { subscription_filter: {} });
      assert.equal(await scanned(subscription_id), 40);
    });

    it("are paused by hand, and resumed whatever had paused them", async () => {
      const { subscription_id } = await subscribe(admin);
      const to = (status: string) => admin.ok("PATCH", on(subscription_id), { status });
      const state = ({ status, pause_reason }: Record<string, unknown>) => [status, pause_reason];
      assert.deepEqual(state(await to("paused")), ["paused", "manual"]);
      assert.deepEqual(state(await to("active")), ["active", null]);
      for (const reason of ["pending_ceiling", "dlq_ceiling", "malformed_filter", "gone"]) {
        await pausedBy(subscription_id, reason);
        assert.deepEqual(state(await to("paused")), ["paused", reason]);
        assert.deepEqual(state(await to("active")), ["active", null]);
      }
    });

    for (const ceiling of ["pending_ceiling", "dlq_ceiling"])
      it(`in the ${ceiling} that paused them, hint that they are still paused`, async () => {
        const { subscription_id } = await subscribe(admin);
        const set = async (fields: object) => (await admin.ok("PATCH", on(subscription_id), fields)).hint;
        await set({ [ceiling]: 500 });
        await pausedBy(subscription_id, ceiling);
        assert.match(await set({ [ceiling]: 600 }), new RegExp(ceiling));
        assert.equal(await set({ [ceiling]: 550 }), undefined);
        assert.equal(await set({ display_name: "x" }), undefined);
        assert.equal(await set({ [ceiling]: 700, status: "active" }), undefined);
      });

    it("by two at once lose neither change", async () => {
      const { subscription_id } = await subscribe(admin);
      const path = on(subscription_id);
      await Promise.all([
        admin.ok("PATCH", path, { display_name: "Other" }),
        admin.ok("PATCH", path, { rate_limit_per_second: 9 }),
      ]);
      const { display_name, rate_limit_per_second } = await admin.ok("GET", path);
      assert.deepEqual([display_name, rate_limit_per_second], ["Other", 9]);
    });
  });

  it("know the last day's figures without being asked one by one", async () => {
    const { subscription_id } = await subscribe(admin);
    for (const status of ["succeeded", "succeeded", "failed", "dlq"] as const)
      await delivery(subscription_id, { status, age: "23 hours" });
    await delivery(subscription_id, { status: "succeeded", age: "25 hours" });
    await delivery(subscription_id, { status: "pending" });
    await delivery(subscription_id, { status: "in_flight" });
    const { webhooks } = await admin.ok("GET", WEBHOOKS);
    const { stats } = webhooks.find((one: { subscription_id: string }) => one.subscription_id === subscription_id);
    assert.deepEqual(stats, {
      ...{ attempts_24h: 4, succeeded_24h: 2, failed_24h: 1, dlq_24h: 1 },
      ...{ success_rate_24h: 0.5, pending_count: 1 },
    });
  });
});
