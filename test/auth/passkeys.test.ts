import assert from "node:assert/strict";
import { SoftPasskey } from "../support/authenticator.js";
import { db } from "../support/db.js";
import { codeOf, enters, timePasses, withApp } from "../support/factors.js";
import { PASSWORD, sessionsOf } from "../support/people.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

const PASSKEYS = "/api/auth/passkeys";
const own = { current_password: PASSWORD };
const wrong = { current_password: "wrong horse 1" };

describe("passkeys", () => {
  const service = testService();
  const { logIn, bearer } = sessionsOf(() => service);
  const site = () => ({ origin: service.url, rpId: new URL(service.url).hostname });
  type User = Awaited<ReturnType<typeof enters>>;

  const optionsFor = async ({ own: by }: User) => (await by.ok("POST", `${PASSKEYS}/options`, own)).options;
  /** Adds a passkey to a user. */
  async function addTo(user: User, name = "phone", passkey = new SoftPasskey()) {
    const answer = passkey.made(await optionsFor(user), site());
    const { passkey: added, recovery_codes } = await user.own.ok("POST", PASSKEYS, {
      ...{ passkey_name: name, passkey: answer },
    });
    return { passkey, added, recovery_codes };
  }
  async function holder() {
    const user = await enters(service.anyone);
    return { ...user, ...(await addTo(user)) };
  }
  const challengeFor = async ({ username }: { username: string }) => {
    const { code, body } = await logIn(username, PASSWORD);
    assert.equal(code, "second_factor_required");
    return body;
  };
  const show = (challenge: string, passkey: object) =>
    service.anyone.post("/api/auth/second-factor", { challenge, passkey });

  it("are added with the password, several of them, and named; the first comes with recovery codes", async () => {
    const user = await enters(service.anyone);
    assert.equal((await user.own.post(`${PASSKEYS}/options`, wrong)).code, "wrong_current_password");
    const options = await optionsFor(user);
    assert.deepEqual([options.rp.id, options.user.name, options.excludeCredentials], [site().rpId, user.username, []]);
    const mark = await auditMark();
    const first = await addTo(user, "phone");
    assert.equal(first.recovery_codes.length, 10);
    const second = await addTo(user, "laptop");
    assert.equal(second.recovery_codes, null);
    assert.deepEqual(pluck((await optionsFor(user)).excludeCredentials, "id"), [
      first.passkey.id.toString("base64url"),
      second.passkey.id.toString("base64url"),
    ]);
    const { passkeys } = await user.own.ok("GET", "/api/auth/factors");
    assert.deepEqual(passkeys, [first.added, second.added]);
    assert.deepEqual(pluckAll(passkeys, "passkey_name", "last_used_at"), [
      ["phone", null],
      ["laptop", null],
    ]);
    const remove = (id: string, body = own) => user.own.call("DELETE", `${PASSKEYS}/${id}`, body);
    assert.equal((await remove(first.added.passkey_id, wrong)).code, "wrong_current_password");
    assert.equal((await remove(first.added.passkey_id)).status, 200);
    assert.equal((await remove(first.added.passkey_id)).code, "passkey_not_found");
    const other = await holder();
    assert.equal((await remove(other.added.passkey_id)).code, "passkey_not_found");
    assert.equal((await remove(second.added.passkey_id)).status, 200);
    assert.equal((await user.own.ok("GET", "/api/auth/factors")).recovery_codes_left, 0);
    assert.equal((await logIn(user.username, PASSWORD)).status, 200);
    const done = (await auditSince(mark)).filter(({ entity_id }) => entity_id === user.user_id);
    assert.deepEqual(
      done.map(({ action_type, details }) => [action_type, details.passkey_name]),
      [
        ["PASSKEY_ADD", "phone"],
        ["PASSKEY_ADD", "laptop"],
        ["PASSKEY_REMOVE", "phone"],
        ["PASSKEY_REMOVE", "laptop"],
      ],
    );
  });

  it("are a second factor, beside an app or alone", async () => {
    const user = await holder();
    const { challenge, ways, passkey: options } = await challengeFor(user);
    assert.deepEqual(ways, ["passkey", "recovery_code"]);
    assert.deepEqual([options.rpId, options.challenge], [site().rpId, challenge]);
    assert.deepEqual(pluck(options.allowCredentials, "id"), [user.passkey.id.toString("base64url")]);
    user.passkey.counter++;
    const { status, body } = await show(challenge, user.passkey.signed(options, site()));
    assert.equal(status, 200);
    assert.equal((await bearer(body.token).get("/api/auth/me")).body.username, user.username);
    const { passkeys } = await user.own.ok("GET", "/api/auth/factors");
    assert.ok(passkeys[0].last_used_at > passkeys[0].made_at);
    // One that counts nothing, as those that are copied between one's own devices do.
    const synced = await addTo(user, "synced");
    for (let i = 0; i < 2; i++) {
      const next = await challengeFor(user);
      assert.equal((await show(next.challenge, synced.passkey.signed(next.passkey, site()))).status, 200);
    }
    const app = await withApp(service.anyone);
    await addTo(app);
    const both = await challengeFor(app);
    assert.deepEqual(both.ways, ["passkey", "totp", "recovery_code"]);
    await timePasses(app);
    const code = codeOf(app.secret);
    assert.equal(
      (await service.anyone.post("/api/auth/second-factor", { challenge: both.challenge, code })).status,
      200,
    );
  });

  describe("are refused", () => {
    const refused = async (
      user: Awaited<ReturnType<typeof holder>>,
      answer: (asked: { challenge: string }) => object,
    ) => {
      const { challenge, passkey: options } = await challengeFor(user);
      user.passkey.counter++;
      const { code } = await show(challenge, answer(options));
      return { code, challenge };
    };

    it("from another page, for another host, with another challenge, and those of others", async () => {
      const [user, other] = [await holder(), await holder()];
      const { passkey } = user;
      const [here, elsewhere] = [site(), { origin: "https://warehouse.example.net", rpId: "warehouse.example.net" }];
      const earlier = await challengeFor(user);
      const answers = {
        "another page": (o: { challenge: string }) => passkey.signed(o, { ...here, origin: elsewhere.origin }),
        "another host": (o: { challenge: string }) => passkey.signed(o, { ...here, rpId: elsewhere.rpId }),
        both: (o: { challenge: string }) => passkey.signed(o, elsewhere),
        "another challenge": () => passkey.signed({ challenge: earlier.challenge }, here),
        "another user's": (o: { challenge: string }) => other.passkey.signed(o, here),
        "another's under the right id": (o: { challenge: string }) => ({
          ...other.passkey.signed(o, here),
          id: passkey.id.toString("base64url"),
          rawId: passkey.id.toString("base64url"),
        }),
        "a registration": (o: { challenge: string }) => passkey.made(o, here),
      };
      for (const [what, answer] of Object.entries(answers)) {
        const { code, challenge } = await refused(user, answer);
        assert.ok(
          ["invalid_second_factor", "validation_error", "login_locked_now", "login_locked"].includes(String(code)),
          what,
        );
        await db.run("delete from login_attempts");
        if (code === "validation_error") continue;
        // The challenge is used up with the attempt.
        const again = await show(challenge, passkey.signed({ challenge }, here));
        assert.equal(again.code, "challenge_expired", what);
      }
    });

    it("when the same answer comes again", async () => {
      const user = await holder();
      const { challenge, passkey: options } = await challengeFor(user);
      user.passkey.counter++;
      const answer = user.passkey.signed(options, site());
      assert.equal((await show(challenge, answer)).status, 200);
      assert.equal((await show(challenge, answer)).code, "challenge_expired");
      assert.equal((await show((await challengeFor(user)).challenge, answer)).code, "invalid_second_factor");
    });

    it("when they count back, as a copy does, which is audited", async () => {
      const user = await holder();
      user.passkey.counter = 7;
      assert.equal((await refused(user, (asked) => user.passkey.signed(asked, site()))).code, undefined);
      const mark = await auditMark();
      user.passkey.counter = 6;
      assert.equal((await refused(user, (asked) => user.passkey.signed(asked, site()))).code, "invalid_second_factor");
      assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "entity_id"), [
        ["PASSKEY_COUNTED_BACK", user.user_id],
      ]);
    });

    it("when they were made for another host, or page, or challenge, or are somebody's already", async () => {
      const [user, other] = [await enters(service.anyone), await enters(service.anyone)];
      const add = async (answer: object) =>
        (await user.own.post(PASSKEYS, { passkey_name: "phone", passkey: answer })).code;
      const [here, elsewhere] = [site(), { origin: "https://warehouse.example.net", rpId: "warehouse.example.net" }];
      const passkey = new SoftPasskey();
      for (const where of [elsewhere, { ...here, origin: elsewhere.origin }, { ...here, rpId: elsewhere.rpId }])
        assert.equal(await add(passkey.made(await optionsFor(user), where)), "invalid_passkey");
      assert.equal(await add(passkey.made({ challenge: "nobody was given this" }, here)), "challenge_expired");
      assert.equal(await add(passkey.made(await optionsFor(other), here)), "challenge_expired");
      const options = await optionsFor(user);
      assert.equal(await add(passkey.made(options, here)), undefined);
      assert.equal(await add(passkey.made(options, here)), "challenge_expired");
      assert.equal(await add(passkey.made(await optionsFor(user), here)), "passkey_taken");
      // A challenge of a sign-in makes no passkey.
      const { challenge } = await challengeFor(user);
      assert.equal(await add(new SoftPasskey().made({ challenge }, here)), "challenge_expired");
      const late = await optionsFor(user);
      await db.run("update factor_challenges set expires_at = now() - interval '1 second'");
      assert.equal(await add(new SoftPasskey().made(late, here)), "challenge_expired");
    });

    it("at another host than the one that they were made for", async () => {
      const user = await holder();
      await db.run("update user_passkeys set rp_id = 'warehouse.example.net' where user_id = $1", [user.user_id]);
      const { challenge, ways } = await challengeFor(user);
      assert.deepEqual(ways, ["recovery_code"]);
      user.passkey.counter++;
      assert.equal((await show(challenge, user.passkey.signed({ challenge }, site()))).code, "invalid_second_factor");
    });
  });

  it("are added and removed by nobody who guesses the password", async () => {
    const user = await holder();
    for (const [method, path] of [
      ["POST", `${PASSKEYS}/options`],
      ["DELETE", `${PASSKEYS}/${user.added.passkey_id}`],
    ] as const) {
      await db.run("delete from login_attempts");
      const guess = async () => (await user.own.call(method, path, wrong)).code;
      for (let i = 1; i <= 4; i++) assert.equal(await guess(), "wrong_current_password");
      assert.equal(await guess(), "login_locked_now");
      assert.equal(await guess(), "login_locked");
    }
  });

  it("are reset with the other factors by an ADMIN", async () => {
    const user = await holder();
    await service.admin.ok("DELETE", `/api/admin/users/${user.user_id}/factors`);
    assert.equal((await logIn(user.username, PASSWORD)).status, 200);
    assert.equal(await db.value("select count(*)::int from user_passkeys where user_id = $1", [user.user_id]), 0);
  });
});

describe("passkeys of a site that has a name", () => {
  const service = testService({ env: { SERVICE_SITE_ADDRESS: "warehouse.example.com" } });

  it("are made for it, whatever host a request names", async () => {
    const user = await enters(service.anyone);
    const { options } = await user.own.ok("POST", `${PASSKEYS}/options`, own);
    assert.equal(options.rp.id, "warehouse.example.com");
    const add = async (origin: string, asked: { challenge: string }) =>
      (
        await user.own.post(PASSKEYS, {
          passkey_name: "phone",
          passkey: new SoftPasskey().made(asked, { origin, rpId: "warehouse.example.com" }),
        })
      ).code;
    assert.equal(await add("http://warehouse.example.com", options), "invalid_passkey");
    assert.equal(await add("https://warehouse.example.com", options), undefined);
  });
});
