import assert from "node:assert/strict";
import { InvalidCredentials } from "../../src/auth/problems.js";
import { db } from "../support/db.js";
import { PASSWORD, person, sessionsOf } from "../support/people.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

describe("authentication under attack", () => {
  const service = testService();
  const { logIn } = sessionsOf(() => service);

  describe("lockout", () => {
    const wrong = (username: string) => logIn(username, "wrong horse 1");

    it("locks at once on the fifth failure, for the right password too, and says how long", async () => {
      const user = await person();
      for (let i = 1; i <= 4; i++) assert.equal((await wrong(user.username)).status, 401);
      const fifth = await wrong(user.username);
      assert.equal(fifth.status, 429);
      assert.deepEqual(fifth.body, { error: "Too many failed attempts. Locked for 15 minutes" });
      assert.equal(fifth.headers.get("retry-after"), "900");
      const locked = await logIn(user.username, PASSWORD);
      assert.equal(locked.status, 429);
      assert.match(locked.body.error, /^Too many failed attempts\. Try again in (14m \d+s|15m 0s)$/);
      const [, minutes, seconds] = /(\d+)m (\d+)s/.exec(locked.body.error) ?? [];
      assert.equal(Number(locked.headers.get("retry-after")), Number(minutes) * 60 + Number(seconds));
    });

    it("looks at no more than five of many parallel guesses, the right one among them or not", async () => {
      const user = await person();
      const answers = await Promise.all(Array.from({ length: 20 }, () => wrong(user.username)));
      const statuses = answers.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 401).length, 4);
      assert.equal(statuses.filter((status) => status === 429).length, 16);
      assert.equal((await logIn(user.username, PASSWORD)).status, 429);
      const [row] = await attempts(user.username);
      assert.equal(row?.attempts, 0);
    });

    it("gives no more looks when several processes are asked at once", async () => {
      const { username } = await person();
      const guess = { address: "203.0.113.9", username };
      const guesses = await Promise.allSettled(
        (await processes(4)).flatMap(({ limitedAttempt }) =>
          Array.from({ length: 4 }, () => limitedAttempt(guess, InvalidCredentials, async () => undefined)),
        ),
      );
      const kinds = guesses.map((guess) => (guess.status === "rejected" ? guess.reason.kind : "let in"));
      assert.equal(kinds.filter((kind) => kind === "invalid_credentials").length, 4);
      assert.equal(kinds.filter((kind) => kind === "login_locked_now").length, 1);
      assert.equal(kinds.filter((kind) => kind === "login_locked").length, 11);
    });

    it("lets one user sign in many times at once", async () => {
      const user = await person();
      const answers = await Promise.all(Array.from({ length: 12 }, () => logIn(user.username, PASSWORD)));
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    });

    it("is in the audit log, once, and only when it came to it", async () => {
      const [user, lucky] = [await person(), await person()];
      const mark = await auditMark();
      for (let i = 1; i <= 7; i++) await wrong(user.username);
      for (let i = 1; i <= 5; i++) await wrong("no-such-user");
      for (let i = 1; i <= 4; i++) await wrong(lucky.username);
      assert.equal((await logIn(lucky.username, PASSWORD)).status, 200);
      const rows = await auditSince(mark);
      const address = "127.0.0.1";
      assert.deepEqual(pluckAll(rows, "action_type", "user_id", "entity_type", "entity_id", "details"), [
        ["LOGIN_LOCKED", "system", "USER", user.user_id, { username: user.username, address }],
        ["LOGIN_LOCKED", "system", "USER", 0, { username: "no-such-user", address }],
      ]);
    });

    it("starts over after a success", async () => {
      const user = await person();
      for (let round = 1; round <= 2; round++) {
        for (let i = 1; i <= 4; i++) assert.equal((await wrong(user.username)).status, 401);
        assert.equal((await logIn(user.username, PASSWORD)).status, 200);
        assert.deepEqual(await attempts(user.username), []);
      }
    });

    it("ends after its 15 minutes, and begins to count anew", async () => {
      const user = await person();
      for (let i = 1; i <= 5; i++) await wrong(user.username);
      await db.run("update login_attempts set locked_until = now() - interval '1 second' where key like '%' || $1", [
        user.username,
      ]);
      for (let i = 1; i <= 4; i++) assert.equal((await wrong(user.username)).status, 401);
      assert.equal((await logIn(user.username, PASSWORD)).status, 200);
    });

    it("counts a name in any capitals, known or not, as one, and keeps a long key as its digest", async () => {
      const name = `Stranger-${"x".repeat(80)}`;
      for (const typed of [name, name.toUpperCase(), ` ${name}`, name]) await wrong(typed);
      assert.equal((await wrong(name.toLowerCase())).status, 429);
      const keys = await db.rows<{ key: string }>("select key from login_attempts where length(key) = 64");
      assert.equal(keys.length, 1);
      assert.match(String(keys[0]?.key), /^[0-9a-f]{64}$/);
    });

    /** The module as several processes would each have it, with no memory in common but the database. */
    const processes = (count: number) =>
      Promise.all(
        Array.from(
          { length: count },
          (_, i): Promise<typeof import("../../activities/auth/login-attempts.js")> =>
            import(new URL(`../../activities/auth/login-attempts.js?process=${i}`, import.meta.url).href),
        ),
      );

    const attempts = (username: string) =>
      db.rows<{ attempts: number }>("select attempts from login_attempts where key like '%|' || $1", [username]);
  });
});
