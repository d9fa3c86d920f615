import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { purgeUserSessions } from "../../activities/maintenance/retention.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { PASSWORD, person, sessionsOf } from "../support/people.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

const SESSIONS = "/api/auth/sessions";

describe("the sessions of a user", () => {
  const service = testService();
  const { logIn, bearer } = sessionsOf(() => service);
  const list = async (caller: Caller) => (await caller.ok("GET", SESSIONS)).sessions;
  const isOpen = async (caller: Caller) => (await caller.get("/api/auth/me")).status === 200;
  /** Signs in with a program of this name. */
  async function enters(username: string, device: string) {
    const body = { username, password: PASSWORD };
    const { token } = await service.anyone.with({ "user-agent": device }).ok("POST", "/api/auth/login", body);
    return bearer(token);
  }
  const count = (user_id: number) =>
    db.value<number>("select count(*)::int from user_sessions where user_id = $1", [user_id]);

  it("are listed with device, address and times, that which was used last first", async () => {
    const { username } = await person();
    const desk = await enters(username, "Firefox at the desk");
    const phone = await enters(username, `phone ${"x".repeat(300)}`);
    const seen = await list(desk);
    assert.deepEqual(pluckAll(seen, "begun_by", "is_current"), [
      ["password", false],
      ["password", true],
    ]);
    assert.deepEqual(pluck(seen, "device"), [`phone ${"x".repeat(250)}`, "Firefox at the desk"]);
    assert.deepEqual(pluckAll(await list(phone), "is_current").flat(), [true, false]);
    const [one] = seen;
    assert.match(one.address, /^(::ffff:)?127\.0\.0\.1$/);
    assert.ok(one.begun_at <= one.last_used_at && one.last_used_at < one.expires_at);
    assert.ok(!JSON.stringify(seen).includes("eyJ"));
    const other = await enters((await person()).username, "another");
    assert.equal((await list(other)).length, 1);
  });

  it("keep what they are when they are refreshed, which lengthens them", async () => {
    const { username, user_id } = await person();
    const desk = await enters(username, "old name");
    const [before] = await list(desk);
    await db.run(
      `update user_sessions
       set expires_at = expires_at - interval '1 hour', last_used_at = begun_at - interval '1 hour',
           begun_at = begun_at - interval '1 hour'
       where user_id = $1`,
      [user_id],
    );
    const { token } = await desk.with({ "user-agent": "new name" }).ok("POST", "/api/auth/refresh");
    const [after, ...more] = await list(bearer(token));
    assert.deepEqual(more, []);
    assert.deepEqual([after.session_id, after.device], [before.session_id, "new name"]);
    assert.ok(after.begun_at < before.begun_at && after.expires_at >= before.expires_at);
    assert.ok(after.last_used_at >= before.last_used_at);
  });

  it("say when they were used last, to the minute", async () => {
    const { username, user_id } = await person();
    const desk = await enters(username, "desk");
    const hourAgo = "update user_sessions set last_used_at = now() - interval '1 hour' where user_id = $1";
    await db.run(hourAgo, [user_id]);
    const phone = await enters(username, "phone");
    await list(phone);
    const fresh = () =>
      db.value<boolean>(
        "select bool_and(last_used_at > now() - interval '1 minute') from user_sessions where user_id = $1",
        [user_id],
      );
    assert.equal(await fresh(), false);
    // Whoever is known is asked of the database anew within seconds.
    await until(async () => (await isOpen(desk)) && (await fresh()) === true);
  });

  it("are ended one by one, or all but one's own, at once and for good", async () => {
    const { username, user_id } = await person();
    const [desk, phone, home, late] = [
      await enters(username, "desk"),
      await enters(username, "phone"),
      await enters(username, "home"),
      await enters(username, "late"),
    ];
    const idOf = async (device: string) =>
      (await list(desk)).find((one: { device: string }) => one.device === device)?.session_id;
    const mark = await auditMark();
    const gone = await idOf("phone");
    assert.equal((await desk.delete(`${SESSIONS}/${gone}`)).status, 200);
    assert.deepEqual([await isOpen(phone), await isOpen(home)], [false, true]);
    assert.equal((await desk.delete(`${SESSIONS}/${gone}`)).code, "session_not_found");
    assert.equal((await desk.delete(`${SESSIONS}/${randomUUID()}`)).code, "session_not_found");
    const stranger = await enters((await person()).username, "stranger");
    assert.equal((await stranger.delete(`${SESSIONS}/${await idOf("home")}`)).code, "session_not_found");
    assert.equal(await isOpen(home), true);
    const { message } = await desk.ok("POST", `${SESSIONS}/end-others`);
    assert.equal(message, "2 session(s) ended");
    assert.deepEqual([await isOpen(desk), await isOpen(home), await isOpen(late)], [true, false, false]);
    assert.deepEqual(pluck(await list(desk), "device"), ["desk"]);
    const rows = (await auditSince(mark)).filter(({ entity_id }) => entity_id === user_id);
    assert.deepEqual(pluckAll(rows, "action_type", "user_id", "details"), [
      ["SESSIONS_END", username, { username, sessions: 1 }],
      ["SESSIONS_END", username, { username, sessions: 2 }],
    ]);
  });

  it("are not listed once they have ended in another way", async () => {
    const { username, user_id } = await person();
    const devices = async () => pluck(await list(await enters(username, "watcher")), "device").sort();
    const out = await enters(username, "signed out");
    await out.ok("POST", "/api/auth/logout");
    assert.deepEqual(await devices(), ["watcher"]);
    const desk = await enters(username, "before the change");
    await desk.ok("POST", "/api/auth/change-password", {
      ...{ current_password: PASSWORD, new_password: `${PASSWORD} new` },
    });
    const { body } = await logIn(username, `${PASSWORD} new`);
    assert.equal((await list(bearer(body.token))).length, 1);
    await db.run("update user_sessions set expires_at = now() - interval '1 second' where user_id = $1", [user_id]);
    assert.deepEqual(await list(bearer(body.token)), []);
    assert.ok(((await count(user_id)) ?? 0) > 0);
    await purgeUserSessions();
    assert.equal(await count(user_id), 0);
  });

  it("are all ended by an ADMIN, whether they are listed or not; API keys go on", async () => {
    const { username, user_id } = await person();
    const [desk, unlisted] = [await enters(username, "desk"), await enters(username, "from before")];
    await db.run("delete from user_sessions where user_id = $1 and device = 'from before'", [user_id]);
    const { key } = await desk.ok("POST", "/api/auth/keys", { key_name: "nightly export" });
    const path = `/api/admin/users/${user_id}/sessions`;
    assert.deepEqual(pluck((await service.admin.ok("GET", path)).sessions, "device"), ["desk"]);
    const mark = await auditMark();
    await service.admin.ok("DELETE", path);
    assert.deepEqual([await isOpen(desk), await isOpen(unlisted), await isOpen(bearer(key))], [false, false, true]);
    assert.deepEqual((await service.admin.ok("GET", path)).sessions, []);
    assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "user_id", "details"), [
      ["SESSIONS_END", "admin", { username }],
    ]);
    for (const method of ["GET", "DELETE"] as const)
      assert.equal((await service.admin.call(method, "/api/admin/users/2000000000/sessions")).code, "user_not_found");
    assert.equal(await isOpen(await enters(username, "anew")), true);
  });
});
