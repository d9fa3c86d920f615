import assert from "node:assert/strict";
import { addressOf } from "../../api/http/address-limit.js";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { PASSWORD, person, sessionsOf } from "../support/people.js";
import { testService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";

const LIMIT = 40;
const REFUSED = { error: "Too many requests, try again in a moment" };

describe("requests that show no sound credential", () => {
  const service = testService({ env: { OPEN_RATE_LIMIT_PER_MINUTE: `${LIMIT}`, TRUST_PROXY: "true" } });
  const { signedIn } = sessionsOf(() => service);

  let addresses = 0;
  /** Somebody at an address of its own. */
  const elsewhere = (caller = service.anyone) => caller.with({ "x-forwarded-for": `203.0.113.${++addresses}` });
  const minute = () => db.value<string>("select date_trunc('minute', now())::text as minute");
  /** Asks so often at once from a fresh address, all within one minute of the clock. */
  async function burst(
    times: number,
    ask: (from: Caller) => Promise<Answer>,
    caller?: Caller,
  ): Promise<{ from: Caller; answers: Answer[] }> {
    const from = elsewhere(caller);
    const begun = await minute();
    const answers = await Promise.all(Array.from({ length: times }, () => ask(from)));
    return begun === (await minute()) ? { from, answers } : burst(times, ask, caller);
  }
  const spent = () => burst(LIMIT + 20, (from) => from.get("/api/auth/me"));
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();
  const times = (n: number, status: number) => Array.from({ length: n }, () => status);

  it("are limited for each address on the open routes, and told when to come again", async () => {
    const { answers } = await burst(LIMIT + 5, (from) => from.get("/api/v1/inbound/mapping-schema"));
    assert.deepEqual(statuses(answers), [...times(LIMIT, 200), ...times(5, 429)]);
    for (const { status, body, headers } of answers) {
      if (status !== 429) continue;
      assert.deepEqual(body, REFUSED);
      const seconds = Number(headers.get("retry-after"));
      assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60);
    }
    assert.equal((await elsewhere().get("/api/v1/inbound/mapping-schema")).status, 200);
  });

  it("are limited whatever is wrong with the credential", async () => {
    const user = await person();
    const { body } = await elsewhere().post("/api/auth/login", { username: user.username, password: PASSWORD });
    const wrong: [status: number, ask: (from: Caller) => Promise<Answer>][] = [
      [401, (from) => from.get("/api/admin/users")],
      [401, (from) => from.with({ authorization: "Bearer x" }).get("/api/admin/users")],
      [403, (from) => from.with({ cookie: `service_auth=${body.token}` }).post("/api/auth/refresh")],
      [401, (from) => from.with({ "x-wms-token": "x" }).get("/api/v1/events")],
      [401, (from) => from.with({ "x-wms-token": "x" }).post("/api/v1/inbound/items")],
      [200, (from) => from.post("/api/auth/logout")],
    ];
    for (const [status, ask] of wrong) {
      const { answers } = await burst(LIMIT + 5, ask);
      assert.deepEqual(statuses(answers), [...times(LIMIT, status), ...times(5, 429)]);
    }
  });

  it("share one limit, also with those to another route", async () => {
    const { from } = await spent();
    const login = { username: "ann", password: PASSWORD };
    assert.equal((await from.post("/api/auth/login", login)).status, 429);
    assert.equal((await from.get("/api/openapi.json")).status, 429);
  });

  it("that are too many cost no question to Postgres", async () => {
    const { from } = await spent();
    await db.run("alter table request_counts rename to gone");
    await db.run("alter table wms_tokens rename to tokens_gone");
    const wrong = from.with({ "x-wms-token": "x" });
    const answers = [
      await from.get("/api/auth/me"),
      await from.get("/api/openapi.json"),
      await wrong.get("/api/v1/events"),
    ];
    await db.run("alter table tokens_gone rename to wms_tokens");
    await db.run("alter table gone rename to request_counts");
    assert.deepEqual(statuses(answers), times(3, 429));
  });

  it("stop nobody at that address who shows a sound one, nor probes", async () => {
    const { from } = await spent();
    const user = await person();
    const signed = (await signedIn(user.username)).with(from.headers);
    assert.equal((await signed.get("/api/auth/me")).status, 200);
    const { caller, plaintext } = await tokenCaller(service, {
      endpoints: ["events.poll"],
      event_types: ["ship.confirmed"],
    });
    assert.equal((await caller.get("/api/v1/events")).status, 200);
    const known = from.with({ "x-wms-token": plaintext });
    assert.equal((await known.get("/api/v1/events")).status, 200);
    assert.equal((await from.get("/api/health")).status, 200);
    assert.notEqual((await from.get("/api/ready")).status, 429);
  });

  it("are the only ones that are counted", async () => {
    const { from, answers } = await burst(LIMIT * 2, (from) => from.get("/api/auth/me"), service.admin);
    assert.deepEqual(statuses(answers), times(LIMIT * 2, 200));
    await from.get("/api/health");
    const rows = await db.rows("select from request_counts where key like $1", [
      `%${from.headers["x-forwarded-for"]}%`,
    ]);
    assert.equal(rows.length, 0);
  });

  it("are counted under the network of an IPv6 address, and under an IPv4 address in any dress", () => {
    const under = (ip: string) => addressOf({ ip });
    assert.equal(under("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
    assert.equal(under("2001:db8:1:2::1"), under("2001:db8:1:2:ffff::"));
    assert.notEqual(under("2001:db8:1:3::1"), under("2001:db8:1:2::1"));
    assert.equal(under("::ffff:203.0.113.7"), "203.0.113.7");
    assert.equal(under("203.0.113.7"), "203.0.113.7");
    assert.equal(under("x".repeat(500)).length, 64);
  });
});

describe("many logins at once from one address", () => {
  const service = testService({ env: { TRUST_PROXY: "true" } });

  const from = (address: string) => service.anyone.with({ "x-forwarded-for": address });
  const logIn = (caller: Caller, username: string, password: string) =>
    caller.post("/api/auth/login", { username, password });

  it("are sent away beyond a few, and somebody elsewhere is let in meanwhile", async () => {
    const user = await person();
    const attack = Array.from({ length: 400 }, (_, i) => logIn(from("203.0.113.1"), `name-${i}`, "wrong 1"));
    // The first of them are at work, or wait for it.
    await Promise.race(attack);
    const login = await logIn(from("203.0.113.2"), user.username, PASSWORD);
    assert.equal(login.status, 200);
    const answers = await Promise.all(attack);
    const refused = answers.filter(({ status }) => status === 429);
    assert.ok(refused.length > 0);
    for (const { body, headers } of refused) {
      assert.deepEqual(body, REFUSED);
      assert.equal(headers.get("retry-after"), "1");
    }
    const looked = answers.filter(({ status }) => status === 401);
    assert.equal(looked.length + refused.length, 400);
    // Who was sent away had no look, and is not counted as if.
    const attempts = await db.row<{ count: number }>(
      "select count(*) from login_attempts where key like '203.0.113.1|%'",
    );
    assert.equal(attempts?.count, looked.length);
  });

  it("of one user who is right let that user in every time", async () => {
    const { username } = await person();
    const answers = await Promise.all(Array.from({ length: 12 }, () => logIn(from("203.0.113.3"), username, PASSWORD)));
    assert.ok(answers.every(({ status }) => status === 200));
  });
});
