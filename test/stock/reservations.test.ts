import assert from "node:assert/strict";
import fc from "fast-check";
import type { StockIncrease } from "../../activities/stock/backorders.js";
import { releaseReservations, reserveLines } from "../../activities/stock/reservations.js";
import { transaction } from "../../src/platform/db/db.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";

interface Shelf {
  item: number;
  bin: number;
  lot: string | null;
  units: number;
}

interface Wish {
  item: number;
  units: number;
}

const ITEMS = 3;
const BINS = 3;
const item = fc.nat(ITEMS - 1);
const shelves = fc.uniqueArray(
  fc.record({ item, bin: fc.nat(BINS - 1), lot: fc.constantFrom(null, "LOT-1"), units: fc.nat(20) }),
  { selector: ({ item, bin, lot }) => `${item} ${bin} ${lot}`, maxLength: 12 },
);
const wishes = fc.array(fc.record({ item, units: fc.integer({ min: 1, max: 40 }) }), { minLength: 1, maxLength: 6 });

describe("reservations", () => {
  testService();
  let bins: number[];
  let warehouseId: number;
  before(async () => {
    warehouseId = await fixtures.warehouse();
    const types = ["Pickable", "PickableStaging", "Staging"] as const;
    bins = await Promise.all(types.map((type) => fixtures.bin(warehouseId, { type })));
  });

  /** Fresh items with stock on these shelves. */
  async function stocked(shelves: Shelf[]): Promise<number[]> {
    const made = await Promise.all(Array.from({ length: ITEMS }, () => fixtures.item()));
    const items = made.map(({ item_id }) => item_id);
    for (const { item, bin, lot, units } of shelves) {
      await fixtures.stock(warehouseId, bins[bin] as number, items[item] as number, units, lot);
    }
    return items;
  }

  /** An order for these wishes, reserved; gives its lines' ids in order. */
  async function reserved(items: number[], wishes: Wish[]): Promise<number[]> {
    const order = await fixtures.salesOrder(
      warehouseId,
      wishes.map(({ item, units }) => ({ item_id: items[item] as number, quantity: units })),
    );
    const lines = await db.rows<{ so_line_id: number; item_id: number; quantity: number }>(
      `select so_line_id, item_id, quantity_ordered as quantity from sales_order_lines where so_id = $1
        order by line_number`,
      [order.so_id],
    );
    await transaction((tx) => reserveLines(tx, { warehouse_id: warehouseId, min_days_at_shipping: null }, lines));
    return lines.map((line) => line.so_line_id);
  }

  const release = (lines: number[]) => transaction((tx) => releaseReservations(tx, {} as StockIncrease, lines));

  const allocatedTo = (lines: number[]) =>
    db.rows<{ units: number }>(
      "select quantity_allocated as units from sales_order_lines where so_line_id = any($1) order by so_line_id",
      [lines],
    );

  const allocatedOf = (items: number[]) =>
    db.value<number>(
      "select coalesce(sum(quantity_allocated), 0)::int as units from inventory where item_id = any($1)",
      [items],
    );

  it("give each line, in order, what is there, and give all of it back", async () => {
    await fc.assert(
      fc.asyncProperty(shelves, wishes, wishes, async (shelves, first, second) => {
        const items = await stocked(shelves);
        const left = items.map((_, i) => shelves.filter(({ item }) => item === i).reduce((sum, s) => sum + s.units, 0));
        const expected = (wishes: Wish[]) =>
          wishes.map(({ item, units }) => {
            const got = Math.min(units, left[item] as number);
            left[item] = (left[item] as number) - got;
            return { units: got };
          });
        const firstLines = await reserved(items, first);
        const secondLines = await reserved(items, second);
        assert.deepEqual(await allocatedTo(firstLines), expected(first));
        const rest = expected(second);
        assert.deepEqual(await allocatedTo(secondLines), rest);
        await assertInvariants();

        await release(firstLines);
        assert.deepEqual(
          await allocatedTo(firstLines),
          first.map(() => ({ units: 0 })),
        );
        assert.deepEqual(await allocatedTo(secondLines), rest, "another order keeps its own");
        await assertInvariants();

        await release(secondLines);
        assert.equal(await allocatedOf(items), 0);
        await assertInvariants();
      }),
      { numRuns: 40 },
    );
  });

  it("take from the rows with most available first, whatever the type of their bin", async () => {
    const items = await stocked([
      { item: 0, bin: 0, lot: null, units: 4 },
      { item: 0, bin: 1, lot: null, units: 6 },
      { item: 0, bin: 2, lot: "LOT-1", units: 9 },
    ]);
    const [line] = await reserved(items, [{ item: 0, units: 16 }]);
    assert.deepEqual(
      await db.rows(
        `select bin_id, r.quantity from stock_reservations r join inventory using (inventory_id) where so_line_id = $1
          order by r.quantity`,
        [line],
      ),
      [
        { bin_id: bins[0], quantity: 1 },
        { bin_id: bins[1], quantity: 6 },
        { bin_id: bins[2], quantity: 9 },
      ],
    );
  });

  it("never promise a unit twice to orders that come at the same moment", async () => {
    const items = await stocked([
      { item: 0, bin: 0, lot: null, units: 10 },
      { item: 0, bin: 1, lot: null, units: 5 },
      { item: 1, bin: 0, lot: null, units: 7 },
    ]);
    const orders = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        reserved(
          items,
          i % 2
            ? [
                { item: 0, units: 4 },
                { item: 1, units: 2 },
              ]
            : [
                { item: 1, units: 2 },
                { item: 0, units: 4 },
              ],
        ),
      ),
    );
    assert.equal(await allocatedOf(items), 22);
    await assertInvariants();
    await Promise.all(orders.map(release));
    assert.equal(await allocatedOf(items), 0);
    await assertInvariants();
  });

  it("leave lines without reservations as they are", async () => {
    const items = await stocked([]);
    const lines = await reserved(items, [{ item: 0, units: 3 }]);
    await release(lines);
    await release([]);
    assert.deepEqual(await allocatedTo(lines), [{ units: 0 }]);
  });
});
