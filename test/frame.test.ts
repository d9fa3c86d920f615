import assert from "node:assert/strict";
import { parseSetCookie } from "cookie";
import { connect, db, disconnect } from "../src/db.js";
import { type House, openHouse } from "./support/house.js";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NO_SUCH_PO = "/api/receiving/po/no-such-order";

describe("the frame of every route", () => {
  let house: House;
  before(async () => {
    house = await openHouse();
  });
  after(() => house.close());

  describe("headers", () => {
    it("guard every response, refusals and unknown paths too", async () => {
      for (const path of ["/api/health", "/api/auth/me", "/nowhere"]) {
        const { headers } = await house.anyone.get(path);
        assert.equal(headers.get("x-content-type-options"), "nosniff", path);
        assert.equal(headers.get("x-frame-options"), "DENY");
        assert.equal(headers.get("x-xss-protection"), "0");
        assert.equal(
          headers.get("referrer-policy"),
          "strict-origin-when-cross-origin",
        );
        assert.equal(
          headers.get("permissions-policy"),
          "camera=(), microphone=(), geolocation=()",
        );
        assert.equal(headers.get("strict-transport-security"), null);
        assert.equal(headers.get("x-powered-by"), null);
        const policy = new Set(
          headers.get("content-security-policy")?.split(";"),
        );
        for (const rule of [
          "default-src 'self'",
          "style-src 'self' 'unsafe-inline'",
          "img-src 'self' data:",
          "frame-ancestors 'none'",
          "object-src 'none'",
          "report-uri /api/csp-report",
        ]) {
          assert.ok(policy.has(rule), rule);
        }
      }
    });

    it("let the configured origins in with credentials, and no other", async () => {
      const from = (origin: string) =>
        house.anyone.with({ origin, "access-control-request-method": "POST" });
      const allowed = await from("http://localhost:3000").call(
        "OPTIONS",
        "/api/auth/login",
      );
      assert.equal(
        allowed.headers.get("access-control-allow-origin"),
        "http://localhost:3000",
      );
      assert.equal(
        allowed.headers.get("access-control-allow-credentials"),
        "true",
      );
      const stranger = await from("http://evil.example").get("/api/health");
      assert.equal(stranger.headers.get("access-control-allow-origin"), null);
    });

    it("name the request: by the caller's UUID, else by a fresh one", async () => {
      const id = "3F2B6C1E-9A4D-4C58-8F0E-5D7A1B2C3D4E";
      const named = await house.anyone
        .with({ "x-request-id": id })
        .get("/api/health");
      assert.equal(named.headers.get("x-request-id"), id.toLowerCase());
      const other = await house.anyone
        .with({ "x-request-id": "my request" })
        .get("/api/auth/me");
      assert.match(String(other.headers.get("x-request-id")), uuid);
    });
  });

  describe("a path", () => {
    it("that nobody serves is not found", async () => {
      const { status, body } = await house.admin.get("/api/nowhere");
      assert.deepEqual([status, body], [404, { error: "Not found" }]);
      assert.equal((await house.admin.delete("/api/health")).status, 404);
    });

    it("with something that is no id where an id belongs is not found", async () => {
      for (const id of ["abc", "1.5", "0", "-1", "99999999999"]) {
        const { status, body } = await house.admin.get(
          `/api/admin/purchase-orders/${id}`,
        );
        assert.deepEqual([status, body], [404, { error: "Not found" }], id);
      }
      const { body } = await house.admin.get("/api/admin/purchase-orders/999");
      assert.notDeepEqual(body, { error: "Not found" });
    });

    it("that cannot be decoded is refused", async () => {
      assert.equal(
        (await house.admin.get("/api/receiving/po/%E0%A4%A")).status,
        400,
      );
    });
  });

  describe("a body", () => {
    const receive = (body: unknown) =>
      house.admin.post("/api/receiving/receive", body);
    const detailsOf = async (body: unknown) => {
      const answer = await receive(body);
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error, "validation_error");
      return answer.body.details;
    };
    const missing = ["po_id", "items"].map((field) => ({
      type: "missing",
      loc: [field],
      msg: "Field required",
    }));

    it("must come as JSON", async () => {
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json5",
        "",
      ]) {
        const caller = house.admin.with({ "content-type": type });
        const { status, body } = await caller.call(
          "POST",
          "/api/receiving/receive",
          '{"po_id":1}',
        );
        assert.equal(status, 415, type);
        assert.deepEqual(body, {
          error: "unsupported_media_type",
          message: "Content-Type must be application/json",
        });
      }
      const latin = house.admin.with({
        "content-type": "Application/JSON; charset=utf-8",
      });
      assert.equal(
        (await latin.call("POST", "/api/receiving/receive", "{}")).status,
        400,
      );
    });

    it("that is empty, unreadable, null or bottomless misses all its fields", async () => {
      const deep = 500_000;
      for (const body of [
        "",
        "{",
        "null",
        "[".repeat(deep) + "]".repeat(deep),
      ]) {
        assert.deepEqual(await detailsOf(body), missing, body.slice(0, 9));
      }
    });

    it("that is JSON but no object is refused", async () => {
      for (const body of ["[]", '"text"', "7", "true"]) {
        const [detail] = await detailsOf(body);
        assert.deepEqual([detail.type, detail.loc], ["dict_type", []], body);
      }
    });

    it("may not hold unknown fields", async () => {
      const details = await detailsOf({
        po_id: 1,
        items: [{ item_id: 1, quantity: 1, bin_id: 1, colour: "red" }],
        x: 1,
      });
      assert.deepEqual(details, [
        {
          type: "extra_forbidden",
          loc: ["items", 0, "colour"],
          msg: "Unknown field: colour",
        },
        { type: "extra_forbidden", loc: ["x"], msg: "Unknown field: x" },
      ]);
    });

    it("may name a warehouse where the route does not use one", async () => {
      const { status } = await receive({
        po_id: 999,
        items: [{ item_id: 1, quantity: 1, bin_id: 1 }],
        warehouse_id: 7,
      });
      assert.equal(status, 404);
    });

    it("tells where in it a field is wrong", async () => {
      const [detail] = await detailsOf({
        po_id: 1,
        items: [{ item_id: 1, quantity: 0, bin_id: 1 }],
      });
      assert.deepEqual(
        [detail.type, detail.loc],
        ["greater_than", ["items", 0, "quantity"]],
      );
    });

    it("may not hold NUL or half a character, nor may path and query", async () => {
      const entry = { item_id: 1, quantity: 1, bin_id: 1 };
      for (const lot_number of ["A\0B", "A\ud800B"]) {
        const [detail] = await detailsOf({
          po_id: 1,
          items: [{ ...entry, lot_number }],
        });
        assert.deepEqual(
          [detail.type, detail.loc],
          ["value_error", ["items", 0, "lot_number"]],
        );
      }
      assert.equal(
        (await detailsOf({ po_id: 1, items: [entry], "a\0b": 1 })).length,
        1,
      );
      for (const path of [
        "/api/receiving/po/a%00b",
        "/api/admin/users?page=%00",
      ]) {
        const { status, body } = await house.admin.get(path);
        assert.deepEqual([status, body.error], [400, "validation_error"], path);
      }
    });

    it("of more than 10 MB is refused, one of 10 MB is read", async () => {
      const padded = (size: number) => `{"x":"${"x".repeat(size - 8)}"}`;
      const { status, body } = await receive(padded(10 * 1024 * 1024 + 1));
      assert.deepEqual([status, body], [413, { error: "body_too_large" }]);
      assert.equal((await receive(padded(10 * 1024 * 1024))).status, 400);
    });
  });

  describe("a failure", () => {
    it("that nobody expected is answered without its cause", async () => {
      await db.run(
        "alter table purchase_orders rename to purchase_orders_gone",
      );
      const { status, body } = await house.admin.get(NO_SUCH_PO);
      await db.run(
        "alter table purchase_orders_gone rename to purchase_orders",
      );
      assert.deepEqual(
        [status, body],
        [500, { error: "Internal server error" }],
      );
    });

    it("of the database's reach is a 503 that asks to come again", async () => {
      await disconnect();
      connect("postgres://postgres@127.0.0.1:1/nowhere");
      const { status, body, headers } = await house.admin.get(NO_SUCH_PO);
      await disconnect();
      connect(house.config.databaseUrl);
      assert.deepEqual(
        [status, body],
        [503, { error: "database_unavailable" }],
      );
      assert.equal(headers.get("retry-after"), "1");
      assert.equal((await house.admin.get(NO_SUCH_PO)).status, 404);
    });
  });
});

describe("the frame as it is configured", () => {
  it("counts each user's requests of a minute", async () => {
    const house = await openHouse({ env: { RATE_LIMIT_PER_MINUTE: "3" } });
    const other = await house.user();
    for (let i = 1; i <= 3; i++)
      assert.equal((await house.admin.get("/api/auth/me")).status, 200);
    const refused = await house.admin.get("/api/auth/me");
    assert.deepEqual(
      [refused.status, refused.body],
      [429, { error: "Too many requests, try again in a moment" }],
    );
    assert.equal((await other.get("/api/auth/me")).status, 200);
    assert.equal((await house.anyone.get("/api/health")).status, 200);
    await house.close();
  });

  it("names the constraint that an admin's write broke where nothing else does", async () => {
    const house = await openHouse();
    await db.run(
      "alter table warehouses add constraint no_attic check (warehouse_name <> 'Attic')",
    );
    const refused = await house.admin.post("/api/admin/warehouses", {
      warehouse_code: "W1",
      warehouse_name: "Attic",
    });
    assert.deepEqual(
      [refused.status, refused.body],
      [
        409,
        { error: "integrity_constraint_violation", constraint: "no_attic" },
      ],
    );
    await house.close();
  });

  it("believes a proxy only when it is told to", async () => {
    for (const [trust, secure] of [
      ["true", true],
      ["false", undefined],
    ] as const) {
      const house = await openHouse({ env: { TRUST_PROXY: trust } });
      const password = "correct horse 1";
      await house.admin.post("/api/admin/users", {
        username: "ann",
        password,
        full_name: "Ann",
        role: "USER",
      });
      const through = (address: string) =>
        house.anyone.with({
          "x-forwarded-proto": "https",
          "x-forwarded-for": address,
        });
      const logIn = (address: string, secret: string) =>
        through(address).post("/api/auth/login", {
          username: "ann",
          password: secret,
        });
      const { headers } = await logIn("203.0.113.1", password);
      const hsts = secure ? "max-age=31536000; includeSubDomains" : null;
      assert.equal(headers.get("strict-transport-security"), hsts);
      for (const line of headers.getSetCookie())
        assert.equal(parseSetCookie(line).secure, secure);
      for (let i = 1; i <= 5; i++) await logIn("203.0.113.1", "wrong horse 1");
      // One locked pair of address and name leaves the colleague at another address alone.
      assert.equal(
        (await logIn("203.0.113.2", password)).status,
        secure ? 200 : 429,
      );
      await house.close();
    }
  });
});
