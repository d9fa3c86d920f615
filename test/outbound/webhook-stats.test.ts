import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { errorKinds } from "../../src/outbound/wire/error-kinds.js";
import type { Caller } from "../support/caller.js";
import * as fixtures from "../support/fixtures.js";
import { testService } from "../support/service.js";
import { delivery, numberedEvent, subscribe, WEBHOOKS } from "../support/webhooks.js";

const ERRORS = "/api/admin/webhook-errors";

describe("what became of webhooks", () => {
  const service = testService();
  let admin: Caller;
  before(async () => {
    admin = service.admin;
  });

  describe("in figures", () => {
    const statsOf = (subscription_id: string, window = "") =>
      admin.ok("GET", `${WEBHOOKS}/${subscription_id}/stats${window}`);

    it("of a subscription that sent nothing has none", async () => {
      const { subscription_id } = await subscribe(admin);
      const asked = Math.floor(Date.now() / 1_000);
      const { generated_at, ...stats } = await statsOf(subscription_id);
      const answered = Math.ceil(Date.now() / 1_000);
      assert.ok(asked <= generated_at && generated_at <= answered);
      assert.deepEqual(stats, {
        ...{ subscription_id, window: "24h", attempts_total: 0, succeeded: 0 },
        ...{ failed: 0, dlq: 0, in_flight: 0, pending: 0, success_rate: null },
        response_time_ms: { p50: null, p95: null, p99: null },
        ...{ top_error_kinds: [], current_lag: 0 },
      });
    });

    it("counts what ended within the window, and what is open now", async () => {
      const { subscription_id } = await subscribe(admin);
      for (const response_time_ms of [10, 20, 30])
        await delivery(subscription_id, { status: "succeeded", response_time_ms });
      const kinds = ["5xx", "5xx", "timeout", "tls", "4xx", "connection"];
      for (const error_kind of [...kinds, "ssrf_rejected"])
        await delivery(subscription_id, { status: "failed", error_kind, age: "30 minutes" });
      await delivery(subscription_id, { status: "dlq", error_kind: "5xx" });
      await delivery(subscription_id, { status: "in_flight" });
      await delivery(subscription_id, { status: "pending" });
      await delivery(subscription_id, { status: "pending" });
      await delivery(subscription_id, { status: "succeeded", age: "2 hours" });
      const newest = await numberedEvent();
      const stats = await statsOf(subscription_id, "?window=1h");
      assert.deepEqual(stats, {
        ...{ subscription_id, window: "1h", generated_at: stats.generated_at },
        ...{ attempts_total: 11, succeeded: 3, failed: 7, dlq: 1 },
        ...{ in_flight: 1, pending: 2, success_rate: 3 / 11 },
        response_time_ms: { p50: 20, p95: 29, p99: 29.8 },
        top_error_kinds: [
          { kind: "5xx", count: 3 },
          ...["4xx", "connection", "ssrf_rejected", "timeout"].map((kind) => ({ kind, count: 1 })),
        ],
        current_lag: newest,
      });
      for (const [window, attempts] of [
        ["6h", 12],
        ["24h", 12],
        ["7d", 12],
      ])
        assert.equal((await statsOf(subscription_id, `?window=${window}`)).attempts_total, attempts);
    });

    it("is kept for half a minute", async () => {
      const { subscription_id } = await subscribe(admin);
      const first = await statsOf(subscription_id);
      await delivery(subscription_id, { status: "succeeded" });
      assert.deepEqual(await statsOf(subscription_id), first);
    });

    it("is asked for by windows that there are", async () => {
      const { subscription_id } = await subscribe(admin);
      for (const window of ["2h", "", "toString"]) {
        const { status, body } = await admin.get(`${WEBHOOKS}/${subscription_id}/stats?window=${window}`);
        assert.deepEqual([status, body], [400, { error: "invalid_window", valid: ["1h", "6h", "24h", "7d"] }]);
      }
    });

    it("is not there for what is not there", async () => {
      for (const path of ["stats", "dlq"]) {
        const missing = await admin.get(`${WEBHOOKS}/${randomUUID()}/${path}`);
        assert.deepEqual([missing.status, missing.body], [404, { error: "subscription_not_found" }]);
      }
    });
  });

  describe("in the error log", () => {
    const listed = async (query = "", by = admin) => {
      const { deliveries, ...rest } = await by.ok("GET", `${ERRORS}${query}`);
      const ids = deliveries.map((one: { delivery_id: number }) => one.delivery_id);
      return { deliveries, ids, ...rest };
    };

    it("stands what failed, newest first, with what to do about it", async () => {
      const made = await subscribe(admin);
      const { subscription_id, connector_id } = made;
      const failed = await delivery(subscription_id, {
        ...{ status: "failed", event_id: 7, error_kind: "tls", age: "2 hours" },
        error_detail: "certificate has expired",
      });
      const dead = await delivery(subscription_id, {
        ...{ status: "dlq", event_id: 7, attempt_number: 8, http_status: 500 },
        ...{ error_kind: "something new", age: "1 hour" },
      });
      await delivery(subscription_id, { status: "succeeded" });
      const log = await listed(`?subscription_id=${subscription_id}`);
      const { deliveries, ids, ...rest } = log;
      assert.deepEqual(ids, [dead, failed]);
      assert.deepEqual(rest, { total: 2, limit: 50, offset: 0, error_kinds: Object.keys(errorKinds) });
      const { attempted_at, ...row } = deliveries[1];
      assert.deepEqual(row, {
        ...{ delivery_id: failed, subscription_id, connector_id, event_id: 7 },
        ...{ subscription_display_name: "Acme ERP", attempt_number: 1 },
        ...{ status: "failed", http_status: null, error_kind: "tls" },
        ...{ error_detail: "certificate has expired", ...errorKinds.tls },
        ...{ completed_at: attempted_at, scheduled_at: attempted_at },
      });
      assert.equal(deliveries[0].triage_hint, errorKinds.unknown.triage_hint);
    });

    it("is filtered and paged", async () => {
      const { subscription_id } = await subscribe(admin);
      const of = `subscription_id=${subscription_id}`;
      const ids: number[] = [];
      for (const [error_kind, age] of [
        ["4xx", "5 days"],
        ["5xx", "4 days"],
        ["5xx", "3 days"],
      ])
        ids.push(
          await delivery(subscription_id, { ...{ status: "failed", error_kind: `${error_kind}`, age: `${age}` } }),
        );
      const [oldest, middle, newest] = ids;
      const at = (days: number) => encodeURIComponent(new Date(Date.now() - days * 86_400_000).toISOString());
      for (const [query, expected] of [
        [`?${of}&error_kind=5xx`, [newest, middle]],
        [`?${of}&from=${at(4.5)}&to=${at(3.5)}`, [middle]],
        [`?${of}&limit=1`, [newest]],
        [`?${of}&limit=1&offset=2`, [oldest]],
        [`?${of}&offset=3`, []],
        [`?subscription_id=${randomUUID()}`, []],
      ] as const)
        assert.deepEqual((await listed(query)).ids, expected, query);
      const page = await listed(`?${of}&limit=1&offset=1`);
      assert.deepEqual([page.total, page.limit, page.offset, page.ids], [3, 1, 1, [middle]]);
    });

    it("refuses filters that cannot be", async () => {
      for (const [field, value] of [
        ["limit", "0"],
        ["offset", "-1"],
        ["subscription_id", "17"],
        ["error_kind", "bad"],
        ["from", "yesterday"],
        ["to", "0000-01-01T00:00:00Z"],
        ["page", "1"],
      ]) {
        const { status, body } = await admin.get(`${ERRORS}?${field}=${value}`);
        assert.deepEqual([status, body.error, body.details?.[0].loc], [400, "validation_error", [field]]);
      }
    });

    it("shows a USER what belongs to own warehouses, and needs the page", async () => {
      const warehouse_id = await fixtures.warehouse();
      const scope = { warehouse_ids: [warehouse_id] };
      const keeper = await service.user({ page_keys: ["webhooks"], ...scope });
      const own = await subscribe(keeper, { subscription_filter: scope });
      const other = await subscribe(admin, { subscription_filter: {} });
      const seen = await delivery(own.subscription_id, { status: "dlq" });
      await delivery(other.subscription_id, { status: "dlq" });
      assert.deepEqual((await listed("", keeper)).ids, [seen]);
      const nobody = await service.user(scope);
      assert.equal((await nobody.get(ERRORS)).status, 403);
    });

    it("has words for every kind", () => {
      for (const [kind, words] of Object.entries(errorKinds))
        for (const text of Object.values(words)) assert.ok(text.length >= 10, `${kind}: ${text}`);
    });
  });
});
