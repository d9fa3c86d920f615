import { groupBy } from "../../platform/values.js";
import { type House, type Place, walkLength } from "./house.js";
import { type Frontier, isTour, joinOnce, joinTwice, onward, touch, untouched } from "./partial-tour.js";
import { type Path, roundTrip } from "./round-trip.js";

/**
 * The shortest walk that begins and ends at the depot and comes by all places: the numbers of the places in that order,
 * and how far it is. Places at the same spot keep their order.
 *
 * A tour is built aisle by aisle from the left. Of all that is built so far only the shortest of each frontier is kept,
 * so the work grows with the number of aisles and places, not with that of tours: Ratliff and Rosenthal (1983), with
 * more than two cross aisles as Roodbergen and de Koster (2001) do and Pansart, Catusse and Cambazard (2018)
 * (docs/layout.md has the titles). An aisle without places is never part of a shortest walk, as the cross aisles lead
 * past it.
 */
export function shortestTour(house: House, places: Place[]): { order: number[]; length: number } {
  if (places.length === 0) return { order: [], length: 0 };
  const spots = groupBy(
    places.map(({ x, y }, index) => ({ x, y, index })),
    ({ x, y }) => `${x}/${y}`,
  );
  const paths = pathsOfTour(
    house,
    [...spots.values()].map(([first]) => first as Place),
  );
  const order = roundTrip(paths, { x: house.depot, y: 0 }).flatMap(({ x, y }) =>
    (spots.get(`${x}/${y}`) ?? []).map(({ index }) => index),
  );
  return {
    order,
    length: walkLength(
      house,
      order.map((index) => places[index] as Place),
    ),
  };
}

/** A partial tour: the shortest of those with its frontier. */
interface Partial {
  frontier: Frontier;
  length: number;
  /** What was added to which partial tour; null for the empty one. */
  before: Partial | null;
  added: () => Path[];
}

/** A way to go on from a partial tour. */
type Step = Pick<Partial, "frontier" | "length" | "added">;

function pathsOfTour(house: House, spots: Place[]): Path[] {
  const { crossAisles, depot } = house;
  const byAisle = groupBy(spots, ({ x }) => x);
  const aisles = [...new Set([depot, ...byAisle.keys()])].toSorted((a, b) => a - b);
  const none = { frontier: untouched(crossAisles.length), length: 0, before: null, added: () => [] };
  let partials: Partial[] = [none];
  aisles.forEach((x, i) => {
    const previous = aisles[i - 1];
    if (previous !== undefined) partials = extended(partials, (frontier) => along(crossAisles, frontier, previous, x));
    if (x === depot)
      partials = extended(partials, (frontier) => [{ frontier: touch(frontier, 0), length: 0, added: () => [] }]);
    // Where the depot is between two aisles there is none to walk in.
    const inAisle = byAisle.get(x);
    if (!inAisle) return;
    const depths = inAisle.map(({ y }) => y).toSorted((a, b) => a - b);
    crossAisles.slice(1).forEach((back, at) => {
      const front = crossAisles[at] as number;
      // What is right at a cross aisle is in the part before it.
      const within = depths.filter((y) => y <= back && (y > front || at === 0));
      const ways = waysThrough(x, front, back, within);
      partials = extended(partials, (frontier) =>
        ways.map(({ after, length, added }) => ({ frontier: after(frontier, at), length, added })),
      );
    });
  });
  const tours = partials.filter(({ frontier }) => isTour(frontier));
  const shortest = tours.reduce((best, tour) => (tour.length < best.length ? tour : best));
  const paths: Path[] = [];
  for (let tour: Partial | null = shortest; tour; tour = tour.before) paths.push(...tour.added());
  return paths;
}

/** The partial tours after one more step: the shortest of each frontier. */
function extended(partials: Partial[], stepsFrom: (frontier: Frontier) => Step[]): Partial[] {
  const best = new Map<Frontier, Partial>();
  for (const before of partials)
    for (const { frontier, length: further, added } of stepsFrom(before.frontier)) {
      const length = before.length + further;
      const rival = best.get(frontier);
      if (!rival || length < rival.length) best.set(frontier, { frontier, length, before, added });
    }
  return [...best.values()];
}

/** The ways along the cross aisles from an aisle to the next. */
function along(crossAisles: number[], frontier: Frontier, from: number, to: number): Step[] {
  return onward(frontier, 0).map(({ times, frontier }) => ({
    frontier,
    length: (to - from) * times.reduce<number>((sum, n) => sum + n, 0),
    added: () =>
      crossAisles.flatMap((y, i): Path[] =>
        times[i] ? [{ from: { x: from, y }, over: [{ x: to, y }], times: times[i] }] : [],
      ),
  }));
}

interface Way extends Pick<Step, "length" | "added"> {
  after: (frontier: Frontier, at: number) => Frontier;
}

/** The ways to come by all spots of an aisle between two cross aisles that may be part of a shortest tour. */
function waysThrough(x: number, front: number, back: number, spots: number[]): Way[] {
  const path = (times: number, [first, ...over]: number[]): Path => ({
    ...{ from: { x, y: first as number }, over: over.map((y) => ({ x, y })), times },
  });
  const whole = [front, ...spots, back];
  const through: Way[] = [
    { after: joinOnce, length: back - front, added: () => [path(1, whole)] },
    { after: joinTwice, length: 2 * (back - front), added: () => [path(2, whole)] },
  ];
  const [nearest, farthest] = [spots[0], spots.at(-1)];
  if (nearest === undefined || farthest === undefined)
    return [...through, { after: (frontier) => frontier, length: 0, added: () => [] }];
  const fromFront: Way = { after: touch, length: 2 * (farthest - front), added: () => [path(2, [front, ...spots])] };
  const fromBack: Way = {
    after: (frontier, at) => touch(frontier, at + 1),
    length: 2 * (back - nearest),
    added: () => [path(2, [...spots, back])],
  };
  if (spots.length === 1) return [...through, fromFront, fromBack];
  const gap = largestGap(spots);
  const fromBoth: Way = {
    after: (frontier, at) => touch(touch(frontier, at), at + 1),
    length: 2 * (back - front - ((spots[gap] as number) - (spots[gap - 1] as number))),
    added: () => [path(2, [front, ...spots.slice(0, gap)]), path(2, [...spots.slice(gap), back])],
  };
  return [...through, fromFront, fromBack, fromBoth];
}

/** Behind how many of the spots the largest gap between two of them is. */
function largestGap(spots: number[]): number {
  const gapBefore = (i: number) => (spots[i] as number) - (spots[i - 1] as number);
  return spots.reduce((best, _, i) => (i > 1 && gapBefore(i) > gapBefore(best) ? i : best), 1);
}
