import assert from "node:assert/strict";
import { putSourceSystems } from "../../activities/inbound/source-systems.js";
import { exampleOf } from "../../api/openapi/example.js";
import { useDocuments } from "../../src/inbound/documents.js";
import { statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import { useEmptyMapping } from "../support/mappings.js";
import { json, type Media, operations } from "../support/operations.js";
import { auditMark, auditSince } from "../support/records.js";
import { openService, type TestService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";

const ROUTE = "/api/admin/source-systems";

describe("source systems", () => {
  let service: TestService;
  before(async () => {
    service = await openService({ env: { SERVICE_SOURCE_SYSTEMS: "zoo:connector,erp:internal_tool" } });
  });
  after(async () => {
    useDocuments(new Map());
    await service.close();
  });

  const listed = async () => (await service.admin.ok("GET", ROUTE)).source_systems;
  const told = async () =>
    (await auditSince(mark)).map(({ action_type, entity_type, details }) => ({ action_type, entity_type, details }));
  let mark: number;
  beforeEach(async () => {
    mark = await auditMark();
  });

  it("are those of the configuration, by name, for who edits sales orders", async () => {
    const clerk = await service.user({ page_keys: ["sales-orders"] });
    assert.deepEqual(await clerk.ok("GET", ROUTE), {
      source_systems: [
        { source_system: "erp", kind: "internal_tool" },
        { source_system: "zoo", kind: "connector" },
      ],
    });
  });

  it("of the configuration are put in once, and take its kind", async () => {
    await putSourceSystems([{ source_system: "zoo", kind: "connector" }]);
    assert.deepEqual(await told(), []);
    await putSourceSystems([
      { source_system: "zoo", kind: "manual_import" },
      { source_system: "new", kind: "connector" },
    ]);
    assert.deepEqual(await told(), [
      { action_type: "CREATE", entity_type: "SOURCE_SYSTEM", details: { source_system: "new", kind: "connector" } },
      { action_type: "UPDATE", entity_type: "SOURCE_SYSTEM", details: { source_system: "zoo", kind: "manual_import" } },
    ]);
  });

  it("are put in by any number of processes at once", async () => {
    const systems = ["a", "b", "c", "d"].map((source_system) => ({ source_system, kind: "connector" as const }));
    await Promise.all(Array.from({ length: 8 }, (_, i) => putSourceSystems(i % 2 ? systems : systems.toReversed())));
    assert.equal((await told()).length, 4);
  });

  it("are added by an ADMIN, once", async () => {
    const system = { source_system: "shop-2.eu", kind: "connector" };
    await useEmptyMapping("shop-2.eu");
    assert.deepEqual(statusAndBody(await service.admin.post(ROUTE, { ...system, notes: "EU" })), [201, system]);
    assert.deepEqual(await told(), [{ action_type: "CREATE", entity_type: "SOURCE_SYSTEM", details: system }]);
    const again = await service.admin.post(ROUTE, system);
    assert.deepEqual([again.status, again.body], [409, { error: "Source system shop-2.eu is on the list already" }]);
    const row = await db.row("select notes from inbound_source_systems_allowlist where source_system = 'shop-2.eu'");
    assert.deepEqual(row, { notes: "EU" });
  });

  it("are refused without a mapping document, with what to do: the next start would have nothing to read", async () => {
    const documented = operations.find(({ name }) => name === `post ${ROUTE}`);
    const { schema } = json(documented?.operation.requestBody) as Media;
    const example = exampleOf(schema) as object;
    const before = await listed();
    assert.deepEqual(statusAndBody(await service.admin.post(ROUTE, example)), [
      409,
      {
        error:
          "No mapping document of shop is loaded: put shop.yaml into SERVICE_INBOUND_MAPPINGS_DIR, add " +
          "shop:connector to SERVICE_SOURCE_SYSTEMS and start the service again, which puts it on the list",
      },
    ]);
    assert.deepEqual(await listed(), before);
    assert.deepEqual(await told(), []);
  });

  it("have their fields checked", async () => {
    for (const [field, value] of [
      ["source_system", ""],
      ["source_system", "a b"],
      ["source_system", "../x"],
      ["source_system", "x".repeat(65)],
      ["kind", "shop"],
      ["notes", "x".repeat(1001)],
    ] as const) {
      const refused = await service.admin.post(ROUTE, { source_system: "fine", kind: "connector", [field]: value });
      assert.deepEqual([refused.status, refused.body.details[0].loc], [400, [field]]);
    }
  });

  it("are deleted when nothing names them", async () => {
    const system = { source_system: "gone", kind: "connector" };
    await useEmptyMapping("gone");
    await service.admin.ok("POST", ROUTE, system);
    mark = await auditMark();
    const deleted = await service.admin.delete(`${ROUTE}/gone`);
    assert.deepEqual([deleted.status, deleted.body], [200, { source_system: "gone", deleted: true }]);
    assert.deepEqual(await told(), [{ action_type: "DELETE", entity_type: "SOURCE_SYSTEM", details: system }]);
    const again = await service.admin.delete(`${ROUTE}/gone`);
    assert.deepEqual([again.status, again.body], [404, { error: "Source system not found" }]);
  });

  it("stay while a token names them", async () => {
    await tokenCaller(service, { source_system: "used", inbound_resources: ["items"] });
    const refused = await service.admin.delete(`${ROUTE}/used`);
    assert.deepEqual(statusAndBody(refused), [
      409,
      { error: "Source system used has tokens or links, or has pushed records" },
    ]);
    assert.ok((await listed()).some((system: { source_system: string }) => system.source_system === "used"));
  });
});
