import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { warehouse } from "../support/fixtures.js";
import {
  Cookies,
  envOf,
  type IdentityProvider,
  openIdentityProvider,
  signInByProvider,
  signInThere,
} from "../support/identity-provider.js";
import { logged } from "../support/log.js";
import { PASSWORD, person, sessionsOf } from "../support/people.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { openService, type TestService } from "../support/service.js";
import { unique } from "../support/unique.js";
import { until } from "../support/until.js";

const MAPPING = "/api/admin/sign-in/mapping";
const REFUSED = "/console/?sign_in=refused";

describe("signing in at the company's provider", () => {
  let idp: IdentityProvider;
  let service: TestService;
  let here: number;
  before(async () => {
    idp = await openIdentityProvider();
    service = await openService({ env: envOf(idp) });
    idp.serve(service.url);
    here = await warehouse();
    await service.admin.ok("PUT", MAPPING, mapping());
  });
  after(async () => {
    await service.close();
    await idp.close();
  });
  const { logIn, bearer } = sessionsOf(() => service);

  const pickers = () => ({ group: "pickers", warehouse_ids: [here], allowed_functions: ["pick", "pack"] });
  const office = { group: "office", page_keys: ["items", "sales-orders"], allowed_functions: ["pick"] };
  const mapping = () => ({
    username_claim: "preferred_username",
    groups_claim: "groups",
    groups: [pickers(), office, { group: "it", role: "ADMIN" }],
  });
  const name = () => `sso-${unique().toLowerCase()}`;
  const idOf = (username: string) => db.value<number>("select user_id from users where username = $1", [username]);
  const signInOf = async (username: string) => `/api/admin/users/${await idOf(username)}/sign-in`;

  /** Somebody of these groups who has signed in. */
  async function somebody(groups: string[], username = name()) {
    const sub = idp.signsIn({ preferred_username: username, name: "Ann Packer", groups });
    const again = (now: string[], claims = {}) => {
      idp.signsIn({ preferred_username: username, name: "Ann Packer", groups: now, ...claims }, sub);
      return signInByProvider(service);
    };
    return { username, sub, again, ...(await signInByProvider(service)) };
  }
  /** What the security log says of a sign-in. */
  async function refusal(signIn: () => Promise<{ at: string | null; token: string | undefined }>) {
    let outcome: { at: string | null; token: string | undefined } | undefined;
    const lines = await logged("info", async () => {
      outcome = await signIn();
    });
    assert.deepEqual([outcome?.at, outcome?.token], [REFUSED, undefined]);
    const line = lines.find(({ msg }) => msg === "request refused");
    assert.deepEqual([line?.event, line?.kind], ["login_failed", "sso_refused"]);
    return { reason: line?.reason, user: line?.user };
  }

  describe("for the first time", () => {
    it("makes a user with what the groups may do, and begins a session as a password does", async () => {
      const mark = await auditMark();
      const { username, sub, bearer: ann, at, status } = await somebody(["pickers", "office", "unknown"]);
      assert.deepEqual([status, at], [303, "/console/"]);
      const me = await ann.ok("GET", "/api/auth/me");
      assert.deepEqual(
        [me.username, me.full_name, me.role, me.warehouse_ids, me.warehouse_id],
        [username, "Ann Packer", "USER", [here], here],
      );
      assert.deepEqual(
        [me.allowed_functions, me.allowed_pages.sort(), me.must_change_password],
        [["pack", "pick"], ["items", "sales-orders"], false],
      );
      const rows = pluckAll(await auditSince(mark), "action_type", "user_id", "details");
      assert.deepEqual(rows[0], ["CREATE", "system:sign-in", { username, subject: sub }]);
      assert.equal(rows[1]?.[0], "UPDATE");
      const { provider, is_break_glass } = await service.admin.ok("GET", await signInOf(username));
      assert.deepEqual(
        [provider.subject, provider.is_made, provider.linked_by, is_break_glass],
        [sub, true, "system:sign-in", false],
      );
    });

    it("makes an ADMIN of whoever is in such a group, and comes back to the page that was asked for", async () => {
      const username = name();
      idp.signsIn({ preferred_username: username, groups: "it" });
      const { at, bearer: it, browser } = await signInByProvider(service, new Cookies(), "/scan/pick?x=1");
      assert.equal(at, "/scan/pick?x=1");
      assert.equal((await it.ok("GET", "/api/auth/me")).role, "ADMIN");
      assert.equal(browser.of(service.url, "service_sign_in"), undefined);
    });

    it("is told by the ways to sign in", async () => {
      const { sso } = await service.anyone.ok("GET", "/api/auth/ways");
      assert.deepEqual(sso, { name: "Example ID", required: false });
    });

    it("is refused to whoever is in no group, or has the name of another user", async () => {
      const username = name();
      idp.signsIn({ preferred_username: username, groups: ["others"] });
      assert.deepEqual(await refusal(() => signInByProvider(service)), { reason: "no_mapped_group", user: username });
      assert.equal(await idOf(username), undefined);
      const local = await person();
      idp.signsIn({ preferred_username: local.username, groups: ["it"] });
      assert.deepEqual(await refusal(() => signInByProvider(service)), {
        reason: "username_taken",
        user: local.username,
      });
      await service.admin.ok("DELETE", `/api/admin/users/${local.user_id}`);
      assert.equal((await refusal(() => signInByProvider(service))).reason, "username_taken");
    });

    it("is refused where the name is missing or not allowed", async () => {
      for (const [claims, reason] of [
        [{}, "username_missing"],
        [{ preferred_username: 7 }, "username_missing"],
        [{ preferred_username: "system:ann" }, "username_invalid"],
        [{ preferred_username: "x".repeat(200) }, "username_invalid"],
      ] as const) {
        idp.signsIn({ ...claims, groups: ["it"] });
        assert.equal((await refusal(() => signInByProvider(service))).reason, reason);
      }
    });

    it("takes an address as a name only where the provider has verified it", async () => {
      await service.admin.ok("PUT", MAPPING, { ...mapping(), username_claim: "email" });
      const email = `${name()}@example.com`;
      const claims = { email, groups: ["pickers"] };
      idp.signsIn({ groups: ["pickers"] });
      assert.equal((await refusal(() => signInByProvider(service))).reason, "username_missing");
      for (const email_verified of [undefined, false]) {
        idp.signsIn({ ...claims, email_verified });
        assert.equal((await refusal(() => signInByProvider(service))).reason, "email_not_verified");
      }
      idp.signsIn({ ...claims, email_verified: true });
      const { bearer: ann } = await signInByProvider(service);
      assert.equal((await ann.ok("GET", "/api/auth/me")).username, email);
      await service.admin.ok("PUT", MAPPING, mapping());
    });

    it("reads groups that are within another claim", async () => {
      await service.admin.ok("PUT", MAPPING, { ...mapping(), groups_claim: "groups.of.house" });
      idp.signsIn({ preferred_username: name(), groups: { of: { house: ["office"] } } });
      const { bearer: ann } = await signInByProvider(service);
      assert.deepEqual((await ann.ok("GET", "/api/auth/me")).allowed_functions, ["pick"]);
      await service.admin.ok("PUT", MAPPING, mapping());
    });
  });

  describe("again", () => {
    it("gives the rights of that moment, in sessions that go on too", async () => {
      const ann = await somebody(["pickers"]);
      const later = await ann.again(["office"], { name: "Ann Office" });
      for (const session of [ann.bearer, later.bearer]) {
        const me = await session.ok("GET", "/api/auth/me");
        assert.deepEqual(
          [me.full_name, me.warehouse_ids, me.allowed_functions, me.allowed_pages.sort()],
          ["Ann Office", [], ["pick"], ["items", "sales-orders"]],
        );
      }
      assert.equal(await db.value("select count(*)::int from users where username = $1", [ann.username]), 1);
    });

    it("takes all away from whoever has lost the group, and ends the sessions", async () => {
      const ann = await somebody(["office"]);
      assert.equal((await refusal(() => ann.again([]))).reason, "no_mapped_group");
      assert.equal((await ann.bearer.get("/api/auth/me")).code, "session_ended");
      const left = await db.row<object>(
        "select role, allowed_functions, warehouse_ids, (select count(*)::int from user_page_permissions p " +
          "where p.user_id = u.user_id) as pages from users u where username = $1",
        [ann.username],
      );
      assert.deepEqual(left, { role: "USER", allowed_functions: [], warehouse_ids: [], pages: 0 });
      const back = await ann.again(["office"]);
      assert.equal((await back.bearer.ok("GET", "/api/auth/me")).allowed_pages.length, 2);
    });

    it("keeps out who was deactivated or deleted, and knows people by more than their name", async () => {
      const [gone, deleted, renamed] = [await somebody(["it"]), await somebody(["it"]), await somebody(["it"])];
      await service.admin.ok("PUT", `/api/admin/users/${await idOf(gone.username)}`, { is_active: false });
      assert.equal((await gone.bearer.get("/api/auth/me")).status, 401);
      assert.deepEqual(await refusal(() => gone.again(["it"])), { reason: "deactivated", user: gone.username });
      await service.admin.ok("DELETE", `/api/admin/users/${await idOf(deleted.username)}`);
      assert.equal((await refusal(() => deleted.again(["it"]))).reason, "username_taken");
      const { bearer: ann } = await renamed.again(["it"], { preferred_username: name() });
      assert.equal((await ann.ok("GET", "/api/auth/me")).username, renamed.username);
    });

    it("does not take the role from the last ADMIN", async () => {
      const ann = await somebody(["it"]);
      const others = "update users set is_active = $2 where role = 'ADMIN' and username <> $1";
      await db.run(others, [ann.username, false]);
      assert.equal((await refusal(() => ann.again(["pickers"]))).reason, "last_admin");
      await db.run(others, [ann.username, true]);
      const now = await ann.again(["pickers"]);
      assert.equal((await now.bearer.ok("GET", "/api/auth/me")).role, "USER");
    });

    it("leaves out a warehouse that is gone", async () => {
      const gone = await warehouse();
      const groups = [{ group: "gone", warehouse_ids: [gone, here] }];
      await service.admin.ok("PUT", MAPPING, { ...mapping(), groups });
      await db.run("delete from warehouses where warehouse_id = $1", [gone]);
      const { bearer: ann } = await somebody(["gone"]);
      assert.deepEqual((await ann.ok("GET", "/api/auth/me")).warehouse_ids, [here]);
      await service.admin.ok("PUT", MAPPING, mapping());
    });
  });

  describe("a user", () => {
    it("whom the provider made has no password, and gets none", async () => {
      const ann = await somebody(["it"]);
      const refused = { password_of_provider: 403 };
      const change = { current_password: "anything 1", new_password: PASSWORD };
      const own = await ann.bearer.post("/api/auth/change-password", change);
      const admins = await service.admin.put(`/api/admin/users/${await idOf(ann.username)}`, { password: PASSWORD });
      for (const { status, code } of [own, admins]) assert.deepEqual({ [String(code)]: status }, refused);
      for (const password of [PASSWORD, "signs in at the identity provider"])
        assert.equal((await logIn(ann.username, password)).code, "invalid_credentials");
    });

    it("of the same name is taken over once an ADMIN has linked it, and let go again", async () => {
      const local = await person({ role: "USER" });
      const mark = await auditMark();
      const path = await signInOf(local.username);
      const linked = await service.admin.ok("PUT", path, { is_linked: true });
      assert.deepEqual([linked.provider.subject, linked.provider.is_made], [null, false]);
      const { bearer: ann, sub } = await somebody(["office"], local.username);
      assert.equal((await ann.ok("GET", "/api/auth/me")).user_id, local.user_id);
      assert.equal((await service.admin.ok("GET", path)).provider.subject, sub);
      // Nobody else of that name, and the password is still there.
      assert.equal((await refusal(() => somebody(["office"], local.username))).reason, "username_taken");
      assert.equal((await logIn(local.username, PASSWORD)).status, 200);
      assert.equal((await service.admin.ok("PUT", path, { is_linked: false })).provider, null);
      assert.equal((await ann.get("/api/auth/me")).code, "session_ended");
      const actions = pluckAll(await auditSince(mark), "action_type", "user_id");
      assert.deepEqual(actions, [
        ["UPDATE", "admin"],
        ["SIGN_IN_LINKED", "system:sign-in"],
        ["UPDATE", "system:sign-in"],
        ["UPDATE", "admin"],
      ]);
    });

    it("is linked by an ADMIN alone, and there must be one", async () => {
      const clerk = await service.user({ page_keys: ["users"] });
      const path = await signInOf((await person()).username);
      assert.equal((await clerk.get(path)).status, 200);
      assert.equal((await clerk.put(path, { is_linked: true })).status, 403);
      for (const answer of [
        await service.admin.get("/api/admin/users/987654/sign-in"),
        await service.admin.put("/api/admin/users/987654/sign-in", { is_linked: true }),
      ])
        assert.equal(answer.code, "user_not_found");
    });
  });

  describe("the mapping", () => {
    it("names each group once, with warehouses, pages and functions that there are", async () => {
      const before = await service.admin.ok("GET", MAPPING);
      for (const groups of [
        [pickers(), pickers()],
        [{ group: "" }],
        [{ group: "x", page_keys: ["nowhere"] }],
        [{ group: "x", role: "OWNER" }],
        [{ group: "x", is_admin: true }],
      ])
        assert.equal((await service.admin.put(MAPPING, { ...mapping(), groups })).status, 400);
      const unknown = [{ group: "x", warehouse_ids: [987654] }];
      assert.equal((await service.admin.put(MAPPING, { ...mapping(), groups: unknown })).code, "unknown_warehouses");
      assert.deepEqual(await service.admin.ok("GET", MAPPING), before);
      const clerk = await service.user({ page_keys: ["users", "settings"] });
      assert.deepEqual([(await clerk.get(MAPPING)).status, (await clerk.put(MAPPING, mapping())).status], [403, 403]);
    });

    it("is in the audit log with what was changed", async () => {
      const mark = await auditMark();
      await service.admin.ok("PUT", MAPPING, mapping());
      await service.admin.ok("PUT", MAPPING, { ...mapping(), groups_claim: "roles" });
      await service.admin.ok("PUT", MAPPING, mapping());
      const rows = pluckAll(await auditSince(mark), "action_type", "entity_type", "details");
      const changed = (old: string, now: string) => ({ changed: { groups_claim: { old, new: now } } });
      assert.deepEqual(rows, [
        ["UPDATE", "SIGN_IN", changed("groups", "roles")],
        ["UPDATE", "SIGN_IN", changed("roles", "groups")],
      ]);
    });
  });

  describe("a session of the provider", () => {
    it("ends with the provider's, in all processes, and no other one", async () => {
      const [ann, ben] = [await somebody(["pickers"]), await somebody(["pickers"])];
      const elsewhere = await ann.again(["pickers"]);
      const mark = await auditMark();
      const out = await ann.bearer.ok("POST", "/api/auth/refresh");
      await signOutThere(ann.browser, service.url);
      await until(async () => (await ann.bearer.get("/api/auth/me")).code === "session_ended");
      assert.equal((await bearer(out.token).get("/api/auth/me")).code, "session_ended");
      for (const other of [elsewhere, ben]) assert.equal((await other.bearer.get("/api/auth/me")).status, 200);
      assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "entity_id", "details"), [
        ["LOGOUT_BY_PROVIDER", await idOf(ann.username), { sessions: 1 }],
      ]);
    });

    it("that logs out is told where one signs out there too; one of a password is not", async () => {
      const ann = await somebody(["pickers"]);
      for (const [referer, back] of [
        [`${service.url}/console/orders`, "/console/"],
        [`${service.url}/scan/pick`, "/scan/"],
        ["nowhere", "/console/"],
      ] as const) {
        const { bearer: own } = await ann.again(["pickers"]);
        const { end_session_url } = await own.with({ referer }).ok("POST", "/api/auth/logout");
        const there = new URL(end_session_url);
        assert.equal(there.origin, idp.issuer);
        assert.equal(there.searchParams.get("post_logout_redirect_uri"), service.url + back);
        assert.equal((await own.get("/api/auth/me")).code, "session_ended");
      }
      const { body } = await logIn((await person()).username, PASSWORD);
      assert.deepEqual(await bearer(body.token).ok("POST", "/api/auth/logout"), { message: "logged out" });
    });

    it("lasts as long as a login, refreshed or not", async () => {
      const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
      const ann = await somebody(["pickers"]);
      const { sso, exp } = claimsOf(ann.token ?? "");
      assert.equal(exp - sso, 8 * 3600);
      const { token } = await ann.bearer.ok("POST", "/api/auth/refresh");
      const refreshed = claimsOf(token);
      assert.equal(refreshed.sso, sso);
      assert.ok(Math.abs(refreshed.exp - exp) <= 1);
    });

    it("is begun once by what the browser comes back with", async () => {
      idp.signsIn({ preferred_username: name(), groups: ["pickers"] });
      const { browser, came } = await signInThere(service);
      const cookie = `service_sign_in=${browser.of(service.url, "service_sign_in")}`;
      const finish = async () => {
        const { headers } = await fetch(came, { redirect: "manual", headers: { cookie } });
        return { at: headers.get("location"), token: headers.getSetCookie().find((line) => /service_auth/.test(line)) };
      };
      assert.equal((await finish()).at, "/console/");
      assert.equal((await refusal(finish)).reason, "replayed");
      assert.equal((await refusal(async () => withoutCookie(came))).reason, "no_sign_in_begun");
    });

    it("is not begun in another browser than the one that asked for it", async () => {
      idp.signsIn({ preferred_username: name(), groups: ["it"] });
      const [attacker, victim] = [await signInThere(service), await signInThere(service)];
      const reason = await refusal(async () => {
        const { headers } = await victim.browser.get(attacker.came);
        return { at: headers.get("location"), token: victim.browser.of(service.url, "service_auth") };
      });
      assert.equal(reason.reason, "OAUTH_INVALID_RESPONSE");
    });
  });

  it("leads to no other site", async () => {
    const start = (return_to: string) =>
      fetch(`${service.url}/api/auth/oidc/start?${new URLSearchParams({ return_to })}`, { redirect: "manual" });
    for (const path of [
      ...["https://evil.example", "//evil.example", "/\\evil.example", "\\\\evil.example", "evil.example"],
      ...["/console/..//evil.example", "/console/../..//evil.example/", "/consoles", "/api/auth/me", "/", ""],
      ...["javascript:alert(1)", "/\t/evil.example", "/scan/%2e%2e//evil.example"],
    ])
      assert.equal((await start(path)).status, 400, path);
    assert.equal((await start("/console/orders?q=//evil.example")).status, 303);
  });

  // Behind all others, as it stays away.
  describe("a provider that goes away", () => {
    it("is told, and passwords and sessions go on", async () => {
      const ann = await somebody(["pickers"]);
      const { browser, came } = await signInThere(service);
      idp.fail();
      const answer = await browser.get(came);
      assert.deepEqual([answer.status, answer.headers.get("location")], [303, "/console/?sign_in=unavailable"]);
      assert.equal((await logIn((await person()).username, PASSWORD)).status, 200);
      assert.equal((await ann.bearer.get("/api/auth/me")).status, 200);
    });
  });

  async function withoutCookie(came: string) {
    const { headers } = await fetch(came, { redirect: "manual" });
    return { at: headers.get("location"), token: undefined };
  }

  /** Signs out at the provider, by its own page. */
  async function signOutThere(browser: Cookies, back: string): Promise<void> {
    const page = await browser.get(`${idp.issuer}/session/end?client_id=warehouse`);
    const [, xsrf = ""] = /name="xsrf" value="([^"]+)"/.exec(await page.text()) ?? [];
    assert.ok(xsrf, back);
    const done = await browser.get(`${idp.issuer}/session/end/confirm`, {
      method: "POST",
      body: new URLSearchParams({ xsrf, logout: "yes" }),
    });
    assert.equal(done.status, 303);
  }
});

describe("a service without a provider", () => {
  let service: TestService;
  before(async () => {
    service = await openService();
  });
  after(() => service.close());

  it("has no such sign-in", async () => {
    assert.equal((await service.anyone.ok("GET", "/api/auth/ways")).sso, null);
    for (const answer of [
      await service.anyone.get("/api/auth/oidc/start"),
      await service.anyone.get("/api/auth/oidc/callback?code=1&state=2"),
      await service.anyone.post("/api/auth/oidc/backchannel-logout"),
    ])
      assert.deepEqual([answer.status, answer.code], [404, "sso_off"]);
  });
});
