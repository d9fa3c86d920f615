import assert from "node:assert/strict";
import { request } from "node:http";
import pg from "pg";
import { takeRequests } from "../../activities/auth/request-counts.js";
import { tokens } from "../../api/auth/caches.js";
import type { Answer } from "../support/caller.js";
import { db } from "../support/db.js";
import { TIME_FACTOR } from "../support/machine-speed.js";
import { testService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";
import { until } from "../support/until.js";

const ITEMS = "/api/v1/inbound/items";
const CAP_KB = 16;
const shop = { source_system: "shop", inbound_resources: ["items"] };

const told = ({ status, body }: Answer) => [status, body];
const invalidToken = [401, { error: "invalid_token" }];
/** Let in: the route itself looked at what was sent, and it was nothing. */
const letIn = ({ status, body }: Answer) => status === 422 && body.details[0].loc[0] === "external_id";
const tooLarge = [
  413,
  { error_kind: "body_too_large", message: `The body is larger than ${CAP_KB} KB`, max_body_kb: CAP_KB },
];
/** A JSON body of so many bytes. */
const bodyOf = (bytes: number) => `{"x":"${"y".repeat(bytes - 8)}"}`;

describe("the door of inbound routes", () => {
  const service = testService({ env: { SERVICE_INBOUND_MAX_BODY_KB: `${CAP_KB}` } });

  const knock = (plaintext: string, body: unknown = {}) =>
    service.anyone.with({ "x-wms-token": plaintext }).post(ITEMS, body);

  describe("a token", () => {
    it("that holds lets in", async () => {
      const { caller } = await tokenCaller(service, shop);
      assert.ok(letIn(await caller.post(ITEMS)));
    });

    it("that is none is told the same, whatever is wrong with it", async () => {
      const { plaintext } = await tokenCaller(service, shop);
      const revoked = async (how: string) => {
        const token = await tokenCaller(service, shop);
        await db.run(`update wms_tokens set ${how} where token_id = $1`, [token.token_id]);
        return token.plaintext;
      };
      const expires_at = "2020-01-01T00:00:00Z";
      const expired = await tokenCaller(service, { ...shop, expires_at });
      for (const token of [
        "",
        "unknown",
        "x".repeat(4_000),
        `${plaintext}x`,
        plaintext.toUpperCase(),
        await revoked("revoked_at = now()"),
        await revoked("status = 'revoked'"),
        expired.plaintext,
      ])
        assert.deepEqual(told(await knock(token)), invalidToken, token);
    });

    it("counts in its header only", async () => {
      const { plaintext } = await tokenCaller(service, shop);
      for (const answer of [
        await service.anyone.post(`${ITEMS}?x-wms-token=${plaintext}`),
        await service.anyone.with({ authorization: `Bearer ${plaintext}` }).post(ITEMS),
        await service.admin.post(ITEMS),
      ])
        assert.deepEqual(told(answer), invalidToken);
    });

    it("for both directions goes in", async () => {
      const { plaintext } = await tokenCaller(service, { ...shop, endpoints: ["events.poll"] });
      assert.ok(letIn(await knock(plaintext)));
    });

    it("notes its use once a minute", async () => {
      const { plaintext, token_id } = await tokenCaller(service, shop);
      const lastUsed = () =>
        db.value<string | null>("select last_used_at from wms_tokens where token_id = $1", [token_id]);
      /** Uses it as a process that does not know it yet. */
      const use = async () => {
        tokens.invalidate();
        assert.ok(letIn(await knock(plaintext)));
      };
      assert.equal(await lastUsed(), null);
      await use();
      const first = (await lastUsed()) as string;
      await use();
      assert.equal(await lastUsed(), first);
      await db.run("update wms_tokens set last_used_at = now() - interval '61 seconds' where token_id = $1", [
        token_id,
      ]);
      await use();
      assert.ok(((await lastUsed()) as string) >= first);
    });
  });

  describe("a token in use", () => {
    /** A token that this process knows, and somebody who lets nobody read tokens. */
    const whileUnreadable = async (run: () => Promise<void>) => {
      const client = new pg.Client(service.config.databaseUrl);
      await client.connect();
      try {
        await client.query("begin; lock table wms_tokens");
        await run();
      } finally {
        await client.end();
      }
    };

    it("is asked of nobody", async () => {
      const { plaintext } = await tokenCaller(service, shop);
      assert.ok(letIn(await knock(plaintext)));
      await whileUnreadable(async () => {
        assert.ok(letIn(await knock(plaintext)));
      });
    });

    const ends: Record<string, string> = {
      "that somebody revokes": "update wms_tokens set revoked_at = now()",
      "whose status is set by hand": "update wms_tokens set status = 'revoked'",
      "that expires earlier than it was said": "update wms_tokens set expires_at = now()",
      "that gets another hash": "update wms_tokens set token_hash = repeat('0', 64)",
      "that is deleted": "delete from wms_tokens",
      "that is swept away with all": "truncate wms_tokens cascade",
    };
    for (const [which, sql] of Object.entries(ends))
      it(`${which} lets in nobody a moment later`, async () => {
        const { plaintext, token_id } = await tokenCaller(service, shop);
        assert.ok(letIn(await knock(plaintext)));
        await db.run(sql.startsWith("truncate") ? sql : `${sql} where token_id = ${token_id}`);
        await until(async () => (await knock(plaintext)).status === 401);
      });

    it("whose scope is taken away is refused a moment later", async () => {
      const { plaintext, token_id } = await tokenCaller(service, shop);
      assert.ok(letIn(await knock(plaintext)));
      await db.run("update wms_tokens set inbound_resources = '{vendors}' where token_id = $1", [token_id]);
      await until(async () => (await knock(plaintext)).status === 403);
    });

    it("expires to the second, though it is known", async () => {
      const { plaintext, token_id } = await tokenCaller(service, shop);
      await db.run("update wms_tokens set expires_at = now() + make_interval(secs => $2) where token_id = $1", [
        token_id,
        TIME_FACTOR,
      ]);
      tokens.invalidate();
      assert.ok(letIn(await knock(plaintext)));
      await until(async () => (await knock(plaintext)).status === 401);
    });

    it("is refused at once where its keeper ended it", async () => {
      const tokens = "/api/admin/tokens";
      const ended = async (how: (path: string) => Promise<unknown>) => {
        const { token, token_id } = await service.admin.ok("POST", tokens, { ...shop, token_name: "shop" });
        assert.ok(letIn(await knock(token)));
        await how(`${tokens}/${token_id}`);
        assert.deepEqual(told(await knock(token)), invalidToken);
      };
      await ended((path) => service.admin.ok("POST", `${path}/revoke`));
      await ended((path) => service.admin.ok("POST", `${path}/rotate`));
      await ended((path) => service.admin.ok("DELETE", path));
      await ended((path) => service.admin.ok("PATCH", path, { expires_at: "2020-01-01T00:00:00Z" }));
    });
  });

  describe("a body", () => {
    let plaintext: string;
    before(async () => {
      ({ plaintext } = await tokenCaller(service, shop));
    });

    /** Sends a body in pieces, without saying how long it is. */
    const inPieces = (body: string) =>
      new Promise<Answer>((resolve, reject) => {
        const headers = {
          ...{ "content-type": "application/json", "x-wms-token": plaintext },
          "transfer-encoding": "chunked",
        };
        const sent = request(`${service.url}${ITEMS}`, { method: "POST", headers });
        sent.on("error", reject);
        sent.on("response", async (answer) => {
          let text = "";
          for await (const part of answer.setEncoding("utf8")) text += part;
          const status = answer.statusCode as number;
          resolve({ status, body: JSON.parse(text), headers: new Headers() });
        });
        for (let at = 0; at < body.length; at += 5_000) sent.write(body.slice(at, at + 5_000));
        sent.end();
      });

    it("may be as large as the cap", async () => {
      const body = bodyOf(CAP_KB * 1024);
      for (const answer of [await knock(plaintext, body), await inPieces(body)])
        assert.equal(answer.body.error_kind, "validation_error");
    });

    it("above the cap is refused, whether or not it says its length", async () => {
      const body = bodyOf(CAP_KB * 1024 + 1);
      assert.deepEqual(told(await knock(plaintext, body)), tooLarge);
      assert.deepEqual(told(await inPieces(body)), tooLarge);
      assert.deepEqual(told(await inPieces(bodyOf(2_000_000))), tooLarge);
    });

    it("that is no JSON, or nested without end, is refused by name", async () => {
      const unreadable = [
        422,
        { error_kind: "validation_error", details: [{ type: "json_invalid", loc: [], msg: "body is not JSON" }] },
      ];
      assert.deepEqual(told(await knock(plaintext, "{")), unreadable);
      const deep = "[".repeat(5_000) + "]".repeat(5_000);
      const { status, body } = await knock(plaintext, deep);
      assert.deepEqual([status, body.details[0].msg], [422, "Nested deeper than 64 levels"]);
    });

    it("with what the database cannot hold is refused, field by field", async () => {
      const push = { external_id: "a\0b", external_version: "1" };
      const answer = await knock(plaintext, { ...push, source_payload: {} });
      assert.deepEqual([answer.status, answer.body.details[0].loc], [422, ["external_id"]]);
    });

    it("names no warehouse in passing, as those of people may", async () => {
      const { body } = await knock(plaintext, { warehouse_id: 1 });
      assert.ok(body.details.some(({ loc }: { loc: string[] }) => loc[0] === "warehouse_id"));
    });
  });

  describe("every answer", () => {
    it("says that the model is a draft, whatever it is", async () => {
      const { caller, plaintext } = await tokenCaller(service, shop);
      const outbound = await tokenCaller(service, { endpoints: ["events.poll"] });
      for (const [status, answer] of [
        [401, await service.anyone.post(ITEMS)],
        [403, await outbound.caller.post(ITEMS)],
        [404, await service.anyone.get("/api/v1/inbound/nothing")],
        [404, await service.anyone.get("/API/V1/Inbound/nothing")],
        [404, await caller.get(ITEMS)],
        [413, await knock(plaintext, bodyOf(CAP_KB * 1024 + 1))],
        [415, await caller.with({ "content-type": "text/plain" }).post(ITEMS)],
        [422, await caller.post(ITEMS)],
      ] as const) {
        assert.equal(answer.status, status);
        const model = answer.headers.get("x-service-canonical-model");
        assert.equal(model, "DRAFT-v1", `${status}`);
      }
      const elsewhere = await service.anyone.get("/api/health");
      assert.equal(elsewhere.headers.get("x-service-canonical-model"), null);
    });

    it("comes in this order: token, direction, resource, size, content", async () => {
      const large = bodyOf(CAP_KB * 1024 + 1);
      const outbound = await tokenCaller(service, { endpoints: ["events.poll"] });
      const other = { ...shop, inbound_resources: ["vendors"] };
      const vendors = await tokenCaller(service, other);
      const { plaintext } = await tokenCaller(service, shop);
      const kinds = [];
      for (const token of ["x", outbound.plaintext, vendors.plaintext, plaintext]) {
        const { body } = await knock(token, large);
        kinds.push(body.error_kind ?? body.error);
      }
      assert.deepEqual(kinds, [
        ...["invalid_token", "cross_direction_scope_violation"],
        ...["inbound_resource_scope_violation", "body_too_large"],
      ]);
    });
  });
});

describe("the rate of an inbound token", () => {
  const LIMIT = 3;
  const service = testService({ env: { INBOUND_RATE_LIMIT_PER_MINUTE: `${LIMIT}` } });

  const minute = () => db.value<string>("select date_trunc('minute', now())::text as minute");
  /** What so many requests of a fresh token were answered, all within one minute of the clock. */
  async function burst(requests: number, body: unknown = {}): Promise<Answer[]> {
    const { caller } = await tokenCaller(service, shop);
    const begun = await minute();
    const answers = await Promise.all(Array.from({ length: requests }, () => caller.post(ITEMS, body)));
    return begun === (await minute()) ? answers : burst(requests, body);
  }

  it("is bounded, and told with the time to wait", async () => {
    const answers = await burst(LIMIT + 4);
    assert.equal(answers.filter(letIn).length, LIMIT);
    const refused = answers.filter(({ status }) => status === 429);
    assert.equal(refused.length, 4);
    for (const { body, headers } of refused) {
      assert.deepEqual(body, {
        error_kind: "rate_limited",
        message: "This token has used up its requests of the running minute",
      });
      const seconds = Number(headers.get("retry-after"));
      assert.ok(seconds >= 1 && seconds <= 60, `${seconds}`);
      assert.equal(headers.get("x-service-canonical-model"), "DRAFT-v1");
    }
  });

  it("is each token's own", async () => {
    assert.ok((await burst(LIMIT)).every(letIn));
    assert.ok((await burst(LIMIT)).every(letIn));
  });

  it("is looked at before the size", async () => {
    const large = bodyOf(300 * 1024);
    const statuses = (await burst(LIMIT + 1, large)).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [413, 413, 413, 429]);
  });

  it("is taken in parts, and whole again in the next minute", async () => {
    const { token_id } = await tokenCaller(service, shop);
    const take = async () => (await takeRequests(`inbound ${token_id}`, 2, LIMIT)).requests;
    /** Moves what was taken by so many minutes. */
    const move = (minutes: number) =>
      db.run("update request_counts set minute = minute + make_interval(mins => $2) where key = $1", [
        `inbound ${token_id}`,
        minutes,
      ]);
    await take();
    // In a minute that is yet to come, so that none begins on the way; who is late counts with it.
    await move(60);
    assert.deepEqual([await take(), await take(), await take()], [1, 0, 0]);
    await move(-120);
    assert.deepEqual([await take()], [2]);
  });
});
