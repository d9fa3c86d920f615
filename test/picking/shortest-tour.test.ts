import assert from "node:assert/strict";
import fc from "fast-check";
import { distance, type House, type Place, walkLength } from "../../src/picking/route/house.js";
import { shortestTour } from "../../src/picking/route/shortest-tour.js";

const RUNS = Number(process.env.TEST_TOUR_RUNS ?? 2_000);

/** A house with two to four cross aisles and some places in it; small numbers, so that many lie at the same spot. */
const housesWith = (maxPlaces: number) =>
  fc
    .record({
      gaps: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 3 }),
      // With shelves between them: no two are side by side.
      aisles: fc.uniqueArray(
        fc.integer({ min: 0, max: 10 }).map((n) => 2 * n),
        { minLength: 1, maxLength: 6 },
      ),
      depot: fc.integer({ min: 0, max: 20 }),
      stops: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: maxPlaces }),
    })
    .map(({ gaps, aisles, depot, stops }) => {
      const crossAisles = [0];
      for (const gap of gaps) crossAisles.push((crossAisles.at(-1) as number) + gap);
      const back = crossAisles.at(-1) as number;
      const places = stops.map(([a, y]): Place => ({ x: aisles[a % aisles.length] as number, y: y % (back + 1) }));
      return { house: { crossAisles, depot } satisfies House, places };
    });

/** The length of the shortest walk, from all orders of the places (Held and Karp). */
function shortestOfAll(house: House, places: Place[]): number {
  const depot = { x: house.depot, y: 0 };
  const all = 2 ** places.length;
  // The shortest way from the depot over a set of places that ends at one of them.
  const best = Array.from({ length: all }, () => places.map(() => Number.POSITIVE_INFINITY));
  const row = (set: number) => best[set] as number[];
  places.forEach((place, last) => {
    row(1 << last)[last] = distance(house, depot, place);
  });
  for (let set = 1; set < all; set++)
    places.forEach((from, last) => {
      const sofar = row(set)[last] as number;
      if (!Number.isFinite(sofar)) return;
      places.forEach((to, next) => {
        if (set & (1 << next)) return;
        const further = row(set | (1 << next));
        further[next] = Math.min(further[next] as number, sofar + distance(house, from, to));
      });
    });
  const home = places.map((place, last) => (row(all - 1)[last] as number) + distance(house, place, depot));
  return places.length === 0 ? 0 : Math.min(...home);
}

/** The shortest way between two places, step by step of one unit, as somebody would find it who only sees the floor. */
function steps(house: House, aisles: number[], from: Place, to: Place): number {
  const back = house.crossAisles.at(-1) as number;
  const isFloor = ({ x, y }: Place) =>
    x >= 0 && x <= 20 && y >= 0 && y <= back && (aisles.includes(x) || house.crossAisles.includes(y));
  let edge = [from];
  const seen = new Set([`${from.x}/${from.y}`]);
  for (let n = 0; edge.length > 0; n++) {
    if (edge.some(({ x, y }) => x === to.x && y === to.y)) return n;
    edge = edge.flatMap(({ x, y }) =>
      [
        { x: x + 1, y },
        { x: x - 1, y },
        { x, y: y + 1 },
        { x, y: y - 1 },
      ].filter((next) => isFloor(next) && seen.size < seen.add(`${next.x}/${next.y}`).size),
    );
  }
  return Number.POSITIVE_INFINITY;
}

const inOrder = (places: Place[], order: number[]) => order.map((index) => places[index] as Place);

describe("the shortest tour of a house", () => {
  it("measures ways as they are walked on the floor", () => {
    fc.assert(
      fc.property(housesWith(2), ({ house, places: [from, to] }) => {
        if (!from || !to) return;
        const aisles = [from.x, to.x];
        assert.equal(distance(house, from, to), steps(house, aisles, from, to));
        const depot = { x: house.depot, y: 0 };
        assert.equal(distance(house, depot, to), steps(house, aisles, depot, to));
      }),
      { numRuns: RUNS },
    );
  });

  it("comes by each place once and is as short as the best of all orders", () => {
    fc.assert(
      fc.property(housesWith(8), ({ house, places }) => {
        const { order, length } = shortestTour(house, places);
        assert.deepEqual(
          order.toSorted((a, b) => a - b),
          [...places.keys()],
        );
        assert.equal(length, shortestOfAll(house, places));
        assert.equal(length, walkLength(house, inOrder(places, order)));
      }),
      { numRuns: RUNS },
    );
  });

  it("is never longer than the same places in any given order, of many places too", () => {
    fc.assert(
      fc.property(housesWith(60), ({ house, places }) => {
        const { order, length } = shortestTour(house, places);
        assert.deepEqual(
          order.toSorted((a, b) => a - b),
          [...places.keys()],
        );
        assert.equal(length, walkLength(house, inOrder(places, order)));
        assert.ok(length <= walkLength(house, places));
        const snake = places.toSorted((a, b) => a.x - b.x || (a.x % 2 ? b.y - a.y : a.y - b.y));
        assert.ok(length <= walkLength(house, snake));
      }),
      { numRuns: RUNS / 10 },
    );
  });

  it("is the tour that one finds by hand: two aisles through, the last one in and back", () => {
    const house = { crossAisles: [0, 20], depot: 0 };
    const places = [
      { x: 0, y: 15 },
      { x: 5, y: 18 },
      { x: 10, y: 2 },
      { x: 5, y: 3 },
    ];
    // Up the first aisle, over at the back, down the second, and from the front 2 into the third: 40 + 20 + 4.
    assert.deepEqual(shortestTour(house, places).length, 64);
    const { order } = shortestTour(house, places);
    const once = [0, 1, 3, 2];
    assert.ok([once.join(), once.toReversed().join()].includes(order.join()), order.join());
  });

  it("keeps the order of places at one spot, such as of several levels", () => {
    const house = { crossAisles: [0, 10], depot: 0 };
    const places = [1, 1, 1].map((x) => ({ x, y: 4 }));
    assert.deepEqual(shortestTour(house, places), { order: [0, 1, 2], length: 10 });
    assert.deepEqual(shortestTour(house, []), { order: [], length: 0 });
  });
});
