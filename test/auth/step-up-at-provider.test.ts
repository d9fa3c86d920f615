import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { JWTPayload } from "jose";
import type { Caller } from "../support/caller.js";
import { setStepUp } from "../support/factors.js";
import {
  Cookies,
  envOf,
  type IdentityProvider,
  openIdentityProvider,
  signInByProvider,
} from "../support/identity-provider.js";
import { logged } from "../support/log.js";
import { type LyingProvider, openLyingProvider } from "../support/lying-provider.js";
import { PASSWORD } from "../support/people.js";
import { auditMark, auditSince } from "../support/records.js";
import { openService, type TestService } from "../support/service.js";
import { unique } from "../support/unique.js";

const START = "/api/auth/oidc/start";
const MAPPING = {
  ...{ username_claim: "preferred_username", groups_claim: "groups" },
  groups: [{ group: "it", role: "ADMIN" }],
};
const dangerous = (caller: Caller) => caller.post("/api/auth/keys", { key_name: "nightly export" });

describe("step-up at the company's provider", () => {
  let idp: IdentityProvider;
  let service: TestService;
  before(async () => {
    idp = await openIdentityProvider();
    service = await openService({ env: envOf(idp) });
    idp.serve(service.url);
    await service.admin.ok("PUT", "/api/admin/sign-in/mapping", MAPPING);
    await setStepUp({ step_up: "true" });
  });
  after(async () => {
    await service.close();
    await idp.close();
  });

  it("is a sign-in there that asks for the password; one that only knows the browser proves nothing", async () => {
    const username = `sso-${unique().toLowerCase()}`;
    const sub = idp.signsIn({ preferred_username: username, name: "Ann", groups: ["it"] });
    const first = await signInByProvider(service);
    const refused = await dangerous(first.bearer);
    assert.deepEqual([refused.status, refused.code, refused.body.ways], [401, "step_up_required", ["provider"]]);
    const byPassword = await first.bearer.post("/api/auth/step-up", { current_password: PASSWORD });
    assert.equal(byPassword.code, "step_up_required");
    const again = await signInByProvider(service, first.browser);
    assert.equal((await dangerous(again.bearer)).code, "step_up_required");

    const mark = await auditMark();
    idp.signsIn({ preferred_username: username, name: "Ann", groups: ["it"] }, sub);
    const { browser } = first;
    const begun = await browser.get(`${service.url}${START}?step_up=true&return_to=/console/security`);
    const to = new URL(begun.headers.get("location") ?? "");
    assert.deepEqual([to.searchParams.get("prompt"), to.searchParams.get("max_age")], ["login", "300"]);
    const answer = await browser.get(await browser.follow(to.href));
    assert.equal(answer.headers.get("location"), "/console/security");
    const token = browser.of(service.url, "service_auth");
    assert.equal((await dangerous(service.anyone.with({ authorization: `Bearer ${token}` }))).status, 201);
    const proofs = (await auditSince(mark)).filter(({ action_type }) => action_type === "STEP_UP");
    assert.deepEqual(
      proofs.map(({ user_id, details }) => [user_id, details.way]),
      [[username, "provider"]],
    );
  });
});

describe("step-up at a provider that must not be believed", () => {
  let lying: LyingProvider;
  let service: TestService;
  before(async () => {
    lying = await openLyingProvider();
    service = await openService({ env: envOf(lying) });
    await service.admin.ok("PUT", "/api/admin/sign-in/mapping", MAPPING);
    await setStepUp({ step_up: "true" });
  });
  after(async () => {
    await service.close();
    await lying.close();
  });

  /** Comes back from the provider with a token of these claims. */
  async function comes(start: string, claims: (now: number) => JWTPayload) {
    const browser = new Cookies();
    const begun = await browser.get(`${service.url}${start}`);
    const { searchParams } = new URL(begun.headers.get("location") ?? "");
    const nonce = searchParams.get("nonce") ?? "";
    const honest = { sub: randomUUID(), preferred_username: `ann-${randomUUID()}`, groups: ["it"], nonce };
    lying.answer(await lying.sign(lying.says({ ...honest, ...claims(lying.now()) })));
    const came = new URLSearchParams({ code: "any", state: searchParams.get("state") ?? "" });
    const answer = await browser.get(`${service.url}/api/auth/oidc/callback?${came}`);
    const token = browser.of(service.url, "service_auth");
    return {
      at: answer.headers.get("location"),
      outcome: token && (await dangerous(service.anyone.with({ authorization: `Bearer ${token}` }))).status,
    };
  }

  it("is refused where it does not say that it asked just now, and named in the security log", async () => {
    for (const claims of [() => ({}), (now: number) => ({ auth_time: now - 400 }), () => ({ auth_time: "now" })]) {
      const lines = await logged("info", async () => {
        const came = await comes(`${START}?step_up=true`, claims);
        assert.deepEqual(came, { at: "/console/?sign_in=refused", outcome: undefined });
      });
      assert.equal(lines.find(({ msg }) => msg === "request refused")?.kind, "sso_refused");
    }
    const asked = await comes(`${START}?step_up=true`, (now) => ({ auth_time: now - 5 }));
    assert.deepEqual(asked, { at: "/console/", outcome: 201 });
  });

  it("counts from when the provider asked, in a plain sign-in too", async () => {
    assert.equal((await comes(START, (now) => ({ auth_time: now - 590 }))).outcome, 201);
    assert.equal((await comes(START, (now) => ({ auth_time: now - 610 }))).outcome, 401);
  });
});
