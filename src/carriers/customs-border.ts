import type { PostalAddress } from "./carrier.js";

/** Where a parcel passes customs on its way: what is in it is declared then. */

type Place = Pick<PostalAddress, "country" | "state" | "postal_code">;

const EU = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MC MT NL PL PT RO SE SI SK".split(" ");

/** Countries that are one area of customs. */
const JOINED: Record<string, string> = {
  ...Object.fromEntries(EU.map((country) => [country, "EU"])),
  ...{ LI: "CH", IM: "GB", PR: "US" },
};

/** Parts of countries that are outside their customs or their taxes, by the beginning of the postcode. */
const OUTSIDE: Record<string, RegExp> = {
  DE: /^(27498|78266)/,
  ES: /^(35|38|51|52)/,
  FI: /^22/,
  FR: /^97/,
  GR: /^63086/,
  IT: /^(22061|23041)/,
};
/** Post to forces abroad and to islands, which the carriers of the United States have declared. */
const OUTSIDE_US = ["AA", "AE", "AP", "AS", "FM", "GU", "MH", "MP", "PW", "VI"];

function areaOf({ country, state, postal_code }: Place): string {
  if (country === "US" && OUTSIDE_US.includes(state ?? "")) return `US-${state}`;
  if (OUTSIDE[country]?.test(postal_code ?? "")) return `${country}-${postal_code}`;
  return JOINED[country] ?? country;
}

export const crossesCustoms = (from: Place, to: Place): boolean => areaOf(from) !== areaOf(to);
