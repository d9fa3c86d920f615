import assert from "node:assert/strict";
import { createServer, type RequestListener, type Server } from "node:http";
import { close, portOf } from "../../api/http/server.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { listenAnywhere } from "../support/identity-provider.js";
import { logged } from "../support/log.js";
import { ACCESS, program, programOf, REDIRECT } from "../support/oauth.js";
import { openService, type TestService, testService } from "../support/service.js";

/** A site where programs say what they are. */
async function openSite() {
  const pages = new Map<string, RequestListener>();
  const asked: string[] = [];
  const server: Server = await listenAnywhere(
    createServer((req, res) => {
      asked.push(req.url ?? "");
      const answer = pages.get(req.url ?? "");
      if (answer) answer(req, res);
      else res.writeHead(404).end();
    }),
  );
  const url = `http://127.0.0.1:${portOf(server)}`;
  let made = 0;
  const path = () => `/clients/${++made}.json`;
  return {
    asked,
    /** The address of an answer. */
    answers(answer: RequestListener): string {
      const at = path();
      pages.set(at, answer);
      return url + at;
    },
    /** The address of a document that says this of its program, and as a program that is known by it. */
    says(fields: object, headers: Record<string, string> = {}, at = path()): string {
      const client_id = url + at;
      const document = { client_id, client_name: "Stock helper", redirect_uris: [REDIRECT], ...fields };
      pages.set(at, (_req, res) => {
        res.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(document));
      });
      return client_id;
    },
    close: () => close(server),
  };
}

const question = (url: string, client_id: string, fields = {}) =>
  `${ACCESS}?${new URLSearchParams(programOf(url, { client_id, redirect_uri: REDIRECT }).ask(fields).query)}`;

describe("a program that says what it is at an address of its own", () => {
  let site: Awaited<ReturnType<typeof openSite>>;
  let service: TestService;
  let user: Caller;
  before(async () => {
    site = await openSite();
    service = await openService({ env: { AGENTS_ALLOW_INTERNAL: "true" } });
    user = await service.user();
  });
  after(async () => {
    await service.close();
    await site.close();
  });
  const at = (client_id: string) => programOf(service.url, { client_id, redirect_uri: REDIRECT });
  const asks = (client_id: string, fields = {}) => user.get(question(service.url, client_id, fields));

  it("is let in without registering, and named with its site", async () => {
    const metadata = await fetch(`${service.url}/.well-known/oauth-authorization-server`);
    const { client_id_metadata_document_supported } = (await metadata.json()) as Record<string, unknown>;
    assert.equal(client_id_metadata_document_supported, true);
    const client_id = site.says({ logo_uri: "https://example.com/logo.png", token_endpoint_auth_method: "none" });
    const { status, body } = await asks(client_id);
    assert.equal(status, 200);
    assert.deepEqual([body.client_name, body.client_site], ["Stock helper", new URL(client_id).host]);
    const known = () => db.value("select count(*)::int from oauth_clients where client_id = $1", [client_id]);
    assert.equal(await known(), 0);
    const program = at(client_id);
    const tokens = await program.letIn(user, { scope: "read write" });
    const mcp = await service.anyone
      .with({ authorization: `Bearer ${tokens.access_token}` })
      .post("/mcp", { jsonrpc: "2.0", id: 1, method: "ping" });
    assert.equal(mcp.status, 200);
    const [key] = (await user.ok("GET", "/api/auth/keys")).keys;
    assert.equal(key.agent_name, "Stock helper");
    const renewed = await program.refresh(tokens.refresh_token);
    assert.equal(renewed.status, 200);
    assert.deepEqual(
      (await program.post("/oauth/revoke", { client_id, token: renewed.body.access_token })).status,
      200,
    );
    assert.equal((await user.ok("GET", "/api/auth/keys")).keys.length, 0);
  });

  it("is asked for it once in as long as it says", async () => {
    const count = (id: string) => site.asked.filter((path) => id.endsWith(path)).length;
    const kept = site.says({}, { "cache-control": "public, max-age=3600" });
    for (let i = 0; i < 3; i++) assert.equal((await asks(kept)).status, 200);
    assert.equal(count(kept), 1);
    const away = site.answers((_req, res) => void res.writeHead(503).end());
    for (let i = 0; i < 2; i++) assert.equal((await asks(away)).code, "agent_unreadable");
    assert.equal(count(away), 2);
    const late = site.says({}, {}, new URL(away).pathname);
    assert.equal((await asks(late)).status, 200);
  });

  it("is not sent back to where its document does not say", async () => {
    const client_id = site.says({ redirect_uris: ["https://helper.example.com/callback"] });
    const { status, code } = await asks(client_id);
    assert.deepEqual([status, code], [400, "redirect_not_registered"]);
    const other = at(client_id).ask({ redirect_uri: "https://helper.example.com/callback/" }).query;
    assert.equal((await user.post(ACCESS, { ...other, is_allowed: true })).code, "redirect_not_registered");
  });

  it("is refused, and named in the security log, where its document is not one, or not its own", async () => {
    const json = { "content-type": "application/json" };
    const other = site.says({});
    const cases: [string, string][] = [
      [site.says({ client_id: other }), "not_its_own"],
      [site.says({ client_id: "https://helper.example.com/client.json" }), "not_its_own"],
      [site.says({ client_secret: "a secret" }), "metadata"],
      [site.says({ token_endpoint_auth_method: "client_secret_basic" }), "metadata"],
      [site.says({ redirect_uris: ["http://helper.example.com/callback"] }), "metadata"],
      [site.says({ redirect_uris: [] }), "metadata"],
      [site.says({ client_name: "a\u202Eb" }), "metadata"],
      [site.answers((_req, res) => void res.writeHead(200, json).end("{")), "not_json"],
      [site.answers((_req, res) => void res.writeHead(200, { "content-type": "text/html" }).end("{}")), "not_json"],
      [site.answers((_req, res) => void res.writeHead(200, json).end(" ".repeat(20_000))), "no_answer"],
      [site.answers((_req, res) => void res.writeHead(302, { location: other }).end()), "no_answer"],
      [site.answers((req) => void req.socket.destroy()), "no_answer"],
      [site.answers((_req, res) => void res.writeHead(500).end()), "no_answer"],
      [`${new URL(other).origin}/clients/none.json`, "no_answer"],
      [`${new URL(other).origin}/`, "address"],
      [`${other}#part`, "address"],
      [other.replace("http://", "http://ann:secret@"), "address"],
      [other.replace("/clients/", "/clients/../clients/"), "address"],
      ["https:", "address"],
    ];
    for (const [client_id, reason] of cases) {
      const lines = await logged("info", async () => {
        const { status, code, body } = await asks(client_id);
        assert.deepEqual([status, code, body.reason], [400, "agent_unreadable", reason], client_id);
      });
      const [line] = lines.filter(({ msg }) => msg === "request refused");
      assert.deepEqual([line?.event, line?.reason, line?.user], ["oauth_refused", reason, user.username]);
    }
    const { query } = at(cases[0]?.[0] as string).ask();
    assert.equal((await user.post(ACCESS, { ...query, is_allowed: true })).code, "agent_unreadable");
  });

  it("opens nothing with the code of another, and nothing where no person has let it in", async () => {
    const [one, two] = [site.says({}), site.says({})].map(at) as [ReturnType<typeof at>, ReturnType<typeof at>];
    const { query, verifier } = one.ask();
    const code = (await one.allowed(user, query)).searchParams.get("code") as string;
    assert.equal((await two.change(code, verifier)).body.error, "invalid_client");
    await two.letIn(user);
    assert.equal((await two.change(code, verifier)).body.error, "invalid_grant");
    const registered = await program(service.url);
    assert.equal((await registered.change(code, verifier)).body.error, "invalid_grant");
  });

  it("is asked under its new name once its document says so", async () => {
    const path = "/clients/renamed.json";
    const client_id = site.says({ client_name: "Old" }, { "cache-control": "max-age=0" }, path);
    await at(client_id).letIn(user);
    await db.run("update oauth_clients set client_name = 'Older' where client_id = $1", [client_id]);
    await at(client_id).letIn(user);
    assert.equal(await db.value("select client_name from oauth_clients where client_id = $1", [client_id]), "Old");
  });
});

describe("a program whose address is not public", () => {
  const service = testService();

  it("is not asked what it is", async () => {
    const user = await service.user();
    const site = await openSite();
    const port = new URL(site.says({})).port;
    for (const [client_id, reason] of [
      [`http://127.0.0.1:${port}/clients/1.json`, "address"],
      [`https://127.0.0.1:${port}/clients/1.json`, "not_public"],
      [`https://localhost:${port}/clients/1.json`, "not_public"],
      [`https://[::1]:${port}/clients/1.json`, "not_public"],
      ["https://169.254.169.254/latest/meta-data", "not_public"],
      ["https://10.0.0.8/client.json", "not_public"],
      ["https://printer.internal/client.json", "not_public"],
    ] as const) {
      const { code, body } = await user.get(question(service.url, client_id));
      assert.deepEqual([code, body.reason], ["agent_unreadable", reason], client_id);
    }
    assert.deepEqual(site.asked, []);
    await site.close();
  });
});
