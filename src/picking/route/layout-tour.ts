import type { Layout } from "../../master-data/layouts/shapes.js";
import { type Place, walkLength } from "./house.js";
import { shortestTour } from "./shortest-tour.js";

/** How far a walk is from the depot and back, and how far it would have been in the order of `pick_sequence`. */
export interface Walk {
  metres: number;
  by_sequence_metres: number;
}

/** Where a bin is, as painted on the shelf. Its level costs no metres. */
export interface BinLabels {
  aisle: string | null;
  row_num: string | null;
}

const centimetres = (metres: number) => Math.round(metres * 100);
const metres = (centimetres: number) => centimetres / 100;

/**
 * The shortest tour over bins that are given in the order of `pick_sequence`: their numbers in the order of the tour;
 * null where one of them has no place in the layout.
 */
export function layoutTour(layout: Layout, bins: BinLabels[]): { order: number[]; walk: Walk } | null {
  const aisles = new Map(layout.aisles.map(({ aisle, metres }) => [aisle, centimetres(metres)]));
  const rows = new Map(layout.rows.map(({ row, metres }) => [row, centimetres(metres)]));
  const places = bins.flatMap(({ aisle, row_num }): Place[] => {
    const [x, y] = [aisles.get(aisle ?? ""), rows.get(row_num ?? "")];
    return x === undefined || y === undefined ? [] : [{ x, y }];
  });
  if (places.length < bins.length) return null;
  const house = { crossAisles: layout.cross_aisles.map(centimetres), depot: centimetres(layout.depot.metres) };
  const { order, length } = shortestTour(house, places);
  return { order, walk: { metres: metres(length), by_sequence_metres: metres(walkLength(house, places)) } };
}
