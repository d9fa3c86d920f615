import assert from "node:assert/strict";
import { withoutEffect } from "../../api/http/query.js";
import { dispatchSlugs, endpointSlugs, inboundResources } from "../../src/auth/tokens/scope.js";
import * as fixtures from "../support/fixtures.js";
import { call, type Entry } from "../support/hostile-call.js";
import { useTestMappings } from "../support/inbound.js";
import { operations } from "../support/operations.js";
import { partnerCaller } from "../support/partners.js";
import { testService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";
import { connector } from "../support/webhooks.js";

describe("a parameter of the query that a route does not know", () => {
  const service = testService();
  let credentials: (entry: Entry) => Record<string, string>;
  before(async () => {
    await useTestMappings();
    const warehouse_ids = [await fixtures.warehouse()];
    const partner = await tokenCaller(service, {
      ...{ warehouse_ids, source_system: "shop", inbound_resources: [...inboundResources] },
      ...{ event_types: ["ship.confirmed"], endpoints: endpointSlugs },
    });
    const till = await tokenCaller(service, { endpoints: [...dispatchSlugs], warehouse_ids });
    const { session } = await partnerCaller(service, { connector_id: await connector() });
    credentials = ({ route }) => ({
      "x-partner-session": session,
      ...service.admin.headers,
      "x-wms-token": (route.for.kind === "dispatch" ? till : partner).plaintext,
    });
  });

  async function send(entry: Entry, more: string) {
    const { method, path, body } = call(entry, "", { more });
    const headers = { "content-type": "application/json", ...credentials(entry) };
    const answer = await fetch(`${service.url}${path}`, {
      method,
      headers,
      ...(method !== "GET" && { body: body ?? "" }),
    });
    const text = await answer.text();
    return { status: answer.status, refusal: answer.ok ? undefined : JSON.parse(text) };
  }
  /** The names of the fields that the refusal is about. */
  const refused = ({ details = [] }: { details?: object }): unknown[] =>
    Array.isArray(details) ? details.map(({ loc }) => loc?.join(".")) : [(details as { field?: string }).field];
  const closed = operations.filter(({ route }) => route.for.kind !== "open");

  for (const entry of closed)
    it(`is refused by name: ${entry.name}`, async () => {
      const { status, refusal } = await send(entry, "colour=red");
      const dispatched = ["inbound", "dispatch"].includes(entry.route.for.kind);
      assert.equal(status, dispatched ? 422 : 400, JSON.stringify(refusal));
      assert.ok(refused(refusal).includes("colour"), JSON.stringify(refusal));
    });

  it("is told with all others, in the words of unknown fields", async () => {
    const { status, body } = await service.admin.get("/api/admin/items?colour=red&active=perhaps&is_active=true");
    assert.equal(status, 400);
    const [active, ...unknown] = body.details;
    assert.deepEqual(active.loc, ["active"]);
    assert.deepEqual(unknown, [
      { type: "extra_forbidden", loc: ["colour"], msg: "Unknown field: colour" },
      { type: "extra_forbidden", loc: ["is_active"], msg: "Unknown field: is_active" },
    ]);
  });

  it("is no fault where clients send it to all routes", async () => {
    const all = withoutEffect.map((name) => `${name}=1`).join("&");
    const paths = ["auth/me", "admin/settings", "admin/preferred-bins", "admin/adjustments/pending", "warehouses/list"];
    for (const path of paths) assert.equal((await service.admin.get(`/api/${path}?${all}`)).status, 200, path);
    assert.equal((await service.admin.get("/api/admin/items?_=1&t=2")).status, 200);
    assert.equal((await service.admin.get("/api/admin/items?page=x")).status, 400, "what a list knows is read");
  });

  it("is refused by lists that always did", async () => {
    assert.equal((await service.admin.get("/api/admin/transfer-orders?warehouse_id=1")).status, 400);
  });

  it("is passed over by open routes", async () => {
    for (const path of ["health", "v1/inbound/mapping-schema"])
      assert.equal((await service.anyone.get(`/api/${path}?colour=red`)).status, 200, path);
  });
});
