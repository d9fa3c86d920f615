import assert from "node:assert/strict";
import { logInWithBadge } from "../../activities/auth/badge-login.js";
import { badgeCredentials } from "../../src/auth/badges/queries.js";
import { tokenHash } from "../../src/auth/tokens/token.js";
import type { Answer } from "../support/caller.js";
import { db } from "../support/db.js";
import { warehouse } from "../support/fixtures.js";
import { logged } from "../support/log.js";
import { cookiesOf, PASSWORD, person, sessionsOf } from "../support/people.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

const PIN = "271828";

describe("badges", () => {
  const service = testService();
  const { logIn, bearer, signedIn } = sessionsOf(() => service);
  const pathOf = ({ user_id }: { user_id: number }) => `/api/admin/users/${user_id}/badge`;
  const setting = (settings: object) => service.admin.ok("PUT", "/api/admin/settings", { settings });
  before(() => setting({ badge_sign_in: "true" }));

  const make = (user: { user_id: number }, how = {}) => service.admin.ok("POST", pathOf(user), how);
  const enter = (badge: string, pin = PIN) => service.anyone.post("/api/auth/badge", { badge, pin });
  const setPin = async (username: string, pin = PIN, current_password = PASSWORD) =>
    (await signedIn(username)).put("/api/auth/badge-pin", { current_password, pin });

  /** Somebody with a badge and a PIN. */
  async function holder() {
    const user = await person();
    const { code } = await make(user);
    assert.equal((await setPin(user.username)).status, 200);
    return { ...user, code: String(code) };
  }
  const isOpen = async (token: string) => (await bearer(token).get("/api/auth/me")).status === 200;

  describe("that are made", () => {
    it("are shown once, as a label too, and are kept as a hash", async () => {
      const user = await person({ full_name: "Ann Packer" });
      const mark = await auditMark();
      const made = await make(user, { format: "zpl", size: "57x32" });
      assert.match(made.code, /^\d{40}$/);
      assert.deepEqual([made.made_by, made.last_used_at, made.has_pin], ["admin", null, false]);
      assert.equal(made.label_name, `badge-${user.username}.zpl`);
      const zpl = Buffer.from(made.label, "base64").toString();
      assert.ok(zpl.includes("Ann Packer"));
      const { code, label, label_name, ...shown } = made;
      assert.deepEqual(await service.admin.ok("GET", pathOf(user)), { badge: shown });
      const pdf = (await make(user)).label;
      assert.equal(Buffer.from(pdf, "base64").subarray(0, 5).toString(), "%PDF-");
      const rows = await auditSince(mark);
      assert.deepEqual(pluckAll(rows, "action_type", "entity_type", "entity_id", "details"), [
        ["BADGE_MAKE", "USER", user.user_id, { username: user.username }],
        ["BADGE_REPLACE", "USER", user.user_id, { username: user.username }],
      ]);
      const kept = await db.rows(
        `select row_to_json(b)::text from user_badges b union all select row_to_json(c)::text from command_log c
         union all select row_to_json(a)::text from audit_log a`,
      );
      assert.ok(!JSON.stringify(kept).includes(code));
    });

    it("are made and revoked by who may change the user, and no one else", async () => {
      const [own, other] = [await warehouse(), await warehouse()];
      const office = await service.user({ page_keys: ["users"], warehouse_ids: [own] });
      const floor = await service.user({ warehouse_ids: [own] });
      const of = async (fields: object) => pathOf(await person({ role: "USER", ...fields }));
      const mine = await of({ warehouse_ids: [own] });
      assert.equal((await office.post(mine, {})).status, 201);
      assert.equal((await office.delete(mine)).status, 200);
      const codes = async (path: string) => [(await office.post(path, {})).code, (await office.delete(path)).code];
      assert.deepEqual(await codes(await of({ role: "ADMIN" })), ["grants_too_much", "grants_too_much"]);
      assert.deepEqual(await codes(await of({ warehouse_ids: [other] })), ["warehouse_denied", "warehouse_denied"]);
      assert.deepEqual(await codes("/api/admin/users/987654/badge"), ["user_not_found", "user_not_found"]);
      assert.equal((await office.get("/api/admin/users/987654/badge")).code, "user_not_found");
      assert.equal((await office.delete(mine)).code, "no_badge");
      for (const answer of [await floor.post(mine, {}), await floor.delete(mine), await floor.get(mine)])
        assert.equal(answer.status, 403);
      assert.equal((await service.admin.post(mine, { size: "A4" })).status, 400);
      assert.deepEqual(await service.admin.ok("GET", mine), { badge: null });
    });
  });

  describe("the PIN", () => {
    it("is set by the user with the password, and is none of the first guesses", async () => {
      const user = await person();
      assert.equal((await setPin(user.username)).code, "no_badge");
      await make(user);
      const own = await signedIn(user.username);
      assert.equal((await own.ok("GET", "/api/auth/badge")).badge.has_pin, false);
      for (const pin of ["123", "123456789", "12a4", "", " 1234", "１２３４"])
        assert.equal((await setPin(user.username, pin)).status, 400, pin);
      for (const pin of ["1111", "1234", "98765", "890123"])
        assert.equal((await setPin(user.username, pin)).code, "weak_pin", pin);
      assert.equal((await setPin(user.username, PIN, "wrong horse 1")).code, "wrong_current_password");
      assert.equal((await own.ok("GET", "/api/auth/badge")).badge.has_pin, false);
      const mark = await auditMark();
      assert.equal((await setPin(user.username)).status, 200);
      assert.equal((await own.ok("GET", "/api/auth/badge")).badge.has_pin, true);
      assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "user_id"), [["BADGE_PIN", user.username]]);
      const kept = await db.rows("select row_to_json(b)::text from user_badges b where user_id = $1", [user.user_id]);
      assert.ok(!JSON.stringify(kept).includes(PIN));
    });

    it("is not set by whoever guesses the password", async () => {
      const user = await holder();
      const session = await signedIn(user.username);
      const guess = () => session.put("/api/auth/badge-pin", { current_password: "wrong horse 1", pin: "314159" });
      for (let i = 1; i <= 4; i++) assert.equal((await guess()).code, "wrong_current_password");
      assert.equal((await guess()).code, "login_locked_now");
      assert.equal((await guess()).code, "login_locked");
      assert.equal((await enter(user.code)).status, 200);
    });
  });

  describe("a login with a badge", () => {
    it("gives the session that a password gives, and is noted", async () => {
      const user = await holder();
      const [byBadge, byPassword] = [await enter(user.code), await logIn(user.username, PASSWORD)];
      assert.equal(byBadge.status, 200);
      assert.deepEqual(byBadge.body.user, byPassword.body.user);
      const namesOf = (answer: Answer) =>
        cookiesOf(answer).map(({ name, httpOnly, maxAge }) => [name, httpOnly, maxAge]);
      assert.deepEqual(namesOf(byBadge), namesOf(byPassword));
      assert.equal((await bearer(byBadge.body.token).get("/api/auth/me")).body.username, user.username);
      const { badge } = await service.admin.ok("GET", pathOf(user));
      assert.ok(badge.last_used_at >= badge.made_at);
      // As a scanner may type it that says what kind of barcode it read.
      assert.equal((await enter(`]C0${user.code}\r`)).status, 200);
      const refreshed = await bearer(byBadge.body.token).ok("POST", "/api/auth/refresh");
      assert.ok(await isOpen(refreshed.token));
    });

    it("is refused in the same words, whatever is wrong", async () => {
      const [right, withoutPin, revoked, replaced, gone, deleted] = [
        await holder(),
        await person(),
        await holder(),
        await holder(),
        await holder(),
        await holder(),
      ];
      const { code: unset } = await make(withoutPin);
      await service.admin.ok("DELETE", pathOf(revoked));
      const { code: fresh } = await make(replaced);
      await service.admin.ok("PUT", `/api/admin/users/${gone.user_id}`, { is_active: false });
      await service.admin.ok("DELETE", `/api/admin/users/${deleted.user_id}`);
      const answers = [
        await enter(right.code, "271829"),
        await enter("1".repeat(40)),
        await enter(right.username),
        await enter(unset),
        await enter(revoked.code),
        await enter(replaced.code),
        await enter(gone.code),
        await enter(deleted.code),
      ];
      for (const { status, body, code } of answers)
        assert.deepEqual([status, body, code], [401, { error: "Invalid badge or PIN" }, "invalid_badge"]);
      // The PIN outlives the badge that was lost.
      assert.equal((await enter(fresh)).status, 200);
      await service.admin.ok("PUT", `/api/admin/users/${gone.user_id}`, { is_active: true });
      assert.equal((await enter(gone.code)).status, 200);
    });

    it("takes no more than it must, and is refused where badges are switched off", async () => {
      const user = await holder();
      for (const body of [{}, { badge: user.code }, { badge: user.code, pin: 271828 }])
        assert.equal((await service.anyone.post("/api/auth/badge", body)).status, 400);
      assert.deepEqual(await service.anyone.ok("GET", "/api/auth/ways"), {
        badge: true,
        idle_minutes: null,
        sso: null,
      });
      await setting({ badge_sign_in: "false", scanner_idle_minutes: "15" });
      assert.deepEqual(await service.anyone.ok("GET", "/api/auth/ways"), { badge: false, idle_minutes: 15, sso: null });
      const refused = await enter(user.code);
      assert.deepEqual([refused.status, refused.code], [403, "badge_sign_in_off"]);
      await setting({ badge_sign_in: "true", scanner_idle_minutes: "0" });
      assert.equal((await enter(user.code)).status, 200);
    });
  });

  describe("a session that was begun with a badge", () => {
    it("ends with the badge, as does what it was refreshed to; that of the password goes on", async () => {
      for (const end of [(user: { user_id: number }) => service.admin.ok("DELETE", pathOf(user)), make]) {
        const user = await holder();
        const { token } = (await enter(user.code)).body;
        const refreshed = (await bearer(token).ok("POST", "/api/auth/refresh")).token;
        const byPassword = (await logIn(user.username, PASSWORD)).body.token;
        await end(user);
        for (const ended of [token, refreshed]) {
          const { status, code } = await bearer(ended).get("/api/auth/me");
          assert.deepEqual([status, code], [401, "session_ended"]);
        }
        assert.ok(await isOpen(byPassword));
      }
    });

    it("ends for a user who is deactivated, and with the password", async () => {
      const [one, two] = [await holder(), await holder()];
      const tokens = [(await enter(one.code)).body.token, (await enter(two.code)).body.token];
      await service.admin.ok("PUT", `/api/admin/users/${one.user_id}`, { is_active: false });
      await service.admin.ok("PUT", `/api/admin/users/${two.user_id}`, { password: "battery staple 2" });
      for (const token of tokens) assert.equal(await isOpen(token), false);
    });

    it("ends too where the badge is taken away past the service", async () => {
      const user = await holder();
      const { token } = (await enter(user.code)).body;
      assert.ok(await isOpen(token));
      await db.run("delete from user_badges where user_id = $1", [user.user_id]);
      assert.equal((await enter(user.code)).status, 401);
      await until(async () => !(await isOpen(token)));
    });
  });

  describe("guessed PINs", () => {
    it("lock the badge from everywhere at the fifth, and nothing else of the user", async () => {
      const user = await holder();
      const mark = await auditMark();
      for (let i = 1; i <= 4; i++) assert.equal((await enter(user.code, "314159")).status, 401);
      const fifth = await enter(user.code, "314159");
      assert.deepEqual([fifth.status, fifth.code, fifth.headers.get("retry-after")], [429, "login_locked_now", "900"]);
      assert.equal((await enter(user.code)).code, "login_locked");
      const hash = tokenHash(user.code, service.config.tokenPepper);
      const elsewhere = logInWithBadge(hash, await badgeCredentials(hash), PIN, "203.0.113.9");
      await assert.rejects(elsewhere, { kind: "login_locked" });
      assert.equal((await logIn(user.username, PASSWORD)).status, 200);
      const details = { username: user.username, address: "127.0.0.1", by: "badge" };
      assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "entity_id", "details"), [
        ["LOGIN_LOCKED", user.user_id, details],
      ]);
    });

    it("are looked at five times, however many come at once", async () => {
      const user = await holder();
      const answers = await Promise.all(Array.from({ length: 12 }, () => enter(user.code, "314159")));
      assert.equal(answers.filter(({ status }) => status === 401).length, 4);
      assert.equal(answers.filter(({ status }) => status === 429).length, 8);
    });

    it("begin anew after a right one", async () => {
      const user = await holder();
      for (let round = 1; round <= 2; round++) {
        for (let i = 1; i <= 4; i++) assert.equal((await enter(user.code, "314159")).status, 401);
        assert.equal((await enter(user.code)).status, 200);
      }
    });

    it("of a badge that nobody has are locked as well", async () => {
      const mark = await auditMark();
      const stranger = "2".repeat(40);
      for (let i = 1; i <= 4; i++) assert.equal((await enter(stranger)).status, 401);
      assert.equal((await enter(stranger)).code, "login_locked_now");
      assert.equal((await enter(stranger)).code, "login_locked");
      assert.deepEqual(pluckAll(await auditSince(mark), "entity_id", "details"), [
        [0, { username: "", address: "127.0.0.1", by: "badge" }],
      ]);
    });

    it("are in the security log with whose badge it was, and without badge or PIN", async () => {
      const user = await holder();
      const lines = await logged("info", () => enter(user.code, "314159"));
      const line = lines.find(({ msg }) => msg === "request refused");
      assert.deepEqual([line?.event, line?.kind, line?.user], ["login_failed", "invalid_badge", user.username]);
      assert.ok(!JSON.stringify(lines).includes(user.code) && !JSON.stringify(lines).includes("314159"));
    });
  });
});
