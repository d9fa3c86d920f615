import assert from "node:assert/strict";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { fresh, useTestMappings } from "../support/inbound.js";
import { partnerCaller } from "../support/partners.js";
import { testService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";
import { connector, numberedEvent } from "../support/webhooks.js";

const INBOUND = "/api/partner/inbound";
const PUSH = "/api/v1/inbound";

describe("what a partner sees of its pushes and of its polling", () => {
  const service = testService();
  before(() => useTestMappings());
  const opened = async () => {
    const connector_id = await connector();
    const warehouse_id = await fixtures.warehouse();
    const token = await tokenCaller(service, {
      ...{ connector_id, source_system: "shop", warehouse_ids: [warehouse_id] },
      ...{ inbound_resources: ["items", "sales_orders"], endpoints: ["events.poll"], event_types: ["ship.confirmed"] },
    });
    const { caller } = await partnerCaller(service, { connector_id });
    return { connector_id, warehouse_id, token, caller };
  };
  const order = (warehouse_id: number, item: string) => ({
    ...{ so_number: fresh("SO"), warehouse_id, lines: [{ item_id: item, quantity_ordered: 1 }] },
  });
  const attempt = (fields: object) => ({ source_system: "shop", resource: "sales_orders", ...fields });

  it("are its own pushes with the reasons of refusals, though others push for the same system", async () => {
    const { caller, token, warehouse_id } = await opened();
    const other = await opened();
    const external_id = fresh("order");
    const source_payload = order(warehouse_id, "no such item");
    const refused = await token.caller.post(`${PUSH}/sales_orders`, {
      external_id,
      external_version: "1",
      source_payload,
    });
    assert.equal(refused.body.error_kind, "cross_system_lookup_miss");
    const { rows } = await caller.ok("GET", INBOUND);
    assert.deepEqual(
      rows.map((row: Record<string, unknown>) => [row.external_id, row.status]),
      [[external_id, "lookup_miss"]],
    );
    const path = `${INBOUND}/sales_orders/${rows[0].inbound_id}`;
    const shown = await caller.ok("GET", path);
    assert.deepEqual([shown.refusal.error_kind, shown.source_payload], ["cross_system_lookup_miss", source_payload]);
    assert.deepEqual((await other.caller.ok("GET", INBOUND)).rows, []);
    assert.equal((await other.caller.get(path)).status, 404);
    assert.equal((await caller.get(`${INBOUND}?resource=boats`)).status, 400);
    assert.equal((await caller.get(`${INBOUND}?status=lost`)).status, 400);
    assert.equal((await caller.get(`${INBOUND}/boats/1`)).status, 400);
  });

  it("say beforehand what a push would become, and change nothing", async () => {
    const { caller, token, warehouse_id } = await opened();
    const item = fresh("item");
    const pushed = {
      external_id: item,
      external_version: "1",
      source_payload: { sku: fresh("SKU"), item_name: "Mug" },
    };
    const tried = await caller.ok(
      "POST",
      `${INBOUND}/try`,
      attempt({ resource: "items", source_payload: pushed.source_payload }),
    );
    assert.equal(tried.outcome, "create");
    assert.equal((await token.caller.post(`${PUSH}/items`, pushed)).status, 201);
    const source_payload = order(warehouse_id, item);
    const external_id = fresh("order");
    const whole = await caller.ok("POST", `${INBOUND}/try`, attempt({ source_payload, external_id }));
    assert.deepEqual([whole.outcome, whole.refusal], ["create", null]);
    const count = "select count(*)::int from sales_orders where so_number = $1";
    assert.equal(await db.value(count, [source_payload.so_number]), 0);
    const lost = await caller.ok("POST", `${INBOUND}/try`, attempt({ source_payload: order(warehouse_id, "nothing") }));
    assert.equal(lost.refusal.error_kind, "cross_system_lookup_miss");
    const elsewhere = await fixtures.warehouse();
    const away = await caller.ok("POST", `${INBOUND}/try`, attempt({ source_payload: order(elsewhere, item) }));
    assert.equal(away.refusal.error_kind, "warehouse_scope_violation");
    const sent = { external_id, external_version: "1", source_payload };
    assert.equal((await token.caller.post(`${PUSH}/sales_orders`, sent)).status, 201);
    await db.run("update wms_tokens set warehouse_ids = array[$2::int] where token_id = $1", [
      token.token_id,
      elsewhere,
    ]);
    assert.equal((await caller.post(`${INBOUND}/try`, attempt({ source_payload, external_id }))).status, 403);
  });

  it("are tried only as its tokens push", async () => {
    const { caller, token, warehouse_id } = await opened();
    const code = async (fields: object) =>
      (await caller.post(`${INBOUND}/try`, attempt({ source_payload: order(warehouse_id, "x"), ...fields }))).code;
    assert.equal(await code({ source_system: "needy" }), "not_in_partner_link");
    assert.equal(await code({ resource: "vendors" }), "not_in_partner_link");
    const draft = { mapping_document: "{}", source_payload: {} };
    assert.equal((await caller.post(`${INBOUND}/try`, attempt(draft))).status, 400);
    await db.run("update wms_tokens set status = 'revoked', revoked_at = now() where token_id = $1", [token.token_id]);
    assert.equal(await code({}), "not_in_partner_link");
  });

  it("say how far its readers are, and with which tokens it comes", async () => {
    const { caller, connector_id, token } = await opened();
    const other = await opened();
    const event_id = await numberedEvent();
    await db.run("update integration_events set visible_at = now() - interval '3 seconds' where event_id = $1", [
      event_id,
    ]);
    const group = fresh("group");
    await service.admin.ok("POST", "/api/admin/consumer-groups", { consumer_group_id: group, connector_id });
    await db.run("update consumer_groups set last_cursor = $2 where consumer_group_id = $1", [group, event_id - 1]);
    const { newest_event_id, consumer_groups, tokens } = await caller.ok("GET", "/api/partner/polling");
    assert.deepEqual(
      [newest_event_id, consumer_groups.length, consumer_groups[0].consumer_group_id, consumer_groups[0].behind],
      [event_id, 1, group, 1],
    );
    assert.deepEqual(
      tokens.map(({ token_id, endpoints }: Record<string, unknown>) => [token_id, endpoints]),
      [[token.token_id, ["events.poll"]]],
    );
    assert.ok(!JSON.stringify(tokens).includes(token.plaintext));
    assert.deepEqual((await other.caller.ok("GET", "/api/partner/polling")).consumer_groups, []);
  });
});
