import assert from "node:assert/strict";
import { pack3D } from "binpackingjs/3d";
import fc from "fast-check";
import { type BoxMeasures, type Dimensions, goesInto, sidesOf, volumeOf } from "../../src/shipping/parcels/closure.js";
import { planParcels, type UnitsToPlace } from "../../src/shipping/parcels/suggest.js";
import { SEED } from "../support/seed.js";

const RUNS = Number(process.env.TEST_SEQUENCES ?? 24) * 10;

const side = fc.integer({ min: 50, max: 1_200 });
const boxes = fc
  .array(
    fc.record({ length: side, width: side, height: side, tare: fc.nat(9_000), most: fc.option(fc.nat(400_000)) }),
    {
      minLength: 0,
      maxLength: 4,
    },
  )
  .map((all) => all.map((one, i): BoxMeasures => ({ ...one, box_id: i + 1, box_code: `B${i + 1}` })));
const measure = fc.option(fc.integer({ min: 10, max: 900 }), { freq: 12 });
const units = fc
  .array(
    fc.record({
      ...{ length: measure, width: measure, height: measure, quantity: fc.integer({ min: 1, max: 5 }) },
      weight: fc.option(fc.nat(120_000), { freq: 8 }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((all) => all.map((one, i): UnitsToPlace => ({ ...one, so_line_id: i + 1, sku: `S${i + 1}` })));

const inside = (box: BoxMeasures) => sidesOf(box) as Dimensions;
const mayWeigh = ({ most, tare }: BoxMeasures) => (most === null ? Number.MAX_SAFE_INTEGER : Math.max(0, most - tare));
const holds = (box: BoxMeasures, of: UnitsToPlace) =>
  mayWeigh(box) > 0 && goesInto(sidesOf(of) as Dimensions, inside(box)) && (of.weight ?? 0) <= mayWeigh(box);

/** How many parcels there are when each unit, the largest first, goes into the first that still has room for it. */
function firstFit(all: UnitsToPlace[], given: BoxMeasures[]): number {
  const largest = given.toSorted((a, b) => Number(volumeOf(inside(b)) - volumeOf(inside(a))));
  const single = all
    .filter((of) => sidesOf(of) && given.some((box) => holds(box, of)))
    .flatMap((of) => Array.from({ length: of.quantity }, () => of))
    .sort((a, b) => Number(volumeOf(sidesOf(b) as Dimensions) - volumeOf(sidesOf(a) as Dimensions)));
  const parcels: { box: BoxMeasures; units: UnitsToPlace[] }[] = [];
  const together = (box: BoxMeasures, some: UnitsToPlace[]) => {
    const items = some.map((of, i) => {
      const [width, height, depth] = sidesOf(of) as Dimensions;
      return { name: `${i}`, width, height, depth, weight: of.weight ?? 0 };
    });
    const [width, height, depth] = [box.length, box.width, box.height];
    const bins = [{ name: box.box_code, width, height, depth, maxWeight: mayWeigh(box) }];
    return (pack3D({ bins, items, factor: 1 }).unfitItems as unknown[]).length === 0;
  };
  for (const unit of single) {
    const room = parcels.find(({ box, units }) => together(box, [...units, unit]));
    if (room) room.units.push(unit);
    else parcels.push({ box: largest.find((box) => holds(box, unit)) as BoxMeasures, units: [unit] });
  }
  return parcels.length;
}

describe("suggested parcels", function () {
  this.timeout(120_000);

  it("hold each unit once, fit by every measure and weight, and are no more than first-fit needs", () => {
    fc.assert(
      fc.property(units, boxes, (given, catalogue) => {
        const { parcels, too_large, unmeasured } = planParcels({ units: given, boxes: catalogue });
        for (const of of given) {
          const placed = parcels
            .flatMap(({ units }) => units)
            .filter((one) => one.of.so_line_id === of.so_line_id)
            .reduce((sum, { quantity }) => sum + quantity, 0);
          const left = [...too_large, ...unmeasured].some((one) => one.so_line_id === of.so_line_id);
          assert.equal(placed, left ? 0 : of.quantity);
          assert.equal(unmeasured.includes(of), sidesOf(of) === undefined);
          if (too_large.includes(of)) assert.ok(!catalogue.some((box) => holds(box, of)));
        }
        for (const { box, units } of parcels) {
          let volume = 0n;
          let weight = 0;
          for (const { of, quantity } of units) {
            assert.ok(holds(box, of));
            volume += volumeOf(sidesOf(of) as Dimensions) * BigInt(quantity);
            weight += (of.weight ?? 0) * quantity;
          }
          assert.ok(volume <= volumeOf(inside(box)), "more volume than the box");
          assert.ok(weight <= mayWeigh(box), "heavier than the box may be");
        }
        assert.ok(parcels.length <= firstFit(given, catalogue), "more parcels than first-fit");
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  it("are one, in the smallest box, where one holds everything", () => {
    const box = (box_id: number, length: number): BoxMeasures => ({
      ...{ box_id, box_code: `B${box_id}`, length, width: 500, height: 500, tare: 0, most: null },
    });
    const cube: UnitsToPlace = {
      so_line_id: 1,
      sku: "CUBE",
      quantity: 2,
      weight: 1,
      length: 500,
      width: 500,
      height: 500,
    };
    const { parcels } = planParcels({ units: [cube], boxes: [box(1, 3_000), box(2, 1_000), box(3, 500)] });
    assert.deepEqual(
      parcels.map(({ box, reason, units }) => [box.box_code, reason, units[0]?.quantity]),
      [["B2", "holds_the_rest", 2]],
    );
  });
});
