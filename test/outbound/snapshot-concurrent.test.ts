import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { sequenceAll } from "../../activities/outbound/sequencer.js";
import { runSequencer } from "../../workers/sequencer.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { testService } from "../support/service.js";
import { type Scan, scanWith } from "../support/snapshots.js";
import { tokenCaller } from "../support/tokens.js";
import { until } from "../support/until.js";

const WRITERS = 8;
const SCANS = 25;
const EACH = 20;

interface Place {
  item_id: number;
  bin_id: number;
  item_external_id: string;
  bin_external_id: string;
  lot_number: string | null;
  quantity_on_hand: number;
}

const keyOf = (row: Omit<Place, "item_id" | "bin_id" | "quantity_on_hand">) =>
  [row.item_external_id, row.bin_external_id, row.lot_number].join();

function sums<T>(rows: T[], keyOf: (row: T) => string, units: (row: T) => number): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const row of rows) sums[keyOf(row)] = (sums[keyOf(row)] ?? 0) + units(row);
  return sums;
}

describe("scans of an inventory that eight writers change all the while", function () {
  this.timeout(120_000);
  const service = testService();
  let partner: Caller;
  let warehouse_id: number;
  /** Items that are only carried about, and items that are only found and lost. */
  let carried: string[];
  let adjusted: string[];
  let scans: Scan[];

  const places = () =>
    db.rows<Place>(
      `select item_id, bin_id, i.external_id as item_external_id, b.external_id as bin_external_id, lot_number,
        quantity_on_hand
       from inventory v join items i using (item_id) join bins b using (bin_id) where v.warehouse_id = $1`,
      [warehouse_id],
    );

  before(async () => {
    warehouse_id = await fixtures.warehouse();
    ({ caller: partner } = await tokenCaller(service, {
      ...{ warehouse_ids: [warehouse_id] },
      endpoints: ["snapshot.inventory", "events.poll"],
      event_types: ["inventoryadjusted.completed"],
    }));
    const bins: number[] = [];
    for (let i = 0; i < 6; i++) bins.push(await fixtures.bin(warehouse_id));
    const items: number[] = [];
    for (let i = 0; i < 8; i++) items.push((await fixtures.item()).item_id);
    const [toCarry, toAdjust] = [items.slice(0, 4), items.slice(4)];
    // Some bins are empty: the first units to come make a row.
    for (const bin of bins.slice(0, 4))
      for (const item of items)
        for (const lot of toCarry.includes(item) ? [null, "LOT-7"] : [null])
          await fixtures.stock(warehouse_id, bin, item, EACH, lot);
    const named = (ids: number[]) => db.column<string>("select external_id from items where item_id = any($1)", [ids]);
    carried = await named(toCarry);
    adjusted = await named(toAdjust);

    const sequencer = runSequencer();
    let writing = true;
    let written = 0;
    const any = <T>(of: T[]) => of[randomInt(of.length)] as T;
    const write = async (n: number) => {
      while (writing) {
        const [from_bin_id, to_bin_id] = [any(bins), any(bins)];
        const quantity = randomInt(1, 8);
        const { status } = await (n % 2
          ? service.admin.post("/api/transfers/move", {
              ...{ item_id: any(toCarry), from_bin_id, to_bin_id, quantity },
              lot_number: any([null, "LOT-7"]),
            })
          : service.admin.post("/api/admin/adjustments/direct", {
              ...{ item_id: any(toAdjust), bin_id: to_bin_id, warehouse_id },
              ...{ quantity, adjustment_type: any(["ADD", "REMOVE"]) },
              reason: "counted",
            }));
        // Where too little lies, none can be taken.
        assert.ok([200, 201, 400].includes(status), `${status}`);
        if (status !== 400) written++;
      }
    };
    const writers = Array.from({ length: WRITERS }, (_, n) => write(n));
    scans = [];
    for (let n = 0; n < SCANS; n++) {
      const before = written;
      scans.push(await scanWith([partner], warehouse_id, randomInt(3, 20)));
      await until(() => written > before);
    }
    writing = false;
    await Promise.all(writers);
    await sequencer.stop();
    await sequenceAll();
  });

  it("give each item, bin and lot once", () => {
    for (const { rows } of scans) {
      assert.ok(rows.length >= 48);
      assert.equal(new Set(rows.map(keyOf)).size, rows.length);
    }
  });

  it("never see units on the way from bin to bin", () => {
    const all = 4 * 2 * EACH;
    const expected = Object.fromEntries(carried.map((item) => [item, all]));
    for (const { rows } of scans)
      assert.deepEqual(
        sums(
          rows.filter((row) => carried.includes(row.item_external_id)),
          (row) => row.item_external_id,
          (row) => row.quantity_on_hand,
        ),
        expected,
      );
  });

  it("see what changes between them", () => {
    const seen = new Set(scans.map(({ rows }) => JSON.stringify(rows)));
    assert.equal(seen.size, SCANS);
    const ids = scans.map((scan) => scan.snapshot_event_id);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
  });

  it("and the events after each, together, are what lies there in the end", async () => {
    interface Adjusted {
      item_external_id: string;
      bin_external_id: string;
      quantity_delta: number;
    }
    const newest = (await db.value<number>(
      "select max(event_id) as newest from integration_events where event_type = 'inventoryadjusted.completed'",
    )) as number;
    const eventsAfter = async (cursor: number) => {
      const events: { data: Adjusted }[] = [];
      await until(async () => {
        const page = await partner.ok("GET", `/api/v1/events?after=${cursor}&limit=2000`);
        events.push(...page.events);
        cursor = page.next_cursor;
        return cursor >= newest;
      });
      return events.map(({ data }) => data);
    };
    const inTheEnd = (await places()).filter((place) => adjusted.includes(place.item_external_id));
    const expected = sums(inTheEnd, keyOf, (place) => place.quantity_on_hand);
    for (const { snapshot_event_id, rows } of scans) {
      const changes = await eventsAfter(snapshot_event_id);
      const replayed = sums(
        [
          ...rows
            .filter((row) => adjusted.includes(row.item_external_id))
            .map((row) => ({ key: keyOf(row), units: row.quantity_on_hand })),
          ...changes.map((change) => ({ key: keyOf({ ...change, lot_number: null }), units: change.quantity_delta })),
        ],
        ({ key }) => key,
        ({ units }) => units,
      );
      assert.deepEqual(replayed, expected);
    }
  });
});
