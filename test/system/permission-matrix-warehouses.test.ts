import assert from "node:assert/strict";
import { hashPassword } from "../../src/auth/password.js";
import { dispatchSlugs } from "../../src/auth/tokens/scope.js";
import { eventTypes } from "../../src/platform/events/catalog.js";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { differing, everything } from "../support/everything.js";
import * as fixtures from "../support/fixtures.js";
import { fresh, push, sender, useTestMappings } from "../support/inbound.js";
import {
  type Asking,
  asker,
  askingOf,
  exampleAsking,
  naming,
  notes,
  stands,
  told,
  withValue,
} from "../support/matrix/asking.js";
import { numberAlone, ofTheCaller, open, toldToAll } from "../support/matrix/exceptions.js";
import { type Entry, leftOut, slotsOf } from "../support/matrix/id-names.js";
import {
  FIRST,
  leaks,
  markedRows,
  markedUuids,
  markTexts,
  withMarkedIds,
  withoutMarkedIds,
} from "../support/matrix/marks.js";
import { allKeys, fullOutbound } from "../support/matrix/strangers.js";
import { pushable, type Things, thingsIn, withTexts } from "../support/matrix/things.js";
import { testMessagesAreSentAtOnce } from "../support/notifications.js";
import { operations } from "../support/operations.js";
import { partnerCaller } from "../support/partners.js";
import { partner } from "../support/polling.js";
import { changeOf } from "../support/requests.js";
import { openService, type TestService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";

/**
 * Every operation of the OpenAPI document × every place where it names a thing of a warehouse: somebody of one
 * warehouse names what lies in another, in whose rows every text and every number tells where it comes from. What a
 * route changes is asked in a way that succeeds in the own warehouse, so that nothing but the warehouse can be why it
 * is refused.
 */
describe("what lies in another warehouse", function () {
  this.timeout(120_000);
  let service: TestService;
  let least = 0;
  const asked = asker();
  const { ask } = asked;
  let theirs: Things;
  let own: Things;
  let uuids: Set<string>;
  let neighbour: Caller;
  let taker: Caller;
  let pusher: Caller;
  let dispatcher: Caller;
  let partnerOfErp: Caller;
  const shared: Record<string, unknown> = {
    ...{ username: "nobody of that name", current_password: "wrong" },
    resource: "sales_orders",
  };
  before(async () => {
    service = await openService({ worker: true, env: { DISPATCHER_ENABLED: "false" } });
    await withoutMarkedIds();
    await testMessagesAreSentAtOnce();
    await useTestMappings();
    await db.run("insert into connectors values ('erp', 'ERP'), ('other', 'Other')");
    const { item_id } = await fixtures.item();
    shared.item_id = item_id;
    const world = async (connector: string) => {
      const id = await fixtures.warehouse();
      const things = await thingsIn(service, id, connector);
      const bin_id = things.bin[0] as number;
      await fixtures.stock(id, bin_id, item_id, 7);
      const body = { item_id, bin_id };
      await service.admin.ok("POST", "/api/admin/preferred-bins", body);
      await service.admin.ok("PUT", `/api/admin/items/${item_id}`, { default_bin_id: bin_id });
      return things;
    };
    const ours = await world("erp");
    const others = await withMarkedIds(() => world("other"));
    await markTexts();
    [own, theirs] = [await withTexts(ours), await withTexts(others)];
    uuids = await markedUuids(theirs);
    const warehouse_ids = own.warehouse as number[];
    neighbour = await service.user({ warehouse_ids, page_keys: allKeys });
    await db.run("update users set password_hash = $2 where user_id = $1", [
      neighbour.userId,
      await hashPassword("correct horse 1"),
    ]);
    taker = await partner(service, warehouse_ids, fullOutbound);
    pusher = await sender(service, { warehouse_ids });
    partnerOfErp = (await partnerCaller(service, { connector_id: "erp", warehouse_ids, event_types: eventTypes }))
      .caller;
    dispatcher = (await tokenCaller(service, { endpoints: [...dispatchSlugs], warehouse_ids })).caller;
  });

  after(() => {
    asked.tell("what lies in another warehouse", least);
    return service.close();
  });

  const callerOf = ({ route }: Entry): Caller => {
    if (route.for.kind === "inbound") return pusher;
    if (route.for.kind === "dispatch") return dispatcher;
    if (route.for.kind === "open") return service.anyone;
    if (route.for.kind === "partner") return partnerOfErp;
    return route.for.kind === "outbound" ? taker : neighbour;
  };
  const hides = (answer: Answer, { path, query, body }: Asking, of: string) => {
    const about = `${of}: ${told(answer)}`;
    assert.deepEqual(leaks(answer.body, [path, query, body], uuids), [], about);
    assert.ok(answer.status < 500, about);
  };
  /** What is known to be wrong must be wrong, so that nobody forgets to say when it is right. */
  const judge = async (name: string, run: () => Promise<unknown>) => {
    const finding = open.get(name);
    if (!finding) return run();
    await assert.rejects(
      run,
      assert.AssertionError,
      `${name} is mended (${finding}): take it from support/matrix/exceptions.ts`,
    );
  };

  const changing = operations.filter(({ route }) => route.method !== "get" && route.for.kind !== "open");
  const reading = operations.filter((entry) => !changing.includes(entry));

  for (const entry of reading)
    it(`is not shown by ${entry.name}`, () =>
      judge(entry.name, async () => {
        const asking = exampleAsking(entry, own, shared);
        const wrong = naming(asking, theirs);
        least += 1 + wrong.length;
        const caller = callerOf(entry);
        const plain = await ask(caller, asking);
        if (!toldToAll.has(entry.name)) hides(plain, asking, "no filter");
        for (const { asking, slot } of wrong) {
          const answer = await ask(caller, asking);
          hides(answer, asking, slot.name);
          const refused = entry.route.signedBody ? [401] : [400, 403, 404];
          if (slot.place === "path") assert.ok(refused.includes(answer.status), told(answer));
        }
      }));

  it("is shown to an ADMIN by every list of a warehouse", async () => {
    const lists = reading.filter(
      (entry) => entry.operation.parameters.some(({ name }) => name === "warehouse_id") && !numberAlone.has(entry.name),
    );
    const blind: string[] = [];
    for (const entry of lists) {
      const asking = exampleAsking(entry, theirs, shared);
      asking.query.warehouse_id = theirs.warehouse[0];
      const caller = callerOf(entry) === taker ? taker : service.admin;
      const { status, body } = await ask(caller, asking);
      if (status === 200 && leaks(body, [], uuids).length === 0) blind.push(entry.name);
    }
    assert.deepEqual(blind, []);
  });

  describe("in a change", () => {
    /** What each route is asked for in the own warehouse, and in another. */
    const sound = new Map<Entry, Asking>();
    const foreign = new Map<Entry, Asking>();
    const madeToWork = new Set<Entry>();
    let untouched: Awaited<ReturnType<typeof everything>>;
    let untouchedTheirs: unknown;
    const made = async (entry: Entry, { warehouse }: Things) => {
      const id = warehouse[0] as number;
      const change = await changeOf(service, entry.name, id);
      return change && askingOf(entry, change.path, change.body);
    };
    before(async () => {
      for (const entry of changing) {
        const asking = await made(entry, own);
        if (asking && entry.route.for.kind !== "admin" && !ofTheCaller.has(entry.name)) madeToWork.add(entry);
        sound.set(entry, asking ?? exampleAsking(entry, own, shared));
      }
      await withMarkedIds(async () => {
        for (const entry of changing) {
          const asking = await made(entry, theirs);
          const slots = slotsOf(entry).filter((slot) => stands(asking, slot));
          if (asking && slots.length > 0) foreign.set(entry, asking);
        }
      });
      // What adds a source system loads its document alone.
      await useTestMappings();
      // Some of the sound requests go from one own warehouse to another.
      await db.run(
        `update users set warehouse_ids = array(select warehouse_id from warehouses where warehouse_id < $2)
          where user_id = $1`,
        [neighbour.userId, FIRST],
      );
      // A program that owns nothing is whose who made it.
      await db.run("update connectors set created_by = $1", [neighbour.username]);
      // So is a view of a list.
      await db.run("update saved_views set user_id = $1", [neighbour.userId]);
      // A badge is whose it was made for, and its PIN is set with the password.
      await db.run(
        `with badge as (insert into user_badges (user_id, badge_hash, made_by) values ($1, repeat('0', 64), 'ann'))
         update users set password_hash = (select password_hash from users join user_badges using (user_id) limit 1)
         where user_id = $1`,
        [neighbour.userId],
      );
      untouched = await everything(notes);
      untouchedTheirs = await markedRows(theirs);
    });

    for (const entry of changing)
      it(`is refused by ${entry.name}`, () =>
        judge(entry.name, async () => {
          const wrong = naming(sound.get(entry) as Asking, theirs).map(({ asking, slot }) => ({
            asking,
            named: slot.name,
          }));
          const all = foreign.get(entry);
          const skips = slotsOf(entry).length > wrong.length;
          if (all && !skips) wrong.push({ asking: all, named: "all" });
          least += wrong.length;
          const answers = await Promise.all(wrong.map(({ asking }) => ask(callerOf(entry), asking)));
          for (const [i, { asking, named }] of wrong.entries()) {
            const answer = answers[i] as Answer;
            hides(answer, asking, named);
            assert.ok([400, 403, 404, 422].includes(answer.status), `${named}: ${told(answer)}`);
          }
        }));

    it("is refused before anything is changed", async () => {
      assert.deepEqual(differing(untouched, await everything(notes)), []);
    });

    for (const entry of changing)
      it(`does not keep anybody from ${entry.name} in an own one`, async () => {
        const skipped = leftOut(entry).reduce(
          (so, slot) => withValue(so, slot, theirs.order),
          sound.get(entry) as Asking,
        );
        least++;
        const answer = await ask(callerOf(entry), skipped);
        hides(answer, skipped, "own");
        if (madeToWork.has(entry)) assert.ok(answer.status < 300, told(answer));
      });

    it("stays as it was beside what is left out", async () => {
      for (const [entry, asking] of foreign)
        if (naming(asking, theirs).length < slotsOf(entry).length)
          hides(await ask(neighbour, asking), asking, entry.name);
      assert.deepEqual(await markedRows(theirs), untouchedTheirs);
    });
  });

  describe("in what another system pushes", () => {
    for (const [i, [resource, number]] of pushable.entries())
      it(`is refused by ${resource}`, () =>
        judge(`a push of ${resource}`, async () => {
          const before = await markedRows(theirs);
          const sent = (named: string, warehouse_id?: unknown) => {
            asked.count();
            return push(pusher, resource, named, 9, { [number]: fresh("N"), lines: [], warehouse_id });
          };
          const known = theirs.pushed[i] as string;
          for (const answer of [
            await sent(fresh("new"), theirs.warehouse[0]),
            await sent(known, own.warehouse[0]),
            await sent(known),
          ])
            assert.equal(answer.status, 403, told(answer));
          assert.deepEqual(await markedRows(theirs), before);
        }));
  });
});
