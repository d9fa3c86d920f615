import assert from "node:assert/strict";
import { parseSetCookie } from "cookie";
import jwt from "jsonwebtoken";
import { createUser, type NewUser } from "../activities/users.js";
import { db } from "../src/db.js";
import { systemActor } from "../src/system.js";
import type { Answer, Caller } from "./support/caller.js";
import { warehouse } from "./support/fixtures.js";
import { type House, openHouse } from "./support/house.js";

const PASSWORD = "correct horse 1";

describe("authentication", () => {
  let house: House;
  let count = 0;
  before(async () => {
    house = await openHouse();
  });
  after(() => house.close());

  /** A user with a password; an ADMIN unless said otherwise. */
  const person = (fields: Partial<NewUser> = {}) => {
    const username = `person-${++count}`;
    const user = {
      role: "ADMIN" as const,
      warehouse_ids: [],
      allowed_functions: [],
      page_keys: [],
    };
    return createUser(
      {
        username,
        full_name: "A Person",
        password: PASSWORD,
        ...user,
        ...fields,
      },
      systemActor(`make ${username}`),
    );
  };
  const logIn = (
    username: string,
    password: string,
    as: Caller = house.anyone,
  ) => as.post("/api/auth/login", { username, password });
  const bearer = (token: string) =>
    house.anyone.with({ authorization: `Bearer ${token}` });
  const signedIn = async (username: string, password = PASSWORD) =>
    bearer((await logIn(username, password)).body.token);
  const cookiesOf = (answer: Answer) =>
    answer.headers.getSetCookie().map((line) => parseSetCookie(line));
  /** A browser after its login: cookies, and the CSRF value apart. */
  const browser = async (username: string) => {
    const answer = await logIn(username, PASSWORD);
    const cookies = cookiesOf(answer);
    const cookie = cookies
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
    const csrf =
      cookies.find(({ name }) => name === "service_csrf")?.value ?? "";
    return { caller: house.anyone.with({ cookie }), csrf, cookie };
  };
  const stateOf = (user_id: number) =>
    db.row<Record<string, unknown>>("select * from users where user_id = $1", [
      user_id,
    ]);
  const packing = (value: string) =>
    db.run(
      `insert into app_settings (key, value) values ('require_packing_before_shipping', $1)
       on conflict (key) do update set value = excluded.value`,
      [value],
    );

  describe("login", () => {
    it("answers a token and the user, and stamps the login", async () => {
      const warehouse_id = await warehouse();
      const user = await person({
        role: "USER",
        warehouse_ids: [warehouse_id],
        allowed_functions: ["pick", "sell"],
      });
      const { status, body } = await logIn(`  ${user.username} `, PASSWORD);
      assert.equal(status, 200);
      assert.deepEqual(body.user, {
        user_id: user.user_id,
        username: user.username,
        full_name: "A Person",
        role: "USER",
        warehouse_id,
        warehouse_ids: [warehouse_id],
        allowed_functions: ["pick", "sell"],
        is_active: true,
        must_change_password: false,
      });
      assert.ok((await stateOf(user.user_id))?.last_login);
      const me = await bearer(body.token).get("/api/auth/me");
      assert.equal(me.status, 200);
      assert.equal(me.body.user_id, user.user_id);
    });

    it("issues a JWT of eight hours with the claims clients read", async () => {
      const user = await person();
      const { body } = await logIn(user.username, PASSWORD);
      const claims = jwt.verify(body.token, house.config.jwtSecret, {
        algorithms: ["HS256"],
      }) as jwt.JwtPayload;
      assert.equal(Number(claims.exp) - Number(claims.iat), 8 * 60 * 60);
      assert.equal(claims.user_id, user.user_id);
      assert.equal(claims.username, user.username);
      assert.equal(claims.role, "ADMIN");
      assert.equal(claims.warehouse_id, null);
      assert.deepEqual(claims.warehouse_ids, []);
      assert.match(String(claims.jti), /^[0-9a-f-]{36}$/);
    });

    it("sets the session cookie for the server and the CSRF cookie for scripts", async () => {
      const user = await person();
      const answer = await logIn(user.username, PASSWORD);
      const [auth, csrf] = cookiesOf(answer);
      const both = { path: "/", sameSite: "strict", maxAge: 28_800 };
      assert.deepEqual(
        { ...auth },
        {
          name: "service_auth",
          value: answer.body.token,
          httpOnly: true,
          ...both,
        },
      );
      assert.deepEqual(
        { ...csrf },
        { name: "service_csrf", value: csrf?.value, ...both },
      );
      assert.equal(Buffer.from(String(csrf?.value), "base64url").length, 32);
      assert.equal(
        JSON.stringify(answer.body).includes(String(csrf?.value)),
        false,
      );
    });

    it("keeps the password as argon2id at OWASP's parameters", async () => {
      const user = await person();
      const hash = String((await stateOf(user.user_id))?.password_hash);
      assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    });

    it("refuses a wrong password, an unknown name, other capitals and a disabled user alike", async () => {
      const user = await person();
      const disabled = await person();
      await db.run("update users set is_active = false where user_id = $1", [
        disabled.user_id,
      ]);
      for (const [name, password] of [
        [user.username, "wrong horse 1"],
        ["nobody-at-all", PASSWORD],
        [user.username.toUpperCase(), PASSWORD],
        [disabled.username, PASSWORD],
      ] as const) {
        const { status, body, headers } = await logIn(name, password);
        assert.equal(status, 401, name);
        assert.deepEqual(body, { error: "Invalid username or password" });
        assert.equal(headers.get("set-cookie"), null);
      }
    });

    it("works as hard for an unknown name as for a wrong password", async () => {
      const known = await Promise.all(
        Array.from({ length: 4 }, () => person()),
      );
      const effort = async (names: string[]) => {
        const before = process.cpuUsage();
        for (const name of names) await logIn(name, "wrong horse 1");
        const { user, system } = process.cpuUsage(before);
        return user + system;
      };
      const wrong = await effort(known.map(({ username }) => username));
      const unknown = await effort([
        "stranger-1",
        "stranger-2",
        "stranger-3",
        "stranger-4",
      ]);
      assert.ok(
        unknown > wrong / 2,
        `unknown ${unknown} µs, wrong ${wrong} µs`,
      );
    });

    it("names missing, empty and overlong fields", async () => {
      const { status, body } = await house.anyone.post("/api/auth/login", {
        username: "  ",
      });
      assert.equal(status, 400);
      assert.deepEqual(
        body.details.map(({ type, loc }: { type: string; loc: string[] }) => [
          type,
          ...loc,
        ]),
        [
          ["string_too_short", "username"],
          ["missing", "password"],
        ],
      );
      assert.equal((await logIn("n".repeat(151), PASSWORD)).status, 400);
      assert.equal((await logIn("ann", "p".repeat(257))).status, 400);
    });
  });

  describe("lockout", () => {
    const wrong = (username: string) => logIn(username, "wrong horse 1");

    it("locks at once on the fifth failure, for the right password too, and says how long", async () => {
      const user = await person();
      for (let i = 1; i <= 4; i++)
        assert.equal((await wrong(user.username)).status, 401);
      const fifth = await wrong(user.username);
      assert.equal(fifth.status, 429);
      assert.deepEqual(fifth.body, {
        error: "Too many failed attempts. Locked for 15 minutes",
      });
      const locked = await logIn(user.username, PASSWORD);
      assert.equal(locked.status, 429);
      assert.match(
        locked.body.error,
        /^Too many failed attempts\. Try again in (14m \d+s|15m 0s)$/,
      );
    });

    it("looks at no more than five of many parallel guesses, the right one among them or not", async () => {
      const user = await person();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => wrong(user.username)),
      );
      const statuses = answers.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 401).length, 4);
      assert.equal(statuses.filter((status) => status === 429).length, 16);
      assert.equal((await logIn(user.username, PASSWORD)).status, 429);
      const [row] = await attempts(user.username);
      assert.equal(row?.attempts, 0);
    });

    it("gives no more looks when several processes are asked at once", async () => {
      const user = await person();
      const guesses = await Promise.allSettled(
        (await processes(4)).flatMap(({ logIn }) =>
          Array.from({ length: 5 }, () =>
            logIn(user.username, "wrong horse 1", "203.0.113.9"),
          ),
        ),
      );
      const kinds = guesses.map((guess) =>
        guess.status === "rejected" ? guess.reason.kind : "let in",
      );
      assert.equal(
        kinds.filter((kind) => kind === "invalid_credentials").length,
        4,
      );
      assert.equal(
        kinds.filter((kind) => kind === "login_locked_now").length,
        1,
      );
      assert.equal(kinds.filter((kind) => kind === "login_locked").length, 15);
    });

    it("lets one user sign in many times at once", async () => {
      const user = await person();
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => logIn(user.username, PASSWORD)),
      );
      assert.deepEqual(
        new Set(answers.map(({ status }) => status)),
        new Set([200]),
      );
    });

    it("starts over after a success", async () => {
      const user = await person();
      for (let round = 1; round <= 2; round++) {
        for (let i = 1; i <= 4; i++)
          assert.equal((await wrong(user.username)).status, 401);
        assert.equal((await logIn(user.username, PASSWORD)).status, 200);
        assert.deepEqual(await attempts(user.username), []);
      }
    });

    it("ends after its 15 minutes, and begins to count anew", async () => {
      const user = await person();
      for (let i = 1; i <= 5; i++) await wrong(user.username);
      await db.run(
        "update login_attempts set locked_until = now() - interval '1 second' where key like '%' || $1",
        [user.username],
      );
      for (let i = 1; i <= 4; i++)
        assert.equal((await wrong(user.username)).status, 401);
      assert.equal((await logIn(user.username, PASSWORD)).status, 200);
    });

    it("counts a name in any capitals, known or not, as one, and keeps a long key as its digest", async () => {
      const name = `Stranger-${"x".repeat(80)}`;
      for (const typed of [name, name.toUpperCase(), ` ${name}`, name])
        await wrong(typed);
      assert.equal((await wrong(name.toLowerCase())).status, 429);
      const keys = await db.rows<{ key: string }>(
        "select key from login_attempts where length(key) = 64",
      );
      assert.equal(keys.length, 1);
      assert.match(String(keys[0]?.key), /^[0-9a-f]{64}$/);
    });

    /** The module as several processes would each have it, with no memory in common but the database. */
    const processes = (count: number) =>
      Promise.all(
        Array.from(
          { length: count },
          (_, i): Promise<typeof import("../activities/auth.js")> =>
            import(
              new URL(`../activities/auth.js?process=${i}`, import.meta.url)
                .href
            ),
        ),
      );

    const attempts = (username: string) =>
      db.rows<{ attempts: number }>(
        "select attempts from login_attempts where key like '%|' || $1",
        [username],
      );
  });

  describe("me", () => {
    it("shows an ADMIN all functions and no list of pages", async () => {
      const { body } = await house.admin.get("/api/auth/me");
      assert.deepEqual(body, {
        user_id: house.admin.userId,
        username: "admin",
        full_name: "admin",
        role: "ADMIN",
        warehouse_id: null,
        warehouse_ids: [],
        allowed_functions: [
          "receive",
          "putaway",
          "pick",
          "pack",
          "ship",
          "count",
          "transfer",
        ],
        is_active: true,
        must_change_password: false,
        require_packing: true,
        allowed_pages: null,
      });
    });

    it("shows a USER the granted pages and functions", async () => {
      const user = await person({
        role: "USER",
        page_keys: ["users", "so-full-edit"],
        allowed_functions: ["ship"],
      });
      const { body } = await (await signedIn(user.username)).get(
        "/api/auth/me",
      );
      assert.deepEqual(body.allowed_pages.sort(), ["so-full-edit", "users"]);
      assert.deepEqual(body.allowed_functions, ["ship"]);
    });

    it("takes packing away when it is switched off by exactly `false`", async () => {
      const user = await person({
        role: "USER",
        allowed_functions: ["pick", "pack"],
      });
      const caller = await signedIn(user.username);
      await packing("no");
      assert.equal(
        (await caller.get("/api/auth/me")).body.require_packing,
        true,
      );
      await packing("false");
      const { body } = await caller.get("/api/auth/me");
      assert.equal(body.require_packing, false);
      assert.deepEqual(body.allowed_functions, ["pick"]);
      assert.equal(
        (await house.admin.get("/api/auth/me")).body.allowed_functions.includes(
          "pack",
        ),
        false,
      );
      assert.deepEqual(
        (await logIn(user.username, PASSWORD)).body.user.allowed_functions,
        ["pick"],
      );
      await packing("true");
    });
  });

  describe("a credential", () => {
    it("is needed", async () => {
      for (const caller of [
        house.anyone,
        house.anyone.with({ authorization: "Basic YTpi" }),
      ]) {
        const { status, body } = await caller.get("/api/auth/me");
        assert.equal(status, 401);
        assert.deepEqual(body, { error: "Unauthorized" });
      }
    });

    it("that is forged, unsigned, expired or garbled counts as expired", async () => {
      const claims = { user_id: house.admin.userId };
      const tokens = [
        jwt.sign(claims, "another secret of at least 32 characters"),
        jwt.sign(claims, null as unknown as string, { algorithm: "none" }),
        jwt.sign(claims, house.config.jwtSecret, { algorithm: "HS512" }),
        jwt.sign({ ...claims, exp: 1_700_000_000 }, house.config.jwtSecret),
        jwt.sign({ user_id: "1 or 1=1" }, house.config.jwtSecret),
        "garbage",
      ];
      for (const token of tokens) {
        const { status, body } = await bearer(token).get("/api/auth/me");
        assert.equal(status, 401);
        assert.deepEqual(body, { error: "Token expired" });
      }
    });

    it("dies with a disabled and with a deleted user", async () => {
      const [disabled, deleted] = [await person(), await person()];
      const callers = [
        await signedIn(disabled.username),
        await signedIn(deleted.username),
      ];
      await db.run("update users set is_active = false where user_id = $1", [
        disabled.user_id,
      ]);
      await db.run("delete from users where user_id = $1", [deleted.user_id]);
      for (const caller of callers) {
        const { status, body } = await caller.get("/api/auth/me");
        assert.equal(status, 401);
        assert.deepEqual(body, { error: "Unauthorized" });
        const refreshed = await caller.post("/api/auth/refresh");
        assert.equal(refreshed.status, 401);
        assert.deepEqual(refreshed.body, {
          error: "Account disabled or deleted",
        });
      }
    });

    it("carries no rights: they are read anew on every request", async () => {
      const user = await person();
      const caller = await signedIn(user.username);
      assert.equal((await caller.get("/api/admin/system-info")).status, 200);
      await db.run("update users set role = 'USER' where user_id = $1", [
        user.user_id,
      ]);
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
      const forged = [
        caller,
        caller.with({ "x-csrf-token": "x" }),
        caller.with({ "x-csrf-token": `${csrf}x` }),
      ];
      for (const sender of forged) {
        const { status, body } = await sender.post("/api/auth/refresh");
        assert.equal(status, 403);
        assert.deepEqual(body, { error: "CSRF token missing or invalid" });
      }
      assert.equal(
        (await caller.with({ "x-csrf-token": csrf }).post("/api/auth/refresh"))
          .status,
        200,
      );
    });

    it("without its companion cookie matches no CSRF header, not even an empty one", async () => {
      const user = await person();
      const { body } = await logIn(user.username, PASSWORD);
      const caller = house.anyone.with({
        cookie: `service_auth=${body.token}`,
        "x-csrf-token": "",
      });
      assert.equal((await caller.post("/api/auth/refresh")).status, 403);
    });

    it("gives way to a bearer token, which needs no CSRF header", async () => {
      const user = await person();
      const { body } = await logIn(user.username, PASSWORD);
      const caller = bearer(body.token).with({
        cookie: "service_auth=garbage",
      });
      assert.equal((await caller.post("/api/auth/refresh")).status, 200);
    });
  });

  describe("refresh", () => {
    it("gives a new token and new cookies, and leaves the old token alive", async () => {
      const user = await person();
      const { caller, csrf } = await browser(user.username);
      const answer = await caller
        .with({ "x-csrf-token": csrf })
        .post("/api/auth/refresh");
      assert.deepEqual(Object.keys(answer.body), ["token"]);
      const [auth, fresh] = cookiesOf(answer);
      assert.equal(auth?.value, answer.body.token);
      assert.notEqual(fresh?.value, csrf);
      assert.equal(
        (await bearer(answer.body.token).get("/api/auth/me")).status,
        200,
      );
      assert.equal((await caller.get("/api/auth/me")).status, 200);
    });
  });

  describe("logout", () => {
    it("without a session says so and sets no cookie", async () => {
      for (const caller of [house.anyone, house.admin]) {
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
      assert.deepEqual(refused.body, {
        error: "CSRF token missing or invalid",
      });
      assert.equal(refused.headers.get("set-cookie"), null);
      assertCleared(
        await caller.with({ "x-csrf-token": csrf }).post("/api/auth/logout"),
      );
    });

    it("of a dead session clears both cookies silently", async () => {
      assertCleared(
        await house.anyone
          .with({ cookie: "service_auth=garbage" })
          .post("/api/auth/logout"),
      );
    });

    const assertCleared = (answer: Answer) => {
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, { message: "logged out" });
      assert.deepEqual(
        cookiesOf(answer).map(({ name, value, maxAge, path }) => ({
          name,
          value,
          maxAge,
          path,
        })),
        ["service_auth", "service_csrf"].map((name) => ({
          name,
          value: "",
          maxAge: 0,
          path: "/",
        })),
      );
    };
  });

  describe("change-password", () => {
    const change = (
      caller: Caller,
      current_password: string,
      new_password: string,
    ) =>
      caller.post("/api/auth/change-password", {
        current_password,
        new_password,
      });

    it("replaces the password and ends every session, even one of the same second", async () => {
      const user = await person();
      await db.run(
        "update users set must_change_password = true where user_id = $1",
        [user.user_id],
      );
      const [mine, other] = [
        await signedIn(user.username),
        await signedIn(user.username),
      ];
      const { status, body } = await change(mine, PASSWORD, "battery staple 2");
      assert.equal(status, 200);
      assert.deepEqual(body, { message: "Password changed" });
      for (const dead of [mine, other]) {
        const refused = await dead.get("/api/auth/me");
        assert.equal(refused.status, 401);
        assert.deepEqual(refused.body, {
          error: "Token invalidated by password change",
        });
      }
      assert.equal((await logIn(user.username, PASSWORD)).status, 401);
      const fresh = await signedIn(user.username, "battery staple 2");
      assert.equal(
        (await fresh.get("/api/auth/me")).body.must_change_password,
        false,
      );
    });

    it("leaves an audit row and no trace of either password", async () => {
      const user = await person();
      await change(await signedIn(user.username), PASSWORD, "battery staple 2");
      const [audit, ...more] = await db.rows<Record<string, unknown>>(
        "select action_type, user_id, details from audit_log where entity_type = 'USER' and entity_id = $1 and action_type = 'UPDATE'",
        [user.user_id],
      );
      assert.deepEqual(audit, {
        action_type: "UPDATE",
        user_id: user.username,
        details: { password_changed: true },
      });
      assert.deepEqual(more, []);
      const kept = await db.rows(
        "select row_to_json(c)::text from command_log c union all select row_to_json(a)::text from audit_log a",
      );
      assert.doesNotMatch(
        JSON.stringify(kept),
        /battery staple|correct horse|argon2/,
      );
    });

    it("tells what is weak before it looks at the current password", async () => {
      const user = await person();
      const caller = await signedIn(user.username);
      for (const [weak, error] of [
        [" Admin ", 'Password must not be "admin"'],
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
      const { status, body } = await change(
        caller,
        "wrong horse 1",
        "battery staple 2",
      );
      assert.equal(status, 403);
      assert.deepEqual(body, { error: "Current password is incorrect" });
      assert.equal((await caller.get("/api/auth/me")).status, 200);
      assert.equal((await logIn(user.username, PASSWORD)).status, 200);
    });

    it("names missing and overlong fields, and needs a login", async () => {
      const { status, body } = await house.admin.post(
        "/api/auth/change-password",
        { new_password: "p".repeat(257) },
      );
      assert.equal(status, 400);
      assert.deepEqual(
        body.details.map(({ type, loc }: { type: string; loc: string[] }) => [
          type,
          ...loc,
        ]),
        [
          ["missing", "current_password"],
          ["string_too_long", "new_password"],
        ],
      );
      assert.equal((await change(house.anyone, "a", "b")).status, 401);
    });

    it("under a used Idempotency-Key gives the first answer only for the same password", async () => {
      const user = await person();
      const key = { "idempotency-key": "once" };
      assert.equal(
        (
          await change(
            (await signedIn(user.username)).with(key),
            PASSWORD,
            "battery staple 2",
          )
        ).status,
        200,
      );
      const again = (await signedIn(user.username, "battery staple 2")).with(
        key,
      );
      assert.equal(
        (await change(again, PASSWORD, "battery staple 2")).status,
        200,
      );
      assert.equal(
        (await change(again, "battery staple 2", "another horse 3")).status,
        409,
      );
      assert.equal(
        (await logIn(user.username, "battery staple 2")).status,
        200,
      );
    });
  });

  describe("a user who must change the password", () => {
    it("may do that, sign out and read who they are, and nothing else", async () => {
      const user = await person();
      await db.run(
        "update users set must_change_password = true where user_id = $1",
        [user.user_id],
      );
      const { body } = await logIn(user.username, PASSWORD);
      assert.equal(body.user.must_change_password, true);
      const caller = bearer(body.token);
      assert.equal((await caller.get("/api/auth/me")).status, 200);
      assert.equal((await caller.post("/api/auth/logout")).status, 200);
      for (const refused of [
        await caller.get("/api/admin/users"),
        await caller.post("/api/auth/refresh"),
      ]) {
        assert.equal(refused.status, 403);
        assert.deepEqual(refused.body, {
          error: "password_change_required",
          message:
            "Admin must change password before accessing other resources",
        });
      }
    });
  });
});
