import assert from "node:assert/strict";
import { functionNeeded } from "../../api/http/route.js";
import { type FloorFunction, floorFunctions } from "../../src/auth/rights.js";
import { type Caller, statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { examplePath, json, operations } from "../support/operations.js";
import { testService } from "../support/service.js";

const floor = operations.filter(({ route }) => route.for.kind === "floor");
const writes = floor.filter(({ route }) => functionNeeded(route));
const reads = floor.filter(({ route }) => !functionNeeded(route));

describe("allowed_functions", () => {
  const service = testService({ worker: true });
  /** One who may nothing, and for each function who may that alone, and who may all others. */
  let nobody: Caller;
  const only = new Map<FloorFunction, Caller>();
  const others = new Map<FloorFunction, Caller>();
  before(async () => {
    const warehouse_ids = [await fixtures.warehouse()];
    const who = async (functions: FloorFunction[]) => {
      const user = await service.user({ warehouse_ids });
      await db.run("update users set allowed_functions = $2 where user_id = $1", [user.userId, functions]);
      return user;
    };
    nobody = await who([]);
    for (const name of floorFunctions) {
      only.set(name, await who([name]));
      others.set(name, await who(floorFunctions.filter((other) => other !== name)));
    }
  });

  const enforce = (value: string) =>
    service.admin.ok("PUT", "/api/admin/settings", { settings: { enforce_allowed_functions: value } });
  const ask = ({ route, operation }: (typeof operations)[number], caller: Caller) =>
    caller.call(route.method.toUpperCase(), examplePath(route, operation), json(operation.requestBody)?.example);
  const isRefused = ({ status, body }: { status: number; body: object }) => status === 403 && "function" in body;

  it("are on every function of the floor", () => {
    assert.deepEqual([...new Set(writes.map(({ route }) => functionNeeded(route)))].sort(), [
      "any",
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
        const refusal = [403, { error: "function_not_allowed", function: needed }];
        const refused = needed === "any" ? [nobody] : [nobody, others.get(needed as FloorFunction)];
        for (const by of refused) assert.deepEqual(statusAndBody(await ask(entry, by as Caller)), refusal);
        const allowed = needed === "any" ? [...only.values()] : [only.get(needed as FloorFunction)];
        for (const by of allowed) assert.ok(!isRefused(await ask(entry, by as Caller)));
        assert.ok(!isRefused(await ask(entry, service.admin)));
        assert.ok(json(entry.operation.responses[403])?.examples?.function_not_allowed);
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
