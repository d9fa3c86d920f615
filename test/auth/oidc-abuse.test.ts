import assert from "node:assert/strict";
import { createPrivateKey, generateKeyPairSync, randomUUID } from "node:crypto";
import { type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { CLIENT, Cookies, envOf } from "../support/identity-provider.js";
import { logged } from "../support/log.js";
import { type LyingProvider, openLyingProvider, type Sign } from "../support/lying-provider.js";
import { openService, type TestService } from "../support/service.js";

const LOGOUT = "/api/auth/oidc/backchannel-logout";
const EVENTS = { "http://schemas.openid.net/event/backchannel-logout": {} };

describe("what a provider must not be believed", () => {
  let lying: LyingProvider;
  let service: TestService;
  before(async () => {
    lying = await openLyingProvider();
    service = await openService({ env: envOf(lying) });
    const groups = [{ group: "it", role: "ADMIN" }];
    const mapping = { username_claim: "preferred_username", groups_claim: "groups", groups };
    await service.admin.ok("PUT", "/api/admin/sign-in/mapping", mapping);
  });
  after(async () => {
    await service.close();
    await lying.close();
  });

  /** Signed by somebody who has not the provider's key. */
  const byStranger: Sign = (claims) => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const key = createPrivateKey(privateKey.export({ format: "pem", type: "pkcs8" }));
    return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "one" }).sign(key);
  };
  const unsigned: Sign = async (claims) => new UnsecuredJWT(claims).encode();
  /** With what everybody knows, or what this service knows, as the secret of an HMAC. */
  const hmac =
    (secret: () => string): Sign =>
    (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: "one" }).sign(Buffer.from(secret()));
  const forged: Record<string, Sign> = {
    "is not signed": unsigned,
    "is signed by somebody else": byStranger,
    "is signed with the public key as a secret": hmac(() => JSON.stringify(lying.key)),
    "is signed with the client's secret": hmac(() => CLIENT.client_secret),
  };

  /** Begins a sign-in, and comes back with a token of these claims. */
  async function signIn(claims: (now: number, nonce: string) => JWTPayload, sign: Sign = lying.sign) {
    const browser = new Cookies();
    const begun = await browser.get(`${service.url}/api/auth/oidc/start`);
    const { searchParams } = new URL(begun.headers.get("location") ?? "");
    const honest = { sub: "ann", preferred_username: `ann-${randomUUID()}`, groups: ["it"] };
    const nonce = searchParams.get("nonce") ?? "";
    lying.answer(await sign(lying.says({ ...honest, nonce, ...claims(lying.now(), nonce) })));
    const state = searchParams.get("state") ?? "";
    const came = new URLSearchParams({ code: "any", state });
    const answer = await browser.get(`${service.url}/api/auth/oidc/callback?${came}`);
    return { at: answer.headers.get("location"), token: browser.of(service.url, "service_auth") };
  }

  it("is a token that is as it should be, also by a clock that is some seconds off", async () => {
    const forms: ((now: number) => JWTPayload)[] = [
      () => ({ sub: "one" }),
      (now) => ({ sub: "two", exp: now - 10 }),
      (now) => ({ sub: "three", nbf: now + 10, iat: now + 10 }),
      () => ({ sub: "four", aud: [CLIENT.client_id] }),
    ];
    for (const claims of forms) {
      const { at, token } = await signIn(claims);
      assert.equal(at, "/console/", JSON.stringify(claims(0)));
      assert.ok(token);
    }
  });

  const wrong: Record<string, (now: number, nonce: string) => JWTPayload> = {
    "of another issuer": () => ({ iss: "https://evil.example" }),
    "for another service": () => ({ aud: "another" }),
    "for nobody": () => ({ aud: undefined }),
    "with the nonce of another sign-in": () => ({ nonce: randomUUID() }),
    "without a nonce": () => ({ nonce: undefined }),
    "that has expired": (now) => ({ exp: now - 120 }),
    "that never expires": () => ({ exp: undefined }),
    "that is not yet valid": (now) => ({ nbf: now + 120 }),
    "of nobody": () => ({ sub: undefined }),
    "without a name": () => ({ preferred_username: undefined }),
    "without groups": () => ({ groups: undefined }),
  };
  const cases: [string, (now: number, nonce: string) => JWTPayload, Sign | undefined][] = [
    ...Object.entries(wrong).map(([what, claims]): (typeof cases)[number] => [`a token ${what}`, claims, undefined]),
    ...Object.entries(forged).map(([how, sign]): (typeof cases)[number] => [`a token that ${how}`, () => ({}), sign]),
  ];
  for (const [what, claims, sign] of cases)
    it(`is ${what}: refused as all are, and named in the security log`, async () => {
      let came: Awaited<ReturnType<typeof signIn>> | undefined;
      const lines = await logged("info", async () => {
        came = await signIn(claims, sign ?? lying.sign);
      });
      assert.deepEqual(came, { at: "/console/?sign_in=refused", token: undefined });
      const line = lines.find(({ msg }) => msg === "request refused");
      assert.deepEqual(
        [line?.event, line?.kind, line?.route],
        ["login_failed", "sso_refused", "GET /api/auth/oidc/callback"],
      );
      assert.match(String(line?.reason), /^[\w.]{4,64}$/);
    });

  it("is what it says instead of a code", async () => {
    const browser = new Cookies();
    const begun = await browser.get(`${service.url}/api/auth/oidc/start`);
    const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state") ?? "";
    const lines = await logged("info", async () => {
      const said = new URLSearchParams({ error: "access_denied", state });
      const answer = await browser.get(`${service.url}/api/auth/oidc/callback?${said}`);
      assert.equal(answer.headers.get("location"), "/console/?sign_in=refused");
    });
    assert.equal(lines.find(({ msg }) => msg === "request refused")?.reason, "access_denied");
  });

  describe("when it logs somebody out", () => {
    const send = (logout_token: string) =>
      fetch(service.url + LOGOUT, { method: "POST", body: new URLSearchParams({ logout_token }) });
    /** A logout token of this person, with these claims besides. */
    const claimsOf = (sub: string, claims: JWTPayload = {}) =>
      lying.says({ sub, jti: randomUUID(), events: EVENTS, ...claims });
    /** Somebody who is signed in. */
    async function somebody(claims: JWTPayload = {}) {
      const sub = randomUUID();
      const { token } = await signIn(() => ({ sub, ...claims }));
      const own = service.anyone.with({ authorization: `Bearer ${token}` });
      const isOpen = async () => (await own.get("/api/auth/me")).status === 200;
      assert.ok(await isOpen());
      return { sub, isOpen };
    }

    it("ends all sessions of a person, or the one that it names", async () => {
      const [ann, ben] = [await somebody(), await somebody({ sid: "of ben" })];
      const answer = await send(await lying.sign(claimsOf(ann.sub)));
      assert.deepEqual([answer.status, await answer.json()], [200, { message: "1 session(s) ended" }]);
      assert.deepEqual([await ann.isOpen(), await ben.isOpen()], [false, true]);
      const other = await send(await lying.sign(claimsOf(ben.sub, { sid: "another" })));
      assert.deepEqual([other.status, await ben.isOpen()], [200, true]);
      await send(await lying.sign(claimsOf(ben.sub, { sub: undefined, sid: "of ben" })));
      assert.equal(await ben.isOpen(), false);
    });

    it("is believed once", async () => {
      const token = await lying.sign(claimsOf((await somebody()).sub));
      assert.equal((await send(token)).status, 200);
      assert.equal((await send(token)).status, 400);
    });

    const unsound: Record<string, (now: number) => JWTPayload> = {
      "of another issuer": () => ({ iss: "https://evil.example" }),
      "for another service": () => ({ aud: "another" }),
      "with a nonce, as an ID token has": () => ({ nonce: "1" }),
      "without the event": () => ({ events: undefined }),
      "with another event": () => ({ events: { "http://schemas.example/event": {} } }),
      "without an id": () => ({ jti: undefined }),
      "of nobody": () => ({ sub: undefined }),
      "that has expired": (now) => ({ exp: now - 120 }),
      "that is old": (now) => ({ iat: now - 3600 }),
      "of a time to come": (now) => ({ iat: now + 120 }),
      "without a time": () => ({ iat: undefined }),
    };
    const tokens: [string, (now: number) => JWTPayload, Sign | undefined][] = [
      ...Object.entries(unsound).map(([what, claims]): (typeof tokens)[number] => [what, claims, undefined]),
      ...Object.entries(forged).map(([how, sign]): (typeof tokens)[number] => [`that ${how}`, () => ({}), sign]),
    ];
    for (const [what, claims, sign] of tokens)
      it(`is not believed by a token ${what}`, async () => {
        const ann = await somebody();
        const token = await (sign ?? lying.sign)(claimsOf(ann.sub, claims(lying.now())));
        let answer: Response | undefined;
        const lines = await logged("info", async () => {
          answer = await send(token);
        });
        const told = { error: "The logout token is not valid", code: "logout_token_invalid" };
        assert.deepEqual([answer?.status, await answer?.json()], [400, told]);
        const line = lines.find(({ msg }) => msg === "request refused");
        assert.deepEqual([line?.event, line?.kind], ["logout_refused", "logout_token_invalid"]);
        assert.ok(!JSON.stringify(lines).includes(token));
        assert.ok(await ann.isOpen());
      });

    it("is not believed by what is no token", async () => {
      for (const body of ["", "logout_token=", "logout_token=a.b.c", "{}", "x".repeat(1000)])
        assert.equal((await fetch(service.url + LOGOUT, { method: "POST", body })).status, 400);
      assert.equal((await fetch(service.url + LOGOUT, { method: "POST", body: "x".repeat(70_000) })).status, 413);
    });
  });
});

describe("a provider that is not there", () => {
  let service: TestService;
  const open = async (env: Record<string, string>) => {
    service = await openService({ env: { ...envOf({ issuer: "http://127.0.0.1:9" }), ...env } });
  };
  afterEach(() => service.close());

  it("is told to whoever wants to sign in, and to the provider itself", async () => {
    await open({});
    const begun = await fetch(`${service.url}/api/auth/oidc/start?return_to=/scan/`, { redirect: "manual" });
    assert.deepEqual([begun.status, begun.headers.get("location")], [303, "/scan/?sign_in=unavailable"]);
    const logout = await service.anyone.post(LOGOUT);
    assert.deepEqual([logout.status, logout.code], [503, "sso_unavailable"]);
  });

  it("is not asked at an address within the house, unless that is meant", async () => {
    const lying = await openLyingProvider();
    await open({ ...envOf(lying), OIDC_ALLOW_INTERNAL: "false" });
    const lines = await logged("info", async () => {
      const begun = await fetch(`${service.url}/api/auth/oidc/start`, { redirect: "manual" });
      assert.equal(begun.headers.get("location"), "/console/?sign_in=unavailable");
    });
    const line = lines.find(({ msg }) => msg === "the identity provider was not reached");
    assert.match(JSON.stringify(line), /not on the public internet/);
    await lying.close();
  });
});
