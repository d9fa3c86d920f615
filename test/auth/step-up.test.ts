import assert from "node:assert/strict";
import { routes } from "../../api/routes.js";
import { SoftPasskey } from "../support/authenticator.js";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { codeOf, enters, setStepUp, timePasses, tokenOfOldProof, withApp } from "../support/factors.js";
import * as fixtures from "../support/fixtures.js";
import { keyCaller } from "../support/keys.js";
import { logged } from "../support/log.js";
import { PASSWORD, sessionsOf } from "../support/people.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { unique } from "../support/unique.js";

const STEP_UP = "/api/auth/step-up";
const WRONG = "wrong horse 1";

describe("step-up", () => {
  const service = testService();
  const { logIn, bearer } = sessionsOf(() => service);
  before(() => setStepUp({ step_up: "true", step_up_adjustment_units: "10" }));

  /** The same user in a session that proved too long ago whose it is. */
  const stale = async (user: { user_id: number }) => bearer(await tokenOfOldProof(service, user));
  const newUser = () => ({
    ...{ username: `made-${unique().toLowerCase()}`, password: PASSWORD, full_name: "Ann", role: "USER" },
    ...{ warehouse_ids: [], allowed_functions: [], page_keys: [] },
  });
  const makes = (caller: Caller) => caller.post("/api/admin/users", newUser());
  const refused = (answer: Answer) => {
    assert.deepEqual([answer.status, answer.code], [401, "step_up_required"]);
    return answer.body;
  };
  const proves = (caller: Caller, proof: object) => caller.post(STEP_UP, proof);

  it("is asked for by dangerous routes alone, once the proof is older than the setting allows", async () => {
    const user = await enters(service.anyone);
    assert.equal((await makes(user.own)).status, 201);
    const old = await stale(user);
    const answer = await makes(old);
    assert.deepEqual(refused(answer), { error: answer.body.error, ways: ["password"], max_age: 600 });
    assert.match(
      answer.headers.get("www-authenticate") ?? "",
      /^Bearer error="insufficient_user_authentication", .*max_age="600"$/,
    );
    assert.equal((await old.get("/api/admin/users")).status, 200);
    assert.equal((await old.post("/api/admin/vendors", { vendor_name: `Potter ${unique()}` })).status, 201);
    await setStepUp({ step_up_minutes: "11" });
    assert.equal((await makes(old)).status, 201);
    await setStepUp({ step_up: "false", step_up_minutes: "10" });
    assert.equal((await makes(old)).status, 201);
    await setStepUp({ step_up: "true" });
  });

  it("is asked for by each route that says so, before the request is looked at; keys are refused", async () => {
    const old = await stale(await enters(service.anyone));
    const key = await keyCaller(service, service.admin);
    const always = routes.filter(({ stepUp }) => stepUp === true);
    for (const { method, path } of always) {
      const ask = (caller: Caller) => caller.call(method.toUpperCase(), path.replace(/:\w+/g, "1"), {});
      assert.equal((await ask(old)).code, "step_up_required", `${method} ${path}`);
      assert.equal((await ask(key)).code, "not_with_a_key", `${method} ${path}`);
    }
    assert.deepEqual(always.map(({ method, path }) => `${method} ${path}`).sort(), [
      "delete /api/admin/users/:user_id",
      "delete /api/admin/users/:user_id/factors",
      "patch /api/admin/tokens/:token_id",
      "post /api/admin/agent-approvals/:approval_id/approve",
      "post /api/admin/channels",
      "post /api/admin/channels/:channel_id/rotate-secret",
      "post /api/admin/connectors/:name/credentials",
      "post /api/admin/notification-webhooks",
      "post /api/admin/notification-webhooks/:webhook_id/rotate-url",
      "post /api/admin/partner-links",
      "post /api/admin/recalls",
      "post /api/admin/recalls/:recall_id/close",
      "post /api/admin/recalls/:recall_id/destroy",
      "post /api/admin/sandboxes",
      "post /api/admin/tokens",
      "post /api/admin/tokens/:token_id/rotate",
      "post /api/admin/users",
      "post /api/admin/users/:user_id/badge",
      "post /api/admin/webhooks",
      "post /api/admin/webhooks/:subscription_id/rotate-secret",
      "post /api/auth/keys",
      "put /api/admin/sign-in/mapping",
      "put /api/admin/tokens/:token_id",
      "put /api/admin/users/:user_id",
      "put /api/admin/users/:user_id/sign-in",
    ]);
  });

  it("is given by the password, to whoever has no second factor, for this session alone", async () => {
    const user = await enters(service.anyone);
    const [old, other] = [await stale(user), await stale(user)];
    assert.equal((await proves(old, { current_password: WRONG })).code, "wrong_current_password");
    const mark = await auditMark();
    const { token } = await old.ok("POST", STEP_UP, { current_password: PASSWORD });
    assert.equal((await makes(bearer(token))).status, 201);
    refused(await makes(old));
    refused(await makes(other));
    const { token: refreshed } = await bearer(token).ok("POST", "/api/auth/refresh");
    assert.equal((await makes(bearer(refreshed))).status, 201);
    const [row] = await auditSince(mark);
    assert.deepEqual(
      [row?.action_type, row?.user_id, row?.entity_id, row?.details],
      ["STEP_UP", user.username, user.user_id, { username: user.username, way: "password" }],
    );
    for (const bad of [{}, { current_password: PASSWORD, code: "123456" }, { challenge: "x" }])
      assert.equal((await proves(old, bad)).status, 400);
  });

  it("takes the code of the app or a recovery code of whoever has them, and no password", async () => {
    const user = await withApp(service.anyone);
    const old = await stale(user);
    const { challenge, ways } = refused(await makes(old));
    assert.deepEqual(ways, ["totp", "recovery_code"]);
    assert.deepEqual(refused(await proves(old, { current_password: PASSWORD })).ways, ways);
    const lines = await logged("info", async () => {
      assert.equal((await proves(old, { challenge, code: "000000" })).code, "invalid_second_factor");
    });
    const line = lines.find(({ msg }) => msg === "request refused");
    assert.deepEqual([line?.event, line?.kind, line?.user], ["login_failed", "invalid_second_factor", user.username]);
    const { token } = await old.ok("POST", STEP_UP, { challenge, code: codeOf(user.secret) });
    assert.equal((await makes(bearer(token))).status, 201);
    await timePasses(user);
    assert.equal((await proves(old, { challenge, code: codeOf(user.secret) })).code, "challenge_expired");
    const again = refused(await makes(old)).challenge;
    const mark = await auditMark();
    const recovered = await old.ok("POST", STEP_UP, { challenge: again, recovery_code: user.codes[0] });
    assert.equal((await makes(bearer(recovered.token))).status, 201);
    const done = (await auditSince(mark)).map(({ action_type, details }) => [action_type, details.way]);
    assert.deepEqual(done.slice(0, 2), [
      ["RECOVERY_CODE_USE", undefined],
      ["STEP_UP", "recovery_code"],
    ]);
    // That of a sign-in, and that of somebody else, are others.
    const { body } = await logIn(user.username, PASSWORD);
    assert.equal((await proves(old, { challenge: body.challenge, code: "000000" })).code, "challenge_expired");
    const { challenge: theirs } = refused(await makes(old));
    const other = await stale(await withApp(service.anyone));
    assert.equal((await proves(other, { challenge: theirs, code: codeOf(user.secret) })).code, "challenge_expired");
  });

  it("takes a passkey, for its challenge alone", async () => {
    const user = await enters(service.anyone);
    const site = { origin: service.url, rpId: new URL(service.url).hostname };
    const passkey = new SoftPasskey();
    const { options } = await user.own.ok("POST", "/api/auth/passkeys/options", { current_password: PASSWORD });
    await user.own.ok("POST", "/api/auth/passkeys", { passkey_name: "phone", passkey: passkey.made(options, site) });
    const old = await stale(user);
    const asked = refused(await makes(old));
    assert.deepEqual(asked.ways, ["passkey", "recovery_code"]);
    passkey.counter++;
    const signed = passkey.signed(asked.passkey, site);
    const { token } = await old.ok("POST", STEP_UP, { challenge: asked.challenge, passkey: signed });
    assert.equal((await makes(bearer(token))).status, 201);
    const next = refused(await makes(old));
    const replayed = await proves(old, { challenge: next.challenge, passkey: signed });
    assert.equal(replayed.code, "invalid_second_factor");
  });

  it("locks after five wrong proofs, as sign-in does", async () => {
    const user = await withApp(service.anyone);
    const old = await stale(user);
    const { challenge } = refused(await makes(old));
    const codes: (string | undefined)[] = [];
    for (let i = 0; i < 6; i++) codes.push((await proves(old, { challenge, code: "000000" })).code);
    assert.deepEqual(codes.slice(3), ["invalid_second_factor", "login_locked_now", "login_locked"]);
    assert.equal((await proves(old, { challenge, code: codeOf(user.secret) })).code, "login_locked");
  });

  it("is asked for by corrections of more units than the setting says, made or approved", async () => {
    const warehouse_id = await fixtures.warehouse();
    const { item_id } = await fixtures.item();
    const bin_id = await fixtures.bin(warehouse_id);
    const user = await enters(service.anyone);
    const old = await stale(user);
    const adjust = (quantity: number, caller = old) =>
      caller.post("/api/admin/adjustments/direct", {
        ...{ item_id, bin_id, warehouse_id, adjustment_type: "ADD", quantity, reason: "found" },
      });
    assert.equal((await adjust(10)).status, 201);
    refused(await adjust(11));
    assert.equal((await adjust(11, user.own)).status, 201);
    const key = await keyCaller(service, service.admin);
    assert.equal((await adjust(10, key)).status, 201);
    assert.equal((await adjust(11, key)).code, "not_with_a_key");
    await setStepUp({ step_up_adjustment_units: "0" });
    assert.equal((await adjust(11)).status, 201);
    await setStepUp({ step_up_adjustment_units: "10" });
    const pending = (units: number) =>
      db.value<number>(
        `insert into inventory_adjustments (item_id, bin_id, warehouse_id, quantity_change, reason_code, status,
                                            adjusted_by)
         values ($1, $2, $3, $4, 'COUNT', 'PENDING', 'ann') returning adjustment_id`,
        [item_id, bin_id, warehouse_id, units],
      );
    const [few, many] = [await pending(10), await pending(-11)];
    const review = (action: string, ...ids: (number | undefined)[]) =>
      old.post("/api/admin/adjustments/review", {
        decisions: ids.map((adjustment_id) => ({ adjustment_id, action })),
      });
    refused(await review("approve", few, many));
    assert.equal((await review("approve", few)).status, 200);
    assert.equal((await review("reject", many)).status, 200);
  });

  it("is asked for by the settings that say who gets in, and by where webhooks go", async () => {
    const old = await stale(await enters(service.anyone));
    const put = (settings: Record<string, string>) => old.put("/api/admin/settings", { settings });
    for (const key of ["step_up", "second_factor_roles", "sso_required"]) refused(await put({ [key]: "" }));
    assert.equal((await put({ count_show_expected: "true" })).status, 200);
    const patch = (body: object) => old.patch("/api/admin/webhooks/00000000-0000-4000-8000-000000000001", body);
    refused(await patch({ delivery_url: "https://partner.example.com/hooks" }));
    assert.equal((await patch({ display_name: "Partner" })).status, 404);
  });

  it("is asked for by switching it on, too", async () => {
    await setStepUp({ step_up: "false" });
    const user = await enters(service.anyone);
    const settings = { step_up: "true" };
    const put = (caller: Caller) => caller.put("/api/admin/settings", { settings });
    refused(await put(await stale(user)));
    assert.equal((await put(await keyCaller(service, { userId: user.user_id }))).code, "not_with_a_key");
    assert.equal(await db.value("select value from app_settings where key = 'step_up'"), "false");
    assert.equal((await put(user.own)).status, 200);
    refused(await makes(await stale(user)));
  });

  it("says by itself what proves it", async () => {
    const ask = (caller: Caller) => caller.ok("POST", `${STEP_UP}/challenge`);
    assert.deepEqual(await ask((await enters(service.anyone)).own), { ways: ["password"], max_age: 600 });
    const user = await withApp(service.anyone);
    const old = await stale(user);
    const { challenge, ways } = await ask(old);
    assert.deepEqual(ways, ["totp", "recovery_code"]);
    const { token } = await old.ok("POST", STEP_UP, { challenge, code: codeOf(user.secret) });
    assert.equal((await makes(bearer(token))).status, 201);
  });

  it("is what a setting says: minutes and units in bounds", async () => {
    const user = await enters(service.anyone);
    const put = (settings: Record<string, string>) => user.own.put("/api/admin/settings", { settings });
    for (const [key, value] of [
      ["step_up", "yes"],
      ["step_up_minutes", "0"],
      ["step_up_adjustment_units", "-1"],
    ] as const)
      assert.equal((await put({ [key]: value })).code, "bad_setting");
    assert.equal((await put({ step_up_minutes: "10" })).status, 200);
  });
});
