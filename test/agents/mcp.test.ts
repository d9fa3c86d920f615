import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { insertApproval } from "../support/agent-requests.js";
import { type Agent, APPROVALS, agentOf, ended } from "../support/agents.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

const ENGINE_AWAY = "workflow_engine_unavailable";

describe("an agent, by the protocol's own client", () => {
  const service = testService({ worker: true });
  let warehouse_id: number;
  let user: Caller;
  let agent: Agent;
  before(async () => {
    warehouse_id = await warehouse();
    user = await service.user({
      ...{ warehouse_ids: [warehouse_id], username: "agent" },
      page_keys: ["purchase-orders", "sales-orders", "vendors", "adjustments", "items"],
    });
    agent = await agentOf(user);
  });
  afterEach(() => assertInvariants());
  after(() => agent.close());

  const set = (settings: Record<string, string>) => service.admin.ok("PUT", "/api/admin/settings", { settings });
  const newVendor = () => ({ body: { vendor_name: randomUUID() } });
  const vendors = (name: string) =>
    db.value<number>("select count(*)::int from vendors where vendor_name = $1", [name]);

  describe("its tools", () => {
    it("are those that its user may call, annotated, and few", async () => {
      const { tools } = await agent.client.listTools();
      const byName = new Map(tools.map((tool) => [tool.name, tool]));
      assert.ok(tools.length < 45, `${tools.length} tools`);
      assert.ok(JSON.stringify(tools).length < 120_000, `${JSON.stringify(tools).length} characters`);
      for (const name of ["find_operations", "write_operation", "receiveItems", "listSalesOrders", "adjustStock"])
        assert.ok(byName.has(name), name);
      // Pages that the user does not have.
      for (const name of ["listInventory", "listBins2"]) assert.ok(!byName.has(name), name);
      const { receiveItems, listSalesOrders, shipSalesOrder } = Object.fromEntries(byName);
      assert.deepEqual(listSalesOrders?.annotations?.readOnlyHint, true);
      assert.deepEqual(receiveItems?.annotations, {
        ...{ readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      });
      assert.equal(shipSalesOrder?.annotations?.destructiveHint, true);
      const { properties } = (receiveItems?.inputSchema ?? {}) as {
        properties: Record<string, { required?: string[] }>;
      };
      assert.deepEqual(Object.keys(properties), ["body", "idempotency_key"]);
      assert.deepEqual(properties.body?.required, ["po_id", "items"]);
    });

    it("find all others by words and area, with the schema of their arguments", async () => {
      const found = await agent.ok("find_operations", { query: "cancel sales order" });
      const [first] = found.operations;
      assert.deepEqual([first.operation, first.effect, first.area], ["cancelSalesOrder", "destroys", "Sales orders"]);
      assert.ok(first.arguments.properties.path);
      const { operations } = await agent.ok("find_operations", { area: "Purchasing" });
      assert.ok(operations.length > 3);
      assert.ok(operations.every(({ area }: { area: string }) => area === "Purchasing"));
      // For people alone, whoever asks.
      const admin = await agentOf(service.admin);
      const all = await admin.ok("find_operations", { query: "create user token settings approve agent" });
      const names = [...all.operations.map((one: { operation: string }) => one.operation), ...all.others];
      for (const name of ["createUser", "createToken", "updateSettings", "approveAgentCall", "callAgentTools"])
        assert.ok(!names.includes(name), name);
      await admin.close();
    });

    it("say what is wrong with a call", async () => {
      const codes = async (name: string, args: Record<string, unknown>) => {
        const { isError, answer } = await agent.call(name, args);
        assert.ok(isError);
        return [answer.status, answer.code];
      };
      assert.deepEqual(await codes("nothing", {}), [404, "tool_not_found"]);
      assert.deepEqual(await codes("read_operation", { operation: "nothing" }), [404, "tool_not_found"]);
      assert.deepEqual(await codes("read_operation", { operation: "createVendor" }), [400, "arguments_invalid"]);
      assert.deepEqual(await codes("getSalesOrder", {}), [400, "arguments_invalid"]);
      assert.deepEqual(await codes("getSalesOrder", { so_id: 1 }), [400, "arguments_invalid"]);
      assert.deepEqual(await codes("find_operations", { words: "x" }), [400, "arguments_invalid"]);
      assert.deepEqual(await codes("getSalesOrder", { path: { so_id: 999_999_999 } }), [404, "so_not_found"]);
      assert.deepEqual(await codes("write_operation", { operation: "updateSettings" }), [403, "not_for_agents"]);
      const { answer } = await agent.call("createSalesOrder", { body: { so_number: 7 } });
      assert.equal(answer.error, "validation_error");
      assert.ok(answer.details.length > 0);
    });
  });

  for (const era of ["auto", "legacy"] as const)
    it(`reads, in the ${era === "auto" ? "protocol of today" : "protocol of 2025"}`, async () => {
      const { item_id } = await item();
      const { so_id, so_number } = await salesOrder(warehouse_id, [{ item_id, quantity: 2 }]);
      const reader = await agentOf(user, era);
      const { sales_order } = await reader.ok("getSalesOrder", { path: { so_id } });
      assert.equal(sales_order.so_number, so_number);
      const { sales_orders } = await reader.ok("listSalesOrders", { query: { q: so_number, per_page: 5 } });
      assert.equal(sales_orders.length, 1);
      await reader.close();
    });

  it("is refused beyond its user's rights, before anybody is asked", async () => {
    const other = await warehouse();
    const { item_id } = await item();
    const { so_id } = await salesOrder(other, [{ item_id, quantity: 1 }]);
    const refused = async (name: string, args: Record<string, unknown>) => {
      const { answer } = await agent.call(name, args);
      return [answer.status, answer.code];
    };
    assert.deepEqual(await refused("getSalesOrder", { path: { so_id } }), [403, "warehouse_denied"]);
    const holds = { operation: "listHolds", query: { warehouse_id } };
    assert.deepEqual(await refused("read_operation", holds), [403, "permission_denied"]);
    const rows = () => db.value<number>("select count(*)::int from agent_approvals");
    const before = await rows();
    const move = { operation: "openRecall", body: { lot_ids: [1], reason: "x" } };
    assert.deepEqual(await refused("write_operation", move), [403, "forbidden"]);
    assert.deepEqual(
      await refused("createPurchaseOrder", { body: { po_number: "P", warehouse_id: other, lines: [] } }),
      [403, "warehouse_denied"],
    );
    assert.equal(await rows(), before);
    const anyone = await service.anyone.post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" });
    assert.equal(anyone.status, 401);
    assert.match(anyone.headers.get("www-authenticate") ?? "", /^Bearer realm="warehouse", resource_metadata="http/);
    for (const method of ["GET", "DELETE"]) assert.equal((await user.call(method, "/mcp")).status, 405);
  });

  it("writes nothing until a person approves, and then once, with both in the audit log", async () => {
    const args = newVendor();
    const name = args.body.vendor_name;
    const key = randomUUID();
    const call = () => agent.call("write_operation", { operation: "createVendor", ...args, idempotency_key: key });
    const { answer, text } = await call();
    assert.equal(answer.status, "WAITING");
    assert.match(text, /waits for a person/);
    const { approval_id } = answer;
    assert.equal(await vendors(name), 0);
    // The same call again is the same approval; another one under its key is refused.
    assert.equal((await call()).answer.approval_id, approval_id);
    const reused = { operation: "createVendor", ...newVendor(), idempotency_key: key };
    assert.equal((await agent.call("write_operation", reused)).answer.code, "idempotency_key_reuse");

    const shown = await service.admin.ok("GET", `${APPROVALS}/${approval_id}`);
    assert.deepEqual([shown.agent, shown.asked_by, shown.request], ["test-agent 1.2.0", "agent", args]);
    const inbox = await service.admin.ok("GET", "/api/admin/inbox?kind=agent_approval");
    assert.ok(inbox.parts[0].entries.some((entry: { record_id: string }) => entry.record_id === String(approval_id)));
    assert.equal((await user.post(`${APPROVALS}/${approval_id}/approve`)).code, "own_agent_approval");
    const clerk = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["vendors"] });
    await clerk.ok("POST", `${APPROVALS}/${approval_id}/approve`, { reason: "known" });
    assert.equal((await ended(service.admin, approval_id)).status, "DONE");
    assert.equal(await vendors(name), 1);
    const told = await agent.ok("getAgentApproval", { path: { approval_id } });
    assert.equal(told.answer.vendor_name, name);
    assert.deepEqual((await call()).answer.status, "DONE");
    assert.equal(await vendors(name), 1);
    assert.equal((await clerk.post(`${APPROVALS}/${approval_id}/reject`)).code, "agent_approval_decided");
    const made = await db.row<{ user_id: string; details: Record<string, unknown> }>(
      "select user_id, details from audit_log where entity_type = 'VENDOR' order by log_id desc limit 1",
    );
    assert.equal(made?.user_id, "agent");
    const { agent: by, approved_by, approval_id: under } = made?.details ?? {};
    assert.deepEqual([by, approved_by, under], ["test-agent 1.2.0", clerk.username, approval_id]);
    const actions = await db.rows<{ action_type: string }>(
      "select action_type from audit_log where entity_type = 'APPROVAL' and entity_id = $1 order by log_id",
      [approval_id],
    );
    assert.deepEqual(
      actions.map(({ action_type }) => action_type),
      ["APPROVAL_ASK", "APPROVAL_GRANT", "APPROVAL_DONE"],
    );
  });

  it("is approved by who could make the same call, in all of its warehouses", async () => {
    const { approval_id } = await agent.ok("write_operation", { operation: "createVendor", ...newVendor() });
    const path = `${APPROVALS}/${approval_id}`;
    const withoutPage = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["items"] });
    const elsewhere = await service.user({ warehouse_ids: [await warehouse()], page_keys: ["vendors"] });
    for (const one of [withoutPage, elsewhere])
      assert.equal((await one.post(`${path}/approve`)).code, "agent_approval_not_found");
    // A function of the floor, where those are enforced.
    const { item_id } = await item();
    const staging = await bin(warehouse_id, { type: "Staging" });
    const { po_id } = await purchaseOrder(warehouse_id, [{ item_id, quantity: 2 }]);
    const asked = await agent.ok("receiveItems", {
      body: { po_id, items: [{ item_id, quantity: 2, bin_id: staging }] },
    });
    await set({ enforce_allowed_functions: "true" });
    const packer = await service.user({ warehouse_ids: [warehouse_id] });
    for (const decision of ["approve", "reject"])
      assert.equal((await packer.post(`${APPROVALS}/${asked.approval_id}/${decision}`)).code, "may_not_approve");
    await set({ enforce_allowed_functions: "false" });
    // Its own user withdraws it.
    await user.ok("POST", `${APPROVALS}/${asked.approval_id}/reject`);
    const refused = await ended(user, asked.approval_id);
    assert.deepEqual([refused.status, refused.decided_by, refused.answer], ["REJECTED", "agent", null]);
    assert.equal((await service.admin.post(`${APPROVALS}/999999999/approve`)).code, "agent_approval_not_found");
  });

  it("may be approved by its own user where that is set", async () => {
    await set({ agent_self_approval: "true" });
    const args = newVendor();
    const { approval_id } = await agent.ok("write_operation", { operation: "createVendor", ...args });
    await user.ok("POST", `${APPROVALS}/${approval_id}/approve`);
    assert.equal((await ended(user, approval_id)).status, "DONE");
    await set({ agent_self_approval: "false" });
  });

  it("is told why what was approved was refused as it ran", async () => {
    const { item_id } = await item();
    const shelf = await bin(warehouse_id);
    await stock(warehouse_id, shelf, item_id, 3);
    const adjust = { item_id, warehouse_id, bin_id: shelf, adjustment_type: "REMOVE", quantity: 3, reason: "gone" };
    const { approval_id } = await agent.ok("adjustStock", { body: adjust });
    await service.admin.ok("POST", "/api/admin/adjustments/direct", adjust);
    await service.admin.ok("POST", `${APPROVALS}/${approval_id}/approve`);
    const failed = await ended(service.admin, approval_id);
    assert.equal(failed.status, "FAILED");
    assert.ok(failed.http_status >= 400 && failed.answer.code);
    const again = await agent.call("adjustStock", { body: adjust });
    assert.ok(again.isError);
    assert.match(again.text, /Nothing was changed/);
  });

  it("waits no longer than is set", async () => {
    await set({ agent_approval_hours: "0.0002" });
    const { approval_id } = await agent.ok("write_operation", { operation: "createVendor", ...newVendor() });
    assert.equal((await ended(service.admin, approval_id)).status, "EXPIRED");
    assert.equal((await service.admin.post(`${APPROVALS}/${approval_id}/approve`)).code, "agent_approval_decided");
    await set({ agent_approval_hours: "24" });
  });

  it("writes nothing where it may only read, and as its user where it may write, once for each key", async () => {
    const args = newVendor();
    const create = { operation: "createVendor", ...args };
    await set({ agent_writes: "never" });
    assert.equal((await agent.call("write_operation", create)).answer.code, "agent_writes_off");
    assert.ok(!(await agent.tools()).includes("write_operation"));
    await set({ agent_writes: "allow" });
    const first = await agent.call("write_operation", create);
    assert.match(first.text, /It ran under the key agent-[0-9a-f]{64}/);
    assert.equal(first.answer.vendor_name, args.body.vendor_name);
    assert.match((await agent.call("write_operation", create)).text, /had run before.*nothing was changed/);
    assert.equal(await vendors(args.body.vendor_name), 1);
    const { canonical_id } = first.answer;
    const gone = { operation: "deleteVendor", path: { canonical_id } };
    assert.equal((await agent.call("write_operation", gone)).answer.status, "WAITING");
    await set({ agent_writes: "approve" });
  });

  it("ships an order from the purchase to the carrier, with one approval by a person", async () => {
    await set({ agent_writes: "allow" });
    const upc = `04${String(Date.now()).slice(-11)}`;
    const { item_id } = await item({ upc });
    const staging = await bin(warehouse_id, { type: "Staging" });
    const shelf = await bin(warehouse_id);
    const lines = [{ item_id, quantity_ordered: 2 }];
    const po = { po_number: `PO-${randomUUID().slice(0, 8)}`, warehouse_id, lines };
    const { purchase_order } = await agent.ok("createPurchaseOrder", { body: po });
    const items = [{ item_id, quantity: 2, bin_id: staging }];
    await agent.ok("receiveItems", { body: { po_id: purchase_order.po_id, items } });
    await agent.ok("confirmPutAway", { body: { item_id, from_bin_id: staging, to_bin_id: shelf, quantity: 2 } });
    const so = { so_number: `SO-${randomUUID().slice(0, 8)}`, warehouse_id, lines };
    const { so_id } = (await agent.ok("createSalesOrder", { body: so })).sales_order;
    const { batch_id, first_pick } = await agent.ok("createPickWave", { body: { so_ids: [so_id], warehouse_id } });
    const { pick_task_id, quantity_to_pick } = first_pick;
    const pick = { pick_task_id, scanned_barcode: upc, quantity_picked: quantity_to_pick };
    await agent.ok("confirmPick", { body: pick });
    await agent.ok("completePickBatch", { body: { batch_id } });
    await agent.ok("verifyPackedItem", { body: { so_id, scanned_barcode: upc, quantity: 2 } });
    await agent.ok("completePacking", { body: { so_id } });
    const parcel = { so_id, tracking_number: "1Z999AA10123456784", carrier: "UPS" };
    const { approval_id, status } = await agent.ok("shipSalesOrder", { body: parcel });
    assert.equal(status, "WAITING");
    const statusOf = async () => (await agent.ok("getSalesOrder", { path: { so_id } })).sales_order.status;
    assert.equal(await statusOf(), "PACKED");
    await service.admin.ok("POST", `${APPROVALS}/${approval_id}/approve`);
    await until(async () => (await agent.ok("getAgentApproval", { path: { approval_id } })).status === "DONE");
    assert.equal(await statusOf(), "SHIPPED");
    await set({ agent_writes: "approve" });
  });

  it("is told that the workflow engine is away, and asks again", async () => {
    const create = { operation: "createVendor", ...newVendor() };
    const approval_id = await insertApproval();
    await service.withoutTemporal(async () => {
      for (const how of ["approve", "reject"])
        assert.equal((await service.admin.post(`${APPROVALS}/${approval_id}/${how}`)).code, ENGINE_AWAY);
      assert.equal((await agent.call("write_operation", create)).answer.code, ENGINE_AWAY);
      assert.equal((await agent.call("listSalesOrders")).isError, false);
    });
    assert.equal((await agent.ok("write_operation", create)).status, "WAITING");
  });
});
