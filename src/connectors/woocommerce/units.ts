import { Decimal } from "decimal.js";
import { z } from "zod";
import { SourceError } from "../connector.js";
import { ask, type WooSource } from "./api.js";
import type { dimensionUnits, WooConfig, weightUnits } from "./config.js";
import { read } from "./documents.js";

/**
 * WooCommerce gives weights and lengths as numbers in the units of the shop. The units are part of the configuration,
 * because a webhook has to be translated without asking the shop; each sync of items compares them with the shop's.
 */

type Units = Pick<WooConfig, "weight_unit" | "dimension_unit">;

/** A value times the first number equals so many of the second: both are exact, which a single factor would not be. */
type Ratio = [times: string, per: string];
const pounds: Record<(typeof weightUnits)[number], Ratio> = {
  kg: ["1", "0.45359237"],
  g: ["1", "453.59237"],
  lbs: ["1", "1"],
  oz: ["1", "16"],
};
const inches: Record<(typeof dimensionUnits)[number], Ratio> = {
  cm: ["1", "2.54"],
  m: ["1", "0.0254"],
  mm: ["1", "25.4"],
  in: ["1", "1"],
  yd: ["36", "1"],
};

const weightUnit = ({ weight_unit }: Units) => weight_unit ?? "kg";
const dimensionUnit = ({ dimension_unit }: Units) => dimension_unit ?? "cm";

/** In pounds with four places; null for an invalid weight. */
export const inPounds = (weight: string | null, units: Units): string | null =>
  converted(weight, pounds[weightUnit(units)], 4);

/** In inches with two places; null for an invalid length. */
export const inInches = (length: string | null, units: Units): string | null =>
  converted(length, inches[dimensionUnit(units)], 2);

function converted(text: string | null, [times, per]: Ratio, places: number): string | null {
  if (text === null || !/^\d{1,12}(\.\d{1,12})?$/.test(text)) return null;
  return new Decimal(text).times(times).div(per).toDecimalPlaces(places, Decimal.ROUND_HALF_UP).toFixed();
}

const Settings = z.array(z.object({ id: z.string(), value: z.unknown() }));

/** Throws where the shop's units differ from the configured ones, so that nothing gets a wrong weight. */
export async function checkUnits(source: WooSource): Promise<void> {
  const settings = await shopSettings(source);
  if (!settings) return;
  const { config } = source;
  for (const [field, id, ours] of [
    ["weight_unit", "woocommerce_weight_unit", weightUnit(config)],
    ["dimension_unit", "woocommerce_dimension_unit", dimensionUnit(config)],
  ]) {
    const theirs = settings.find((setting) => setting.id === id)?.value;
    if (theirs !== undefined && theirs !== ours)
      throw new SourceError(
        `The shop measures in ${theirs}, and ${field} is ${ours}: set ${field} to what the shop has`,
      );
  }
}

/** Undefined where the key may not read the settings, and the units are configured. */
async function shopSettings(source: WooSource): Promise<z.output<typeof Settings> | undefined> {
  try {
    return read(Settings, (await ask(source, "wc/v3/settings/products")).json(), "settings");
  } catch (error) {
    if (!(error instanceof SourceError && error.status === 403)) throw error;
    if (source.config.weight_unit && source.config.dimension_unit) return undefined;
    throw new SourceError(
      "The key may not read the settings of the shop: set weight_unit and dimension_unit",
      error.status,
    );
  }
}
