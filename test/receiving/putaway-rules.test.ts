import assert from "node:assert/strict";
import { classifyItems } from "../../activities/receiving/classify.js";
import { type Caller, statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import type { TestService } from "../support/service.js";
import { openTwoWarehouses } from "../support/two-warehouses.js";

const RULES = "/api/admin/put-away-rules";

describe("put-away rules", () => {
  let service: TestService;
  let worker: Caller;
  let admin: Caller;
  let elsewhere: number;
  /** A warehouse of its own for each test. */
  let here: number;
  let item_id: number;
  before(async () => {
    ({ service, user: worker, elsewhere } = await openTwoWarehouses());
    admin = service.admin;
  });
  after(() => service.close());
  beforeEach(async () => {
    here = await fixtures.warehouse();
    ({ item_id } = await fixtures.item());
  });
  afterEach(() => assertInvariants());

  const rule = (fields: object = {}) =>
    admin.ok("POST", RULES, { ...{ warehouse_id: here, priority: 10, rule_name: "All" }, ...fields });
  /** A picking bin, `place` on the way of putting away. */
  async function bin(code: string, place: number, limits: Record<string, number> = {}) {
    const bin_id = await fixtures.bin(here, { code });
    await admin.ok("PUT", `/api/admin/bins/${bin_id}`, { putaway_sequence: place, ...limits });
    return bin_id;
  }
  const zoneOf = (bin_id: number) => db.value<number>("select zone_id from bins where bin_id = $1", [bin_id]);
  const measure = (columns: string) => db.run(`update items set ${columns} where item_id = $1`, [item_id]);
  const suggest = (more = "") => admin.ok("GET", `/api/putaway/suggest/${item_id}?warehouse_id=${here}${more}`);
  const suggested = async (more = "") => {
    const { suggested_bin, why } = await suggest(more);
    return [suggested_bin?.bin_code ?? null, why.code];
  };

  describe("as records", () => {
    it("are made, changed and deleted by an ADMIN, and audited", async () => {
      const made = await rule({ category: "Kitchen", max_weight_lbs: 40.5 });
      const { rule_id, external_id, warehouse_code, updated_at, ...fields } = made;
      assert.ok(external_id && warehouse_code && updated_at);
      assert.deepEqual(fields, {
        ...{ warehouse_id: here, priority: 10, rule_name: "All", category: "Kitchen", max_weight_lbs: 40.5 },
        item_class: null,
        ...{ max_length_in: null, zone_id: null, zone_ids: [], one_item: false, one_lot: false, is_active: true },
      });
      const zone_id = await zoneOf(await bin("A", 1));
      const changed = await admin.ok("PUT", `${RULES}/${rule_id}`, { zone_id, category: null, is_active: false });
      assert.deepEqual(
        [changed.zone_id, changed.category, changed.max_weight_lbs, changed.is_active],
        [zone_id, null, 40.5, false],
      );
      const { put_away_rules } = await admin.ok("GET", `${RULES}?warehouse_id=${here}`);
      assert.deepEqual(put_away_rules, [changed]);
      await admin.ok("DELETE", `${RULES}/${rule_id}`);
      assert.deepEqual((await admin.ok("GET", `${RULES}?warehouse_id=${here}`)).put_away_rules, []);
      const log = await db.rows<{ action_type: string; warehouse_id: number }>(
        `select action_type, warehouse_id from audit_log
         where entity_type = 'PUT_AWAY_RULE' and entity_id = $1 order by log_id`,
        [rule_id],
      );
      assert.deepEqual(
        log.map(({ action_type, warehouse_id }) => [action_type, warehouse_id]),
        [
          ["CREATE", here],
          ["UPDATE", here],
          ["DELETE", here],
        ],
      );
      assert.equal((await worker.get(RULES)).status, 403);
    });

    it("name a warehouse and a zone of it", async () => {
      const strange = { zone_id: await zoneOf(await fixtures.bin(elsewhere)) };
      const { rule_id } = await rule();
      const body = { warehouse_id: here, priority: 1, rule_name: "Strange" };
      const refused = [
        await admin.post(RULES, { ...body, warehouse_id: 999_999 }),
        await admin.post(RULES, { ...body, ...strange }),
        await admin.put(`${RULES}/${rule_id}`, strange),
        await admin.put(`${RULES}/999999`, { priority: 2 }),
        await admin.delete(`${RULES}/999999`),
      ];
      const noZone = `Zone ${strange.zone_id} not found in this warehouse`;
      assert.deepEqual(refused.map(statusAndError), [
        [400, "Warehouse 999999 not found"],
        ...[
          [400, noZone],
          [400, noZone],
        ],
        ...[
          [404, "Put-away rule not found"],
          [404, "Put-away rule not found"],
        ],
      ]);
    });

    it("go with the zone that they name", async () => {
      const { zone_id } = await admin.ok("POST", "/api/admin/zones", {
        ...{ warehouse_id: here, zone_code: "Z", zone_name: "Z", zone_type: "STORAGE" },
      });
      const other = await zoneOf(await bin("A", 1));
      await rule({ zone_id });
      await rule({ zone_ids: [zone_id, other] });
      await admin.ok("DELETE", `/api/admin/zones/${zone_id}`);
      const { put_away_rules } = await admin.ok("GET", `${RULES}?warehouse_id=${here}`);
      assert.deepEqual(
        put_away_rules.map((left: { zone_ids: number[] }) => left.zone_ids),
        [[other]],
      );
    });
  });

  it("may be for items of a class, which is that of their picks of the last 90 days", async () => {
    await bin("NEAR", 1);
    await bin("FAR", 2);
    const near = await zoneOf(await fixtures.bin(here, { code: "GOLD" }));
    await rule({ rule_name: "Wanted", item_class: "A", zone_id: near });
    assert.deepEqual(await suggested(), [null, "no_rule"], "never picked: class C");
    const picked = async (item_id: number, times: number, daysAgo = 1) => {
      const bin_id = await fixtures.bin(here);
      const inventory_id = await fixtures.stock(here, bin_id, item_id, times);
      const batch_id = await db.value<number>(
        `insert into pick_batches (batch_number, warehouse_id, status, assigned_to, total_orders, total_items,
                                   created_at)
         values ('B-' || $2, $1, 'COMPLETED', 'ann', 1, $3, now() - $4 * interval '1 day') returning batch_id`,
        [here, item_id, times, daysAgo],
      );
      await db.run(
        `insert into pick_tasks (batch_id, inventory_id, item_id, bin_id, quantity_to_pick, quantity_picked, status,
                                 pick_sequence, picked_at)
         select $1, $2, $3, $4, 1, 1, 'PICKED', n, now() from generate_series(1, $5::int) n`,
        [batch_id, inventory_id, item_id, bin_id, times],
      );
    };
    const [second, third, long] = [await fixtures.item(), await fixtures.item(), await fixtures.item()];
    await picked(item_id, 80);
    await picked(second.item_id, 16);
    await picked(third.item_id, 4);
    await picked(long.item_id, 50, 91);
    assert.equal(await classifyItems(), 3);
    assert.deepEqual(
      await db.rows("select item_id, item_class from item_classes where warehouse_id = $1 order by item_class", [here]),
      [
        { item_id, item_class: "A" },
        { item_id: second.item_id, item_class: "B" },
        { item_id: third.item_id, item_class: "C" },
      ],
    );
    assert.equal(await classifyItems(), 0, "nothing changed");
    assert.equal((await suggested())[1], "rule");
    const batches = "batch_id in (select batch_id from pick_batches where warehouse_id = $1)";
    await db.run(`delete from pick_tasks where ${batches}`, [here]);
    assert.equal(await classifyItems(), 3, "rows of what is picked no more are gone");
    assert.deepEqual(await suggested(), [null, "no_rule"]);
  });

  it("change nothing where a warehouse has none, or none that is active", async () => {
    const home = await bin("HOME", 1, { max_units: 1 });
    await bin("NEAR", 0);
    await fixtures.stock(here, home, item_id, 5);
    await db.run("insert into preferred_bins (item_id, bin_id, priority) values ($1, $2, 1)", [item_id, home]);
    const { rule_id } = await rule();
    await admin.ok("PUT", `${RULES}/${rule_id}`, { is_active: false });
    const answer = await suggest();
    assert.deepEqual(
      [answer.suggested_bin.bin_code, answer.preferred_bin.bin_code, "why" in answer],
      ["HOME", "HOME", false],
    );
    const refused = await worker.get(`/api/putaway/suggest/${item_id}?warehouse_id=${elsewhere}`);
    assert.equal(refused.status, 403);
    assert.ok(statusAndError(refused));
  });

  it("suggest the item's own bin while it has room, and then the nearest one that has", async () => {
    const home = await bin("HOME", 9, { max_units: 10 });
    await bin("NEAR", 2);
    await bin("FAR", 3);
    await fixtures.stock(here, home, item_id, 8);
    await db.run("insert into preferred_bins (item_id, bin_id, priority) values ($1, $2, 1)", [item_id, home]);
    const { rule_id } = await rule();
    assert.deepEqual(await suggested("&quantity=2"), ["HOME", "preferred_bin"]);
    const { suggested_bin, preferred_bin, why } = await suggest("&quantity=3");
    assert.deepEqual([suggested_bin.bin_code, preferred_bin], ["NEAR", null]);
    assert.deepEqual(why, {
      ...{ code: "rule", rule_id, rule_name: "All", words: "The nearest bin with room by the rule All" },
      lost: [{ bin_id: home, bin_code: "HOME", rule_id: null, rule_name: null, zone_code: null, lacks: "units" }],
    });
    await measure(`default_bin_id = ${home}`);
    await db.run("delete from preferred_bins where item_id = $1", [item_id]);
    assert.deepEqual(await suggested("&quantity=2"), ["HOME", "default_bin"]);
  });

  it("are asked in their order, for items of a category, a weight and a length that are known", async () => {
    const [light, short, mugs] = [await bin("LIGHT", 1), await bin("SHORT", 1), await bin("MUGS", 1)];
    await rule({ priority: 1, zone_id: await zoneOf(light), max_weight_lbs: 5 });
    await rule({ priority: 2, zone_id: await zoneOf(short), max_length_in: 10 });
    await rule({ priority: 3, zone_id: await zoneOf(mugs), category: "Mugs" });
    assert.deepEqual(await suggested(), [null, "no_rule"]);
    await measure("category = 'Mugs'");
    assert.deepEqual(await suggested(), ["MUGS", "rule"]);
    await measure("weight_lbs = 5.01, length_in = 4, width_in = 10, height_in = 2");
    assert.deepEqual(await suggested(), ["SHORT", "rule"]);
    await measure("weight_lbs = 5, width_in = 11");
    assert.deepEqual(await suggested(), ["LIGHT", "rule"]);
  });

  it("count what lies in a bin already: units, weight and volume", async () => {
    const other = (await fixtures.item()).item_id;
    const of = "weight_lbs = 2, length_in = 12, width_in = 12, height_in = 12";
    await db.run(`update items set ${of} where item_id = any($1)`, [[item_id, other]]);
    const limits: Record<string, number>[] = [{ max_units: 5 }, { max_weight_lbs: 10 }, { max_volume_cuft: 5 }];
    for (const [n, limit] of limits.entries()) await fixtures.stock(here, await bin(`FULL-${n}`, n, limit), other, 3);
    await bin("FREE", 9);
    await rule();
    assert.deepEqual(await suggested("&quantity=2"), ["FULL-0", "rule"]);
    assert.deepEqual(await suggested("&quantity=3"), ["FREE", "rule"]);
    await db.run("update bins set is_active = false where bin_code = 'FREE' and warehouse_id = $1", [here]);
    assert.deepEqual(await suggested("&quantity=3"), [null, "no_bin"]);
  });

  it("keep items and lots apart where they ask for it", async () => {
    const [mixed, same] = [await bin("MIXED", 1), await bin("SAME", 2)];
    await bin("EMPTY", 3);
    await fixtures.stock(here, mixed, (await fixtures.item()).item_id, 1);
    await fixtures.stock(here, same, item_id, 1, "LOT-1");
    const { rule_id } = await rule();
    assert.deepEqual(await suggested(), ["MIXED", "rule"]);
    await admin.ok("PUT", `${RULES}/${rule_id}`, { one_item: true });
    assert.deepEqual(await suggested("&lot_number=LOT-2"), ["SAME", "rule"]);
    await admin.ok("PUT", `${RULES}/${rule_id}`, { one_lot: true });
    assert.deepEqual(await suggested("&lot_number=LOT-1"), ["SAME", "rule"]);
    assert.deepEqual(await suggested("&lot_number=LOT-2"), ["EMPTY", "rule"]);
    assert.deepEqual(await suggested(), ["EMPTY", "rule"]);
  });

  it("say that no bin will do, and which rules lost", async () => {
    const small = await bin("SMALL", 1, { max_units: 1 });
    const [first, second] = [
      await rule({ priority: 1, zone_id: await zoneOf(small) }),
      await rule({ rule_name: "Rest" }),
    ];
    const { suggested_bin, preferred_bin, why } = await suggest("&quantity=2");
    assert.deepEqual([suggested_bin, preferred_bin, why.code, why.rule_id], [null, null, "no_bin", null]);
    assert.deepEqual(
      why.lost.map((lost: { rule_id: number; lacks: string }) => [lost.rule_id, lost.lacks]),
      [
        [first.rule_id, "bin"],
        [second.rule_id, "bin"],
      ],
    );
    await bin("FREE", 2);
    const found = await suggest("&quantity=2");
    assert.deepEqual([found.suggested_bin.bin_code, found.why.rule_id], ["FREE", second.rule_id]);
    assert.deepEqual(found.why.lost, [
      { bin_id: null, bin_code: null, rule_id: first.rule_id, rule_name: "All", zone_code: null, lacks: "bin" },
    ]);
  });

  it("may name several zones, of which the first with room wins", async () => {
    const [first, second] = [await bin("FIRST", 9, { max_units: 3 }), await bin("SECOND", 1, { max_units: 5 })];
    const [a, b] = [await zoneOf(first), await zoneOf(second)];
    const made = await rule({ zone_ids: [a, b, a] });
    assert.deepEqual([made.zone_id, made.zone_ids], [a, [a, b]], "each once");
    assert.deepEqual(await suggested("&quantity=3"), ["FIRST", "rule"]);
    const { suggested_bin, why } = await suggest("&quantity=4");
    const zone_code = await db.value("select zone_code from zones where zone_id = $1", [a]);
    const { rule_id } = made;
    assert.deepEqual(
      [suggested_bin.bin_code, why.code, why.lost],
      ["SECOND", "rule", [{ bin_id: null, bin_code: null, rule_id, rule_name: "All", zone_code, lacks: "bin" }]],
    );
    assert.deepEqual(await suggested("&quantity=6"), [null, "no_bin"]);
    const of = async (fields: object) => {
      const { zone_id, zone_ids } = await admin.ok("PUT", `${RULES}/${rule_id}`, fields);
      return [zone_id, zone_ids];
    };
    assert.deepEqual(await of({ priority: 3 }), [a, [a, b]], "what is not sent stays");
    assert.deepEqual(await of({ zone_id: a, zone_ids: [b] }), [b, [b]]);
    assert.deepEqual(await of({ zone_id: a }), [a, [a]]);
    assert.deepEqual(await of({ zone_id: null }), [null, []]);
    assert.deepEqual(await suggested("&quantity=4"), ["SECOND", "rule"]);
    const refused = await admin.put(`${RULES}/${rule_id}`, { zone_ids: [a, 999_999] });
    assert.deepEqual(statusAndError(refused), [400, "Zone 999999 not found in this warehouse"]);
  });

  it("decide for what lies in staging bins, for all of its units and its lot", async () => {
    await bin("SMALL", 1, { max_units: 3 });
    await bin("LARGE", 2);
    const dock = await fixtures.bin(here, { type: "Staging" });
    await fixtures.stock(here, dock, item_id, 4, "LOT-1");
    await fixtures.stock(here, dock, item_id, 2, "LOT-2");
    await rule();
    const { pending_items } = await admin.ok("GET", `/api/putaway/pending/${here}`);
    assert.deepEqual(
      pending_items.map((row: Record<string, { code: string }>) => [row.suggested_bin, row.why?.code]),
      [
        ["LARGE", "rule"],
        ["SMALL", "rule"],
      ],
    );
    const { bins } = await admin.ok("GET", `/api/putaway/staging-summary/${here}`);
    assert.deepEqual(
      bins[0].items.map((row: { suggested_bin: string }) => row.suggested_bin),
      ["LARGE", "SMALL"],
    );
  });
});
