import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { parseSetCookie } from "cookie";
import express from "express";
import { close, listen, portOf } from "../../api/http/server.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { type Caller, statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import { logged } from "../support/log.js";
import { openService, testService } from "../support/service.js";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NO_SUCH_PO = "/api/receiving/po/no-such-order";

describe("a server at ::", () => {
  it("is reached by IPv4, and by IPv6 where there is any", async () => {
    const server = await listen(
      express().get("/", (_, res) => void res.end("here")),
      "::",
      0,
    );
    const hosts = Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address));
    for (const host of ["127.0.0.1", ...(hosts.includes("::1") ? ["[::1]"] : [])])
      assert.equal(await (await fetch(`http://${host}:${portOf(server)}`)).text(), "here", host);
    await close(server);
  });
});

describe("the frame of every route", () => {
  const service = testService();

  describe("headers", () => {
    it("guard every response, refusals and unknown paths too", async () => {
      for (const path of ["/api/health", "/api/auth/me", "/nowhere"]) {
        const { headers } = await service.anyone.get(path);
        assert.equal(headers.get("x-content-type-options"), "nosniff", path);
        assert.equal(headers.get("x-frame-options"), "DENY");
        assert.equal(headers.get("x-xss-protection"), "0");
        assert.equal(headers.get("referrer-policy"), "strict-origin-when-cross-origin");
        assert.equal(headers.get("permissions-policy"), "camera=(), microphone=(), geolocation=()");
        assert.equal(headers.get("strict-transport-security"), null);
        assert.equal(headers.get("x-powered-by"), null);
        const policy = new Set(headers.get("content-security-policy")?.split(";"));
        for (const rule of [
          "default-src 'self'",
          "style-src 'self' 'unsafe-inline'",
          "img-src 'self' data:",
          "frame-ancestors 'none'",
          "object-src 'none'",
          "base-uri 'none'",
          "report-uri /api/csp-report",
        ]) {
          assert.ok(policy.has(rule), rule);
        }
      }
    });

    it("keep every answer out of caches, except where it says otherwise", async () => {
      const cached = async (caller: Caller, path: string) => (await caller.get(path)).headers.get("cache-control");
      for (const path of ["/api/auth/me", "/api/health", "/api/nowhere", "/api/openapi.json", "/api/admin/users"])
        for (const caller of [service.admin, service.anyone])
          assert.equal(await cached(caller, path), "no-store", path);
      const schema = "/api/v1/inbound/mapping-schema";
      assert.equal(await cached(service.anyone, schema), "public, max-age=300");
      const asset = await cached(service.anyone, "/docs/swagger-ui.css");
      assert.notEqual(asset, "no-store");
    });

    it("let the configured origins in with credentials, and no other", async () => {
      const from = (origin: string) => service.anyone.with({ origin, "access-control-request-method": "POST" });
      const allowed = await from("http://localhost:3000").call("OPTIONS", "/api/auth/login");
      assert.equal(allowed.headers.get("access-control-allow-origin"), "http://localhost:3000");
      assert.equal(allowed.headers.get("access-control-allow-credentials"), "true");
      const stranger = await from("http://evil.example").get("/api/health");
      assert.equal(stranger.headers.get("access-control-allow-origin"), null);
    });

    it("are not sent back to who asks for a TRACE", async () => {
      const trace = request(`${service.url}/api/health`, { method: "TRACE", headers: { "x-seen": "by nobody" } });
      const [answer] = await once(trace.end(), "response");
      assert.equal(answer.statusCode, 404);
      const body = (await answer.setEncoding("utf8").toArray()).join("");
      assert.doesNotMatch(`${body}${JSON.stringify(answer.headers)}`, /by nobody/);
    });

    it("name the request: by the caller's UUID, else by a fresh one", async () => {
      const id = "3F2B6C1E-9A4D-4C58-8F0E-5D7A1B2C3D4E";
      const named = await service.anyone.with({ "x-request-id": id }).get("/api/health");
      assert.equal(named.headers.get("x-request-id"), id.toLowerCase());
      const other = await service.anyone.with({ "x-request-id": "my request" }).get("/api/auth/me");
      assert.match(String(other.headers.get("x-request-id")), uuid);
    });
  });

  describe("a failure", () => {
    it("that nobody expected is answered without its cause", async () => {
      await db.run("alter table purchase_orders rename to purchase_orders_gone");
      const { status, body } = await service.admin.get(NO_SUCH_PO);
      await db.run("alter table purchase_orders_gone rename to purchase_orders");
      assert.deepEqual([status, body], [500, { error: "Internal server error" }]);
    });

    it("of a lock that is not got, a deadlock, or a slow statement, is a 503 that asks to come again", async () => {
      for (const state of ["55P03", "40P01", "57014"]) {
        await db.run(
          `create function too_busy() returns trigger language plpgsql as
           $$ begin raise exception 'too busy' using errcode = '${state}'; end $$`,
        );
        await db.run("create trigger too_busy before insert on vendors for each row execute function too_busy()");
        const { status, body, headers } = await service.admin.post("/api/admin/vendors", { vendor_name: "Acme" });
        await db.run("drop function too_busy cascade");
        assert.deepEqual([status, body], [503, { error: "database_busy" }]);
        assert.equal(headers.get("retry-after"), "1");
      }
    });

    it("of the database's reach is a 503 that asks to come again, and the log says why", async () => {
      const lines = await logged("warn", async () => {
        await disconnect();
        connect("postgres://postgres@127.0.0.1:1/nowhere");
        const { status, body, headers } = await service.admin.get(NO_SUCH_PO);
        await disconnect();
        connect(service.config.databaseUrl);
        assert.deepEqual([status, body], [503, { error: "database_unavailable" }]);
        assert.equal(headers.get("retry-after"), "1");
      });
      const told = lines.filter(({ msg }) => msg === "the database was not reached");
      assert.deepEqual(
        told.map(({ path, err }) => [path, (err as { code: string }).code]),
        [[NO_SUCH_PO, "ECONNREFUSED"]],
      );
      assert.equal((await service.admin.get(NO_SUCH_PO)).status, 404);
    });
  });
});

describe("the frame as it is configured", () => {
  it("counts each user's requests of a minute", async () => {
    const service = await openService({ env: { RATE_LIMIT_PER_MINUTE: "3" } });
    const other = await service.user();
    for (let i = 1; i <= 3; i++) assert.equal((await service.admin.get("/api/auth/me")).status, 200);
    const refused = await service.admin.get("/api/auth/me");
    assert.deepEqual([refused.status, refused.body], [429, { error: "Too many requests, try again in a moment" }]);
    assert.equal((await other.get("/api/auth/me")).status, 200);
    assert.equal((await service.anyone.get("/api/health")).status, 200);
    await service.close();
  });

  it("names the constraint that an admin's write broke where nothing else does", async () => {
    const service = await openService();
    await db.run("alter table warehouses add constraint no_attic check (warehouse_name <> 'Attic')");
    const refused = await service.admin.post("/api/admin/warehouses", {
      warehouse_code: "W1",
      warehouse_name: "Attic",
    });
    assert.deepEqual(statusAndBody(refused), [
      409,
      { error: "integrity_constraint_violation", constraint: "no_attic" },
    ]);
    await service.close();
  });

  it("believes a proxy only when it is told to", async () => {
    for (const [trust, secure] of [
      ["true", true],
      ["false", undefined],
    ] as const) {
      const service = await openService({ env: { TRUST_PROXY: trust } });
      const password = "correct horse 1";
      await service.admin.post("/api/admin/users", { username: "ann", password, full_name: "Ann", role: "USER" });
      const through = (address: string) =>
        service.anyone.with({ "x-forwarded-proto": "https", "x-forwarded-for": address });
      const logIn = (address: string, secret: string) =>
        through(address).post("/api/auth/login", { username: "ann", password: secret });
      const { headers } = await logIn("203.0.113.1", password);
      assert.equal(headers.get("strict-transport-security"), "max-age=31536000; includeSubDomains");
      for (const line of headers.getSetCookie()) assert.equal(parseSetCookie(line).secure, secure);
      for (let i = 1; i <= 5; i++) await logIn("203.0.113.1", "wrong horse 1");
      // One locked pair of address and name leaves the colleague at another address alone.
      assert.equal((await logIn("203.0.113.2", password)).status, secure ? 200 : 429);
      await service.close();
    }
  });
});
