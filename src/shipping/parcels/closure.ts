import { z } from "zod";
import { int, text } from "../../platform/db/columns.js";
import {
  BoxOverfull,
  ItemTooLarge,
  OverBoxWeight,
  WeightAboveContents,
  WeightBelowContents,
  WeightUnknown,
} from "./problems.js";

/**
 * Whether a parcel can be as it is said to be. Sizes are in hundredths of an inch, weights in ten-thousandths of a
 * pound.
 */

/** Units in a parcel, or to be put into one; null where nobody knows a measure of the item. */
export const Measured = z.strictObject({
  sku: text,
  quantity: int,
  weight: int.nullable(),
  length: int.nullable(),
  width: int.nullable(),
  height: int.nullable(),
});
export type Measured = z.infer<typeof Measured>;

/** A box, inside; `tare` is its own weight, `most` the most that it may weigh when it is packed. */
export const BoxMeasures = z.strictObject({
  box_id: int,
  box_code: text,
  ...{ length: int, width: int, height: int, tare: int },
  most: int.nullable(),
});
export type BoxMeasures = z.infer<typeof BoxMeasures>;

/** SQL: measures of the item or box `x` as whole numbers; what is not known of an item is zero or null there. */
export const MEASURES = (x: string): string => `
  (nullif(${x}.length_in, 0) * 100)::int as length, (nullif(${x}.width_in, 0) * 100)::int as width,
  (nullif(${x}.height_in, 0) * 100)::int as height`;
export const WEIGHT = (pounds: string): string => `(nullif(${pounds}, 0) * 10000)::int8`;

export const PER_POUND = 10_000;
const PER_INCH = 100;

export interface Said {
  /** In pounds; without it, it is calculated. */
  weight_lbs?: number | undefined;
  length_in?: number | undefined;
  width_in?: number | undefined;
  height_in?: number | undefined;
}

/** A scale may be wrong by so much of what it says. */
const SCALE = 0.02;
/** The most that filling and wrapping may weigh: as much as contents and box, and so many pounds. */
const FILLING_LBS = 2;

export type Dimensions = [length: number, width: number, height: number];

/** The sides of a thing, the longest first; undefined where one is not known. */
export function sidesOf({
  length,
  width,
  height,
}: Pick<Measured, "length" | "width" | "height">): Dimensions | undefined {
  if (length === null || width === null || height === null) return undefined;
  return [length, width, height].sort((a, b) => b - a) as Dimensions;
}

/** Whether one thing goes into another in some position, by its sides alone. */
export const goesInto = (thing: Dimensions, box: Dimensions): boolean =>
  thing.every((side, i) => side <= (box[i] as number));

/** Of boxes of some yards in each direction, which no float could hold. */
export const volumeOf = ([a, b, c]: Dimensions): bigint => BigInt(a) * BigInt(b) * BigInt(c);

/** Throws 400 where the contents cannot be in the box. What nobody knows the size of is not looked at. */
function refuseTooLarge(contents: Measured[], box: BoxMeasures): void {
  const { box_code } = box;
  const inside = sidesOf(box) as Dimensions;
  let volume = 0n;
  for (const { sku, quantity, ...measures } of contents) {
    const sides = sidesOf(measures);
    if (!sides) continue;
    if (!goesInto(sides, inside)) throw ItemTooLarge({ sku, box_code });
    volume += volumeOf(sides) * BigInt(quantity);
  }
  if (volume > volumeOf(inside)) throw BoxOverfull({ box_code });
}

/** The weight of a parcel, as it is said or calculated; throws 400 where it cannot be so. */
function weightOf(contents: Measured[], box: BoxMeasures | undefined, said: number | undefined): number {
  const unknown = contents.filter(({ weight }) => weight === null).map(({ sku }) => sku);
  const known = contents.reduce((sum, { quantity, weight }) => sum + quantity * (weight ?? 0), 0);
  const calculated = known + (box?.tare ?? 0);
  if (said === undefined && unknown.length > 0) throw WeightUnknown({ skus: [...new Set(unknown)].join(", ") });
  const weight = said === undefined ? calculated : Math.round(said * PER_POUND);
  const weight_lbs = weight / PER_POUND;
  const least = known - Math.round(known * SCALE);
  if (weight < least) throw WeightBelowContents({ weight_lbs, least: least / PER_POUND });
  const most = 2 * calculated + FILLING_LBS * PER_POUND;
  if (unknown.length === 0 && weight > most) throw WeightAboveContents({ weight_lbs, most: most / PER_POUND });
  if (box && box.most !== null && weight > box.most)
    throw OverBoxWeight({ box_code: box.box_code, most: box.most / PER_POUND, weight_lbs });
  return weight;
}

/** How a parcel is closed: its weight and size as stored. Throws 400 where it cannot be so. */
export function closureOf(contents: Measured[], box: BoxMeasures | undefined, said: Said) {
  if (box) refuseTooLarge(contents, box);
  const weight_lbs = weightOf(contents, box, said.weight_lbs) / PER_POUND;
  const side = (given: number | undefined, ofBox: number | undefined) =>
    given ?? (ofBox === undefined ? null : ofBox / PER_INCH);
  return {
    weight_lbs,
    length_in: side(said.length_in, box?.length),
    width_in: side(said.width_in, box?.width),
    height_in: side(said.height_in, box?.height),
  };
}
