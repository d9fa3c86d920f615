import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { parseSetCookie } from "cookie";
import jwt from "jsonwebtoken";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { cookiesOf, PASSWORD, person, sessionsOf } from "../support/people.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

describe("a session", () => {
  const service = testService();
  const { logIn, bearer, signedIn, browser } = sessionsOf(() => service);

  describe("a credential", () => {
    it("that is forged, unsigned, expired or garbled counts as expired", async () => {
      const claims = { user_id: service.admin.userId };
      const tokens = [
        jwt.sign(claims, "another secret of at least 32 characters"),
        jwt.sign(claims, null as unknown as string, { algorithm: "none" }),
        jwt.sign(claims, service.config.jwtSecret, { algorithm: "HS512" }),
        jwt.sign({ ...claims, exp: 1_700_000_000 }, service.config.jwtSecret),
        jwt.sign({ user_id: "1 or 1=1" }, service.config.jwtSecret),
        "garbage",
      ];
      for (const token of tokens) {
        const { status, body } = await bearer(token).get("/api/auth/me");
        assert.equal(status, 401);
        assert.deepEqual(body, { error: "Token expired" });
      }
    });

    it("answers nobody but the user whom the request expects", async () => {
      const [one, two] = [await person(), await person()];
      const caller = await signedIn(one.username);
      const as = (user: string) => caller.with({ "x-expected-user": user });
      assert.equal((await as(one.external_id).get("/api/auth/me")).status, 200);
      for (const user of [two.external_id, "", "somebody"]) {
        for (const answer of [await as(user).get("/api/auth/me"), await as(user).post("/api/auth/refresh")]) {
          assert.equal(answer.status, 403);
          assert.deepEqual(answer.body, { error: "Somebody else is signed in by now" });
        }
      }
    });

    it("dies with a disabled and with a deleted user", async () => {
      const [disabled, deleted] = [await person(), await person()];
      const callers = [await signedIn(disabled.username), await signedIn(deleted.username)];
      await db.run("update users set is_active = false where user_id = $1", [disabled.user_id]);
      await db.run("delete from users where user_id = $1", [deleted.user_id]);
      for (const caller of callers) {
        const { status, body } = await caller.get("/api/auth/me");
        assert.equal(status, 401);
        assert.deepEqual(body, { error: "Unauthorized" });
        const refreshed = await caller.post("/api/auth/refresh");
        assert.equal(refreshed.status, 401);
        assert.deepEqual(refreshed.body, { error: "Account disabled or deleted" });
      }
    });

    it("carries no rights: they are those that the user has now", async () => {
      const user = await person();
      const caller = await signedIn(user.username);
      assert.equal((await caller.get("/api/admin/system-info")).status, 200);
      await service.admin.ok("PUT", `/api/admin/users/${user.user_id}`, { role: "USER" });
      const { status, body } = await caller.get("/api/admin/system-info");
      assert.equal(status, 403);
      assert.deepEqual(body, { error: "Forbidden" });
    });
  });

  describe("a cookie session", () => {
    it("reads with the cookie alone and changes only with the CSRF header", async () => {
      const user = await person();
      const { caller, csrf } = await browser(user.username);
      assert.equal((await caller.get("/api/auth/me")).status, 200);
      const forged = [caller, caller.with({ "x-csrf-token": "x" }), caller.with({ "x-csrf-token": `${csrf}x` })];
      for (const sender of forged) {
        const { status, body } = await sender.post("/api/auth/refresh");
        assert.equal(status, 403);
        assert.deepEqual(body, { error: "CSRF token missing or invalid" });
      }
      assert.equal((await caller.with({ "x-csrf-token": csrf }).post("/api/auth/refresh")).status, 200);
    });

    it("without its companion cookie matches no CSRF header, not even an empty one", async () => {
      const user = await person();
      const { body } = await logIn(user.username, PASSWORD);
      const caller = service.anyone.with({ cookie: `service_auth=${body.token}`, "x-csrf-token": "" });
      assert.equal((await caller.post("/api/auth/refresh")).status, 403);
    });

    it("gives way to a bearer token, which needs no CSRF header", async () => {
      const user = await person();
      const { body } = await logIn(user.username, PASSWORD);
      const caller = bearer(body.token).with({ cookie: "service_auth=garbage" });
      assert.equal((await caller.post("/api/auth/refresh")).status, 200);
    });
  });

  describe("refresh", () => {
    it("gives a new token and new cookies, and leaves the old token alive", async () => {
      const user = await person();
      const { caller, csrf } = await browser(user.username);
      const answer = await caller.with({ "x-csrf-token": csrf }).post("/api/auth/refresh");
      assert.deepEqual(Object.keys(answer.body), ["token"]);
      const [auth, fresh] = cookiesOf(answer);
      assert.equal(auth?.value, answer.body.token);
      assert.notEqual(fresh?.value, csrf);
      assert.equal((await bearer(answer.body.token).get("/api/auth/me")).status, 200);
      assert.equal((await caller.get("/api/auth/me")).status, 200);
    });
  });

  describe("its time", () => {
    const hours = (value: string) =>
      service.admin.ok("PUT", "/api/admin/settings", { settings: { session_timeout_hours: value } });
    after(() => hours("8"));
    const lifeOf = ({ body, headers }: Answer) => {
      const { exp, iat } = jwt.decode(body.token) as jwt.JwtPayload;
      const cookies = headers.getSetCookie().map((line) => parseSetCookie(line));
      return [Number(exp) - Number(iat), ...cookies.map(({ maxAge }) => maxAge)];
    };

    it("is what is set, from the next login or refresh on", async () => {
      const { username } = await person();
      const first = await logIn(username, PASSWORD);
      assert.deepEqual(lifeOf(first), [28_800, 28_800, 28_800]);
      await hours("2");
      const second = await logIn(username, PASSWORD);
      assert.deepEqual(lifeOf(second), [7_200, 7_200, 7_200]);
      await hours("8760");
      const refreshed = await bearer(first.body.token).post("/api/auth/refresh");
      assert.deepEqual(lifeOf(refreshed), Array(3).fill(8760 * 3600));
    });

    it("is eight hours where nothing is set", async () => {
      const { username } = await person();
      await db.run("delete from app_settings where key = 'session_timeout_hours'");
      assert.equal(lifeOf(await logIn(username, PASSWORD))[0], 28_800);
    });
  });

  describe("logout", () => {
    it("without a session says so and sets no cookie", async () => {
      const bearer = await signedIn((await person()).username);
      for (const caller of [service.anyone, bearer]) {
        const { status, body, headers } = await caller.post("/api/auth/logout");
        assert.equal(status, 200);
        assert.deepEqual(body, { message: "logged out" });
        assert.equal(headers.get("set-cookie"), null);
      }
    });

    it("of a sound session needs the CSRF header, and clears both cookies", async () => {
      const user = await person();
      const { caller, csrf } = await browser(user.username);
      const refused = await caller.post("/api/auth/logout");
      assert.equal(refused.status, 403);
      assert.deepEqual(refused.body, { error: "CSRF token missing or invalid" });
      assert.equal(refused.headers.get("set-cookie"), null);
      assertCleared(await caller.with({ "x-csrf-token": csrf }).post("/api/auth/logout"));
    });

    it("of a dead session clears both cookies silently", async () => {
      assertCleared(await service.anyone.with({ cookie: "service_auth=garbage" }).post("/api/auth/logout"));
    });

    const ENDED = [401, { error: "Session ended by logout" }];
    const me = async (caller: Caller) => {
      const { status, body } = await caller.get("/api/auth/me");
      return status === 200 ? status : [status, body];
    };

    it("ends all tokens of the session, those it was refreshed to too, and no other session", async () => {
      const user = await person();
      const { caller, csrf } = await browser(user.username);
      const other = await signedIn(user.username);
      const sound = caller.with({ "x-csrf-token": csrf });
      const { body } = await sound.post("/api/auth/refresh");
      const refreshed = bearer(body.token);
      assert.deepEqual([await me(caller), await me(refreshed)], [200, 200]);
      await sound.post("/api/auth/logout");
      for (const dead of [caller, refreshed]) assert.deepEqual(await me(dead), ENDED);
      for (const dead of [sound, refreshed]) assert.equal((await dead.post("/api/auth/refresh")).status, 401);
      assert.equal(await me(other), 200);
      assertCleared(await sound.post("/api/auth/logout"));
    });

    it("ends the session of a bearer token", async () => {
      const caller = await signedIn((await person()).username);
      const answer = await caller.post("/api/auth/logout");
      assert.deepEqual(answer.body, { message: "logged out" });
      assert.equal(answer.headers.get("set-cookie"), null);
      assert.deepEqual(await me(caller), ENDED);
    });

    it("ends nothing for who has no CSRF header", async () => {
      const { caller } = await browser((await person()).username);
      assert.equal((await caller.post("/api/auth/logout")).status, 403);
      assert.equal(await me(caller), 200);
    });

    it("ends a token that was issued before sessions had ids, and what it was refreshed to", async () => {
      const { user_id } = await person();
      const claims = { user_id, password_changed_at: null };
      const old = (jti: string) => bearer(jwt.sign({ ...claims, jti }, service.config.jwtSecret));
      const [mine, other] = [old(randomUUID()), old(randomUUID())];
      const { body } = await mine.post("/api/auth/refresh");
      await mine.post("/api/auth/logout");
      assert.deepEqual(await me(mine), ENDED);
      assert.deepEqual(await me(bearer(body.token)), ENDED);
      assert.equal(await me(other), 200);
    });

    const assertCleared = (answer: Answer) => {
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, { message: "logged out" });
      assert.deepEqual(
        cookiesOf(answer).map(({ name, value, maxAge, path }) => ({ name, value, maxAge, path })),
        ["service_auth", "service_csrf"].map((name) => ({ name, value: "", maxAge: 0, path: "/" })),
      );
    };
  });

  // The last one: sessions of this file end with it.
  describe("and a restore", () => {
    it("ends with a restore, whoever has its user's id then", async () => {
      const user = await person();
      const [one, out] = [await signedIn(user.username), await signedIn(user.username)];
      await out.post("/api/auth/logout");
      const { body } = await one.post("/api/auth/refresh");
      // As a restore does: what was logged out since the backup is forgotten, and the stream of events begins anew.
      await db.run("delete from ended_sessions");
      await db.run("update stream_epochs set started_at = now() - interval '1 hour'");
      await db.run("select start_stream_epoch()");
      const old = jwt.sign(
        { user_id: user.user_id, password_changed_at: null, iat: Math.floor(Date.now() / 1000) - 60 },
        service.config.jwtSecret,
      );
      // A process that went on would keep them for some seconds; one that starts after the restore keeps none.
      for (const session of [one, out, bearer(body.token), bearer(old)])
        await until(async () => (await session.get("/api/auth/me")).status === 401, 20_000);
      const after = await signedIn(user.username);
      assert.equal((await after.get("/api/auth/me")).status, 200);
    });
  });
});
