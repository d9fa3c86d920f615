import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { sandboxWorkflowId } from "../../src/sandboxes/workflow.js";
import { startMissing } from "../../workers/reconcile.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { senderEnv } from "../support/deliveries.js";
import { bin, item, warehouse } from "../support/fixtures.js";
import { fresh, push, pushedItem, sender, useTestMappings } from "../support/inbound.js";
import { partnerCaller } from "../support/partners.js";
import { EVENTS, runAgeing } from "../support/polling.js";
import { insertSandbox } from "../support/sandbox-requests.js";
import { openService, type TestService, testService } from "../support/service.js";
import { openSink, type Sink } from "../support/sink.js";
import { until } from "../support/until.js";
import { connector, WEBHOOKS } from "../support/webhooks.js";

const SANDBOXES = "/api/admin/sandboxes";
const OWN = "/api/partner/sandbox";
const ORDERS = "/api/admin/sales-orders";

// biome-ignore lint/suspicious/noExplicitAny: answers of the service
type Json = any;

describe("a sandbox of a partner", function () {
  this.timeout(120_000);
  let service: TestService;
  let ageing: { stop: () => Promise<void> };
  let sink: Sink;
  before(async () => {
    service = await openService({ worker: true, env: senderEnv });
    ageing = runAgeing();
    sink = await openSink();
  });
  after(async () => {
    await sink?.stop();
    await ageing?.stop();
    await service?.close();
  });

  /** A sandbox that has its stock, and moves by itself only once in an hour. */
  async function begun(pace_seconds = 3600): Promise<{ sandbox: Json; path: string; partner: Caller }> {
    const body = { connector_id: await connector(), pace_seconds };
    const { sandbox, token } = await service.admin.ok("POST", SANDBOXES, body);
    const path = `${SANDBOXES}/${sandbox.sandbox_id}`;
    await until(async () => (await service.admin.ok("GET", path)).state === "MOVING", 30_000);
    return { sandbox, path, partner: service.anyone.with({ "x-wms-token": token }) };
  }

  const step = (path: string, scenario: string) => service.admin.ok("POST", `${path}/step`, { scenario });

  async function orderOf(number: string): Promise<Json> {
    const so_id = await db.value<number>("select so_id from sales_orders where so_number = $1", [number]);
    return (await service.admin.ok("GET", `${ORDERS}/${so_id}`)).sales_order;
  }

  async function typesOf(partner: Caller): Promise<string[]> {
    const { events } = await partner.ok("GET", `${EVENTS}?limit=500`);
    return events.map((event: Json) => event.event_type);
  }

  it("has an order go through its warehouse by the usual steps, whose events its token polls", async () => {
    const { sandbox, path, partner } = await begun();
    const { scenario, number, done } = await step(path, "order");
    assert.equal(scenario, "order");
    assert.equal(done.at(-1), `${number} is shipped`);
    assert.equal((await orderOf(number)).status, "SHIPPED");
    await until(async () => (await typesOf(partner)).includes("ship.confirmed"));
    const { events } = await partner.ok("GET", `${EVENTS}?limit=500`);
    assert.deepEqual([...new Set(events.map((event: Json) => event.warehouse_id))], [sandbox.warehouse_id]);
    const audited = await db.rows<{ user_id: string }>(
      "select distinct user_id from audit_log where warehouse_id = $1 and action_type in ('PICK', 'PACK', 'SHIP')",
      [sandbox.warehouse_id],
    );
    assert.deepEqual(audited, [{ user_id: "system:sandbox" }]);
  });

  for (const [asked, status, last] of [
    ["short", "SHIPPED", "is shipped"],
    ["cancellation", "CANCELLED", "is cancelled"],
    ["return", "SHIPPED", "is received"],
  ] as const)
    it(`has an order that becomes a ${asked}`, async () => {
      const { sandbox, path } = await begun();
      const { number, done } = await step(path, asked);
      assert.ok(done.at(-1).endsWith(last), done.join("\n"));
      const order = await orderOf(number);
      assert.equal(order.status, status);
      assert.equal(order.warehouse_id, sandbox.warehouse_id);
      if (asked === "short") assert.ok(done.some((one: string) => / of \d+ .* are found$/.test(one)));
      if (asked === "return") assert.equal((await orderOf(`${number}-RMA`)).status, "RECEIVED");
    });

  it("has a delivery, and does the same request once", async () => {
    const { path } = await begun();
    const keyed = service.admin.with({ "idempotency-key": path });
    const first = await keyed.ok("POST", `${path}/step`, { scenario: "receipt" });
    assert.deepEqual(await keyed.ok("POST", `${path}/step`, { scenario: "receipt" }), first);
    assert.equal(first.done.at(-1), `${first.number} is received`);
    const other = await keyed.post(`${path}/step`, { scenario: "order" });
    assert.deepEqual([other.status, other.code], [409, "idempotency_key_reuse"]);
  });

  it("tells webhooks that name its warehouse, and none that ask for all", async () => {
    const subscribe = async (at: string, subscription_filter: object) =>
      service.admin.ok("POST", WEBHOOKS, {
        ...{ connector_id: await connector(), display_name: at, delivery_url: `${sink.url}/${at}` },
        ...{ subscription_filter, rate_limit_per_second: 100 },
      });
    const { sandbox, path } = await begun();
    const real = await warehouse();
    await subscribe("all", {});
    await subscribe("sandbox", { warehouse_ids: [sandbox.warehouse_id] });
    const { number } = await step(path, "order");
    const toldOf = (at: string) =>
      sink.received.filter((one) => one.path === `/${at}`).map(({ body }) => JSON.parse(body.toString()));
    await until(() => toldOf("sandbox").some(({ event_type }) => event_type === "ship.confirmed"), 30_000);
    // What happens afterwards in a real warehouse comes to the one for all, which has passed over the rest.
    const { item_id } = await item();
    const bin_id = await bin(real);
    const added = { item_id, bin_id, warehouse_id: real, adjustment_type: "ADD", quantity: 5, reason: "found" };
    await service.admin.ok("POST", "/api/admin/adjustments/direct", added);
    await until(() => toldOf("all").length > 0, 30_000);
    assert.deepEqual([...new Set(toldOf("all").map(({ warehouse_id }) => warehouse_id))], [real]);
    assert.ok(number);
  });

  it("is in no list, dashboard, search or choice of real warehouses, unless it is named", async () => {
    const { sandbox, path } = await begun();
    const { warehouse_id } = sandbox;
    const { number } = await step(path, "order");
    const { admin } = service;
    const orders = await admin.ok("GET", `${ORDERS}?q=${number}`);
    assert.equal(orders.total, 0);
    assert.equal((await admin.ok("GET", `${ORDERS}?q=${number}&warehouse_id=${warehouse_id}`)).total, 1);
    assert.equal((await admin.ok("GET", "/api/admin/items?q=SANDBOX-")).total, 0);
    assert.equal((await admin.ok("GET", `/api/admin/inventory?q=${sandbox.warehouse_code}`)).total, 0);
    const choices = await admin.ok("GET", "/api/warehouses/list");
    assert.ok(!JSON.stringify(choices).includes(sandbox.warehouse_code));
    const found = await admin.ok("GET", `/api/admin/search?q=${number}`);
    assert.deepEqual(found.results, []);
    const { warehouses } = await admin.ok("GET", "/api/admin/warehouses?per_page=1000");
    const marked = warehouses.filter((one: Json) => one.is_sandbox).map((one: Json) => one.warehouse_id);
    assert.ok(marked.includes(warehouse_id));
    assert.deepEqual((await admin.ok("GET", "/api/admin/search?q=SANDBOX-")).results, []);
    assert.deepEqual(await admin.ok("GET", "/api/lookup/item/search?q=SANDBOX-"), []);
    assert.ok((await admin.ok("GET", `/api/lookup/item/search?q=SANDBOX-&warehouse_id=${warehouse_id}`)).length > 0);
    const nowhere = `LOT-${randomUUID()}`;
    await db.run("insert into lots (item_id, lot_number) values ($1, $2)", [(await item()).item_id, nowhere]);
    const lots = await admin.ok("GET", `/api/admin/search?q=${nowhere}`);
    assert.deepEqual(
      lots.results.map((one: Json) => [one.type, one.label]),
      [["lot", nowhere]],
    );
    const audited = async (query: string) => (await admin.ok("GET", `/api/admin/audit-log?${query}`)).entries;
    assert.ok((await audited("per_page=100")).every((one: Json) => one.warehouse_id !== warehouse_id));
    const hereAlone = await audited(`warehouse_id=${warehouse_id}`);
    assert.ok(hereAlone.length > 0);
    assert.ok(hereAlone.every((one: Json) => one.warehouse_id === warehouse_id));
    const dashboard = await admin.ok("GET", "/api/admin/dashboard");
    await step(path, "short");
    const counts = async (query: string) => (await admin.ok("GET", `/api/admin/cycle-counts?${query}`)).cycle_counts;
    assert.ok((await counts(`warehouse_id=${warehouse_id}`)).length > 0);
    assert.ok((await counts("")).every((one: Json) => one.warehouse_id !== warehouse_id));
    const here = await admin.ok("GET", `/api/admin/dashboard?warehouse_id=${warehouse_id}`);
    assert.notDeepEqual(dashboard, here);
  });

  it("takes what a token of its warehouse pushes, and that token pushes into no other", async () => {
    await useTestMappings();
    const { sandbox } = await begun();
    const shop = await sender(service, { warehouse_ids: [sandbox.warehouse_id] });
    const { external_id } = await pushedItem(shop);
    const lines = [{ item_id: external_id, quantity_ordered: 1, line_number: 1 }];
    const pushed = (so_number: string, warehouse_id: number) =>
      push(shop, "sales_orders", so_number, 1, { so_number, warehouse_id, lines });
    const number = fresh("SO");
    const taken = await pushed(number, sandbox.warehouse_id);
    assert.ok(taken.status < 300, JSON.stringify(taken.body));
    assert.equal((await orderOf(number)).warehouse_id, sandbox.warehouse_id);
    assert.equal((await service.admin.ok("GET", `${ORDERS}?q=${number}`)).total, 0);
    const other = fresh("SO");
    const refused = await pushed(other, await warehouse());
    assert.equal(refused.status, 403, JSON.stringify(refused.body));
    assert.equal(await db.value("select count(*)::int from sales_orders where so_number = $1", [other]), 0);
  });

  it("moves by itself while somebody looks, rests when nobody does, and goes on", async () => {
    const { sandbox, path } = await begun(1);
    const { sandbox_id } = sandbox;
    const moves = async () => (await service.admin.ok("GET", path)).moves;
    await until(async () => (await moves()) > 3, 60_000);
    await db.run("update sandboxes set used_at = now() - interval '1 hour' where sandbox_id = $1", [sandbox_id]);
    await db.run("update wms_tokens set last_used_at = null where warehouse_ids = array[$1::int]", [
      sandbox.warehouse_id,
    ]);
    const details = async () => {
      const { raw } = await temporalClient().workflow.getHandle(sandboxWorkflowId(sandbox_id)).describe();
      return JSON.stringify(raw.workflowExecutionInfo?.searchAttributes?.indexedFields?.Stage?.data?.toString());
    };
    await until(async () => (await details()).includes("resting"), 30_000);
    const rested = await db.value<number>("select moves from sandboxes where sandbox_id = $1", [sandbox_id]);
    // Looking at it is a use, which it is told of.
    assert.equal((await service.admin.ok("GET", path)).state, "RESTING");
    await until(async () => (await moves()) > (rested ?? 0), 60_000);
    await service.admin.ok("PUT", path, { pace_seconds: 3600 });
  });

  it("goes on from its row when its workflow is lost", async () => {
    const { sandbox, path } = await begun();
    const handle = temporalClient().workflow.getHandle(sandboxWorkflowId(sandbox.sandbox_id));
    await handle.terminate("lost");
    const { started } = await startMissing(temporalClient(), service.config);
    assert.ok(started.includes(sandboxWorkflowId(sandbox.sandbox_id)));
    assert.equal((await step(path, "order")).done.at(-1).endsWith("is shipped"), true);
  });

  it("ends with its warehouse and items, tokens and webhooks; events and audit rows stay", async () => {
    const { sandbox, path, partner } = await begun();
    const { warehouse_id, sandbox_id } = sandbox;
    await step(path, "order");
    const { subscription_id } = await service.admin.ok("POST", WEBHOOKS, {
      ...{ connector_id: sandbox.connector_id, display_name: "ends", delivery_url: `${sink.url}/ends` },
      subscription_filter: { warehouse_ids: [warehouse_id] },
    });
    const ended = await service.admin.ok("DELETE", path);
    assert.deepEqual([ended.state, ended.ended_by], ["ENDED", "admin"]);
    const left = await db.row<Json>(
      `select (select count(*)::int from warehouses where warehouse_id = $1) as warehouses,
              (select count(*)::int from items where sku like $2 || '-%') as items,
              (select count(*)::int from sales_orders where warehouse_id = $1) as orders,
              (select count(*)::int from integration_events where warehouse_id = $1) > 0 as has_events`,
      [warehouse_id, sandbox.warehouse_code],
    );
    assert.deepEqual(left, { warehouses: 0, items: 0, orders: 0, has_events: true });
    assert.equal((await partner.get(EVENTS)).status, 401);
    assert.equal((await service.admin.ok("GET", `${WEBHOOKS}/${subscription_id}`)).status, "revoked");
    for (const answer of [
      await service.admin.delete(path),
      await service.admin.put(path, { pace_seconds: 9 }),
      await service.admin.post(`${path}/step`, { scenario: "order" }),
    ])
      assert.deepEqual([answer.status, answer.code], [409, "sandbox_ended"]);
    const handle = temporalClient().workflow.getHandle(sandboxWorkflowId(sandbox_id));
    assert.deepEqual(await handle.result(), { sandbox_id, ended: "stopped" });
    // A partner may have another one then.
    await service.admin.ok("POST", SANDBOXES, { connector_id: sandbox.connector_id });
  });

  it("ends by itself when nobody has used it for days", async () => {
    const { sandbox } = await begun(1);
    const { sandbox_id, warehouse_id } = sandbox;
    await db.run("update wms_tokens set last_used_at = null where warehouse_ids = array[$1::int]", [warehouse_id]);
    await db.run("update sandboxes set used_at = now() - interval '1 year' where sandbox_id = $1", [sandbox_id]);
    const handle = temporalClient().workflow.getHandle(sandboxWorkflowId(sandbox_id));
    await handle.signal("changed");
    assert.deepEqual(await handle.result(), { sandbox_id, ended: "expired" });
    assert.equal((await service.admin.ok("GET", `${SANDBOXES}/${sandbox_id}`)).ended_by, "system");
  });

  it("refuses what cannot be begun or moved", async () => {
    const { admin } = service;
    const codeOf = async (answer: Promise<Json>) => {
      const { status, code, body } = await answer;
      return [status, code ?? body.error];
    };
    const { sandbox, path } = await begun();
    const { connector_id, sandbox_id, warehouse_id } = sandbox;
    assert.deepEqual(await codeOf(admin.post(SANDBOXES, { connector_id: "nobody" })), [400, "connector_not_found"]);
    assert.deepEqual(await codeOf(admin.post(SANDBOXES, { connector_id })), [409, "sandbox_there"]);
    assert.deepEqual(await codeOf(admin.get(`${SANDBOXES}/999999999`)), [404, "sandbox_not_found"]);
    for (const answer of [
      admin.delete(`${SANDBOXES}/999999999`),
      admin.put(`${SANDBOXES}/999999999`, { pace_seconds: 9 }),
      admin.post(`${SANDBOXES}/999999999/step`, { scenario: "order" }),
    ])
      assert.deepEqual(await codeOf(answer), [404, "sandbox_not_found"]);
    assert.equal((await admin.post(`${path}/step`, { scenario: "flood" })).status, 400);
    await db.run(
      `insert into sales_orders (so_number, so_barcode, warehouse_id, status)
       select 'full-' || $1 || '-' || n, 'full-' || $1 || '-' || n, $2, 'CANCELLED' from generate_series(1, 2000) as n`,
      [String(sandbox_id), warehouse_id],
    );
    assert.deepEqual(await codeOf(admin.post(`${path}/step`, { scenario: "order" })), [409, "sandbox_full"]);
    const own = (await partnerCaller(service, { connector_id })).caller;
    assert.deepEqual(await codeOf(own.post(`${OWN}/step`, { scenario: "order" })), [409, "sandbox_full"]);
    assert.equal((await admin.ok("GET", path)).state, "FULL");
    await db.run(
      `insert into sandboxes (connector_id, warehouse_id, warehouse_code, pace_seconds, made_by, filled_at)
       select null, -n, 'many-' || n, 5, 'test', now() from generate_series(1, 20) as n`,
    );
    assert.deepEqual(await codeOf(admin.post(SANDBOXES, { connector_id: await connector() })), [
      ...[409, "too_many_sandboxes"],
    ]);
    const another = (await partnerCaller(service, { connector_id: await connector() })).caller;
    assert.deepEqual(await codeOf(another.post(OWN, { pace_seconds: 5 })), [409, "too_many_sandboxes"]);
    await db.run("delete from sandboxes where warehouse_id < 0");
  });

  it("is the partner's own by its link: begun, moved, polled and ended there, and nobody else's", async () => {
    const { caller } = await partnerCaller(service, { connector_id: await connector() });
    const other = await partnerCaller(service, { connector_id: await connector() });
    assert.deepEqual(await caller.ok("GET", OWN), { sandbox: null });
    const early = await caller.post(`${OWN}/step`, { scenario: "order" });
    assert.deepEqual([early.status, early.code], [404, "sandbox_not_found"]);
    const { sandbox, token } = await caller.ok("POST", OWN, { pace_seconds: 3600 });
    assert.ok(!("made_by" in sandbox) && !("ended_by" in sandbox));
    const again = await caller.post(OWN, {});
    assert.deepEqual([again.status, again.code], [409, "sandbox_there"]);
    const { number } = await caller.ok("POST", `${OWN}/step`, { scenario: "order" });
    const polls = service.anyone.with({ "x-wms-token": token });
    await until(async () => (await typesOf(polls)).includes("ship.confirmed"));
    assert.equal((await orderOf(number)).status, "SHIPPED");
    assert.deepEqual(await other.caller.ok("GET", OWN), { sandbox: null });
    assert.equal((await other.caller.delete(OWN)).code, "sandbox_not_found");
    assert.equal((await caller.ok("DELETE", OWN)).state, "ENDED");
    assert.equal((await caller.ok("GET", OWN)).sandbox.sandbox_id, sandbox.sandbox_id);
    const late = await caller.delete(OWN);
    assert.deepEqual([late.status, late.code], [409, "sandbox_ended"]);
    assert.equal((await polls.get(EVENTS)).status, 401);
  });
});

describe("a sandbox while Temporal is away", () => {
  const service = testService({ env: { TEMPORAL_NAMESPACE: `gone-${randomUUID()}` } });

  it("is neither begun, moved nor ended", async () => {
    const { admin } = service;
    const [of, none] = [await connector(), await connector()];
    const path = `${SANDBOXES}/${await insertSandbox()}`;
    const own = await insertSandbox();
    await db.run("update sandboxes set connector_id = $1 where sandbox_id = $2", [of, own]);
    const partner = (await partnerCaller(service, { connector_id: of })).caller;
    const without = (await partnerCaller(service, { connector_id: none })).caller;
    for (const answer of [
      admin.post(SANDBOXES, { connector_id: none, pace_seconds: 5 }),
      admin.put(path, { pace_seconds: 9 }),
      admin.post(`${path}/step`, { scenario: "order" }),
      admin.delete(path),
      without.post(OWN, { pace_seconds: 5 }),
      partner.post(`${OWN}/step`, { scenario: "order" }),
      partner.delete(OWN),
    ]) {
      const { status, body } = await answer;
      assert.deepEqual([status, body.error], [503, "workflow_engine_unavailable"]);
    }
  });
});
