import assert from "node:assert/strict";
import { type Caller, statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { PASSWORD, person, sessionsOf } from "../support/people.js";
import { pluckAll } from "../support/pluck.js";
import { queuedBehindLock } from "../support/queued-behind-lock.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

const USERS = "/api/admin/users";

describe("a user", () => {
  const service = testService();
  let own: number;
  let other: number;
  /** A USER with the page of users, two more pages and a warehouse. */
  let clerk: Caller;
  before(async () => {
    [own, other] = [await fixtures.warehouse(), await fixtures.warehouse()];
    clerk = await service.user({ warehouse_ids: [own], page_keys: ["users", "items", "bins"] });
  });

  const doors = sessionsOf(() => service);
  const pathOf = ({ user_id }: { user_id: number }) => `${USERS}/${user_id}`;
  const read = async (user_id: number) =>
    (await service.admin.ok("GET", `${USERS}?per_page=1000`)).users.find(
      (user: { user_id: number }) => user.user_id === user_id,
    );
  const error = (status: number, text: string) => [status, { error: text }];

  describe("that is edited", () => {
    it("changes what is sent of it, and audits what that was", async () => {
      const before = await person({ role: "USER", page_keys: ["bins"] });
      const mark = await auditMark();
      const saved = await service.admin.put(pathOf(before), {
        full_name: " Ann Packer ",
        role: "ADMIN",
        warehouse_ids: [other, own, other],
        allowed_functions: ["pick", "sell", "pick"],
        page_keys: ["items", "so-full-edit", "items"],
      });
      const { created_at, ...expected } = {
        ...before,
        full_name: "Ann Packer",
        role: "ADMIN",
        warehouse_id: other,
        warehouse_ids: [other, own],
        allowed_functions: ["pick", "sell"],
        page_keys: ["items", "so-full-edit"],
      };
      const { created_at: same, ...answered } = saved.body;
      assert.deepEqual([saved.status, answered], [200, expected]);
      assert.equal(same, created_at);
      assert.deepEqual(await read(before.user_id), saved.body);
      const rows = await auditSince(mark);
      assert.deepEqual(pluckAll(rows, "action_type", "entity_id", "warehouse_id"), [["UPDATE", before.user_id, other]]);
      assert.deepEqual(rows[0]?.details, {
        username: before.username,
        changed: {
          full_name: { old: before.full_name, new: "Ann Packer" },
          role: { old: "USER", new: "ADMIN" },
          warehouse_id: { old: null, new: other },
          warehouse_ids: { old: [], new: [other, own] },
          allowed_functions: { old: [], new: ["pick", "sell"] },
          page_keys: { old: ["bins"], new: ["items", "so-full-edit"] },
        },
      });
    });

    it("gets exactly the pages that are sent; those it keeps stay as they were granted", async () => {
      const user = await person({ role: "USER", page_keys: ["bins", "items"] });
      const granted = () =>
        db.rows("select page_key, granted_by from user_page_permissions where user_id = $1 order by 1", [user.user_id]);
      const [, kept] = await granted();
      await service.admin.ok("PUT", pathOf(user), { page_keys: ["zones", "items"] });
      assert.deepEqual(await granted(), [kept, { page_key: "zones", granted_by: "admin" }]);
      await service.admin.ok("PUT", pathOf(user), { full_name: "Same pages" });
      assert.equal((await granted()).length, 2);
      await service.admin.ok("PUT", pathOf(user), { page_keys: [] });
      assert.deepEqual(await granted(), []);
    });

    it("has as its warehouse the first of its warehouses", async () => {
      const user = await person({ role: "USER", warehouse_ids: [own] });
      const put = async (body: object) => {
        const saved = await service.admin.ok("PUT", pathOf(user), body);
        return [saved.warehouse_id, saved.warehouse_ids];
      };
      assert.deepEqual(await put({ warehouse_id: other }), [other, [other, own]]);
      assert.deepEqual(await put({ warehouse_id: own }), [own, [own, other]]);
      assert.deepEqual(await put({ warehouse_id: null }), [own, [own, other]]);
      assert.deepEqual(await put({ warehouse_id: own, warehouse_ids: [other] }), [other, [other]]);
      assert.deepEqual(await put({ warehouse_ids: [] }), [null, []]);
      const unknown = await service.admin.put(pathOf(user), { warehouse_ids: [own, 987_654] });
      assert.deepEqual(statusAndBody(unknown), error(400, "Unknown warehouse_ids: 987654"));
    });

    it("with a new password signs in with it alone, and what it had open is closed", async () => {
      const user = await person();
      const session = await doors.signedIn(user.username);
      assert.equal((await session.get("/api/auth/me")).status, 200);
      const mark = await auditMark();
      const weak = await service.admin.put(pathOf(user), { password: "short1" });
      assert.deepEqual(statusAndBody(weak), error(400, "Password must be at least 8 characters"));
      await service.admin.ok("PUT", pathOf(user), { password: "battery staple 2" });
      assert.deepEqual(
        statusAndBody(await session.get("/api/auth/me")),
        error(401, "Token invalidated by password change"),
      );
      const { username } = user;
      assert.equal((await doors.logIn(username, PASSWORD)).status, 401);
      assert.equal((await doors.logIn(username, "battery staple 2")).status, 200);
      const kept = await db.rows("select details::text from audit_log");
      const commands = await db.rows("select row_to_json(c)::text from command_log c");
      assert.doesNotMatch(JSON.stringify([kept, commands]), /battery|argon2/);
      assert.deepEqual(
        (await auditSince(mark)).map((row) => row.details.changed),
        [{ password: { old: "", new: "changed" } }],
      );
    });

    it("that is deactivated is out at once, and in again when activated", async () => {
      const user = await person();
      const session = await doors.signedIn(user.username);
      await service.admin.ok("PUT", pathOf(user), { is_active: false });
      assert.equal((await session.get("/api/auth/me")).status, 401);
      await service.admin.ok("PUT", pathOf(user), { is_active: true });
      assert.equal((await session.get("/api/auth/me")).status, 200);
    });

    it("by two at once keeps what each of them changed", async () => {
      const user = await person();
      const edit = (body: object) => () => service.admin.put(pathOf(user), body);
      await queuedBehindLock(
        "select from users where user_id = $1 for update",
        [user.user_id],
        edit({ full_name: "First" }),
        edit({ allowed_functions: ["pack"] }),
      );
      const { full_name, allowed_functions } = await read(user.user_id);
      assert.deepEqual([full_name, allowed_functions], ["First", ["pack"]]);
    });
  });

  describe("that is deleted", () => {
    it("cannot sign in any more; what it did stays under its name", async () => {
      const user = await person({ page_keys: ["items"] });
      const session = await doors.signedIn(user.username);
      await session.ok("POST", "/api/admin/items", { sku: "BY-USER", item_name: "Mug" });
      const mark = await auditMark();
      const deleted = await service.admin.delete(pathOf(user));
      assert.deepEqual(statusAndBody(deleted), [200, { message: `User ${user.username} deleted` }]);
      assert.equal((await session.get("/api/auth/me")).status, 401);
      assert.equal((await doors.logIn(user.username, PASSWORD)).status, 401);
      assert.equal(await read(user.user_id), undefined);
      const [row] = await auditSince(mark);
      assert.deepEqual(
        [row?.action_type, row?.entity_type, row?.entity_id, row?.details],
        ["DELETE", "USER", user.user_id, { username: user.username, role: "ADMIN" }],
      );
      const left = await db.rows("select from audit_log where user_id = $1", [user.username]);
      assert.equal(left.length, 1);
    });
  });

  it("that is not there is 404", async () => {
    for (const missing of [
      await service.admin.put(`${USERS}/999999`, { full_name: "X" }),
      await service.admin.delete(`${USERS}/999999`),
    ])
      assert.deepEqual(statusAndBody(missing), error(404, "User not found"));
  });

  it("neither deactivates, demotes nor deletes itself", async () => {
    const path = `${USERS}/${service.admin.userId}`;
    assert.deepEqual(
      statusAndBody(await service.admin.put(path, { is_active: false })),
      error(400, "You cannot deactivate yourself"),
    );
    assert.deepEqual(
      statusAndBody(await service.admin.put(path, { role: "USER" })),
      error(400, "You cannot take the role ADMIN from yourself"),
    );
    assert.deepEqual(statusAndBody(await service.admin.delete(path)), error(400, "You cannot delete yourself"));
    await service.admin.ok("PUT", path, { role: "ADMIN", is_active: true });
  });

  describe("that may do less than another", () => {
    const MORE = "Nobody grants or changes more than they have";
    const forAll = async (user: { user_id: number }, denied: unknown[]) => {
      for (const answer of [
        await clerk.put(pathOf(user), { password: "battery staple 2" }),
        await clerk.delete(pathOf(user)),
      ])
        assert.deepEqual(statusAndBody(answer), denied);
    };

    it("touches no ADMIN, no page and no warehouse that it has not itself", async () => {
      await forAll(await person(), error(403, `${MORE}: role ADMIN`));
      const settler = await person({ role: "USER", page_keys: ["settings"] });
      await forAll(settler, error(403, `${MORE}: pages settings`));
      const far = await person({ role: "USER", warehouse_ids: [own, other] });
      await forAll(far, error(403, "Access denied for this warehouse"));
    });

    it("hands out no more than it has, neither to others nor to itself", async () => {
      const user = await person({ role: "USER", warehouse_ids: [own] });
      for (const user_id of [user.user_id, clerk.userId])
        for (const [body, text] of [
          [{ role: "ADMIN" }, `${MORE}: role ADMIN`],
          [{ page_keys: ["items", "settings"] }, `${MORE}: pages settings`],
          [{ warehouse_ids: [own, other] }, "Access denied for this warehouse"],
        ] as const)
          assert.deepEqual(statusAndBody(await clerk.put(pathOf({ user_id }), body)), error(403, text));
      const granted = { page_keys: ["items"], full_name: "Helped" };
      assert.equal((await clerk.put(pathOf(user), granted)).status, 200);
      assert.equal((await clerk.delete(pathOf(user))).status, 200);
    });
  });

  describe("where functions are enforced", () => {
    const enforce = (value: string) =>
      service.admin.ok("PUT", "/api/admin/settings", { settings: { enforce_allowed_functions: value } });
    const MORE = "Nobody grants or changes more than they have";
    before(() => enforce("true"));
    after(() => enforce("false"));

    it("hands out no function that it lacks, and does not take over who has one", async () => {
      const packer = await person({ role: "USER", allowed_functions: ["pack"] });
      const maker = await doors.signedIn(
        (await person({ role: "USER", page_keys: ["users"], allowed_functions: ["pick"] })).username,
      );
      const denied = (name: string) => error(403, `${MORE}: functions ${name}`);
      assert.deepEqual(statusAndBody(await maker.put(pathOf(packer), { full_name: "X" })), denied("pack"));
      const user = await person({ role: "USER" });
      const grant = (allowed_functions: string[]) => maker.put(pathOf(user), { allowed_functions });
      assert.deepEqual(statusAndBody(await grant(["pick", "ship"])), denied("ship"));
      assert.equal((await grant(["pick"])).status, 200);
      const made = (allowed_functions: string[]) =>
        maker.post(USERS, {
          ...{ username: `made-${allowed_functions}`, password: PASSWORD, full_name: "Made", role: "USER" },
          allowed_functions,
        });
      assert.deepEqual(statusAndBody(await made(["receive"])), denied("receive"));
      assert.equal((await made(["pick"])).status, 201);
    });
  });

  it("changes nothing of what it may do itself, unless it is an ADMIN", async () => {
    const user = await person({
      ...{ role: "USER", allowed_functions: ["pick"], page_keys: ["users"], warehouse_ids: [own] },
    });
    const { allowed_functions, page_keys, warehouse_ids } = user;
    const same = { allowed_functions, page_keys, warehouse_ids };
    const self = await doors.signedIn(user.username);
    const denied = error(403, "Nobody changes their own role, warehouses, functions or pages");
    for (const change of [{ allowed_functions: ["pick", "ship"] }, { allowed_functions: [] }, { page_keys: [] }])
      assert.deepEqual(statusAndBody(await self.put(pathOf(user), change)), denied);
    assert.deepEqual(statusAndBody(await self.put(pathOf(user), { warehouse_ids: [] })), denied);
    assert.equal((await self.put(pathOf(user), { ...same, full_name: "Still Ann" })).status, 200);
    const { userId: user_id } = service.admin;
    assert.equal((await service.admin.put(pathOf({ user_id }), { allowed_functions: ["pick"] })).status, 200);
  });

  describe("that is one of two last admins", () => {
    /** Two admins, and no other active one; each then does something to the other, the first a moment earlier. */
    async function meet(act: (by: Caller, user_id: number) => ReturnType<Caller["put"]>) {
      const [a, b] = [await service.user({ role: "ADMIN" }), await service.user({ role: "ADMIN" })];
      await db.run("update users set is_active = user_id in ($1, $2) where role = 'ADMIN'", [a.userId, b.userId]);
      const answers = await queuedBehindLock(
        "select from users where user_id = $1 for update",
        [a.userId],
        () => act(a, b.userId),
        () => act(b, a.userId),
      );
      const left = await db.rows<{ user_id: number }>("select user_id from users where role = 'ADMIN' and is_active");
      assert.deepEqual(left, [{ user_id: a.userId }]);
      assert.equal(answers[0]?.status, 200);
      return answers[1] as Awaited<ReturnType<Caller["put"]>>;
    }
    const last = error(400, "The last active ADMIN must stay one");

    it("stays when both demote each other at once", async () => {
      const second = await meet((by, user_id) => by.put(pathOf({ user_id }), { role: "USER" }));
      assert.deepEqual(statusAndBody(second), last);
    });

    it("stays when both deactivate each other at once", async () => {
      const second = await meet((by, user_id) => by.put(pathOf({ user_id }), { is_active: false }));
      assert.deepEqual(statusAndBody(second), last);
    });

    it("stays when both delete each other at once", async () => {
      const second = await meet((by, user_id) => by.delete(pathOf({ user_id })));
      assert.deepEqual(statusAndBody(second), last);
    });
  });
});
