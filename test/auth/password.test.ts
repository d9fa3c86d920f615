import assert from "node:assert/strict";
import { transaction } from "../../src/platform/db/db.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { PASSWORD, person, sessionsOf } from "../support/people.js";
import { testService } from "../support/service.js";

describe("passwords", () => {
  const service = testService();
  const { logIn, bearer, signedIn } = sessionsOf(() => service);

  describe("change-password", () => {
    const change = (caller: Caller, current_password: string, new_password: string) =>
      caller.post("/api/auth/change-password", { current_password, new_password });

    it("replaces the password and ends every session, even one of the same second", async () => {
      const user = await person();
      await db.run("update users set must_change_password = true where user_id = $1", [user.user_id]);
      const [mine, other] = [await signedIn(user.username), await signedIn(user.username)];
      const { status, body } = await change(mine, PASSWORD, "battery staple 2");
      assert.equal(status, 200);
      assert.deepEqual(body, { message: "Password changed" });
      for (const dead of [mine, other]) {
        const refused = await dead.get("/api/auth/me");
        assert.equal(refused.status, 401);
        assert.deepEqual(refused.body, { error: "Token invalidated by password change" });
      }
      assert.equal((await logIn(user.username, PASSWORD)).status, 401);
      const fresh = await signedIn(user.username, "battery staple 2");
      assert.equal((await fresh.get("/api/auth/me")).body.must_change_password, false);
      const audited = await db.rows(
        "select action_type from audit_log where user_id = $1 and action_type like '%password%'",
        [user.username],
      );
      assert.deepEqual(audited, [{ action_type: "forced_password_change_completed" }]);
    });

    it("leaves an audit row and no trace of either password", async () => {
      const user = await person();
      await change(await signedIn(user.username), PASSWORD, "battery staple 2");
      const [audit, ...more] = await db.rows<Record<string, unknown>>(
        `select action_type, user_id, details from audit_log where entity_type = 'USER' and entity_id = $1
          and action_type = 'password_change'`,
        [user.user_id],
      );
      assert.deepEqual(audit, {
        action_type: "password_change",
        user_id: user.username,
        details: { password_changed: true },
      });
      assert.deepEqual(more, []);
      const kept = await db.rows(
        "select row_to_json(c)::text from command_log c union all select row_to_json(a)::text from audit_log a",
      );
      assert.doesNotMatch(JSON.stringify(kept), /battery staple|correct horse|argon2/);
    });

    it("tells what is weak before it looks at the current password", async () => {
      const user = await person();
      const caller = await signedIn(user.username);
      for (const [weak, error] of [
        [" Admin ", "Password cannot be 'admin'"],
        ["short 1", "Password must be at least 8 characters"],
        ["12345678", "Password must contain at least one letter"],
        ["no digits here", "Password must contain at least one digit"],
      ] as const) {
        const { status, body } = await change(caller, "wrong", weak);
        assert.equal(status, 400, weak);
        assert.deepEqual(body, { error });
      }
    });

    it("refuses a wrong current password and changes nothing", async () => {
      const user = await person();
      const caller = await signedIn(user.username);
      const { status, body } = await change(caller, "wrong horse 1", "battery staple 2");
      assert.equal(status, 403);
      assert.deepEqual(body, { error: "Current password is incorrect" });
      assert.equal((await caller.get("/api/auth/me")).status, 200);
      assert.equal((await logIn(user.username, PASSWORD)).status, 200);
    });

    it("counts a wrong current password like a failed login, and locks on the fifth", async () => {
      const [user, colleague] = [await person(), await person()];
      const caller = await signedIn(user.username);
      const guess = () => change(caller, "wrong horse 1", "battery staple 2");
      for (let i = 1; i <= 4; i++) assert.equal((await guess()).status, 403);
      const fifth = await guess();
      assert.deepEqual([fifth.status, fifth.body], [429, { error: "Too many failed attempts. Locked for 15 minutes" }]);
      const right = await change(caller, PASSWORD, "battery staple 2");
      assert.equal(right.status, 429);
      assert.match(right.body.error, /Try again in/);
      assert.equal((await logIn(user.username, PASSWORD)).status, 429);
      assert.equal((await caller.get("/api/auth/me")).status, 200);
      assert.equal((await logIn(colleague.username, PASSWORD)).status, 200);
    });

    it("gives many guesses at once no more looks", async () => {
      const user = await person();
      const caller = await signedIn(user.username);
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => change(caller, "wrong horse 1", "battery staple 2")),
      );
      const statuses = answers.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 403).length, 4);
      assert.equal(statuses.filter((status) => status === 429).length, 36);
    });

    it("forgets the failures once it succeeds, under a key that is repeated too", async () => {
      const user = await person();
      const first = await signedIn(user.username);
      for (let i = 1; i <= 4; i++) await change(first, "wrong horse 1", "battery staple 2");
      const key = { "idempotency-key": "forgets" };
      await first
        .with(key)
        .post("/api/auth/change-password", { current_password: PASSWORD, new_password: "battery staple 2" });
      const again = (await signedIn(user.username, "battery staple 2")).with(key);
      for (let i = 1; i <= 6; i++) {
        const repeat = await change(again, PASSWORD, "battery staple 2");
        assert.equal(repeat.status, 200);
      }
    });

    it("waits for no lock on the user while it compares", async () => {
      const user = await person();
      const caller = await signedIn(user.username);
      await transaction(async (tx) => {
        await tx.row({}, "select from users where user_id = $1 for update", [user.user_id]);
        const guess = await change(caller, "wrong horse 1", "battery staple 2");
        assert.equal(guess.status, 403);
      });
    });

    it("of two at once makes one, and tells the other that the password is another one now", async () => {
      const user = await person();
      const callers = [await signedIn(user.username), await signedIn(user.username)];
      const answers = await Promise.all(callers.map((caller, i) => change(caller, PASSWORD, `battery staple ${i}`)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403]);
    });

    it("under a used Idempotency-Key gives the first answer only for the same password", async () => {
      const user = await person();
      const key = { "idempotency-key": "once" };
      assert.equal((await change((await signedIn(user.username)).with(key), PASSWORD, "battery staple 2")).status, 200);
      const again = (await signedIn(user.username, "battery staple 2")).with(key);
      assert.equal((await change(again, PASSWORD, "battery staple 2")).status, 200);
      assert.equal((await change(again, "battery staple 2", "another horse 3")).status, 409);
      assert.equal((await logIn(user.username, "battery staple 2")).status, 200);
    });
  });

  describe("a user who must change the password", () => {
    it("may do that, sign out and read who they are, and nothing else", async () => {
      const user = await person();
      await db.run("update users set must_change_password = true where user_id = $1", [user.user_id]);
      const { body } = await logIn(user.username, PASSWORD);
      assert.equal(body.user.must_change_password, true);
      const caller = bearer(body.token);
      assert.equal((await caller.get("/api/auth/me")).status, 200);
      for (const refused of [await caller.get("/api/admin/users"), await caller.post("/api/auth/refresh")]) {
        assert.equal(refused.status, 403);
        assert.deepEqual(refused.body, {
          error: "password_change_required",
          message: "Admin must change password before accessing other resources",
        });
      }
      assert.equal((await caller.post("/api/auth/logout")).status, 200);
    });
  });
});
