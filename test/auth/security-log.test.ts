import assert from "node:assert/strict";
import { metrics } from "@opentelemetry/api";
import {
  AggregationTemporality,
  type DataPoint,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { type Line, logged } from "../support/log.js";
import { PASSWORD, person, sessionsOf } from "../support/people.js";
import { testService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";

describe("the security log", () => {
  const service = testService({ env: { RATE_LIMIT_PER_MINUTE: "3" } });
  const { logIn, signedIn, browser } = sessionsOf(() => service);

  /** What was logged of refusals, without what every line has. */
  async function refusals(work: () => Promise<unknown>): Promise<Line[]> {
    const lines = await logged("info", work);
    return lines
      .filter(({ msg }) => msg === "request refused")
      .map(({ level, time, pid, hostname, msg, ...line }) => {
        assert.equal(level, 40);
        assert.match(String(line.requestId), /^[0-9a-f-]{36}$/);
        assert.equal(line.ip, "127.0.0.1");
        const { requestId, ip, ...rest } = line;
        return rest;
      });
  }

  it("has a line of each failed login, of the lock, and of what comes while it is locked", async () => {
    const { username } = await person();
    const lines = await refusals(async () => {
      for (let i = 1; i <= 6; i++) await logIn(username, "wrong horse 1");
    });
    const of = { user: username, route: "POST /api/auth/login" };
    const failed = { event: "login_failed", kind: "invalid_credentials", status: 401, ...of };
    assert.deepEqual(lines, [
      ...Array.from({ length: 4 }, () => failed),
      { event: "login_locked", kind: "login_locked_now", status: 429, ...of },
      { event: "login_refused", kind: "login_locked", status: 429, ...of },
    ]);
  });

  it("has no more of a name that was typed than its beginning, in one line", async () => {
    const name = `x\r\n{"level":60}${"y".repeat(130)}`;
    const [line] = await refusals(() => logIn(name, "wrong horse 1"));
    assert.equal(line?.user, name.slice(0, 64));
  });

  it("has a line of each 401, 403 and 429, with who asked where it is known", async () => {
    const user = await person({ role: "USER" });
    const caller = await signedIn(user.username);
    const cookies = (await browser(user.username)).caller;
    const { plaintext, token_id } = await tokenCaller(service);
    const lines = await refusals(async () => {
      await service.anyone.get("/api/admin/items/7");
      await caller.get("/api/admin/items/7");
      await caller.post("/api/auth/change-password", {
        current_password: "wrong horse 1",
        new_password: "battery staple 2",
      });
      await cookies.post("/api/auth/refresh");
      await service.anyone.with({ "x-wms-token": plaintext }).get("/api/v1/events");
      await caller.get("/api/auth/me");
      await caller.get("/api/auth/me");
      // Refused, but not for who asked.
      await service.admin.get("/api/admin/items/7");
    });
    assert.deepEqual(
      lines.map(({ event, kind, status, user, tokenId, route }) => [
        event,
        kind,
        status,
        user ?? tokenId ?? null,
        route,
      ]),
      [
        ["unauthenticated", "unauthorized", 401, null, "GET /api/admin/items/:item_id"],
        ["forbidden", "permission_denied", 403, user.username, "GET /api/admin/items/:item_id"],
        ["login_failed", "wrong_current_password", 403, user.username, "POST /api/auth/change-password"],
        ["forbidden", "csrf_invalid", 403, null, "POST /api/auth/refresh"],
        ["forbidden", "endpoint_scope_violation", 403, token_id, "GET /api/v1/events"],
        ["rate_limited", "too_many_requests", 429, user.username, "GET /api/auth/me"],
      ],
    );
  });

  it("has no password, token or cookie in it", async () => {
    const user = await person();
    const { plaintext } = await tokenCaller(service);
    const session = await signedIn(user.username);
    const lines = await logged("trace", async () => {
      await logIn(user.username, "wrong horse 1");
      await session.post("/api/auth/change-password", {
        current_password: "wrong horse 1",
        new_password: "battery staple 2",
      });
      await service.anyone.with({ "x-wms-token": plaintext }).get("/api/v1/events");
      await service.anyone.with({ cookie: "service_auth=secret-cookie" }).get("/api/auth/me");
    });
    assert.ok(lines.length >= 4);
    const text = JSON.stringify(lines);
    const [, token] = String(session.headers.authorization).split(" ");
    for (const secret of ["wrong horse", "battery staple", PASSWORD, "secret-cookie", plaintext, String(token)])
      assert.ok(!text.includes(secret), secret);
  });

  it("is counted by kind and status", async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter });
    const provider = new MeterProvider({ readers: [reader] });
    metrics.setGlobalMeterProvider(provider);
    try {
      await service.anyone.get("/api/auth/me");
      await service.anyone.get("/api/auth/me");
      await logIn("nobody-here", "wrong horse 1");
      await service.anyone.get("/api/health");
      await reader.forceFlush();
    } finally {
      metrics.disable();
    }
    const counted = exporter
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap((scope) => scope.metrics)
      .filter(({ descriptor }) => descriptor.name === "security_refusals")
      .flatMap((metric): DataPoint<unknown>[] => metric.dataPoints)
      .map(({ attributes, value }) => ({ ...attributes, value }));
    await provider.shutdown();
    assert.deepEqual(counted, [
      { kind: "unauthorized", status: 401, value: 2 },
      { kind: "invalid_credentials", status: 401, value: 1 },
    ]);
  });
});
