import { z } from "zod";
import { Text } from "../../platform/fields.js";
import { BooleanCell, FormattedCell, IntCell } from "../../platform/files/cells.js";
import * as pushed from "../../platform/pushed-columns.js";

/** What carriers and customs ask of an item (docs/customs.md). */

const formats = {
  hs_code: { pattern: /^\d{4}(\.?\d{2}){1,3}$/, called: "6, 8 or 10 digits of the customs tariff" },
  origin_country: { pattern: /^[A-Z]{2}$/, called: "a country by its two capitals" },
  customs_currency: { pattern: /^[A-Z]{3}$/, called: "a currency by its three capitals" },
} satisfies Record<string, pushed.Format>;

const formatted = (max: number, example: string, { pattern, called }: pushed.Format) =>
  Text(max, example).trim().regex(pattern, `Expected ${called}`);

const HsCode = formatted(12, "6912.00", formats.hs_code).describe("Number of the customs tariff.");
const OriginCountry = formatted(2, "PT", formats.origin_country).describe("The country where it was made.");
const CustomsValue = z
  .int()
  .min(0)
  .max(2_147_483_647)
  .meta({ description: "What one unit is worth to customs, in the currency's smallest unit.", examples: [1290] });
const CustomsCurrency = formatted(3, "EUR", formats.customs_currency).describe("Currency of the value for customs.");
const IsHazardous = z.boolean().describe("Whether these are dangerous goods, which not every carrier takes.");

/** As an item has it. */
export const customs = {
  is_hazardous: IsHazardous,
  hs_code: HsCode.nullable(),
  origin_country: OriginCountry.nullable(),
  customs_value_minor: CustomsValue.nullable(),
  customs_currency: CustomsCurrency.nullable(),
};

/** As requests say it, besides `is_hazardous`. */
export const givenCustoms = {
  hs_code: HsCode.nullish(),
  origin_country: OriginCountry.nullish(),
  customs_value_minor: CustomsValue.nullish(),
  customs_currency: CustomsCurrency.nullish(),
};

export const importedCustoms = {
  is_hazardous: BooleanCell.default(false),
  hs_code: FormattedCell(12, formats.hs_code).optional(),
  origin_country: FormattedCell(2, formats.origin_country).optional(),
  customs_value_minor: IntCell(0, 2_147_483_647).optional(),
  customs_currency: FormattedCell(3, formats.customs_currency).optional(),
};

export const pushedCustoms: pushed.Columns = {
  is_hazardous: pushed.boolean,
  hs_code: pushed.formatted(12, formats.hs_code),
  origin_country: pushed.formatted(2, formats.origin_country),
  customs_value_minor: pushed.integer(0),
  customs_currency: pushed.formatted(3, formats.customs_currency),
};
