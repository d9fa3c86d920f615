import assert from "node:assert/strict";
import { isByPersonOnly } from "../../api/auth/authenticate.js";
import { routes } from "../../api/routes.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { withApp } from "../support/factors.js";
import * as fixtures from "../support/fixtures.js";
import { keyCaller } from "../support/keys.js";
import { logged } from "../support/log.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

const KEYS = "/api/auth/keys";
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

describe("personal keys", () => {
  const service = testService();
  const withKey = (key: string) => service.anyone.with({ authorization: `Bearer ${key}` });
  const make = (by: Caller, fields = {}) => by.ok("POST", KEYS, { key_name: "nightly export", ...fields });
  const setting = (settings: object) => service.admin.ok("PUT", "/api/admin/settings", { settings });

  describe("that are made", () => {
    it("are shown once, kept as a hash, listed with their last use, and audited", async () => {
      const user = await service.user({ page_keys: ["items"] });
      const mark = await auditMark();
      const { key, ...made } = await make(user, { page_keys: ["items", "items"], functions: [], is_read_only: true });
      assert.match(key, /^wes_[\w-]{43}$/);
      assert.deepEqual(
        [made.username, made.page_keys, made.functions, made.is_read_only, made.last_used_at],
        [user.username, ["items"], [], true, null],
      );
      assert.deepEqual(await user.ok("GET", KEYS), { keys: [made] });
      assert.deepEqual(await service.admin.ok("GET", `/api/admin/keys?q=${user.username}`), {
        ...{ keys: [made], total: 1, page: 1, per_page: 50, pages: 1 },
      });
      assert.equal((await withKey(key).get("/api/admin/items")).status, 200);
      const { keys } = await user.ok("GET", KEYS);
      assert.ok(keys[0].last_used_at >= made.made_at);
      const [row] = await auditSince(mark);
      assert.deepEqual(
        [row?.action_type, row?.entity_type, row?.entity_id, row?.user_id],
        ["KEY_MAKE", "PERSONAL_KEY", made.key_id, user.username],
      );
      const kept = await db.rows(
        `select row_to_json(k)::text from personal_keys k union all select row_to_json(c)::text from command_log c
         union all select row_to_json(a)::text from audit_log a`,
      );
      assert.ok(!JSON.stringify(kept).includes(key.slice(4)));
    });

    it("last as long as is allowed, and no longer", async () => {
      const user = await service.user();
      const lasts = ({ expires_at }: { expires_at: string }) =>
        Math.round((Date.parse(expires_at) - Date.now()) / DAY_MS);
      assert.equal(lasts(await make(user)), 365);
      await setting({ personal_key_days: "30" });
      assert.equal(lasts(await make(user)), 30);
      assert.equal(lasts(await make(user, { expires_at: inDays(7) })), 7);
      const asked = (fields = {}) => user.post(KEYS, { key_name: "nightly export", ...fields });
      assert.equal((await asked({ expires_at: inDays(31) })).code, "key_lasts_too_long");
      await setting({ personal_key_days: "0" });
      assert.equal((await asked()).code, "keys_off");
      for (const days of ["-1", "3651", "1.5", "", "a year"])
        assert.equal(
          (await service.admin.put("/api/admin/settings", { settings: { personal_key_days: days } })).code,
          "bad_setting",
        );
      await setting({ personal_key_days: "365" });
      for (const fields of [{ key_name: " " }, { page_keys: ["no-such-page"] }, { functions: ["fly"] }])
        assert.equal((await asked(fields)).status, 400);
    });

    it("are not more than fifty of a user", async () => {
      const user = await service.user();
      for (let i = 0; i < 49; i++) await keyCaller(service, user);
      await make(user);
      const { status, code } = await user.post(KEYS, { key_name: "one more" });
      assert.deepEqual([status, code], [409, "too_many_keys"]);
    });
  });

  describe("open", () => {
    it("what their user may do at that moment, and name themselves in the audit log", async () => {
      const warehouse_id = await fixtures.warehouse();
      const user = await service.user({ page_keys: ["items", "vendors"], warehouse_ids: [warehouse_id] });
      const { key, key_id } = await make(user);
      const program = withKey(key);
      const mark = await auditMark();
      await program.ok("POST", "/api/admin/vendors", { vendor_name: "Potter" });
      const [row] = await auditSince(mark);
      assert.deepEqual([row?.user_id, row?.details.by_key], [user.username, `nightly export (${key_id})`]);
      assert.equal((await program.get("/api/admin/webhooks")).code, "permission_denied");
      assert.equal((await program.ok("GET", "/api/auth/me")).username, user.username);
      await service.admin.ok("PUT", `/api/admin/users/${user.userId}`, { page_keys: ["items"] });
      assert.equal((await program.get("/api/admin/vendors")).code, "permission_denied");
      assert.equal((await program.get("/api/admin/items")).status, 200);
      await service.admin.ok("PUT", `/api/admin/users/${user.userId}`, { is_active: false });
      assert.equal((await program.get("/api/admin/items")).status, 401);
      await service.admin.ok("PUT", `/api/admin/users/${user.userId}`, { is_active: true });
      assert.equal((await program.get("/api/admin/items")).status, 200);
      await service.admin.ok("DELETE", `/api/admin/users/${user.userId}`);
      assert.equal((await program.get("/api/admin/items")).status, 401);
    });

    it("no more than what they were made for, and never all of an ADMIN's when they were narrowed", async () => {
      const warehouse_id = await fixtures.warehouse();
      const all = await keyCaller(service, service.admin);
      assert.equal((await all.get("/api/admin/keys")).status, 200);
      const items = await keyCaller(service, service.admin, { page_keys: ["items"] });
      assert.equal((await items.get("/api/admin/items")).status, 200);
      assert.equal((await items.get(`/api/admin/bins?warehouse_id=${warehouse_id}`)).status, 200);
      assert.equal((await items.get("/api/admin/vendors")).code, "permission_denied");
      assert.equal((await items.get("/api/admin/keys")).code, "forbidden");
      const me = await items.ok("GET", "/api/auth/me");
      assert.deepEqual([me.role, me.allowed_pages], ["USER", ["items"]]);
      const { parts } = await items.ok("GET", "/api/admin/inbox");
      // What a user's own agents ask is told with any page, and with none.
      assert.ok(parts.every(({ kind }: { kind: string }) => kind === "agent_approval"));
      // Of a page that the user has not got, it opens nothing.
      const user = await service.user({ page_keys: ["vendors"] });
      const more = await keyCaller(service, user, { page_keys: ["items", "vendors"] });
      assert.equal((await more.get("/api/admin/items")).code, "permission_denied");
      assert.equal((await more.get("/api/admin/vendors")).status, 200);
    });

    it("the functions of the floor that they were made for", async () => {
      const warehouse_id = await fixtures.warehouse();
      const item = await fixtures.item();
      const [from_bin_id, to_bin_id] = [await fixtures.bin(warehouse_id), await fixtures.bin(warehouse_id)];
      await fixtures.stock(warehouse_id, from_bin_id, item.item_id, 5);
      const user = await service.user({ warehouse_ids: [warehouse_id] });
      const body = { item_id: item.item_id, from_bin_id, to_bin_id, quantity: 1 };
      const move = async (caller: Caller) => (await caller.post("/api/putaway/confirm", body)).code;
      assert.equal(await move(await keyCaller(service, user, { functions: ["pick"] })), "function_not_allowed");
      assert.equal(await move(await keyCaller(service, user, { functions: ["putaway"] })), undefined);
      // An ADMIN's, who has all functions, and a user's who was granted none where they are enforced.
      assert.equal(
        await move(await keyCaller(service, service.admin, { functions: ["pick"] })),
        "function_not_allowed",
      );
      assert.equal(await move(await keyCaller(service, service.admin, { functions: ["putaway"] })), undefined);
      await setting({ enforce_allowed_functions: "true" });
      assert.equal(await move(await keyCaller(service, user, { functions: ["putaway"] })), "function_not_allowed");
      await setting({ enforce_allowed_functions: "false" });
    });

    it("nothing but reading, if they were made so", async () => {
      const reader = await keyCaller(service, service.admin, { is_read_only: true });
      assert.equal((await reader.get("/api/admin/items")).status, 200);
      assert.equal((await reader.post("/api/admin/vendors", { vendor_name: "Potter" })).code, "key_reads_only");
    });

    it("no orders in work, without the override that their user has", async () => {
      const warehouse_id = await fixtures.warehouse();
      const page_keys = ["sales-orders", "so-full-edit"];
      const user = await service.user({ warehouse_ids: [warehouse_id], page_keys });
      const { item_id } = await fixtures.item();
      const { so_id } = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
      await db.run("update sales_orders set status = 'PICKED' where so_id = $1", [so_id]);
      const edit = async (caller: Caller) =>
        (await caller.put(`/api/admin/sales-orders/${so_id}`, { customer_name: "Ada" })).status;
      assert.equal(await edit(await keyCaller(service, user, { page_keys: ["sales-orders"] })), 403);
      assert.equal(await edit(await keyCaller(service, user, { page_keys })), 200);
    });

    it("no way in: a person makes and changes those", async () => {
      const key = await keyCaller(service, service.admin);
      const closed = routes.filter(isByPersonOnly);
      const ask = async ({ method, path, for: permission }: (typeof routes)[number]) => {
        if (permission.kind === "open") return "not_with_a_key";
        const body = method === "get" ? undefined : {};
        return (await key.call(method.toUpperCase(), path.replace(/:\w+/g, "1"), body)).code;
      };
      for (const route of closed) assert.equal(await ask(route), "not_with_a_key", `${route.method} ${route.path}`);
      assert.deepEqual(
        pluckAll(closed, "method", "path")
          .map((line) => line.join(" "))
          .filter((line) => line.includes("/api/admin/"))
          .sort(),
        [
          "delete /api/admin/keys/:key_id",
          "delete /api/admin/partner-links/:partner_link_id",
          "delete /api/admin/users/:user_id",
          "delete /api/admin/users/:user_id/badge",
          "delete /api/admin/users/:user_id/factors",
          "delete /api/admin/users/:user_id/sessions",
          "patch /api/admin/tokens/:token_id",
          "post /api/admin/agent-approvals/:approval_id/approve",
          "post /api/admin/agent-approvals/:approval_id/reject",
          ...["post /api/admin/partner-links", "post /api/admin/sandboxes"],
          "post /api/admin/tokens",
          "post /api/admin/tokens/:token_id/rotate",
          "post /api/admin/users",
          "post /api/admin/users/:user_id/badge",
          "put /api/admin/sign-in/mapping",
          "put /api/admin/tokens/:token_id",
          "put /api/admin/users/:user_id",
          "put /api/admin/users/:user_id/sign-in",
        ],
      );
    });
  });

  describe("that are revoked", () => {
    it("open nothing from then on; others' are revoked by an ADMIN alone", async () => {
      const [user, other] = [await service.user(), await service.user()];
      const [one, two] = [await make(user), await make(user)];
      assert.equal((await other.delete(`${KEYS}/${one.key_id}`)).code, "key_not_found");
      assert.equal((await withKey(one.key).get("/api/auth/me")).status, 200);
      const mark = await auditMark();
      assert.equal((await user.delete(`${KEYS}/${one.key_id}`)).status, 200);
      assert.equal((await withKey(one.key).get("/api/auth/me")).status, 401);
      assert.equal((await user.delete(`${KEYS}/${one.key_id}`)).code, "key_not_found");
      assert.equal((await other.delete(`/api/admin/keys/${two.key_id}`)).code, "forbidden");
      assert.equal((await service.admin.delete(`/api/admin/keys/${two.key_id}`)).status, 200);
      assert.equal((await withKey(two.key).get("/api/auth/me")).status, 401);
      assert.equal((await service.admin.delete(`/api/admin/keys/${two.key_id}`)).code, "key_not_found");
      assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "entity_id", "user_id"), [
        ["KEY_REVOKE", one.key_id, user.username],
        ["KEY_REVOKE", two.key_id, "admin"],
      ]);
      assert.deepEqual(pluck((await user.ok("GET", KEYS)).keys, "key_id"), []);
    });
  });

  it("that are unknown, expired, or sent as something else, have one answer, and are in the security log", async () => {
    const user = await service.user();
    const { key } = await make(user);
    const expired = await keyCaller(service, user, { expires_at: "2020-01-01T00:00:00Z" });
    const callers = {
      unknown: withKey("wes_nobody"),
      expired,
      cookie: service.anyone.with({ cookie: `service_auth=${key}` }),
      token: service.anyone.with({ "x-wms-token": key }),
    };
    for (const [how, caller] of Object.entries(callers)) {
      const { status, code } = await caller.get("/api/auth/me");
      assert.deepEqual([status, code], [401, "unauthorized"], how);
    }
    const named = withKey(key).with({ "x-expected-user": "00000000-0000-0000-0000-000000000000" });
    assert.equal((await named.get("/api/auth/me")).code, "other_user");
    const lines = await logged("info", () => withKey(key).get("/api/admin/users"));
    const [line] = lines.filter(({ msg }) => msg === "request refused");
    assert.deepEqual([line?.kind, line?.user, typeof line?.keyId], ["permission_denied", user.username, "number"]);
  });

  it("are no way round a second factor that the role needs", async () => {
    const user = await withApp(service.anyone, { role: "USER" });
    const without = await service.user();
    const [key, bare] = [await keyCaller(service, { userId: user.user_id }), await keyCaller(service, without)];
    await setting({ second_factor_roles: "USER" });
    assert.equal((await key.get("/api/auth/me")).status, 200);
    assert.equal((await key.get("/api/admin/saved-views?list=orders")).status, 200);
    assert.equal((await bare.get("/api/admin/saved-views?list=orders")).code, "second_factor_enrolment_required");
    await setting({ second_factor_roles: "" });
  });
});
