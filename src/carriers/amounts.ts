import { Decimal } from "decimal.js";
import { digitsOf } from "../platform/minor-units.js";
import { GRAMS_PER_POUND } from "../shipping/measures.js";

/** Exact amounts: no money and no weight is ever a float. */

/** An amount as text in the smallest unit of its currency: `7.58` USD is 758. What is less than a unit is rounded. */
export const minorUnits = (amount: string, currency: string): number =>
  new Decimal(amount)
    .times(new Decimal(10).pow(digitsOf(currency)))
    .round()
    .toNumber();

const OUNCES = 16;
const CM = "2.54";

/** What is in a parcel, rounded down: together it may not weigh more than the parcel, nor a unit nothing. */
const rounded = (weight: Decimal): string =>
  Decimal.max(weight.toDecimalPlaces(3, Decimal.ROUND_DOWN), "0.001").toFixed(3);
export const ouncesInside = (lbs: string, units: number): string =>
  rounded(new Decimal(lbs).times(units).times(OUNCES));
export const kilogramsInside = (lbs: string): string => rounded(new Decimal(lbs).times(GRAMS_PER_POUND).div(1_000));

/** Weights are rounded up: a carrier charges for one that is more than was said. */
export const ounces = (lbs: string): string => new Decimal(lbs).times(OUNCES).toFixed(1, Decimal.ROUND_UP);
export const kilograms = (lbs: string): string =>
  new Decimal(lbs).times(GRAMS_PER_POUND).div(1_000).toFixed(3, Decimal.ROUND_UP);
export const centimetres = (inches: string): string => new Decimal(inches).times(CM).toFixed(1, Decimal.ROUND_UP);
