/**
 * A house of parallel aisles, with cross aisles at right angles to them; lengths are whole centimetres. People walk
 * along aisles and cross aisles and nowhere else.
 */
export interface House {
  /** Where the cross aisles lie, from the front (0) to the back; two or more, ascending. */
  crossAisles: number[];
  /** Where a walk begins and ends, along the cross aisle at the front. */
  depot: number;
}

/** A place in an aisle: which one (`x`, along the front), and how far in from the front (`y`). */
export interface Place {
  x: number;
  y: number;
}

/** The shortest way from one place to another. */
export function distance(house: House, from: Place, to: Place): number {
  if (from.x === to.x) return Math.abs(from.y - to.y);
  const ways = house.crossAisles.map((y) => Math.abs(from.y - y) + Math.abs(y - to.y));
  return Math.abs(from.x - to.x) + Math.min(...ways);
}

/** How far a walk is that begins and ends at the depot and comes by these places in this order. */
export function walkLength(house: House, places: Place[]): number {
  const depot = { x: house.depot, y: 0 };
  const stations = [depot, ...places, depot];
  return stations.slice(1).reduce((sum, to, i) => sum + distance(house, stations[i] as Place, to), 0);
}
