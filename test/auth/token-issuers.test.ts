import assert from "node:assert/strict";
import { pageKeys } from "../../src/auth/rights.js";
import { uncovered } from "../../src/auth/tokens/coverage.js";
import { endpointSlugs, inboundResources } from "../../src/auth/tokens/scope.js";
import { type Answer, type Caller, statusAndBody } from "../support/caller.js";
import * as fixtures from "../support/fixtures.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

const ROUTE = "/api/admin/tokens";

describe("users who issue integration tokens", () => {
  const service = testService({ env: { SERVICE_SOURCE_SYSTEMS: "shop:connector" } });
  let own: number;
  let second: number;
  let foreign: number;
  let clerk: Caller;
  before(async () => {
    own = await fixtures.warehouse();
    second = await fixtures.warehouse();
    foreign = await fixtures.warehouse();
    clerk = await service.user({ page_keys: ["api-tokens", "items", "webhooks"], warehouse_ids: [own, second] });
  });

  const polling = () => ({
    ...{ token_name: "poller", endpoints: ["events.poll"] },
    ...{ event_types: ["ship.confirmed"], warehouse_ids: [own] },
  });
  const pushing = () => ({
    ...{ token_name: "shop", source_system: "shop", warehouse_ids: [own] },
    inbound_resources: ["items"],
  });
  const overriding = (warehouse_id: unknown, warehouse_ids = [own]) => ({
    ...{ ...pushing(), warehouse_ids, mapping_override: true },
    inbound_resources: ["items", "sales_orders"],
    mapping_overrides: { warehouse_id },
  });
  const issue = async (fields: object, by = clerk): Promise<number> => (await by.ok("POST", ROUTE, fields)).token_id;
  const listed = async (by: Caller): Promise<number[]> =>
    (await by.ok("GET", ROUTE)).tokens.map(({ token_id }: { token_id: number }) => token_id);
  const edits = (id: number, changes: object, by: Caller) =>
    Promise.all(["PATCH", "PUT"].map((method) => by.call(method, `${ROUTE}/${id}`, changes)));
  const exceeds = ({ status, body }: Answer, missing: object[]) =>
    assert.deepEqual([status, body], [
      403,
      {
        ...{ error: "token_exceeds_issuer", missing },
        detail: "You can issue a token only for what your own warehouses and pages cover; an ADMIN can issue any",
      },
    ] as const);

  it("issue and keep those that their own warehouses and pages cover", async () => {
    const id = await issue({ ...polling(), ...pushing() });
    assert.ok((await listed(clerk)).includes(id));
    for (const { status } of await edits(id, { warehouse_ids: [second] }, clerk)) assert.equal(status, 200);
  });

  it("issue none without warehouses, nor for pages that they lack, and are told what", async () => {
    const mark = await auditMark();
    const needs = (field: string, value: unknown, page: string) => ({ field, value, needs: page });
    for (const [fields, missing] of [
      [{ ...pushing(), warehouse_ids: [] }, needs("warehouse_ids", null, "one or more of your warehouses")],
      [
        { ...pushing(), inbound_resources: ["items", "customers"] },
        needs("inbound_resources", "customers", "page sales-orders"),
      ],
      [
        { ...pushing(), inbound_resources: ["inventory_update"] },
        needs("inbound_resources", "inventory_update", "page adjustments"),
      ],
      [
        { ...polling(), endpoints: ["events.poll", "snapshot.inventory"] },
        needs("endpoints", "snapshot.inventory", "page inventory"),
      ],
      [{ ...polling(), endpoints: ["station.dispatch"] }, needs("endpoints", "station.dispatch", "page sales-orders")],
    ] as const)
      exceeds(await clerk.post(ROUTE, fields), [missing]);
    const novice = await service.user({ page_keys: ["api-tokens"], warehouse_ids: [own] });
    const pages = "page consumer-groups or webhooks or integrations";
    exceeds(await novice.post(ROUTE, polling()), [
      needs("endpoints", "events.poll", pages),
      needs("event_types", "ship.confirmed", pages),
    ]);
    assert.deepEqual(await auditSince(mark), []);
  });

  it("do not change one into what they may not issue", async () => {
    const id = await issue(pushing());
    for (const [changes, field] of [
      [{ warehouse_ids: [] }, "warehouse_ids"],
      [{ endpoints: ["pos.dispatch"] }, "endpoints"],
    ] as const)
      for (const { status, body } of await edits(id, changes, clerk))
        assert.deepEqual([status, body.error, body.missing[0].field], [403, "token_exceeds_issuer", field]);
  });

  it("neither see nor touch those that reach further: of no warehouse, of others', of other pages", async () => {
    const { admin } = service;
    for (const fields of [
      { ...polling(), warehouse_ids: [] },
      { ...polling(), warehouse_ids: [own, foreign] },
      { ...polling(), endpoints: ["events.poll", "pos.dispatch"] },
      { ...pushing(), inbound_resources: ["items", "vendors"] },
    ]) {
      const id = await issue(fields, admin);
      const mark = await auditMark();
      assert.ok(!(await listed(clerk)).includes(id));
      for (const { status, body } of [
        ...(await edits(id, { token_name: "mine" }, clerk)),
        await clerk.post(`${ROUTE}/${id}/rotate`),
        await clerk.post(`${ROUTE}/${id}/revoke`),
        await clerk.delete(`${ROUTE}/${id}`),
      ])
        assert.deepEqual([status, body], [404, { error: "Token not found" }]);
      assert.deepEqual(await auditSince(mark), []);
      assert.ok((await listed(admin)).includes(id));
      assert.equal((await admin.post(`${ROUTE}/${id}/rotate`)).status, 200);
    }
  });

  describe("with an override of the warehouse", () => {
    let keeper: Caller;
    before(async () => {
      keeper = await service.user({ page_keys: ["api-tokens", "items", "sales-orders"], warehouse_ids: [own, second] });
    });

    it("name one of the token's", async () => {
      const id = await issue(overriding(own, [own, second]), keeper);
      for (const { status } of await edits(id, { warehouse_ids: [own] }, keeper)) assert.equal(status, 200);
      assert.equal((await keeper.post(ROUTE, overriding("1e99"))).status, 400);
    });

    it("are refused one that is not the token's, at issuance and afterwards", async () => {
      const outside = (warehouse_id: number, warehouse_ids: number[]) => ({
        ...{ error: "mapping_overrides_warehouse_outside_token" },
        ...{ warehouse_id, warehouse_ids },
        detail: "The token may not write to the warehouse that it overrides with",
      });
      assert.deepEqual(statusAndBody(await keeper.post(ROUTE, overriding(second))), [422, outside(second, [own])]);
      const id = await issue(overriding(own), keeper);
      const changes = { warehouse_ids: [second] };
      for (const by of [keeper, service.admin])
        for (const { status, body } of await edits(id, changes, by))
          assert.deepEqual([status, body], [422, outside(own, [second])]);
    });

    it("are refused one that is not theirs, and one that is not there", async () => {
      const denied = await keeper.post(ROUTE, overriding(foreign));
      assert.deepEqual([denied.status, denied.body], [403, { error: "Access denied for this warehouse" }]);
      for (const nowhere of [999_999, "north", null, 1.5]) {
        const { status, body } = await service.admin.post(ROUTE, overriding(nowhere));
        assert.deepEqual([status, body], [400, { error: "unknown_warehouse_ids", missing: [nowhere] }]);
      }
    });
  });
});

describe("what covers a token", () => {
  const token = {
    warehouse_ids: [1],
    event_types: ["ship.confirmed"],
    endpoints: endpointSlugs,
    inbound_resources: [...inboundResources],
  };

  it("is all pages for every endpoint, resource and event that there is", () =>
    assert.deepEqual(uncovered(token, { warehouse_ids: [1], page_keys: [...pageKeys] }), []));

  it("is nothing for an endpoint that no page is named for", () =>
    assert.deepEqual(
      uncovered({ ...token, endpoints: ["new.endpoint"] }, { warehouse_ids: [1], page_keys: [...pageKeys] }),
      [{ field: "endpoints", value: "new.endpoint", needs: "role ADMIN" }],
    ));
});
