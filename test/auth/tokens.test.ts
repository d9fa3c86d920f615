import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { routes } from "../../api/routes.js";
import { type Caller, statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

const ROUTE = "/api/admin/tokens";

describe("integration tokens", () => {
  const service = testService({ env: { SERVICE_SOURCE_SYSTEMS: "shop:connector,erp:internal_tool" } });
  let keeper: Caller;
  let warehouse_id: number;
  let mark: number;
  before(async () => {
    warehouse_id = await fixtures.warehouse();
    keeper = await service.user({
      page_keys: [
        ...["api-tokens", "consumer-groups", "inventory", "pos-activity"],
        ...["items", "vendors", "sales-orders", "purchase-orders"],
        "adjustments",
      ],
      warehouse_ids: [warehouse_id],
    });
  });
  beforeEach(async () => {
    mark = await auditMark();
  });

  const outbound = { token_name: "poller", endpoints: ["events.poll"] };
  const inbound = { token_name: "shop", source_system: "shop", inbound_resources: ["items", "customers"] };
  /** The fields, of a token for the keeper's warehouse. */
  const here = (fields: object = outbound) => ({ warehouse_ids: [warehouse_id], ...fields });
  const issue = (fields?: object) => keeper.ok("POST", ROUTE, here(fields));
  const listed = async (token_id: number, by = keeper) =>
    (await by.ok("GET", ROUTE)).tokens.find((token: { token_id: number }) => token.token_id === token_id);
  const stored = (token_id: number) =>
    db.row<{ token_hash: string; days: number; rotated_at: string }>(
      `select token_hash, extract(day from expires_at - created_at)::int as days, rotated_at
       from wms_tokens where token_id = $1`,
      [token_id],
    );
  const hashOf = (token: string) =>
    createHash("sha256")
      .update(service.config.tokenPepper + token)
      .digest("hex");

  describe("issued", () => {
    it("are shown once, and stored as a hash with the pepper", async () => {
      const answer = await keeper.post(ROUTE, here());
      const { token_id, token, created_at, expires_at, ...rest } = answer.body;
      assert.equal(answer.status, 201);
      assert.match(token, /^[\w-]{43}$/);
      assert.deepEqual(rest, { token_name: "poller", status: "active", rotated_at: created_at });
      const row = await stored(token_id);
      assert.equal(row?.token_hash, hashOf(token));
      assert.ok([365, 366].includes(row?.days ?? 0));
      assert.equal((await listed(token_id)).expires_at, expires_at);
    });

    it("stand nowhere in the database, not even for a repeat", async () => {
      const { token } = await keeper.with({ "idempotency-key": randomUUID() }).ok("POST", ROUTE, here());
      const found = await db.rows(
        `select command_id from command_log where strpos(answer::text, $1) > 0
         union all select log_id::text from audit_log where strpos(details::text, $1) > 0
         union all select token_id::text from wms_tokens t where strpos(t::text, $1) > 0`,
        [token],
      );
      assert.deepEqual(found, []);
    });

    it("tell the audit trail their scope, and of overrides the keys alone", async () => {
      const { token_id } = await issue({
        ...{ ...inbound, warehouse_ids: [warehouse_id], mapping_override: true },
        mapping_overrides: { phone: "+1 555 secret", category: "secret" },
      });
      const [row, ...others] = await auditSince(mark);
      assert.deepEqual(others, []);
      assert.deepEqual(row, {
        action_type: "TOKEN_ISSUE",
        entity_type: "WMS_TOKEN",
        entity_id: token_id,
        user_id: keeper.username,
        warehouse_id: null,
        details: {
          ...{ ...inbound, warehouse_ids: [warehouse_id] },
          ...{ event_types: [], endpoints: [], connector_id: null },
          mapping_overrides_keys: ["category", "phone"],
        },
      });
    });

    it("are called by their names in the audit log", async () => {
      await issue({ ...outbound, token_name: "known by name" });
      const { entries } = await service.admin.ok(...(["GET", "/api/admin/audit-log?action_type=TOKEN_ISSUE"] as const));
      assert.equal(entries[0].entity_name, "known by name");
    });

    it("are owned by a connector of the registry", async () => {
      await db.run("insert into connectors values ('ops', 'Operations')");
      const { token_id } = await issue({ ...outbound, connector_id: "ops" });
      assert.equal((await listed(token_id)).connector_id, "ops");
    });

    it("expire when it is said, in whatever time zone", async () => {
      const made = await issue({ ...outbound, expires_at: "2031-01-02T03:04:05+23:00" });
      assert.equal(made.expires_at, "2031-01-01T04:04:05+00:00");
    });
  });

  it("are listed newest first, without hash and without the values of overrides", async () => {
    const first = await issue();
    const second = await issue({
      ...{ ...inbound, mapping_override: true, mapping_overrides: { sku: 1 } },
      ...{ event_types: ["ship.confirmed"], warehouse_ids: [warehouse_id] },
    });
    const { tokens } = await keeper.ok("GET", ROUTE);
    assert.deepEqual(pluck(tokens.slice(0, 2), "token_id"), [second.token_id, first.token_id]);
    const { token, ...issued } = second;
    assert.deepEqual(tokens[0], {
      ...{ ...issued, ...inbound, warehouse_ids: [warehouse_id] },
      ...{ event_types: ["ship.confirmed"], endpoints: [], connector_id: null },
      ...{ revoked_at: null, last_used_at: null, rotation_status: "none" },
      ...{ mapping_override: true, mapping_overrides_keys: ["sku"] },
    });
  });

  it("ask to be rotated after 75 days, and urgently after 90", async () => {
    const { token_id } = await issue();
    for (const [days, rotation_status] of [
      [74, "none"],
      [75, "recommended"],
      [89, "recommended"],
      [90, "overdue"],
    ] as const) {
      await db.run("update wms_tokens set rotated_at = now() - make_interval(days => $2) where token_id = $1", [
        token_id,
        days,
      ]);
      assert.equal((await listed(token_id)).rotation_status, rotation_status, `${days} days`);
    }
  });

  describe("refused", () => {
    const unknown: Record<string, [fields: object, status: number, body: object]> = {
      "with warehouses that do not exist": [
        { ...outbound, warehouse_ids: [999, 998] },
        400,
        { error: "unknown_warehouse_ids", missing: [999, 998] },
      ],
      "with a connector that nobody registered": [
        { ...outbound, connector_id: "nobody" },
        400,
        { error: "unknown_connector_id", connector_id: "nobody" },
      ],
      "with a source system that is not listed": [
        { ...inbound, source_system: "nobody" },
        400,
        { error: "unknown_source_system", source_system: "nobody" },
      ],
      "with overrides of columns that its resources do not have": [
        { ...inbound, mapping_override: true, mapping_overrides: { sku: "X", vendor_name: "Y", external_id: "Z" } },
        422,
        {
          error: "unknown_mapping_overrides_keys",
          unknown_keys: ["external_id", "vendor_name"],
          detail: "Not columns of the token's inbound_resources",
        },
      ],
    };
    for (const [how, [fields, status, body]] of Object.entries(unknown))
      it(how, async () => {
        assert.deepEqual(statusAndBody(await service.admin.post(ROUTE, fields)), [status, body]);
        assert.deepEqual(await auditSince(mark), []);
      });

    for (const [field, error, valid] of [
      ["event_types", "unknown_event_types", "ship.confirmed"],
      ["endpoints", "unknown_endpoint_slugs", "pos.dispatch"],
    ] as const)
      it(`with ${field} that do not exist, naming those that do`, async () => {
        const asked = { ...outbound, [field]: [valid, "nothing"] };
        const { status, body } = await keeper.post(ROUTE, asked);
        assert.deepEqual([status, body.error, body.unknown], [400, error, ["nothing"]]);
        assert.ok(body.valid.includes(valid));
      });

    const contradictions: Record<string, object> = {
      "A token needs endpoints, or a source_system with inbound_resources": { event_types: ["ship.confirmed"] },
      "mapping_override is for inbound tokens only": { endpoints: ["events.poll"], mapping_override: true },
      "mapping_overrides need mapping_override: true": { ...inbound, mapping_overrides: { sku: "X" } },
    };
    for (const [msg, fields] of Object.entries(contradictions))
      it(`when this holds: ${msg}`, async () => {
        const asked = { token_name: "x", ...fields };
        const { status, body } = await keeper.post(ROUTE, asked);
        assert.deepEqual(
          [status, body],
          [400, { error: "validation_error", details: [{ type: "value_error", loc: [], msg }] }],
        );
      });

    it("for a source system without resources, or resources without one, in words that clients look for", async () => {
      for (const half of [{ source_system: "shop" }, { inbound_resources: ["items"] }]) {
        const { status, body, code } = await keeper.post(ROUTE, { ...outbound, ...half });
        const error = "source_system and inbound_resources must be set together";
        assert.deepEqual([status, body, code], [400, { error }, "incomplete_inbound_scope"]);
      }
    });

    it("with more than 64 event types, or an override whose name no field can have", async () => {
      for (const [field, value] of [
        ["event_types", Array.from({ length: 65 }, () => "a")],
        ["mapping_overrides", { "a b": 1 }],
      ] as const) {
        const refused = await keeper.post(ROUTE, { ...outbound, [field]: value });
        assert.deepEqual([refused.status, refused.body.details[0].loc[0]], [400, field]);
      }
    });
  });

  describe("changed", () => {
    for (const method of ["PATCH", "PUT"])
      it(`by ${method} take what is sent, and tell the audit trail`, async () => {
        const { admin } = service;
        const { token_id } = await admin.ok("POST", ROUTE, inbound);
        const before = await listed(token_id, admin);
        mark = await auditMark();
        const changes = {
          ...{ token_name: "new", warehouse_ids: [warehouse_id] },
          ...{ event_types: ["pick.confirmed"], endpoints: ["events.ack"] },
        };
        const answer = await admin.call(method, `${ROUTE}/${token_id}`, {
          ...{ ...changes, expires_at: "2031-01-02T03:04:05Z" },
        });
        const expires_at = "2031-01-02T03:04:05+00:00";
        const after = { ...before, ...changes, expires_at };
        assert.deepEqual([answer.status, answer.body], [200, after]);
        assert.deepEqual(await listed(token_id), after);
        const [row] = await auditSince(mark);
        assert.equal(row?.action_type, "TOKEN_UPDATE");
        assert.deepEqual(row?.details.changed, {
          token_name: { old: "shop", new: "new" },
          warehouse_ids: { old: [], new: [warehouse_id] },
          event_types: { old: [], new: ["pick.confirmed"] },
          endpoints: { old: [], new: ["events.ack"] },
          expires_at: { old: before.expires_at, new: expires_at },
        });
      });

    const told = async (token_id: number, changes: object) => {
      const answers = await Promise.all(
        ["PATCH", "PUT"].map((method) => service.admin.call(method, `${ROUTE}/${token_id}`, changes)),
      );
      const [patch, put] = answers.map(({ status, body }) => [status, body]);
      assert.deepEqual(patch, put);
      return patch as [number, { error: string; details?: { loc: string[] }[] }];
    };

    it("to nothing new, to what does not exist or to no direction are refused", async () => {
      const { token_id } = await issue();
      for (const [changes, error] of [
        [{}, "validation_error"],
        [{ token_name: "" }, "validation_error"],
        [{ source_system: "erp" }, "validation_error"],
        [{ warehouse_ids: [999] }, "unknown_warehouse_ids"],
        [{ event_types: ["nothing"] }, "unknown_event_types"],
        [{ endpoints: ["nothing"] }, "unknown_endpoint_slugs"],
        [{ endpoints: [] }, "A token needs endpoints, or a source_system with inbound_resources"],
      ] as const) {
        const [status, body] = await told(token_id, changes);
        assert.deepEqual([status, body.error], [400, error]);
      }
      assert.deepEqual((await listed(token_id)).endpoints, ["events.poll"]);
    });

    it("keep working when one of their warehouses is gone", async () => {
      const gone = await fixtures.warehouse();
      const asked = { ...outbound, warehouse_ids: [gone] };
      const { token_id } = await service.admin.ok("POST", ROUTE, asked);
      await db.run("delete from warehouses where warehouse_id = $1", [gone]);
      const [status] = await told(token_id, { token_name: "still" });
      assert.equal(status, 200);
    });

    it("that are not there are 404", async () => {
      const missing = [404, { error: "Token not found" }];
      assert.deepEqual(await told(999_999, { token_name: "x" }), missing);
      for (const { status, body } of [
        await keeper.post(`${ROUTE}/999999/rotate`),
        await keeper.post(`${ROUTE}/999999/revoke`),
        await keeper.delete(`${ROUTE}/999999`),
      ])
        assert.deepEqual([status, body], missing);
    });
  });

  describe("rotated", () => {
    it("get a new secret and no more time", async () => {
      const made = await issue();
      mark = await auditMark();
      const { status, body } = await keeper.post(`${ROUTE}/${made.token_id}/rotate`);
      assert.equal(status, 200);
      const { token, rotated_at, ...rest } = body;
      assert.deepEqual(rest, {
        ...{ token_id: made.token_id, token_name: "poller", status: "active" },
        expires_at: made.expires_at,
      });
      assert.notEqual(token, made.token);
      assert.ok(rotated_at > made.rotated_at);
      assert.equal((await stored(made.token_id))?.token_hash, hashOf(token));
      assert.deepEqual(pluck(await auditSince(mark), "action_type"), ["TOKEN_ROTATE"]);
    });

    it("are refused once they are revoked", async () => {
      const { token_id } = await issue();
      await keeper.ok("POST", `${ROUTE}/${token_id}/revoke`);
      const { status, body } = await keeper.post(`${ROUTE}/${token_id}/rotate`);
      assert.deepEqual([status, body], [400, { error: "Token is revoked" }]);
    });
  });

  it("revoked stay revoked since the first time", async () => {
    const { token_id } = await issue();
    mark = await auditMark();
    const path = `${ROUTE}/${token_id}/revoke`;
    const first = await keeper.post(path);
    const { revoked_at } = first.body;
    assert.deepEqual([first.status, first.body], [200, { token_id, status: "revoked", revoked_at }]);
    assert.deepEqual((await keeper.post(path)).body, first.body);
    const { status } = await listed(token_id);
    assert.equal(status, "revoked");
    assert.deepEqual(pluck(await auditSince(mark), "action_type"), ["TOKEN_REVOKE"]);
  });

  describe("deleted", () => {
    it("are gone", async () => {
      const { token_id } = await issue();
      mark = await auditMark();
      assert.deepEqual(statusAndBody(await keeper.delete(`${ROUTE}/${token_id}`)), [204, ""]);
      assert.equal(await listed(token_id), undefined);
      assert.deepEqual(pluck(await auditSince(mark), "action_type"), ["TOKEN_DELETE"]);
    });

    it("are refused when they have pushed something", async () => {
      const { token_id } = await issue(inbound);
      await db.run(
        `insert into inbound_items (source_system, external_id, external_version, canonical_id, canonical_payload,
          answer,
                                    ingested_via_token_id)
         values ('shop', '1', '1', gen_random_uuid(), '{}', '{}', $1)`,
        [token_id],
      );
      const { status, body } = await keeper.delete(`${ROUTE}/${token_id}`);
      assert.deepEqual([status, body], [409, { error: "integrity_constraint_violation" }]);
    });
  });

  describe("of a USER", () => {
    it("reach the user's warehouses only", async () => {
      const other = await fixtures.warehouse();
      const asked = { ...outbound, warehouse_ids: [warehouse_id, other] };
      const denied = [403, { error: "Access denied for this warehouse" }];
      assert.deepEqual(statusAndBody(await keeper.post(ROUTE, asked)), denied);
      const { token_id } = await issue();
      for (const method of ["PATCH", "PUT"]) {
        const { status, body } = await keeper.call(...([method, `${ROUTE}/${token_id}`] as const), {
          warehouse_ids: [other],
        });
        assert.deepEqual([status, body], denied);
      }
    });
  });

  it("can be issued for what the catalog lists, all of which there are routes for", async () => {
    const catalog = await keeper.ok("GET", "/api/admin/scope-catalog");
    const slugs = routes.flatMap(({ for: by }) => (by.kind === "outbound" || by.kind === "dispatch" ? by.slug : []));
    assert.deepEqual([...new Set(slugs)].toSorted(), catalog.endpoints);
    const resources = routes.flatMap(({ for: by }) => (by.kind === "inbound" ? by.resource : []));
    assert.deepEqual([...new Set(resources)].toSorted(), catalog.inbound_resources);
    assert.deepEqual(catalog.endpoints, [
      ...["events.ack", "events.poll", "events.resolve", "events.schema", "events.types"],
      ...["pos.dispatch", "snapshot.inventory", "station.dispatch"],
    ]);
    assert.deepEqual(catalog.inbound_resources.toSorted(), [
      ...["customers", "inventory_update", "items"],
      ...["purchase_orders", "sales_orders", "vendors"],
    ]);
    assert.deepEqual(catalog.source_systems, [
      { source_system: "erp", kind: "internal_tool" },
      { source_system: "shop", kind: "connector" },
    ]);
    const { event_types, endpoints, inbound_resources } = catalog;
    await issue({ token_name: "all", event_types, endpoints, inbound_resources, source_system: "erp" });
  });
});
