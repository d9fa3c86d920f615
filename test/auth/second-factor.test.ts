import assert from "node:assert/strict";
import { resealSecrets } from "../../activities/maintenance/encryption-key.js";
import { stepOf } from "../../src/auth/factors/totp.js";
import { unseal } from "../../src/auth/sealed.js";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { codeOf, enters, timePasses, withApp } from "../support/factors.js";
import { logged } from "../support/log.js";
import { operations } from "../support/operations.js";
import { cookiesOf, PASSWORD, person, sessionsOf } from "../support/people.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

const WRONG = "wrong horse 1";

describe("a second factor", () => {
  const service = testService();
  const { logIn, bearer } = sessionsOf(() => service);
  const made = (fields = {}) => withApp(service.anyone, fields);
  const made2 = async () => [await made(), await made()] as const;
  const show = (challenge: string, proof: object) =>
    service.anyone.post("/api/auth/second-factor", { challenge, ...proof });

  /** The challenge that the right password gets. */
  async function challengeFor(username: string): Promise<string> {
    const { status, code, body } = await logIn(username, PASSWORD);
    assert.deepEqual([status, code], [401, "second_factor_required"]);
    return body.challenge;
  }
  /** The answer to signing in with password and code. */
  const enter = async (user: { username: string; user_id: number; secret: string }) => {
    await timePasses(user);
    return show(await challengeFor(user.username), { code: codeOf(user.secret) });
  };
  const isOpen = async (caller: Caller) => (await caller.get("/api/admin/settings")).status === 200;
  const own = { current_password: PASSWORD };

  describe("by an authenticator app", () => {
    it("takes codes of the present half minute, of that before and of that after (RFC 6238)", () => {
      const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
      const at = 1_111_111_109_000;
      assert.equal(stepOf(secret, "081804", at), 37_037_036);
      assert.equal(stepOf(secret, " 081 804 ", at), 37_037_036);
      const fits = { "-60": false, "-30": true, "30": true, "60": false };
      for (const [seconds, isIn] of Object.entries(fits))
        assert.equal(stepOf(secret, codeOf(secret, at + Number(seconds) * 1000), at) !== undefined, isIn, seconds);
      for (const typed of ["", "81804", "0818040", "०८१८०४", "08180a"])
        assert.equal(stepOf(secret, typed, at), undefined);
    });

    it("is set up with the password, and asked for once a code has confirmed it", async () => {
      const user = await enters(service.anyone, { role: "USER" });
      const { username } = user;
      assert.equal((await user.own.post("/api/auth/totp/confirm", { code: "123456" })).code, "no_totp");
      assert.equal((await user.own.call("DELETE", "/api/auth/totp", own)).code, "no_totp");
      assert.equal((await user.own.post("/api/auth/recovery-codes", own)).code, "no_second_factor");
      assert.equal((await user.own.post("/api/auth/totp", { current_password: WRONG })).code, "wrong_current_password");
      const nothing = { is_required: false, totp: null, passkeys: [], recovery_codes_left: 0, takes_password: true };
      const { secret: first } = await user.own.ok("POST", "/api/auth/totp", own);
      assert.deepEqual(await user.own.ok("GET", "/api/auth/factors"), nothing);
      const { secret, uri, qr } = await user.own.ok("POST", "/api/auth/totp", own);
      assert.notEqual(secret, first);
      assert.match(uri, new RegExp(`^otpauth://totp/Warehouse:${username}\\?.*secret=${secret}`));
      assert.match(Buffer.from(qr, "base64").toString(), /^<svg /);
      const confirm = (code: string) => user.own.post("/api/auth/totp/confirm", { code });
      assert.equal((await confirm(codeOf(first))).code, "wrong_code");
      assert.equal((await logIn(username, PASSWORD)).status, 200);
      const mark = await auditMark();
      const confirmed = await confirm(codeOf(secret));
      assert.equal(confirmed.status, 200);
      assert.equal(new Set(confirmed.body.recovery_codes).size, 10);
      assert.equal((await confirm(codeOf(secret))).code, "totp_exists");
      assert.equal((await user.own.post("/api/auth/totp", own)).code, "totp_exists");
      const { totp, recovery_codes_left } = await user.own.ok("GET", "/api/auth/factors");
      assert.deepEqual([typeof totp.confirmed_at, totp.last_used_at, recovery_codes_left], ["string", null, 10]);
      const asked = await logIn(username, PASSWORD);
      assert.deepEqual(
        [asked.status, asked.code, asked.body.ways],
        [401, "second_factor_required", ["totp", "recovery_code"]],
      );
      assert.deepEqual(asked.headers.getSetCookie(), []);
      assert.equal((await logIn(username, WRONG)).code, "invalid_credentials");
      assert.equal((await user.own.call("DELETE", "/api/auth/totp", { current_password: WRONG })).status, 403);
      assert.equal((await user.own.call("DELETE", "/api/auth/totp", own)).status, 200);
      assert.equal((await logIn(username, PASSWORD)).status, 200);
      assert.deepEqual(await user.own.ok("GET", "/api/auth/factors"), nothing);
      assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "entity_id", "user_id"), [
        ["TOTP_ADD", user.user_id, username],
        ["TOTP_REMOVE", user.user_id, username],
      ]);
    });

    it("begins the session that a password alone begins", async () => {
      const [user, plain] = [await made(), await person()];
      const [begun, without] = [await enter(user), await logIn(plain.username, PASSWORD)];
      assert.equal(begun.status, 200);
      assert.deepEqual(Object.keys(begun.body.user), Object.keys(without.body.user));
      const namesOf = (answer: Answer) =>
        cookiesOf(answer).map(({ name, httpOnly, maxAge }) => [name, httpOnly, maxAge]);
      assert.deepEqual(namesOf(begun), namesOf(without));
      assert.ok(await isOpen(bearer(begun.body.token)));
      const { totp } = await user.own.ok("GET", "/api/auth/factors");
      assert.ok(totp.last_used_at >= totp.confirmed_at);
      const claims = JSON.parse(Buffer.from(without.body.token.split(".")[1], "base64url").toString());
      assert.ok(!("factor" in claims));
    });

    it("takes no code twice, nor an earlier one, nor one that has been used to set it up", async () => {
      const user = await made();
      const code = codeOf(user.secret);
      assert.equal((await show(await challengeFor(user.username), { code })).status, 200);
      const earlier = codeOf(user.secret, Date.now() - 30_000);
      for (const used of [code, earlier])
        assert.equal((await show(await challengeFor(user.username), { code: used })).code, "invalid_second_factor");
      const other = await enters(service.anyone);
      const { secret } = await other.own.ok("POST", "/api/auth/totp", own);
      const first = codeOf(secret);
      await other.own.ok("POST", "/api/auth/totp/confirm", { code: first });
      assert.equal((await show(await challengeFor(other.username), { code: first })).code, "invalid_second_factor");
    });

    it("takes one of two who show a code at once", async () => {
      const user = await made();
      const [one, two] = [await challengeFor(user.username), await challengeFor(user.username)];
      const code = codeOf(user.secret);
      const answers = await Promise.all([show(one, { code }), show(two, { code })]);
      assert.deepEqual(pluck(answers, "status").sort(), [200, 401]);
    });
  });

  describe("by a challenge", () => {
    it("is for one user, once, within minutes, and while the password stays", async () => {
      const [user, other] = await made2();
      const challenge = await challengeFor(user.username);
      assert.equal((await show(challenge, { code: codeOf(other.secret) })).code, "invalid_second_factor");
      assert.equal((await show(challenge, { code: codeOf(user.secret) })).status, 200);
      await timePasses(user);
      assert.equal((await show(challenge, { code: codeOf(user.secret) })).code, "challenge_expired");
      assert.equal((await show("nobody was given this", { code: "123456" })).code, "challenge_expired");
      const late = await challengeFor(user.username);
      await db.run("update factor_challenges set expires_at = now() - interval '1 second'");
      assert.equal((await show(late, { code: codeOf(user.secret) })).code, "challenge_expired");
      const stale = await challengeFor(user.username);
      await service.admin.ok("PUT", `/api/admin/users/${user.user_id}`, { password: "battery staple 2" });
      assert.equal((await show(stale, { code: codeOf(user.secret) })).code, "challenge_expired");
      const gone = await challengeFor(other.username);
      await service.admin.ok("PUT", `/api/admin/users/${other.user_id}`, { is_active: false });
      assert.equal((await show(gone, { code: codeOf(other.secret) })).code, "challenge_expired");
    });

    it("takes exactly one thing that is shown", async () => {
      const { username, secret, codes } = await made();
      const challenge = await challengeFor(username);
      for (const proof of [{}, { code: codeOf(secret), recovery_code: codes[0] }])
        assert.deepEqual([(await show(challenge, proof)).code], ["validation_error"]);
    });
  });

  describe("by a recovery code", () => {
    it("opens once with each, however it is typed, and is audited", async () => {
      const user = await made();
      const [one = "", two = ""] = user.codes;
      const enterWith = async (recovery_code: string) => show(await challengeFor(user.username), { recovery_code });
      const mark = await auditMark();
      assert.equal((await enterWith(one)).status, 200);
      assert.equal((await enterWith(one)).code, "invalid_second_factor");
      assert.equal((await enterWith(two.toUpperCase().replace("-", " "))).status, 200);
      assert.equal((await enterWith("")).code, "invalid_second_factor");
      assert.equal((await user.own.ok("GET", "/api/auth/factors")).recovery_codes_left, 8);
      assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "user_id"), [
        ["RECOVERY_CODE_USE", user.username],
        ["RECOVERY_CODE_USE", user.username],
      ]);
    });

    it("opens with new ones only, once they were made; others' open nothing", async () => {
      const [user, other] = await made2();
      const { recovery_codes } = await user.own.ok("POST", "/api/auth/recovery-codes", own);
      for (const recovery_code of [user.codes[0], other.codes[0]])
        assert.equal((await show(await challengeFor(user.username), { recovery_code })).code, "invalid_second_factor");
      assert.equal((await show(await challengeFor(user.username), { recovery_code: recovery_codes[9] })).status, 200);
      await db.run("update recovery_codes set used_at = now() where user_id = $1", [user.user_id]);
      assert.deepEqual((await logIn(user.username, PASSWORD)).body.ways, ["totp"]);
    });
  });

  describe("that is wrong", () => {
    it("five times locks the second factor from everywhere, which no right password undoes", async () => {
      const [user, other] = await made2();
      const mark = await auditMark();
      const wrong = async () => (await show(await challengeFor(user.username), { code: "000000" })).code;
      for (let i = 1; i <= 4; i++) assert.equal(await wrong(), "invalid_second_factor");
      assert.equal(await wrong(), "login_locked_now");
      assert.equal(await wrong(), "login_locked");
      await timePasses(user);
      const right = await show(await challengeFor(user.username), { code: codeOf(user.secret) });
      assert.equal(right.code, "login_locked");
      assert.equal((await enter(other)).status, 200);
      const [row] = await auditSince(mark);
      assert.deepEqual(
        [row?.action_type, row?.entity_id, row?.details.by],
        ["LOGIN_LOCKED", user.user_id, "second factor"],
      );
    });

    it("is named in the security log, as is what asked for it", async () => {
      const { username } = await made();
      const lines = await logged("info", async () => {
        await show(await challengeFor(username), { code: "000000" });
        await show("nobody was given this", { code: "000000" });
      });
      const told = lines.filter(({ msg }) => msg === "request refused");
      assert.deepEqual(pluckAll(told, "event", "kind", "user"), [
        ["second_factor_asked", "second_factor_required", username],
        ["login_failed", "invalid_second_factor", username],
        ["login_failed", "challenge_expired", undefined],
      ]);
    });

    it("is not changed by whoever guesses the password", async () => {
      const asks = {
        "POST /api/auth/totp": () => enters(service.anyone),
        "DELETE /api/auth/totp": made,
        "POST /api/auth/recovery-codes": made,
      };
      for (const [name, whose] of Object.entries(asks)) {
        const [method = "", path = ""] = name.split(" ");
        const user = await whose();
        const guess = async () => (await user.own.call(method, path, { current_password: WRONG })).code;
        for (let i = 1; i <= 4; i++) assert.equal(await guess(), "wrong_current_password", name);
        assert.equal(await guess(), "login_locked_now", name);
        assert.equal(await guess(), "login_locked", name);
      }
    });
  });

  describe("that is lost", () => {
    it("is reset by another ADMIN, and all sessions end", async () => {
      const user = await made();
      const path = `/api/admin/users/${user.user_id}/factors`;
      assert.equal((await service.admin.ok("GET", path)).recovery_codes_left, 10);
      const session = bearer((await enter(user)).body.token);
      assert.equal((await session.delete(path)).code, "own_factors");
      const pending = await challengeFor(user.username);
      const mark = await auditMark();
      assert.equal((await service.admin.delete(path)).status, 200);
      assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "entity_id", "user_id"), [
        ["FACTORS_RESET", user.user_id, "admin"],
      ]);
      for (const caller of [session, user.own]) assert.equal((await caller.get("/api/auth/me")).status, 401);
      assert.equal((await show(pending, { recovery_code: user.codes[0] })).code, "challenge_expired");
      assert.equal((await logIn(user.username, PASSWORD)).status, 200);
      assert.equal((await service.admin.delete(path)).code, "no_second_factor");
      const nobody = "/api/admin/users/987654/factors";
      for (const answer of [await service.admin.get(nobody), await service.admin.delete(nobody)])
        assert.equal(answer.code, "user_not_found");
    });
  });

  it("is kept as hashes and sealed, under the current key", async () => {
    const user = await made();
    const kept = await db.rows(
      `select row_to_json(t)::text from user_totp t union all select row_to_json(r)::text from recovery_codes r
       union all select row_to_json(c)::text from command_log c union all select row_to_json(a)::text from audit_log a
       union all select row_to_json(f)::text from factor_challenges f`,
    );
    for (const secret of [user.secret, ...user.codes, ...user.codes.map((code) => code.replace("-", ""))])
      assert.ok(!JSON.stringify(kept).includes(secret));
    const { encryptionKey } = service.config;
    const keys = {
      encryptionKey: Buffer.alloc(32, 8).toString("base64"),
      encryptionKeysPrevious: [encryptionKey],
    };
    const { authenticator_apps, kept_answers, unreadable } = await resealSecrets(keys);
    assert.ok(authenticator_apps > 0 && kept_answers > 0);
    assert.deepEqual(unreadable, []);
    const sealed = await db.value<string>("select secret_sealed from user_totp where user_id = $1", [user.user_id]);
    assert.equal(
      unseal(sealed as string, `user_totp:${user.user_id}`, { ...keys, encryptionKeysPrevious: [] }),
      user.secret,
    );
    await resealSecrets({ encryptionKey, encryptionKeysPrevious: [keys.encryptionKey] });
    assert.equal((await enter(user)).status, 200);
  });

  describe("of a role that needs one", () => {
    let boss: Caller;
    before(async () => {
      boss = bearer((await enter(await made())).body.token);
    });
    const needed = (second_factor_roles: string) =>
      boss.ok("PUT", "/api/admin/settings", { settings: { second_factor_roles } });
    afterEach(() => needed(""));

    it("is one of the roles there are", async () => {
      for (const roles of ["admin", "ADMIN, USER", "ADMIN,", "PICKER"])
        assert.equal(
          (await boss.put("/api/admin/settings", { settings: { second_factor_roles: roles } })).code,
          "bad_setting",
        );
      for (const roles of ["USER", "ADMIN,USER", ""]) await needed(roles);
    });

    it("is set up at the next sign-in, and nothing else is done before", async () => {
      const before = await made();
      await needed("ADMIN");
      const user = await enters(service.anyone);
      const me = await user.own.ok("GET", "/api/auth/me");
      assert.equal(me.must_add_second_factor, true);
      for (const caller of [user.own, service.admin]) {
        const { status, code } = await caller.get("/api/admin/settings");
        assert.deepEqual([status, code], [403, "second_factor_enrolment_required"]);
      }
      assert.equal((await user.own.ok("GET", "/api/auth/factors")).is_required, true);
      assert.equal((await user.own.post("/api/auth/refresh")).status, 200);
      const { secret } = await user.own.ok("POST", "/api/auth/totp", own);
      const confirmed = await user.own.post("/api/auth/totp/confirm", { code: codeOf(secret) });
      const cookie = cookiesOf(confirmed).map(({ name, value }) => `${name}=${value}`);
      assert.ok(await isOpen(service.anyone.with({ cookie: cookie.join("; ") })));
      // Sessions that were begun without it, here and before the role needed one.
      for (const caller of [user.own, before.own]) {
        const { status, code } = await caller.get("/api/admin/settings");
        assert.deepEqual([status, code], [401, "second_factor_missing"]);
      }
      const session = bearer((await enter({ ...user, secret })).body.token);
      assert.ok(await isOpen(session));
      assert.equal((await session.ok("GET", "/api/auth/me")).must_add_second_factor, false);
      const { token } = await session.ok("POST", "/api/auth/refresh");
      assert.ok(await isOpen(bearer(token)));
      const floor = await enters(service.anyone, { role: "USER" });
      assert.equal((await floor.own.get("/api/auth/badge")).status, 200);
    });

    it("is needed by every operation but those that set it up", async () => {
      await needed("USER");
      const user = await enters(service.anyone, { role: "USER" });
      const open: string[] = [];
      for (const { route, name } of operations) {
        if (["open", "inbound", "outbound", "dispatch", "partner"].includes(route.for.kind)) continue;
        const path = route.path.replace(/:\w+/g, "1");
        const body = route.method === "get" ? undefined : {};
        const { code } = await user.own.call(route.method.toUpperCase(), path, body);
        if (code !== "second_factor_enrolment_required") open.push(name);
      }
      assert.deepEqual(open.sort(), [
        ...["delete /api/auth/totp", "get /api/auth/factors", "get /api/auth/me", "post /api/auth/change-password"],
        ...[
          "post /api/auth/passkeys",
          "post /api/auth/passkeys/options",
          "post /api/auth/refresh",
          "post /api/auth/totp",
          "post /api/auth/totp/confirm",
        ],
      ]);
    });

    it("is not opened by a badge", async () => {
      await boss.ok("PUT", "/api/admin/settings", { settings: { badge_sign_in: "true" } });
      const user = await enters(service.anyone);
      const { code } = await boss.ok("POST", `/api/admin/users/${user.user_id}/badge`, {});
      await user.own.ok("PUT", "/api/auth/badge-pin", { ...own, pin: "271828" });
      const badge = async (pin = "271828") => (await service.anyone.post("/api/auth/badge", { badge: code, pin })).code;
      assert.equal(await badge(), undefined);
      await needed("ADMIN");
      assert.equal(await badge(), "badge_not_enough");
      assert.equal(await badge("314159"), "invalid_badge");
    });
  });
});
