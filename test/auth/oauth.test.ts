import assert from "node:assert/strict";
import { agentOf } from "../support/agents.js";
import { db } from "../support/db.js";
import { warehouse } from "../support/fixtures.js";
import { ACCESS, program, REDIRECT, register } from "../support/oauth.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

const KEYS = "/api/auth/keys";

/** So many keys of a user, which open nothing. */
const keysOf = ({ userId }: { userId: number }, keys: number) =>
  db.run(
    `insert into personal_keys (user_id, key_name, key_hash, is_read_only, expires_at)
     select $1::int, 'many', md5(n || ' ' || $1::int) || md5(n::text), true, now() from generate_series(1, $2) n`,
    [userId, keys],
  );

describe("OAuth of the house", () => {
  const service = testService({ worker: true });
  const bearer = (token: string) => service.anyone.with({ authorization: `Bearer ${token}` });
  const opens = async (token: string) =>
    (await bearer(token).post("/mcp", { jsonrpc: "2.0", id: 1, method: "ping" })).status;
  const json = (path: string) => service.anyone.ok("GET", path);

  describe("is found", () => {
    it("from the 401 of the endpoint, through the metadata of the resource, to those of the server", async () => {
      const response = await fetch(`${service.url}/mcp`, { method: "POST", body: "{}" });
      assert.equal(response.status, 401);
      const asked = /resource_metadata="([^"]+)"/.exec(response.headers.get("www-authenticate") ?? "")?.[1];
      assert.equal(asked, `${service.url}/.well-known/oauth-protected-resource/mcp`);
      const resource = await json("/.well-known/oauth-protected-resource/mcp");
      assert.deepEqual(
        [resource.resource, resource.authorization_servers, resource.scopes_supported],
        [`${service.url}/mcp`, [service.url], ["read", "write"]],
      );
      assert.deepEqual(await json("/.well-known/oauth-protected-resource"), resource);
      const server = await json("/.well-known/oauth-authorization-server");
      assert.equal(server.issuer, service.url);
      assert.deepEqual(server.code_challenge_methods_supported, ["S256"]);
      assert.deepEqual(server.grant_types_supported, ["authorization_code", "refresh_token"]);
      for (const path of ["authorization", "token", "registration", "revocation"])
        assert.ok(server[`${path}_endpoint`].startsWith(service.url), path);
    });

    it("by the name of the site, whatever a request says, where there is one", async () => {
      const { issuerOf } = await import("../../api/auth/oauth/addresses.js");
      const asked = { protocol: "http", host: "elsewhere.test" } as Parameters<typeof issuerOf>[0];
      assert.equal(issuerOf(asked, { siteAddress: "https://warehouse.example.com" }), "https://warehouse.example.com");
    });
  });

  describe("a program that registers", () => {
    it("gets an id and no secret, and what it says of itself is kept short", async () => {
      const { status, body } = await register(service.url, { token_endpoint_auth_method: "client_secret_post" });
      assert.equal(status, 201);
      assert.deepEqual(
        [body.client_name, body.redirect_uris, body.token_endpoint_auth_method, body.client_secret],
        ["Stock helper", [REDIRECT], "none", undefined],
      );
      assert.match(body.client_id, /^agent_[\w-]{43}$/);
    });

    it("may wait for its answer at a site or on one's own computer, and nowhere else", async () => {
      for (const uri of ["https://agent.test/callback", "http://localhost/cb", "http://[::1]:9/cb", REDIRECT])
        assert.equal((await register(service.url, { redirect_uris: [uri] })).status, 201, uri);
      for (const uri of [
        ...["http://agent.test/callback", "javascript:alert(1)", "data:text/html,x", "agent:callback", "callback"],
        ...[
          "https://agent.test/#x",
          "https://me:pass@agent.test/",
          "http://localhost.agent.test/",
          "http://127.0.0.2/",
        ],
      ]) {
        const { status, body } = await register(service.url, { redirect_uris: [uri] });
        assert.deepEqual([status, body.error], [400, "invalid_redirect_uri"], uri);
      }
      for (const fields of [
        { redirect_uris: [] },
        { redirect_uris: "x" },
        { client_name: "x".repeat(101) },
        ...[{ client_name: "Cla\u202eude" }, { client_name: "Claude\n" + "from here" }, { client_name: "\u200b" }],
      ]) {
        const { status, body } = await register(service.url, fields);
        assert.deepEqual([status, body.error], [400, "invalid_client_metadata"]);
      }
    });

    it("is forgotten after a day if nobody let it in, and refused where too many wait", async () => {
      const user = await service.user();
      const [idle, used] = [await program(service.url), await program(service.url)];
      await used.letIn(user);
      await db.run("update oauth_clients set registered_at = now() - interval '25 hours'");
      await register(service.url);
      const known = await db.rows("select client_id from oauth_clients where client_id = any($1)", [
        [idle.client_id, used.client_id],
      ]);
      assert.deepEqual(known, [{ client_id: used.client_id }]);
      const many = (minutes: number) =>
        db.run(
          `insert into oauth_clients (client_id, client_name, redirect_uris, registered_at)
           select 'many ' || n, 'many', array['https://agent.test/'], now() - make_interval(mins => $1)
           from generate_series(1, 2000) n
           on conflict (client_id) do update set registered_at = excluded.registered_at`,
          [minutes],
        );
      await many(1);
      const { status, body, headers } = await register(service.url);
      assert.deepEqual([status, body.error, headers.get("retry-after")], [503, "temporarily_unavailable", "600"]);
      await many(11);
      assert.equal((await register(service.url)).status, 201);
      assert.equal(await db.value("select count(*)::int from oauth_clients where client_name = 'many'"), 0);
    });
  });

  describe("a person", () => {
    it("is told who asks, for what, and where the answer goes", async () => {
      const user = await service.user();
      const local = await program(service.url);
      const about = (query: object) => user.ok("GET", `${ACCESS}?${new URLSearchParams(query as never)}`);
      const { ends_at } = await about(local.ask().query);
      assert.equal(Math.round((Date.parse(ends_at) - Date.now()) / 86_400_000), 365);
      const { ends_at: _, ...asked } = await about(local.ask({ scope: "read write" }).query);
      assert.deepEqual(asked, {
        ...{ client_name: "Stock helper", returns_to: "http://127.0.0.1:33418", client_site: null, is_local: true },
        ...{ is_read_only: false, functions: null },
      });
      const site = await program(service.url, { redirect_uris: ["https://agent.test/back"], client_name: "Claude" });
      const { ends_at: __, ...ofFloor } = await about(site.ask({ scope: "floor:pick floor:pack" }).query);
      assert.deepEqual(ofFloor, {
        ...{ client_name: "Claude", returns_to: "https://agent.test", client_site: null, is_local: false },
        ...{ is_read_only: false, functions: ["pick", "pack"] },
      });
      assert.equal((await about(site.ask().query)).is_read_only, true);
    });

    it("lets a program in: what it may is a key of that person, listed and audited", async () => {
      const user = await service.user({ page_keys: ["items", "vendors"] });
      const asks = await program(service.url);
      const { query, verifier } = asks.ask({ scope: "read write", resource: `${service.url}/mcp` });
      const mark = await auditMark();
      const back = await asks.allowed(user, query);
      assert.equal(back.origin + back.pathname, REDIRECT);
      assert.deepEqual([back.searchParams.get("state"), back.searchParams.get("iss")], ["a state", service.url]);
      const { status, body, headers } = await asks.change(back.searchParams.get("code") as string, verifier, {
        resource: `${service.url}/mcp`,
      });
      assert.deepEqual([status, headers.get("cache-control")], [200, "no-store"]);
      assert.match(body.access_token, /^wes_[\w-]{43}$/);
      assert.match(body.refresh_token, /^wesr_[\w-]{43}$/);
      assert.deepEqual([body.token_type, body.expires_in, body.scope], ["Bearer", 3600, "read write"]);
      const { keys } = await user.ok("GET", KEYS);
      assert.deepEqual(
        keys.map((key: Record<string, unknown>) => [key.key_name, key.agent_name, key.is_read_only, key.page_keys]),
        [["Stock helper", "Stock helper", false, null]],
      );
      const [row] = await auditSince(mark);
      assert.deepEqual(
        [row?.action_type, row?.user_id, row?.details.client_id, row?.details.by_oauth],
        ["KEY_MAKE", user.username, asks.client_id, true],
      );
      const kept = await db.rows(
        `select row_to_json(k)::text from personal_keys k
         union all select row_to_json(r)::text from oauth_refresh_tokens r
         union all select row_to_json(c)::text from command_log c
         union all select row_to_json(o)::text from oauth_codes o
         union all select row_to_json(a)::text from audit_log a`,
      );
      for (const secret of [body.access_token, body.refresh_token, back.searchParams.get("code"), verifier])
        assert.ok(!JSON.stringify(kept).includes(secret as string));
      const agent = await agentOf(bearer(body.access_token));
      await service.admin.ok("PUT", "/api/admin/settings", { settings: { agent_writes: "allow" } });
      await agent.ok("write_operation", { operation: "createVendor", body: { vendor_name: "Potter" } });
      await service.admin.ok("PUT", "/api/admin/settings", { settings: { agent_writes: "approve" } });
      const made = (await auditSince(mark)).find(({ entity_type }) => entity_type === "VENDOR");
      assert.deepEqual(
        [made?.user_id, made?.details.by_key, made?.details.agent],
        [user.username, `Stock helper (${keys[0].key_id})`, "test-agent 1.2.0"],
      );
      await agent.close();
    });

    it("says no: the program is told, and gets nothing", async () => {
      const user = await service.user();
      const asks = await program(service.url);
      const back = await asks.allowed(user, asks.ask().query, { is_allowed: false });
      assert.deepEqual(Object.fromEntries(back.searchParams), {
        ...{ error: "access_denied", state: "a state", iss: service.url },
      });
      assert.deepEqual((await user.ok("GET", KEYS)).keys, []);
    });

    it("gives less than was asked for", async () => {
      const user = await service.user({ page_keys: ["vendors"] });
      const asks = await program(service.url);
      const tokens = await asks.letIn(user, { scope: "read write" }, { is_read_only: true });
      assert.equal(tokens.scope, "read");
      const agent = await agentOf(bearer(tokens.access_token));
      await service.admin.ok("PUT", "/api/admin/settings", { settings: { agent_writes: "allow" } });
      const { isError, answer } = await agent.call("write_operation", {
        ...{ operation: "createVendor", body: { vendor_name: "Potter" } },
      });
      assert.deepEqual([isError, answer.code], [true, "key_reads_only"]);
      await service.admin.ok("PUT", "/api/admin/settings", { settings: { agent_writes: "approve" } });
      await agent.close();
    });

    it("gives functions of the floor alone", async () => {
      const warehouse_id = await warehouse();
      const user = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["vendors"] });
      const asks = await program(service.url);
      const tokens = await asks.letIn(user, { scope: "floor:pick floor:pack" });
      assert.equal(tokens.scope, "floor:pick floor:pack");
      const agent = await agentOf(bearer(tokens.access_token));
      const tools = await agent.tools();
      assert.ok(tools.includes("confirmPick") && !tools.includes("receiveItems"), tools.join());
      await agent.close();
    });

    it("has no more programs than keys, and none where keys are switched off", async () => {
      const user = await service.user();
      const asks = await program(service.url);
      const body = { ...asks.ask().query, is_allowed: true };
      await service.admin.ok("PUT", "/api/admin/settings", { settings: { personal_key_days: "0" } });
      assert.equal((await user.post(ACCESS, body)).code, "keys_off");
      assert.equal((await user.get(`${ACCESS}?${new URLSearchParams(asks.ask().query)}`)).code, "keys_off");
      await service.admin.ok("PUT", "/api/admin/settings", { settings: { personal_key_days: "365" } });
      await keysOf(user, 50);
      assert.equal((await user.post(ACCESS, body)).code, "too_many_keys");
    });

    it("is one of several at once where there is room for one more", async () => {
      const user = await service.user();
      await keysOf(user, 49);
      const all = await Promise.all(Array.from({ length: 6 }, () => program(service.url)));
      const codes = await Promise.all(
        all.map(async (asks) => {
          const { query, verifier } = asks.ask();
          const back = await asks.allowed(user, query);
          return () => asks.change(back.searchParams.get("code") as string, verifier);
        }),
      );
      const made = () => user.post("/api/auth/keys", { key_name: "nightly export" });
      const answers = await Promise.all([...codes, made].map((take) => take()));
      const statuses = answers.map(({ status }) => (status < 300 ? "let in" : status)).sort();
      assert.equal(statuses.filter((status) => status === "let in").length, 1, statuses.join());
      assert.ok(
        statuses.every((status) => ["let in", 400, 409].includes(status)),
        statuses.join(),
      );
      const kept = await db.value("select count(*)::int from personal_keys where user_id = $1", [user.userId]);
      assert.equal(kept, 50);
    });
  });

  describe("a token", () => {
    it("opens the endpoint for agents, and nothing else of its user", async () => {
      const asks = await program(service.url);
      const { access_token } = await asks.letIn(service.admin, { scope: "read write" });
      const agent = await agentOf(bearer(access_token));
      assert.ok((await agent.tools()).length > 3);
      for (const path of ["/api/auth/me", "/api/admin/items", KEYS])
        assert.equal((await bearer(access_token).get(path)).code, "only_for_agents", path);
      await agent.close();
    });

    it("ends after an hour, and is renewed by a refresh token that changes each time", async () => {
      const user = await service.user();
      const asks = await program(service.url);
      const first = await asks.letIn(user, { scope: "read write" });
      assert.equal(await opens(first.access_token), 200);
      await db.run("update personal_keys set token_ends_at = now() where user_id = $1", [user.userId]);
      await service.admin.ok("PUT", `/api/admin/users/${user.userId}`, { full_name: "Ada" });
      assert.equal(await opens(first.access_token), 401);
      const { status, body: second } = await asks.refresh(first.refresh_token);
      assert.deepEqual([status, second.scope, second.expires_in], [200, "read write", 3600]);
      assert.notEqual(second.refresh_token, first.refresh_token);
      assert.equal(await opens(second.access_token), 200);
      const { body: third } = await asks.refresh(second.refresh_token, { scope: "read" });
      assert.equal(await opens(second.access_token), 401);
      assert.equal(await opens(third.access_token), 200);
      assert.equal((await user.ok("GET", KEYS)).keys.length, 1);
    });

    it("is revoked by its user, by an ADMIN, and given back by its program", async () => {
      const user = await service.user();
      const asks = await program(service.url);
      const revoke = {
        user: async () => user.ok("DELETE", `${KEYS}/${(await user.ok("GET", KEYS)).keys[0].key_id}`),
        admin: async () => service.admin.ok("DELETE", `/api/admin/keys/${(await user.ok("GET", KEYS)).keys[0].key_id}`),
        access: ({ access_token }: { access_token: string }) =>
          asks.post("/oauth/revoke", { token: access_token, client_id: asks.client_id }),
        refresh: ({ refresh_token }: { refresh_token: string }) =>
          asks.post("/oauth/revoke", { token: refresh_token, client_id: asks.client_id }),
      };
      for (const [who, end] of Object.entries(revoke)) {
        const tokens = await asks.letIn(user);
        assert.equal(await opens(tokens.access_token), 200, who);
        await end(tokens as never);
        assert.equal(await opens(tokens.access_token), 401, who);
        assert.equal((await asks.refresh(tokens.refresh_token)).body.error, "invalid_grant", who);
      }
      const unknown = await asks.post("/oauth/revoke", { token: "wes_nobody", client_id: asks.client_id });
      assert.equal(unknown.status, 200);
    });
  });
});
