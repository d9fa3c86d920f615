import assert from "node:assert/strict";
import { functionNeeded } from "../../api/http/route.js";
import type { FloorFunction } from "../../src/auth/functions.js";
import type { Caller } from "../support/caller.js";
import * as fixtures from "../support/fixtures.js";
import { examplePath, json, operations } from "../support/operations.js";
import { person, sessionsOf } from "../support/people.js";
import { openService, type TestService } from "../support/service.js";

const floor = operations.filter(({ route }) => route.for.kind === "floor");
const writes = floor.filter(({ route }) => functionNeeded(route));
const reads = floor.filter(({ route }) => !functionNeeded(route));

describe("allowed_functions", () => {
  let service: TestService;
  let warehouse_ids: number[];
  /** A picker, and one who may nothing. */
  let picker: Caller;
  let nobody: Caller;
  const { signedIn } = sessionsOf(() => service);

  before(async () => {
    service = await openService({ worker: true });
    warehouse_ids = [await fixtures.warehouse()];
    const who = async (allowed_functions: FloorFunction[]) =>
      signedIn((await person({ role: "USER", warehouse_ids, allowed_functions })).username);
    picker = await who(["pick"]);
    nobody = await who([]);
  });
  after(() => service.close());

  const enforce = (value: string) =>
    service.admin.ok("PUT", "/api/admin/settings", { settings: { enforce_allowed_functions: value } });
  const ask = ({ route, operation }: (typeof operations)[number], caller: Caller) =>
    caller.call(route.method.toUpperCase(), examplePath(route, operation), json(operation.requestBody)?.example);
  const isRefused = ({ status, body }: { status: number; body: object }) => status === 403 && "function" in body;

  it("are on every function of the floor", () => {
    assert.deepEqual([...new Set(writes.map(({ route }) => functionNeeded(route)))].sort(), [
      "count",
      "pack",
      "pick",
      "putaway",
      "receive",
      "ship",
      "transfer",
    ]);
    assert.ok(reads.length > 10);
  });

  it("are the menu's alone as long as nothing else is set", async () => {
    for (const entry of writes) assert.ok(!isRefused(await ask(entry, nobody)), entry.name);
  });

  describe("where they are enforced", () => {
    before(() => enforce("true"));
    after(() => enforce("false"));

    for (const entry of writes) {
      const needed = functionNeeded(entry.route);
      it(`let only who has ${needed} ask ${entry.name}`, async () => {
        const { status, body } = await ask(entry, nobody);
        assert.deepEqual([status, body], [403, { error: "function_not_allowed", function: needed }]);
        assert.equal(isRefused(await ask(entry, picker)), needed !== "pick");
        assert.ok(!isRefused(await ask(entry, service.admin)));
        const refused = json(entry.operation.responses[403])?.examples;
        assert.ok(refused?.function_not_allowed);
      });
    }

    it("leave every read open", async () => {
      for (const entry of reads) assert.ok(!isRefused(await ask(entry, nobody)), entry.name);
    });

    it("are read anew with each request", async () => {
      const [write] = writes as [(typeof writes)[number]];
      await enforce("false");
      assert.ok(!isRefused(await ask(write, nobody)));
      await enforce("true");
      assert.ok(isRefused(await ask(write, nobody)));
    });
  });

  it("are switched by true and false alone", async () => {
    const { status } = await service.admin.put("/api/admin/settings", {
      settings: { enforce_allowed_functions: "yes" },
    });
    assert.equal(status, 400);
  });
});
