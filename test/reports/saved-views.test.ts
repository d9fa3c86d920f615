import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { testService } from "../support/service.js";
import { unique } from "../support/unique.js";

const VIEWS = "/api/admin/saved-views";

describe("saved views", () => {
  const service = testService();
  const lead = () => service.user();
  const save = (by: Caller, more: object = {}) =>
    by.ok("POST", VIEWS, { list: "orders", view_name: unique(), parameters: "status=OPEN&sort=so_number", ...more });
  const namesOf = async (by: Caller, query = "") =>
    (await by.ok("GET", VIEWS + query)).saved_views.map(({ view_name }: { view_name: string }) => view_name);

  it("are their owner's, and everybody's once they are shared", async () => {
    const [ann, bob] = [await lead(), await lead()];
    const own = await save(ann);
    const shared = await save(ann, { is_shared: true });
    const { view_id, created_at, ...view } = own;
    assert.deepEqual(view, {
      ...{ list: "orders", view_name: own.view_name, parameters: "status=OPEN&sort=so_number" },
      ...{ is_shared: false, owner: ann.username, is_own: true },
    });
    assert.ok(view_id > 0 && created_at);
    const { saved_views } = await bob.ok("GET", VIEWS);
    const [seen] = saved_views.filter(({ owner }: { owner: string }) => owner === ann.username);
    assert.deepEqual(seen, { ...shared, is_own: false });
    assert.deepEqual(
      [...(await namesOf(ann))].filter((name) => [own.view_name, shared.view_name].includes(name)).sort(),
      [own.view_name, shared.view_name].sort(),
    );
    assert.ok(!(await namesOf(bob)).includes(own.view_name));
  });

  it("are read for one list", async () => {
    const ann = await lead();
    const [orders, items] = [await save(ann), await save(ann, { list: "items" })];
    const found = await namesOf(ann, "?list=items");
    assert.ok(found.includes(items.view_name) && !found.includes(orders.view_name));
  });

  it("have one name for each list and owner", async () => {
    const [ann, bob] = [await lead(), await lead()];
    const { view_name } = await save(ann, { is_shared: true });
    const again = await ann.post(VIEWS, { list: "orders", view_name, parameters: "" });
    assert.deepEqual([again.status, again.code], [409, "saved_view_name_taken"]);
    await save(ann, { list: "items", view_name });
    await save(bob, { view_name });
  });

  it("are deleted by their owner, or as shared ones by an ADMIN, and leave rows in the audit log", async () => {
    const [ann, bob] = [await lead(), await lead()];
    const [own, shared] = [await save(ann), await save(ann, { is_shared: true })];
    const path = ({ view_id }: { view_id: number }) => `${VIEWS}/${view_id}`;
    const codeOf = async (by: Caller, of: { view_id: number }) => {
      const { status, code } = await by.delete(path(of));
      return [status, code];
    };
    assert.deepEqual(await codeOf(bob, own), [404, "saved_view_not_found"]);
    assert.deepEqual(await codeOf(service.admin, own), [404, "saved_view_not_found"]);
    assert.deepEqual(await codeOf(bob, shared), [403, "saved_view_not_yours"]);
    await service.admin.ok("DELETE", path(shared));
    await ann.ok("DELETE", path(own));
    assert.deepEqual(await codeOf(ann, own), [404, "saved_view_not_found"]);
    const entries = await db.rows(
      `select action_type, entity_id, details from audit_log
       where entity_type = 'SAVED_VIEW' and entity_id = any($1) order by log_id`,
      [[own.view_id, shared.view_id]],
    );
    const { list, view_name } = own;
    const of = { list, view_name: shared.view_name };
    assert.deepEqual(entries, [
      { action_type: "CREATE", entity_id: own.view_id, details: { list, view_name, is_shared: false } },
      { action_type: "CREATE", entity_id: shared.view_id, details: { ...of, is_shared: true } },
      { action_type: "DELETE", entity_id: shared.view_id, details: of },
      { action_type: "DELETE", entity_id: own.view_id, details: { list, view_name } },
    ]);
  });

  it("are refused without a name or with a list that is none, and then nothing is kept", async () => {
    const ann = await lead();
    for (const wrong of [{ view_name: " " }, { list: "../orders" }, { parameters: "x".repeat(2_001) }, { more: 1 }]) {
      const body = { list: "orders", view_name: "mine", parameters: "", ...wrong };
      assert.equal((await ann.post(VIEWS, body)).status, 400, JSON.stringify(wrong));
    }
    assert.ok(!(await namesOf(ann)).includes("mine"));
  });

  it("go with their owner", async () => {
    const ann = await lead();
    const { view_id } = await save(ann);
    await service.admin.ok("DELETE", `/api/admin/users/${ann.userId}`);
    assert.equal(await db.value("select count(*)::int from saved_views where view_id = $1", [view_id]), 0);
  });
});
