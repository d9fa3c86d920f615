import assert from "node:assert/strict";
import { createFirstAdmin } from "../../activities/auth/users.js";
import { db } from "../support/db.js";
import { warehouse } from "../support/fixtures.js";
import { testService } from "../support/service.js";

describe("users", () => {
  const service = testService();
  let count = 0;

  const somebody = (fields: object = {}) => ({
    username: `user-${++count}`,
    password: "correct horse 1",
    full_name: "Some Body",
    role: "USER",
    ...fields,
  });
  const add = (fields: object, as = service.admin) => as.post("/api/admin/users", somebody(fields));

  describe("creation", () => {
    it("answers the user, who can sign in, and leaves an audit row without the password", async () => {
      const [first, second] = [await warehouse(), await warehouse()];
      const grants = {
        warehouse_ids: [second, first, second],
        allowed_functions: ["pick", "sell", "pick"],
        page_keys: ["receiving", "so-full-edit", "receiving"],
      };
      const { status, body } = await add({ username: "  ann ", full_name: " Ann Packer ", ...grants });
      assert.equal(status, 201);
      const { user_id, external_id, created_at, ...rest } = body;
      assert.deepEqual(rest, {
        username: "ann",
        full_name: "Ann Packer",
        role: "USER",
        warehouse_id: second,
        warehouse_ids: [second, first],
        allowed_functions: ["pick", "sell"],
        page_keys: ["receiving", "so-full-edit"],
        is_active: true,
        last_login: null,
        looks_like: [],
      });
      const login = await service.anyone.post("/api/auth/login", { username: "ann", password: "correct horse 1" });
      assert.equal(login.status, 200);
      const audits = await db.rows<{ details: object }>(
        `select action_type, user_id, warehouse_id, details from audit_log where entity_type = 'USER'
          and entity_id = $1`,
        [user_id],
      );
      assert.deepEqual(audits, [
        {
          action_type: "CREATE",
          user_id: "admin",
          warehouse_id: second,
          details: {
            username: "ann",
            role: "USER",
            warehouse_ids: [second, first],
            allowed_functions: ["pick", "sell"],
            page_keys: ["receiving", "so-full-edit"],
          },
        },
      ]);
      const kept = await db.rows("select row_to_json(c)::text from command_log c");
      assert.doesNotMatch(JSON.stringify(kept), /correct horse|argon2/);
      assert.ok(created_at);
    });

    it("takes a lone warehouse_id as the one warehouse", async () => {
      const warehouse_id = await warehouse();
      const { body } = await add({ warehouse_id });
      assert.deepEqual([body.warehouse_id, body.warehouse_ids], [warehouse_id, [warehouse_id]]);
    });

    it("grants nothing that was not asked for", async () => {
      const { body } = await add({});
      const { warehouse_id, warehouse_ids, allowed_functions, page_keys } = body;
      assert.deepEqual([warehouse_id, warehouse_ids, allowed_functions, page_keys], [null, [], [], []]);
    });

    it("refuses a name that is taken, also by a parallel request", async () => {
      const answers = await Promise.all([1, 2, 3].map(() => add({ username: "twin" })));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400]);
      assert.deepEqual((await add({ username: "twin" })).body, { error: "Duplicate username: twin already exists" });
    });

    it("takes a name in parts for the same as in one, at creation and at login", async () => {
      const [whole, parts] = ["Ren\u00e9", "Rene\u0301"];
      assert.equal((await add({ username: parts })).body.username, whole);
      for (const username of [whole, parts]) {
        assert.equal((await add({ username })).status, 400);
        const login = await service.anyone.post("/api/auth/login", { username, password: "correct horse 1" });
        assert.deepEqual([login.status, login.body.user?.username], [200, whole]);
      }
    });

    it("says whose name looks like the new one, also in the audit log", async () => {
      await add({ username: "paul" });
      for (const username of ["р\u0430ul", "Paul", "pau1", "pa\u00fal", "ΡAUL"]) {
        const { body } = await add({ username });
        assert.ok(body.looks_like.includes("paul"), username);
        const row = await db.row<{ looks: string[] }>(
          "select details->'looks_like' as looks from audit_log where entity_type = 'USER' and entity_id = $1",
          [body.user_id],
        );
        assert.deepEqual(row?.looks, body.looks_like);
      }
      for (const username of ["paula", "pau", "saul"])
        assert.deepEqual((await add({ username })).body.looks_like, [], username);
    });

    it("refuses a name that cannot be seen whole, or that the service goes by", async () => {
      for (const username of [
        ...["system", "system:wms_token:7", "System:x", " system: x"],
        ...["ｓｙｓｔｅｍ：boss", "ann\r\nbob", "ann\n", "ann\tbob", "a\u0085b"],
        ...["\u202eadmin", "a\u2066b\u2069", "ad\u200bmin", "ad\u200dmin"],
        ...["\ufeffann", "a\u00adb", "a\u2028b", "a\u3164b", "a\ue000b", "u".repeat(151)],
      ]) {
        const { status, body } = await add({ username });
        assert.equal(status, 400, JSON.stringify(username));
        assert.equal(body.error, "validation_error");
        assert.deepEqual(body.details[0].loc, ["username"]);
      }
      for (const username of ["systematic", "Jürgen Groß", "नमस्ते", "o'neil@x"])
        assert.equal((await add({ username })).status, 201, username);
    });

    it("is the only time that a name is said", async () => {
      const { user_id } = (await add({})).body;
      const { status, body } = await service.admin.put(`/api/admin/users/${user_id}`, {
        full_name: "Ann",
        username: "system:ann",
      });
      assert.deepEqual([status, body.details[0].type], [400, "extra_forbidden"]);
    });

    it("refuses a weak password", async () => {
      const { status, body } = await add({ password: "12345678" });
      assert.equal(status, 400);
      assert.deepEqual(body, { error: "Password must contain at least one letter" });
    });

    it("refuses warehouses that do not exist", async () => {
      const { status, body } = await add({ warehouse_ids: [await warehouse(), 987_654] });
      assert.equal(status, 400);
      assert.deepEqual(body, { error: "Unknown warehouse_ids: 987654" });
    });
  });

  describe("the list", () => {
    it("gives every user by id, page by page, never a hash", async () => {
      await add({});
      const { body } = await service.admin.get("/api/admin/users?per_page=2&page=1");
      const next = await service.admin.get("/api/admin/users?per_page=2&page=2");
      assert.deepEqual([body.page, body.per_page, body.users.length], [1, 2, 2]);
      assert.equal(body.pages, Math.ceil(body.total / 2));
      assert.ok(body.users[1].user_id < next.body.users[0].user_id);
      assert.deepEqual(Object.keys(body.users[0]), [
        ...["user_id", "external_id", "username", "full_name", "role", "warehouse_id", "warehouse_ids"],
        ...["allowed_functions", "is_active", "created_at", "last_login", "page_keys"],
      ]);
    });

    it("is searched for a part of a user name or a full name", async () => {
      await add({ username: "forklift", full_name: "Greta Gauge" });
      for (const q of ["reta%20gau", "ORKLI"]) {
        const { users, total } = await service.admin.ok("GET", `/api/admin/users?q=${q}`);
        assert.deepEqual([users[0].username, total], ["forklift", 1], q);
      }
      assert.equal((await service.admin.ok("GET", "/api/admin/users?q=nobody%25")).total, 0);
    });
  });

  it("can be read one by one", async () => {
    const { body } = await add({ page_keys: ["receiving"] });
    const { looks_like: _, ...user } = body;
    assert.deepEqual(await service.admin.ok("GET", `/api/admin/users/${body.user_id}`), user);
    const { status, body: refusal } = await service.admin.get("/api/admin/users/987654");
    assert.deepEqual([status, refusal.error], [404, "User not found"]);
  });

  describe("for a USER", () => {
    it("with the page are open, within what that user has", async () => {
      const [own, other] = [await warehouse(), await warehouse()];
      const user = await service.user({ page_keys: ["users", "receiving"], warehouse_ids: [own] });
      assert.equal((await user.get("/api/admin/users")).status, 200);
      assert.equal((await add({ warehouse_ids: [own], page_keys: ["receiving"] }, user)).status, 201);
      for (const [fields, error] of [
        [{ role: "ADMIN" }, "Nobody grants or changes more than they have: role ADMIN"],
        [{ page_keys: ["receiving", "settings"] }, "Nobody grants or changes more than they have: pages settings"],
        [{ warehouse_ids: [own, other] }, "Access denied for this warehouse"],
      ] as const) {
        const { status, body } = await add(fields, user);
        assert.equal(status, 403);
        assert.deepEqual(body, { error });
      }
    });
  });

  it("are called by their full names among those who work in the same warehouse", async () => {
    const [here, elsewhere] = [await warehouse(), await warehouse()];
    const worker = await service.user({ warehouse_ids: [here] });
    const named = (username: string, warehouse_ids: number[]) =>
      add({ username, full_name: `Name of ${username}`, warehouse_ids });
    for (const [username, ids] of Object.entries({ beside: [elsewhere, here], afar: [elsewhere] }))
      assert.equal((await named(username, ids)).status, 201);
    const namesFor = async (as = service.admin) => {
      const { names } = await as.ok("GET", "/api/users/names");
      return names.map(({ username }: { username: string }) => username);
    };
    const seen = await namesFor(worker);
    assert.ok(seen.includes("beside") && !seen.includes("afar") && !seen.includes(worker.username));
    const { names } = await service.admin.ok("GET", "/api/users/names");
    assert.deepEqual(
      names.find(({ username }: { username: string }) => username === "afar"),
      { username: "afar", full_name: "Name of afar" },
    );
  });

  describe("the first admin", () => {
    it("is made once in an empty service, by the system, however many prepare it", async () => {
      await db.run("delete from users");
      const made = await Promise.all([1, 2, 3].map(() => createFirstAdmin("chief", "correct horse 1", true)));
      assert.deepEqual(made.sort(), [false, false, true]);
      const { body } = await service.anyone.post("/api/auth/login", { username: "chief", password: "correct horse 1" });
      assert.deepEqual([body.user.role, body.user.must_change_password], ["ADMIN", true]);
      const audit = await db.row<{ user_id: string }>(
        "select user_id from audit_log where action_type = 'CREATE' and entity_type = 'USER' and entity_id = $1",
        [body.user.user_id],
      );
      assert.equal(audit?.user_id, "system");
    });

    it("is not made where there is a user", async () => {
      assert.equal(await createFirstAdmin("second chief", "correct horse 1", false), false);
    });
  });
});
