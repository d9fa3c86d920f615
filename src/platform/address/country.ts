import { iso31661, iso31661Alpha3ToAlpha2 } from "iso-3166";
import { plainName } from "./plain-name.js";

/** Countries by their ISO 3166 code of two letters, whatever shops and people call them. */

/** Languages in which orders name countries. */
const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pl", "pt"];

const assigned = new Set(iso31661.map(({ alpha2 }) => alpha2));
const codes = new Map(
  LANGUAGES.flatMap((language) => {
    const names = new Intl.DisplayNames(language, { type: "region" });
    return [...assigned].map((code) => [plainName(names.of(code) as string), code] as const);
  }).concat(iso31661.map(({ name, alpha2 }) => [plainName(name), alpha2] as const)),
);

const regions = new Map<string, string | undefined>();

/** The code that the standard has: GB for UK. To ask takes a third of a millisecond, so each is asked for once. */
function regionOf(letters: string): string | undefined {
  if (!regions.has(letters)) regions.set(letters, new Intl.Locale(`und-${letters}`).region);
  return regions.get(letters);
}

/** The code of a country that is given as a code, of two letters or three, or by name; undefined for others. */
export function countryCode(country: string): string | undefined {
  const letters = country.trim().toUpperCase();
  if (/^[A-Z]{3}$/.test(letters) && iso31661Alpha3ToAlpha2[letters]) return iso31661Alpha3ToAlpha2[letters];
  const code = /^[A-Z]{2}$/.test(letters) ? regionOf(letters) : codes.get(plainName(country));
  return code && assigned.has(code) ? code : undefined;
}
