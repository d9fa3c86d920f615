import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type Caller, statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import { warehouse } from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

const ROUTE = "/api/admin/connector-registry";

describe("the connector registry", () => {
  const service = testService();
  let keeper: Caller;
  let mark: number;
  before(async () => {
    keeper = await service.user({ page_keys: ["consumer-groups"] });
  });
  beforeEach(async () => {
    mark = await auditMark();
  });

  const audited = () => auditSince(mark);
  const audit = (action: string, details: object) => ({
    ...{ action_type: `CONNECTOR_REGISTRY_${action}`, entity_id: 0 },
    ...{ entity_type: "CONNECTOR_REGISTRY", user_id: keeper.username },
    ...{ warehouse_id: null, details },
  });
  async function connector() {
    const body = { connector_id: randomUUID(), display_name: "ERP" };
    await keeper.ok("POST", ROUTE, body);
    mark = await auditMark();
    return body;
  }

  it("takes a name once, and lists the names by id", async () => {
    const erp = { connector_id: "erp", display_name: "ERP of Acme" };
    const added = await keeper.post(ROUTE, erp);
    const { created_at, updated_at, ...rest } = added.body;
    assert.deepEqual([added.status, rest], [201, erp]);
    assert.deepEqual(await audited(), [audit("CREATE", erp)]);
    await keeper.ok("POST", ROUTE, { connector_id: "bi", display_name: "Reports" });
    const { connectors } = await keeper.ok("GET", ROUTE);
    assert.deepEqual(pluck(connectors, "connector_id"), ["bi", "erp"]);
    assert.deepEqual(connectors[1], added.body);
    assert.equal(created_at, updated_at);
    const again = await keeper.post(ROUTE, { ...erp, display_name: "Other" });
    assert.deepEqual([again.status, again.body], [409, { error: "duplicate_connector_id", connector_id: "erp" }]);
  });

  it("names to a user only the connectors of own warehouses and own ones that own nothing yet", async () => {
    const [here, there] = [await warehouse(), await warehouse()];
    const clerk = await service.user({ page_keys: ["consumer-groups"], warehouse_ids: [here] });
    const make = async (owned: string, ...warehouse_ids: number[]) => {
      const { connector_id } = await connector();
      if (owned) await db.run(owned, [connector_id, randomUUID(), JSON.stringify({ warehouse_ids })]);
      return connector_id;
    };
    const group = "insert into consumer_groups (connector_id, consumer_group_id, subscription) values ($1, $2, $3)";
    const webhook = `insert into webhook_subscriptions (connector_id, display_name, delivery_url, subscription_filter)
      values ($1, $2, 'https://example.com/', $3)`;
    const token = `insert into wms_tokens (connector_id, token_name, token_hash, warehouse_ids)
      select $1, $2::text, $2::text, array(select jsonb_array_elements_text($3::jsonb->'warehouse_ids')::int)`;
    const mine = randomUUID();
    await clerk.ok("POST", ROUTE, { connector_id: mine, display_name: "Mine" });
    const own = [mine, await make(group, here), await make(webhook, here), await make(token, here)];
    const others = [
      await make(""),
      await make(group, there),
      await make(webhook, here, there),
      await make(token, there),
    ];
    const { connectors } = await clerk.ok("GET", ROUTE);
    const named = connectors.map((one: { connector_id: string }) => one.connector_id);
    assert.deepEqual(
      [...own, ...others].filter((id) => named.includes(id)),
      own,
    );
    for (const id of others) {
      assert.equal((await clerk.patch(`${ROUTE}/${id}`, { display_name: "Mine" })).status, 404);
      assert.equal((await clerk.delete(`${ROUTE}/${id}`)).status, 404);
    }
    const all = (await service.admin.ok("GET", ROUTE)).connectors.map(
      (one: { connector_id: string }) => one.connector_id,
    );
    assert.ok(others.every((id) => all.includes(id)));
  });

  it("shows a connector under a new name", async () => {
    const { connector_id } = await connector();
    const path = `${ROUTE}/${connector_id}`;
    const renamed = await keeper.patch(path, { display_name: "Newer" });
    assert.equal(renamed.status, 200);
    assert.deepEqual([renamed.body.connector_id, renamed.body.display_name], [connector_id, "Newer"]);
    assert.ok(renamed.body.updated_at > renamed.body.created_at);
    assert.deepEqual(await audited(), [
      audit("UPDATE", { connector_id, display_name: "Newer", changed: { display_name: { old: "ERP", new: "Newer" } } }),
    ]);
    const unknown = await keeper.patch(`${ROUTE}/nobody`, { display_name: "Newer" });
    assert.deepEqual([unknown.status, unknown.body], [404, { error: "connector_not_found" }]);
  });

  it("lets a connector go that owns nothing", async () => {
    const body = await connector();
    const path = `${ROUTE}/${body.connector_id}`;
    const deleted = await keeper.delete(path);
    assert.deepEqual([deleted.status, deleted.body], [200, { connector_id: body.connector_id, deleted: true }]);
    assert.deepEqual(await audited(), [audit("DELETE", body)]);
    assert.deepEqual(statusAndBody(await keeper.delete(path)), [404, { error: "connector_not_found" }]);
  });

  it("keeps a connector that owns groups, webhooks or tokens, and counts them", async () => {
    const { connector_id } = await connector();
    const path = `${ROUTE}/${connector_id}`;
    const own: [string, object][] = [
      [
        `insert into consumer_groups (consumer_group_id, connector_id) select 'g' || n, $1
          from generate_series(1, 2) n`,
        { consumer_groups: 2, webhook_subscriptions: 0, tokens: 0 },
      ],
      [
        `insert into webhook_subscriptions (connector_id, display_name, delivery_url)
          values ($1, 'Orders', 'https://example.com/')`,
        { consumer_groups: 2, webhook_subscriptions: 1, tokens: 0 },
      ],
      [
        `insert into wms_tokens (token_name, token_hash, connector_id) values ('poller', 'a hash', $1)`,
        { consumer_groups: 2, webhook_subscriptions: 1, tokens: 1 },
      ],
    ];
    for (const [insert, counts] of own) {
      await db.run(insert, [connector_id]);
      const { status, body } = await keeper.delete(path);
      const { detail, ...rest } = body;
      assert.deepEqual([status, rest], [409, { error: "connector_in_use", ...counts }]);
      assert.match(detail, /tokens of this connector first/);
    }
    await db.run("delete from consumer_groups where connector_id = $1", [connector_id]);
    await db.run("delete from webhook_subscriptions where connector_id = $1", [connector_id]);
    const { body } = await keeper.delete(path);
    assert.deepEqual([body.error, body.tokens], ["connector_in_use", 1]);
    assert.deepEqual(await audited(), []);
  });

  it("does not let a connector go under a group that is just being made", async () => {
    for (let i = 0; i < 10; i++) {
      const { connector_id } = await connector();
      const [made, deleted] = await Promise.all([
        keeper.post("/api/admin/consumer-groups", { consumer_group_id: randomUUID(), connector_id }),
        keeper.delete(`${ROUTE}/${connector_id}`),
      ]);
      const statuses = [made.status, deleted.status].join();
      assert.ok(["201,409", "400,200"].includes(statuses), statuses);
    }
  });
});
