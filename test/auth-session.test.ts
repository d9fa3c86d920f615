import assert from "node:assert/strict";
import jwt from "jsonwebtoken";
import { db } from "../src/db.js";
import type { Answer } from "./support/caller.js";
import { type House, openHouse } from "./support/house.js";
import { cookiesOf, doorsOf, PASSWORD, person } from "./support/people.js";

describe("a session", () => {
  let house: House;
  before(async () => {
    house = await openHouse();
  });
  after(() => house.close());
  const { logIn, bearer, signedIn, browser } = doorsOf(() => house);

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
});
