import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import jwt from "jsonwebtoken";
import pg from "pg";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { waitingForLocks } from "../support/queued-behind-lock.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

describe("a user in use", () => {
  const service = testService();
  let warehouse_id: number;
  before(async () => {
    ({ warehouse_id } = await service.admin.ok("POST", "/api/admin/warehouses", {
      warehouse_code: "KNOWN",
      warehouse_name: "Known",
    }));
  });

  const floorUser = () => service.user({ warehouse_ids: [warehouse_id], page_keys: ["items"] });
  /** What the user may do; each line depends on another column or table. */
  const rightsOf = async (user: Caller) => {
    const status = async (path: string) => (await user.get(path)).status;
    return {
      warehouse: await status(`/api/admin/dashboard?warehouse_id=${warehouse_id}`),
      page: await status("/api/admin/items"),
      other: await status("/api/admin/vendors"),
      floor: (await user.post("/api/putaway/confirm")).status,
    };
  };
  /** On the floor nothing is sent, which is refused only after the rights were looked at. */
  const ALL = { warehouse: 200, page: 200, other: 403, floor: 400 };
  const NONE = { warehouse: 401, page: 401, other: 401, floor: 401 };

  it("is asked of nobody", async () => {
    const user = await floorUser();
    const isAllowedWhileUsersAreLocked = async () => {
      assert.equal((await user.get("/api/admin/items")).status, 200);
      const client = new pg.Client(service.config.databaseUrl);
      await client.connect();
      let answered = false;
      try {
        await client.query("begin; lock table users");
        const asked = user.get("/api/admin/items").finally(() => (answered = true));
        await until(async () => answered || (await waitingForLocks()) > 0);
        const beforeUnlock = answered;
        await client.query("rollback");
        assert.equal((await asked).status, 200);
        return beforeUnlock;
      } finally {
        await client.end();
      }
    };
    // A late notification of what made the user has the first ask again.
    await until(isAllowedWhileUsersAreLocked);
  });

  const sessionOf = (user: Caller) => {
    const { sid } = jwt.decode(user.headers.authorization?.slice("Bearer ".length) ?? "") as { sid: string };
    return sid;
  };
  const sql = (text: string) => (user: Caller) => db.run(text, [user.userId]);
  const changes: Record<string, [(user: Caller) => Promise<unknown>, Partial<typeof ALL>]> = {
    "who is deactivated": [sql("update users set is_active = false where user_id = $1"), NONE],
    "who is deleted": [sql("delete from users where user_id = $1"), NONE],
    "whose password was changed": [sql("update users set password_changed_at = now() where user_id = $1"), NONE],
    "who logged out": [(user) => db.run("insert into ended_sessions values ($1)", [sessionOf(user)]), NONE],
    "whose warehouse is taken away": [
      sql("update users set warehouse_ids = '{}', warehouse_id = null where user_id = $1"),
      { warehouse: 403 },
    ],
    "whose page is taken away": [sql("delete from user_page_permissions where user_id = $1"), { page: 403 }],
    "who is given a page": [
      sql("insert into user_page_permissions (user_id, page_key) values ($1, 'vendors')"),
      { other: 200 },
    ],
    "who becomes an ADMIN": [sql("update users set role = 'ADMIN' where user_id = $1"), { other: 200 }],
    "who must change the password": [
      sql("update users set must_change_password = true where user_id = $1"),
      { warehouse: 403, page: 403, floor: 403 },
    ],
    "whose functions are enforced": [
      () =>
        db.run(
          `insert into app_settings (key, value) values ('enforce_allowed_functions', 'true')
           on conflict (key) do update set value = 'true'`,
        ),
      { floor: 403 },
    ],
  };
  for (const [who, [change, after]] of Object.entries(changes))
    it(`${who} past this process has other rights a moment later`, async () => {
      const user = await floorUser();
      assert.deepEqual(await rightsOf(user), ALL);
      await change(user);
      const expected = { ...ALL, ...after };
      await until(async () => isDeepStrictEqual(await rightsOf(user), expected));
    });

  it("has other rights at once when this process changes them", async () => {
    const user = await floorUser();
    const path = `/api/admin/users/${user.userId}`;
    assert.equal((await user.get("/api/admin/vendors")).status, 403);
    await service.admin.ok("PUT", path, { page_keys: ["items", "vendors"] });
    assert.equal((await user.get("/api/admin/vendors")).status, 200);
    await service.admin.ok("PUT", path, { is_active: false });
    assert.equal((await user.get("/api/admin/vendors")).status, 401);
    await service.admin.ok("PUT", path, { is_active: true });
    assert.equal((await user.get("/api/admin/vendors")).status, 200);
    await service.admin.ok("DELETE", path);
    assert.equal((await user.get("/api/admin/vendors")).status, 401);
  });
});
