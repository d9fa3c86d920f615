import assert from "node:assert/strict";
import { overrideKeys, pageKeys } from "../src/auth/pages.js";
import type { Answer, Caller } from "./support/caller.js";
import * as fixtures from "./support/fixtures.js";
import { type House, openHouse } from "./support/house.js";
import { examplePath, operations } from "./support/operations.js";

const allKeys = [...pageKeys, ...overrideKeys];

type Entry = (typeof operations)[number];

const adminSide = operations.filter(({ route }) =>
  /^\/api\/(admin|v1\/dashboard)\//.test(route.path),
);

/** What any signed-in user may ask of the admin side, because the route itself looks at who asks, and for what. */
const forEverybody = new Set([
  "patch /api/admin/sales-orders/:so_id/address",
  "get /api/admin/search",
]);

/**
 * Every route of the admin side in the OpenAPI document, asked by every kind of user. No route can be without a permission:
 * `for` has no default, the app serves nothing but declared routes, and of those below these paths each stands here.
 */
describe("the admin side, asked by every kind of user", () => {
  let house: House;
  let warehouse_ids: number[];
  let stranger: Caller;
  let everyPage: Caller;
  before(async () => {
    house = await openHouse({ worker: true });
    // The one that the examples name; with a bin, so that nobody deletes it on the way.
    warehouse_ids = [await fixtures.warehouse()];
    await fixtures.bin(warehouse_ids[0] as number);
    stranger = await house.user({ warehouse_ids });
    everyPage = await house.user({
      warehouse_ids,
      page_keys: allKeys,
    });
  });
  after(() => house.close());

  /** With a body that no route takes: who may ask is told so, and nothing happens. */
  const ask = ({ route, operation }: Entry, caller: Caller) =>
    caller.call(
      route.method.toUpperCase(),
      examplePath(route, operation),
      route.body && { no_such_field: 1 },
    );
  const told = ({ status, body }: Answer) => [status, body];
  const refusals = ["Unauthorized", "Forbidden", "permission_denied"];

  async function mayAsk(entry: Entry, caller: Caller) {
    const { status, body } = await ask(entry, caller);
    assert.ok(status < 500, JSON.stringify(body));
    if (entry.route.body)
      assert.deepEqual([status, body.error], [400, "validation_error"]);
    else assert.ok(!refusals.includes(body.error), JSON.stringify(body));
  }

  it("is all there", () => assert.ok(adminSide.length > 60));

  for (const entry of adminSide) {
    const { route, name, operation } = entry;
    describe(name, () => {
      it("is closed to nobody known", async () => {
        assert.deepEqual(told(await ask(entry, house.anyone)), [
          401,
          { error: "Unauthorized" },
        ]);
      });

      it("is open to an ADMIN", () => mayAsk(entry, house.admin));

      if (forEverybody.has(name)) {
        it("is open to whoever is signed in", async () => {
          assert.equal(route.for.kind, "signedIn");
          await mayAsk(entry, stranger);
        });
      } else if (route.for.kind === "page") {
        const { page, override } = route.for;
        const keys = [page, ...(override ? [override] : [])];

        it(`is open to a user with ${keys.join(" and ")} alone`, async () => {
          assert.ok(operation["x-permission"].includes(`\`${page}\``));
          const user = await house.user({ warehouse_ids, page_keys: keys });
          await mayAsk(entry, user);
        });

        for (const key of keys)
          it(`is closed to a user with all keys but ${key}`, async () => {
            const user = await house.user({
              warehouse_ids,
              page_keys: allKeys.filter((other) => other !== key),
            });
            const denied = [403, { error: "permission_denied", page: key }];
            assert.deepEqual(told(await ask(entry, user)), denied);
          });

        it("is closed to a user without any key", async () => {
          const denied = [403, { error: "permission_denied", page }];
          assert.deepEqual(told(await ask(entry, stranger)), denied);
        });
      } else {
        it("is closed to every USER, whatever pages there are", async () => {
          assert.equal(route.for.kind, "admin");
          assert.equal(operation["x-permission"], "ADMIN only");
          for (const user of [stranger, everyPage])
            assert.deepEqual(told(await ask(entry, user)), [
              403,
              { error: "Forbidden" },
            ]);
        });
      }
    });
  }
});
