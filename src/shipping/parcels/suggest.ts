import { pack3D } from "binpackingjs/3d";
import { type BoxMeasures, type Dimensions, goesInto, type Measured, sidesOf, volumeOf } from "./closure.js";

/** Which boxes an order is best packed in. Pure: the same units and boxes give the same parcels. */

/** Units that are to be packed. */
export interface UnitsToPlace extends Measured {
  so_line_id: number;
}

/** A unit by itself. */
interface Unit {
  of: UnitsToPlace;
  sides: Dimensions;
}

/** Why a box was chosen. */
export type Reason = "holds_the_rest" | "holds_most";

export interface PlannedParcel {
  box: BoxMeasures;
  units: { of: UnitsToPlace; quantity: number }[];
  reason: Reason;
}

export interface Plan {
  parcels: PlannedParcel[];
  /** Units that no box holds, whichever way they are turned, or that are too heavy for all. */
  too_large: UnitsToPlace[];
  /** Of which nobody knows the sizes. */
  unmeasured: UnitsToPlace[];
}

/** The better of two plans: that of fewer parcels, and of equally many that with less room. */
export function planParcels({ units: given, boxes }: { units: UnitsToPlace[]; boxes: BoxMeasures[] }): Plan {
  const unmeasured = given.filter((units) => !sidesOf(units));
  // One that weighs by itself what it may weigh holds nothing, not even what weighs nothing.
  const usable = boxes.filter((box) => mostInside(box) > 0);
  const smallestFirst = usable.toSorted((a, b) => compare(roomOf(a), roomOf(b)) || a.box_id - b.box_id);
  const fits = (units: UnitsToPlace) => smallestFirst.some((box) => holdsOne(box, units));
  const measured = given.filter((units) => sidesOf(units));
  const units = measured
    .filter(fits)
    .flatMap((of) => Array.from({ length: of.quantity }, (): Unit => ({ of, sides: sidesOf(of) as Dimensions })))
    .sort((a, b) => compare(volumeOf(b.sides), volumeOf(a.sides)) || b.sides[0] - a.sides[0]);
  const plans = [fullestFirst(units, smallestFirst), firstFit(units, smallestFirst)];
  const [best = []] = plans.sort((a, b) => a.length - b.length || compare(roomOfAll(a), roomOfAll(b)));
  return { parcels: best, too_large: measured.filter((one) => !fits(one)), unmeasured };
}

/** Each parcel holds as much as one can of what is left, and the last the rest in the smallest box. */
function fullestFirst(units: Unit[], boxes: BoxMeasures[]): PlannedParcel[] {
  const parcels: PlannedParcel[] = [];
  let left = units;
  while (left.length > 0) {
    const tried = boxes.map((box) => ({ box, packed: placed(box, left) }));
    const whole = tried.find(({ packed }) => packed.length === left.length);
    const fullest = tried.reduce((best, one) => (isMore(one.packed, best.packed) ? one : best));
    const { box, packed } = whole ?? fullest;
    parcels.push(planned(box, packed, whole ? "holds_the_rest" : "holds_most"));
    const gone = new Set(packed);
    left = left.filter((unit) => !gone.has(unit));
  }
  return parcels;
}

/** Each unit goes into the first parcel that holds it too, else into a new one of the largest box that holds it. */
function firstFit(units: Unit[], boxes: BoxMeasures[]): PlannedParcel[] {
  const parcels: { box: BoxMeasures; units: Unit[] }[] = [];
  for (const unit of units) {
    const room = parcels.find(({ box, units }) => placed(box, [...units, unit]).length > units.length);
    if (room) room.units.push(unit);
    else parcels.push({ box: boxes.findLast((one) => holdsOne(one, unit.of)) as BoxMeasures, units: [unit] });
  }
  return parcels.map(({ units, box }, i) => {
    const smallest = boxes.find((one) => placed(one, units).length === units.length) ?? box;
    return planned(smallest, units, i === parcels.length - 1 ? "holds_the_rest" : "holds_most");
  });
}

/** The units that the library finds a place for in a box, as far as it may weigh them. */
function placed(box: BoxMeasures, units: Unit[]): Unit[] {
  const { length: width, width: height, height: depth, box_code: name } = box;
  // The library's own types name files without their ending, which is not resolved.
  const { packedBins }: { packedBins: { items: { name: string }[] }[] } = pack3D({
    bins: [{ name, width, height, depth, maxWeight: mostInside(box) }],
    items: units.map(({ of, sides: [width, height, depth] }, i) => ({
      ...{ name: String(i), width, height, depth, weight: of.weight ?? 0 },
    })),
    factor: 1,
  });
  return (packedBins[0]?.items ?? []).map(({ name }) => units[Number(name)] as Unit);
}

const mostInside = ({ most, tare }: BoxMeasures): number =>
  most === null ? Number.MAX_SAFE_INTEGER : Math.max(0, most - tare);

const holdsOne = (box: BoxMeasures, units: UnitsToPlace): boolean =>
  goesInto(sidesOf(units) as Dimensions, sidesOf(box) as Dimensions) && (units.weight ?? 0) <= mostInside(box);

function planned(box: BoxMeasures, units: Unit[], reason: Reason): PlannedParcel {
  const counts = new Map<UnitsToPlace, number>();
  for (const { of } of units) counts.set(of, (counts.get(of) ?? 0) + 1);
  return { box, reason, units: [...counts].map(([of, quantity]) => ({ of, quantity })) };
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
const roomOf = (box: BoxMeasures): bigint => volumeOf(sidesOf(box) as Dimensions);
const roomOfAll = (parcels: PlannedParcel[]): bigint => parcels.reduce((sum, { box }) => sum + roomOf(box), 0n);
const volumeOfAll = (units: Unit[]): bigint => units.reduce((sum, { sides }) => sum + volumeOf(sides), 0n);
const isMore = (some: Unit[], others: Unit[]): boolean =>
  compare(volumeOfAll(some), volumeOfAll(others)) > 0 ||
  (volumeOfAll(some) === volumeOfAll(others) && some.length > others.length);
