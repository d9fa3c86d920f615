import assert from "node:assert/strict";
import jwt from "jsonwebtoken";
import { db } from "../support/db.js";
import { warehouse } from "../support/fixtures.js";
import { cookiesOf, PASSWORD, person, sessionsOf } from "../support/people.js";
import { testService } from "../support/service.js";

describe("authentication", () => {
  const service = testService();
  const { logIn, bearer, signedIn } = sessionsOf(() => service);
  const stateOf = (user_id: number) =>
    db.row<Record<string, unknown>>("select * from users where user_id = $1", [user_id]);
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
        full_name: "Ann Packer",
      });
      const { status, body } = await logIn(`  ${user.username} `, PASSWORD);
      assert.equal(status, 200);
      assert.deepEqual(body.user, {
        user_id: user.user_id,
        external_id: (await stateOf(user.user_id))?.external_id,
        username: user.username,
        full_name: "Ann Packer",
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
      const claims = jwt.verify(body.token, service.config.jwtSecret, { algorithms: ["HS256"] }) as jwt.JwtPayload;
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
      assert.deepEqual({ ...auth }, { name: "service_auth", value: answer.body.token, httpOnly: true, ...both });
      assert.deepEqual({ ...csrf }, { name: "service_csrf", value: csrf?.value, ...both });
      assert.equal(Buffer.from(String(csrf?.value), "base64url").length, 32);
      assert.equal(JSON.stringify(answer.body).includes(String(csrf?.value)), false);
    });

    it("keeps the password as argon2id at OWASP's parameters", async () => {
      const user = await person();
      const hash = String((await stateOf(user.user_id))?.password_hash);
      assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    });

    it("refuses a wrong password, an unknown name, other capitals and a disabled user alike", async () => {
      const user = await person();
      const disabled = await person();
      await db.run("update users set is_active = false where user_id = $1", [disabled.user_id]);
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

    it("refuses a user whose stored password is no hash", async () => {
      const { username } = await service.user();
      assert.equal((await logIn(username ?? "", PASSWORD)).status, 401);
    });

    it("works as hard for an unknown name as for a wrong password", async () => {
      const known = await Promise.all(Array.from({ length: 4 }, () => person()));
      const effort = async (names: string[]) => {
        const before = process.cpuUsage();
        for (const name of names) await logIn(name, "wrong horse 1");
        const { user, system } = process.cpuUsage(before);
        return user + system;
      };
      const wrong = await effort(known.map(({ username }) => username));
      const unknown = await effort(["stranger-1", "stranger-2", "stranger-3", "stranger-4"]);
      assert.ok(unknown > wrong / 2, `unknown ${unknown} µs, wrong ${wrong} µs`);
    });
  });

  describe("me", () => {
    it("shows an ADMIN all functions and no list of pages", async () => {
      const { body } = await service.admin.get("/api/auth/me");
      assert.deepEqual(body, {
        user_id: service.admin.userId,
        external_id: (await stateOf(service.admin.userId))?.external_id,
        username: "admin",
        full_name: "admin",
        role: "ADMIN",
        warehouse_id: null,
        warehouse_ids: [],
        allowed_functions: ["receive", "putaway", "pick", "pack", "ship", "count", "transfer"],
        is_active: true,
        must_add_second_factor: false,
        must_show_second_factor: false,
        must_change_password: false,
        require_packing: true,
        pos_activity_enabled: false,
        company_currency: null,
        allowed_pages: null,
        workflows_url: null,
      });
    });

    it("shows a USER the granted pages and functions", async () => {
      const user = await person({ role: "USER", page_keys: ["users", "so-full-edit"], allowed_functions: ["ship"] });
      const { body } = await (await signedIn(user.username)).get("/api/auth/me");
      assert.deepEqual(body.allowed_pages.sort(), ["so-full-edit", "users"]);
      assert.deepEqual(body.allowed_functions, ["ship"]);
    });

    it("takes packing away when it is switched off by exactly `false`", async () => {
      const user = await person({ role: "USER", allowed_functions: ["pick", "pack"] });
      const caller = await signedIn(user.username);
      await packing("no");
      assert.equal((await caller.get("/api/auth/me")).body.require_packing, true);
      await packing("false");
      const { body } = await caller.get("/api/auth/me");
      assert.equal(body.require_packing, false);
      assert.deepEqual(body.allowed_functions, ["pick"]);
      assert.equal((await service.admin.get("/api/auth/me")).body.allowed_functions.includes("pack"), false);
      assert.deepEqual((await logIn(user.username, PASSWORD)).body.user.allowed_functions, ["pick"]);
      await packing("true");
    });
  });
});
