import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { JWTPayload } from "jose";
import { SoftPasskey } from "../support/authenticator.js";
import type { Caller } from "../support/caller.js";
import { codeOf, enters } from "../support/factors.js";
import {
  Cookies,
  envOf,
  type IdentityProvider,
  openIdentityProvider,
  signInByProvider,
} from "../support/identity-provider.js";
import { type LyingProvider, openLyingProvider } from "../support/lying-provider.js";
import { PASSWORD } from "../support/people.js";
import { openService, type TestService } from "../support/service.js";
import { unique } from "../support/unique.js";

const START = "/api/auth/oidc/start";
const STEP_UP = "/api/auth/step-up";
const MAPPING = {
  ...{ username_claim: "preferred_username", groups_claim: "groups" },
  groups: [{ group: "office", page_keys: ["items"] }],
};
const asked = (caller: Caller) => caller.get("/api/auth/keys");
const setting = ({ admin }: TestService, settings: Record<string, string>) =>
  admin.ok("PUT", "/api/admin/settings", { settings });

describe("second factors of who signs in at the provider", () => {
  let idp: IdentityProvider;
  let service: TestService;
  before(async () => {
    idp = await openIdentityProvider();
    service = await openService({ env: envOf(idp) });
    idp.serve(service.url);
    await service.admin.ok("PUT", "/api/admin/sign-in/mapping", MAPPING);
  });
  beforeEach(() => setting(service, { second_factor_roles: "", second_factor_at_provider: "any" }));
  after(async () => {
    await service.close();
    await idp.close();
  });

  /** Somebody of the provider's: a plain sign-in, which only knew the browser, and one that asked for the password. */
  async function somebody() {
    const claims = { preferred_username: `sso-${unique().toLowerCase()}`, name: "Ann", groups: ["office"] };
    const sub = idp.signsIn(claims);
    const plain = async () => {
      idp.signsIn(claims, sub);
      return (await signInByProvider(service)).bearer;
    };
    const proved = async () => {
      idp.signsIn(claims, sub);
      const browser = new Cookies();
      const begun = await browser.get(`${service.url}${START}?step_up=true`);
      await browser.get(await browser.follow(begun.headers.get("location") ?? ""));
      return bearer(browser.of(service.url, "service_auth"));
    };
    return { plain, proved };
  }
  const bearer = (token: string | undefined) => service.anyone.with({ authorization: `Bearer ${token}` });
  const madeBy = async (caller: Caller) => {
    const { options } = await caller.ok("POST", "/api/auth/passkeys/options", {});
    return new SoftPasskey().made(options, { origin: service.url, rpId: new URL(service.url).hostname });
  };

  it("are set up, renewed and removed by a fresh sign-in there, in place of a password", async () => {
    const { plain, proved } = await somebody();
    const only = await plain();
    const changes: [string, string][] = [
      ["POST", "/api/auth/totp"],
      ["DELETE", "/api/auth/totp"],
      ["POST", "/api/auth/passkeys/options"],
      ["DELETE", `/api/auth/passkeys/${randomUUID()}`],
      ["POST", "/api/auth/recovery-codes"],
    ];
    for (const [method, path] of changes) {
      const { status, code, body } = await only.call(method, path, {});
      assert.deepEqual([status, code, body.ways], [401, "step_up_required", ["provider"]], path);
      const guessed = await only.call(method, path, { current_password: PASSWORD });
      assert.ok(["wrong_current_password", "login_locked_now"].includes(guessed.code ?? ""), path);
    }
    const own = await proved();
    assert.equal((await own.ok("GET", "/api/auth/factors")).takes_password, false);
    const { secret } = await own.ok("POST", "/api/auth/totp", {});
    const { recovery_codes } = await own.ok("POST", "/api/auth/totp/confirm", { code: codeOf(secret) });
    assert.equal(recovery_codes.length, 10);
    const passkey = { passkey_name: "phone", passkey: await madeBy(own) };
    const { passkey_id } = (await own.ok("POST", "/api/auth/passkeys", passkey)).passkey;
    await own.ok("POST", "/api/auth/recovery-codes", {});
    await own.ok("DELETE", `/api/auth/passkeys/${passkey_id}`, {});
    await own.ok("DELETE", "/api/auth/totp", {});
    assert.equal((await own.ok("GET", "/api/auth/factors")).recovery_codes_left, 0);
  });

  it("leave who has a password with it", async () => {
    const { own } = await enters(service.anyone);
    assert.equal((await own.ok("GET", "/api/auth/factors")).takes_password, true);
    const { status, body } = await own.post("/api/auth/totp", {});
    assert.deepEqual(
      [status, body.details[0]],
      [400, { type: "missing", loc: ["current_password"], msg: "Field required" }],
    );
  });

  it("are set up first and shown at each sign-in where a role needs them and the provider's are none", async () => {
    const { plain, proved } = await somebody();
    await setting(service, { second_factor_roles: "USER" });
    const trusted = await plain();
    assert.equal((await asked(trusted)).status, 200);
    assert.equal((await trusted.ok("GET", "/api/auth/me")).must_add_second_factor, false);

    await setting(service, { second_factor_at_provider: "none" });
    assert.equal((await asked(trusted)).code, "second_factor_enrolment_required");
    assert.equal((await trusted.ok("GET", "/api/auth/me")).must_add_second_factor, true);
    const fresh = await proved();
    const { secret } = await fresh.ok("POST", "/api/auth/totp", {});
    await fresh.ok("POST", "/api/auth/totp/confirm", { code: codeOf(secret) });

    const again = await proved();
    const me = await again.ok("GET", "/api/auth/me");
    assert.deepEqual([me.must_add_second_factor, me.must_show_second_factor], [false, true]);
    // A sign-in at the provider alone neither opens anything, nor takes the second factor away.
    for (const [method, path] of [
      ["GET", "/api/auth/keys"],
      ["DELETE", "/api/auth/totp"],
      ["POST", "/api/auth/passkeys/options"],
      ["POST", "/api/auth/recovery-codes"],
    ] as const) {
      const { status, code } = await again.call(method, path, method === "GET" ? undefined : {});
      assert.deepEqual([status, code], [401, "second_factor_missing"], path);
    }
    const { challenge, ways } = await again.ok("POST", `${STEP_UP}/challenge`);
    assert.deepEqual(ways, ["totp", "recovery_code", "provider"]);
    assert.equal((await again.post(STEP_UP, { challenge, code: "000000" })).code, "invalid_second_factor");
    const next = codeOf(secret, Date.now() + 30_000);
    const { token } = await again.ok("POST", STEP_UP, { challenge, code: next });
    const shown = bearer(token);
    assert.equal((await asked(shown)).status, 200);
    assert.equal((await shown.ok("GET", "/api/auth/me")).must_show_second_factor, false);
    await shown.ok("DELETE", "/api/auth/totp", {});
  });
});

describe("a second factor that the provider says it asked for", () => {
  let lying: LyingProvider;
  let service: TestService;
  before(async () => {
    lying = await openLyingProvider();
    service = await openService({ env: envOf(lying) });
    await service.admin.ok("PUT", "/api/admin/sign-in/mapping", MAPPING);
    await setting(service, { second_factor_roles: "USER" });
  });
  after(async () => {
    await service.close();
    await lying.close();
  });

  /** How a session is answered that began with a token of these claims. */
  async function comes(claims: JWTPayload) {
    const browser = new Cookies();
    const begun = await browser.get(`${service.url}${START}`);
    const { searchParams } = new URL(begun.headers.get("location") ?? "");
    const nonce = searchParams.get("nonce") ?? "";
    const honest = { sub: randomUUID(), preferred_username: `ann-${randomUUID()}`, groups: ["office"], nonce };
    lying.answer(await lying.sign(lying.says({ ...honest, ...claims })));
    const came = new URLSearchParams({ code: "any", state: searchParams.get("state") ?? "" });
    await browser.get(`${service.url}/api/auth/oidc/callback?${came}`);
    const token = browser.of(service.url, "service_auth");
    return service.anyone.with({ authorization: `Bearer ${token}` });
  }
  const counts = async (claims: JWTPayload) => (await asked(await comes(claims))).status === 200;

  it("counts where it is one of those that the setting names, by amr or acr", async () => {
    await setting(service, { second_factor_at_provider: "mfa,urn:example:strong" });
    for (const claims of [{ amr: ["pwd", "mfa"] }, { amr: "mfa" }, { acr: "urn:example:strong" }])
      assert.ok(await counts(claims), JSON.stringify(claims));
    for (const claims of [{}, { amr: ["pwd"] }, { amr: ["mfa,urn:example:strong"] }, { acr: 7 }, { amr: [["mfa"]] }])
      assert.ok(!(await counts(claims)), JSON.stringify(claims));
  });

  it("counts never, or always, where the setting says so, and at once for the sessions that are there", async () => {
    await setting(service, { second_factor_at_provider: "any" });
    const before = await comes({});
    assert.equal((await asked(before)).status, 200);
    await setting(service, { second_factor_at_provider: "none" });
    assert.equal((await asked(before)).code, "second_factor_enrolment_required");
    assert.ok(!(await counts({ amr: ["none", "any", "mfa"], acr: "none" })));
    await setting(service, { second_factor_at_provider: "" });
    assert.ok(await counts({}));
  });

  it("is no newer for step-up than what the provider says", async () => {
    await setting(service, { second_factor_at_provider: "mfa" });
    const change = (caller: Caller) => caller.post("/api/auth/totp", {});
    const recent = { amr: ["mfa"], auth_time: lying.now() - 60 };
    assert.equal((await change(await comes(recent))).status, 201);
    for (const claims of [{ amr: ["mfa"] }, { amr: ["mfa"], auth_time: lying.now() - 700 }])
      assert.equal((await change(await comes(claims))).code, "step_up_required");
  });

  it("is named by a setting that can be read", async () => {
    for (const value of [
      "mfa, hwk",
      ",",
      "mfa,",
      Array.from({ length: 11 }, (_, i) => `v${i}`).join(","),
      "x".repeat(129),
    ]) {
      const settings = { second_factor_at_provider: value };
      assert.equal((await service.admin.put("/api/admin/settings", { settings })).code, "bad_setting", value);
    }
  });
});
