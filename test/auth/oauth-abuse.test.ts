import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { codeOf, withApp } from "../support/factors.js";
import { keyCaller } from "../support/keys.js";
import { logged } from "../support/log.js";
import { ACCESS, type Program, program, type Tokens } from "../support/oauth.js";
import { PASSWORD } from "../support/people.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";

describe("OAuth of the house, abused", () => {
  const service = testService();
  const bearer = (token: string) => service.anyone.with({ authorization: `Bearer ${token}` });
  const opens = async (token: string) =>
    (await bearer(token).post("/mcp", { jsonrpc: "2.0", id: 1, method: "ping" })).status;
  let user: Caller;
  let asks: Program;
  let other: Program;
  before(async () => {
    user = await service.user();
    [asks, other] = [await program(service.url), await program(service.url)];
  });

  /** What the security log says of the refusals in some work: event, reason or kind, and user. */
  async function noted(work: () => Promise<unknown>): Promise<unknown[][]> {
    const lines = await logged("info", work);
    return lines
      .filter(({ msg }) => msg === "request refused")
      .map(({ event, reason, kind, user }) => [event, reason ?? kind, user ?? null]);
  }
  const givenCode = async (fields = {}) => {
    const { query, verifier } = asks.ask(fields);
    const back = await asks.allowed(user, query);
    return { code: back.searchParams.get("code") as string, verifier };
  };

  describe("codes", () => {
    it("that are shown again are refused, and what was let in by them is let in no more", async () => {
      const tokens = await asks.letIn(user);
      assert.equal(await opens(tokens.access_token), 200);
      const log = await noted(async () => {
        const { status, body } = await asks.change(tokens.code, tokens.verifier);
        assert.deepEqual([status, body.error], [400, "invalid_grant"]);
      });
      assert.deepEqual(log, [["oauth_refused", "code_replayed", user.username]]);
      assert.equal(await opens(tokens.access_token), 401);
      assert.equal((await asks.refresh(tokens.refresh_token)).body.error, "invalid_grant");
      const why = await db.value(
        "select details->>'why' from audit_log where action_type = 'KEY_REVOKE' order by log_id desc limit 1",
      );
      assert.equal(why, "code_replayed");
    });

    it("that are shown sixteen times at once open one time at most", async () => {
      const { code, verifier } = await givenCode();
      const answers = await Promise.all(Array.from({ length: 16 }, () => asks.change(code, verifier)));
      const given = answers.filter(({ status }) => status === 200);
      assert.equal(given.length, 1);
      assert.equal(await opens(given[0]?.body.access_token), 401);
    });

    it("are bound to program, redirect, verifier and resource, and are over after a wrong one", async () => {
      const wrong: Record<string, (code: string, verifier: string) => Promise<{ body: { error: string } }>> = {
        code_of_another: (code, verifier) => other.change(code, verifier),
        wrong_redirect: (code, verifier) =>
          asks.change(code, verifier, { redirect_uri: "http://127.0.0.1:33419/callback" }),
        wrong_verifier: (code) => asks.change(code, "a".repeat(43)),
        unknown_code: (_, verifier) => asks.change("nobody's", verifier),
      };
      for (const [reason, change] of Object.entries(wrong)) {
        const { code, verifier } = await givenCode();
        const log = await noted(async () => {
          assert.equal((await change(code, verifier)).body.error, "invalid_grant", reason);
        });
        assert.deepEqual(log, [["oauth_refused", reason, null]]);
        if (reason !== "unknown_code") assert.equal((await asks.change(code, verifier)).status, 400, reason);
      }
      const { code, verifier } = await givenCode();
      const log = await noted(async () => {
        const { body } = await asks.change(code, verifier, { resource: "https://elsewhere.test/mcp" });
        assert.equal(body.error, "invalid_target");
      });
      assert.deepEqual(log, [["oauth_refused", "wrong_resource", null]]);
    });

    it("end after a minute", async () => {
      const { code, verifier } = await givenCode();
      await db.run("update oauth_codes set expires_at = expires_at - interval '60 seconds'");
      const log = await noted(() => asks.change(code, verifier));
      assert.deepEqual(pluck(log, 1), ["code_over"]);
    });

    it("open nothing for a user who was disabled meanwhile, nor once keys are switched off", async () => {
      const gone = await service.user();
      const { query, verifier } = asks.ask();
      const code = (await asks.allowed(gone, query)).searchParams.get("code") as string;
      await db.run("update users set is_active = false where user_id = $1", [gone.userId]);
      assert.deepEqual(pluck(await noted(() => asks.change(code, verifier)), 1), ["user_gone"]);
      const later = await givenCode();
      await service.admin.ok("PUT", "/api/admin/settings", { settings: { personal_key_days: "0" } });
      assert.deepEqual(pluck(await noted(() => asks.change(later.code, later.verifier)), 1), ["keys_off"]);
      await service.admin.ok("PUT", "/api/admin/settings", { settings: { personal_key_days: "365" } });
    });
  });

  describe("refresh tokens", () => {
    it("that are shown again end all tokens: two have them", async () => {
      const first = await asks.letIn(user);
      const { body: second } = await asks.refresh(first.refresh_token);
      const { body: third } = await asks.refresh(second.refresh_token);
      assert.equal(await opens(third.access_token), 200);
      const log = await noted(async () => {
        assert.equal((await asks.refresh(first.refresh_token)).body.error, "invalid_grant");
      });
      assert.deepEqual(log, [["oauth_refused", "refresh_token_reused", user.username]]);
      assert.equal(await opens(third.access_token), 401);
      assert.equal((await asks.refresh(third.refresh_token)).body.error, "invalid_grant");
    });

    it("that are shown sixteen times at once give one new one at most, and end", async () => {
      const { refresh_token } = await asks.letIn(user);
      const answers = await Promise.all(Array.from({ length: 16 }, () => asks.refresh(refresh_token)));
      const given = answers.filter(({ status }) => status === 200);
      assert.equal(given.length, 1);
      assert.equal(await opens(given[0]?.body.access_token), 401);
    });

    it("are for their program, for no more than was granted, and while key and user last", async () => {
      const refused = async (tokens: Tokens, by = asks, fields = {}) => {
        let error: unknown;
        const log = await noted(async () => {
          error = (await by.refresh(tokens.refresh_token, fields)).body.error;
        });
        return [error, log[0]?.[1]];
      };
      const gone = await service.user();
      const tokens = await asks.letIn(gone, { scope: "read" });
      assert.deepEqual(await refused(tokens, other), ["invalid_grant", "refresh_token_of_another"]);
      assert.deepEqual(await refused(tokens, asks, { scope: "write" }), ["invalid_scope", "scope_beyond"]);
      await db.run("update users set is_active = false where user_id = $1", [gone.userId]);
      assert.deepEqual(await refused(tokens), ["invalid_grant", "user_gone"]);
      await db.run("update users set is_active = true where user_id = $1", [gone.userId]);
      await db.run("update personal_keys set expires_at = now() where user_id = $1", [gone.userId]);
      assert.deepEqual(await refused(tokens), ["invalid_grant", "key_over"]);
    });

    it("are no access tokens, and access tokens are taken in the header alone", async () => {
      const { access_token, refresh_token } = await asks.letIn(user);
      assert.equal(await opens(refresh_token), 401);
      const message = { jsonrpc: "2.0", id: 1, method: "ping" };
      assert.equal((await service.anyone.post(`/mcp?access_token=${access_token}`, message)).status, 401);
      const cookie = service.anyone.with({ cookie: `service_auth=${access_token}` });
      assert.equal((await cookie.post("/mcp", message)).status, 401);
    });

    it("are given back by their own program alone", async () => {
      const { access_token, refresh_token } = await asks.letIn(user);
      for (const token of [access_token, refresh_token])
        assert.equal((await other.post("/oauth/revoke", { token, client_id: other.client_id })).status, 200);
      assert.equal(await opens(access_token), 200);
    });
  });

  describe("requests", () => {
    it("of unknown programs are refused and noted, at the desk and for tokens", async () => {
      const { query, verifier } = asks.ask({ client_id: "agent_nobody" });
      const log = await noted(async () => {
        assert.equal((await user.get(`${ACCESS}?${new URLSearchParams(query)}`)).code, "agent_unknown");
        const { status, body } = await asks.change("a code", verifier, { client_id: "agent_nobody" });
        assert.deepEqual([status, body.error], [401, "invalid_client"]);
        assert.equal((await asks.post("/oauth/revoke", { token: "x", client_id: "agent_nobody" })).status, 401);
      });
      assert.deepEqual(log, [
        ["oauth_refused", "agent_unknown", user.username],
        ["oauth_refused", "unknown_client", null],
        ["oauth_refused", "unknown_client", null],
      ]);
    });

    it("that would lead elsewhere are refused, and nobody is sent there", async () => {
      const site = await program(service.url, { redirect_uris: ["https://agent.test/back", "http://127.0.0.1/back"] });
      const ask = async (redirect_uri: string) => {
        const { query } = site.ask({ redirect_uri });
        return (await user.post(ACCESS, { ...query, is_allowed: false })).code;
      };
      for (const uri of ["https://agent.test/back", "http://127.0.0.1:5/back", "http://127.0.0.1/back"])
        assert.equal(await ask(uri), undefined, uri);
      const wrong = [
        ...["https://agent.test/back/", "https://agent.test/back?x=1", "https://agent.test/BACK", "not an address"],
        ...["http://agent.test/back", "https://agent.test:444/back", "https://agent.test/back#x", "//agent.test/back"],
        ...["http://localhost/back", "http://127.0.0.1:5/other", "http://127.0.0.1.agent.test/back"],
        ...["http://a@127.0.0.1/back", "https://127.0.0.1/back", "javascript://agent.test/back"],
      ];
      const log = await noted(async () => {
        for (const uri of wrong) assert.equal(await ask(uri), "redirect_not_registered", uri);
      });
      assert.deepEqual(log, Array(wrong.length).fill(["oauth_refused", "redirect_not_registered", user.username]));
    });

    it("without a challenge of SHA-256, for another resource, or for unknown scopes are refused", async () => {
      const ask = async (fields: Record<string, unknown>) => {
        const { query } = asks.ask();
        return user.post(ACCESS, { ...query, is_allowed: true, ...fields });
      };
      for (const fields of [
        ...[{ code_challenge_method: "plain" }, { code_challenge_method: undefined }, { code_challenge: undefined }],
        ...[{ code_challenge: "short" }, { response_type: "token" }, { is_allowed: undefined }, { client_id: ["a"] }],
      ])
        assert.equal((await ask(fields)).body.error, "validation_error", JSON.stringify(fields));
      const log = await noted(async () => {
        for (const resource of [service.url, `${service.url}/mcp/`, "https://elsewhere.test/mcp"])
          assert.equal((await ask({ resource })).code, "resource_not_ours", resource);
        for (const scope of ["admin", "read admin", "floor:fly", "READ"])
          assert.equal((await ask({ scope })).code, "scope_unknown", scope);
      });
      const seen = async (fields: Record<string, string>) =>
        (await user.get(`${ACCESS}?${new URLSearchParams({ ...asks.ask().query, ...fields })}`)).code;
      assert.equal(await seen({ resource: "https://elsewhere.test/mcp" }), "resource_not_ours");
      assert.equal(await seen({ scope: "admin" }), "scope_unknown");
      assert.deepEqual(pluck(log, 1), [
        ...["resource_not_ours", "resource_not_ours", "resource_not_ours"],
        ...["scope_unknown", "scope_unknown", "scope_unknown", "scope_unknown"],
      ]);
    });

    it("that no person makes at the desk let nobody in", async () => {
      const { query } = asks.ask();
      const body = { ...query, is_allowed: true };
      const { access_token } = await asks.letIn(user);
      assert.equal((await service.anyone.post(ACCESS, body)).status, 401);
      assert.equal((await (await keyCaller(service, user)).post(ACCESS, body)).code, "not_with_a_key");
      assert.equal((await bearer(access_token).post(ACCESS, body)).code, "only_for_agents");
      const session = String(user.headers.authorization).replace("Bearer ", "");
      const forged = service.anyone.with({ cookie: `service_auth=${session}; service_csrf=one` });
      assert.equal((await forged.post(ACCESS, body)).code, "csrf_invalid");
      const page = await fetch(`${service.url}/console/agent-access`);
      assert.equal(page.headers.get("x-frame-options"), "DENY");
      assert.match(page.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
      const app = await withApp(service.anyone, { role: "USER" });
      const bare = await service.user();
      await service.admin.ok("PUT", "/api/admin/settings", { settings: { second_factor_roles: "USER" } });
      assert.equal((await bare.post(ACCESS, body)).code, "second_factor_enrolment_required");
      assert.equal((await app.own.post(ACCESS, body)).code, "second_factor_missing");
      const login = await service.anyone.post("/api/auth/login", { username: app.username, password: PASSWORD });
      const { challenge } = login.body;
      const { token } = await service.anyone.ok("POST", "/api/auth/second-factor", {
        ...{ challenge, code: codeOf(app.secret) },
      });
      assert.equal((await bearer(token).post(ACCESS, body)).status, 200);
      await service.admin.ok("PUT", "/api/admin/settings", { settings: { second_factor_roles: "" } });
    });

    it("that cannot be read are named, and change nothing", async () => {
      const send = async (path: string, body: string, type = "application/x-www-form-urlencoded") => {
        const response = await fetch(service.url + path, { method: "POST", headers: { "content-type": type }, body });
        return [response.status, ((await response.json()) as { error: string }).error];
      };
      const form = `grant_type=refresh_token&refresh_token=x&client_id=${asks.client_id}`;
      assert.deepEqual(await send("/oauth/token", ""), [400, "invalid_request"]);
      assert.deepEqual(await send("/oauth/token", "grant_type=password&username=a"), [400, "unsupported_grant_type"]);
      assert.deepEqual(await send("/oauth/token", "grant_type=authorization_code"), [400, "invalid_request"]);
      assert.deepEqual(await send("/oauth/token", `${form}&client_id=${asks.client_id}`), [400, "invalid_request"]);
      assert.deepEqual(await send("/oauth/token", `${form}&scope=%00`), [400, "invalid_request"]);
      assert.deepEqual(await send("/oauth/token", `${form}&x=${"x".repeat(20_000)}`), [413, "invalid_request"]);
      assert.deepEqual(await send("/oauth/register", "{", "application/json"), [400, "invalid_request"]);
      assert.deepEqual(await send("/oauth/register", "[]", "application/json"), [400, "invalid_client_metadata"]);
      assert.deepEqual(await send("/oauth/revoke", ""), [400, "invalid_request"]);
    });
  });
});

describe("OAuth of the house, asked too often", () => {
  const service = testService({ env: { OPEN_RATE_LIMIT_PER_MINUTE: "3" } });

  it("registers no more programs for that address", async () => {
    for (let i = 0; i < 3; i++) await program(service.url);
    const response = await fetch(`${service.url}/oauth/register`, { method: "POST", body: "{}" });
    const { error } = (await response.json()) as { error: string };
    assert.deepEqual([response.status, error], [429, "temporarily_unavailable"]);
    assert.ok(Number(response.headers.get("retry-after")) > 0);
  });
});
