import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { sequenceAll } from "../../activities/outbound/sequencer.js";
import { clearScans } from "../../activities/outbound/snapshot.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { SNAPSHOT, scanWith } from "../support/snapshots.js";
import { type TokenCaller, tokenCaller } from "../support/tokens.js";

const UNKNOWN = "3f2b6c1e-9a4d-4c58-8f0e-5d7a1b2c3d4e";

describe("the inventory snapshot", () => {
  const service = testService();
  /** Has five rows, one of them at zero. */
  let warehouse_id: number;
  let other: number;
  before(async () => {
    [warehouse_id, other] = [await fixtures.warehouse(), await fixtures.warehouse()];
    const bins = [await fixtures.bin(warehouse_id), await fixtures.bin(warehouse_id)] as const;
    const items = [await fixtures.item(), await fixtures.item()] as const;
    for (const [bin, item, quantity, lot] of [
      [1, 1, 9, null],
      [0, 1, 0, null],
      [1, 0, 7, "LOT-B"],
      [1, 0, 6, "LOT-A"],
      [0, 0, 5, null],
    ] as const) {
      const place = [warehouse_id, bins[bin], items[item].item_id] as const;
      await fixtures.stock(...place, quantity, lot);
    }
    await fixtures.stock(...[other, await fixtures.bin(other), items[0].item_id, 99]);
    await db.run("update inventory set quantity_allocated = 2 where quantity_on_hand = 5");
  });

  const token = (fields: object = {}) =>
    tokenCaller(service, { endpoints: ["snapshot.inventory"], warehouse_ids: [warehouse_id], ...fields });
  const page = (who: TokenCaller, query: string, at = warehouse_id) =>
    who.caller.get(`${SNAPSHOT}?warehouse_id=${at}${query}`);
  /** A scan of which the first two of five rows were read. */
  async function begun(fields: object = {}) {
    const who = await token(fields);
    const { status, body } = await page(who, "&limit=2");
    assert.equal(status, 200);
    const next = (limit = 2) => page(who, `&limit=${limit}&cursor=${body.next_cursor}`);
    return { who, first: body, cursor: body.next_cursor as string, next };
  }
  const refusal = async (asked: ReturnType<Caller["get"]>) => {
    const { status, body } = await asked;
    return [status, body];
  };
  const age = ({ token_id }: TokenCaller, seconds: number) =>
    db.run(
      "update snapshot_scans set last_accessed_at = now() - make_interval(secs => $2) where created_by_token_id = $1",
      [token_id, seconds],
    );
  const scansOf = ({ token_id }: TokenCaller) =>
    db.column<string>("select status from snapshot_scans where created_by_token_id = $1 order by started_at", [
      token_id,
    ]);

  const rowsOf = ({ token_id }: TokenCaller) =>
    db.value<number>(
      `select count(*) as rows from snapshot_rows join snapshot_scans using (scan_id)
          where created_by_token_id = $1`,
      [token_id],
    );

  it("gives every row of the warehouse, those at zero too, by item, bin and lot", async () => {
    const { status, body } = await page(await token(), "");
    assert.equal(status, 200);
    assert.equal(body.next_cursor, null);
    const expected = await db.rows(
      `select i.external_id as item_external_id, v.warehouse_id, b.external_id as bin_external_id, quantity_on_hand,
              quantity_allocated, quantity_on_hand - quantity_allocated as quantity_available, lot_number,
              null as serial_number
       from inventory v join items i using (item_id) join bins b using (bin_id)
       where v.warehouse_id = $1 order by item_id, bin_id, inventory_id`,
      [warehouse_id],
    );
    assert.deepEqual(body.rows, expected);
    assert.deepEqual(pluck(body.rows, "quantity_on_hand"), [5, 7, 6, 0, 9]);
  });

  it("is of a warehouse that has no stock, too", async () => {
    const empty = await fixtures.warehouse();
    const who = await token({ warehouse_ids: [empty] });
    const { body } = await page(who, "", empty);
    assert.deepEqual([body.rows, body.next_cursor], [[], null]);
  });

  it("calls items as their source system does, by the earliest of its names", async () => {
    await db.run("insert into inbound_source_systems_allowlist values ('erp', 'connector'), ('shop', 'connector')");
    const item = await fixtures.item();
    const bin_id = await fixtures.bin(other);
    await fixtures.stock(other, bin_id, item.item_id, 1);
    await db.run(
      `insert into cross_system_mappings (source_system, source_type, source_id, canonical_type, canonical_id, shared)
       select source_system, 'item', source_id, 'item', external_id, true
       from items, (values ('shop', 'first'), ('erp', 'second'), ('erp', 'third')) m(source_system, source_id)
       where item_id = $1`,
      [item.item_id],
    );
    const who = await token({ warehouse_ids: [other] });
    const { body } = await page(who, "", other);
    const bin = await db.row<{ external_id: string }>("select external_id from bins where bin_id = $1", [bin_id]);
    const row = body.rows.at(-1);
    assert.deepEqual([row.item_external_id, row.bin_external_id], ["first", bin?.external_id]);
  });

  describe("comes in pages", () => {
    it("of any size, which together are the whole, each row once", async () => {
      const { caller } = await token();
      const whole = await scanWith([caller], warehouse_id, 2000);
      assert.equal(whole.rows.length, 5);
      for (const limit of [1, 2, 3, 4, 5, 6]) assert.deepEqual(await scanWith([caller], warehouse_id, limit), whole);
    });

    it("of which the first one that is not full is the last", async () => {
      const { next, first, who } = await begun();
      const second = (await next()).body;
      const rest = await page(who, `&limit=2&cursor=${second.next_cursor}`);
      assert.equal(rest.body.rows.length, 1);
      assert.equal(rest.body.next_cursor, null);
      assert.deepEqual(await scansOf(who), ["done"]);
      const full = await begun();
      const third = (await full.next(3)).body;
      assert.equal(third.rows.length, 3);
      const { body } = await page(full.who, `&cursor=${third.next_cursor}`);
      assert.deepEqual(body, {
        ...{ snapshot_event_id: first.snapshot_event_id, epoch: first.epoch, rows: [] },
        next_cursor: null,
      });
    });

    it("that can be asked for again, the last one too", async () => {
      const { next } = await begun();
      const middle = (await next(1)).body;
      const last = (await next(500)).body;
      assert.equal(last.next_cursor, null);
      assert.deepEqual((await next(500)).body, last);
      assert.deepEqual((await next(1)).body, middle);
    });

    it("of one moment, whatever happens between them", async () => {
      const { next, first, who } = await begun();
      const bin_id = await fixtures.bin(warehouse_id);
      const { item_id } = await fixtures.item();
      const added = await fixtures.stock(warehouse_id, bin_id, item_id, 3);
      await db.run("update inventory set quantity_on_hand = quantity_on_hand + 1 where warehouse_id = $1", [
        warehouse_id,
      ]);
      const rest = (await next(500)).body;
      assert.deepEqual(pluck([...first.rows, ...rest.rows], "quantity_on_hand"), [5, 7, 6, 0, 9]);
      const { rows } = await scanWith([who.caller], warehouse_id, 500);
      assert.deepEqual(pluck(rows, "quantity_on_hand"), [6, 8, 7, 1, 10, 4]);
      await db.run("delete from inventory where inventory_id = $1", [added]);
      await db.run("update inventory set quantity_on_hand = quantity_on_hand - 1 where warehouse_id = $1", [
        warehouse_id,
      ]);
    });
  });

  it("says up to which event it holds, the ones that had no number yet included", async () => {
    const emit = () =>
      db.run(
        `insert into integration_events (event_type, aggregate_type, aggregate_external_id, entity_type, entity_id,
                                         warehouse_id, source_txn_id, payload)
         select 'ship.confirmed', 'sales_order', gen_random_uuid(), 'sales_order', n, 1, gen_random_uuid(), '{}'
         from generate_series(1, 3) n`,
      );
    await emit();
    const { first, next } = await begun();
    const newest = await db.row(
      "select max(event_id) as newest, count(*) filter (where event_id is null) as waiting from integration_events",
    );
    assert.deepEqual(newest, { newest: first.snapshot_event_id, waiting: 0 });
    await emit();
    await sequenceAll();
    assert.equal((await next()).body.snapshot_event_id, first.snapshot_event_id);
    const later = await begun();
    assert.equal(later.first.snapshot_event_id, first.snapshot_event_id + 3);
  });

  describe("is for a token", () => {
    it("of the warehouse, at every page", async () => {
      const { who, cursor, next } = await begun();
      const denied = [403, { error: "scope_violation", field: "warehouse_id" }];
      assert.deepEqual(await refusal(page(who, "", other)), denied);
      assert.deepEqual(await refusal(page(who, `&cursor=${cursor}`, other)), denied);
      assert.deepEqual(await refusal(page(await token({ warehouse_ids: [] }), "")), denied);
      await service.admin.ok("PATCH", `/api/admin/tokens/${who.token_id}`, { warehouse_ids: [other] });
      assert.deepEqual(await refusal(next()), denied);
    });
  });

  it("is asked for by a warehouse, and a limit up to 2000", async () => {
    const { caller } = await token();
    for (const [query, field] of [
      ["", "warehouse_id"],
      ["?warehouse_id=x", "warehouse_id"],
      ["?warehouse_id=0", "warehouse_id"],
      [`?warehouse_id=${warehouse_id}&limit=0`, "limit"],
      [`?warehouse_id=${warehouse_id}&limit=2001`, "limit"],
      [`?warehouse_id=${warehouse_id}&cursor=${"x".repeat(2049)}`, "cursor"],
      [`?warehouse_id=${warehouse_id}&cursor=a&cursor=b`, "cursor"],
    ]) {
      const { status, body } = await caller.get(SNAPSHOT + query);
      assert.deepEqual([status, body.error, body.details[0].loc], [400, "validation_error", [field]]);
    }
  });

  describe("has a cursor", () => {
    it("that nobody else can make", async () => {
      const { who, cursor } = await begun();
      const text = Buffer.from(cursor, "base64url").toString();
      const { scan_id, after } = JSON.parse(text);
      const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
      assert.equal(encoded({ scan_id, after }), cursor);
      for (const wrong of [
        "",
        "x",
        "%",
        `${cursor}=`,
        ` ${cursor}`,
        cursor.slice(1),
        cursor.slice(0, -1),
        Buffer.from(`${text} `).toString("base64url"),
        encoded({ after, scan_id }),
        encoded({ scan_id }),
        encoded({ scan_id, after: 0 }),
        encoded({ scan_id, after: -1 }),
        encoded({ scan_id, after: 1.5 }),
        encoded({ scan_id, after: 2 ** 53 }),
        encoded({ scan_id, after: "2" }),
        encoded({ scan_id: "1", after }),
        encoded({ scan_id, after, more: 1 }),
        encoded(null),
        encoded([scan_id, after]),
      ])
        assert.deepEqual(
          await refusal(page(who, `&cursor=${encodeURIComponent(wrong)}`)),
          [400, { error: "invalid_cursor" }],
          wrong,
        );
      for (const beyond of [6, 2 ** 31, 2 ** 52])
        assert.deepEqual(
          await refusal(page(who, `&cursor=${encoded({ scan_id, after: beyond })}`)),
          [400, { error: "invalid_cursor" }],
          `${beyond}`,
        );
      assert.deepEqual(await scansOf(who), ["active"]);
    });

    it("of one scan of one token and one warehouse", async () => {
      const both = { warehouse_ids: [warehouse_id, other] };
      const { who, cursor, next } = await begun(both);
      const violation = [403, { error: "cursor_scope_violation" }];
      assert.deepEqual(await refusal(page(await token(both), `&cursor=${cursor}`)), violation);
      assert.deepEqual(await refusal(page(who, `&cursor=${cursor}`, other)), violation);
      assert.equal((await next()).status, 200, "the scan is as it was");
    });
  });

  describe("expires", () => {
    const gone = [410, { error: "snapshot_expired" }];

    it("when its next page is not asked for within 300 seconds", async () => {
      const { who, next } = await begun();
      await age(who, 295);
      assert.equal((await next()).status, 200);
      await age(who, 301);
      assert.deepEqual(await refusal(next()), gone);
      assert.equal((await page(who, "")).status, 200, "a new one may begin");
      assert.deepEqual(await scansOf(who), ["expired", "done"]);
      assert.deepEqual(await refusal(next()), gone);
    });

    it("also when it was read to its end", async () => {
      const { who, next } = await begun();
      await next(500);
      await age(who, 301);
      assert.deepEqual(await refusal(next(500)), gone);
    });

    it("when a crash of the database took its rows, and does not stand in the way of the next one", async () => {
      const { who, next } = await begun();
      const another = await begun();
      await db.run("truncate snapshot_rows");
      assert.deepEqual(await refusal(next()), gone);
      assert.deepEqual(await refusal(next(500)), gone);
      assert.equal((await page(who, "&limit=1")).status, 200);
      assert.equal((await page(another.who, "&limit=1")).status, 200);
      assert.deepEqual(await scansOf(another.who), ["expired", "active"]);
    });

    it("when nobody knows it any more", async () => {
      const cursor = Buffer.from(JSON.stringify({ scan_id: UNKNOWN, after: 2 })).toString("base64url");
      const who = await token();
      assert.deepEqual(await refusal(page(who, `&cursor=${cursor}`)), gone);
    });
  });

  describe("is one at a time for each token", () => {
    it("until it is read to its end", async () => {
      const { who, next } = await begun();
      const { status, body } = await page(who, "");
      const { message, ...rest } = body;
      assert.deepEqual([status, rest], [429, { error: "snapshot_in_flight" }]);
      assert.match(message, /next_cursor.*300 s/);
      assert.equal((await begun()).first.rows.length, 2, "others may");
      assert.equal((await next(500)).status, 200);
      assert.equal((await page(who, "")).status, 200);
    });

    it("of many requests at once", async () => {
      const who = await token();
      const answers = await Promise.all(Array.from({ length: 12 }, () => page(who, "&limit=2")));
      const statuses = answers.map(({ status }) => status).toSorted();
      assert.deepEqual(statuses, [200, ...Array(11).fill(429)]);
      await age(who, 301);
      const again = await Promise.all(Array.from({ length: 12 }, () => page(who, "&limit=2")));
      const codes = again.map(({ status }) => status).toSorted();
      assert.deepEqual(codes, [200, ...Array(11).fill(429)]);
    });
  });

  describe("may be abandoned", () => {
    const abandon = (who: TokenCaller, query = "") => refusal(who.caller.delete(`${SNAPSHOT}${query}`));

    it("by its token alone, so that the next one begins at once", async () => {
      const { who, next } = await begun();
      const { body } = await page(who, "");
      assert.match(body.message, /DELETE \/api\/v1\/snapshot\/inventory/);
      assert.deepEqual(await abandon(who), [200, { abandoned: true }]);
      assert.equal(await rowsOf(who), 0);
      assert.deepEqual(await abandon(who), [200, { abandoned: false }]);
      assert.deepEqual(await refusal(next()), [410, { error: "snapshot_expired" }]);
      assert.equal((await page(who, "&limit=2")).status, 200);
      assert.deepEqual(await scansOf(who), ["expired", "active"]);
    });

    it("if it is the one that is meant", async () => {
      const { who, cursor } = await begun();
      const named = `?cursor=${cursor}`;
      assert.deepEqual(await abandon(who, named), [200, { abandoned: true }]);
      assert.equal((await page(who, "&limit=2")).status, 200);
      assert.deepEqual(await abandon(who, named), [200, { abandoned: false }], "a repeat that comes late");
      assert.deepEqual(await scansOf(who), ["expired", "active"]);
      assert.deepEqual(await abandon(who, "?cursor=nonsense"), [400, { error: "invalid_cursor" }]);
    });

    it("not by another token", async () => {
      const [own, foreign] = [await begun(), await begun()];
      assert.deepEqual(await abandon(own.who, `?cursor=${foreign.cursor}`), [404, { error: "snapshot_not_found" }]);
      assert.deepEqual(await abandon(own.who), [200, { abandoned: true }]);
      assert.equal((await foreign.next()).status, 200);
    });

    it("by many at once, once", async () => {
      const { who, next } = await begun();
      const answers = await Promise.all(Array.from({ length: 8 }, () => abandon(who)));
      assert.deepEqual(answers.map(([, body]) => body.abandoned).toSorted(), [...Array(7).fill(false), true]);
      assert.equal((await next()).status, 410);
    });
  });

  describe("is cleared away", () => {
    it("when it is over: its rows soon, what became of it after a week", async () => {
      await clearScans();
      await db.run("delete from snapshot_rows");
      const [fresh, ended, idle, old] = [await begun(), await begun(), await begun(), await begun()] as const;
      const read = await begun();
      await read.next(500);
      await ended.next(500);
      await age(ended.who, 301);
      await age(idle.who, 301);
      await old.next(500);
      await age(old.who, 7 * 86_400 + 1);
      assert.equal(await clearScans(), 15);
      assert.deepEqual(
        [await rowsOf(fresh.who), await rowsOf(read.who), await rowsOf(ended.who), await rowsOf(idle.who)],
        [5, 5, 0, 0],
      );
      assert.deepEqual(
        [
          ...[await scansOf(fresh.who), await scansOf(read.who)],
          ...[await scansOf(ended.who), await scansOf(idle.who)],
          await scansOf(old.who),
        ],
        [["active"], ["done"], ["done"], ["expired"], []],
      );
      assert.equal((await fresh.next()).status, 200);
      assert.equal((await read.next()).status, 200);
      assert.equal(await clearScans(), 0);
    });
  });
});

describe("scans of a token in a minute", () => {
  const service = testService({ env: { SNAPSHOT_RATE_LIMIT_PER_MINUTE: "2" } });

  it("are as many as configured; their further pages are not counted", async () => {
    const warehouse_id = await fixtures.warehouse();
    const bin_id = await fixtures.bin(warehouse_id);
    for (let i = 0; i < 4; i++) {
      const { item_id } = await fixtures.item();
      await fixtures.stock(warehouse_id, bin_id, item_id, 1);
    }
    const minute = () => db.row("select date_trunc('minute', now()) as minute");
    const scans = async (): Promise<void> => {
      const begun = await minute();
      const { caller } = await tokenCaller(service, {
        ...{ token_name: randomUUID(), warehouse_ids: [warehouse_id] },
        endpoints: ["snapshot.inventory"],
      });
      const first = await scanWith([caller], warehouse_id, 1);
      assert.equal(first.rows.length, 4);
      await scanWith([caller], warehouse_id, 1);
      const third = await caller.get(`${SNAPSHOT}?warehouse_id=${warehouse_id}`);
      if (JSON.stringify(begun) !== JSON.stringify(await minute())) return scans();
      assert.equal((await caller.delete(SNAPSHOT)).status, 200, "which does not count as one");
      assert.equal(third.status, 429);
      assert.equal(third.body.error, "rate_limited");
      assert.ok(Number(third.headers.get("retry-after")) >= 1);
    };
    await scans();
  });
});
