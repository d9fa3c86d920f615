import assert from "node:assert/strict";
import { ROOT } from "../../api/auth/scim/resources.js";
import { scim } from "../../api/auth/scim/router.js";
import { addressLimit } from "../../api/http/address-limit.js";
import { db } from "../support/db.js";
import { differing, everything } from "../support/everything.js";
import * as fixtures from "../support/fixtures.js";
import { useTestMappings } from "../support/inbound.js";
import { asker, exampleAsking, notes, told } from "../support/matrix/asking.js";
import { forEverybody } from "../support/matrix/exceptions.js";
import { type Entry, unknownNames } from "../support/matrix/id-names.js";
import { neighboursOf, PROVISIONING, type Stranger, strangers } from "../support/matrix/strangers.js";
import { type Things, thingsIn, withTexts } from "../support/matrix/things.js";
import { operations } from "../support/operations.js";
import { openService, type TestService } from "../support/service.js";

/**
 * Every operation of the OpenAPI document × every kind of caller who may not. A new route is here by being declared; a
 * new name of an id is said in support/matrix/id-names.ts.
 */
describe("the permission matrix", function () {
  this.timeout(120_000);
  let service: TestService;
  let least = 0;
  const asked = asker();
  const { ask } = asked;
  before(async () => {
    service = await openService({ worker: true, env: { DISPATCHER_ENABLED: "false", SCIM_TOKENS: PROVISIONING } });
    await useTestMappings();
    await db.run("insert into connectors values ('erp', 'ERP'), ('other', 'Other')");
  });
  after(() => {
    asked.tell("whoever may not", least);
    assert.ok(least > 12 * operations.length, `${least} calls`);
    return service.close();
  });

  it("knows every name of an id", () => {
    const unknown = operations.flatMap((entry) => unknownNames(entry).map((name) => `${name} (${entry.name})`));
    assert.deepEqual(unknown, [], "say in test/support/matrix/id-names.ts what these name");
  });

  it("finds nothing of the admin side open to all but what is meant to be", () => {
    const adminSide = operations.filter(({ route }) => /^\/api\/(admin|v1\/dashboard)\//.test(route.path));
    const openToAll = adminSide.filter(({ route }) => route.for.kind !== "page" && route.for.kind !== "admin");
    assert.ok(adminSide.length > 60);
    assert.deepEqual(openToAll.map(({ name }) => name).sort(), [...forEverybody].sort());
    for (const { route } of openToAll) assert.equal(route.for.kind, "signedIn", route.path);
  });

  it("is told by the document", () => {
    for (const { route, operation } of operations) {
      const told = operation.description;
      if (route.for.kind === "page") assert.ok(told.includes(`\`${route.for.page}\``), route.path);
      if (route.for.kind === "admin") assert.ok(told.startsWith("Permission: ADMIN only."), told);
    }
  });

  describe("whoever may not", () => {
    let known: Stranger[];
    let things: Things;
    let warehouse_ids: number[];
    let neighbours: Map<Entry, Awaited<ReturnType<typeof neighboursOf>>>;
    let untouched: Awaited<ReturnType<typeof everything>>;
    before(async () => {
      const warehouse_id = await fixtures.warehouse();
      warehouse_ids = [warehouse_id];
      things = await withTexts(await thingsIn(service, warehouse_id, "erp"));
      known = await strangers(service, warehouse_ids);
      neighbours = new Map();
      for (const entry of operations) neighbours.set(entry, await neighboursOf(service, entry, warehouse_ids));
      untouched = await everything(notes);
    });

    for (const entry of operations)
      it(`is refused by ${entry.name}`, async () => {
        const asking = exampleAsking(entry, things);
        const lacking = neighbours.get(entry)?.lacking ?? [];
        const calls = [...known, ...lacking].flatMap(({ who, caller, ...says }) => {
          const refusal = says.refusal(entry);
          return refusal ? [{ who, caller, refusal, says: says.says }] : [];
        });
        least += calls.length;
        assert.ok(calls.length > 0 || entry.route.for.kind === "open");
        await Promise.all(
          calls.map(async ({ who, caller, refusal, says }) => {
            const answer = await ask(caller, asking);
            const { status, body } = answer;
            const about = `${who}: ${told(answer)}`;
            assert.equal(status, refusal.status, about);
            const kind = body.error_kind ?? body.error;
            assert.ok([refusal.kind, refusal.message].includes(kind), about);
            if (says) assert.equal(body.page, says.page, about);
          }),
        );
      });

    it("is refused by the provisioning, which is no part of the document", async () => {
      const places = scim({ scimTokens: [] }, addressLimit(0)).stack.flatMap(({ route }) =>
        (route?.stack ?? []).map(({ method }) => ({ method: method.toUpperCase(), path: `${ROOT}${route?.path}` })),
      );
      assert.ok(places.length > 12);
      const callers = known.filter(({ caller }) => caller.headers.authorization !== `Bearer ${PROVISIONING}`);
      assert.equal(callers.length, known.length - 1);
      for (const { method, path } of places)
        for (const { who, caller } of callers) {
          const answer = await caller.call(method, path, method === "GET" ? undefined : {});
          assert.equal(answer.status, 401, `${method} ${path}, ${who}: ${told(answer)}`);
        }
    });

    it("changed nothing", async () => {
      assert.deepEqual(differing(untouched, await everything(notes)), []);
    });

    /** What somebody hears who may not ask at all. */
    const refusals = [
      ...["Unauthorized", "Forbidden", "permission_denied", "invalid_token"],
      ...["endpoint_scope_violation", "inbound_resource_scope_violation"],
      ...["cross_direction_scope_violation", "wrong_token_direction", "function_not_allowed"],
    ];
    for (const entry of operations)
      it(`but ${entry.name} is open to who may`, async () => {
        const { route } = entry;
        const asking = exampleAsking(entry, things);
        if (route.body) asking.body = { no_such_field: 1 };
        else if (route.method !== "get") for (const name in asking.path) asking.path[name] = 2_147_483_647;
        for (const caller of neighbours.get(entry)?.enough ?? []) {
          const answer = await ask(caller, asking);
          const { status, body } = answer;
          assert.ok(status < 500, told(answer));
          const kind = body.error_kind ?? body.error;
          if (route.body)
            assert.equal(kind, route.for.kind === "dispatch" ? "invalid_body" : "validation_error", told(answer));
          else assert.ok(!refusals.includes(kind), told(answer));
        }
      });
  });
});
